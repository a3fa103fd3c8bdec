"""Transforms and options, from Python's words to the texts that every language shares."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import DTypeLike

from . import _core
from ._arguments import whole_numbers
from ._core import Error

PRECISIONS = {"f": "float", "F": "float", "d": "double", "D": "double"}


def precision_of(dtype: DTypeLike) -> str:
    """'float' or 'double', of real or complex numbers of that dtype; an Error for others."""
    character = np.dtype(dtype).char
    if character not in PRECISIONS:
        raise Error(
            f"dtype: {np.dtype(dtype)}; valid are float32, float64, complex64 and complex128"
        )
    return PRECISIONS[character]


def text_of(value: Any, separator: str = ",") -> str:
    """A value as it stands in a text of settings: True as 1, lists with their separator."""
    if isinstance(value, (bool, np.bool_)):
        return str(int(value))
    if isinstance(value, str):
        return value
    if isinstance(value, Iterable):
        return separator.join(text_of(item) for item in value)
    return str(value)


def options_text(
    options: str | Mapping[str, Any] | None, settings: Mapping[str, Any] | None = None
) -> str:
    """The text of options given as a text, a mapping or keywords: grid=(2, 2) is "grid=2x2", and a
    list of exchanges has slashes between them."""
    words = [options] if isinstance(options, str) else []
    separators = {"grid": "x", "exchange": "/"}
    for key, value in {
        **(options if isinstance(options, Mapping) else {}),
        **(settings or {}),
    }.items():
        words.append(f"{key}={text_of(value, separators.get(key, ','))}")
    return " ".join(word for word in words if word)


def _for_each_axis(name: str, values: Any, count: int) -> str:
    """The text of one value for all transformed axes, or of a list with one for each axis."""
    if isinstance(values, Iterable) and not isinstance(values, str):
        values = list(values)
        if len(values) != count:
            raise Error(
                f"{name} {text_of(values)}: {len(values)} given for {count} axes; valid is a list "
                "with one for each"
            )
    return text_of(values)


def _moved_elements(dtype: np.dtype) -> dict[str, str]:
    """The settings of a transform of kind none: real numbers can also be scaled."""
    if dtype.char in "fd":
        return {"precision": precision_of(dtype)}
    if dtype.kind not in "biufc" or dtype.char in "egG":
        raise Error(
            f"dtype: {dtype}; valid with kind none are booleans, integers, and floating-point and "
            "complex numbers except half and long ones"
        )
    return {"bytes": str(dtype.itemsize)}


class Transform(_core.Transform):
    """The transform that a plan computes.

    shape: of the physical array (the real one, for r2c and c2r), slowest axis first; one number
    where there is one axis.
    kind: 'c2c', 'r2c', 'c2r', 'r2c_packed', 'dct1' to 'dst4' or 'none', of all `axes`; or a list
        with one for each axis of the array. Of r2c and c2r the last of `axes` is halved, the others
        are c2c.
    axes: the transformed ones; None: all.
    dtype: float32, float64 or the complex numbers of these: the precision of both arrays. If `kind`
        is 'none', also booleans and integers: the plan then moves elements of that size.
    norm: 'backward', 'ortho', 'forward' as in NumPy, or the number that forward is multiplied by.
    modes: which modes the spectrum keeps: a text such as '2/3', 'all', '85', '-8..8' or 'grid_128'
        for all transformed axes, or a list with one for each axis.
    ellipse: a radius for each axis beyond which modes are dropped.
    dropped: 'absent' or 'zero', how the spectrum represents modes that are not kept.

    A weft.Error says what is wrong and what is valid.

    >>> weft.Transform((4, 6), "r2c").spectral_shape
    (4, 4)
    """

    def __init__(
        self,
        shape: int | Sequence[int],
        kind: str | Sequence[str] = "c2c",
        *,
        axes: int | Sequence[int] | None = None,
        dtype: DTypeLike = float,
        norm: str | float | None = "backward",
        modes: str | Sequence[str] | None = None,
        ellipse: Sequence[float] | None = None,
        dropped: str = "absent",
    ) -> None:
        shape = whole_numbers("shape", shape)
        axes = None if axes is None else whole_numbers("axes", axes)
        words = {"shape": text_of(shape, "x"), "norm": "backward" if norm is None else norm}
        if set([kind] if isinstance(kind, str) else kind) == {"none"}:
            words |= _moved_elements(np.dtype(dtype))
        else:
            words["precision"] = precision_of(dtype)
        if isinstance(kind, str):
            words["kind"] = kind
            if axes is not None:
                words["axes"] = text_of(axes)
        else:
            if axes is not None:
                raise Error("axes: a list of kinds has one for each axis already")
            words["kinds"] = _for_each_axis("kinds", kind, len(shape))
        if modes is not None:
            words["modes"] = _for_each_axis("modes", modes, len(shape))
        if ellipse is not None:
            words["ellipse"] = _for_each_axis("ellipse", ellipse, len(shape))
        if dropped != "absent":
            words["dropped"] = dropped
        super().__init__(" ".join(f"{key}={value}" for key, value in words.items()))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _core.Transform) and str(self) == str(other)

    def __hash__(self) -> int:
        return hash(str(self))

    def __repr__(self) -> str:
        return f"Transform: {self}"


def transform_of(
    shape: int | Sequence[int] | Transform, kind: str | Sequence[str], **what: Any
) -> Transform:
    """The transform with these arguments, or the one that stands in place of the shape."""
    return shape if isinstance(shape, Transform) else Transform(shape, kind, **what)
