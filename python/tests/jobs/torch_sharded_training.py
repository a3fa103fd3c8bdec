"""A layer that weights the modes of a field is trained on DTensors, one process on each rank, and
becomes the same as on whole tensors."""

import socket
from typing import Any

import torch
import torch.distributed as distributed
import weft.torch
from mpi4py import MPI
from torch.distributed.tensor import DTensor, Shard, distribute_tensor

comm = MPI.COMM_WORLD
SHAPE = (8, 6, 10)
STEPS = 5


def start_processes() -> None:
    """torch's processes, numbered as the ranks."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = comm.bcast(free.getsockname()[1])
    distributed.init_process_group(
        "gloo", init_method=f"tcp://127.0.0.1:{port}", rank=comm.rank, world_size=comm.size
    )


def trained(
    transforms: Any, weights: torch.Tensor, field: torch.Tensor, target: torch.Tensor
) -> tuple[torch.Tensor, list[float]]:
    """The weights after some steps, and the loss before each of them."""
    weights = weights.clone().requires_grad_()
    optimizer = torch.optim.SGD([weights], lr=0.02, momentum=0.5)
    losses = []
    for _ in range(STEPS):
        spectrum = weights * transforms.rfftn(field, norm="ortho")
        change = transforms.irfftn(spectrum, s=SHAPE, norm="ortho") - target
        loss = change.square().sum()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        value = loss.detach()
        losses.append(float(value.full_tensor() if isinstance(value, DTensor) else value))
    return weights.detach(), losses


def main() -> None:
    start_processes()
    mesh = distributed.init_device_mesh("cpu", (comm.size,))
    torch.manual_seed(comm.bcast(torch.seed()))
    field, target = (torch.randn(SHAPE, dtype=torch.float64) for _ in range(2))
    weights = torch.ones(8, 6, 6, dtype=torch.complex128)
    whole = trained(torch.fft, weights, field, target)
    shards = [distribute_tensor(x, mesh, [Shard(0)]) for x in (weights, field, target)]
    sharded = trained(weft.torch, *shards)
    agree = torch.allclose(sharded[0].full_tensor(), whole[0])
    agree = agree and torch.allclose(torch.tensor(sharded[1]), torch.tensor(whole[1]))
    agree = agree and whole[1][-1] < whole[1][0]
    if comm.rank == 0:
        print(f"the same on one process and on {comm.size}: {'right' if agree else 'WRONG'}")
    comm.Barrier()  # gloo may abort a process whose partner has gone before its last message
    distributed.destroy_process_group()


main()
