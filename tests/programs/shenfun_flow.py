"""A shenfun program for tests/programs/run: an incompressible flow in a periodic box. Prints its time per step and energy."""

import time

import numpy as np
from mpi4py import MPI
from shenfun import Array, Function, FunctionSpace, TensorProductSpace, VectorSpace

size, steps = 64, 42
domain = (0, 2 * np.pi)
waves = [FunctionSpace(size, "F", dtype=letter, domain=domain) for letter in "DDd"]
space = TensorProductSpace(MPI.COMM_WORLD, waves, dtype="d", slab=False)
padded = space.get_dealiased((1.5, 1.5, 1.5))
vectors, padded_vectors = VectorSpace(space), VectorSpace(padded)
k = np.array(np.broadcast_arrays(*space.local_wavenumbers(scaled=True)), dtype=float)
squares = (k**2).sum(axis=0)
inverse = 1 / np.where(squares == 0, 1, squares)

u = Array(vectors)
x, y, z = space.local_mesh(True)
u[0] = np.sin(x) * np.cos(y) * np.cos(z)
u[1] = -np.cos(x) * np.sin(y) * np.cos(z)
modes = Function(vectors)
modes = u.forward(modes)


def product(modes):
    """The transform of u x curl(u), without its divergence."""
    curl = Function(vectors)
    for i, (j, m) in enumerate([(1, 2), (2, 0), (0, 1)]):
        curl[i] = 1j * (k[j] * modes[m] - k[m] * modes[j])
    velocity = padded_vectors.backward(modes, Array(padded_vectors))
    vorticity = padded_vectors.backward(curl, Array(padded_vectors))
    force = Array(padded_vectors)
    for i, (j, m) in enumerate([(1, 2), (2, 0), (0, 1)]):
        force[i] = velocity[j] * vorticity[m] - velocity[m] * vorticity[j]
    result = padded_vectors.forward(force, Function(vectors))
    return result - k * (k * result).sum(axis=0) * inverse


for step in range(steps):
    if step == 2:
        MPI.COMM_WORLD.Barrier()
        start = time.perf_counter()
    modes[:] += 1e-2 * (product(modes) - 1e-3 * squares * modes)
MPI.COMM_WORLD.Barrier()
seconds = (time.perf_counter() - start) / (steps - 2)
u = vectors.backward(modes, u)
energy = MPI.COMM_WORLD.allreduce(float((np.asarray(u) ** 2).sum()))
if MPI.COMM_WORLD.rank == 0:
    print(f"seconds per step: {seconds}\nresult: {energy!r}")
