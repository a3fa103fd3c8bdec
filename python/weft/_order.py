"""Different calls on different ranks become an Error on all ranks, instead of ranks that wait for
each other. Each comparison costs one small reduction."""

import hashlib

import numpy as np
from mpi4py import MPI

from ._core import Error


def _free(comm: MPI.Comm, keyval: int, channel: MPI.Intracomm) -> None:
    if not MPI.Is_finalized():
        channel.Free()


_keyval = MPI.Comm.Create_keyval(delete_fn=_free)


def _channel(comm: MPI.Intracomm) -> MPI.Intracomm:
    """A duplicate, whose messages do not meet those of the program's own threads. Collective at
    first."""
    channel = comm.Get_attr(_keyval)
    if channel is None:
        channel = comm.Dup()
        comm.Set_attr(_keyval, channel)
    return channel  # type: ignore[return-value]


def require_same(comm: MPI.Intracomm, call: str) -> None:
    """An Error on all ranks, with the calls of two of them, unless `call` is the same text on all.
    Collective, with all other comparisons on that communicator."""
    channel = _channel(comm)
    digest = hashlib.blake2b(call.encode(), digest_size=7).digest()
    number = int.from_bytes(digest, "little")
    ends = np.array([number, -number])
    channel.Allreduce(MPI.IN_PLACE, ends, MPI.MIN)
    if ends[0] == -ends[1]:
        return
    calls = channel.allgather(call)
    other = next(rank for rank, text in enumerate(calls) if text != calls[0])
    raise Error(
        f"ranks make different calls: rank 0 {calls[0]}; rank {other} {calls[other]}; valid are "
        "the same calls in the same order on all ranks"
    )
