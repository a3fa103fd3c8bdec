"""Loads the extension that was built for the MPI that mpi4py has loaded, so that one package serves
every MPI."""

import importlib.util
import pathlib
import sys
from types import ModuleType

from mpi4py import MPI

from ._namesakes import check_namesakes


def _abi_of_mpi4py(version: str) -> str:
    """MPI 5's own where mpi4py was built for it; MPI itself names that one, and no other."""
    abi_version = getattr(MPI, "Get_abi_version", lambda: (-1, -1))()
    if abi_version[0] > 0:
        return "mpiabi"
    return "openmpi" if version.startswith("Open MPI") else "mpich"


def load_core() -> ModuleType:
    """The extension module, as weft._core.

    An ImportError names both MPIs where there is no extension for mpi4py's, or where the extension
    has found another MPI than mpi4py: a communicator of one would crash the other.
    """
    version = MPI.Get_library_version().strip("\0\n ")
    abi = _abi_of_mpi4py(version)
    files = sorted(pathlib.Path(__file__).parent.glob("_core.*.so"))
    built_for = {file.name.split(".")[1]: file for file in files}
    if abi not in built_for:
        raise ImportError(
            f"this Weft was built for {' and '.join(built_for) or 'no MPI'}, but mpi4py uses "
            f"{version!r} (of the ABI {abi})"
        )
    spec = importlib.util.spec_from_file_location("weft._core", built_for[abi])
    assert spec is not None and spec.loader is not None
    core = importlib.util.module_from_spec(spec)
    sys.modules["weft._core"] = core
    spec.loader.exec_module(core)
    own = core.mpi_library_version().strip("\0\n ")
    if own != version:
        raise ImportError(
            f"Weft has loaded {own!r}, but mpi4py uses {version!r}; both must use the same MPI"
        )
    return core


check_namesakes(pathlib.Path(__file__).parent)
load_core()
