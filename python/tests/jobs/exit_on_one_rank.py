"""One rank exits with an error while the others wait in a transform: the job ends with its status.
An exit that the program has caught does not count."""

import sys

import weft
from mpi4py import MPI

plan = weft.Plan((8, 8))
try:
    sys.exit("caught")
except SystemExit:
    pass
if MPI.COMM_WORLD.rank == 1:
    sys.exit("no input file on rank 1")
plan.forward(plan.make_input())
