"""Reductions of distributed arrays: each rank reduces its part, and MPI combines the results."""

import operator
from typing import Any

import numpy as np
from mpi4py import MPI
from numpy.typing import DTypeLike

from ._agreement import agreed
from ._core import Error
from .distributed import Distributed

Axis = int | tuple[int, ...] | None


def _axes_of(array: Distributed, axis: Axis) -> tuple[int, ...]:
    if axis is None:
        return tuple(range(array.ndim))
    axes = [operator.index(one) for one in (axis if isinstance(axis, tuple) else (axis,))]
    if any(not -array.ndim <= one < array.ndim for one in axes):
        raise Error(f"axis: {axis}; the array has {array.ndim} axes")
    numbers = tuple(one % array.ndim for one in axes)
    if len(set(numbers)) < len(numbers):
        raise Error(f"axis: {axis}; every axis may be named once")
    return numbers


def _mask(array: Distributed, where: Any) -> Any:
    """Whether each local element counts. An Error on all ranks where `where` is invalid on one."""

    def local() -> np.ndarray:
        own = np.asarray(array._operand(where))
        if own.dtype != bool:
            raise Error(f"where: has the dtype {own.dtype}; valid are bool and an array of bool")
        return own

    return True if where is True else agreed(array.comm, local)


def _combine(comm: MPI.Intracomm, values: np.ndarray, op: MPI.Op) -> None:
    """MPI_Allreduce in place. MPICH 4.0 orders unsigned integers as signed ones: with their highest
    bit flipped, either order is the right one."""
    if values.dtype.kind == "u" and op in (MPI.MIN, MPI.MAX):
        bits = values.view(f"i{values.dtype.itemsize}")
        highest = np.iinfo(bits.dtype).min
        np.bitwise_xor(bits, highest, out=bits)
        comm.Allreduce(MPI.IN_PLACE, bits, op)
        np.bitwise_xor(bits, highest, out=bits)
    else:
        comm.Allreduce(MPI.IN_PLACE, values, op)


def _reduced(
    array: Distributed,
    local: np.ndarray,
    ufunc: np.ufunc,
    op: MPI.Op,
    axis: Axis,
    *,
    neutral: Any = None,
    dtype: DTypeLike | None = None,
    out: None = None,
    keepdims: bool = False,
    initial: Any = None,
    where: Any = True,
) -> Any:
    """The elements of `local`, in the boxes of `array`, reduced along `axis`: a number, or an
    ndarray of the global extents of the other axes, the same on all ranks. neutral: a number that
    changes no result; None: the ufunc's. The other arguments are NumPy's."""
    if out is not None:
        raise TypeError("out: reductions of a weft.Array return a new result; valid is None")
    axes = _axes_of(array, axis)
    if neutral is None:
        neutral = ufunc.identity
    own = np.asarray(
        ufunc.reduce(local, axes, dtype=dtype, initial=neutral, where=_mask(array, where))
    )
    kept = [one for one in range(array.ndim) if one not in axes]
    memory = {"e": "f", "?": "B"}.get(own.dtype.char, own.dtype)  # MPI has no halves or MAX of bool
    whole = np.full([array.shape[one] for one in kept], neutral, memory)
    if local.size:
        whole[tuple(array.slices[one] for one in kept)] = own
    _combine(array.comm, whole, op)
    whole = whole.astype(own.dtype, copy=False)
    if initial is not None:
        whole = np.asarray(ufunc(whole, np.asarray(initial).astype(whole.dtype)))
    return np.expand_dims(whole, axes) if keepdims else whole[()]


def _extreme(
    array: Distributed,
    ufunc: np.ufunc,
    op: MPI.Op,
    axis: Axis,
    keepdims: bool = False,
    **settings: Any,
) -> Any:
    if array.dtype.kind == "c":
        raise Error(f"{ufunc.__name__}: complex numbers have no order")
    if settings.get("where", True) is not True and settings.get("initial") is None:
        raise ValueError(f"{ufunc.__name__}: where needs an initial value, as with NumPy")
    neutral = _last(array.dtype, is_lowest=ufunc is np.maximum)
    result = _reduced(
        array, array.local, ufunc, op, axis, neutral=neutral, keepdims=keepdims, **settings
    )
    if array.dtype.kind == "f":  # MPI does not define the extremes of NaN
        is_nan = np.isnan(array.local)
        where = settings.get("where", True)
        found = _reduced(
            array, is_nan, np.logical_or, MPI.LOR, axis, keepdims=keepdims, where=where
        )
        return np.where(found, array.dtype.type(np.nan), result)[()]
    return result


def _last(dtype: np.dtype, is_lowest: bool) -> Any:
    """The lowest number of that type, or the highest."""
    if dtype.kind == "b":
        return not is_lowest
    if dtype.kind in "iu":
        return np.iinfo(dtype).min if is_lowest else np.iinfo(dtype).max
    return -np.inf if is_lowest else np.inf


def _place(array: Distributed, axis: int | None, best: Any, keepdims: bool) -> Any:
    """The first index of an element that equals `best`: along the axis, or in the whole array as
    one line. `best` has the axes of the array."""
    own = best[_own_part(array, range(array.ndim) if axis is None else (axis % array.ndim,))]
    is_best = (array.local == own) | ((array.local != array.local) & (own != own))  # or both NaN
    index = np.zeros((), np.int64)
    for one, line in enumerate(array.indices()):
        if axis is None or one == axis % array.ndim:
            index = index * array.shape[one] + line
    most = np.iinfo(np.int64).max
    places = np.where(is_best, index, most)
    return _reduced(array, places, np.minimum, MPI.MIN, axis, neutral=most, keepdims=keepdims)


def _own_part(array: Distributed, axes: Any) -> tuple[slice, ...]:
    """Selects this rank's part of a result that has one element along `axes`."""
    return tuple(slice(None) if one in axes else part for one, part in enumerate(array.slices))


def _types(array: Distributed, dtype: DTypeLike | None) -> tuple[np.dtype, np.dtype]:
    """The type in which means are computed, and the type of the result."""
    if dtype is None:
        dtype = float if array.dtype.kind in "biu" else array.dtype
    result = np.dtype(dtype)
    return np.dtype(np.float32) if result == np.float16 else result, result


class Reductions(Distributed):
    """Collective; the same result on all ranks, as an ndarray or a number. The arguments are
    NumPy's: axis is one or several, None: all; where is an Array of bool, or an ndarray that
    broadcasts to the local part; out must be None."""

    __slots__ = ()

    def sum(
        self,
        axis: Axis = None,
        dtype: DTypeLike | None = None,
        out: None = None,
        keepdims: bool = False,
        initial: Any = None,
        where: Any = True,
    ) -> Any:
        """The sum of the elements.

        >>> u = weft.from_global([[1, 2], [3, 4]])
        >>> print(u.sum(), u.sum(axis=0))
        10 [4 6]
        """
        settings = {"out": out, "keepdims": keepdims, "initial": initial, "where": where}
        return _reduced(self, self.local, np.add, MPI.SUM, axis, dtype=dtype, **settings)

    def prod(
        self,
        axis: Axis = None,
        dtype: DTypeLike | None = None,
        out: None = None,
        keepdims: bool = False,
        initial: Any = None,
        where: Any = True,
    ) -> Any:
        """The product of the elements.

        >>> u = weft.from_global([[1, 2], [3, 4]])
        >>> print(u.prod(), u.prod(axis=0))
        24 [3 8]
        """
        settings = {"out": out, "keepdims": keepdims, "initial": initial, "where": where}
        return _reduced(self, self.local, np.multiply, MPI.PROD, axis, dtype=dtype, **settings)

    def max(
        self,
        axis: Axis = None,
        out: None = None,
        keepdims: bool = False,
        initial: Any = None,
        where: Any = True,
    ) -> Any:
        """The largest of real elements; NaN where there is one.

        >>> u = weft.from_global([[1, 2], [3, 4]])
        >>> print(u.max(), u.max(axis=0))
        4 [3 4]
        """
        settings = {"out": out, "keepdims": keepdims, "initial": initial, "where": where}
        return _extreme(self, np.maximum, MPI.MAX, axis, **settings)

    def min(
        self,
        axis: Axis = None,
        out: None = None,
        keepdims: bool = False,
        initial: Any = None,
        where: Any = True,
    ) -> Any:
        """The smallest of real elements; NaN where there is one.

        >>> u = weft.from_global([[1, 2], [3, 4]])
        >>> print(u.min(), u.min(axis=0))
        1 [1 2]
        """
        settings = {"out": out, "keepdims": keepdims, "initial": initial, "where": where}
        return _extreme(self, np.minimum, MPI.MIN, axis, **settings)

    def argmax(self, axis: int | None = None, out: None = None, *, keepdims: bool = False) -> Any:
        """The first index of the largest element, or of a NaN: along the axis, or in the global
        array as one line.

        >>> u = weft.from_global([[1, 2], [3, 4]])
        >>> print(u.argmax(), u.argmax(axis=0))
        3 [1 1]
        """
        return _place(self, axis, self.max(axis, out, keepdims=True), keepdims)

    def argmin(self, axis: int | None = None, out: None = None, *, keepdims: bool = False) -> Any:
        """The first index of the smallest element, or of a NaN, as `argmax` counts.

        >>> u = weft.from_global([[1, 2], [3, 4]])
        >>> print(u.argmin(), u.argmin(axis=0))
        0 [0 0]
        """
        return _place(self, axis, self.min(axis, out, keepdims=True), keepdims)

    def any(
        self, axis: Axis = None, out: None = None, keepdims: bool = False, *, where: Any = True
    ) -> Any:
        """Whether an element is true.

        >>> u = weft.from_global([[1, 2], [3, 4]])
        >>> print((u > 3).any(), (u > 3).any(axis=0))
        True [False  True]
        """
        settings = {"out": out, "keepdims": keepdims, "where": where}
        return _reduced(self, self.local.astype(bool), np.logical_or, MPI.LOR, axis, **settings)

    def all(
        self, axis: Axis = None, out: None = None, keepdims: bool = False, *, where: Any = True
    ) -> Any:
        """Whether all elements are true.

        >>> u = weft.from_global([[1, 2], [3, 4]])
        >>> print((u > 1).all(), (u > 1).all(axis=0))
        False [False  True]
        """
        settings = {"out": out, "keepdims": keepdims, "where": where}
        return _reduced(self, self.local.astype(bool), np.logical_and, MPI.LAND, axis, **settings)

    def mean(
        self,
        axis: Axis = None,
        dtype: DTypeLike | None = None,
        out: None = None,
        keepdims: bool = False,
        *,
        where: Any = True,
    ) -> Any:
        """The mean of the elements.

        >>> u = weft.from_global([[1, 2], [3, 4]])
        >>> print(u.mean(), u.mean(axis=0))
        2.5 [2. 3.]
        """
        working, result = _types(self, dtype)
        total = self.sum(axis, working, out, keepdims, where=where)
        mean = np.true_divide(total, _count(self, axis, keepdims, where))
        return np.asarray(mean).astype(result)[()]

    def var(
        self,
        axis: Axis = None,
        dtype: DTypeLike | None = None,
        out: None = None,
        ddof: float = 0,
        keepdims: bool = False,
        *,
        where: Any = True,
    ) -> Any:
        """The sum of the squared distances from the mean, divided by their number less `ddof`.

        >>> u = weft.from_global([[1, 2], [3, 4]])
        >>> print(u.var(), u.var(axis=0))
        1.25 [1. 1.]
        """
        working, result = _types(self, dtype)
        mean = self.mean(axis, working, out, keepdims=True, where=where)
        distance = np.abs(self.local - mean[_own_part(self, _axes_of(self, axis))])
        settings = {"keepdims": keepdims, "where": where}
        total = _reduced(self, np.square(distance), np.add, MPI.SUM, axis, **settings)
        count = np.maximum(_count(self, axis, keepdims, where) - ddof, 0)
        variance = np.asarray(np.true_divide(total, count))
        return variance.astype(result.type(0).real.dtype if dtype is None else result)[()]

    def std(
        self,
        axis: Axis = None,
        dtype: DTypeLike | None = None,
        out: None = None,
        ddof: float = 0,
        keepdims: bool = False,
        *,
        where: Any = True,
    ) -> Any:
        """The root of `var`.

        >>> u = weft.from_global([[1, 2], [3, 4]])
        >>> print(u.std(axis=0))
        [1. 1.]
        """
        return np.sqrt(self.var(axis, dtype, out, ddof, keepdims, where=where))

    def vdot(self, other: Distributed) -> Any:
        """The sum of conj(self) * other.

        >>> u = weft.from_global([[1, 2], [3, 4]])
        >>> print(u.vdot(u))
        30
        """
        for value in (self, other):
            if not isinstance(value, Reductions):
                raise TypeError(f"vdot: of a {type(value).__name__}; valid are two weft.Arrays")
        self.require_same_ranks(other)
        self.require_same_boxes(other)
        return self.comm.allreduce(np.sum(np.conjugate(self.local) * other.local))


def _count(array: Distributed, axis: Axis, keepdims: bool, where: Any) -> Any:
    """How many elements count."""
    if where is True:
        return int(np.prod([array.shape[one] for one in _axes_of(array, axis)], dtype=np.int64))
    counted = np.broadcast_to(_mask(array, where), array.local.shape)
    return _reduced(array, counted, np.add, MPI.SUM, axis, keepdims=keepdims)
