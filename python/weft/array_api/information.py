"""What the standard lets a program ask: types, their limits, and the abilities of this namespace."""

from typing import Any

import numpy as np
from numpy.typing import DTypeLike

from ..array import Array
from .creation import require_host

VERSIONS = ("2021.12", "2022.12", "2023.12", "2024.12")


class __array_namespace_info__:
    """NumPy's answers, but for the abilities that distributed arrays lack."""

    def __init__(self) -> None:
        self._numpy: Any = np.__array_namespace_info__()

    def capabilities(self) -> dict[str, Any]:
        """No masks as indices, no shapes that depend on values, and at most 8 axes."""
        return {"boolean indexing": False, "data-dependent shapes": False, "max dimensions": 8}

    def default_device(self) -> str:
        """The processors of the ranks."""
        return "cpu"

    def devices(self) -> list[str]:
        """The only one."""
        return ["cpu"]

    def default_dtypes(self, *, device: str | None = None) -> dict[str, Any]:
        """The type of each kind of numbers where none is given."""
        return self._numpy.default_dtypes(device=device)

    def dtypes(self, *, device: str | None = None, kind: Any = None) -> dict[str, Any]:
        """The types of a kind, by their names."""
        return self._numpy.dtypes(device=device, kind=kind)


def astype(x: Any, dtype: DTypeLike, /, *, copy: bool = True, device: str | None = None) -> Any:
    """The elements in another type.

    >>> xp = weft.ones((4, 6)).__array_namespace__()
    >>> xp.astype(weft.ones((4, 6)), xp.int32).dtype
    dtype('int32')
    """
    require_host(device)
    if not copy and x.dtype == dtype:
        return x
    return x.astype(dtype)


def _type_of(x: Any) -> Any:
    return x.dtype if isinstance(x, Array | np.ndarray) else x


def can_cast(from_: Any, to: DTypeLike, /) -> bool:
    """Whether elements keep their values in the type `to`, by the types alone.

    >>> xp = weft.ones((4, 6)).__array_namespace__()
    >>> xp.can_cast(weft.ones((4, 6), "f4"), "f8")
    True
    """
    return np.can_cast(_type_of(from_), to)


def finfo(type: Any, /) -> Any:
    """The limits of a type of real or complex numbers, or of an array's.

    >>> xp = weft.ones((4, 6)).__array_namespace__()
    >>> xp.finfo(weft.ones((4, 6))).bits
    64
    """
    return np.finfo(_type_of(type))


def iinfo(type: Any, /) -> Any:
    """The limits of a type of integers, or of an array's.

    >>> xp = weft.ones((4, 6)).__array_namespace__()
    >>> xp.iinfo(weft.ones((4, 6), "i4")).max
    2147483647
    """
    return np.iinfo(_type_of(type))
