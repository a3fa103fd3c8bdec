"""Halo: ghost cells around each rank's part of an array."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from mpi4py import MPI
from numpy.typing import DTypeLike

from . import _core
from ._agreement import agreed
from ._arguments import layout_of, whole_numbers
from ._core import Error, Layout
from .array import Array

Widths = int | Sequence[int | Sequence[int]]


def _widths(width: Widths, axes: int) -> tuple[list[int], list[int]]:
    """The ghost cells below and above, for each axis."""
    each = list(width) if isinstance(width, (Sequence, np.ndarray)) else [width] * axes
    pairs = [whole_numbers("width", one) for one in each]
    if len(pairs) != axes or any(len(pair) > 2 or min(pair, default=-1) < 0 for pair in pairs):
        raise Error(
            f"width: {width}; valid is a number of at least 0, or one for each of the {axes} axes, "
            "or a pair (below, above) for each"
        )
    return [pair[0] for pair in pairs], [pair[-1] for pair in pairs]


def _for_each_axis(name: str, value: bool | Sequence[bool], axes: int) -> list[bool]:
    values = [value] * axes if isinstance(value, (bool, np.bool_)) else list(value)
    if len(values) != axes:
        raise Error(f"{name}: {value}; valid is one for all axes, or one for each of the {axes}")
    return [bool(one) for one in values]


class Halo:
    """Fills ghost cells: copies, around each rank's part, of elements that other ranks hold.

    layout: of the arrays without ghost cells.
    width: how many ghost cells each axis has on both sides; a list has a number, or a pair (below,
        above), for each axis. They may be wider than neighbours' parts.
    periodic: whether an axis continues at its other end, for all axes or for each; ghost cells
        beyond the ends of others stay as they are.
    corners: whether cells outside along several axes are filled as well.
    dtype: of the arrays: booleans, integers, float or complex numbers.

    Arrays are NumPy's, whole with their ghost cells: `zeros` makes them, `interior` is the part
    without ghost cells, `array` that part as a weft.Array, which plans transform where it lies.

    >>> halo = weft.Halo(weft.Layout.slabs((64, 64), MPI.COMM_WORLD.size), width=1)
    >>> u = halo.zeros()
    >>> halo.interior(u)[...] = 1
    >>> halo.update(u)
    >>> slope = u[2:, 1:-1] - u[:-2, 1:-1]
    >>> print(abs(slope).max())
    0.0

    Making one is collective, and so are updates. Mistakes raise the same weft.Error on all ranks; a
    wrong array ends the job, because other ranks wait.
    """

    def __init__(
        self,
        layout: Layout,
        width: Widths = 1,
        *,
        periodic: bool | Sequence[bool] = True,
        corners: bool = True,
        dtype: DTypeLike = float,
        comm: MPI.Intracomm | None = None,
    ) -> None:
        self.comm: MPI.Intracomm = MPI.COMM_WORLD if comm is None else comm

        def request() -> tuple[Layout, list[int], list[int], list[bool], bool, np.dtype]:
            of = layout_of("layout", layout)
            if of.has_gaps:
                raise Error(
                    f"layout: {of}; valid are those without gaps, as contiguous() makes them"
                )
            axes = len(of.shape)
            kind = np.dtype(dtype)
            if kind.hasobject:
                raise Error(f"dtype: {kind}; valid are those whose elements hold no objects")
            wraps = _for_each_axis("periodic", periodic, axes)
            return of, *_widths(width, axes), wraps, bool(corners), kind

        self.dtype: np.dtype
        of, self._below, self._above, wraps, has_corners, self.dtype = agreed(self.comm, request)
        self._core = _core.Halo(
            self.comm.handle, of, self._below, self._above, wraps, has_corners, self.dtype.itemsize
        )
        self.layout: Layout = self._core.layout
        box = self.layout.box(self.comm.rank)
        self._kept: np.ndarray | None = None
        self._inner_shape = box.shape
        self._is_empty = box.size == 0
        around = [n + low + high for n, low, high in zip(box.shape, self._below, self._above)]
        self.shape: tuple[int, ...] = tuple([0] * len(around) if self._is_empty else around)

    def zeros(self) -> np.ndarray:
        """A new array of this rank's part with its ghost cells.

        >>> halo = weft.Halo(weft.Layout.slabs((8, 6), MPI.COMM_WORLD.size), width=1)
        >>> halo.zeros().shape == halo.shape
        True
        """
        order = self.layout.order
        memory = np.zeros([self.shape[axis] for axis in order], self.dtype)
        return memory.transpose(np.argsort(order))

    def interior(self, array: np.ndarray) -> np.ndarray:
        """The part without ghost cells, where it lies.

        >>> halo = weft.Halo(weft.Layout.slabs((8, 6), MPI.COMM_WORLD.size), width=1)
        >>> halo.interior(halo.zeros()).shape == halo.layout.box(MPI.COMM_WORLD.rank).shape
        True
        """
        inside = (
            slice(low, n - high) for n, low, high in zip(array.shape, self._below, self._above)
        )
        return array.reshape(self._inner_shape) if self._is_empty else array[tuple(inside)]

    def array(self, array: np.ndarray) -> Array:
        """The part without ghost cells as a distributed array, where it lies.

        >>> halo = weft.Halo(weft.Layout.slabs((8, 6), MPI.COMM_WORLD.size), width=1)
        >>> halo.array(halo.zeros()).shape
        (8, 6)
        """
        return Array(self.interior(array), self.layout, self.comm)

    def update(self, array: np.ndarray) -> None:
        """Fills the ghost cells of an array that `zeros` has made, or one that lies in memory as
        these do.

        >>> halo = weft.Halo(weft.Layout.slabs((8, 6), MPI.COMM_WORLD.size), width=1)
        >>> u = halo.zeros()
        >>> halo.interior(u)[...] = 1
        >>> halo.update(u)
        >>> print(u.min())
        1.0
        """
        self.start(array)
        self.wait()

    def start(self, array: np.ndarray) -> None:
        """Begins an update. Until `wait`, all but ghost cells may be read.

        >>> halo = weft.Halo(weft.Layout.slabs((8, 6), MPI.COMM_WORLD.size), width=1)
        >>> u = halo.zeros()
        >>> halo.start(u)
        >>> inner = halo.interior(u).sum()
        >>> halo.wait()
        """
        mistake = self._mistake_in(array)
        self._kept = array
        self._core.start(0 if mistake else self.interior(array).ctypes.data, mistake)

    def test(self) -> bool:
        """Whether the update has ended.

        >>> halo = weft.Halo(weft.Layout.slabs((8, 6), MPI.COMM_WORLD.size), width=1)
        >>> halo.start(halo.zeros())
        >>> while not halo.test():
        ...     pass
        """
        return self._core.test()

    def wait(self) -> None:
        """Returns when the update has ended.

        >>> halo = weft.Halo(weft.Layout.slabs((8, 6), MPI.COMM_WORLD.size), width=1)
        >>> halo.start(halo.zeros())
        >>> halo.wait()
        """
        self._core.wait()
        self._kept = None

    def _mistake_in(self, array: Any) -> str:
        if not isinstance(array, np.ndarray):
            return f"is of type {type(array).__name__}; valid is a NumPy array, as zeros() makes it"
        if array.dtype != self.dtype or array.shape != self.shape:
            return (
                f"is {array.dtype} of the shape {array.shape}; valid is {self.dtype} of the shape "
                f"{self.shape}"
            )
        order = self.layout.order
        if not array.transpose(order).flags.c_contiguous or not array.flags.writeable:
            return "is read-only, or lies in memory in another way than zeros() makes it"
        return ""
