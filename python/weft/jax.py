"""Distributed FFTs of JAX arrays on the CPU, with gradients, also under jit. Import it where JAX is
installed.

    import weft.jax
    y = weft.jax.rfftn(x)        # x: this rank's slab of the array, along axis 0

x is the local part; so is the result, which is split along the same axes. All ranks call the same
functions in the same order; within jit, callbacks of JAX keep that order.
s, axes, norm: as in jax.numpy.fft (s only for irfftn). comm: MPI.COMM_WORLD. layout: the
weft.Layout of x; None: slabs.
"""

from collections.abc import Callable, Sequence
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import io_callback
from mpi4py import MPI

from ._core import Layout
from .adjoint import LinearMap, map_for
from .fft import _named


def _called(linear: LinearMap, x: jax.Array) -> jax.Array:
    """Ordered, because ranks that run two transforms in different orders wait for each other."""
    shape, dtype = linear.result
    return io_callback(
        lambda local: linear(np.asarray(local)), jax.ShapeDtypeStruct(shape, dtype), x, ordered=True
    )


@partial(jax.custom_vjp, nondiff_argnums=(0,))
def _apply(linear: LinearMap, x: jax.Array) -> jax.Array:
    return _called(linear, x)


def _forward(linear: LinearMap, x: jax.Array) -> tuple[jax.Array, None]:
    return _apply(linear, x), None


def _backward(linear: LinearMap, _: None, cotangent: jax.Array) -> tuple[jax.Array]:
    """JAX's cotangents are conjugates of gradients."""
    return (jnp.conj(_apply(linear.adjoint, jnp.conj(cotangent))),)


_apply.defvjp(_forward, _backward)


def _function(name: str) -> Callable[..., jax.Array]:
    def function(
        x: jax.Array,
        s: Sequence[int] | None = None,
        axes: Sequence[int] | None = None,
        norm: str | None = None,
        *,
        comm: MPI.Intracomm | None = None,
        layout: Layout | None = None,
    ) -> jax.Array:
        x = jnp.asarray(x)
        if "r" not in name or name.startswith("i"):
            x = x.astype(jnp.promote_types(x.dtype, jnp.complex64))
        return _apply(map_for(name, x.shape, np.dtype(x.dtype), s, axes, norm, comm, layout), x)

    docstring = f"jax.numpy.fft.{name} of an array that is distributed over ranks; see weft.jax."
    return _named(function, name, docstring)


fftn, ifftn, rfftn, irfftn = map(_function, ("fftn", "ifftn", "rfftn", "irfftn"))
