"""New distributed arrays."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from mpi4py import MPI
from numpy.typing import DTypeLike

from . import _core
from ._agreement import agreed
from ._arguments import layout_of, whole_numbers
from ._core import Box, Error, Layout
from .array import Array
from .distributed import empty_local, require_no_mask


def default_layout(shape: Sequence[int], comm: MPI.Intracomm) -> Layout:
    """Slabs along axis 0, where they leave no rank idle, else pencils of two or three axes."""
    if len(shape) < 3 or shape[0] >= comm.size:
        return Layout.slabs(shape, comm.size)
    return Layout.pencils(shape, MPI.Compute_dims(comm.size, 2))


def _layout_for(shape: int | Sequence[int], comm: MPI.Intracomm, layout: Layout | None) -> Layout:
    lengths = whole_numbers("shape", shape)
    layout = layout_of("layout", layout) or default_layout(lengths, comm)
    if layout.ranks != comm.size or layout.shape != lengths:
        raise Error(
            f"layout: {layout} of shape {layout.shape}; valid is one of shape {lengths} on "
            f"{comm.size} ranks"
        )
    return layout


def empty(
    shape: int | Sequence[int],
    dtype: DTypeLike = float,
    *,
    comm: MPI.Intracomm | None = None,
    layout: Layout | None = None,
) -> Array:
    """An array whose elements are not set. comm: MPI.COMM_WORLD; layout: slabs along axis 0.
    Collective.

    >>> weft.empty((4, 6)).shape
    (4, 6)
    """
    comm = MPI.COMM_WORLD if comm is None else comm
    layout = agreed(comm, lambda: _layout_for(shape, comm, layout))
    return Array(empty_local(layout, comm.rank, dtype), layout, comm)


def full(
    shape: int | Sequence[int],
    value: Any,
    dtype: DTypeLike | None = None,
    *,
    comm: MPI.Intracomm | None = None,
    layout: Layout | None = None,
) -> Array:
    """An array filled with `value`. Collective.

    >>> print(weft.full((4, 6), 2.5).sum())
    60.0
    """
    array = empty(
        shape, np.asarray(value).dtype if dtype is None else dtype, comm=comm, layout=layout
    )
    array.local[...] = value
    return array


def zeros(
    shape: int | Sequence[int],
    dtype: DTypeLike = float,
    *,
    comm: MPI.Intracomm | None = None,
    layout: Layout | None = None,
) -> Array:
    """An array filled with 0. Collective.

    >>> print(weft.zeros((4, 6)).sum())
    0.0
    """
    return full(shape, 0, dtype, comm=comm, layout=layout)


def ones(
    shape: int | Sequence[int],
    dtype: DTypeLike = float,
    *,
    comm: MPI.Intracomm | None = None,
    layout: Layout | None = None,
) -> Array:
    """An array filled with 1. Collective.

    >>> print(weft.ones((4, 6)).sum())
    24.0
    """
    return full(shape, 1, dtype, comm=comm, layout=layout)


def from_function(
    function: Callable[..., Any],
    shape: int | Sequence[int],
    dtype: DTypeLike = float,
    *,
    comm: MPI.Intracomm | None = None,
    layout: Layout | None = None,
) -> Array:
    """An array filled with function(i, j, ...), called once with the open mesh of this rank's
    global indices. Collective.

    >>> u = weft.from_function(lambda i, j: 10 * i + j, (4, 6))
    >>> print(u.at[3, 5])
    35.0
    """
    array = empty(shape, dtype, comm=comm, layout=layout)
    array.local[...] = function(*array.indices())
    return array


def from_global(
    whole: Any, *, comm: MPI.Intracomm | None = None, layout: Layout | None = None
) -> Array:
    """The parts of an array that every rank has as a whole: one of NumPy, a list, or a dataset of
    h5py, of which each rank reads its part. Collective.

    >>> u = weft.from_global([[1, 2], [3, 4]])
    >>> print(u.at[1])
    [3 4]
    """
    comm = MPI.COMM_WORLD if comm is None else comm
    whole = agreed(comm, lambda: _as_whole(whole))
    array = empty(whole.shape, whole.dtype, comm=comm, layout=layout)
    array.local[...] = whole[array.slices]
    return array


def from_local(
    local: Any,
    layout: Layout | None = None,
    *,
    box: Box | None = None,
    shape: int | Sequence[int] | None = None,
    comm: MPI.Intracomm | None = None,
) -> Array:
    """The array of which each rank passes its part, without copying where the part lies in memory
    as the layout says.

    A layout says which part that is, or this rank's `box` of an array with the global `shape`.
    Without either, the parts follow each other along axis 0, in the order of ranks. Collective.

    >>> u = weft.from_local(np.ones((2, 3)))  # two rows of each rank
    >>> u.shape == (2 * u.comm.size, 3)
    True
    """
    comm = MPI.COMM_WORLD if comm is None else comm
    local = agreed(comm, lambda: _as_part(local))
    layout = agreed(comm, lambda: layout_of("layout", layout))
    if not layout:
        if box is None:
            before = comm.exscan(local.shape[0]) or 0
            shape = (comm.allreduce(local.shape[0]), *local.shape[1:])
            box = Box(
                (before, *[0] * (local.ndim - 1)), (before + local.shape[0], *local.shape[1:])
            )
        layout = gather_layout(shape if shape is not None else local.shape, box, comm)
    whole = layout

    def part() -> Array:
        expected = whole.box(comm.rank).shape
        if local.shape != expected and (local.size or np.prod(expected)):
            raise Error(f"local: has the shape {local.shape}; the layout says {expected}")
        return Array(local, whole, comm).like(local if local.size else local.reshape(expected))

    return agreed(comm, part)


def _as_whole(whole: Any) -> Any:
    """The array itself if it can be sliced like one of NumPy, else as a NumPy array."""
    require_no_mask(whole)
    if not hasattr(whole, "shape") or not isinstance(getattr(whole, "dtype", None), np.dtype):
        whole = np.asarray(whole)
    if not whole.shape:
        raise Error("whole: is no array; valid is an array that every rank has")
    return whole


def _as_part(local: Any) -> np.ndarray:
    """This rank's part as a NumPy array, by DLPack where it is none."""
    require_no_mask(local)
    if getattr(local, "requires_grad", False):
        raise Error(f"local: {_core.lost_gradients}")
    if not isinstance(local, np.ndarray):
        local = np.from_dlpack(local) if hasattr(local, "__dlpack__") else np.asarray(local)
    if local.ndim == 0:
        raise Error("local: is a number; valid is an array")
    return local


def gather_layout(
    shape: int | Sequence[int], box: Box, comm: MPI.Intracomm | None = None
) -> Layout:
    """The layout in which every rank holds the box that it passes. An Error on all ranks unless the
    boxes lie inside the global shape, are disjoint and complete. Collective.

    >>> comm = MPI.COMM_WORLD
    >>> box = weft.Box((comm.rank, 0), (comm.rank + 1, 3))  # one row of each rank
    >>> weft.gather_layout((comm.size, 3), box).box(comm.rank) == box
    True
    """
    comm = MPI.COMM_WORLD if comm is None else comm

    def checked() -> tuple[int, ...]:
        if not isinstance(box, Box):
            raise Error(f"box: is a {type(box).__name__}; valid is a weft.Box")
        return whole_numbers("shape", shape)

    return _core.gather_layout(comm.handle, agreed(comm, checked), box)
