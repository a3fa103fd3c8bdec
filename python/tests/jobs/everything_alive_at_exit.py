"""The interpreter ends with plans, arrays, caches and a transform in flight alive, in other orders
on other ranks."""

import weft
from mpi4py import MPI

plans = [weft.Plan((8, 8, 8), fields=2) for _ in range(3)]
arrays = [(plan.input, plan.output) for plan in plans]
spectrum = weft.rfftn(weft.ones((8, 8, 8)))
if MPI.COMM_WORLD.rank % 2:
    plans.reverse()
    del arrays[0]
handle = plans[1].start_forward(plans[1].make_input())
if MPI.COMM_WORLD.rank == 0:
    print("alive at exit")
