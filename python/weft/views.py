"""Arrays of elements that ranks hold already: parts, other orders of axes, axes more or less. Each
element stays on its rank, so nothing is sent; a rank may be left with nothing. Layouts become
boxes, and the results have no space of a plan, because their indices are others."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ._arguments import require_ranges
from ._core import Box, Error, Layout
from .array import Array, method
from .distributed import empty_local
from .indexing import picked_indices
from .shifting import axes_of


def _held(array: Array, local: np.ndarray, layout: Layout) -> Array:
    """The array with that layout, of which this rank has `local`. It shares the memory where that
    lies as the layout says."""
    if not local.size:
        local = empty_local(layout, array.comm.rank, array.dtype)
    return Array(local, layout, array.comm).like(local)


def _boxes(shape: Sequence[int], boxes: Sequence[Sequence[range]], order: Sequence[int]) -> Layout:
    """The layout in which each rank holds these ranges of indices."""
    made = [
        Box([one.start for one in each], [one.stop for one in each])
        if all(each)
        else Box([0] * len(shape), [0] * len(shape))
        for each in boxes
    ]
    return Layout.boxes(tuple(shape), made).ordered(order)


def _ranges(layout: Layout) -> list[list[range]]:
    """The ranges of indices of each rank."""
    return [list(map(range, box.lower, box.upper)) for box in layout.every_box()]


# ---- Parts --------------------------------------------------------------------------------------


def _places(line: np.ndarray, held: range) -> range:
    """The places in an ordered line at which its indices are among those that a rank holds."""
    if line.ndim == 0:
        return range(1 if int(line) in held else 0)
    if line[0] > line[-1]:
        first, last = len(line) - np.searchsorted(line[::-1], (held.stop, held.start))
    else:
        first, last = np.searchsorted(line, (held.start, held.stop))
    return range(int(first), int(last))


def _taken(local: np.ndarray, axis: int, indices: np.ndarray) -> np.ndarray:
    """The elements at these indices along an axis; a view where they are equally spaced."""
    picked: Any = indices
    if indices.ndim:
        step = int(indices[1] - indices[0]) if len(indices) > 1 else 1
        if step and (np.diff(indices) == step).all():
            stop = int(indices[-1]) + step
            picked = slice(int(indices[0]), stop if stop >= 0 else None, step)
    return local[(slice(None),) * axis + (picked,)]


def _is_mask(entry: Any) -> bool:
    """Whether it picks elements of several axes by truth values."""
    return isinstance(entry, Array) or (
        isinstance(entry, np.ndarray) and entry.dtype == bool and entry.ndim > 1
    )


def _ordered_lines(array: Array, key: tuple[Any, ...]) -> list[np.ndarray]:
    """The indices that a key picks along each axis; an Error unless their order is that of ranks,
    or the reverse."""
    if any(map(_is_mask, key)):
        raise TypeError("index: a mask picks elements of all ranks; valid is a.at[mask]")
    lines = picked_indices(array, key)
    for line in lines:
        if line.ndim and not line.size:
            raise Error(f"index {key}: picks nothing; valid is what picks one element or more")
        steps = np.diff(line) if line.ndim else np.zeros(0, int)
        if (steps > 0).any() and (steps < 0).any():
            raise Error(
                f"index {key}: a list that goes up and down, whose elements would move to other ranks; "
                "valid are lists in order, and a.at[...], which has its elements on all ranks"
            )
    return lines


@method
def picked(array: Array, key: Any) -> Any:
    """See Array.__getitem__."""
    entries = list(key) if isinstance(key, tuple) else [key]
    lines = _ordered_lines(array, tuple(entry for entry in entries if entry is not None))
    kept = [axis for axis, line in enumerate(lines) if line.ndim]
    if not kept:
        return array.at[key]
    require_ranges(array.layout, "an index")
    held = _ranges(array.layout)
    places = [list(map(_places, lines, each)) for each in held]
    is_empty = [not all(each) for each in places]
    shape = [len(lines[axis]) for axis in kept]
    boxes = [
        [each[axis] if not empty else range(0) for axis in kept]
        for each, empty in zip(places, is_empty)
    ]
    order = [kept.index(axis) for axis in array.layout.order if axis in kept]
    rank = array.comm.rank
    local = array.local
    if not is_empty[rank]:
        for axis in reversed(range(array.ndim)):
            line, own = lines[axis], places[rank][axis]
            mine = line[own.start : own.stop] if line.ndim else line
            local = _taken(local, axis, mine - held[rank][axis].start)
    result = _held(array, local[:0] if is_empty[rank] else local, _boxes(shape, boxes, order))
    return expanded(result, _new_axes(entries, lines))


def _new_axes(entries: Sequence[Any], lines: Sequence[np.ndarray]) -> list[int]:
    """The places of None in a key, as axes of the result."""
    found, axis, line = [], 0, 0
    for number, entry in enumerate(entries):
        if entry is None:
            found.append(axis)
            axis += 1
        elif entry is Ellipsis:
            count = len(lines) - sum(one is not None and one is not Ellipsis for one in entries)
            axis += count
            line += count
        else:
            axis += lines[line].ndim
            line += 1
    return found


@method
def flipped(array: Array, axis: Any = None) -> Array:
    """The elements in reverse order along the axes; None: along all."""
    axes = axes_of(array, axis)
    return picked(
        array, tuple(slice(None, None, -1 if one in axes else 1) for one in range(array.ndim))
    )


@method
def squeezed(array: Array, axis: Any = None) -> Array:
    """Without axes of length 1; None: all of these. One axis at least stays."""
    ones = [one for one, length in enumerate(array.shape) if length == 1]
    axes = ones if axis is None else axes_of(array, axis)
    if not set(axes) <= set(ones) or len(axes) == array.ndim:
        raise Error(
            f"axis: {axis} of an array of shape {array.shape}; valid are axes of length 1, one of which "
            "stays where there are no others"
        )
    return picked(array, tuple(0 if one in axes else slice(None) for one in range(array.ndim)))


# ---- Axes ---------------------------------------------------------------------------------------


@method
def permuted(array: Array, axes: Sequence[int] | None = None) -> Array:
    """The array with its axes in another order; None: in reverse."""
    numbers = axes_of(array, axes)[:: -1 if axes is None else 1]
    if len(numbers) != array.ndim:
        raise Error(f"axes: {axes}; valid is each of the {array.ndim} axes once")
    layout = array.layout
    shape = [array.shape[axis] for axis in numbers]
    order = [numbers.index(axis) for axis in layout.order]
    if layout.has_ranges:
        boxes = [[each[axis] for axis in numbers] for each in _ranges(layout)]
        made = _boxes(shape, boxes, order)
    else:  # cyclic
        split = [layout.split[axis] for axis in numbers]
        made = Layout.grid(shape, layout.process_grid, split, layout.partition)
        if layout.positions < layout.ranks:
            made = made.spread(layout.ranks, layout.stride_of_ranks)
        made = made.ordered(order)
    return _held(array, array.local.transpose(numbers), made)


def moved_axes(array: Array, source: Any, destination: Any) -> Array:
    """The array with its axes `source` at the places `destination`."""
    given, places = axes_of(array, source), axes_of(array, destination)
    if len(given) != len(places):
        raise Error(f"destination: {destination}; valid is one for each axis of {source}")
    rest = [axis for axis in range(array.ndim) if axis not in given]
    for place, axis in sorted(zip(places, given)):
        rest.insert(place, axis)
    return permuted(array, rest)


def expanded(array: Array, axes: Sequence[int]) -> Array:
    """With new axes of length 1, at these places of the result."""
    if not axes:
        return array
    require_ranges(array.layout, "a new axis")
    count = array.ndim + len(axes)
    old = [axis for axis in range(count) if axis not in axes]
    shape = [array.shape[old.index(axis)] if axis in old else 1 for axis in range(count)]
    boxes = [
        [each[old.index(axis)] if axis in old else range(1) for axis in range(count)]
        for each in _ranges(array.layout)
    ]
    layout = _boxes(shape, boxes, [*axes, *[old[axis] for axis in array.layout.order]])
    return _held(array, np.expand_dims(array.local, tuple(axes)), layout)


def stacked(arrays: Sequence[Array], axis: int) -> Array:
    """Arrays with the same boxes, one behind the other along a new axis."""
    first = arrays[0]
    place = axis % (first.ndim + 1)
    layout = expanded(first, [place]).layout
    shape, ranges = list(layout.shape), _ranges(layout)
    shape[place] = len(arrays)
    for each in ranges:
        each[place] = range(len(arrays))
    local = np.stack([first._operand(array) for array in arrays], place)
    made = _boxes(shape, ranges, layout.order)
    return Array(empty_local(made, first.comm.rank, local.dtype), made, first.comm).like(
        local.reshape(made.box(first.comm.rank).shape)
    )
