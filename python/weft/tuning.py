"""The search for the fastest options, and the routes of jobs that do not run."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from mpi4py import MPI

from . import _core
from ._agreement import agreed
from ._arguments import layout_of, real_numbers, whole_number, whole_numbers
from ._core import Error, Layout
from .transform import Transform, options_text, transform_of


@dataclass(frozen=True)
class Trial:
    """One set of options that was tried.

    options: a text, sufficient to make the same plan again.
    predicted_seconds: by the model, for one forward; measured_seconds: the median of a few runs, 0
    if it could not run.
    failure: why the plan could not run; empty if it did.

    >>> trial = weft.tune((8, 8), seconds=0.1)[0]
    >>> plan = weft.Plan((8, 8), options=trial.options)
    """

    options: str
    predicted_seconds: float
    measured_seconds: float
    failure: str


def tune(
    shape: int | Sequence[int] | Transform,
    kind: str | Sequence[str] = "c2c",
    *,
    seconds: float = 30,
    comm: MPI.Intracomm | None = None,
    input: Layout | None = None,
    output: Layout | None = None,
    options: str | Mapping[str, Any] | None = None,
    report: Callable[[Trial], None] | None = None,
    **what: Any,
) -> list[Trial]:
    """Searches for the fastest options by running whole transforms for about `seconds`; returns all
    trials, the best first. The best options are kept as wisdom, for later plans of the same
    transform. Collective.

    options: what they settle stays as it is. report: called after each trial, on every rank. what:
    see weft.Transform.

    >>> trials = weft.tune((8, 8), "r2c", seconds=0.1)
    >>> trials[0].failure
    ''
    """
    comm = MPI.COMM_WORLD if comm is None else comm

    def request() -> tuple[Transform, str, float, Layout, Layout]:
        text = _core.normal_options(options_text(options))
        limit = real_numbers(seconds)
        if limit is None or limit.ndim:
            raise Error(f"seconds: {seconds!r}; valid is a number")
        transform = transform_of(shape, kind, **what)
        return transform, text, float(limit), layout_of("input", input), layout_of("output", output)

    transform, text, limit, source, target = agreed(comm, request)
    tell = None if report is None else lambda trial: report(Trial(*trial))
    trials = _core.tune(comm.handle, transform, text, limit, tell, source, target)
    return [Trial(*trial) for trial in trials]


def place(comm: MPI.Intracomm, grid: Sequence[int], network: str = "") -> MPI.Intracomm:
    """A communicator of the same ranks in an order that suits a process grid: its rank r is at
    row-major position r, and ranks that exchange are near each other. Plans on it take the same
    grid as their option. The caller frees it. Collective.

    network: "torus:8x8x8" for example; empty: the value of the environment variable WEFT_NETWORK;
    without it only nodes are known.

    >>> comm = weft.place(MPI.COMM_WORLD, (MPI.COMM_WORLD.size, 1))
    >>> plan = weft.Plan((8, 8), comm=comm, grid=(comm.size, 1))
    >>> plan.close()
    >>> comm.Free()
    """
    counts = agreed(comm, lambda: whole_numbers("grid", grid))
    placed: Any = MPI.Intracomm.fromhandle(_core.place(comm.handle, counts, str(network)))
    return placed


def describe(
    shape: int | Sequence[int] | Transform,
    kind: str | Sequence[str] = "c2c",
    *,
    ranks: int,
    ranks_per_node: int = 0,
    options: str | Mapping[str, Any] | None = None,
    **what: Any,
) -> str:
    """The route for any number of ranks, without starting them, as Plan.describe would tell it.
    ranks_per_node 0: all ranks are on one node.

    >>> print(weft.describe((64, 64), ranks=1000).splitlines()[0])
    weft plan: 64x64 [c2c c2c], double precision, scale backward
    """
    return _core.describe(
        transform_of(shape, kind, **what),
        options_text(options),
        whole_number("ranks", ranks),
        whole_number("ranks_per_node", ranks_per_node),
    )


def option_keys() -> list[str]:
    """The names of options.

    >>> "exchange" in weft.option_keys()
    True
    """
    return _core.option_keys()


def exchange_names() -> list[str]:
    """The exchange methods.

    >>> "p2p" in weft.exchange_names()
    True
    """
    return _core.exchange_names()


def engine_names() -> list[str]:
    """The FFT engines at hand, the default first.

    >>> weft.engine_names()[0]
    'weft'
    """
    return _core.engine_names()
