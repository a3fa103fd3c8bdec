"""The base of files of all formats: it decides which field goes where, and which rank writes when.
Where a package cannot write from several ranks at once, the ranks open the file in turn."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np
from mpi4py import MPI

from ...._agreement import agreed
from ...._core import Error
from ...._formats import in_turn

if TYPE_CHECKING:
    from ..distarray import DistArray


class FileBase:
    """A file of fields in snapshots. All ranks of MPI.COMM_WORLD make it, write and read together.

    domain: the box that the fields are on: for each axis a pair of numbers or an array of
    coordinates. The pair is the origin and the length in HDF5, the first and the last coordinate in
    NetCDF.
    """

    def __init__(self, filename: str | None = None, domain: Any = None) -> None:
        self.f: Any = None
        self.filename = filename
        self.domain = domain

    @staticmethod
    def backend() -> str:
        """The format."""
        raise NotImplementedError

    def open(self, mode: str = "r+", **settings: Any) -> None:
        """Opens the file on this rank as `f`, with settings of the package's."""
        raise NotImplementedError

    def close(self) -> None:
        """Closes the file on this rank."""
        self.f.close()

    def write(
        self,
        step: int,
        fields: Mapping[str, Sequence[Any]],
        as_scalar: bool = False,
        **settings: Any,
    ) -> None:
        """Writes a snapshot.

        fields: lists of DistArrays by name; a pair of one and a list of slice(None) and numbers is
        the part at these global indices, tensor axes not counted.
        as_scalar: whether the components of tensors become fields of their own.
        settings: change nothing, as in mpi4py-fft: shenfun's programs pass `forward_output`.
        """

        def work() -> None:
            with self._opened("r+"):
                for part in _parts(fields, as_scalar):
                    self._write_part(step, part)

        work() if self._is_parallel() else in_turn(MPI.COMM_WORLD, work)

    def read(self, u: "DistArray", name: str, step: int = 0, **settings: Any) -> None:
        """Reads a whole field of that name and step into `u`; settings as in `write`."""

        def work() -> None:
            with self._opened("r"):
                u[...] = self._values(u, name, step)

        agreed(MPI.COMM_WORLD, work)

    @contextmanager
    def _opened(self, mode: str, **settings: Any) -> Iterator[None]:
        self.open(mode, **settings)
        try:
            yield
        finally:
            self.close()

    @staticmethod
    def _is_parallel() -> bool:
        """Whether several ranks can write at once."""
        raise NotImplementedError

    def _write_part(self, step: int, part: "Part") -> None:
        raise NotImplementedError

    def _values(self, u: "DistArray", name: str, step: int) -> np.ndarray:
        raise NotImplementedError

    def _prepare(self) -> None:
        """Writes what a new file has before any field."""

    def _create(self, mode: str, **settings: Any) -> None:
        """Finds the file, or makes it: one rank alone where several cannot write at once."""

        def work() -> None:
            with self._opened(mode, **settings):
                if mode != "r":
                    self._prepare()

        if self._is_parallel():
            work()
        else:
            MPI.COMM_WORLD.Barrier()  # others may still be removing the file
            is_mine = mode == "r" or MPI.COMM_WORLD.rank == 0
            agreed(MPI.COMM_WORLD, lambda: work() if is_mine else None)


class Part:
    """A field, or a part of it, and this rank's share of that.

    shape, dimensions: without the axes at which a number picks one index; kept: the axes that stay.
    slice_name: as in 'slice_4_slice'; None where the part is all of the field.
    """

    def __init__(self, name: str, field: "DistArray", slices: Sequence[Any] | None) -> None:
        whole = (slice(None),) * field.dimensions
        entries = whole if slices is None else tuple(slices)
        if len(entries) != field.dimensions or not all(
            entry == slice(None)
            if isinstance(entry, slice)
            else isinstance(entry, (int, np.integer)) and 0 <= entry < length
            for entry, length in zip(entries, field.pencil.shape)
        ):
            raise Error(
                f"slices: {entries} of a field of shape {field.pencil.shape}; valid are "
                "slice(None) and numbers, one for each axis"
            )
        self.name = name
        self.field = field
        self.slice_name = None
        if slices is not None:
            words = ("slice" if isinstance(entry, slice) else str(entry) for entry in entries)
            self.slice_name = "_".join(words)
        self.dimensions = sum(isinstance(entry, slice) for entry in entries)
        entries = (slice(None),) * field.rank + entries
        self.kept = [axis for axis, entry in enumerate(entries) if isinstance(entry, slice)]
        self.shape = tuple(field.global_shape[axis] for axis in self.kept)
        own = field.local_slice()
        self.slices = tuple(own[axis] for axis in self.kept)
        self.is_here = field.size > 0 and all(
            isinstance(entry, slice) or mine.start <= entry < mine.stop
            for entry, mine in zip(entries, own)
        )
        self._local = tuple(
            entry if isinstance(entry, slice) else entry - mine.start
            for entry, mine in zip(entries, own)
        )

    @property
    def values(self) -> np.ndarray:
        """This rank's elements, which go to `slices` of the file."""
        return self.field.v[self._local]


def _parts(fields: Mapping[str, Sequence[Any]], as_scalar: bool) -> Iterator[Part]:
    for name, given in fields.items():
        for entry in given:
            field, slices = entry if isinstance(entry, (tuple, list)) else (entry, None)
            for index in field.components() if as_scalar else [()]:
                part = field
                for axis in index:  # one at a time, as subclasses such as shenfun's want it
                    part = part[axis]
                yield Part(name + "".join(map(str, index)), part, slices)
