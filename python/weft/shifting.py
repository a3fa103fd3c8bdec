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
