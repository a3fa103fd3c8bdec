"""Reductions of distributed arrays: each rank reduces its part, and MPI combines the results."""

from typing import TYPE_CHECKING, Any

import numpy as np
from mpi4py import MPI

from ._core import Error

if TYPE_CHECKING:
    from .array import Array


def _axes_of(array: "Array", axis: int | tuple[int, ...] | None) -> tuple[int, ...]:
    if axis is None:
        return tuple(range(array.ndim))
    axes = axis if isinstance(axis, tuple) else (axis,)
    if any(not -array.ndim <= one < array.ndim for one in axes):
        raise Error(f"axis: {axis}; the array has {array.ndim} axes")
    return tuple(one % array.ndim for one in axes)


def _lowest(dtype: np.dtype) -> Any:
    return np.iinfo(dtype).min if dtype.kind in "iu" else False if dtype.kind == "b" else -np.inf


def _highest(dtype: np.dtype) -> Any:
    return np.iinfo(dtype).max if dtype.kind in "iu" else True if dtype.kind == "b" else np.inf


def _reduced(
    array: "Array",
    local: np.ndarray,
    axis: int | tuple[int, ...] | None,
    ufunc: np.ufunc,
    op: MPI.Op,
    initial: Any = None,
) -> Any:
    """The elements of `local`, in the boxes of `array`, reduced along `axis`: a number, or an
    ndarray of the global extents of the other axes, the same on all ranks. initial: what changes no
    result; None: that of the ufunc."""
    axes = _axes_of(array, axis)
    if initial is None:
        initial = ufunc.identity
    own = ufunc.reduce(local, axes, initial=initial)
    kept = [one for one in range(array.ndim) if one not in axes]
    whole = np.full([array.shape[one] for one in kept], initial, np.asarray(own).dtype)
    if local.size:
        whole[tuple(array.slices[one] for one in kept)] = own
    array.comm.Allreduce(MPI.IN_PLACE, whole, op)
    return whole if kept else whole[()]


class Reductions:
    """Collective; the same result on all ranks. axis: one or several, None: all."""

    __slots__ = ()

    def sum(self: "Array", axis: int | tuple[int, ...] | None = None) -> Any:  # type: ignore[misc]
        """The sum of the elements."""
        return _reduced(self, self.local, axis, np.add, MPI.SUM)

    def prod(self: "Array", axis: int | tuple[int, ...] | None = None) -> Any:  # type: ignore[misc]
        """The product of the elements."""
        return _reduced(self, self.local, axis, np.multiply, MPI.PROD)

    def max(self: "Array", axis: int | tuple[int, ...] | None = None) -> Any:  # type: ignore[misc]
        """The largest of real elements; NaN where there is one."""
        return _extreme(self, axis, np.maximum, MPI.MAX, _lowest)

    def min(self: "Array", axis: int | tuple[int, ...] | None = None) -> Any:  # type: ignore[misc]
        """The smallest of real elements; NaN where there is one."""
        return _extreme(self, axis, np.minimum, MPI.MIN, _highest)

    def any(self: "Array", axis: int | tuple[int, ...] | None = None) -> Any:  # type: ignore[misc]
        """Whether an element is true."""
        return _reduced(self, self.local.astype(bool), axis, np.logical_or, MPI.LOR)

    def all(self: "Array", axis: int | tuple[int, ...] | None = None) -> Any:  # type: ignore[misc]
        """Whether all elements are true."""
        return _reduced(self, self.local.astype(bool), axis, np.logical_and, MPI.LAND)

    def mean(self: "Array", axis: int | tuple[int, ...] | None = None) -> Any:  # type: ignore[misc]
        """The mean of the elements."""
        count = np.prod([self.shape[one] for one in _axes_of(self, axis)])
        return self.sum(axis) / count

    def var(self: "Array", axis: int | tuple[int, ...] | None = None) -> Any:  # type: ignore[misc]
        """The mean square of the distances from the mean."""
        axes = _axes_of(self, axis)
        mean = np.expand_dims(self.mean(axis), axes)
        own = mean[
            tuple(slice(None) if one in axes else part for one, part in enumerate(self.slices))
        ]
        return self.like(np.square(np.abs(self.local - own))).mean(axis)

    def std(self: "Array", axis: int | tuple[int, ...] | None = None) -> Any:  # type: ignore[misc]
        """The root of `var`."""
        return np.sqrt(self.var(axis))

    def vdot(self: "Array", other: "Array") -> Any:  # type: ignore[misc]
        """The sum of conj(self) * other."""
        self.require_same_ranks(other)
        self.require_same_boxes(other)
        return self.comm.allreduce(np.sum(np.conjugate(self.local) * other.local))


def _extreme(array: "Array", axis: Any, ufunc: np.ufunc, op: MPI.Op, initial: Any) -> Any:
    if array.dtype.kind == "c":
        raise Error(f"{ufunc.__name__}: complex numbers have no order")
    result = _reduced(array, array.local, axis, ufunc, op, initial(array.dtype))
    if array.dtype.kind == "f":  # MPI leaves open what becomes of NaN
        return np.where(
            _reduced(array, np.isnan(array.local), axis, np.logical_or, MPI.LOR), np.nan, result
        )[()]
    return result
