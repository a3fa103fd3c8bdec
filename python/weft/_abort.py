"""Ends a job in which one rank fails: the others would wait for it forever."""

import sys
import time
from types import TracebackType
from typing import Callable

from mpi4py import MPI

# Seconds for mpiexec to pass on what this rank has printed: MPICH's drops what it has not read yet
# when a job is aborted.
forwarding = 1


def _aborting(show: Callable) -> Callable:
    def excepthook(
        kind: type[BaseException], error: BaseException, traceback: TracebackType | None
    ) -> None:
        show(kind, error, traceback)
        if MPI.Is_initialized() and not MPI.Is_finalized() and MPI.COMM_WORLD.size > 1:
            sys.stdout.flush()
            sys.stderr.flush()
            time.sleep(forwarding)
            MPI.COMM_WORLD.Abort(1)

    return excepthook


def install() -> None:
    """An exception that nobody catches ends all ranks of the job, after its traceback was
    printed."""
    sys.excepthook = _aborting(sys.excepthook)
