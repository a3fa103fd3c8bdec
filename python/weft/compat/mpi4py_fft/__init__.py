"""mpi4py-fft's names on Weft, for programs that change their import line alone: neither mpi4py-fft
nor FFTW is needed. accelerate() instead keeps an installed mpi4py-fft, and runs its PFFTs on Weft.

    from weft.compat.mpi4py_fft import PFFT, newDistArray
"""

from typing import TYPE_CHECKING, Any

from . import distarray, fftw, io, libfft, mpifft, pencil
from .distarray import DistArray, Function, newDistArray
from .fftw import fftlib
from .io import HDF5File, NCFile, generate_xdmf
from .mpifft import PFFT
from .pencil import Pencil, Subcomm

if TYPE_CHECKING:
    from .accelerator import AcceleratedTransform, Report, accelerate, report

# fmt: off
__all__ = [
    "AcceleratedTransform", "DistArray", "Function", "HDF5File", "NCFile", "PFFT", "Pencil",
    "Report", "Subcomm", "accelerate", "distarray", "fftlib", "fftw", "generate_xdmf", "io",
    "libfft", "mpifft", "newDistArray", "pencil", "report",
]
# fmt: on
__version__ = "2.0.6"  # of mpi4py-fft, whose names these are


def __getattr__(name: str) -> Any:
    """Imports the names that need an installed mpi4py-fft when they are first asked for."""
    if name in ("AcceleratedTransform", "Report", "accelerate", "report"):
        from . import accelerator

        return getattr(accelerator, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
