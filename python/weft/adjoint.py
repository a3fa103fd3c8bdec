"""The transforms of local parts as linear maps with adjoints, which gradients need.

With A = scale * F, the adjoint is conj(scale) * F^H, which is the plan's other direction without
its factor 1/N. Of r2c, half of the modes stand for their conjugates as well: the adjoint divides by
how often each mode counts, and the adjoint of the way back multiplies.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import accumulate

import numpy as np
from mpi4py import MPI

from ._agreement import agreed
from ._arguments import layout_of, whole_numbers
from ._core import Box, Error, Layout
from ._transforming import factor
from .array import Array
from .plan import Plan
from .plan_cache import cached_plan
from .shifting import axes_of
from .transform import Transform


@dataclass(frozen=True)
class LinearMap:
    """One direction of a plan, times a number. weigh: whether the modes are multiplied by the power
    of their weights on this side: +1, -1 or 0."""

    plan: Plan
    is_forward: bool
    scale: float
    weigh: int = 0
    options: str = ""  # of the plan

    @property
    def adjoint(self) -> "LinearMap":
        """The map with <A x, y> = <x, adjoint y> in real inner products."""
        plan = self.plan
        size = plan.transform.logical_size
        other = self.scale * (size if self.is_forward else 1 / size)
        if self.weigh or not plan.transform.physical_is_real:
            weigh = 0  # either it undoes the weights, or every mode counts once
        else:
            weigh = -1 if self.is_forward else 1
        return LinearMap(plan, not self.is_forward, other, weigh, self.options)

    @property
    def result_layout(self) -> Layout:
        """Where the ranks hold a result."""
        return self.plan.output_layout if self.is_forward else self.plan.input_layout

    @property
    def result(self) -> tuple[tuple[int, ...], np.dtype]:
        """The shape and dtype of this rank's part of a result."""
        plan = self.plan
        is_real = not self.is_forward and plan.transform.physical_is_real
        name = {"double": "d", "float": "f"}[plan.transform.precision]
        return self.result_layout.box(plan.rank).shape, np.dtype(name if is_real else name.upper())

    def __str__(self) -> str:
        """The same text on all ranks."""
        plan = self.plan
        direction = "forward" if self.is_forward else "backward"
        return (
            f"{direction} of {plan.transform}, {plan.input_layout!r} to {plan.output_layout!r}, "
            f"times {self.scale}"
        )

    def batched(self, count: int) -> "LinearMap":
        """The map of `count` arrays behind each other along a new axis 0, which no rank splits:
        one transform with the messages of one array. Collective."""
        plan = self.plan
        own = plan.transform
        transform = Transform((count, *own.shape), ("none", *own.kinds), dtype=self.result[1])
        source, target = _stacked(plan.input_layout, count), _stacked(plan.output_layout, count)
        stacked = cached_plan(plan.comm, transform, source, target, self.options)
        return replace(self, plan=stacked)

    def __call__(self, local: np.ndarray) -> np.ndarray:
        """The local part of A x in C order, from the local part of x."""
        plan = self.plan
        source = plan.input_layout if self.is_forward else plan.output_layout
        given = Array(local, source, plan.comm)
        weights = self.weights() if self.weigh else None
        if weights is not None and not self.is_forward:
            given = given.like(local * weights)
        given = given.like(given.local)
        run = plan.forward if self.is_forward else plan.backward
        result = run(given, None, self.scale).local
        if weights is not None and self.is_forward:
            result = result * weights
        return np.ascontiguousarray(result)

    def weights(self) -> np.ndarray:
        """What this rank's modes are multiplied by, where `weigh` is not 0."""
        product = np.ones(())
        parts = self.plan.output_layout.slices(self.plan.rank)
        for line in self.plan.output_space.weights_in(parts):
            product = product * line
        real = self.result[1].type(0).real.dtype
        return (product**self.weigh).astype(real)


def _stacked(layout: Layout, count: int) -> Layout:
    """The layout of `count` arrays along a new axis 0."""
    shape = (count, *layout.shape)
    boxes = [Box((0, *box.lower), (count, *box.upper)) for box in layout.every_box()]
    stacked = None
    if layout.process_grid:
        split = [[], *layout.split]
        grid = Layout.grid(shape, layout.process_grid, split, layout.partition)
        stacked = grid.spread(layout.ranks, layout.stride_of_ranks)
    if stacked is None or stacked.every_box() != boxes:  # cut in places of its own
        stacked = Layout.boxes(shape, boxes)
    return stacked.ordered([0, *(axis + 1 for axis in layout.order)])


def with_shape(layout: Layout, shape: Sequence[int]) -> Layout:
    """The layout of an array of another shape, split along the same axes."""
    if layout.process_grid:
        return layout.reshaped(shape)
    if tuple(shape) == layout.shape:
        return layout
    boxes = []
    for box in layout.every_box():
        lower, upper = list(box.lower), list(box.upper)
        for axis, (old, new) in enumerate(zip(layout.shape, shape)):
            if (lower[axis], upper[axis]) == (0, old):
                upper[axis] = new
            elif old != new and box.size:
                raise Error(
                    f"layout: boxes that split axis {axis}, whose length becomes {new} instead of "
                    f"{old}; valid are boxes that hold all of that axis, or a process grid"
                )
        boxes.append(Box(lower, upper))
    return Layout.boxes(shape, boxes).ordered(layout.order)


def _slabs(rows: Sequence[int], rest: Sequence[int]) -> Layout:
    """The layout of parts with so many rows, which follow each other along axis 0: by a rule that
    also cuts another length, where one gives these rows."""
    shape = (sum(rows), *rest)
    for partition in ("balanced", "blocks"):
        layout = Layout.slabs(shape, len(rows)).partitioned(partition)
        if [box.shape[0] for box in layout.every_box()] == list(rows):
            return layout
    ends = list(accumulate(rows, initial=0))
    boxes = [Box((low, *[0] * len(rest)), (high, *rest)) for low, high in zip(ends, ends[1:])]
    return Layout.boxes(shape, boxes)


def _known(
    local_shape: Sequence[int],
    rows: Sequence[int | None],
    comm: MPI.Intracomm,
    layout: Layout | None,
) -> Layout:
    """See `layout_of_part`. rows: the first length of each rank's part."""
    if not local_shape:
        raise Error("x: is a number; valid is an array")
    known = layout_of("layout", layout) or _slabs([n or 0 for n in rows], local_shape[1:])
    if known.ranks != comm.size:
        raise Error(f"layout: is of {known.ranks} ranks; valid is one of {comm.size}")
    if tuple(local_shape) != known.box(comm.rank).shape:
        raise Error(
            f"x: the local part has the shape {tuple(local_shape)}, but {known} says "
            f"{known.box(comm.rank).shape}; pass its layout"
        )
    return known


def _rows(local_shape: Sequence[int], comm: MPI.Intracomm) -> list[int | None]:
    return comm.allgather(local_shape[0] if local_shape else None)


def layout_of_part(
    local_shape: Sequence[int], comm: MPI.Intracomm, layout: Layout | None
) -> Layout:
    """The layout of which each rank passes the shape of its part; None: that of parts behind each
    other along axis 0, of any lengths. An Error on all ranks where a part has another shape.
    Collective."""
    rows = _rows(local_shape, comm)
    return agreed(comm, lambda: _known(local_shape, rows, comm, layout))


def map_for(
    name: str,
    local_shape: Sequence[int],
    dtype: np.dtype,
    s: Sequence[int] | None,
    axes: Sequence[int] | None,
    norm: str | None,
    comm: MPI.Intracomm | None,
    layout: Layout | None,
    options: str = "",
) -> LinearMap:
    """The map of 'fftn', 'ifftn', 'rfftn' or 'irfftn' for local parts of that shape and dtype.
    Collective.

    layout: of the argument; None: as of `layout_of_part`, so that axis 0 is split. s: the lengths
    along the axes, as x has them; only the last one of irfftn may differ, which None takes for
    even. The result is split along the same axes. options: of the plan.
    """
    comm = MPI.COMM_WORLD if comm is None else comm
    rows = _rows(local_shape, comm)

    def request() -> tuple[Transform, Layout, Layout, float]:
        known = _known(local_shape, rows, comm, layout)
        transform, other = _transform_for(name, known, dtype, s, axes)
        size, is_inverse = transform.logical_size, name.startswith("i")
        scale = factor(norm, size, is_inverse) / factor(None, size, is_inverse)
        return transform, *((other, known) if is_inverse else (known, other)), scale

    transform, source, target, scale = agreed(comm, request)
    plan = cached_plan(comm, transform, source, target, options)
    return LinearMap(plan, not name.startswith("i"), scale, options=options)


def _transform_for(
    name: str, layout: Layout, dtype: np.dtype, s: Sequence[int] | None, axes: Sequence[int] | None
) -> tuple[Transform, Layout]:
    """The transform of an array with that layout, and the layout of the result."""
    given = None if s is None else whole_numbers("s", s)
    if axes is None and given is not None:
        axes = range(len(layout.shape) - len(given), len(layout.shape))
    axes = axes_of(layout, axes)
    is_inverse, is_real = name.startswith("i"), "r" in name
    if is_real and not is_inverse and dtype.kind == "c":
        raise Error(f"x: has the dtype {dtype}; valid are real numbers")
    if not axes:
        raise Error("axes: at least one axis must be transformed")
    shape = list(layout.shape)
    lengths = [shape[axis] for axis in axes]
    wanted = lengths if given is None else [own if n == -1 else n for own, n in zip(lengths, given)]
    if is_real and is_inverse:
        lengths[-1] = wanted[-1] if given else max(2 * (lengths[-1] - 1), 1)
    if given is not None and (wanted != lengths or len(given) != len(lengths)):
        raise Error(
            f"s: {given}; valid are the lengths of x, {tuple(lengths)}, or -1, of which irfftn may "
            "have another last one"
        )
    shape[axes[-1]] = lengths[-1]
    transform = Transform(shape, "r2c" if is_real else "c2c", axes=axes, dtype=dtype)
    return transform, with_shape(layout, shape if is_inverse else transform.spectral_shape)
