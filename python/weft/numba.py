"""Functions of the spectrum, compiled by numba for Plan.apply. Import it where numba is installed.

>>> import weft.numba
>>> @weft.numba.line_function()
... def smooth(values, axis, wavenumbers, at):  # consecutive modes along `axis`
...     values *= np.exp(-(wavenumbers**2))  # at[a]: the wavenumber along each other axis a
>>> plan = weft.Plan((8, 8), "r2c")
>>> v = plan.apply(plan.make_input(), function=smooth)
"""

from collections.abc import Callable
from typing import Any

import numba
import numpy as np
from numba import types
from numba.extending import intrinsic
from numpy.typing import DTypeLike

from .transform import precision_of

MOST_AXES = 6

# weft_line of weft.h; numba's records hold no pointers, but numbers as long as these.
_line = types.Record.make_c_struct(
    [
        ("values", types.intp),
        ("count", types.int64),
        ("axis", types.intc),
        ("wavenumbers", types.intp),
        ("at", types.intp),
    ]
)


def _as_pointer(typing_context: Any, address: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.inttoptr(arguments[0], context.get_value_type(signature.return_type))

    return types.voidptr(types.intp), generate


# As Numba compiles them, which types of Python do not say.
_pointer: Any = intrinsic(_as_pointer)
_array: Any = numba.carray  # type: ignore[attr-defined]


def line_function(dtype: DTypeLike = complex) -> Callable[[Callable], Any]:
    """Compiles function(values, axis, wavenumbers, at), which changes the array `values` in place.
    dtype: of the spectrum's elements; an Error unless Weft has them.

    >>> @weft.numba.line_function()
    ... def double(values, axis, wavenumbers, at):
    ...     values *= 2
    >>> plan = weft.Plan((4, 6), "r2c")
    >>> u = plan.make_input()
    >>> u.local[...] = 1
    >>> print(plan.apply(u, function=double).at[0, 0].round(6))
    2.0
    """
    precision_of(dtype)
    element = numba.from_dtype(np.dtype(dtype))

    def compiled(function: Callable) -> Any:
        inner = numba.njit(function)

        @numba.cfunc(types.void(types.CPointer(_line), types.voidptr))
        def call(given: Any, user: Any) -> None:
            line = _array(given, 1)[0]
            values = _array(_pointer(line.values), (line.count,), element)
            wavenumbers = _array(_pointer(line.wavenumbers), (line.count,), types.float64)
            at = _array(_pointer(line.at), (MOST_AXES,), types.float64)
            inner(values, line.axis, wavenumbers, at)

        return call

    return compiled
