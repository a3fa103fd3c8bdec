"""Aligned arrays, and FFTW's flags: programs name these, and Weft has no use for them."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import DTypeLike

FFTW_MEASURE = 0
FFTW_DESTROY_INPUT = 1
FFTW_UNALIGNED = 2
FFTW_CONSERVE_MEMORY = 4
FFTW_EXHAUSTIVE = 8
FFTW_PRESERVE_INPUT = 16
FFTW_PATIENT = 32
FFTW_ESTIMATE = 64

flag_dict = {name: flag for name, flag in globals().items() if name.startswith("FFTW_")}


def get_alignment(array: np.ndarray) -> int:
    """The largest power of two up to 32 that divides the array's address."""
    address = array.ctypes.data
    return min(address & -address, 32) or 32


def aligned(
    shape: int | Sequence[int], n: int = 32, dtype: DTypeLike = float, fill: complex | None = None
) -> np.ndarray:
    """A new array at an address that n divides, filled where `fill` is a number."""
    kind = np.dtype(dtype)
    size = int(np.prod(shape)) * kind.itemsize
    memory = np.empty(size + n, np.uint8)
    first = -memory.ctypes.data % n
    array = memory[first : first + size].view(kind).reshape(shape)
    if fill is not None:
        array[...] = fill
    return array


def aligned_like(z: np.ndarray, fill: complex | None = None) -> np.ndarray:
    """A new array with the alignment, shape and dtype of another."""
    return aligned(z.shape, get_alignment(z), z.dtype, fill)
