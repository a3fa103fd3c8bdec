"""Access to distributed arrays by global indices: numbers, slices, a list of one axis, and masks,
as NumPy has them. The indices of each axis are lists, so that all forms but masks are one case."""

from typing import TYPE_CHECKING, Any

import numpy as np

from ._core import Error

if TYPE_CHECKING:
    from .array import Array


def complete(array: "Array", key: Any) -> list[Any]:
    """An entry for each axis, of which lists are NumPy arrays."""
    entries = [
        np.asarray(entry, None if len(entry) else int)
        if isinstance(entry, (list, tuple))
        else entry
        for entry in (key if isinstance(key, tuple) else (key,))
    ]
    dots = [place for place, entry in enumerate(entries) if entry is Ellipsis]
    if len(dots) > 1 or len(entries) - len(dots) > array.ndim:
        raise Error(f"index {key}: the array has {array.ndim} axes")
    place = dots[0] if dots else len(entries)
    rest = array.ndim - len(entries) + len(dots)
    return [*entries[:place], *[slice(None)] * rest, *entries[place + len(dots) :]]


def indices_along(entry: Any, length: int) -> np.ndarray:
    """The indices that an entry picks along its axis; a single one as an array without axes."""
    if entry is None or isinstance(entry, (bool, np.bool_)):
        raise IndexError("None and single truth values pick nothing along an axis")
    indices = np.asarray(np.arange(length)[entry])
    if indices.ndim > 1:
        raise IndexError("a list of indices has one axis")
    return indices


def require_one_list(entries: list[Any]) -> None:
    """Where NumPy pairs the lists of several axes, or moves the axis of a list to the front, an
    IndexError."""
    lists = [axis for axis, entry in enumerate(entries) if np.ndim(entry) > 0]
    numbers = [axis for axis, entry in enumerate(entries) if not isinstance(entry, slice)]
    if len(lists) > 1:
        raise IndexError("lists for several axes; valid is one, besides numbers and slices")
    if lists and numbers[-1] - numbers[0] >= len(numbers):
        raise IndexError(
            "a slice between a list and a number; valid is the number next to the list"
        )


def picked_indices(array: "Array", key: Any) -> list[np.ndarray]:
    """The global indices that a key picks along each axis; without an axis of its own for a number.
    An Error names a key that fits no array of this shape."""
    entries = complete(array, key)
    try:
        require_one_list(entries)
        return [indices_along(entry, length) for entry, length in zip(entries, array.shape)]
    except IndexError as error:
        raise Error(f"index {key} of an array of shape {array.shape}: {error}") from error


class _Selection:
    """A key of global indices, and this rank's part of it."""

    def __init__(self, array: "Array", key: Any) -> None:
        wanted = picked_indices(array, key)
        self.shape = tuple(indices.size for indices in wanted if indices.ndim)
        self._kept = [indices.ndim > 0 for indices in wanted]
        lines = [np.atleast_1d(indices) for indices in wanted]
        held = [range(n)[part] for n, part in zip(array.shape, array.slices)]
        mine = [
            np.nonzero(
                (line >= one.start) & (line < one.stop) & ((line - one.start) % one.step == 0)
            )[0]
            for line, one in zip(lines, held)
        ]
        self.local = np.ix_(
            *[(line[own] - one.start) // one.step for line, own, one in zip(lines, mine, held)]
        )
        self.places = np.ix_(*[own for own, kept in zip(mine, self._kept) if kept])

    def reduced(self, part: np.ndarray) -> np.ndarray:
        """A local part without the axes at which a number picks one index; empty where this rank
        does not hold that index."""
        axes = [axis for axis, kept in enumerate(self._kept) if not kept]
        return (
            part.sum(tuple(axes), dtype=part.dtype) if part.size == 0 else part.squeeze(tuple(axes))
        )


class _Masked:
    """The indices at which a mask of the whole array is true, in C order, and this rank's part."""

    def __init__(self, array: "Array", mask: np.ndarray) -> None:
        if mask.shape != array.shape:
            raise Error(f"index: a mask of shape {mask.shape}; valid is the array's, {array.shape}")
        own = mask[array.slices]
        self.shape = (int(np.count_nonzero(mask)),)
        self.local = np.nonzero(own)
        self.places = ((np.cumsum(mask) - 1).reshape(mask.shape)[array.slices][own],)

    def reduced(self, part: np.ndarray) -> np.ndarray:
        return part


def _is_mask(key: Any) -> bool:
    """Whether the key is a mask of several axes; one of a single axis is treated as a list."""
    return isinstance(key, np.ndarray) and key.dtype == bool and key.ndim > 1


class GlobalIndex:
    """The object that Array.at returns."""

    def __init__(self, array: "Array") -> None:
        self._array = array

    def _mask_of(self, key: "Array") -> np.ndarray:
        """This rank's part of a distributed mask."""
        if key.dtype != bool:
            raise Error(f"index: a weft.Array of {key.dtype}; valid is one of bool, such as a > 0")
        self._array.require_same_ranks(key)
        self._array.require_same_boxes(key)
        return key.local

    def _selected(self, key: Any) -> _Selection | _Masked:
        return (_Masked if _is_mask(key) else _Selection)(self._array, key)

    def __getitem__(self, key: Any) -> Any:
        array = self._array
        if isinstance(key, type(array)):
            self._mask_of(key)
            key = key.gather(None)
        selection = self._selected(key)
        part = array.local[selection.local]
        pieces = array.comm.allgather(
            (selection.places, selection.reduced(part)) if part.size else None
        )
        result = np.empty(selection.shape, array.dtype)
        for places, values in filter(None, pieces):
            result[places] = values
        return result if selection.shape else result[()]

    def __setitem__(self, key: Any, value: Any) -> None:
        array = self._array
        if isinstance(value, type(array)):
            raise Error(
                "value: is a weft.Array; valid is a number or what each rank has as a whole"
            )
        if isinstance(key, type(array)):
            if np.ndim(value):
                raise Error(f"value: has {np.ndim(value)} axes; valid with a mask is a number")
            array.local[self._mask_of(key)] = value
            return
        selection = self._selected(key)
        part = array.local[selection.local]
        if part.size:
            values = np.broadcast_to(value, selection.shape)[selection.places]
            array.local[selection.local] = np.reshape(values, part.shape)
