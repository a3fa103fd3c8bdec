"""Runs tests of mpi4py-fft in a folder on Weft's module with its names; every rank runs
all of them, in the current folder, where test_io leaves files.

Left out are test_libfft and test_fftw, which test FFTW in serial, and transforms of pyfftw.
"""

import contextlib
import os
import runpy
import sys

import pytest
from mpi4py import MPI
from weft.compat.mpi4py_fft import install

comm = MPI.COMM_WORLD
sys.modules["pyfftw"] = None
install()

with contextlib.redirect_stdout(sys.stdout if comm.rank == 0 else open(os.devnull, "w")):
    status = pytest.main(
        ["-q", "-W", "ignore", "-p", "no:cacheprovider"]
        + [os.path.join(sys.argv[1], f"test_{name}.py") for name in ("mpifft", "darray", "pencil")]
    )
    runpy.run_path(os.path.join(sys.argv[1], "test_io.py"), run_name="__main__")
statuses = comm.gather(int(status))
if comm.rank == 0:
    formats = [name for name in ("h5py", "netCDF4") if name in sys.modules]
    print(f"test_io passed with {' and '.join(formats) or 'neither h5py nor netCDF4'}")
    sys.exit(max(statuses))
