"""For scipy.fft.set_backend(weft.scipy_backend): scipy.fft's functions take a weft.Array. A module
is a backend, since SciPy asks for the two names below.

>>> import scipy.fft
>>> with scipy.fft.set_backend(weft.scipy_backend):
...     scipy.fft.rfftn(weft.ones((4, 6))).shape
(4, 4)
"""

from collections.abc import Callable
from typing import Any

from . import fft
from .array import Array

__ua_domain__ = "numpy.scipy.fft"


def __ua_function__(
    method: Callable[..., Any], arguments: tuple[Any, ...], settings: dict[str, Any]
) -> Any:
    function = getattr(fft, method.__name__, None)
    if function is None or not arguments or not isinstance(arguments[0], Array):
        return NotImplemented
    return function(*arguments, **settings)
