from collections.abc import Sequence
from typing import Any

class Error(ValueError):
    """See weft.Error."""


def version() -> str: ...

def mpi_library_version() -> str: ...

def abort_after(seconds: float, status: int) -> None: ...

lost_gradients: str = ...

class NewFile:
    def __init__(self, target: str, bytes: int) -> None:
        """A file in the making beside the target, as one process makes it."""

    @property
    def target(self) -> str:
        """The file that it replaces, behind symbolic links."""

    @property
    def path(self) -> str:
        """Its name until then."""

    @property
    def token(self) -> bytes:
        """The bytes at its beginning until others are written there."""

    @property
    def descriptor(self) -> int:
        """Open for reading and writing."""

    def publish(self) -> None:
        """Gives it the target's name."""

    def discard(self) -> None:
        """Removes it unless it was published."""

def check_replaceable(target: str, bytes: int) -> None:
    """An Error where a file of that name cannot be replaced."""

def temporary_ending() -> str:
    """
    An ending that no other name has: it names the process that made it, and is random.
    """

def is_abandoned(ending: str) -> bool:
    """Whether a process that is certainly gone has made that ending."""

def mpi_file_names(path: str) -> list[str]:
    """Names of the file to try in MPI-IO, in this order."""

class Box:
    """Half-open ranges of global indices, one for each axis."""

    def __init__(self, lower: Sequence[int], upper: Sequence[int]) -> None: ...

    @property
    def lower(self) -> tuple[int, ...]:
        """The first index along each axis."""

    @property
    def upper(self) -> tuple[int, ...]:
        """The first index beyond, along each axis."""

    @property
    def shape(self) -> tuple[int, ...]:
        """The number of indices along each axis."""

    @property
    def size(self) -> int:
        """The number of indices inside."""

    @property
    def slices(self) -> tuple[slice, ...]:
        """Selects these indices of a global NumPy array."""

    def intersect(self, other: Box) -> Box:
        """The indices that are in both boxes."""

    def __eq__(self, other: object) -> bool: ...

    def __contains__(self, arg: Sequence[int], /) -> bool: ...

    def __getstate__(self) -> tuple[list[int], list[int]]: ...

    def __setstate__(self, arg: tuple[Sequence[int], Sequence[int]], /) -> None: ...

    def __repr__(self) -> str: ...

class Layout:
    """
    Which box of a global array each rank holds, and in which memory order; a value that needs no MPI.
    """

    def __init__(self) -> None:
        """No layout: given to a Plan, the planner chooses one."""

    @staticmethod
    def slabs(shape: int | Sequence[int], ranks: int, axis: int = 0) -> Layout:
        """`axis` is split over all ranks."""

    @staticmethod
    def pencils(shape: int | Sequence[int], grid: Sequence[int], local_axis: int = -1) -> Layout:
        """
        Of the axes other than `local_axis` the first is split in grid[0], the second in grid[1].
        """

    @staticmethod
    def bricks(shape: int | Sequence[int], grid: Sequence[int]) -> Layout:
        """One process count for each axis."""

    @staticmethod
    def cyclic(shape: int | Sequence[int], grid: Sequence[int]) -> Layout:
        """
        One process count for each axis; process i of p holds indices i, i + p, i + 2 p, ... Transforms between cyclic layouts need one exchange if p * p divides the lengths.
        """

    @staticmethod
    def boxes(shape: int | Sequence[int], boxes: Sequence[Box]) -> Layout:
        """The caller's own boxes, one for each rank."""

    @staticmethod
    def grid(shape: int | Sequence[int], grid: Sequence[int], split: Sequence[Sequence[int]], partition: str = 'balanced') -> Layout:
        """
        A process grid; split[a] lists its dimensions that split axis a, coarsest first.
        """

    def partitioned(self, partition: str) -> Layout:
        """
        The same split, cut as 'balanced', 'blocks', 'longer_first', 'longer_last' or 'cyclic'.
        """

    def spread(self, ranks: int, stride: int = 0) -> Layout:
        """
        The same process grid on some of `ranks` ranks, `stride` apart from 0 on; the others hold nothing. 0: as far apart as possible.
        """

    def ordered(self, order: Sequence[int]) -> Layout:
        """The same boxes in another memory order, slowest axis first."""

    def reshaped(self, shape: int | Sequence[int]) -> Layout:
        """The same split of another global shape."""

    def padded(self, extra: Sequence[int]) -> Layout:
        """The same boxes in arrays with room for `extra` more elements per axis."""

    def strided(self, strides: Sequence[int]) -> Layout:
        """The same boxes with this rank's own strides, in elements."""

    def contiguous(self) -> Layout:
        """The same boxes and order without gaps."""

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the global array."""

    @property
    def ranks(self) -> int:
        """The number of ranks that it is spread over."""

    @property
    def order(self) -> tuple[int, ...]:
        """The memory order, slowest axis first."""

    @property
    def process_grid(self) -> tuple[int, ...]:
        """
        The process count of each grid dimension; empty where there is no grid.
        """

    @property
    def positions(self) -> int:
        """
        The number of positions in the process grid: as many as ranks, unless spread.
        """

    @property
    def stride_of_ranks(self) -> int:
        """The distance between ranks of neighbouring positions; 1 unless spread."""

    @property
    def split(self) -> tuple[list[int], ...]:
        """For each axis the grid dimensions that split it, coarsest first."""

    @property
    def partition(self) -> str:
        """The rule by which axes are cut."""

    @property
    def classes(self) -> tuple[int, ...]:
        """
        For each axis the classes of indices, i modulo this number, that lie one behind the other; 1 where boxes hold indices themselves.
        """

    @property
    def has_ranges(self) -> bool:
        """True where every rank holds a range of indices along each axis."""

    @property
    def has_gaps(self) -> bool:
        """False where every rank's array is contiguous."""

    def is_local(self, axis: int) -> bool:
        """True where every rank that holds anything holds all of that axis."""

    def box(self, rank: int) -> Box:
        """
        The box of a rank; along axes of several classes it holds places, not indices.
        """

    def slices(self, rank: int) -> tuple[slice, ...]:
        """Selects a rank's part of a global NumPy array."""

    def every_box(self) -> list[Box]:
        """The box of each rank."""

    def strides(self, rank: int) -> tuple[int, ...]:
        """Elements between neighbours along each axis of that rank's array."""

    def allocated(self, rank: int) -> int:
        """The elements that rank's array takes in memory, gaps included."""

    def has_boxes_of(self, other: Layout) -> bool:
        """Whether every rank holds the same elements in both."""

    def __bool__(self) -> bool: ...

    def __eq__(self, other: object) -> bool: ...

    def __getstate__(self) -> tuple[list[int], list[int], list[int], list[int], list[Box], list[int], list[list[int]], str, list[list[int]], int, int, int]: ...

    def __setstate__(self, arg: tuple[Sequence[int], Sequence[int], Sequence[int], Sequence[int], Sequence[Box], Sequence[int], Sequence[Sequence[int]], str, Sequence[Sequence[int]], int, int, int], /) -> None: ...

    def __hash__(self) -> int: ...

    def __repr__(self) -> str: ...

def gather_layout(comm: int, shape: Sequence[int], box: Box) -> Layout: ...

class Halo:
    def __init__(self, comm: int, layout: Layout, below: Sequence[int], above: Sequence[int], periodic: Sequence[bool], corners: bool, element_bytes: int) -> None: ...

    def start(self, address: int, mistake: str) -> None:
        """
        Begins an update. The address is of the first element of this rank's box; a mistake ends the job.
        """

    def test(self) -> bool:
        """Whether the update has ended."""

    def wait(self) -> None:
        """Returns when the update has ended."""

    @property
    def layout(self) -> Layout:
        """The layout of the arrays, with room for the ghost cells."""

class Transform:
    def __init__(self, text: str) -> None: ...

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the physical array."""

    @property
    def kinds(self) -> tuple[str, ...]:
        """A kind for each axis."""

    @property
    def precision(self) -> str:
        """'double' or 'float'."""

    @property
    def norm(self) -> str:
        """'backward', 'ortho', 'forward' or a number, as text."""

    @property
    def spectral_shape(self) -> tuple[int, ...]:
        """The shape of the spectrum."""

    @property
    def physical_is_real(self) -> bool:
        """Whether the physical array holds real numbers."""

    @property
    def spectral_is_real(self) -> bool:
        """
        Whether the spectrum holds real numbers: for DCT and DST, and if no axis is transformed.
        """

    @property
    def element_bytes(self) -> int:
        """The bytes of an element that is moved as it is; 0: numbers."""

    @property
    def logical_size(self) -> float:
        """N, by whose inverse backward of norm='backward' is scaled."""

    def wavenumbers(self, axis: int) -> list[int]:
        """
        The wavenumbers of the spectrum's indices along an axis, as they lie in memory.
        """

    def __getstate__(self) -> str: ...

    def __setstate__(self, arg: str, /) -> None: ...

    def __str__(self) -> str: ...

class Operator:
    @property
    def inputs(self) -> int: ...

    @property
    def outputs(self) -> int: ...

class DeviceMemory:
    @property
    def address(self) -> int: ...

    @property
    def dtype(self) -> str: ...

class Handle:
    def test(self) -> bool: ...

    def wait(self) -> None: ...

class Plan:
    def __init__(self, comm: int, transform: Transform, options: str, input: Layout, output: Layout) -> None: ...

    def run(self, is_forward: bool, input: object | None, output: object | None, scale: float) -> None: ...

    def start(self, is_forward: bool, input: object | None, output: object | None, scale: float) -> Handle: ...

    def operator(self, text: str, lengths: Sequence[float]) -> Operator: ...

    def apply_operator(self, input: object | None, output: object | None, operator: Operator) -> None: ...

    def apply_each(self, input: object | None, output: object | None, functions: Sequence[tuple[int, int]]) -> None: ...

    def apply_fields(self, input: object | None, output: object | None, address: int, user: int) -> None: ...

    def close(self) -> None: ...

    @property
    def options(self) -> str: ...

    @property
    def input_layout(self) -> Layout: ...

    @property
    def output_layout(self) -> Layout: ...

    @property
    def rank(self) -> int: ...

    @property
    def workspace_bytes(self) -> int: ...

    @property
    def engine(self) -> str: ...

    @property
    def exchanges(self) -> list[str]: ...

    @property
    def sent(self) -> tuple[int, int]: ...

    @property
    def spectrum_is_output(self) -> bool: ...

    def describe(self) -> str: ...

    def record(self, on: bool) -> None: ...

    def trace(self) -> tuple[Any, ...]: ...

    def own_array(self, is_input: bool) -> object: ...

    def make_array(self, is_input: bool) -> object: ...

    def copy(self, to: int, source: int, bytes: int) -> None: ...

    def synchronize(self) -> None: ...

    def set_stream(self, stream: int) -> None: ...

    def dlpack(self, memory: DeviceMemory) -> object: ...

    @property
    def device(self) -> str: ...

    @property
    def dlpack_device(self) -> tuple[int, int]: ...

def wavenumbers(transform: Transform) -> tuple[Any, ...]: ...

def mean_square_weights(transform: Transform, is_input: bool) -> tuple[Any, ...]: ...

def grid_points(kind: str, length: int) -> tuple[Any, ...]: ...

def tune(comm: int, transform: Transform, options: str, seconds: float, report: object | None, input: Layout, output: Layout) -> list[tuple[str, float, float, str]]: ...

def place(comm: int, grid: Sequence[int], network: str) -> int: ...

def describe(transform: Transform, options: str, ranks: int, ranks_per_node: int) -> str: ...

def normal_options(text: str) -> str: ...

def option_keys() -> list[str]: ...

def exchange_names() -> list[str]: ...

def engine_names() -> list[str]: ...
