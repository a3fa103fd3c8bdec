"""Ranks that do not make the same calls of weft.jax get an Error each, and do not wait for each
other."""

import jax
import numpy as np
import weft
import weft.jax
from mpi4py import MPI

comm = MPI.COMM_WORLD


def different_branches(x: jax.Array) -> None:
    @jax.jit
    def branch(x, first):
        return jax.lax.cond(first, weft.jax.fftn, weft.jax.ifftn, x)

    jax.block_until_ready(branch(x, comm.rank == 0))


def some_compile_anew(x: jax.Array) -> None:
    transform = jax.jit(weft.jax.fftn)
    jax.block_until_ready(transform(x))
    more = x if comm.rank == 0 else np.concatenate([x, x])  # rank 0 has compiled for this shape
    jax.block_until_ready(transform(more))


for mistake in some_compile_anew, different_branches:
    words = "no error"
    try:
        mistake(jax.numpy.ones((2, 3), jax.numpy.complex64))
    except (weft.Error, jax.errors.JaxRuntimeError) as error:
        words = str(error)
    found = comm.allreduce(int("ranks make different calls: rank 0 runs" in words))
    print(f"rank {comm.rank}: {mistake.__name__}: {words}", flush=True)
    if comm.rank == 0:
        print(f"{mistake.__name__}: found on {found} of {comm.size} ranks", flush=True)
