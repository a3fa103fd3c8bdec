"""Weft: FFTs of arrays that are distributed over MPI ranks.

>>> import weft
>>> u = weft.zeros((32, 32, 32))  # a NumPy array that spans MPI.COMM_WORLD
>>> spectrum = weft.rfftn(u)
>>> u = weft.irfftn(spectrum)

weft.fft has all names of scipy.fft, weft.Plan is for loops, weft.spectral for solvers;
docs/python.md explains the rest. Examples in docstrings give the same on any number of ranks; they
import weft, numpy as np, and MPI from mpi4py.
"""

from . import _load  # noqa: F401 - first: it brings in the extension that the others import from

# isort: split
from . import _abort, fft, numpy_functions, scipy_backend, spectral  # noqa: F401
from ._core import Box, Error, Layout, version
from .array import Array
from .create import empty, from_function, from_global, from_local, full, gather_layout, ones, zeros
from .device_array import DeviceArray
from .fft import (
    dctn,
    dstn,
    fft2,
    fftn,
    fftshift,
    idctn,
    idstn,
    ifft2,
    ifftn,
    ifftshift,
    irfft2,
    irfftn,
    rfft2,
    rfftn,
)
from .files import load
from .functions import Line, LineFunction, Lines, LinesFunction
from .halo import Halo
from .handle import Handle
from .plan import Plan
from .trace import Span, Trace
from .transform import Transform
from .tuning import Trial, describe, engine_names, exchange_names, option_keys, place, tune

# fmt: off
__all__ = [
    "Array", "Box", "DeviceArray", "Error", "Halo", "Handle", "Layout", "Line", "LineFunction",
    "Lines", "LinesFunction", "Plan", "Span", "Trace", "Transform", "Trial", "dctn", "describe", "dstn",
    "empty", "engine_names", "exchange_names", "fft", "fft2", "fftn", "fftshift", "from_function",
    "from_global", "from_local", "full", "gather_layout", "idctn", "idstn", "ifft2", "ifftn",
    "ifftshift", "irfft2", "irfftn", "load", "ones", "option_keys", "place", "rfft2", "rfftn",
    "scipy_backend", "spectral", "tune", "zeros",
]
# fmt: on
__version__: str = version()
_abort.install()
