"""NumPy's functions of distributed arrays, by the protocol __array_function__. Functions of single
elements are one table, applied to the local parts; the others are collective."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import ModuleType
from typing import Any

import numpy as np
from mpi4py import MPI

from . import fft
from ._agreement import agreed
from ._core import Error
from .array import Array, method
from .shifting import joined, rolled, rolled_in_one_line
from .space import combined
from .views import expanded, flipped, moved_axes, permuted, squeezed, stacked


def _functions(names: str, module: Any = np) -> list[Callable[..., Any]]:
    """The functions of these names, as far as this NumPy has them."""
    return [getattr(module, name) for name in names.split() if hasattr(module, name)]


OF_ELEMENTS: frozenset[Callable[..., Any]] = frozenset(
    _functions(
        "angle around clip copy empty_like fix full_like i0 imag isclose iscomplex isneginf "
        "isposinf isreal nan_to_num ones_like real round sinc where zeros_like"
    )
)
OF_TYPES: frozenset[Callable[..., Any]] = frozenset(
    _functions("can_cast common_type iscomplexobj isrealobj min_scalar_type result_type")
)
COLLECTIVE: dict[Callable[..., Any], Callable[..., Any]] = {}


def _implements(names: str, module: Any = np) -> Callable[[Callable], Callable]:
    def register(implementation: Callable) -> Callable:
        COLLECTIVE.update(dict.fromkeys(_functions(names, module), implementation))
        return implementation

    return register


@method
def call_function(
    function: Callable, types: Iterable[type], arguments: Sequence[Any], settings: Mapping[str, Any]
) -> Any:
    """The result of __array_function__."""
    if not all(issubclass(kind, (Array, np.ndarray)) for kind in types):
        return NotImplemented
    name = function.__name__
    if function.__module__ == "numpy.fft" and hasattr(fft, name):
        return getattr(fft, name)(*arguments, **settings)
    if function in COLLECTIVE:
        return COLLECTIVE[function](*arguments, **settings)
    if function in OF_TYPES:
        own = [value.local if isinstance(value, Array) else value for value in arguments]
        return function(*own, **settings)
    if function in OF_ELEMENTS:
        return _by_elements(function, arguments, settings)
    raise TypeError(
        f"{function.__module__}.{name}: is not for a weft.Array, because its elements are spread "
        "over ranks; valid are functions of single elements and reductions (docs/python.md), or "
        f"{name} of a.gather(), the whole array on one rank"
    )


def _arrays(values: Iterable[Any]) -> list[Array]:
    return [value for value in values if isinstance(value, Array)]


def _by_elements(
    function: Callable, arguments: Sequence[Any], settings: Mapping[str, Any]
) -> Array:
    arrays = _arrays((*arguments, *settings.values()))
    first = arrays[0]
    if function is np.where and len(arguments) < 3:
        raise TypeError(
            "where: of a condition alone gives indices, which a rank has of its part only; valid "
            "are where(condition, x, y) and np.nonzero(a.local)"
        )
    own = {name: first._operand(value) for name, value in settings.items()}
    result = function(*map(first._operand, arguments), **own)
    space = combined(array.space for array in arrays)
    for array in arrays:
        if result is array.local:  # `out`
            array.space = space or array.space
            return array
    made = first.like(result)
    made.space = space
    return made


@method
def array_namespace(version: str | None) -> ModuleType:
    """The result of __array_namespace__. NumPy has the functions that it is made of since 2.1."""
    from . import array_api

    if version is not None and version not in array_api.VERSIONS:
        raise ValueError(f"api_version: {version!r}; valid are {', '.join(array_api.VERSIONS)}")
    return array_api


# ---- Properties and reductions ------------------------------------------------------------------

for _name in ("sum", "prod", "mean", "any", "all", "argmax", "argmin", "vdot"):
    _implements(_name)(getattr(Array, _name))


def _with_correction(method: Callable) -> Callable:
    """With the array API's name for ddof."""

    def function(
        a: Array, *arguments: Any, correction: float | None = None, **settings: Any
    ) -> Any:
        return method(
            a, *arguments, **settings if correction is None else {**settings, "ddof": correction}
        )

    return function


for _name in ("var", "std"):
    _implements(_name)(_with_correction(getattr(Array, _name)))
_implements("max amax")(Array.max)
_implements("min amin")(Array.min)


_implements("shape")(lambda a: a.shape)
_implements("ndim")(lambda a: a.ndim)


@_implements("size")
def _size(a: Array, axis: int | None = None) -> int:
    return a.size if axis is None else a.shape[axis]


@_implements("count_nonzero")
def _count_nonzero(a: Array, axis: Any = None, *, keepdims: bool = False) -> Any:
    return (a != 0).sum(axis, keepdims=keepdims)


def _without_nan(method: Callable) -> Callable:
    def function(a: Array, *arguments: Any, where: Any = True, **settings: Any) -> Any:
        return method(a, *arguments, where=np.logical_and(~np.isnan(a), where), **settings)

    return function


for _name in ("sum", "prod", "mean", "var", "std"):
    _implements(f"nan{_name}")(_without_nan(getattr(Array, _name)))


def _extreme_without_nan(method: Callable, neutral: float) -> Callable:
    def function(a: Array, axis: Any = None, out: None = None, keepdims: bool = False) -> Any:
        if a.dtype.kind != "f":
            return method(a, axis, out, keepdims)
        is_number = ~np.isnan(a)
        result = method(a, axis, out, keepdims, initial=neutral, where=is_number)
        found = is_number.any(axis, keepdims=keepdims)
        return np.where(found, result, a.dtype.type(np.nan))[()]

    return function


_implements("nanmax")(_extreme_without_nan(Array.max, -np.inf))
_implements("nanmin")(_extreme_without_nan(Array.min, np.inf))


# ---- Comparisons --------------------------------------------------------------------------------


def _on_all_ranks(array: Array, check: Callable[[], bool]) -> bool:
    """Whether it holds for the local parts of all ranks."""
    return bool(array.comm.allreduce(agreed(array.comm, check), MPI.LAND))


@_implements("allclose")
def _allclose(
    a: Any, b: Any, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False
) -> bool:
    def check() -> bool:
        return bool(np.isclose(a, b, rtol, atol, equal_nan).local.all())

    return _on_all_ranks(_arrays((a, b))[0], check)


@_implements("array_equal")
def _array_equal(a1: Any, a2: Any, equal_nan: bool = False) -> bool:
    first, *others = _arrays((a1, a2))
    if others and others[0].shape != first.shape:
        return False

    def check() -> bool:
        one, other = (np.asarray(a) if isinstance(a, (list, tuple)) else a for a in (a1, a2))
        return np.array_equal(first._operand(one), first._operand(other), equal_nan)

    return _on_all_ranks(first, check)


@_implements("real_if_close")
def _real_if_close(a: Array, tol: float = 100) -> Array:
    own = np.real_if_close(a.local, tol)
    return a.like(own) if _on_all_ranks(a, lambda: own.dtype.kind != "c") else a


# ---- Others -------------------------------------------------------------------------------------


@_implements("roll")
def _roll(a: Array, shift: Any, axis: Any = None) -> Array:
    if axis is None:
        return rolled_in_one_line(a, int(np.sum(shift)))
    shift_of: dict[int, int] = {}
    for step, one in np.broadcast(shift, axis):
        if not -a.ndim <= one < a.ndim:
            raise Error(f"axis: {axis}; the array has {a.ndim} axes")
        shift_of[one % a.ndim] = shift_of.get(one % a.ndim, 0) + int(step)
    return rolled(a, shift_of)


for _names, _view in (
    ("transpose", permuted),
    ("moveaxis", moved_axes),
    ("flip", flipped),
    ("squeeze", squeezed),
):
    _implements(_names)(_view)
_implements("matrix_transpose")(lambda x: x.mT)
_implements("matrix_transpose", np.linalg)(lambda x: x.mT)


@_implements("swapaxes")
def _swapaxes(a: Array, axis1: int, axis2: int) -> Array:
    axes = list(range(a.ndim))
    axes[axis1], axes[axis2] = axes[axis2], axes[axis1]
    return permuted(a, axes)


@_implements("expand_dims")
def _expand_dims(a: Array, axis: int | Sequence[int]) -> Array:
    axes = (axis,) if isinstance(axis, int) else tuple(axis)
    count = a.ndim + len(axes)
    if any(not -count <= one < count for one in axes) or len({one % count for one in axes}) < len(
        axes
    ):
        raise Error(f"axis: {axis}; valid are axes of the result, which has {count}")
    return expanded(a, sorted(one % count for one in axes))


@_implements("stack")
def _stack(arrays: Sequence[Array], axis: int = 0) -> Array:
    return stacked(arrays, axis)


@_implements("concatenate concat")
def _concatenate(arrays: Sequence[Array], axis: int = 0) -> Array:
    if not all(isinstance(array, Array) for array in arrays):
        raise TypeError("concatenate: valid are weft.Arrays alone, such as weft.from_global makes")
    return joined(arrays, axis)


@_implements("unstack")
def _unstack(x: Array, *, axis: int = 0) -> tuple[Array, ...]:
    before: tuple[Any, ...] = (slice(None),) * (axis % x.ndim)
    return tuple(x[before + (index,)] for index in range(x.shape[axis]))


def _triangle(is_lower: bool) -> Callable[..., Array]:
    def function(m: Array, k: int = 0) -> Array:
        i, j = m.indices()[-2:]
        is_kept = j - i <= k if is_lower else j - i >= k
        return m.like(np.where(is_kept, m.local, m.dtype.type(0)))

    return function


_implements("tril")(_triangle(is_lower=True))
_implements("triu")(_triangle(is_lower=False))


@_implements("norm", np.linalg)
def _norm(x: Array, ord: Any = None, axis: Any = None, keepdims: bool = False) -> Any:
    axes = x.ndim if axis is None else len(axis) if isinstance(axis, tuple) else 1
    if ord is None or (ord == "fro" and axes == 2):
        return _vector_norm(x, axis=axis, keepdims=keepdims)
    if axes == 1 and not isinstance(ord, str):
        return _vector_norm(x, axis=axis, keepdims=keepdims, ord=ord)
    raise Error(
        f"norm: ord={ord!r} along {axes} axes; valid are None along any, 'fro' along two, and "
        "numbers and inf along one axis, or abs(a).max() and abs(a).sum() of all elements"
    )


@_implements("vector_norm", np.linalg)
def _vector_norm(x: Array, /, *, axis: Any = None, keepdims: bool = False, ord: Any = 2) -> Any:
    size = abs(x if x.dtype.kind in "fc" else x.astype(float))
    if np.isinf(ord):
        return (size.max if ord > 0 else size.min)(axis, keepdims=keepdims)
    if ord == 0:
        return (size != 0).sum(axis, size.dtype, keepdims=keepdims)
    return (size**ord).sum(axis, keepdims=keepdims) ** (1 / ord)
