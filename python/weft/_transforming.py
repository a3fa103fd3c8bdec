"""What all calls of weft.fft share: their numbers of threads, norms, lengths and plans, and the
docstrings of functions that are made from a table."""

import math
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np

from ._arguments import whole_number, whole_numbers
from ._core import Error
from .array import Array
from .plan import Plan
from .plan_cache import cached_plan
from .shifting import axes_of
from .transform import Transform, options_text, precision_of

Options = str | Mapping[str, Any] | None
Function = TypeVar("Function", bound=Callable[..., Any])

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
    """Within this context, calls use that many threads on each rank.

    >>> with weft.fft.set_workers(2):
    ...     spectrum = weft.fft.fftn(weft.ones((4, 6)))
    """
    token = _workers.set(_checked_workers(workers))
    try:
        yield
    finally:
        _workers.reset(token)


def get_workers() -> int:
    """The number of threads on each rank that calls use.

    >>> weft.fft.get_workers()
    1
    """
    return _workers.get()


@dataclass(frozen=True)
class How:
    """The arguments of a call that say how a transform is computed, and not which."""

    workers: int | None
    plan: Plan | None
    options: Options

    def text(self) -> str:
        threads = get_workers() if self.workers is None else _checked_workers(self.workers)
        return options_text(self.options, {} if threads == 1 else {"threads": threads})


def factor(norm: str | None, size: float, is_inverse: bool) -> float:
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


def run(x: Array, transform: Transform, is_inverse: bool, norm: str | None, how: How) -> Array:
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
    direction = plan.backward if is_inverse else plan.forward
    return direction(
        x, None, factor(norm, size, is_inverse) / factor(plan.transform.norm, size, is_inverse)
    )


def checked(
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


def one_length(n: int | None) -> tuple[int] | None:
    """The length of the only axis as `s`."""
    if n is None:
        return None
    length = whole_number("n", n)
    if length < 1:
        raise Error(f"n: {n}; valid is a positive length")
    return (length,)


def converted(x: Array, is_complex: bool) -> Array:
    """With elements of a precision that Weft has, complex or as they are: as SciPy does, whole
    numbers and booleans in double precision."""
    dtype = np.dtype(float) if x.dtype.kind in "biu" else x.dtype
    precision_of(dtype)
    dtype = np.result_type(dtype, np.complex64) if is_complex else dtype
    return x if x.dtype == dtype else x.astype(dtype)


def with_lengths(
    shape: Sequence[int], axes: Sequence[int], lengths: Sequence[int] | None
) -> list[int]:
    result = list(shape)
    for axis, length in zip(axes, lengths or ()):
        result[axis] = length
    return result


def named(function: Function, name: str, docstring: str) -> Function:
    """Gives a function that another one has made its name and docstring."""
    made: Any = function
    made.__name__ = made.__qualname__ = name
    made.__doc__ = docstring
    return function


def as_in_scipy(
    function: Function, name: str, sentence: str, example: tuple[Sequence[int], Sequence[int]]
) -> Function:
    """The function as weft.fft.name. example: the shapes of an argument and of the result."""
    given, result = example
    made: Any = function
    made.__module__ = "weft.fft"
    return named(
        function,
        name,
        f"""{sentence}. The arguments are those of scipy.fft.{name}.

        >>> weft.fft.{name}(weft.ones({given})).shape
        {result}
        """,
    )


def of_local_parts(function: Function, name: str, package: str, original: str) -> Function:
    """The function as PACKAGE.name, for ORIGINAL.name of an array that is distributed."""
    kind = name.rstrip("2n")
    inverse = name[1:] if name.startswith("i") else f"i{name}"
    last = {"rfft": 3, "irfft": 6}.get(kind, 4)
    return named(
        function,
        name,
        f"""{original}.{name} of this rank's part of an array; see {package}. Collective.

        >>> x = {original.removesuffix(".fft")}.ones((2, 4))
        >>> y = {package}.{name}(x)
        >>> tuple(y.shape)
        (2, {last})
        >>> bool(abs({package}.{inverse}(y) - x).max() < 1e-5)
        True
        """,
    )
