"""mpi4py has loaded an MPI that this package was not built for."""

import pathlib
import sys

from mpi4py import MPI

own = MPI.Get_library_version()
other = "MPICH Version: 99" if own.startswith("Open MPI") else "Open MPI v99"
MPI.Get_library_version = lambda: other
try:
    import weft  # noqa: F401
except ImportError as error:
    print(f"ImportError: {error}")
    sys.exit()
sys.exit(f"{pathlib.Path(__file__).name}: imported")
