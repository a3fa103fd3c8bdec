"""Times forward and backward of an r2c PFFT on mpi4py-fft and on Weft, in turn, so that other work
on the machine disturbs both; shows medians and quartiles of the slowest rank's seconds."""

import sys

import numpy as np
from mpi4py import MPI
from mpi4py_fft import PFFT, newDistArray
from weft.compat import mpi4py_fft as on_weft

comm = MPI.COMM_WORLD
repetitions, *shape = [int(word) for word in sys.argv[1:]] or [15, 256, 256, 256]
shape = shape or [256, 256, 256]


def seconds(fft, field, spectrum):
    """Of forward and backward together, on the slowest rank."""
    comm.Barrier()
    start = MPI.Wtime()
    fft.forward(field, spectrum)
    fft.backward(spectrum, field)
    return comm.allreduce(MPI.Wtime() - start, MPI.MAX)


theirs, ours = PFFT(comm, shape, dtype=float), on_weft.PFFT(comm, shape, dtype=float)
cases = [
    (fft, make(fft, False), make(fft))
    for fft, make in ((theirs, newDistArray), (ours, on_weft.newDistArray))
]
for case in cases:
    field = case[1]
    field[...] = np.random.default_rng(comm.rank).standard_normal(field.shape)
    seconds(*case)  # the first call touches memory
times = np.array([[seconds(*case) for case in cases] for _ in range(repetitions)])
if comm.rank == 0:
    for name, column in zip(("mpi4py-fft", "Weft"), times.T):
        low, median, high = 1e3 * np.quantile(column, [0.25, 0.5, 0.75])
        print(f"{name:10} {median:8.1f} ms   ({low:.1f} to {high:.1f})")
    low, median, high = np.quantile(times[:, 1] / times[:, 0], [0.25, 0.5, 0.75])
    ratio = np.median(times[:, 1]) / np.median(times[:, 0])
    print(f"ratio      {ratio:8.2f}      ({low:.2f} to {high:.2f}, of neighbours)")
