"""Access to distributed arrays by global indices. The indices of each axis are lists, so that every
form of NumPy's (numbers, slices, lists) is one case."""

from typing import TYPE_CHECKING, Any

import numpy as np

from ._core import Error

if TYPE_CHECKING:
    from .array import Array


class _Selection:
    """A key of global indices, and what this rank holds of it."""

    def __init__(self, array: "Array", key: Any) -> None:
        key = key if isinstance(key, tuple) else (key,)
        if sum(entry is Ellipsis for entry in key) > 1 or len(key) - (Ellipsis in key) > array.ndim:
            raise Error(f"index {key}: the array has {array.ndim} axes")
        if Ellipsis not in key:
            key = (*key, Ellipsis)
        place = key.index(Ellipsis)
        rest = array.ndim - len(key) + 1
        key = (*key[:place], *[slice(None)] * rest, *key[place + 1 :])
        try:
            wanted = [np.arange(length)[entry] for length, entry in zip(array.shape, key)]
        except IndexError as error:
            raise Error(f"index {key} of an array of shape {array.shape}: {error}") from error
        self.shape = tuple(indices.size for indices in wanted if indices.ndim)
        self._kept = [indices.ndim > 0 for indices in wanted]
        lines = [np.atleast_1d(indices) for indices in wanted]
        mine = [
            np.nonzero((line >= lower) & (line < upper))[0]
            for line, lower, upper in zip(lines, array.box.lower, array.box.upper)
        ]
        self.local = np.ix_(
            *[line[own] - lower for line, own, lower in zip(lines, mine, array.box.lower)]
        )
        self.places = np.ix_(*[own for own, kept in zip(mine, self._kept) if kept])

    def reduced(self, part: np.ndarray) -> np.ndarray:
        """A local part without the axes that a number has picked; of no elements where this rank
        has not that one."""
        axes = [axis for axis, kept in enumerate(self._kept) if not kept]
        return (
            part.sum(tuple(axes), dtype=part.dtype) if part.size == 0 else part.squeeze(tuple(axes))
        )


class GlobalIndex:
    """What Array.at returns."""

    def __init__(self, array: "Array") -> None:
        self._array = array

    def __getitem__(self, key: Any) -> Any:
        array = self._array
        selection = _Selection(array, key)
        part = array.local[selection.local]
        pieces = array.comm.allgather(
            (selection.places, selection.reduced(part)) if part.size else None
        )
        result = np.empty(selection.shape, array.dtype)
        for places, values in filter(None, pieces):
            result[places] = values
        return result if selection.shape else result[()]

    def __setitem__(self, key: Any, value: Any) -> None:
        selection = _Selection(self._array, key)
        part = self._array.local[selection.local]
        if part.size:
            values = np.broadcast_to(value, selection.shape)[selection.places]
            self._array.local[selection.local] = np.reshape(values, part.shape)
