"""Cuts arrays off or fills them up with zeros along axes. Each rank keeps what it has, so nothing
is sent; ranks at the end of an axis have more or less to do afterwards."""

from collections.abc import Sequence

import numpy as np

from ._arguments import require_ranges
from ._core import Box, Layout
from .array import Array
from .distributed import empty_local


def _resized_box(box: Box, old: Sequence[int], new: Sequence[int]) -> Box:
    """A rank's box afterwards: boxes at the old end of an axis reach to the new one."""
    if box.size == 0:
        return Box([0] * len(new), [0] * len(new))
    upper = [
        after if last == before else min(last, after)
        for last, before, after in zip(box.upper, old, new)
    ]
    if any(first >= last for first, last in zip(box.lower, upper)):
        return Box([0] * len(new), [0] * len(new))
    return Box(box.lower, upper)


def resized(array: Array, shape: Sequence[int]) -> Array:
    """The array with that global shape; itself where it has it."""
    if tuple(shape) == array.shape:
        return array
    require_ranges(array.layout, "resizing")
    boxes = [_resized_box(box, array.shape, shape) for box in array.layout.every_box()]
    layout = Layout.boxes(tuple(shape), boxes).ordered(array.layout.order)
    rank = array.comm.rank
    local = empty_local(layout, rank, array.dtype)
    local[...] = 0
    common = boxes[rank].intersect(array.box)
    if local.size and common.size:
        extents = tuple(map(slice, common.shape))  # both begin at the same index
        local[extents] = array.local[extents]
    return Array(local, layout, array.comm)


def part(array: Array, axis: int, first: int, last: int) -> tuple[np.ndarray, Layout]:
    """The elements with first <= index < last along an axis, as a view and its layout, whose
    indices begin at 0."""
    require_ranges(array.layout, "roll")
    shape = [*array.shape]
    shape[axis] = last - first
    boxes = []
    for box in array.layout.every_box():
        lower, upper = [*box.lower], [*box.upper]
        lower[axis] = max(lower[axis], first) - first
        upper[axis] = min(upper[axis], last) - first
        is_empty = any(low >= high for low, high in zip(lower, upper))
        boxes.append(Box([0] * len(shape), [0] * len(shape)) if is_empty else Box(lower, upper))
    own = boxes[array.comm.rank]
    begin = own.lower[axis] + first - array.box.lower[axis] if own.size else 0
    cut = [slice(0, extent) for extent in own.shape]
    cut[axis] = slice(begin, begin + own.shape[axis])
    return array.local[tuple(cut)], Layout.boxes(shape, boxes).ordered(array.layout.order)
