"""Moves the elements of an array to another layout, to one rank, or to other places in the same
array."""

from collections.abc import Hashable

import numpy as np
from mpi4py import MPI

from ._agreement import agreed
from ._arguments import require_ranges, whole_number
from ._core import Box, Error, Layout
from .array import Array, method
from .distributed import empty_local
from .plan import Plan
from .plan_cache import cached

LONGEST_MESSAGE = 2**26  # elements, far below what an int of MPI counts

_PLAIN_TYPES = {1: np.uint8, 2: np.uint16, 4: np.uint32, 8: np.uint64, 16: np.complex128}

Part = tuple[np.ndarray, Layout]  # a rank's elements, and the layout that says which they are


@method
def redistribute(array: Array, layout: Layout, out: Array | None) -> Array:
    """See Array.redistribute."""

    def prepared() -> Array:
        if array.dtype.hasobject:
            raise Error(
                f"dtype: {array.dtype}; valid are numbers and others whose elements hold no objects"
            )
        if layout.shape != array.shape or layout.ranks != array.comm.size:
            raise Error(
                f"layout: {layout} of shape {layout.shape}; valid is one of shape {array.shape} on "
                f"{array.comm.size} ranks"
            )
        result = Array(
            empty_local(layout, array.comm.rank, array.dtype), layout, array.comm, array.space
        )
        if out is None:
            return result
        result.require_same_boxes(out)
        if out.dtype != array.dtype:
            raise Error(f"out: has the dtype {out.dtype}; the array's is {array.dtype}")
        out.space = array.space
        return out

    result = agreed(array.comm, prepared)
    key = None
    if not array.layout.has_gaps and not result.layout.has_gaps:
        key = ("redistribute", array.layout, result.layout, array.dtype.itemsize)
    source, target = array.like(array.local), result.like(result.local)  # as their layouts say
    move(array.comm, (source.local, source.layout), (target.local, target.layout), key)
    if target.local is not result.local:
        result.local[...] = target.local
    return result


def move(comm: MPI.Intracomm, source: Part, target: Part, key: Hashable = None) -> None:
    """Copies local parts in one layout to parts in another of the same shape; collective. They may
    lie in memory in any way. key: of a plan that may be kept, of parts that lie as their layouts
    say."""
    if source[0].dtype.itemsize == 0:
        return
    given = _in_whole_steps(source[0]), _in_whole_steps(target[0])

    def make() -> Plan:
        return moving_plan(comm, (given[0], source[1]), (given[1], target[1]))

    plan = cached(comm, key, make) if key else make()
    plan.forward(plain(given[0]), plain(given[1]))
    if given[1] is not target[0]:
        target[0][...] = given[1]
    if not key:
        plan.close()


def _in_whole_steps(local: np.ndarray) -> np.ndarray:
    """The elements, copied unless plans know the way they lie: forwards, in steps of elements."""
    steps = [stride for extent, stride in zip(local.shape, local.strides) if extent > 1]
    are_whole = all(stride > 0 and stride % local.itemsize == 0 for stride in steps)
    return local if are_whole else local.copy("C")


def moving_plan(comm: MPI.Intracomm, source: Part, target: Part) -> Plan:
    """A plan that copies arrays which lie as these do, made `plain`."""
    ends = [(plain(local), layout) for local, layout in (source, target)]
    input, output = (_strided(layout, local) for local, layout in ends)
    return Plan(
        input.shape,
        "none",
        comm=comm,
        dtype=ends[0][0].dtype,
        input=input,
        output=output,
        check_calls=True,
    )


def plain(local: np.ndarray) -> np.ndarray:
    """The same memory as elements of a size that plans move, whatever their type. Elements of other
    sizes become a last axis of their parts."""
    size = local.itemsize
    part = max(known for known in _PLAIN_TYPES if size % known == 0)
    parts = local if part == size else local[..., np.newaxis]
    return parts.view(_PLAIN_TYPES[part])


def _strided(layout: Layout, local: np.ndarray) -> Layout:
    """The layout with the strides of that local part, and with its axis of parts."""
    layout = layout.contiguous()
    if local.ndim > len(layout.shape):
        require_ranges(layout, "moving elements of this type")
        parts = local.shape[-1]
        boxes = [Box((*box.lower, 0), (*box.upper, parts)) for box in layout.every_box()]
        layout = Layout.boxes((*layout.shape, parts), boxes)
    return layout.strided([max(stride // local.itemsize, 1) for stride in local.strides])


@method
def gather(array: Array, root: int | None) -> np.ndarray | None:
    """See Array.gather. Rank by rank, so that no message has more elements than one rank holds."""
    comm = array.comm
    if root is None:
        everything = gather(array, 0)
        whole = agreed(
            comm, lambda: np.empty(array.shape, array.dtype) if everything is None else everything
        )
        flat = whole.reshape(-1)
        for first in range(0, flat.size, LONGEST_MESSAGE):
            comm.Bcast(flat[first : first + LONGEST_MESSAGE], 0)
        return whole
    boxes = array.layout.every_box()
    places = [array.layout.slices(rank) for rank in range(comm.size)]

    def prepared() -> tuple[int, np.ndarray | None, np.ndarray]:
        """The root, the whole array there, and memory for messages."""
        receiver = whole_number("root", root)
        if not 0 <= receiver < comm.size:
            raise Error(f"root: {receiver}; valid are ranks from 0 to {comm.size - 1}")
        if comm.rank != receiver:
            return receiver, None, np.ascontiguousarray(array.local)
        longest = max(box.size for box in boxes)
        return receiver, np.empty(array.shape, array.dtype), np.empty(longest, array.dtype)

    root, whole, message = agreed(comm, prepared)
    if whole is None:
        comm.Send(message, root)
        return None
    whole[places[root]] = array.local
    for rank, box in enumerate(boxes):
        if rank != root:
            part = message[: box.size].reshape(box.shape)
            comm.Recv(part, rank)
            whole[places[rank]] = part
    return whole
