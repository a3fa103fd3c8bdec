"""NetCDF through netCDF4: variable NAME(time, x, y, z) is a field, NAME_slice_4_slice(time, x, z) a
part of one. All fields of a file have the same steps, and groups are avoided, as VisIt wants."""

import os
from typing import TYPE_CHECKING, Any

import numpy as np
from mpi4py import MPI

from ...._core import Error
from .file_base import FileBase, Part

if TYPE_CHECKING:
    from ..distarray import DistArray

TENSOR_AXES = "ijk"
AXES = "xyzrst"


class NCFile(FileBase):
    """A NetCDF file of fields in snapshots; see FileBase. mode: r, w or a; clobber: whether w
    replaces a file; settings: those of netCDF4.Dataset. Collective."""

    def __init__(
        self,
        ncname: str,
        domain: Any = None,
        mode: str = "a",
        clobber: bool = True,
        **settings: Any,
    ) -> None:
        super().__init__(ncname, domain)
        self._create(mode, clobber=clobber, **settings)

    @staticmethod
    def backend() -> str:
        """The format."""
        return "netcdf4"

    @staticmethod
    def _is_parallel() -> bool:
        import netCDF4

        return bool(netCDF4.__has_parallel4_support__)

    def open(self, mode: str = "r+", **settings: Any) -> None:
        """Opens the file on this rank as `f`, with settings of netCDF4.Dataset."""
        from netCDF4 import Dataset

        if self._is_parallel():
            settings.update(parallel=True, comm=MPI.COMM_WORLD)
        if mode == "a" and not os.path.exists(self.filename or ""):
            mode = "w"
        self.f = Dataset(self.filename, mode, **settings)  # type: ignore[arg-type]
        self.f.set_auto_mask(False)

    def _prepare(self) -> None:
        if "time" not in self.f.variables:
            self.f.createDimension("time", None)
            self.f.createVariable("time", float, ("time",))

    def _write_part(self, step: int, part: Part) -> None:
        name = part.name if part.slice_name is None else f"{part.name}_{part.slice_name}"
        axes = self._axes(part.field)
        if part.name in axes or part.name == "time":
            raise Error(f"name: {part.name!r} is that of a dimension; valid are all others")
        if name not in self.f.variables:
            dimensions = ("time", *(axes[axis] for axis in part.kept))
            self.f.createVariable(name, part.field.dtype, dimensions)
        variable = self.f.variables[name]
        row = self._row(step)
        if self._is_parallel():
            variable.set_collective(True)
            if part.slice_name is not None:  # not on all ranks, so the room is made first
                variable[row] = 0
                variable.set_collective(False)
        if part.is_here:
            place = (row, *part.slices)
            variable[place] = part.values

    def _row(self, step: int) -> int:
        """The index of a step, which is appended where it is new."""
        times = self.f.variables["time"]
        if self._is_parallel():
            times.set_collective(True)
        found = np.flatnonzero(times[:] == step)
        if found.size:
            return int(found[0])
        times[times.size] = step
        return times.size - 1

    def _axes(self, field: "DistArray") -> list[str]:
        """The names of the dimensions, which are made with their coordinates where missing."""
        shape = field.pencil.shape
        domain = [(0, 2 * np.pi)] * len(shape) if self.domain is None else self.domain
        if len(domain) != len(shape):
            raise Error(f"domain: has {len(domain)} axes; the field has {len(shape)}")
        lines: dict[str, Any] = {
            TENSOR_AXES[axis]: np.arange(field.shape[axis]) for axis in range(field.rank)
        }
        for name, line, length in zip(AXES, domain, shape):
            is_mesh = isinstance(line, np.ndarray)
            lines[name] = line if is_mesh else np.linspace(line[0], line[1], length)
        for name, line in lines.items():
            if name not in self.f.variables:
                self.f.createDimension(name, len(line))
                self.f.createVariable(name, float, (name,))[:] = line
        return list(lines)

    def _values(self, u: "DistArray", name: str, step: int) -> np.ndarray:
        place = (step, *u.local_slice())
        return self.f.variables[name][place]
