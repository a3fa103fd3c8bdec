"""The transforms of local parts as linear maps with adjoints, which gradients need.

With A = scale * F, the adjoint is conj(scale) * F^H, which is the plan's other direction without
its factor 1/N. Of r2c, half of the modes stand for their conjugates as well: the adjoint divides by
how often each mode counts, and the adjoint of the way back multiplies.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from mpi4py import MPI

from ._arguments import whole_numbers
from ._core import Error, Layout
from ._transforming import factor
from .array import Array
from .create import default_layout
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
        return LinearMap(plan, not self.is_forward, other, weigh)

    @property
    def result(self) -> tuple[tuple[int, ...], np.dtype]:
        """The shape and dtype of this rank's part of a result."""
        plan = self.plan
        layout = plan.output_layout if self.is_forward else plan.input_layout
        is_real = not self.is_forward and plan.transform.physical_is_real
        name = {"double": "d", "float": "f"}[plan.transform.precision]
        return layout.box(plan.rank).shape, np.dtype(name if is_real else name.upper())

    def __call__(self, local: np.ndarray) -> np.ndarray:
        """The local part of A x in C order, from the local part of x."""
        plan = self.plan
        source = plan.input_layout if self.is_forward else plan.output_layout
        given = Array(local, source, plan.comm)
        weights = self._weights() if self.weigh else None
        if weights is not None and not self.is_forward:
            given = given.like(local * weights)
        given = given.like(given.local)
        run = plan.forward if self.is_forward else plan.backward
        result = run(given, None, self.scale).local
        if weights is not None and self.is_forward:
            result = result * weights
        return np.ascontiguousarray(result)

    def _weights(self) -> np.ndarray:
        product = np.ones(())
        parts = self.plan.output_layout.slices(self.plan.rank)
        for line in self.plan.output_space.weights_in(parts):
            product = product * line
        real = self.result[1].type(0).real.dtype
        return (product**self.weigh).astype(real)


def map_for(
    name: str,
    local_shape: Sequence[int],
    dtype: np.dtype,
    s: Sequence[int] | None,
    axes: Sequence[int] | None,
    norm: str | None,
    comm: MPI.Intracomm | None,
    layout: Layout | None,
) -> LinearMap:
    """The map of 'fftn', 'ifftn', 'rfftn' or 'irfftn' for local parts of that shape and dtype.
    Collective.

    layout: of the argument; None: the default one of its global shape, which the ranks find out
    together, so that axis 0 is split. s: the lengths along the axes, as x has them; only the last
    one of irfftn may differ, which None takes for even. The result is split along the same axes.
    """
    comm = MPI.COMM_WORLD if comm is None else comm
    if layout is None:
        whole = (comm.allreduce(local_shape[0]), *local_shape[1:])
        layout = default_layout(whole, comm)
    if tuple(local_shape) != layout.box(comm.rank).shape:
        raise Error(
            f"x: the local part has the shape {tuple(local_shape)}, but {layout} says "
            f"{layout.box(comm.rank).shape}; pass its layout"
        )
    given = None if s is None else whole_numbers("s", s)
    if axes is None and given is not None:
        axes = range(len(layout.shape) - len(given), len(layout.shape))
    axes = axes_of(layout, axes)
    is_inverse, is_real = name.startswith("i"), "r" in name
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
    other = layout.reshaped(shape if is_inverse else transform.spectral_shape)
    ends = (other, layout) if is_inverse else (layout, other)
    plan = cached_plan(comm, transform, *ends)
    size = transform.logical_size
    return LinearMap(
        plan, not is_inverse, factor(norm, size, is_inverse) / factor(None, size, is_inverse)
    )
