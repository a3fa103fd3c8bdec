"""The weft command of an installed package, on all ranks under mpiexec or alone on one.

The extension contains the command, so that a wheel needs no second copy of the library, and so the
command uses the MPI that mpi4py has found.
"""

import signal
import sys
from typing import NoReturn

from . import _core


def main() -> NoReturn:
    run_command = getattr(_core, "run_command", None)
    if run_command is None:
        sys.exit(
            "weft: this build of the package has no command; bin/weft of its build tree is one"
        )
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # Python would wait until the command has ended
    sys.exit(run_command(["weft", *sys.argv[1:]]))
