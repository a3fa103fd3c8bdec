"""fftshift and ifftshift. Along an axis that every rank holds as a whole they are local; along
others, the two halves of the array change places by redistribution."""

import math
from collections.abc import Iterable, Sequence

import numpy as np

from ._core import Error, Layout
from .array import Array
from .distributed import empty_local
from .redistribution import move
from .resizing import part


def _rolled(array: Array, axis: int, shift: int) -> Array:
    """The element at index i moves to i + shift, modulo the length."""
    length = array.shape[axis]
    if array.layout.is_local(axis):
        result = array.like(np.roll(array.local, shift, axis))
    else:
        result = array.like(empty_local(array.layout, array.comm.rank, array.dtype))
        cut = length - shift
        for first, last, target in ((0, cut, shift), (cut, length, 0)):
            if first < last:
                move(
                    array.comm,
                    part(array, axis, first, last),
                    part(result, axis, target, target + last - first),
                )
    result.space = array.space.rolled(axis, shift) if array.space else None
    return result


def rolled(array: Array, shift_of: dict[int, int]) -> Array:
    """The array with its elements moved along each axis. Elements of a spectrum stay the same
    modes."""
    for axis, shift in shift_of.items():
        array = _rolled(array, axis, shift % array.shape[axis])
    return array.copy() if not shift_of else array


def rolled_in_one_line(array: Array, shift: int, first: int = 0) -> Array:
    """The elements of all axes from `first` on, one after the other, moved together."""
    inner = math.prod(array.shape[first + 1 :])
    rows, columns = divmod(shift, inner)
    if columns == 0:
        return rolled(array, {first: rows})
    array = rolled_in_one_line(array, columns, first + 1)
    stayed, carried = (rolled(array, {first: count}) for count in (rows, rows + 1))
    column = np.zeros((), int)
    for axis in range(first + 1, array.ndim):
        column = column * array.shape[axis] + array.indices()[axis]
    mixed = array.like(np.where(column >= columns, stayed.local, carried.local))
    mixed.space = None  # indices of one line are no longer one point or mode along other axes
    return mixed


def joined(arrays: Sequence[Array], axis: int) -> Array:
    """Arrays one behind the other along an axis, on the process grid of the first one, or in slabs.
    Collective."""
    first = arrays[0]
    (place,) = axes_of(first, axis)
    for other in arrays[1:]:
        first.require_same_ranks(other)
        if other.ndim != first.ndim or any(
            own != its
            for one, (own, its) in enumerate(zip(first.shape, other.shape))
            if one != place
        ):
            raise Error(
                f"concat: of shapes {first.shape} and {other.shape}; valid are shapes that differ "
                f"along axis {place} alone"
            )
    lengths = [array.shape[place] for array in arrays]
    shape = (*first.shape[:place], sum(lengths), *first.shape[place + 1 :])
    has_grid = first.layout.process_grid and not first.layout.has_gaps
    layout = first.layout.reshaped(shape) if has_grid else Layout.slabs(shape, first.comm.size)
    kind = np.result_type(*[array.dtype for array in arrays])
    result = Array(empty_local(layout, first.comm.rank, kind), layout, first.comm)
    for array, last in zip(arrays, np.cumsum(lengths).tolist()):
        given = array.contiguous().astype(kind)
        target = part(result, place, last - array.shape[place], last)
        move(first.comm, (given.local, given.layout), target)
    return result


def axes_of(array: Array | Layout, axes: int | Sequence[int] | None) -> list[int]:
    """The axes as numbers from 0; None: all."""
    count = len(array.shape)
    if axes is None:
        return list(range(count))
    given = list(axes) if isinstance(axes, Iterable) else [axes]
    if any(not -count <= axis < count for axis in given):
        raise Error(f"axes: {axes}; the array has {count} axes")
    numbers = [axis % count for axis in given]
    if len(set(numbers)) < len(numbers):
        raise Error(f"axes: {axes}; every axis may be named once")
    return numbers
