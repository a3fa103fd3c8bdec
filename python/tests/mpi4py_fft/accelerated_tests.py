"""Runs mpi4py-fft's tests in a folder with its transforms on Weft; every rank runs all of them.

Left out are test_io, which is a script, and tests that store arrays where h5py has no MPI.
"""

import contextlib
import os
import sys

import pytest
from mpi4py import MPI
from weft.compat.mpi4py_fft import accelerate, report

comm = MPI.COMM_WORLD
with contextlib.suppress(ImportError):
    import h5py

    if not h5py.get_config().mpi:
        sys.modules["h5py"] = None  # to mpi4py-fft's tests, as if there were none

accelerate()
names = ("mpifft", "darray", "pencil", "libfft", "fftw")
with contextlib.redirect_stdout(sys.stdout if comm.rank == 0 else open(os.devnull, "w")):
    status = pytest.main(
        ["-q", "-W", "ignore", "-p", "no:cacheprovider"]
        + [os.path.join(sys.argv[1], f"test_{name}.py") for name in names]
    )
statuses = comm.gather(int(status))
if comm.rank == 0:
    print(report())
    sys.exit(max(statuses))
