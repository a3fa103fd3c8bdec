"""The names of mpi4py_fft.fftw that PFFT's `transforms` and programs use; Weft computes, and there
is neither FFTW's wisdom nor long double."""

import numpy as np
from numpy.typing import DTypeLike

from .utilities import (
    FFTW_CONSERVE_MEMORY,
    FFTW_DESTROY_INPUT,
    FFTW_ESTIMATE,
    FFTW_EXHAUSTIVE,
    FFTW_MEASURE,
    FFTW_PATIENT,
    FFTW_PRESERVE_INPUT,
    FFTW_UNALIGNED,
    aligned,
    aligned_like,
    flag_dict,
    get_alignment,
)
from .xfftn import FFT, dctn, dstn, fftn, idctn, idstn, ifftn, irfftn, rfftn

# fmt: off
__all__ = [
    "FFT", "FFTW_CONSERVE_MEMORY", "FFTW_DESTROY_INPUT", "FFTW_ESTIMATE", "FFTW_EXHAUSTIVE",
    "FFTW_MEASURE", "FFTW_PATIENT", "FFTW_PRESERVE_INPUT", "FFTW_UNALIGNED", "aligned",
    "aligned_like", "cleanup", "dctn", "dstn", "export_wisdom", "fftlib", "fftn", "flag_dict",
    "forget_wisdom", "get_alignment", "get_fftw_lib", "idctn", "idstn", "ifftn", "import_wisdom",
    "irfftn", "rfftn", "set_timelimit",
]
# fmt: on

fftlib = {"F": "weft", "D": "weft"}  # the library, by the character of the complex dtype


def get_fftw_lib(dtype: DTypeLike) -> str | None:
    """The library that computes transforms of that precision; None for long double."""
    return fftlib.get(np.dtype(dtype).char.upper())


def _nothing(*arguments: object) -> None:
    """Does nothing: programs call it around FFTW's planning, and Weft plans by itself."""


import_wisdom = export_wisdom = forget_wisdom = set_timelimit = cleanup = _nothing
