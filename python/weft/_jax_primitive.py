"""The linear maps of weft.adjoint as a linear primitive of JAX, which all transformations of JAX
know by the rules below.

All ranks must run the same transforms in the same order, or they wait for each other. XLA runs
independent operations in any order and some at once, so each transform has an ordered effect: a
token goes from transform to transform, through loops, branches and from one compiled function to
the next, and XLA may do no transform before it has the token of the one before. (JAX's
pure_callback passes no token. Its io_callback(ordered=True) does, but jax.checkpoint and vmap
refuse that effect: a callback may not be repeated or batched. A transform may.)
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax._src import effects
from jax.ad_checkpoint import Recompute
from jax.extend.core import Primitive, Var
from jax.interpreters import ad, batching, mlir, partial_eval, xla
from mpi4py import MPI

from ._core import Error
from ._order import require_same
from .adjoint import LinearMap


class _Turn(effects.Effect):
    """It is this transform's turn, on all ranks."""

    __str__ = lambda self: "weft"


_turn = _Turn()
for allowed in (
    effects.lowerable_effects,
    effects.ordered_effects,
    effects.shardable_ordered_effects,  # one device of each process, in shard_map
    effects.control_flow_allowed_effects,
    effects.custom_derivatives_allowed_effects,
    effects.remat_allowed_effects,
):
    allowed.add_type(_Turn)

_primitive = Primitive("weft_transform")
_primitive.def_impl(partial(xla.apply_primitive, _primitive))


def apply(linear: LinearMap, x: jax.Array) -> jax.Array:
    """The map of this rank's part x, for all transformations of JAX."""
    return _primitive.bind(x, linear=linear)


@_primitive.def_effectful_abstract_eval
def _abstract(x: Any, *, linear: LinearMap) -> tuple[Any, set]:
    shape, dtype = linear.result
    return x.update(shape=shape, dtype=dtype, weak_type=False), {_turn}


# ---- Derivatives and batches --------------------------------------------------------------------


def _transpose(cotangent: Any, x: Any, *, linear: LinearMap) -> list[Any]:
    """JAX's cotangents are conjugates of gradients."""
    return [jnp.conj(apply(linear.adjoint, jnp.conj(cotangent)))]


ad.deflinear2(_primitive, _transpose)


def _batched(
    arguments: Sequence[Any], axes: Sequence[int], *, linear: LinearMap
) -> tuple[jax.Array, int]:
    """One transform of all arrays of the batch."""
    x = jnp.moveaxis(arguments[0], axes[0], 0)
    wait_for_transforms()
    require_same(linear.plan.comm, f"makes a batch of {x.shape[0]} of {linear}")
    return apply(linear.batched(x.shape[0]), x), 0


batching.primitive_batchers[_primitive] = _batched


def _partial_eval(
    is_saveable: Callable, unknown: Sequence[bool], has_instance: Sequence[bool], equation: Any
) -> tuple:
    """In jax.checkpoint its policy decides whether a result is kept or computed again. JAX's own
    rule keeps the results of all effects."""
    missing = [x for x, has in zip(equation.invars, has_instance) if not has and isinstance(x, Var)]
    if any(unknown):
        return None, equation, [True], [True], missing
    policy = is_saveable(_primitive, *[x.aval for x in equation.invars], **equation.params)
    if policy is False or policy is Recompute:
        return equation, equation, [False], [True], missing
    return equation, None, [False], [False], []


partial_eval.partial_eval_jaxpr_custom_rules[_primitive] = _partial_eval


def _without_unused(is_used: Sequence[bool], equation: Any) -> tuple[list[bool], Any]:
    """A transform whose result nobody uses is left out, on all ranks; JAX keeps other effects."""
    return ([True], equation) if any(is_used) else ([False], None)


partial_eval.dce_rules[_primitive] = _without_unused


# ---- Execution ----------------------------------------------------------------------------------


def wait_for_transforms() -> None:
    """Returns when no transform runs in a thread of XLA, so that this thread may make collective
    calls."""
    if MPI.Query_thread() < MPI.THREAD_MULTIPLE:
        raise Error(
            "MPI was initialized for fewer threads than weft.jax needs; valid is "
            "MPI.THREAD_MULTIPLE, which mpi4py asks for unless mpi4py.rc says otherwise"
        )
    jax.effects_barrier()


def _lowered(context: Any, x: Any, *, linear: LinearMap) -> Sequence[Any]:
    """A call back to the host, with the token of the transform before."""
    axes = context.module_context.axis_context
    if isinstance(axes, mlir.ShardingContext) and axes.num_devices > 1:
        raise Error(
            "x: is spread over several devices, and jit does not say how; valid is layout=x.sharding"
        )

    def run(local: np.ndarray) -> tuple[np.ndarray]:
        require_same(linear.plan.comm, f"runs {linear}")
        return (linear(np.asarray(local)),)

    results, token, _ = mlir.emit_python_callback(
        context,
        run,
        context.tokens_in.get(_turn),
        [x],
        context.avals_in,
        context.avals_out,
        has_side_effect=True,
    )
    context.set_tokens_out(mlir.TokenSet({_turn: token}))
    return results


def _refused(context: Any, x: Any, *, linear: LinearMap) -> Sequence[Any]:
    platforms = ", ".join(context.module_context.platforms)
    raise Error(f"x: is on a device ({platforms}); weft.jax transforms arrays of the host")


mlir.register_lowering(_primitive, _refused)
mlir.register_lowering(_primitive, _lowered, platform="cpu")
