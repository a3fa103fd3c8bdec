"""One rank passes an array of another dtype in a call that is not checked: the plan ends the
job."""

import numpy as np
import weft
from mpi4py import MPI

plan = weft.Plan((8, 8))
u = plan.make_input()
plan.forward(u.local.astype(np.complex64) if MPI.COMM_WORLD.rank == 1 else u, plan.make_output())
