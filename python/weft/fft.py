"""All names of scipy.fft for weft.Array, with SciPy's definitions. Plans are made on their first
use and kept.

Every call is collective over the array's communicator. `workers` is the number of threads of each
rank, `plan` a weft.Plan to use instead of a kept one, `options` as for weft.Plan; overwrite_x is
accepted, but nothing is overwritten. The planner chooses the layout of the result; `redistribute`
brings it into another one.

>>> u = weft.ones((4, 6))
>>> spectrum = weft.fft.rfftn(u, norm="ortho")
>>> weft.fft.irfftn(spectrum, norm="ortho").shape
(4, 6)
"""

from collections.abc import Sequence

from numpy.fft import fftfreq, rfftfreq

from ._arguments import whole_number
from ._core import Error
from ._transforming import get_workers, set_workers
from .array import Array
from .fourier import (
    fft,
    fft2,
    fftn,
    hfft,
    hfft2,
    hfftn,
    ifft,
    ifft2,
    ifftn,
    ihfft,
    ihfft2,
    ihfftn,
    irfft,
    irfft2,
    irfftn,
    rfft,
    rfft2,
    rfftn,
)
from .shifting import axes_of, rolled
from .walls import dct, dctn, dst, dstn, idct, idctn, idst, idstn


def fftshift(x: Array, axes: int | Sequence[int] | None = None) -> Array:
    """Moves wavenumber 0 to the middle of each axis.

    >>> print(weft.fft.fftshift(weft.from_global([0, 1, 2, 3, 4])).gather(None))
    [3 4 0 1 2]
    """
    return rolled(x, {axis: x.shape[axis] // 2 for axis in axes_of(x, axes)})


def ifftshift(x: Array, axes: int | Sequence[int] | None = None) -> Array:
    """Undoes fftshift.

    >>> print(weft.fft.ifftshift(weft.from_global([3, 4, 0, 1, 2])).gather(None))
    [0 1 2 3 4]
    """
    return rolled(x, {axis: -(x.shape[axis] // 2) for axis in axes_of(x, axes)})


def next_fast_len(target: int, real: bool = False) -> int:
    """The smallest length from `target` on without large prime factors: 11 is the largest, 5 of
    real transforms.

    >>> weft.fft.next_fast_len(97)
    98
    """
    return _fast_length(target, real, 0, 1)


def prev_fast_len(target: int, real: bool = False) -> int:
    """The largest length up to `target` without large prime factors.

    >>> weft.fft.prev_fast_len(97)
    96
    """
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
