"""The operator of torch behind weft.torch: a transform or its adjoint, as one opaque node, so that
torch.compile keeps it whole and knows the shape of its result without communication.

An operator's arguments are tensors, numbers and texts. Communicators and layouts have numbers
therefore, see `place_of`.
"""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from mpi4py import MPI

from ._core import Error, Layout
from .adjoint import LinearMap, map_for, with_shape

_Place = tuple[MPI.Intracomm, Layout | None]
_numbers: dict[tuple[int, Layout | None], int] = {}
_places: list[_Place] = []
_traced: list[Any] = []


def _keep(comm: MPI.Intracomm | None, layout: Layout | None) -> None:
    """Compiled code knows objects by their addresses, so that they must not leave these to
    others."""
    if torch.compiler.is_compiling():
        _traced.append((comm, layout))


@torch.compiler.assume_constant_result
def place_of(
    comm: MPI.Intracomm | None, layout: Layout | None, axes: Sequence[int], lengths: Sequence[int]
) -> int:
    """The number by which the operator knows a communicator and a layout, with new lengths along
    some axes, or -1 for the old one."""
    _keep(comm, layout)
    comm = MPI.COMM_WORLD if comm is None else comm
    if layout is not None:
        shape = list(layout.shape)
        for axis, length in zip(axes, lengths):
            shape[axis] = shape[axis] if length == -1 else length
        layout = with_shape(layout, shape)
    number = _numbers.setdefault((comm.handle, layout), len(_places))
    _places[number : number + 1] = [(comm, layout)]  # MPI gives handles again
    return number


@torch.compiler.assume_constant_result
def is_split(comm: MPI.Intracomm | None, layout: Layout | None, axis: int) -> bool:
    """Whether ranks hold parts of that axis."""
    _keep(comm, layout)
    comm = MPI.COMM_WORLD if comm is None else comm
    return comm.size > 1 and (axis == 0 if layout is None else not layout.is_local(axis))


def _dtype(dtype: np.dtype) -> torch.dtype:
    return getattr(torch, dtype.name)


def _device_options(device: torch.device) -> str:
    """The options of a plan for tensors on that device."""
    if device.type == "cpu":
        return ""
    if device.type != "cuda":
        raise Error(f"input: lies on the device {device}; valid are cpu and cuda")
    return f"device={'hip' if torch.version.hip else 'cuda'}:{device.index}"


def _laid_out(x: torch.Tensor, strides: Sequence[int]) -> torch.Tensor:
    """The tensor itself if its memory has these strides, else a copy."""
    own = zip(x.shape, x.stride(), strides)
    if all(extent < 2 or stride == needed for extent, stride, needed in own):
        return x
    return torch.empty_strided(x.shape, strides, dtype=x.dtype, device=x.device).copy_(x)


def _applied(linear: LinearMap, x: torch.Tensor) -> torch.Tensor:
    """A x in C order, on the device of x."""
    plan = linear.plan
    shape, dtype = linear.result
    ends = [plan.input_layout.strides(plan.rank), plan.output_layout.strides(plan.rank)]
    source, target = ends if linear.is_forward else ends[::-1]
    if linear.weigh:
        weights = torch.from_numpy(linear.weights()).to(x.device)
    if linear.weigh and not linear.is_forward:
        x = x * weights
    result = torch.empty_strided(shape, target, dtype=_dtype(dtype), device=x.device)
    run = plan.forward if linear.is_forward else plan.backward
    run(_laid_out(x, source), result, linear.scale)
    if linear.weigh and linear.is_forward:
        result *= weights
    return result.contiguous()


@torch.library.custom_op("weft::linear", mutates_args=())
def linear(
    x: torch.Tensor,
    is_adjoint: bool,
    name: str,
    shape: Sequence[int],
    dim: Sequence[int],
    s: Sequence[int],
    norm: str,
    place: int,
) -> torch.Tensor:
    """The transform `name` ('fftn', 'ifftn', 'rfftn', 'irfftn') of local parts, or its adjoint.
    Collective.

    shape: of the transform's argument on this rank. Axes of x before these are a batch, as long on
    all ranks. dim: from 0; s: a length for each of dim, or -1. place: see `place_of`.
    """
    comm, layout = _places[place]
    x = x.detach().resolve_conj().resolve_neg()
    precision = np.dtype(str(x.dtype.to_real()).removeprefix("torch."))
    lengths = None if all(length == -1 for length in s) else s
    options = _device_options(x.device)
    one = map_for(name, shape, precision, lengths, dim, norm, comm, layout, options)
    one = one.adjoint if is_adjoint else one
    batch = x.shape[: x.ndim - len(shape)]
    if not batch:
        return _applied(one, x)
    count = math.prod(batch)
    if count == 0:
        return x.new_empty((*batch, *one.result[0]), dtype=_dtype(one.result[1]))
    result = _applied(one.batched(count), x.reshape(count, *x.shape[len(batch) :]))
    return result.reshape(*batch, *result.shape[1:])


def _last_length(name: str, own: int, length: int) -> int:
    """The length of the result along the last of dim, where the argument has `own` and s says
    `length`."""
    if name == "rfftn":
        return own // 2 + 1
    if name == "irfftn":
        return 2 * (own - 1) if length == -1 else length
    return own


def _result_shape(name: str, shape: Sequence[int], axis: int, length: int, place: int) -> list[int]:
    """The shape of the transform's result on this rank, without communication. axis: the last of
    dim; length: its length in s."""
    comm, layout = _places[place]
    if "r" not in name or not is_split(comm, layout, axis):
        result = list(shape)
        result[axis] = _last_length(name, shape[axis], length)
        return result
    if layout is None:
        raise Error(
            f"layout: None, where torch.compile must know how {name} splits axis 0, whose length "
            "changes; valid is the weft.Layout of the argument"
        )
    whole = list(layout.shape)
    whole[axis] = _last_length(name, whole[axis], length)
    return list(with_shape(layout, whole).box(comm.rank).shape)


@linear.register_fake
def _(
    x: torch.Tensor,
    is_adjoint: bool,
    name: str,
    shape: Sequence[int],
    dim: Sequence[int],
    s: Sequence[int],
    norm: str,
    place: int,
) -> torch.Tensor:
    batch = x.shape[: x.ndim - len(shape)]
    result = shape if is_adjoint else _result_shape(name, shape, dim[-1], s[-1], place)
    is_real = name == ("rfftn" if is_adjoint else "irfftn")
    dtype = x.dtype.to_real() if is_real else x.dtype.to_complex()
    return x.new_empty((*batch, *result), dtype=dtype)


# Compiled code keeps the order of calls, which must be the same on all ranks whatever sizes they
# have.
if hasattr(linear, "register_effect"):
    linear.register_effect(torch.library.EffectType.ORDERED)


@linear.register_vmap
def _batched(info: Any, in_dims: tuple, x: torch.Tensor, *how: Any) -> tuple[torch.Tensor, int]:
    return linear(x.movedim(in_dims[0], 0), *how), 0


class _Reverse(torch.autograd.Function):
    """The operator with its gradient, which is the adjoint, and of batches."""

    @staticmethod
    def forward(x: torch.Tensor, *how: Any) -> torch.Tensor:
        return linear(x, *how)

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple, output: torch.Tensor) -> None:
        ctx.how = inputs[1:]

    @staticmethod
    def backward(ctx: Any, gradient: torch.Tensor) -> tuple[torch.Tensor | None, ...]:
        is_adjoint, *how = ctx.how
        return apply(gradient, not is_adjoint, *how), *[None] * len(ctx.how)

    @staticmethod
    def vmap(info: Any, in_dims: tuple, x: torch.Tensor, *how: Any) -> tuple[torch.Tensor, int]:
        return apply(x.movedim(in_dims[0], 0), *how), 0


class _Linear(_Reverse):
    """The same with forward mode."""

    @staticmethod
    def jvp(ctx: Any, tangent: torch.Tensor, *_: None) -> torch.Tensor:
        return apply(tangent, *ctx.how)


def apply(x: torch.Tensor, *how: Any) -> torch.Tensor:
    """The operator with everything that derivatives need, but for forward mode under torch.compile,
    which takes no Function that has it."""
    return (_Reverse if torch.compiler.is_compiling() else _Linear).apply(x, *how)
