"""The functions of Python's array API standard 2024.12 for distributed arrays, as
`a.__array_namespace__()` returns them. Most are NumPy's own, which ask Weft about a weft.Array; the
names that need all elements on one rank are left out.

Beyond the standard, creation functions take comm= and layout=, as weft.zeros does. What differs is
in docs/python.md.

>>> xp = weft.ones((4, 6)).__array_namespace__()
>>> print(xp.sum(xp.sqrt(xp.full((4, 6), 4.0))))
48.0
"""

from typing import Any as _Any

import numpy as _numpy

from .. import fft  # noqa: F401
from . import linalg  # noqa: F401
from .creation import arange, asarray, empty, eye, full, linspace, meshgrid, ones, zeros  # noqa: F401
from .information import VERSIONS, __array_namespace_info__, astype, can_cast, finfo, iinfo  # noqa: F401
from .linalg import vecdot  # noqa: F401

_OF_NUMPY = """
    abs acos acosh add all any argmax argmin asin asinh atan atan2 atanh bitwise_and
    bitwise_invert bitwise_left_shift bitwise_or bitwise_right_shift bitwise_xor bool ceil clip
    complex128 complex64 concat conj copysign cos cosh count_nonzero divide e empty_like equal
    exp expand_dims expm1 flip float32 float64 floor floor_divide full_like greater
    greater_equal hypot imag inf int16 int32 int64 int8 isdtype isfinite isinf isnan less
    less_equal log log10 log1p log2 logaddexp logical_and logical_not logical_or logical_xor
    matrix_transpose max maximum mean min minimum moveaxis multiply nan negative newaxis
    nextafter not_equal ones_like permute_dims pi positive pow prod real reciprocal remainder
    result_type roll round sign signbit sin sinh sqrt square squeeze stack std subtract sum tan
    tanh tril triu trunc uint16 uint32 uint64 uint8 unstack var where zeros_like
"""

_NEED_ALL_ELEMENTS = frozenset(
    """
    argsort broadcast_arrays broadcast_to cumulative_prod cumulative_sum diff from_dlpack
    matmul nonzero repeat reshape searchsorted sort take take_along_axis tensordot tile unique_all
    unique_counts unique_inverse unique_values
    """.split()
)

__array_api_version__ = VERSIONS[-1]
# All of them since NumPy 2.1.
globals().update(
    {name: getattr(_numpy, name) for name in _OF_NUMPY.split() if hasattr(_numpy, name)}
)


def __getattr__(name: str) -> _Any:
    if hasattr(_numpy, name) and name not in _NEED_ALL_ELEMENTS:
        raise AttributeError(
            f"{name}: is no name of the standard; valid is np.{name}, of the array where "
            "docs/python.md names it, else of a.gather(), the whole array on one rank"
        )
    if name in _NEED_ALL_ELEMENTS:
        raise AttributeError(
            f"{name}: is not for a weft.Array, because its elements are spread over ranks; valid is "
            f"np.{name} of a.gather(), the whole array on one rank"
        )
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
