"""Distributed FFTs of torch tensors, with the names and arguments of torch.fft, for all that torch
derives, batches and compiles. Import it where torch is installed.

>>> import torch, weft.torch
>>> x = torch.ones((2, 6))   # this rank's slab of the tensor, along axis 0
>>> y = weft.torch.rfftn(x)

x is the local part, or a DTensor; so is the result, which is split along the same axes.
Collective: all ranks call the same functions, and backward() on all of them, in the same order.
n, s, dim, norm: as in torch.fft, but split axes keep their length. comm: MPI.COMM_WORLD. layout:
the weft.Layout of x; None: parts behind each other along axis 0, in the order of ranks.
"""

from collections.abc import Callable, Sequence
from typing import Any

import torch
from mpi4py import MPI

from ._agreement import agreed
from ._arguments import whole_number, whole_numbers
from ._core import Error, Layout
from ._torch_operator import apply, is_split, place_of
from ._transforming import factor, of_local_parts

_TYPES = (torch.float32, torch.float64, torch.complex64, torch.complex128)


def _typed(name: str, x: Any) -> torch.Tensor:
    """With elements as the transform takes them, of torch's default precision where they are whole
    numbers."""
    if not isinstance(x, torch.Tensor):
        raise Error(f"input: is a {type(x).__name__}; valid is a torch.Tensor")
    if not x.dtype.is_floating_point and not x.dtype.is_complex:
        x = x.to(torch.get_default_dtype())
    if x.dtype not in _TYPES:
        raise Error(
            f"input: has the dtype {x.dtype}; valid are whole numbers, and numbers of single and "
            "double precision"
        )
    if name == "rfftn" and x.dtype.is_complex:
        raise Error(f"input: has the dtype {x.dtype}; valid are real numbers")
    return x if name == "rfftn" else x.to(torch.promote_types(x.dtype, torch.complex64))


def _axes(count: int, word: str, s: Any, dim: Any) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The axes of a tensor of `count` axes as numbers from 0, and the new length of each or -1.
    word: the name of s, 'n' of transforms along one axis."""
    lengths: tuple[int, ...] | None
    if word == "n":
        lengths = None if s is None else (whole_number("n", s),)
        dim = whole_number("dim", dim)
    else:
        lengths = None if s is None else whole_numbers("s", s)
    last = range(0 if lengths is None else max(count - len(lengths), 0), count)
    given = tuple(last) if dim is None else whole_numbers("dim", dim)
    if any(not -count <= axis < count for axis in given):
        raise Error(f"dim: {dim}; the tensor has {count} axes")
    axes = tuple(axis % count for axis in given)
    if not axes or len(set(axes)) < len(axes):
        raise Error(f"dim: {dim}; valid are one axis or more, each named once")
    if lengths is None:
        lengths = (-1,) * len(axes)
    if len(lengths) != len(axes) or any(n < 1 and n != -1 for n in lengths):
        raise Error(
            f"{word}: {s}; valid is a positive length for each of the {len(axes)} axes, or -1 for "
            "the tensor's own"
        )
    return axes, lengths


def _resized(x: torch.Tensor, axes: Sequence[int], lengths: Sequence[int]) -> torch.Tensor:
    """Cut, or with zeros behind it, along axes that get a length and not -1."""
    for axis, length in zip(axes, lengths):
        if length == -1 or length == x.shape[axis]:
            continue
        missing = length - x.shape[axis]
        if missing > 0:
            x = torch.nn.functional.pad(x, [0, 0] * (x.ndim - 1 - axis) + [0, missing])
        else:
            x = x.narrow(axis, 0, length)
    return x


def _transformed(
    name: str,
    x: Any,
    word: str,
    s: Any,
    dim: Any,
    norm: str | None,
    comm: MPI.Intracomm | None,
    layout: Layout | None,
) -> torch.Tensor:
    if hasattr(x, "device_mesh"):
        return _of_shards(name, x, word, s, dim, norm, comm, layout)

    def checked() -> tuple[torch.Tensor, tuple[int, ...], tuple[int, ...]]:
        factor(norm, 1, False)
        typed = _typed(name, x)
        return typed, *_axes(typed.ndim, word, s, dim)

    is_compiling = torch.compiler.is_compiling()  # one rank alone may compile
    x, axes, lengths = checked() if is_compiling else agreed(comm or MPI.COMM_WORLD, checked)
    at = [is_split(comm, layout, axis) for axis in axes]
    own = [-1 if split else n for split, n in zip(at, lengths)]
    rest = [n if split else -1 for split, n in zip(at, lengths)]
    if name == "irfftn":
        own[-1] = -1 if own[-1] == -1 else own[-1] // 2 + 1
        rest[-1] = lengths[-1]
    x = _resized(x, axes, own)
    place = place_of(comm, layout, axes, tuple(own))
    return apply(x, False, name, tuple(x.shape), axes, tuple(rest), norm or "backward", place)


def _of_shards(
    name: str,
    x: Any,
    word: str,
    s: Any,
    dim: Any,
    norm: str | None,
    comm: MPI.Intracomm | None,
    layout: Layout | None,
) -> torch.Tensor:
    """Of a DTensor, with the same placements."""
    from . import _torch_mesh  # needs torch.distributed, and time

    if layout is not None:
        raise Error("layout: is given for a DTensor; valid is None, since its placements say it")
    comm = _torch_mesh.communicator_of(x, comm)
    layout = _torch_mesh.layout_of_shards(x)
    result = _transformed(name, x.to_local(), word, s, dim, norm, comm, layout)
    axes, lengths = _axes(x.ndim, word, s, dim)
    shape = list(x.shape)
    for axis, length in zip(axes, lengths):
        shape[axis] = shape[axis] if length == -1 else length
    if name == "rfftn":
        shape[axes[-1]] = shape[axes[-1]] // 2 + 1
    elif name == "irfftn" and lengths[-1] == -1:
        shape[axes[-1]] = 2 * (shape[axes[-1]] - 1)
    return _torch_mesh.sharded_like(x, result, shape)


def _along_one(name: str) -> Callable[..., torch.Tensor]:
    def function(
        input: torch.Tensor,
        n: int | None = None,
        dim: int = -1,
        norm: str | None = None,
        *,
        comm: MPI.Intracomm | None = None,
        layout: Layout | None = None,
    ) -> torch.Tensor:
        return _transformed(f"{name}n", input, "n", n, dim, norm, comm, layout)

    return of_local_parts(function, name, __name__, "torch.fft")


def _along_several(
    name: str, suffix: str, default: Sequence[int] | None
) -> Callable[..., torch.Tensor]:
    def function(
        input: torch.Tensor,
        s: Sequence[int] | None = None,
        dim: int | Sequence[int] | None = default,
        norm: str | None = None,
        *,
        comm: MPI.Intracomm | None = None,
        layout: Layout | None = None,
    ) -> torch.Tensor:
        return _transformed(f"{name}n", input, "s", s, dim, norm, comm, layout)

    return of_local_parts(function, name + suffix, __name__, "torch.fft")


_NAMES = ("fft", "ifft", "rfft", "irfft")
fft, ifft, rfft, irfft = map(_along_one, _NAMES)
fft2, ifft2, rfft2, irfft2 = (_along_several(name, "2", (-2, -1)) for name in _NAMES)
fftn, ifftn, rfftn, irfftn = (_along_several(name, "n", None) for name in _NAMES)
