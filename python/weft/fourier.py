"""The Fourier transforms of weft.fft, made from a table: of complex, real and Hermitian arrays, along
one axis, two or several."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from ._core import Error
from ._transforming import (
    How,
    Options,
    as_in_scipy,
    checked,
    converted,
    one_length,
    run,
    with_lengths,
)
from .array import Array
from .plan import Plan
from .resizing import resized
from .transform import Transform


@dataclass(frozen=True)
class _Fourier:
    """How a transform differs from others: hfft is irfft of the conjugate, ihfft the conjugate of
    rfft, each with the other direction's norm."""

    sentence: str
    kind: str
    is_inverse: bool = False
    is_hermitian: bool = False

    @property
    def example(self) -> tuple[tuple[int, int], tuple[int, int]]:
        """The shapes of an argument and its result."""
        ends = (4, 6), (4, 4 if self.kind == "r2c" else 6)
        return (ends[1], ends[0]) if self.is_inverse else ends


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


def _fourier(name: str, x: Any, s: Any, axes: Any, norm: str | None, how: How) -> Array:
    what = _FOURIER[name]
    numbers, lengths = checked(x, s, axes)
    if what.kind == "r2c" and not numbers:
        raise Error("axes: at least one axis must be transformed")
    if what.kind == "r2c" and not what.is_inverse and x.dtype.kind == "c":
        raise Error(f"x: has the dtype {x.dtype}; valid are real numbers")
    x = converted(x, is_complex=what.kind == "c2c" or what.is_inverse)
    if not numbers:
        return x.copy()
    if what.is_hermitian:
        norm = _OTHER_NORM.get(norm, norm)
        x = x.conj() if what.is_inverse else x
    shape = with_lengths(x.shape, numbers, lengths)
    if what.kind == "r2c" and what.is_inverse and lengths is None:
        shape[numbers[-1]] = _real_length(x, numbers[-1])
    transform = Transform(shape, what.kind, axes=numbers, dtype=x.dtype)
    space = x.space
    x = resized(x, transform.spectral_shape if what.is_inverse else shape)
    x.space = x.space or space
    result = run(x, transform, what.is_inverse, norm, how)
    return result.conj() if what.is_hermitian and not what.is_inverse else result


class AlongOne(Protocol):
    """A transform along one axis."""

    def __call__(
        self,
        x: Array,
        n: int | None = None,
        axis: int = -1,
        norm: str | None = None,
        overwrite_x: bool = False,
        workers: int | None = None,
        *,
        plan: Plan | None = None,
        options: Options = None,
    ) -> Array: ...


class AlongSeveral(Protocol):
    """A transform along several axes."""

    def __call__(
        self,
        x: Array,
        s: Sequence[int] | None = None,
        axes: Sequence[int] | None = ...,
        norm: str | None = None,
        overwrite_x: bool = False,
        workers: int | None = None,
        *,
        plan: Plan | None = None,
        options: Options = None,
    ) -> Array: ...


def _along_one(name: str) -> AlongOne:
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
        return _fourier(name, x, one_length(n), (axis,), norm, How(workers, plan, options))

    what = _FOURIER[name]
    return as_in_scipy(function, name, f"{what.sentence}, along one axis", what.example)


def _along_several(
    name: str, suffix: str, number: str, default: Sequence[int] | None
) -> AlongSeveral:
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
        return _fourier(name, x, s, axes, norm, How(workers, plan, options))

    what = _FOURIER[name]
    return as_in_scipy(
        function, name + suffix, f"{what.sentence}, along {number} axes", what.example
    )


def _along_two(name: str) -> AlongSeveral:
    return _along_several(name, "2", "two", (-2, -1))


def _along_all(name: str) -> AlongSeveral:
    return _along_several(name, "n", "several", None)


fft: AlongOne = _along_one("fft")
ifft: AlongOne = _along_one("ifft")
rfft: AlongOne = _along_one("rfft")
irfft: AlongOne = _along_one("irfft")
hfft: AlongOne = _along_one("hfft")
ihfft: AlongOne = _along_one("ihfft")
fft2: AlongSeveral = _along_two("fft")
ifft2: AlongSeveral = _along_two("ifft")
rfft2: AlongSeveral = _along_two("rfft")
irfft2: AlongSeveral = _along_two("irfft")
hfft2: AlongSeveral = _along_two("hfft")
ihfft2: AlongSeveral = _along_two("ihfft")
fftn: AlongSeveral = _along_all("fft")
ifftn: AlongSeveral = _along_all("ifft")
rfftn: AlongSeveral = _along_all("rfft")
irfftn: AlongSeveral = _along_all("irfft")
hfftn: AlongSeveral = _along_all("hfft")
ihfftn: AlongSeveral = _along_all("ihfft")
