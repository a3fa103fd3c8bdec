"""Global arrays of JAX, one process on each rank: transforms, within jit and under grad, equal those
of the whole array; what cannot be transformed is an Error on all ranks."""

import socket
from functools import partial

import jax
import numpy as np
import weft
from jax.sharding import Mesh, NamedSharding
from jax.sharding import PartitionSpec as P
from mpi4py import MPI

comm = MPI.COMM_WORLD
jax.config.update("jax_enable_x64", True)
jax.config.update("jax_platforms", "cpu")

SHAPE = (8, 4, 6)


def free_address() -> str:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return f"127.0.0.1:{listener.getsockname()[1]}"


def spread(whole: np.ndarray, sharding: NamedSharding) -> jax.Array:
    return jax.make_array_from_callback(whole.shape, sharding, lambda index: whole[index])


def holds(array: jax.Array, whole: np.ndarray, sharding: NamedSharding) -> bool:
    """Whether a global array has this process's part of the right elements."""
    [shard] = array.addressable_shards
    return (
        array.shape == whole.shape
        and array.sharding.is_equivalent_to(sharding, array.ndim)
        and np.allclose(shard.data, whole[shard.index], atol=1e-9)
    )


def message(call) -> str:
    """That of the Error which the call raises."""
    try:
        call()
    except weft.Error as error:
        return str(error)
    return "no Error"


def mistakes(distributed, whole: np.ndarray, mesh: Mesh) -> None:
    x = spread(whole, NamedSharding(mesh, P("x")))
    everywhere = spread(whole, NamedSharding(mesh, P()))
    for call, words in (
        (lambda: jax.jit(distributed.fftn)(x), "valid is layout=x.sharding"),
        (lambda: distributed.fftn(everywhere), "overlap"),
        (lambda: distributed.fftn(x, axes=3), "axes: 3"),
        (lambda: distributed.fftn(x, s=(9,), axes=0), "keeps its length 8"),
        (lambda: distributed.rfftn(x, axes=(1, 0)), "evenly divide"),
    ):
        assert words in message(call), message(call)


def main() -> None:
    import weft.jax as distributed  # after JAX knows its processes

    devices = np.array(jax.devices())
    assert len(devices) == comm.size and jax.process_index() == comm.rank
    rng = np.random.default_rng(comm.bcast(np.random.SeedSequence().entropy))
    whole = rng.standard_normal(SHAPE)
    weights = rng.standard_normal((*SHAPE[:2], SHAPE[2] // 2 + 1))

    def energy(fft, x, weights, **how):
        return (weights * abs(fft.rfftn(x, norm="ortho", **how)) ** 2).sum()

    truth = np.asarray(jax.grad(lambda x: energy(jax.numpy.fft, x, weights))(whole))
    # Ranks need not hold the parts in their own order.
    for order, spec in (devices, P("x")), (devices[::-1], P(None, "x")):
        sharding = NamedSharding(Mesh(order, "x"), spec)
        x, known = spread(whole, sharding), spread(weights, sharding)
        spectrum = distributed.rfftn(x)
        assert holds(spectrum, np.fft.rfftn(whole), sharding)
        assert holds(distributed.irfftn(spectrum, s=SHAPE), whole, sharding)
        assert holds(distributed.ifft(x, n=9), np.fft.ifft(whole, n=9), sharding)
        within = jax.jit(partial(distributed.fftn, layout=sharding))
        assert holds(within(x), np.fft.fftn(whole), sharding)
        gradient = jax.grad(partial(energy, distributed, layout=sharding))
        for function in gradient, jax.jit(gradient):
            assert holds(function(x, known), truth, sharding)

    mesh = Mesh(devices, "x")
    sharding, of_batch = NamedSharding(mesh, P("x")), NamedSharding(mesh, P(None, "x"))
    batch = np.stack([whole, 2 * whole])
    each = jax.jit(jax.vmap(lambda x: distributed.fftn(x, layout=sharding)))
    assert holds(each(spread(batch, of_batch)), np.fft.fftn(batch, axes=(1, 2, 3)), of_batch)
    mapped = jax.shard_map(distributed.rfftn, mesh=mesh, in_specs=P("x"), out_specs=P("x"))
    for function in mapped, jax.jit(mapped):
        assert holds(function(spread(whole, sharding)), np.fft.rfftn(whole), sharding)
    mistakes(distributed, whole, mesh)
    jax.effects_barrier()
    if comm.rank == 0:
        print(f"global arrays on {comm.size} processes: right", flush=True)


address = comm.bcast(free_address() if comm.rank == 0 else None)
jax.distributed.initialize(address, comm.size, comm.rank)
main()
jax.distributed.shutdown()
