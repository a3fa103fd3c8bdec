"""Moves the elements of an array to another layout, to one rank, or to other places in the same
array."""

from collections.abc import Hashable

import numpy as np
from mpi4py import MPI

from ._agreement import agreed
from ._arguments import whole_number
from ._core import Box, Error, Layout
from .array import Array, empty_local, method
from .plan import Plan
from .plan_cache import cached
from .transform import PRECISIONS

LONGEST_MESSAGE = 2**26  # elements, far below what an int of MPI counts

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
        key = ("redistribute", array.layout, result.layout, array.dtype.char)
    move(array.comm, (array.local, array.layout), (result.local, result.layout), key)
    return result


def move(comm: MPI.Intracomm, source: Part, target: Part, key: Hashable = None) -> None:
    """Copies local parts in one layout to parts in another of the same shape; collective. They may
    lie in memory in any way. key: of a plan that may be kept."""
    if source[0].dtype.char not in PRECISIONS or not source[0].dtype.isnative:
        _exchange(comm, source, target)
        return

    def make() -> Plan:
        return moving_plan(comm, source, target)

    plan = cached(comm, key, make) if key else make()
    plan.forward(real_parts(source[0]), real_parts(target[0]))
    if not key:
        plan.close()


def _exchange(comm: MPI.Intracomm, source: Part, target: Part) -> None:
    """Copies elements of a type that plans do not have, byte by byte: from each rank to the next
    one, then to that after the next, and so on."""
    (local, layout), (result, other) = source, target
    rank, size = comm.rank, comm.size
    item = MPI.BYTE.Create_contiguous(local.dtype.itemsize).Commit()
    for distance in range(size):
        to, sender = (rank + distance) % size, (rank - distance) % size
        sent = np.ascontiguousarray(_common(local, layout.box(rank), other.box(to)))
        place = _common(result, other.box(rank), layout.box(sender))
        received = np.empty(place.shape, place.dtype)
        comm.Sendrecv(
            [_bytes_of(sent), sent.size, item],
            to,
            recvbuf=[_bytes_of(received), received.size, item],
            source=sender,
        )
        place[...] = received
    item.Free()


def _bytes_of(memory: np.ndarray) -> np.ndarray:
    """Contiguous elements of any type as bytes, which MPI knows."""
    return memory.reshape(-1).view(np.uint8)


def _common(local: np.ndarray, own: Box, other: Box) -> np.ndarray:
    """The elements of a part in the box `own` that are in `other`, too."""
    both = own.intersect(other)
    return local[
        tuple(
            slice(first - start, last - start) if both.size else slice(0, 0)
            for first, last, start in zip(both.lower, both.upper, own.lower)
        )
    ]


def moving_plan(comm: MPI.Intracomm, source: Part, target: Part) -> Plan:
    """A plan that copies arrays which lie as these do; its fields are their real_parts."""
    ends = [(real_parts(local), layout) for local, layout in (source, target)]
    input, output = (_strided(layout, reals[0]) for reals, layout in ends)
    return Plan(
        input.shape,
        ["none"] * len(input.shape),
        comm=comm,
        dtype=ends[0][0][0].dtype,
        input=input,
        output=output,
        fields=len(ends[0][0]),
        check_calls=True,
    )


def real_parts(local: np.ndarray) -> list[np.ndarray]:
    """Real and imaginary parts of complex numbers, which are two fields of real numbers."""
    return [local.real, local.imag] if local.dtype.kind == "c" else [local]


def _strided(layout: Layout, local: np.ndarray) -> Layout:
    """The layout with the strides of that local part."""
    strides = [max(stride // local.itemsize, 1) for stride in local.strides]
    return layout.contiguous().strided(strides)


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
    whole[array.slices] = array.local
    for rank, box in enumerate(boxes):
        if rank != root:
            part = message[: box.size].reshape(box.shape)
            comm.Recv(part, rank)
            whole[box.slices] = part
    return whole
