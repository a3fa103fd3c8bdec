"""A Dedalus 3 program for tests/programs/run: an incompressible flow in a periodic box. Prints its time per step and energy."""

import time

import dedalus.public as d3
import numpy as np
from mpi4py import MPI

size, steps = 48, 12
coordinates = d3.CartesianCoordinates("x", "y", "z")
distributor = d3.Distributor(coordinates, dtype=np.float64)
bases = tuple(d3.RealFourier(coordinates[name], size=size, bounds=(0, 2 * np.pi), dealias=3 / 2) for name in "xyz")
u = distributor.VectorField(coordinates, name="u", bases=bases)
p = distributor.Field(name="p", bases=bases)
gauge = distributor.Field(name="gauge")
nu = 1e-3
problem = d3.IVP([u, p, gauge], namespace=locals())
problem.add_equation("dt(u) + grad(p) - nu*lap(u) = - u@grad(u)")
problem.add_equation("div(u) + gauge = 0")
problem.add_equation("integ(p) = 0")
solver = problem.build_solver(d3.RK222)
x, y, z = distributor.local_grids(*bases)
u["g"][0] = np.sin(x) * np.cos(y) * np.cos(z)
u["g"][1] = -np.cos(x) * np.sin(y) * np.cos(z)
for step in range(steps):
    if step == 2:  # plans and matrices are made in the first steps
        MPI.COMM_WORLD.Barrier()
        start = time.perf_counter()
    solver.step(1e-2)
MPI.COMM_WORLD.Barrier()
seconds = (time.perf_counter() - start) / (steps - 2)
energy = MPI.COMM_WORLD.allreduce(float((u["c"] ** 2).sum()))
if MPI.COMM_WORLD.rank == 0:
    print(f"seconds per step: {seconds}\nresult: {energy!r}")
