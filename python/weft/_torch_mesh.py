"""Where a DTensor of torch lies, as a communicator and a Layout: its mesh dimensions become those of
a process grid."""

from collections.abc import Sequence

import torch
import torch.distributed as distributed
from mpi4py import MPI
from torch.distributed.tensor import DTensor, Shard

from ._core import Error, Layout

_communicators: dict[tuple[int, ...], MPI.Intracomm] = {}


def communicator_of(tensor: DTensor, comm: MPI.Intracomm | None) -> MPI.Intracomm:
    """The communicator whose ranks are the processes of the mesh, in the mesh's order. Collective
    over these. comm: the caller's own one, which is checked; None: MPI.COMM_WORLD or a part of it,
    where torch.distributed numbers processes as MPI does."""
    ranks = tuple(tensor.device_mesh.mesh.flatten().tolist())
    own = distributed.get_rank()
    if own not in ranks:
        raise Error(f"input: its mesh has the processes {ranks}; valid are calls on these alone")
    if comm is not None:
        if (comm.size, comm.rank) != (len(ranks), ranks.index(own)):
            raise Error(
                f"comm: is of {comm.size} ranks, and process {own} is its rank {comm.rank}; valid is "
                f"one whose ranks are the processes {ranks} in this order"
            )
        return comm
    world = MPI.COMM_WORLD
    if (distributed.get_world_size(), own) != (world.size, world.rank):
        raise Error(
            f"input: process {own} of {distributed.get_world_size()} of torch.distributed is rank "
            f"{world.rank} of {world.size} of MPI.COMM_WORLD; valid are equal numbers, or comm="
        )
    if ranks == tuple(range(world.size)):
        return world
    if ranks not in _communicators:
        _communicators[ranks] = world.Create_group(world.Get_group().Incl(ranks))
    return _communicators[ranks]


def layout_of_shards(tensor: DTensor) -> Layout:
    """The layout of a DTensor. Each mesh dimension cuts its axis as torch.chunk does, one after the
    other."""
    shape, mesh = tuple(tensor.shape), tuple(tensor.device_mesh.shape)
    split: list[list[int]] = [[] for _ in shape]
    for dimension, placement in enumerate(tensor.placements):
        if type(placement) is not Shard:
            raise Error(
                f"input: has the placements {tuple(tensor.placements)}; valid is Shard on every "
                "dimension of the mesh. A DTensor on a sub-mesh, such as mesh['x'], leaves out the "
                "dimensions that replicate"
            )
        split[placement.dim % len(shape)].append(dimension)
    return Layout.grid(shape, mesh, split, "blocks")


def sharded_like(tensor: DTensor, local: torch.Tensor, shape: Sequence[int]) -> DTensor:
    """The DTensor of that shape with these parts, and the mesh and placements of another."""
    strides = torch.empty(tuple(shape), device="meta").stride()
    return DTensor.from_local(
        local,
        tensor.device_mesh,
        tensor.placements,
        run_check=False,
        shape=torch.Size(shape),
        stride=strides,
    )
