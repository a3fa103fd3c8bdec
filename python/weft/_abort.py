"""Ends a job in which one rank fails: the others would wait for it forever."""

import atexit
import sys
import time
from types import TracebackType
from typing import Any, Callable, NoReturn

from mpi4py import MPI

from . import _core

# Seconds for mpiexec to pass on what this rank has printed: MPICH's drops what it has not read yet
# when a job is aborted.
forwarding = 1

# Seconds that a rank which exits with an error waits in MPI_Finalize for the others, which may be
# about to exit as well.
patience = 10


def _has_others() -> bool:
    return MPI.Is_initialized() and not MPI.Is_finalized() and MPI.COMM_WORLD.size > 1


def _aborting(show: Callable) -> Callable:
    def excepthook(
        kind: type[BaseException], error: BaseException, traceback: TracebackType | None
    ) -> None:
        show(kind, error, traceback)
        if _has_others():
            sys.stdout.flush()
            sys.stderr.flush()
            time.sleep(forwarding)
            MPI.COMM_WORLD.Abort(1)

    return excepthook


class _Ending:
    """Goes with a SystemExit, and learns whether that ends the process: it does where the exception
    is dropped while no code of Python runs that could have caught it."""

    status = 0  # of the exit that ends this process

    def __init__(self, status: Any) -> None:
        if status is None:
            self._status = 0
        else:
            self._status = status & 0xFF if isinstance(status, int) else 1

    def __del__(self) -> None:
        if sys._getframe().f_back is None:
            _Ending.status = self._status


def _exit_of(status: Any) -> SystemExit:
    error = SystemExit(status)
    error.ending = _Ending(status)  # type: ignore[attr-defined]
    return error


def _exit(status: Any = None, /) -> NoReturn:
    """Exits the interpreter by raising SystemExit(status). A status other than None and 0 on one
    rank ends all ranks of the job, some seconds later."""
    raise _exit_of(status)


@atexit.register
def _abort_where_others_stay() -> None:
    if _Ending.status and _has_others():
        _core.abort_after(patience, _Ending.status)


def install() -> None:
    """An exception that nobody catches ends all ranks of the job, after its traceback was printed;
    so does sys.exit with an error on one rank, unless the others exit as well."""
    sys.excepthook = _aborting(sys.excepthook)
    sys.exit = _exit
