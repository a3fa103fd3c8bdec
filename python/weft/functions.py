"""Functions of C that change a spectrum line by line, for Plan.apply: the structures that they are
given, as ctypes."""

import ctypes
from typing import Any

from ._core import Error


class Line(ctypes.Structure):
    """Consecutive modes along one axis; weft_line in weft.h.

    >>> sizes = []
    >>> def note(line, user):
    ...     sizes.append(line.contents.count)
    >>> plan = weft.Plan((4, 6), "r2c")
    >>> u = plan.apply(plan.make_input(), function=weft.LineFunction(note))
    >>> MPI.COMM_WORLD.allreduce(sum(sizes))  # all 4 x 4 modes
    16
    """

    _fields_ = [
        ("values", ctypes.c_void_p),
        ("count", ctypes.c_int64),
        ("axis", ctypes.c_int),
        ("wavenumbers", ctypes.POINTER(ctypes.c_double)),
        ("at", ctypes.POINTER(ctypes.c_double)),
    ]


class Lines(ctypes.Structure):
    """The same modes of several fields; weft_lines in weft.h.

    >>> sizes = []
    >>> def note(lines, user):
    ...     sizes.append(lines.contents.count)
    >>> plan = weft.Plan((4, 6), "r2c", fields=2)
    >>> u, v = plan.apply([plan.make_input(), plan.make_input()], function=weft.LinesFunction(note))
    >>> MPI.COMM_WORLD.allreduce(sum(sizes))  # all 4 x 4 modes, of both fields together
    16
    """

    _fields_ = [
        ("values", ctypes.POINTER(ctypes.c_void_p)),
        ("fields", ctypes.c_int),
        ("count", ctypes.c_int64),
        ("axis", ctypes.c_int),
        ("wavenumbers", ctypes.POINTER(ctypes.c_double)),
        ("at", ctypes.POINTER(ctypes.c_double)),
    ]


LineFunction: Any = ctypes.CFUNCTYPE(None, ctypes.POINTER(Line), ctypes.c_void_p)
LinesFunction: Any = ctypes.CFUNCTYPE(None, ctypes.POINTER(Lines), ctypes.c_void_p)


def address_of(function: Any) -> int:
    """The address of a function of C: of numba's cfunc, of ctypes, or the number itself."""
    if isinstance(function, int):
        return function
    if hasattr(function, "address"):
        return int(function.address)
    if isinstance(function, ctypes._CFuncPtr):  # type: ignore[attr-defined]
        return ctypes.cast(function, ctypes.c_void_p).value or 0
    raise Error(
        f"function: {type(function).__name__}; valid are the name of an operator, a cfunc, "
        "a function of ctypes, and an address"
    )
