"""Weft: FFTs of arrays that are distributed over MPI ranks.

    import weft
    u = weft.zeros((256, 256, 256))       # a NumPy array that spans MPI.COMM_WORLD
    spectrum = weft.rfftn(u)
    u = weft.irfftn(spectrum)

weft.fft has all names of scipy.fft, weft.Plan is for loops, weft.spectral for solvers; docs/python.md explains the rest.
"""
from . import _abort, _load

_core = _load.load_core()

from . import fft, scipy_backend, spectral  # noqa: E402
from ._core import Box, Error, Layout  # noqa: E402
from .array import Array  # noqa: E402
from .create import (empty, from_function, from_global, from_local, full, gather_layout, ones, zeros)  # noqa: E402
from .fft import (dctn, dstn, fft2, fftn, fftshift, idctn, idstn, ifft2, ifftn, ifftshift, irfft2, irfftn, rfft2,  # noqa: E402
                  rfftn)
from .files import load  # noqa: E402
from .functions import Line, LineFunction, Lines, LinesFunction  # noqa: E402
from .plan import Handle, Plan, Span, Trace  # noqa: E402
from .transform import Transform  # noqa: E402
from .tuning import Trial, describe, engine_names, exchange_names, option_keys, tune  # noqa: E402

__version__: str = _core.version()
_abort.install()
