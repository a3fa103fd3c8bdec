"""Distributed FFTs of torch tensors, with gradients of any order. Import it where torch is
installed.

    import weft.torch
    y = weft.torch.rfftn(x)      # x: this rank's slab of the tensor, along axis 0

x is the local part of a CPU tensor; so is the result, which is split along the same axes.
Collective: all ranks call the same functions, and backward() on all of them.
s, axes, norm: as in torch.fft (s only for irfftn). comm: MPI.COMM_WORLD. layout: the weft.Layout of
x; None: slabs.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import torch
from mpi4py import MPI

from ._core import Layout
from .adjoint import LinearMap, map_for
from .fft import _named


class _Apply(torch.autograd.Function):
    """A linear map; its gradient is its adjoint, which is one of these again."""

    @staticmethod
    def forward(context: Any, x: torch.Tensor, linear: LinearMap) -> torch.Tensor:
        context.linear = linear
        return torch.from_numpy(linear(x.detach().resolve_conj().numpy()))

    @staticmethod
    def backward(context: Any, gradient: torch.Tensor) -> tuple[torch.Tensor, None]:
        return _Apply.apply(gradient, context.linear.adjoint), None


def _function(name: str) -> Callable[..., torch.Tensor]:
    def function(
        x: torch.Tensor,
        s: Sequence[int] | None = None,
        axes: Sequence[int] | None = None,
        norm: str | None = None,
        *,
        comm: MPI.Intracomm | None = None,
        layout: Layout | None = None,
    ) -> torch.Tensor:
        if "r" not in name or name.startswith("i"):
            x = x.to(torch.promote_types(x.dtype, torch.complex64))
        dtype = np.dtype(str(x.dtype).removeprefix("torch."))
        return _Apply.apply(x, map_for(name, x.shape, dtype, s, axes, norm, comm, layout))

    docstring = f"torch.fft.{name} of a tensor that is distributed over ranks; see weft.torch."
    return _named(function, name, docstring)


fftn, ifftn, rfftn, irfftn = map(_function, ("fftn", "ifftn", "rfftn", "irfftn"))
