"""Mistakes that one rank makes before it communicates become the same error on all ranks."""

from typing import Callable, TypeVar

from mpi4py import MPI

from ._core import Error

Result = TypeVar("Result")


def agreed(comm: MPI.Intracomm, work: Callable[[], Result]) -> Result:
    """The result of `work`, which may communicate only by collective calls that it makes on all
    ranks whatever happens. Collective.

    Where it raises on some ranks, all ranks raise a weft.Error with the sentence of the lowest one.
    """
    result, mistake = None, None
    try:
        result = work()
    except Exception as error:  # whatever it is, the other ranks must not wait
        mistake = error
    first = comm.allreduce(comm.rank if mistake else comm.size, MPI.MIN)
    if first < comm.size:
        sentence = comm.bcast(str(mistake) or type(mistake).__name__ if mistake else None, first)
        raise Error(sentence if first == comm.rank else f"rank {first}: {sentence}") from mistake
    return result  # type: ignore[return-value]
