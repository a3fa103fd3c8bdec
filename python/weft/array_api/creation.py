"""The standard's creation functions: new distributed arrays, of which each rank makes its part.
comm: MPI.COMM_WORLD; layout: slabs along axis 0. Collective."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from mpi4py import MPI
from numpy.typing import DTypeLike

from .. import create
from .._core import Error, Layout
from ..array import Array

Shape = int | Sequence[int]


def require_host(device: str | None) -> None:
    """An Error for devices: their arrays are of plans."""
    if device not in (None, "cpu"):
        raise Error(f"device: {device!r}; valid is 'cpu', and a weft.Plan with device=")


def empty(
    shape: Shape,
    *,
    dtype: DTypeLike | None = None,
    device: str | None = None,
    comm: MPI.Intracomm | None = None,
    layout: Layout | None = None,
) -> Array:
    """An array whose elements are not set.

    >>> import weft.array_api as xp
    >>> xp.empty((4, 6)).shape
    (4, 6)
    """
    require_host(device)
    return create.empty(shape, float if dtype is None else dtype, comm=comm, layout=layout)


def full(
    shape: Shape,
    fill_value: Any,
    *,
    dtype: DTypeLike | None = None,
    device: str | None = None,
    comm: MPI.Intracomm | None = None,
    layout: Layout | None = None,
) -> Array:
    """An array filled with a number.

    >>> import weft.array_api as xp
    >>> print(xp.full((4, 6), 2.5).sum())
    60.0
    """
    require_host(device)
    return create.full(shape, fill_value, dtype, comm=comm, layout=layout)


def zeros(shape: Shape, *, dtype: DTypeLike | None = None, **where: Any) -> Array:
    """An array filled with 0; where: device, comm and layout, as for `full`.

    >>> import weft.array_api as xp
    >>> print(xp.zeros((4, 6)).sum())
    0.0
    """
    return full(shape, 0, dtype=float if dtype is None else dtype, **where)


def ones(shape: Shape, *, dtype: DTypeLike | None = None, **where: Any) -> Array:
    """An array filled with 1; where: device, comm and layout, as for `full`.

    >>> import weft.array_api as xp
    >>> print(xp.ones((4, 6)).sum())
    24.0
    """
    return full(shape, 1, dtype=float if dtype is None else dtype, **where)


def asarray(
    obj: Any,
    /,
    *,
    dtype: DTypeLike | None = None,
    device: str | None = None,
    copy: bool | None = None,
    comm: MPI.Intracomm | None = None,
    layout: Layout | None = None,
) -> Any:
    """A distributed array of what every rank has as a whole. A distributed array stays as it is, and
    a number becomes NumPy's array without axes.

    >>> import weft.array_api as xp
    >>> print(xp.asarray([[1, 2], [3, 4]]).sum(axis=0))
    [4 6]
    """
    require_host(device)
    if isinstance(obj, Array):
        kind = obj.dtype if dtype is None else np.dtype(dtype)
        if kind != obj.dtype and copy is False:
            raise ValueError(f"copy: False, but elements of {obj.dtype} become {kind}")
        return obj.astype(kind) if copy or kind != obj.dtype else obj
    whole = np.asarray(obj, dtype)
    return create.from_global(whole, comm=comm, layout=layout) if whole.ndim else whole


def _of_line(
    function: Any, length: int, dtype: DTypeLike, device: str | None, **where: Any
) -> Array:
    require_host(device)
    return create.from_function(function, length, dtype, **where)


def arange(
    start: float,
    /,
    stop: float | None = None,
    step: float = 1,
    *,
    dtype: DTypeLike | None = None,
    device: str | None = None,
    **where: Any,
) -> Array:
    """The numbers from start on, each `step` more, up to stop, without it; of start alone, those
    from 0 to it. where: comm and layout.

    >>> import weft.array_api as xp
    >>> print(xp.arange(2, 10, 2).gather(None))
    [2 4 6 8]
    """
    first, last = (0, start) if stop is None else (start, stop)
    kind = np.result_type(*map(type, (first, last, step))) if dtype is None else dtype
    count = math.ceil((last - first) / step)
    return _of_line(lambda i: first + step * i, count, kind, device, **where)


def linspace(
    start: complex,
    stop: complex,
    /,
    num: int,
    *,
    dtype: DTypeLike | None = None,
    device: str | None = None,
    endpoint: bool = True,
    **where: Any,
) -> Array:
    """That many numbers at equal distances, with stop or without. where: comm and layout.

    >>> import weft.array_api as xp
    >>> print(xp.linspace(0, 1, 5).gather(None))
    [0.   0.25 0.5  0.75 1.  ]
    """
    kind = np.result_type(start, stop, float) if dtype is None else dtype
    step = (stop - start) / max(num - 1 if endpoint else num, 1)

    def numbers(i: np.ndarray) -> np.ndarray:
        is_last = endpoint & (i == num - 1) & (num > 1)
        return np.where(is_last, stop, start + step * i)

    return _of_line(numbers, num, kind, device, **where)


def eye(
    n_rows: int,
    n_cols: int | None = None,
    /,
    *,
    k: int = 0,
    dtype: DTypeLike | None = None,
    device: str | None = None,
    **where: Any,
) -> Array:
    """Ones on diagonal k, and zeros. where: comm and layout.

    >>> import weft.array_api as xp
    >>> print(xp.eye(4, 6, k=1).sum(axis=0))
    [0. 1. 1. 1. 1. 0.]
    """
    require_host(device)
    shape = (n_rows, n_rows if n_cols is None else n_cols)
    kind = float if dtype is None else dtype
    return create.from_function(lambda i, j: j - i == k, shape, kind, **where)


def meshgrid(*arrays: Any, indexing: str = "xy", **where: Any) -> tuple[Array, ...]:
    """Distributed arrays of the coordinates of a grid from arrays of one axis, which each rank
    gathers. where: comm and layout, of the first array where it is distributed.

    >>> import weft.array_api as xp
    >>> x, y = xp.meshgrid([1, 2, 3], [10, 20])
    >>> print(x.shape, x.sum(), y.sum())
    (2, 3) 12 90
    """
    if indexing not in ("xy", "ij"):
        raise ValueError(f"indexing: {indexing!r}; valid are 'xy' and 'ij'")
    comm = next((one.comm for one in arrays if isinstance(one, Array)), None)
    wholes = (one.gather(None) if isinstance(one, Array) else one for one in arrays)
    lines = list(map(np.asarray, wholes))
    if any(line.ndim != 1 for line in lines):
        raise Error("arrays: one has more or less than one axis; valid are arrays of one axis")
    wheres = {"comm": comm, **where}
    axes = list(range(len(lines)))
    if indexing == "xy":
        axes[:2] = axes[:2][::-1]
    shape = [0] * len(lines)
    for line, axis in zip(lines, axes):
        shape[axis] = len(line)

    def along(line: np.ndarray, axis: int) -> Array:
        return create.from_function(lambda *mesh: line[mesh[axis]], shape, line.dtype, **wheres)

    return tuple(along(line, axis) for line, axis in zip(lines, axes))
