"""Process grids (Subcomm), boxes of arrays in them (Pencil), and redistribution between two boxes
(Transfer). A plan of Weft redistributes among the ranks that share the two axes."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from mpi4py import MPI
from numpy.typing import DTypeLike

from ..._core import Error, Layout
from ...plan_cache import cached
from ...redistribution import moving_plan, plain


class Subcomm(tuple):
    """Communicators along each axis of a process grid.

    comm: a communicator, which is made into a grid, or a Cartesian one, without `dims`.
    dims: the processes along each axis, where 0 leaves the number to MPI; or how many axes are
    split; None: one. Collective.
    """

    def __new__(
        cls,
        comm: MPI.Intracomm,
        dims: int | Sequence[int] | np.ndarray | None = None,
        reorder: bool = True,
    ) -> "Subcomm":
        if comm.Get_topology() == MPI.CART:
            if dims is not None:
                raise Error(f"dims: {dims}; a Cartesian communicator has its own")
            return super().__new__(cls, _lines(comm))  # type: ignore[arg-type]
        counts: Any = [0] if dims is None else dims
        if isinstance(counts, int):
            counts = [0] * counts
        wanted = [max(0, int(count)) for count in counts]
        cart = comm.Create_cart(MPI.Compute_dims(comm.size, wanted), reorder=reorder)
        lines = _lines(cart)
        cart.Free()
        return super().__new__(cls, lines)

    def destroy(self) -> None:
        """Frees the communicators. Collective."""
        for comm in self:
            if comm:
                comm.Free()


def _lines(cart: MPI.Cartcomm) -> list[MPI.Intracomm]:
    """The communicator along each axis of a Cartesian one."""
    count = cart.Get_dim()
    return [cart.Sub([axis == other for other in range(count)]) for axis in range(count)]


def is_same(comm: MPI.Intracomm, other: MPI.Intracomm) -> bool:
    """Whether they have the same ranks in the same order."""
    return MPI.Comm.Compare(comm, other) in (MPI.IDENT, MPI.CONGRUENT)


class Pencil:
    """The box that this rank has of an array, of which at least one axis is whole.

    subcomm: the communicators that split each axis; fewer than axes: those before and after `axis`,
    in turn.
    shape: the global one; axis: the one that is whole.
    """

    def __init__(
        self, subcomm: Sequence[MPI.Intracomm], shape: Sequence[int], axis: int = -1
    ) -> None:
        count = len(shape)
        if count < 2 or not -count <= axis < count or not 1 <= len(subcomm) <= count:
            raise Error(
                f"a pencil of shape {tuple(shape)} along axis {axis}, split by {len(subcomm)} "
                "communicators; valid are two axes and more, one of these, and at most one "
                "communicator for each"
            )
        axis %= count
        comms = list(subcomm)
        if len(comms) < count:
            comms += [MPI.COMM_SELF] * (count - 1 - len(comms))
            comms.insert(axis, MPI.COMM_SELF)
        if comms[axis].size > 1:
            raise Error(
                f"axis: {axis} is split among {comms[axis].size} ranks; valid is a whole one"
            )
        self.shape = tuple(int(length) for length in shape)
        self.axis = axis
        self.subcomm = tuple(comms)
        boxes = [
            Layout.slabs([length], comm.size).partitioned("longer_first").box(comm.rank)
            for length, comm in zip(self.shape, comms)
        ]
        self.subshape = tuple(box.shape[0] for box in boxes)
        self.substart = tuple(box.lower[0] for box in boxes)

    @property
    def slices(self) -> tuple[slice, ...]:
        """Selects the box of a global array."""
        return tuple(
            slice(start, start + length) for start, length in zip(self.substart, self.subshape)
        )

    def pencil(self, axis: int) -> "Pencil":
        """The pencil with another axis whole: the ranks that split it split this pencil's axis."""
        if not -len(self.shape) <= axis < len(self.shape):
            raise Error(f"axis: {axis} of an array with {len(self.shape)} axes")
        axis %= len(self.shape)
        comms = list(self.subcomm)
        comms[axis], comms[self.axis] = comms[self.axis], comms[axis]
        return Pencil(comms, self.shape, axis)

    def transfer(self, pencil: "Pencil", dtype: DTypeLike) -> "Transfer":
        """The Transfer of arrays of that dtype from this pencil to another, of which two axes are
        split the other way round."""
        own, other = self.axis, pencil.axis
        order = list(range(len(self.shape)))
        order[own], order[other] = order[other], order[own]
        if (
            own == other
            or self.shape != pencil.shape
            or not all(map(is_same, (self.subcomm[axis] for axis in order), pencil.subcomm))
        ):
            raise Error(
                f"a transfer from axis {own} of shape {self.shape} to axis {other} of shape "
                f"{pencil.shape}; valid is what pencil(axis) returns for another axis"
            )
        comm = self.subcomm[other]
        shape = list(self.subshape)
        shape[other] = self.shape[other]
        return Transfer(comm, shape, dtype, self.subshape, own, pencil.subshape, other)


class Transfer:
    """Moves arrays between two pencils. forward and backward are collective over `comm`, which
    splits axis B of the first and axis A of the second; `shape` is what its ranks hold together.
    The plan is kept with `comm`. Elements of any dtype but objects."""

    def __init__(
        self,
        comm: MPI.Intracomm,
        shape: Sequence[int],
        dtype: DTypeLike,
        subshapeA: Sequence[int],
        axisA: int,
        subshapeB: Sequence[int],
        axisB: int,
    ) -> None:
        self.comm = comm
        self.shape = tuple(shape)
        self.dtype = np.dtype(dtype)
        self.subshapeA, self.axisA = tuple(subshapeA), axisA
        self.subshapeB, self.axisB = tuple(subshapeB), axisB

    def forward(self, arrayA: np.ndarray, arrayB: np.ndarray) -> None:
        """From an array of subshapeA to one of subshapeB."""
        self._move(arrayA, arrayB, True)

    def backward(self, arrayB: np.ndarray, arrayA: np.ndarray) -> None:
        """The way back."""
        self._move(arrayB, arrayA, False)

    def _move(self, source: np.ndarray, target: np.ndarray, is_forward: bool) -> None:
        if self.dtype.hasobject:
            raise Error(f"dtype: {self.dtype}; valid are those whose elements hold no objects")
        shapes = (self.subshapeA, self.subshapeB)
        for array, shape in zip((source, target), shapes if is_forward else shapes[::-1]):
            if array.shape != shape or array.dtype != self.dtype:
                raise Error(
                    f"an array of shape {array.shape} of {array.dtype}; this transfer has {shape} "
                    f"of {self.dtype}"
                )
        if 0 in self.shape:  # on all ranks of comm
            return
        ends = [np.require(array, requirements=["C", "A"]) for array in (source, target)]
        layouts = [
            Layout.slabs(self.shape, self.comm.size, axis).partitioned("longer_first")
            for axis in (self.axisB, self.axisA)
        ]
        parts = list(zip(map(np.asarray, ends if is_forward else ends[::-1]), layouts))
        plan = cached(
            self.comm,
            ("transfer", *layouts, self.dtype.itemsize),
            lambda: moving_plan(self.comm, *parts),
        )
        run = plan.forward if is_forward else plan.backward
        run(plain(np.asarray(ends[0])), plain(np.asarray(ends[1])))
        if ends[1] is not target:
            target[...] = ends[1]

    def destroy(self) -> None:
        """Nothing: the plan goes with its communicator."""
