"""The cosine and sine transforms of weft.fft, made from a table, along one axis or several."""

from collections.abc import Sequence
from typing import Any, Protocol

from ._core import Error
from ._transforming import (
    How,
    Options,
    as_in_scipy,
    checked,
    converted,
    one_length,
    run,
    with_lengths,
)
from .array import Array
from .plan import Plan
from .resizing import resized
from .transform import Transform

_WALLS = {
    "dct": "The discrete cosine transform of types 1 to 4",
    "idct": "The inverse of the discrete cosine transform of types 1 to 4",
    "dst": "The discrete sine transform of types 1 to 4",
    "idst": "The inverse of the discrete sine transform of types 1 to 4",
}
_EXAMPLE = (4, 6), (4, 6)  # the shapes of an argument and its result


def _walls(
    name: str,
    x: Any,
    type: int,
    s: Any,
    axes: Any,
    norm: str | None,
    orthogonalize: bool | None,
    how: How,
) -> Array:
    numbers, lengths = checked(x, s, axes)
    if type not in (1, 2, 3, 4):
        raise Error(f"type: {type}; valid are 1 to 4")
    x = converted(x, is_complex=False)
    if x.dtype.kind == "c":  # both parts alike
        parts = [
            _walls(name, one, type, s, axes, norm, orthogonalize, how) for one in (x.real, x.imag)
        ]
        return parts[0] + 1j * parts[1]
    if not numbers:
        return x.copy()
    shape = with_lengths(x.shape, numbers, lengths)
    is_orthogonal = norm == "ortho" if orthogonalize is None else orthogonalize
    transform = Transform(
        shape,
        f"{name[-3:]}{type}",
        axes=numbers,
        dtype=x.dtype,
        norm="ortho" if is_orthogonal else "backward",
    )
    return run(resized(x, shape), transform, name.startswith("i"), norm, how)


class WallsAlongOne(Protocol):
    """A transform along one axis."""

    def __call__(
        self,
        x: Array,
        type: int = 2,
        n: int | None = None,
        axis: int = -1,
        norm: str | None = None,
        overwrite_x: bool = False,
        workers: int | None = None,
        orthogonalize: bool | None = None,
        *,
        plan: Plan | None = None,
        options: Options = None,
    ) -> Array: ...


class WallsAlongSeveral(Protocol):
    """A transform along several axes."""

    def __call__(
        self,
        x: Array,
        type: int = 2,
        s: Sequence[int] | None = None,
        axes: Sequence[int] | None = None,
        norm: str | None = None,
        overwrite_x: bool = False,
        workers: int | None = None,
        *,
        orthogonalize: bool | None = None,
        plan: Plan | None = None,
        options: Options = None,
    ) -> Array: ...


def _walls_along_one(name: str) -> WallsAlongOne:
    def function(
        x: Array,
        type: int = 2,
        n: int | None = None,
        axis: int = -1,
        norm: str | None = None,
        overwrite_x: bool = False,
        workers: int | None = None,
        orthogonalize: bool | None = None,
        *,
        plan: Plan | None = None,
        options: Options = None,
    ) -> Array:
        return _walls(
            name, x, type, one_length(n), (axis,), norm, orthogonalize, How(workers, plan, options)
        )

    return as_in_scipy(function, name, f"{_WALLS[name]}, along one axis", _EXAMPLE)


def _walls_along_several(name: str) -> WallsAlongSeveral:
    def function(
        x: Array,
        type: int = 2,
        s: Sequence[int] | None = None,
        axes: Sequence[int] | None = None,
        norm: str | None = None,
        overwrite_x: bool = False,
        workers: int | None = None,
        *,
        orthogonalize: bool | None = None,
        plan: Plan | None = None,
        options: Options = None,
    ) -> Array:
        return _walls(name, x, type, s, axes, norm, orthogonalize, How(workers, plan, options))

    return as_in_scipy(function, f"{name}n", f"{_WALLS[name]}, along several axes", _EXAMPLE)


dct: WallsAlongOne = _walls_along_one("dct")
idct: WallsAlongOne = _walls_along_one("idct")
dst: WallsAlongOne = _walls_along_one("dst")
idst: WallsAlongOne = _walls_along_one("idst")
dctn: WallsAlongSeveral = _walls_along_several("dct")
idctn: WallsAlongSeveral = _walls_along_several("idct")
dstn: WallsAlongSeveral = _walls_along_several("dst")
idstn: WallsAlongSeveral = _walls_along_several("idst")
