"""The plan of Weft that computes a whole PFFT, between the boxes of its first and its last pencil.
Its calls take arrays of any sort, and copy those that do not fit."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from mpi4py import MPI

from ..._agreement import agreed
from ..._core import Error, Layout
from ...plan import Plan
from ...transform import Transform


@dataclass(frozen=True)
class Stage:
    """The axes that a PFFT transforms at once, all by `kind`; where that is r2c, the last axis is
    halved and the others are c2c. The last axis is padded by a factor and has `kept` modes."""

    axes: tuple[int, ...]
    kind: str
    padding: float
    kept: int

    @property
    def is_padded(self) -> bool:
        """Whether the spectrum has fewer modes than the padded points have."""
        return abs(self.padding - 1) > 1e-8

    @property
    def keeps_real_part(self) -> bool:
        """Whether mpi4py-fft takes twice the real part of the highest mode, while the other axes
        are physical: no range of modes says that."""
        return self.is_padded and self.kind == "r2c" and self.kept % 2 == 0

    def kinds(self, count: int) -> list[str]:
        """Weft's kind of each of so many axes."""
        kinds = ["none"] * count
        for axis in self.axes:
            kinds[axis] = "c2c" if self.kind == "r2c" else self.kind
        kinds[self.axes[-1]] = self.kind
        return kinds

    def modes(self) -> str:
        """The kept modes of the last axis, in Weft's words."""
        if not self.is_padded:
            return "all"
        if self.kind not in ("c2c", "r2c") or self.padding < 1:
            raise Error(
                f"padding by {self.padding:.3g} of a {self.kind} axis; valid are factors from 1 of "
                "c2c and r2c axes"
            )
        return f"grid_{self.kept}" if self.kind == "c2c" else f"{1 - self.kept}..{self.kept - 1}"


_communicators: dict[tuple[int, ...], MPI.Intracomm] = {}


def communicator(subcomm: Sequence[MPI.Intracomm]) -> MPI.Intracomm:
    """All ranks of a process grid in its row-major order, from its communicators along each axis.
    Collective; kept, because programs make many PFFTs on the same ranks."""
    members = [MPI.COMM_WORLD.rank]
    for comm in reversed(subcomm):
        if comm.size > 1:
            members = [member for part in comm.allgather(members) for member in part]
    if members == list(range(MPI.COMM_WORLD.size)):
        return MPI.COMM_WORLD
    key = tuple(members)
    if key not in _communicators:
        _communicators[key] = MPI.COMM_WORLD.Create_group(MPI.COMM_WORLD.group.Incl(members))
    return _communicators[key]


def layout_of(
    pencil: Any, subcomm: Sequence[MPI.Intracomm], leading: tuple[int, ...] = ()
) -> Layout:
    """The boxes of a pencil on the ranks of communicator(subcomm), whose members split its axes, in
    any order; `leading` axes stand before them on every rank."""
    grid = [comm for comm in subcomm if comm.size > 1]
    shape = (*leading, *pencil.shape)
    if not grid:
        return Layout.slabs(shape, 1)
    split = [[grid.index(comm)] if comm.size > 1 else [] for comm in pencil.subcomm]
    whole: list[list[int]] = [[] for _ in leading]
    return Layout.grid(shape, [comm.size for comm in grid], whole + split, "longer_first")


def plan_of(
    comm: MPI.Intracomm,
    stages: Callable[[], Sequence[Stage]],
    shape: Sequence[int],
    dtype: np.dtype,
    pencils: Sequence[Any],
    **settings: Any,
) -> Plan:
    """The plan of a PFFT with these stages, on communicator(pencils[0].subcomm); an Error on all
    ranks where Weft cannot express it. Collective."""

    def request() -> tuple[Transform, Layout, Layout]:
        kinds = ["none"] * len(shape)
        modes = ["all"] * len(shape)
        for stage in stages():
            if stage.keeps_real_part:
                raise Error(
                    "padding of a halved axis of 4n+2 or 4n+3 points, of whose highest mode "
                    "mpi4py-fft keeps the real part"
                )
            own = stage.kinds(len(shape))
            for axis in stage.axes:
                if kinds[axis] != "none":
                    raise Error(f"axis {axis} is transformed twice")
                kinds[axis] = own[axis]
            modes[stage.axes[-1]] = stage.modes()
        transform = Transform(shape, kinds, modes=modes, dtype=dtype, norm="forward")
        layouts = [layout_of(pencil, pencils[0].subcomm) for pencil in pencils]
        for pencil, layout in zip(pencils, layouts):
            box = layout.box(comm.rank)
            if (box.lower, box.shape) != (pencil.substart, pencil.subshape):
                raise Error(
                    f"a pencil has {pencil.subshape} at {pencil.substart}, not Weft's {box}"
                )
        return transform, layouts[0], layouts[1]

    transform, input, output = agreed(comm, request)
    return Plan(transform, comm=comm, input=input, output=output, **settings)


class PlannedCall:
    """One direction of a plan, called as mpi4py-fft calls a Transform."""

    def __init__(self, plan: Plan, is_forward: bool) -> None:
        self.plan = plan
        self.normalizes = is_forward  # unless a call says otherwise
        self._run = plan.forward if is_forward else plan.backward
        points = plan.transform.logical_size
        self._other_scale = points if is_forward else 1 / points
        real, complex = {"float": ("f", "F"), "double": ("d", "D")}[plan.transform.precision]
        ends = [
            (plan.input_layout, real if plan.transform.physical_is_real else complex),
            (plan.output_layout, real if plan.transform.spectral_is_real else complex),
        ]
        self._ends = [(layout.box(plan.rank).shape, dtype) for layout, dtype in ends]
        if not is_forward:
            self._ends.reverse()

    def __call__(
        self, transform: Any, input_array: Any, output_array: Any, normalize: bool | None
    ) -> np.ndarray:
        """Collective: transforms input_array to output_array and returns the latter. Where one is
        None, or cannot be used where it lies, the array that `transform` has is."""
        normalize = self.normalizes if normalize is None else bool(normalize)
        source = input_array if self._fits(input_array, 0) else transform.input_array
        target = output_array if self._fits(output_array, 1) else transform.output_array
        if np.may_share_memory(source, target) or not target.flags.writeable:
            source, target = transform.input_array, transform.output_array
        if input_array is not None and source is not input_array:
            source[...] = input_array
        scale = 1.0 if normalize == self.normalizes else self._other_scale
        self._run(np.asarray(source), np.asarray(target), scale)
        if output_array is None:
            return target
        if target is not output_array:
            output_array[...] = target
        return output_array

    def _fits(self, given: Any, end: int) -> bool:
        shape, character = self._ends[end]
        return (
            isinstance(given, np.ndarray)
            and given.dtype == np.dtype(character)
            and given.shape == shape
            and given.flags.c_contiguous
            and given.flags.aligned
        )
