"""One rank raises while the others wait in a transform: its traceback ends the job."""

import weft
from mpi4py import MPI

plan = weft.Plan((8, 8))
if MPI.COMM_WORLD.rank == 1:
    raise RuntimeError("deliberate")
plan.forward(plan.make_input())
