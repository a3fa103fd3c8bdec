"""Distributed FFTs of JAX arrays on the CPU, under all transformations of JAX. Import it where JAX
is installed.

>>> import jax, weft.jax
>>> x = jax.numpy.ones((2, 6))   # this rank's slab of the array, along axis 0
>>> y = weft.jax.rfftn(x)

The functions are those of jax.numpy.fft, and so are s (or n), axes (or axis) and norm; along axes
that are split over ranks, lengths stay as they are. comm: MPI.COMM_WORLD.

x is the local part, and so is the result, which is split along the same axes. layout: the
weft.Layout of x; None: slabs. Or x is a global jax.Array, of which each process holds one part
(jax.distributed); so is the result, with the same mesh and PartitionSpec. Within jit and grad,
where JAX hides how x is spread, layout=x.sharding says it.

Transforms are linear for JAX: jit, grad, jvp, vjp, linearize, linear_transpose, vmap, checkpoint,
scan, loops and cond take them in any combination. A batch of vmap is one transform. A derivative is
that of this rank's result by this rank's part: where an objective is a sum over ranks, each rank
differentiates its own term, and gets its part of the gradient of the sum.

Order. Calls are collective: all ranks call, trace and run the same functions in the same order.
Within a compiled function, and between those that one thread of Python calls, transforms run in the
order of the program, on all ranks, also where XLA could exchange them. Not so:
- Ranks that take different branches of cond, or loop differently often, do not match; nor do ranks
  of which only some compile anew, because the shape of their part is new. If all ranks are in some
  transform or trace one, each gets an Error (JAX shows its text in a JaxRuntimeError); otherwise
  they wait.
- The condition of lax.while_loop cannot call transforms; JAX refuses it.
- Sums and other collectives that XLA itself makes of global arrays have no order among transforms,
  unless one needs the other.
- Two threads of Python have no common order. Before other calls of weft or of MPI that must come
  after transforms, wait for these: jax.block_until_ready or jax.effects_barrier.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import NamedSharding, Sharding
from mpi4py import MPI

from ._agreement import agreed
from ._arguments import whole_numbers
from ._core import Box, Error, Layout
from ._jax_primitive import apply, wait_for_transforms
from ._order import require_same
from .adjoint import LinearMap, layout_of_part, map_for, with_shape
from .create import gather_layout
from ._transforming import of_local_parts, one_length
from .shifting import axes_of

Where: TypeAlias = Layout | NamedSharding | None


def _new_lengths(
    name: str, layout: Layout, s: Sequence[int] | None, axes: Sequence[int] | None
) -> tuple[list[int], list[int] | None, list[int]]:
    """The axes, the lengths of the physical array along them or None, and the shape of x that the
    transform with these lengths takes."""
    shape = list(layout.shape)
    if s is None:
        return axes_of(layout, axes), None, shape
    given = whole_numbers("s", s)
    last = range(max(len(shape) - len(given), 0), len(shape))
    numbers = axes_of(layout, last if axes is None else axes)
    if len(given) != len(numbers) or any(length < 1 and length != -1 for length in given):
        raise Error(
            f"s: {s}; valid is a positive length for each of the {len(numbers)} axes, or -1 for "
            "the length of x"
        )
    lengths = [shape[axis] if n == -1 else n for axis, n in zip(numbers, given)]
    for axis, length in zip(numbers, lengths):
        is_halved = name == "irfftn" and axis == numbers[-1]
        length = length // 2 + 1 if is_halved else length
        if length != shape[axis] and not layout.is_local(axis):
            raise Error(
                f"s: {s}; axis {axis} is split over ranks, and keeps its length {shape[axis]}"
            )
        shape[axis] = length
    return numbers, lengths, shape


def _fitted(x: jax.Array, shape: Sequence[int]) -> jax.Array:
    """Cropped, or padded with zeros, at the end of each axis."""
    x = x[tuple(slice(length) for length in shape)]
    return jnp.pad(x, [(0, length - own) for own, length in zip(x.shape, shape)])


def _part_of_process(sharding: NamedSharding, shape: Sequence[int]) -> Box:
    """The part of a global array that this process holds."""
    parts = sharding.addressable_devices_indices_map(tuple(shape))
    if len(parts) != 1:
        raise Error(
            f"x: {len(parts)} parts of it are on devices of one process; valid is one for each "
            "process"
        )
    sharding.shard_shape(tuple(shape))  # a ValueError where parts differ in shape
    [indices] = parts.values()
    bounds = [part.indices(length)[:2] for part, length in zip(indices or (), shape)]
    return Box(*zip(*bounds))


@dataclass(frozen=True)
class _Call:
    """The arguments of a function but for x, its name being that of the function for all axes."""

    name: str
    s: Sequence[int] | None
    axes: Sequence[int] | None
    norm: str | None
    comm: MPI.Intracomm

    def prepared(
        self, dtype: np.dtype, shape: Sequence[int], layout: Layout | None
    ) -> tuple[tuple[int, ...], LinearMap]:
        """For this rank's part of x with that shape, the shape with the lengths of s, and the map.
        Collective."""
        known = layout_of_part(shape, self.comm, layout)
        numbers, lengths, whole = agreed(
            self.comm, lambda: _new_lengths(self.name, known, self.s, self.axes)
        )
        if tuple(whole) != known.shape:
            known = with_shape(known, whole)
        fitted = known.box(self.comm.rank).shape
        linear = map_for(self.name, fitted, dtype, lengths, numbers, self.norm, self.comm, known)
        return fitted, linear

    def begin(self, x: jax.Array, where: object) -> None:
        """Waits until this thread may make collective calls, and compares the call."""
        wait_for_transforms()
        how = f"s {self.s}, axes {self.axes}, norm {self.norm}"
        require_same(self.comm, f"traces {self.name}: x {x.dtype}, {where!r}; {how}")

    def of_part(self, x: jax.Array, layout: Layout | None) -> jax.Array:
        """The transform of this rank's part."""
        self.begin(x, layout or x.shape[1:])
        fitted, linear = self.prepared(np.dtype(x.dtype), x.shape, layout)
        return apply(linear, _fitted(x, fitted))

    def of_global(self, x: jax.Array, given: Sharding) -> jax.Array:
        """The transform of a global array, as one of the parts of its processes."""
        self.begin(x, given)

        def part() -> tuple[NamedSharding, Box]:
            if not isinstance(given, NamedSharding):
                raise Error(f"x: is spread as {given}; valid is a NamedSharding")
            return given, _part_of_process(given, x.shape)

        sharding, box = agreed(self.comm, part)
        layout = gather_layout(x.shape, box, self.comm)
        fitted, linear = self.prepared(np.dtype(x.dtype), box.shape, layout)

        def as_jax_has_it() -> None:
            result = linear.result_layout
            if _part_of_process(sharding, result.shape) != result.box(self.comm.rank):
                raise Error(f"x: the result's shape {result.shape} cannot be spread as {sharding}")

        agreed(self.comm, as_jax_has_it)
        return jax.shard_map(
            lambda part: apply(linear, _fitted(part, fitted)),
            mesh=sharding.mesh,
            in_specs=sharding.spec,
            out_specs=sharding.spec,
        )(x)


def _converted(name: str, x: jax.Array) -> jax.Array:
    """With elements of a precision that Weft has: whole numbers in JAX's own."""
    if not jnp.issubdtype(x.dtype, jnp.inexact):
        x = x.astype(float)
    return x.astype(jnp.promote_types(x.dtype, jnp.float32 if name == "rfftn" else jnp.complex64))


def _transformed(
    name: str,
    x: jax.Array,
    s: Sequence[int] | None,
    axes: Sequence[int] | None,
    norm: str | None,
    comm: MPI.Intracomm | None,
    layout: Where,
) -> jax.Array:
    """fftn, ifftn, rfftn or irfftn, by which all functions are expressed."""
    call = _Call(name, s, axes, norm, MPI.COMM_WORLD if comm is None else comm)
    x = jnp.asarray(x)
    given: Layout | Sharding | None = layout
    if layout is None and not isinstance(x, jax.core.Tracer) and len(x.sharding.device_set) > 1:
        given = x.sharding
    x = _converted(name, x)
    return call.of_global(x, given) if isinstance(given, Sharding) else call.of_part(x, given)


def _along_one(name: str) -> Callable[..., jax.Array]:
    def function(
        x: jax.Array,
        n: int | None = None,
        axis: int = -1,
        norm: str | None = None,
        *,
        comm: MPI.Intracomm | None = None,
        layout: Where = None,
    ) -> jax.Array:
        return _transformed(f"{name}n", x, one_length(n), (axis,), norm, comm, layout)

    return of_local_parts(function, name, __name__, "jax.numpy.fft")


def _along_several(
    name: str, suffix: str, default: Sequence[int] | None
) -> Callable[..., jax.Array]:
    def function(
        x: jax.Array,
        s: Sequence[int] | None = None,
        axes: Sequence[int] | None = default,
        norm: str | None = None,
        *,
        comm: MPI.Intracomm | None = None,
        layout: Where = None,
    ) -> jax.Array:
        return _transformed(f"{name}n", x, s, axes, norm, comm, layout)

    return of_local_parts(function, name + suffix, __name__, "jax.numpy.fft")


_NAMES = ("fft", "ifft", "rfft", "irfft")
fft, ifft, rfft, irfft = map(_along_one, _NAMES)
fft2, ifft2, rfft2, irfft2 = (_along_several(name, "2", (-2, -1)) for name in _NAMES)
fftn, ifftn, rfftn, irfftn = (_along_several(name, "n", None) for name in _NAMES)
