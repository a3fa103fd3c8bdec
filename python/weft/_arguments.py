"""Arguments as callers give them: numbers of Python and NumPy, arrays of them, layouts. An Error
names a wrong argument, its value and the valid ones."""

import operator
from typing import Any

import numpy as np

from ._core import Error, Layout


def whole_number(name: str, value: Any) -> int:
    """One whole number."""
    try:
        return operator.index(value)
    except TypeError:
        raise Error(f"{name}: {value!r}; valid is a whole number") from None


def whole_numbers(name: str, value: Any) -> tuple[int, ...]:
    """Whole numbers, of which one may stand alone."""
    try:
        return (operator.index(value),)
    except TypeError:
        pass
    try:
        return tuple(map(operator.index, value))
    except TypeError:
        raise Error(f"{name}: {value!r}; valid are whole numbers") from None


def real_numbers(value: Any) -> np.ndarray | None:
    """One real number or several, in double precision; None where they are something else."""
    try:
        numbers = np.asarray(value)
        return numbers.astype(float) if numbers.dtype.kind in "iufO" else None
    except (TypeError, ValueError):
        return None


def layout_of(name: str, value: Any) -> Layout:
    """A layout; the empty one, which is false, for None."""
    if value is None:
        return Layout()
    if not isinstance(value, Layout):
        raise Error(f"{name}: is a {type(value).__name__}; valid is a weft.Layout")
    return value


def require_ranges(layout: Layout, what: str) -> None:
    """An Error where an axis is dealt out to ranks, so that they hold no ranges of its indices."""
    if not layout.has_ranges:
        raise Error(
            f"{what}: cannot be done with the layout {layout!r}; valid are layouts in which ranks hold "
            "ranges of indices"
        )
