"""Elements that are spread over ranks: which of them this rank holds, and which other arrays fit."""

from typing import Any

import numpy as np
from mpi4py import MPI
from numpy.typing import DTypeLike

from ._core import Box, Error, Layout
from .space import Space, open_mesh


def element_type(dtype: DTypeLike) -> np.dtype:
    """The type in which arrays hold elements of a given one: in this machine's byte order, and half
    precision as single, since neither MPI nor plans know other types."""
    kind = np.dtype(dtype).newbyteorder("=")
    return np.dtype(np.float32) if kind == np.float16 else kind


def empty_local(layout: Layout, rank: int, dtype: DTypeLike) -> np.ndarray:
    """Memory for that rank's part of an array, with the strides of the layout."""
    kind = element_type(dtype)
    memory = np.empty(max(layout.allocated(rank), 1), kind)
    strides = [stride * kind.itemsize for stride in layout.strides(rank)]
    return np.lib.stride_tricks.as_strided(memory, layout.box(rank).shape, strides)


def require_no_mask(value: Any) -> None:
    """An Error for arrays with a mask, since a distributed array has none."""
    if isinstance(value, np.ma.MaskedArray):
        raise Error(
            "a masked array is given; valid are arrays without a mask, such as value.filled(0)"
        )


class Distributed:
    """This rank's part of an array, and its place in the whole; see weft.Array."""

    __slots__ = ("local", "layout", "comm", "space")

    local: np.ndarray
    layout: Layout
    comm: MPI.Intracomm
    space: Space | None

    def __init__(
        self, local: np.ndarray, layout: Layout, comm: MPI.Intracomm, space: Space | None = None
    ) -> None:
        if not local.dtype.isnative or local.dtype == np.float16:
            given, local = local, empty_local(layout, comm.rank, local.dtype)
            local[...] = given
        self.local = local
        self.layout = layout
        self.comm = comm
        self.space = space

    @property
    def shape(self) -> tuple[int, ...]:
        """The global shape.

        >>> weft.ones((4, 6)).shape
        (4, 6)
        """
        return self.layout.shape

    @property
    def ndim(self) -> int:
        """The number of axes.

        >>> weft.ones((4, 6)).ndim
        2
        """
        return self.local.ndim

    @property
    def size(self) -> int:
        """The number of elements on all ranks.

        >>> weft.ones((4, 6)).size
        24
        """
        return int(np.prod(self.shape, dtype=np.int64))

    @property
    def dtype(self) -> np.dtype:
        """The type of the elements.

        >>> weft.ones((4, 6), "f4").dtype
        dtype('float32')
        """
        return self.local.dtype

    @property
    def box(self) -> Box:
        """The global indices that this rank holds; along cyclic axes places, see `slices`.

        >>> u = weft.ones((4, 6))
        >>> u.box.shape == u.local.shape
        True
        """
        return self.layout.box(self.comm.rank)

    @property
    def slices(self) -> tuple[slice, ...]:
        """Selects this rank's part of a global NumPy array.

        >>> whole = np.arange(24).reshape(4, 6)
        >>> u = weft.from_global(whole)
        >>> np.array_equal(u.local, whole[u.slices])
        True
        """
        return self.layout.slices(self.comm.rank)

    def indices(self) -> tuple[np.ndarray, ...]:
        """The global indices of the local elements, as an open mesh.

        >>> u = weft.zeros((4, 6))
        >>> i, j = u.indices()
        >>> u.local[...] = 10 * i + j
        >>> print(u.at[3, 5])
        35.0
        """
        return open_mesh([np.arange(n)[part] for n, part in zip(self.shape, self.slices)])

    def require_same_boxes(self, other: "Distributed") -> None:
        """An Error that names both layouts unless every rank holds the same box in both.

        >>> u = weft.ones((4, 6))
        >>> u.require_same_boxes(u + 1)
        """
        if other.layout != self.layout and not self.layout.has_boxes_of(other.layout):
            raise Error(
                f"arrays with different layouts meet: {self.layout} and {other.layout}; "
                "redistribute one of them"
            )

    def require_same_ranks(self, other: "Distributed") -> None:
        """An Error unless both arrays are spread over the same ranks, in the same order.

        >>> u = weft.ones((4, 6))
        >>> u.require_same_ranks(weft.ones((3, 3)))
        """
        if other.comm != self.comm and MPI.Comm.Compare(self.comm, other.comm) not in (
            MPI.IDENT,
            MPI.CONGRUENT,
        ):
            raise Error(
                "arrays on communicators with different ranks, or another order of them, meet; "
                "valid are arrays of one communicator or of duplicates of it"
            )

    def _operand(self, value: Any) -> Any:
        """The local operand: an Array's part, or this rank's part of a value."""
        if isinstance(value, Distributed):
            self.require_same_ranks(value)
            self.require_same_boxes(value)
            return value.local
        require_no_mask(value)
        return self._part_of(value) if isinstance(value, np.ndarray) and value.ndim else value

    def _part_of(self, value: np.ndarray) -> np.ndarray:
        """An ndarray that broadcasts to this rank's part: as it is, or, along axes at which it has
        the global length, this rank's part of it."""
        extents = self.local.shape
        lines = list(zip(value.shape[::-1], extents[::-1], self.shape[::-1], self.slices[::-1]))
        if value.ndim > len(extents) or any(
            own not in (1, extent, length) for own, extent, length, _ in lines
        ):
            raise Error(
                f"an ndarray of shape {value.shape} meets a weft.Array of shape {self.shape} whose "
                f"local part has the shape {extents}; valid is what broadcasts to one of these, such "
                "as a.coordinates(), another.local or a.sum(0)"
            )
        picked = [slice(None) if own in (1, extent) else part for own, extent, _, part in lines]
        return value[tuple(reversed(picked))]
