"""Runs a program that uses mpi4py-fft on Weft, without a change:

    mpiexec -n 4 python -m weft.compat.mpi4py_fft SCRIPT [ARGUMENT...]

mpi4py starts the program (-m MODULE and -c COMMAND are valid, too): an exception that nothing
handles ends the job on all ranks.
"""

from mpi4py import run

from . import install

install()
run.main()
