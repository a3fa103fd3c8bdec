"""DistArray: this rank's part of a distributed array, as a subclass of numpy.ndarray, as
mpi4py-fft's is: NumPy's functions see the local part, and nothing checks that two parts belong
together."""

import warnings
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from mpi4py import MPI
from numpy.typing import DTypeLike

from ..._core import Error
from ...array import Array
from .io import FileBase, HDF5File, NCFile
from .pencil import Pencil, Subcomm, Transfer, is_same
from .planned import communicator, layout_of

if TYPE_CHECKING:
    from .mpifft import PFFT


class DistArray(np.ndarray):
    """This rank's part of an array.

    global_shape: of all parts together, tensor axes first.
    subcomm: a Subcomm, communicators or process counts for each axis, where 0 leaves the number to
    MPI; None: all axes but one are split over MPI.COMM_WORLD.
    val: a number to fill it with; buffer: memory to use.
    alignment: an axis that is whole, tensor axes not counted; None: the last such axis.
    rank: of the tensor: 0 for scalars, 1 for vectors, 2 for matrices, whose axes come first and
    are never split.

    An index that picks components of a tensor gives a DistArray, any other an ndarray.
    """

    _p0: Pencil | None
    _rank: int

    def __new__(
        cls,
        global_shape: Sequence[int],
        subcomm: Any = None,
        val: complex | None = None,
        dtype: DTypeLike = float,
        buffer: Any = None,
        strides: Sequence[int] | None = None,
        alignment: int | None = None,
        rank: int = 0,
    ) -> "DistArray":
        leading, shape = tuple(global_shape[:rank]), tuple(global_shape[rank:])
        pencil = _pencil(shape, subcomm, alignment) if len(shape) > 1 else None
        local = pencil.subshape if pencil else shape
        array = super().__new__(cls, (*leading, *local), dtype, buffer, strides=strides)
        array._p0 = pencil
        array._rank = rank
        if buffer is None and val is not None:
            array.fill(val)
        return array

    def __array_finalize__(self, source: Any) -> None:
        self._p0 = getattr(source, "_p0", None)
        self._rank = getattr(source, "_rank", 0)

    @property
    def pencil(self) -> Pencil:
        """How it is distributed, tensor axes not counted."""
        if self._p0 is None:
            raise Error("pencil: an array of one axis has none: every rank has all of it")
        return self._p0

    @property
    def rank(self) -> int:
        """The rank of the tensor."""
        return self._rank

    @property
    def alignment(self) -> int:
        """The axis that is whole, tensor axes not counted."""
        return self.pencil.axis

    @property
    def dimensions(self) -> int:
        """The number of axes, tensor axes not counted."""
        return len(self.pencil.shape)

    @property
    def global_shape(self) -> tuple[int, ...]:
        """The shape of all parts together."""
        return (*self.shape[: self.rank], *self.pencil.shape)

    @property
    def substart(self) -> tuple[int, ...]:
        """The global index at which this part begins."""
        return (*(0,) * self.rank, *self.pencil.substart)

    @property
    def subcomm(self) -> tuple[MPI.Intracomm, ...]:
        """The communicators along each axis."""
        return (*(MPI.COMM_SELF,) * self.rank, *self.pencil.subcomm)

    @property
    def commsizes(self) -> list[int]:
        """The number of ranks along each axis."""
        return [comm.size for comm in self.subcomm]

    @property
    def v(self) -> np.ndarray:
        """This part as a plain ndarray of the same memory."""
        return self.view(np.ndarray)

    def local_slice(self) -> tuple[slice, ...]:
        """Selects this part of the global array."""
        return (*(slice(0, length) for length in self.shape[: self.rank]), *self.pencil.slices)

    def __getitem__(self, index: Any) -> Any:
        picks = index if isinstance(index, tuple) else (index,)
        if len(picks) > self.rank or not all(
            isinstance(pick, (int, np.integer, slice)) for pick in picks
        ):
            return self.v[index]
        component: Any = super().__getitem__(index)
        component._rank = self.rank - (self.ndim - component.ndim)
        return component

    def components(self) -> list[tuple[int, ...]]:
        """The index of each component of the tensor; of a scalar, the empty one."""
        return list(np.ndindex(*self.shape[: self.rank]))

    def get(self, gslice: Sequence[int | slice]) -> np.ndarray | None:
        """That part of the global array, by global indices, on the first rank; None on the others.
        Collective."""
        subcomm = self.pencil.subcomm
        comm = communicator(subcomm)
        layout = layout_of(self.pencil, subcomm, self.shape[: self.rank])
        part = Array(self.v, layout, comm).at[tuple(gslice)]
        first = comm.allreduce(MPI.COMM_WORLD.rank, MPI.MIN)
        return part if MPI.COMM_WORLD.rank == first else None

    def get_pencil_and_transfer(self, axis: int) -> tuple[Pencil, Transfer]:
        """The pencil whose whole axis is another, and the Transfer of arrays to it."""
        pencil = self.pencil.pencil(axis)
        return pencil, self.pencil.transfer(pencil, self.dtype)

    def redistribute(self, axis: int | None = None, out: "DistArray | None" = None) -> "DistArray":
        """The same elements with another whole axis, or as `out` is distributed. Returns `out`, a
        new array, or, where that axis is whole already, this one. Collective."""
        if out is not None:
            if axis is not None and axis % self.dimensions != out.alignment:
                raise Error(f"axis: {axis}; valid is {out.alignment}, which is whole in `out`")
            if self.global_shape != out.global_shape:
                raise Error(f"out: has the shape {out.global_shape}; valid is {self.global_shape}")
            if all(map(is_same, self.subcomm, out.subcomm)):
                out[...] = self
                return out
            pencil, transfer = out.pencil, self.pencil.transfer(out.pencil, self.dtype)
        else:
            if axis is None:
                raise Error("redistribute: valid is an axis, or `out`")
            axis %= self.dimensions
            if self.pencil.subcomm[axis].size == 1:
                self.pencil.axis = axis
                return self
            pencil, transfer = self.get_pencil_and_transfer(axis)
            out = DistArray(
                self.global_shape, pencil.subcomm, None, self.dtype, alignment=axis, rank=self.rank
            )
        for index in self.components():
            transfer.forward(self.v[index], out.v[index])
        transfer.destroy()
        return out

    def write(
        self,
        filename: str | FileBase,
        name: str = "darray",
        step: int = 0,
        global_slice: Sequence[int | slice] | None = None,
        domain: Any = None,
        as_scalar: bool = False,
    ) -> None:
        """Writes it, or the part that global_slice selects, to a file: its name, of HDF5 if that
        ends with .h5, else of NetCDF, or an HDF5File or NCFile. name, step: under which it is read
        again. domain, as_scalar: see these. Collective."""
        file = _file(filename, domain, "a")
        fields: list[Any] = [self if global_slice is None else (self, global_slice)]
        file.write(step, {name: fields}, as_scalar=as_scalar)

    def read(self, filename: str | FileBase, name: str = "darray", step: int = 0) -> None:
        """Reads what `write` has written, into this array. Collective."""
        _file(filename, None, "r").read(self, name, step=step)


def _pencil(shape: tuple[int, ...], subcomm: Any, alignment: int | None) -> Pencil:
    if subcomm is None:
        if alignment is None:
            alignment = len(shape) - 1
        subcomm = [0] * len(shape)
        subcomm[alignment] = 1
    if len(subcomm) != len(shape):
        raise Error(
            f"subcomm: has {len(subcomm)} entries; valid is one for each of {len(shape)} axes"
        )
    if not all(isinstance(entry, MPI.Comm) for entry in subcomm):
        subcomm = Subcomm(MPI.COMM_WORLD, subcomm)
    if alignment is None:
        whole = [axis for axis, comm in enumerate(subcomm) if comm.size == 1]
        if not whole:
            raise Error("subcomm: splits all axes; valid is one axis that no rank splits")
        alignment = whole[-1]
    return Pencil(subcomm, shape, alignment)


def _file(filename: str | FileBase, domain: Any, mode: str) -> FileBase:
    if isinstance(filename, FileBase):
        return filename
    kind = HDF5File if filename.endswith(".h5") else NCFile
    return kind(filename, domain=domain, mode=mode)


def newDistArray(
    pfft: "PFFT", forward_output: bool = True, val: complex = 0, rank: int = 0, view: bool = False
) -> Any:
    """An array like the spectrum of a PFFT, or like its physical array: a tensor of that rank,
    filled with `val`. view: as a plain ndarray."""
    shape = pfft.global_shape(forward_output)
    pencil = pfft.pencil[bool(forward_output)]
    array = DistArray(
        (*(len(shape),) * rank, *shape),
        pencil.subcomm,
        val,
        pfft.dtype(forward_output),
        alignment=pencil.axis,
        rank=rank,
    )
    return array.v if view else array


def Function(*arguments: Any, **settings: Any) -> Any:
    """The former name of newDistArray, with `tensor` for a rank of 1."""
    warnings.warn("Function() is deprecated; use newDistArray()", FutureWarning, stacklevel=2)
    if settings.pop("tensor", None):
        settings["rank"] = 1
    return newDistArray(*arguments, **settings)
