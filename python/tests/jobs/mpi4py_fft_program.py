"""A program that knows mpi4py-fft only, and a package on its submodules; it is started by
`python -m weft.compat.mpi4py_fft`."""

import sys

import numpy as np
from mpi4py import MPI
from mpi4py_fft import PFFT, newDistArray
from mpi4py_fft.fftw.xfftn import rfftn
from mpi4py_fft.libfft import FFT

fft = PFFT(MPI.COMM_WORLD, (8, 9, 10), dtype=float)
field = newDistArray(fft, False)
field[...] = np.random.default_rng(MPI.COMM_WORLD.rank).standard_normal(field.shape)
again = fft.backward(fft.forward(field), newDistArray(fft, False))
error = MPI.COMM_WORLD.allreduce(float(np.abs(again - field).max()), MPI.MAX)
if MPI.COMM_WORLD.rank == 0:
    made_by = {
        PFFT.__module__.split(".")[0],
        FFT.__module__.split(".")[0],
        rfftn.__module__.split(".")[0],
    }
    print(f"{' '.join(made_by)} with {sys.argv[1:]}: {'right' if error < 1e-14 else error}")
