"""All names of scipy.fft for weft.Array, with SciPy's definitions. Plans are made on their first
use and kept.

Every call is collective over the array's communicator. `workers` is the number of threads of each
rank, `plan` a weft.Plan to use instead of a kept one, `options` as for weft.Plan; overwrite_x is
accepted, but nothing is overwritten. The planner chooses the layout of the result; `redistribute`
brings it into another one.
"""

import math
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.fft import fftfreq, rfftfreq

from ._arguments import whole_number, whole_numbers
from ._core import Error
from .array import Array
from .plan import Plan
from .plan_cache import cached_plan
from .resizing import resized
from .shifting import axes_of, rolled
from .transform import Transform, options_text, precision_of

Options = str | Mapping[str, Any] | None

_workers: ContextVar[int] = ContextVar("weft_workers", default=1)


def _checked_workers(workers: int) -> int:
    """The number of threads; -1 means as many as processors, -2 one fewer."""
    cores = os.cpu_count() or 1
    workers = whole_number("workers", workers)
    if workers == 0 or workers < -cores:
        raise Error(f"workers: {workers}; valid are 1 and more, and -1 to -{cores}")
    return workers if workers > 0 else workers + 1 + cores


@contextmanager
def set_workers(workers: int) -> Iterator[None]:
    """Within this context, calls use that many threads on each rank."""
    token = _workers.set(_checked_workers(workers))
    try:
        yield
    finally:
        _workers.reset(token)


def get_workers() -> int:
    """The number of threads on each rank that calls use."""
    return _workers.get()


@dataclass(frozen=True)
class _How:
    """The arguments of a call that say how a transform is computed, and not which."""

    workers: int | None
    plan: Plan | None
    options: Options

    def text(self) -> str:
        threads = get_workers() if self.workers is None else _checked_workers(self.workers)
        return options_text(self.options, {} if threads == 1 else {"threads": threads})


def _factor(norm: str | None, size: float, is_inverse: bool) -> float:
    """The factor of the plain sum over the elements."""
    factors = {
        "backward": 1 / size if is_inverse else 1.0,
        "ortho": 1 / math.sqrt(size),
        "forward": 1.0 if is_inverse else 1 / size,
    }
    name = "backward" if norm is None else norm
    if name not in factors:
        raise Error(f"norm: {norm!r}; valid are 'backward', 'ortho' and 'forward'")
    return factors[name]


def _run(x: Array, transform: Transform, is_inverse: bool, norm: str | None, how: _How) -> Array:
    """One transform of an array that has the right shape and dtype. A plan serves every norm, by
    the scale of a call."""
    x = x.contiguous()
    plan = how.plan
    if plan is not None and not isinstance(plan, Plan):
        raise Error(f"plan: is a {type(plan).__name__}; valid is a weft.Plan")
    if plan is None and is_inverse:
        known = (
            x.space is not None
            and x.space.transform == transform
            and x.space.layouts[1] == x.layout
        )
        plan = cached_plan(
            x.comm,
            transform,
            x.space.layouts[0] if x.space and known else None,
            x.layout,
            how.text(),
        )
    elif plan is None:
        plan = cached_plan(x.comm, transform, x.layout, None, how.text())
    size = plan.transform.logical_size
    run = plan.backward if is_inverse else plan.forward
    return run(
        x, None, _factor(norm, size, is_inverse) / _factor(plan.transform.norm, size, is_inverse)
    )


def _checked(
    x: Any, s: int | Sequence[int] | None, axes: int | Sequence[int] | None
) -> tuple[list[int], list[int] | None]:
    """The axes, and the new length of each or None."""
    if not isinstance(x, Array):
        raise Error(
            f"x: is a {type(x).__name__}; valid is a weft.Array, such as weft.from_local makes"
        )
    if s is None:
        return axes_of(x, None if axes is None else whole_numbers("axes", axes)), None
    given = whole_numbers("s", s)
    last = range(max(x.ndim - len(given), 0), x.ndim)
    numbers = axes_of(x, last if axes is None else whole_numbers("axes", axes))
    if len(given) != len(numbers) or any(length < 1 and length != -1 for length in given):
        raise Error(
            f"s: {s}; valid is a positive length for each of the {len(numbers)} axes, or -1 for "
            "that of x"
        )
    return numbers, [x.shape[axis] if n == -1 else n for axis, n in zip(numbers, given)]


def _one_length(n: int | None) -> tuple[int] | None:
    """The length of the only axis as `s`."""
    if n is None:
        return None
    length = whole_number("n", n)
    if length < 1:
        raise Error(f"n: {n}; valid is a positive length")
    return (length,)


def _converted(x: Array, is_complex: bool) -> Array:
    """With elements of a precision that Weft has, complex or as they are: as SciPy does, whole
    numbers and booleans in double precision."""
    dtype = np.dtype(float) if x.dtype.kind in "biu" else x.dtype
    precision_of(dtype)
    dtype = np.result_type(dtype, np.complex64) if is_complex else dtype
    return x if x.dtype == dtype else x.astype(dtype)


def _with_lengths(
    shape: Sequence[int], axes: Sequence[int], lengths: Sequence[int] | None
) -> list[int]:
    result = list(shape)
    for axis, length in zip(axes, lengths or ()):
        result[axis] = length
    return result


# ---- Fourier transforms -------------------------------------------------------------------------


@dataclass(frozen=True)
class _Fourier:
    """How a transform differs from others: hfft is irfft of the conjugate, ihfft the conjugate of
    rfft, each with the other direction's norm."""

    sentence: str
    kind: str
    is_inverse: bool = False
    is_hermitian: bool = False


_FOURIER = {
    "fft": _Fourier("The discrete Fourier transform", "c2c"),
    "ifft": _Fourier("The inverse of the discrete Fourier transform", "c2c", is_inverse=True),
    "rfft": _Fourier(
        "The discrete Fourier transform of real numbers, whose last axis is halved", "r2c"
    ),
    "irfft": _Fourier(
        "The inverse of rfft; it restores an odd length where rfft has made x",
        "r2c",
        is_inverse=True,
    ),
    "hfft": _Fourier(
        "The real transform of an array with Hermitian symmetry",
        "r2c",
        is_inverse=True,
        is_hermitian=True,
    ),
    "ihfft": _Fourier("The inverse of the transform of Hermitian arrays", "r2c", is_hermitian=True),
}
_OTHER_NORM = {None: "forward", "backward": "forward", "ortho": "ortho", "forward": "backward"}


def _real_length(x: Array, axis: int) -> int:
    """The length of the real axis behind a halved one: as the transform that made it had, else an
    even one."""
    space = x.space
    if (
        space
        and space.is_spectrum
        and space.transform.kinds[axis] == "r2c"
        and space.layouts[1].shape == x.shape
    ):
        return space.transform.shape[axis]
    return max(2 * (x.shape[axis] - 1), 1)


def _fourier(name: str, x: Any, s: Any, axes: Any, norm: str | None, how: _How) -> Array:
    what = _FOURIER[name]
    numbers, lengths = _checked(x, s, axes)
    if what.kind == "r2c" and not numbers:
        raise Error("axes: at least one axis must be transformed")
    if what.kind == "r2c" and not what.is_inverse and x.dtype.kind == "c":
        raise Error(f"x: has the dtype {x.dtype}; valid are real numbers")
    x = _converted(x, is_complex=what.kind == "c2c" or what.is_inverse)
    if not numbers:
        return x.copy()
    if what.is_hermitian:
        norm = _OTHER_NORM.get(norm, norm)
        x = x.conj() if what.is_inverse else x
    shape = _with_lengths(x.shape, numbers, lengths)
    if what.kind == "r2c" and what.is_inverse and lengths is None:
        shape[numbers[-1]] = _real_length(x, numbers[-1])
    transform = Transform(shape, what.kind, axes=numbers, dtype=x.dtype)
    space = x.space
    x = resized(x, transform.spectral_shape if what.is_inverse else shape)
    x.space = x.space or space
    result = _run(x, transform, what.is_inverse, norm, how)
    return result.conj() if what.is_hermitian and not what.is_inverse else result


def _named(function: Callable, name: str, docstring: str) -> Callable:
    """Gives a function that another one has made its name and docstring."""
    function.__name__ = function.__qualname__ = name
    function.__doc__ = docstring
    return function


def _as_in_scipy(function: Callable, name: str, sentence: str) -> Callable:
    return _named(function, name, f"{sentence}. The arguments are those of scipy.fft.{name}.")


def _along_one(name: str) -> Callable[..., Array]:
    def function(
        x: Array,
        n: int | None = None,
        axis: int = -1,
        norm: str | None = None,
        overwrite_x: bool = False,
        workers: int | None = None,
        *,
        plan: Plan | None = None,
        options: Options = None,
    ) -> Array:
        return _fourier(name, x, _one_length(n), (axis,), norm, _How(workers, plan, options))

    return _as_in_scipy(function, name, f"{_FOURIER[name].sentence}, along one axis")


def _along_several(
    name: str, suffix: str, number: str, default: Sequence[int] | None
) -> Callable[..., Array]:
    def function(
        x: Array,
        s: Sequence[int] | None = None,
        axes: Sequence[int] | None = default,
        norm: str | None = None,
        overwrite_x: bool = False,
        workers: int | None = None,
        *,
        plan: Plan | None = None,
        options: Options = None,
    ) -> Array:
        return _fourier(name, x, s, axes, norm, _How(workers, plan, options))

    return _as_in_scipy(function, name + suffix, f"{_FOURIER[name].sentence}, along {number} axes")


fft, ifft, rfft, irfft, hfft, ihfft = map(_along_one, _FOURIER)
fft2, ifft2, rfft2, irfft2, hfft2, ihfft2 = (
    _along_several(name, "2", "two", (-2, -1)) for name in _FOURIER
)
fftn, ifftn, rfftn, irfftn, hfftn, ihfftn = (
    _along_several(name, "n", "several", None) for name in _FOURIER
)


# ---- Cosines and sines --------------------------------------------------------------------------

_WALLS = {
    "dct": "The discrete cosine transform of types 1 to 4",
    "idct": "The inverse of the discrete cosine transform of types 1 to 4",
    "dst": "The discrete sine transform of types 1 to 4",
    "idst": "The inverse of the discrete sine transform of types 1 to 4",
}


def _walls(
    name: str,
    x: Any,
    type: int,
    s: Any,
    axes: Any,
    norm: str | None,
    orthogonalize: bool | None,
    how: _How,
) -> Array:
    numbers, lengths = _checked(x, s, axes)
    if type not in (1, 2, 3, 4):
        raise Error(f"type: {type}; valid are 1 to 4")
    x = _converted(x, is_complex=False)
    if x.dtype.kind == "c":  # both parts alike
        parts = [
            _walls(name, one, type, s, axes, norm, orthogonalize, how) for one in (x.real, x.imag)
        ]
        return parts[0] + 1j * parts[1]
    if not numbers:
        return x.copy()
    shape = _with_lengths(x.shape, numbers, lengths)
    is_orthogonal = norm == "ortho" if orthogonalize is None else orthogonalize
    transform = Transform(
        shape,
        f"{name[-3:]}{type}",
        axes=numbers,
        dtype=x.dtype,
        norm="ortho" if is_orthogonal else "backward",
    )
    return _run(resized(x, shape), transform, name.startswith("i"), norm, how)


def _walls_along_one(name: str) -> Callable[..., Array]:
    def function(
        x: Array,
        type: int = 2,
        n: int | None = None,
        axis: int = -1,
        norm: str | None = None,
        overwrite_x: bool = False,
        workers: int | None = None,
        orthogonalize: bool | None = None,
        *,
        plan: Plan | None = None,
        options: Options = None,
    ) -> Array:
        return _walls(
            name,
            x,
            type,
            _one_length(n),
            (axis,),
            norm,
            orthogonalize,
            _How(workers, plan, options),
        )

    return _as_in_scipy(function, name, f"{_WALLS[name]}, along one axis")


def _walls_along_several(name: str) -> Callable[..., Array]:
    def function(
        x: Array,
        type: int = 2,
        s: Sequence[int] | None = None,
        axes: Sequence[int] | None = None,
        norm: str | None = None,
        overwrite_x: bool = False,
        workers: int | None = None,
        *,
        orthogonalize: bool | None = None,
        plan: Plan | None = None,
        options: Options = None,
    ) -> Array:
        return _walls(name, x, type, s, axes, norm, orthogonalize, _How(workers, plan, options))

    return _as_in_scipy(function, f"{name}n", f"{_WALLS[name]}, along several axes")


dct, idct, dst, idst = map(_walls_along_one, _WALLS)
dctn, idctn, dstn, idstn = map(_walls_along_several, _WALLS)


# ---- Helpers ------------------------------------------------------------------------------------


def fftshift(x: Array, axes: int | Sequence[int] | None = None) -> Array:
    """Moves wavenumber 0 to the middle of each axis."""
    return rolled(x, {axis: x.shape[axis] // 2 for axis in axes_of(x, axes)})


def ifftshift(x: Array, axes: int | Sequence[int] | None = None) -> Array:
    """Undoes fftshift."""
    return rolled(x, {axis: -(x.shape[axis] // 2) for axis in axes_of(x, axes)})


def next_fast_len(target: int, real: bool = False) -> int:
    """The smallest length from `target` on without large prime factors: 11 is the largest, 5 of
    real transforms."""
    return _fast_length(target, real, 0, 1)


def prev_fast_len(target: int, real: bool = False) -> int:
    """The largest length up to `target` without large prime factors."""
    return _fast_length(target, real, 1, -1)


def _fast_length(target: int, real: bool, least: int, step: int) -> int:
    target = whole_number("target", target)
    if target < least:
        raise Error(f"target: {target}; valid is {least} or more")
    while True:
        rest = target
        for factor in (2, 3, 5) if real else (2, 3, 5, 7, 11):
            while rest > 1 and rest % factor == 0:
                rest //= factor
        if rest <= 1:
            return target
        target += step


# fmt: off
__all__ = [
    "fft", "ifft", "rfft", "irfft", "hfft", "ihfft", "fft2", "ifft2", "rfft2", "irfft2", "hfft2",
    "ihfft2", "fftn", "ifftn", "rfftn", "irfftn", "hfftn", "ihfftn", "dct", "idct", "dst", "idst",
    "dctn", "idctn", "dstn", "idstn", "fftfreq", "rfftfreq", "fftshift", "ifftshift",
    "next_fast_len", "prev_fast_len", "set_workers", "get_workers",
]
# fmt: on
