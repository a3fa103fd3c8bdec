"""HDF5 through h5py: /NAME/3D/STEP is a field, /NAME/2D/slice_4_slice/STEP a part of one."""

from typing import TYPE_CHECKING, Any

import numpy as np
from mpi4py import MPI

from ...._core import Error
from .file_base import FileBase, Part

if TYPE_CHECKING:
    from ..distarray import DistArray


class HDF5File(FileBase):
    """An HDF5 file of fields in snapshots, each with a step of its own; see FileBase. mode: r, w or
    a; settings: those of h5py.File. Collective."""

    def __init__(self, h5name: str, domain: Any = None, mode: str = "a", **settings: Any) -> None:
        super().__init__(h5name, domain)
        self._create(mode, **settings)

    @staticmethod
    def backend() -> str:
        """The format."""
        return "hdf5"

    @staticmethod
    def _is_parallel() -> bool:
        import h5py

        return h5py.get_config().mpi

    def open(self, mode: str = "r+", **settings: Any) -> None:
        """Opens the file on this rank as `f`, with settings of h5py.File."""
        import h5py

        if self._is_parallel():
            settings.update(driver="mpio", comm=MPI.COMM_WORLD)
        self.f = h5py.File(self.filename, mode, **settings)

    def _write_part(self, step: int, part: Part) -> None:
        self._describe(part.name, part.field)
        path = f"{part.name}/{part.dimensions}D"
        group = self.f.require_group(
            path if part.slice_name is None else f"{path}/{part.slice_name}"
        )
        dataset = group.require_dataset(str(step), part.shape, part.field.dtype)
        if part.is_here:
            dataset[part.slices] = part.values

    def _describe(self, name: str, field: "DistArray") -> None:
        """Writes the shape, rank and domain of a field, which generate_xdmf reads."""
        shape = field.pencil.shape
        domain = [(0.0, 2 * np.pi)] * len(shape) if self.domain is None else self.domain
        group = self.f.require_group(name)
        attributes = group.attrs
        if "shape" not in attributes:
            attributes["shape"] = shape
            attributes["rank"] = field.rank
        if tuple(attributes["shape"]) != shape or attributes["rank"] != field.rank:
            raise Error(
                f"{name}: has the shape {shape} and the rank {field.rank}; in {self.filename} are "
                f"{tuple(attributes['shape'])} and {attributes['rank']}"
            )
        if len(domain) != len(shape):
            raise Error(f"domain: has {len(domain)} axes; {name} has {len(shape)}")
        is_mesh = isinstance(domain[0], np.ndarray)
        lines = group.require_group("mesh" if is_mesh else "domain")
        for axis, line in enumerate(domain):
            values = np.squeeze(np.asarray(line, None if is_mesh else float))
            lines.require_dataset(f"x{axis}", values.shape, values.dtype, data=values)

    def _values(self, u: "DistArray", name: str, step: int) -> np.ndarray:
        return self.f[f"{name}/{u.dimensions}D/{step}"][u.local_slice()]
