"""Array: a NumPy array that is spread over ranks and knows where this rank's part lies in it."""

from collections.abc import Callable, Sequence
from types import ModuleType
from typing import Any, NoReturn

import numpy as np
from mpi4py import MPI
from numpy.typing import DTypeLike

from ._core import Error, Layout
from .distributed import empty_local
from .indexing import GlobalIndex
from .reductions import Reductions
from .space import Space, combined, coordinates

# Functions behind methods of Array, by name: modules that import this one enter them here.
_from_above: dict[str, Callable] = {}


def method(function: Callable) -> Callable:
    """Enters the function that the method of that name calls."""
    _from_above[function.__name__] = function
    return function


class Array(np.lib.mixins.NDArrayOperatorsMixin, Reductions):
    """A distributed array: global index first, local memory underneath.

    local: this rank's part as a NumPy array, zero copy; its memory order is the layout's. Elements
    in the byte order of other machines, and of half precision, are copied to `element_type`s.
    layout: which box each rank holds; comm: the ranks.
    space: the meaning of its indices, where a plan has made it.

    NumPy's functions of elements (+, np.sin, ...) work on the local parts; arrays that meet must
    have the same boxes. An ndarray that meets them must broadcast to the local part, as coordinates
    do, or to the global shape, as results of reductions do. Reductions (sum, max, ...) are collective and return the same on all ranks.

    >>> u = weft.ones((4, 6))
    >>> v = np.sqrt(u + 3)  # of the local parts
    >>> print(v.sum())  # over all ranks
    48.0
    """

    __slots__ = ("__weakref__",)

    @property
    def at(self) -> GlobalIndex:
        """Access by global indices: `a.at[3, :, 5]` is that part on all ranks (collective);
        `a.at[3, :, 5] = 1` writes this rank's part of it.

        >>> u = weft.zeros((4, 6))
        >>> u.at[3, 5] = 7
        >>> print(u.at[3])
        [0. 0. 0. 0. 0. 7.]
        """
        return GlobalIndex(self)

    def like(self, local: np.ndarray) -> "Array":
        """An array with this layout and these local elements, which are copied where their memory
        order is another. An Error unless they have the shape of this rank's part.

        >>> u = weft.ones((4, 6))
        >>> print(u.like(u.local * 2).sum())
        48.0
        """
        if local.shape != self.box.shape:
            raise Error(
                f"local: has the shape {local.shape}; valid is that of this rank's part, "
                f"{self.box.shape}"
            )
        strides = [stride * local.itemsize for stride in self.layout.strides(self.comm.rank)]
        if any(
            extent > 1 and own != needed
            for extent, own, needed in zip(local.shape, local.strides, strides)
        ):
            laid_out = empty_local(self.layout, self.comm.rank, local.dtype)
            laid_out[...] = local
            local = laid_out
        return Array(local, self.layout, self.comm, self.space)

    def copy(self) -> "Array":
        """An array with its own memory on the same communicator; copy.copy and copy.deepcopy make
        it, too.

        >>> u = weft.ones((4, 6))
        >>> u.copy().local[...] = 0
        >>> print(u.sum())
        24.0
        """
        return self.astype(self.dtype)

    __copy__ = copy

    def __deepcopy__(self, memo: dict[int, Any]) -> "Array":
        return self.copy()

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickles this rank's part, for the same rank of a job of as many."""
        if self.comm not in (MPI.COMM_WORLD, MPI.COMM_SELF):
            raise Error(
                "a weft.Array can be pickled on MPI.COMM_WORLD and MPI.COMM_SELF only, since other "
                "communicators are known to this job alone; valid are also a.gather() and a.save()"
            )
        return _unpickled, (self.local, self.layout, self.comm, self.space, self.comm.rank)

    def astype(self, dtype: DTypeLike) -> "Array":
        """A copy with elements of another type.

        >>> weft.ones((4, 6)).astype("i4").dtype
        dtype('int32')
        """
        local = empty_local(self.layout, self.comm.rank, dtype)
        local[...] = self.local
        return Array(local, self.layout, self.comm, self.space)

    @property
    def real(self) -> "Array":
        """The real parts, copied.

        >>> print(weft.full((4, 6), 1 + 2j).real.sum())
        24.0
        """
        return self.like(np.real(self.local))

    @property
    def imag(self) -> "Array":
        """The imaginary parts, copied.

        >>> print(weft.full((4, 6), 1 + 2j).imag.sum())
        48.0
        """
        return self.like(np.imag(self.local))

    def conj(self) -> "Array":
        """The complex conjugate.

        >>> print(weft.full((4, 6), 1 + 2j).conj().at[0, 0])
        (1-2j)
        """
        return self.like(np.conjugate(self.local))

    def round(self, decimals: int = 0) -> "Array":
        """The elements rounded to that many decimals.

        >>> print(weft.full((4, 6), 1.26).round(1).at[0, 0])
        1.3
        """
        return self.like(np.round(self.local, decimals))

    def coordinates(self, lengths: float | Sequence[float] | None = None) -> tuple[np.ndarray, ...]:
        """The grid points of the local elements in a box with these edges (2 pi), as an open mesh
        of ndarrays: periodic points unless the array's plan has walls there.

        >>> u = weft.zeros((4, 6))
        >>> x, y = u.coordinates(lengths=1.0)
        >>> u.local[...] = x
        >>> print(u.at[:, 0])
        [0.   0.25 0.5  0.75]
        """
        kinds = self.space.transform.kinds if self.space else ("c2c",) * self.ndim
        if self.space and self.space.is_spectrum:
            raise Error("coordinates: this array is a spectrum; it has wavenumbers")
        return coordinates(kinds, self.shape, self.slices, lengths)

    def wavenumbers(self, lengths: float | Sequence[float] | None = None) -> tuple[np.ndarray, ...]:
        """The angular wavenumbers of the local modes for a box with these edges (2 pi: whole
        numbers), as an open mesh of ndarrays. An Error unless the array is a spectrum.

        >>> u = weft.fftn(weft.ones((4, 6)))
        >>> kx, ky = u.wavenumbers()
        >>> (kx**2 + ky**2).shape == u.local.shape
        True
        """
        if self.space is None:
            raise Error("wavenumbers: no plan has made this array, so its axes have none")
        return self.space.wavenumbers(lengths, self.slices)

    def mean_square(self) -> float:
        """The mean of |x|^2 over the grid, the same for a field and its spectrum (Parseval),
        whatever norm or scale the spectrum was made with. Collective.

        >>> u = weft.full((4, 8), 3.0)
        >>> print(u.mean_square(), weft.fftn(u).mean_square())
        9.0 9.0
        """
        square = np.square(np.abs(self.local), dtype=float)
        factor = 1 / self.size
        if self.space:
            factor = self.space.known_factor
            for weight in self.space.weights_in(self.slices):
                square = square * weight
        return float(self.comm.allreduce(float(square.sum())) * factor)

    def contiguous(self) -> "Array":
        """The same array without gaps in its memory; itself where it has none.

        >>> slabs = weft.Layout.slabs((4, 6), MPI.COMM_WORLD.size)
        >>> u = weft.ones((4, 6), layout=slabs.padded((0, 2)))
        >>> u.contiguous().layout == slabs
        True
        """
        if not self.layout.has_gaps:
            return self
        result = Array(self.local, self.layout.contiguous(), self.comm, self.space)
        return result.like(self.local)

    def redistribute(self, layout: Layout, out: "Array | None" = None) -> "Array":
        """The same elements in another layout. Collective. out: where to put them; None: a new
        array.

        >>> u = weft.ones((4, 6))
        >>> columns = weft.Layout.slabs((4, 6), u.comm.size, axis=1)
        >>> u.redistribute(columns).layout == columns
        True
        """
        return _from_above["redistribute"](self, layout, out)

    def gather(self, root: int | None = 0) -> np.ndarray | None:
        """The whole array on rank `root`, None on the others; with root=None on all ranks.
        Collective.

        >>> weft.ones((4, 6)).gather(root=None).shape
        (4, 6)
        """
        return _from_above["gather"](self, root)

    def save(self, path: str) -> None:
        """Writes 'name.npy' through MPI-IO, 'name.h5:/dataset' or 'name.zarr'. Collective.

        >>> weft.ones((4, 6)).save("ones.npy")
        >>> weft.load("ones.npy").shape
        (4, 6)
        """
        _from_above["save"](self, path)

    def __getitem__(self, key: Any) -> Any:
        """The part at global indices as a distributed array: each rank keeps what it holds of it,
        so nothing is sent. Numbers, slices, None, and ordered lists of one axis; where each axis
        has a number, that element on all ranks, which is collective. It may share the memory."""
        return _from_above["picked"](self, key)

    def __setitem__(self, key: Any, value: Any) -> NoReturn:
        raise TypeError(
            "a weft.Array takes no elements by an index itself; a.local[...] = value writes elements "
            "of this rank, and a.at[...] = value by global indices"
        )

    __iter__ = None  # else Python would ask for a[0], a[1], ... without end

    @property
    def T(self) -> "Array":
        """The array with its axes in reverse; see `transpose`.

        >>> weft.ones((4, 6)).T.shape
        (6, 4)
        """
        return self.transpose()

    @property
    def mT(self) -> "Array":
        """The array with its last two axes exchanged; see `transpose`.

        >>> weft.ones((2, 4, 6)).mT.shape
        (2, 6, 4)
        """
        return self.transpose(*range(self.ndim - 2), self.ndim - 1, self.ndim - 2)

    def transpose(self, *axes: Any) -> "Array":
        """The array with its axes in this order, or in reverse. Each rank keeps its elements, and
        their memory, unless the layout has gaps.

        >>> weft.ones((2, 4, 6)).transpose(2, 0, 1).shape
        (6, 2, 4)
        """
        given = axes[0] if len(axes) == 1 and not isinstance(axes[0], int) else axes or None
        return _from_above["permuted"](self, given)

    @property
    def device(self) -> str:
        """Where the elements are, for the array API: in the memory of the ranks' processors.

        >>> weft.ones((4, 6)).device
        'cpu'
        """
        return "cpu"

    def to_device(self, device: str, /, *, stream: None = None) -> "Array":
        """The array itself, for the array API; an Error for other devices, which plans know.

        >>> weft.ones((4, 6)).to_device("cpu").shape
        (4, 6)
        """
        if device != "cpu" or stream is not None:
            raise Error(f"device: {device!r}; valid is 'cpu', and a weft.Plan with device=")
        return self

    def __array_namespace__(self, *, api_version: str | None = None) -> ModuleType:
        """Module weft.array_api: the functions of the array API standard."""
        return _from_above["array_namespace"](api_version)

    def __bool__(self) -> bool:
        raise ValueError(
            "the truth value of an array is ambiguous; use a.any() or a.all(), which are collective"
        )

    def __array_ufunc__(
        self, ufunc: np.ufunc, method: str, *inputs: Any, out: tuple[Any, ...] = (), **settings: Any
    ) -> Any:
        if method != "__call__":
            return NotImplemented
        if ufunc.signature is not None:
            raise TypeError(
                f"{ufunc.__name__}: works along axes, which may be spread over ranks; valid are "
                "functions of single elements, reductions such as sum and vdot, and a.gather()"
            )
        first = next(value for value in (*inputs, *out) if isinstance(value, Array))
        if out:
            settings["out"] = tuple(first._operand(value) for value in out)
        if "where" in settings:
            settings["where"] = first._operand(settings["where"])
        results = ufunc(*[first._operand(value) for value in inputs], **settings)
        space = combined(value.space for value in inputs if isinstance(value, Array))
        if out:
            made = out
        else:
            made = tuple(map(first.like, results if isinstance(results, tuple) else (results,)))
        for array in made:
            if isinstance(array, Array):
                array.space = space or array.space
        return made[0] if len(made) == 1 else made

    def __array_function__(
        self, function: Callable, types: Any, arguments: Any, settings: Any
    ) -> Any:
        return _from_above["call_function"](function, types, arguments, settings)

    def __array__(self, dtype: DTypeLike | None = None, copy: bool | None = None) -> np.ndarray:
        if self.comm.size > 1:
            raise Error(
                "a weft.Array on several ranks is no NumPy array; use a.local for this rank's "
                "part, or a.gather()"
            )
        return np.array(self.local, dtype, copy=copy) if copy else np.asarray(self.local, dtype)

    def __repr__(self) -> str:
        shape = "x".join(map(str, self.shape))
        return f"<weft.Array {shape} {self.dtype} on {self.comm.size} ranks, {self.layout}>"


def _unpickled(
    local: np.ndarray, layout: Layout, comm: MPI.Intracomm, space: Space | None, rank: int
) -> Array:
    if (rank, layout.ranks) != (comm.rank, comm.size):
        raise Error(
            f"a weft.Array that was pickled on rank {rank} of {layout.ranks} is loaded on rank "
            f"{comm.rank} of {comm.size}; valid is the same rank of as many"
        )
    return Array(local, layout, comm, space).like(local)
