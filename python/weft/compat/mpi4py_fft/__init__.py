"""mpi4py-fft's names on Weft; neither mpi4py-fft nor FFTW is needed. A program changes its import
line, or calls install(), or is started by `python -m weft.compat.mpi4py_fft SCRIPT`.

    from weft.compat.mpi4py_fft import PFFT, newDistArray
"""

import sys

from ..._core import Error
from . import distarray, fftw, io, libfft, mpifft, pencil
from .distarray import DistArray, Function, newDistArray
from .fftw import fftlib
from .io import HDF5File, NCFile, generate_xdmf
from .mpifft import PFFT
from .pencil import Pencil, Subcomm

# fmt: off
__all__ = [
    "DistArray", "Function", "HDF5File", "NCFile", "PFFT", "Pencil", "Subcomm", "distarray",
    "fftlib", "fftw", "generate_xdmf", "install", "io", "libfft", "mpifft", "newDistArray", "pencil",
]
# fmt: on
__version__ = "2.0.6"  # of mpi4py-fft, whose names these are


def install() -> None:
    """From now on, `import mpi4py_fft` and imports of its submodules give this package, also in
    packages that build on mpi4py-fft. To be called before the first of these imports, else an
    Error. A second call does nothing."""
    present = sys.modules.get("mpi4py_fft")
    if present is sys.modules[__name__]:
        return
    if present is not None:
        raise Error(
            f"install: mpi4py_fft has been imported from {present.__file__}; valid is to call "
            "weft.compat.mpi4py_fft.install() before"
        )
    for name, module in list(sys.modules.items()):
        if f"{name}.".startswith(f"{__name__}."):
            sys.modules["mpi4py_fft" + name.removeprefix(__name__)] = module
