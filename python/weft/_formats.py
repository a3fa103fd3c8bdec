"""Helpers that all formats of files share."""

import importlib
import os
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
from mpi4py import MPI

from ._agreement import agreed
from ._core import Error, Layout
from .array import Array
from .create import empty
from .distributed import element_type


def package(comm: MPI.Intracomm, name: str) -> ModuleType:
    """The imported package; an Error on all ranks where it is missing on one. Collective."""
    return agreed(comm, lambda: importlib.import_module(name))


def native(dtype: np.dtype, path: str) -> np.dtype:
    """The type in this machine's byte order; an Error unless its elements are numbers."""
    if dtype.kind not in "biufc":
        raise Error(
            f"{path}: elements of type {dtype}; valid are truth values, integers, and real or "
            "complex numbers, of either byte order"
        )
    return dtype.newbyteorder("=")


def loaded(dtype: np.dtype, path: str) -> np.dtype:
    """The type that elements of a file have in memory."""
    return element_type(native(dtype, path))


def require_regular(path: str) -> None:
    """Opening a pipe would wait until another process writes into it."""
    if os.path.exists(path) and not os.path.isfile(path):
        raise Error(f"cannot read {path}: it is not a regular file")


def in_turn(comm: MPI.Intracomm, work: Callable[[], None]) -> None:
    """Rank by rank. Where it fails on one rank, the others still have their turn."""
    mistake: Exception | None = None
    for rank in range(comm.size):
        if rank == comm.rank:
            try:
                work()
            except Exception as error:  # so that the other ranks do not wait
                mistake = error
        comm.Barrier()

    def report() -> None:
        if mistake:
            raise mistake

    agreed(comm, report)


def read_slices(source: Any, path: str, comm: MPI.Intracomm, layout: Layout | None) -> Array:
    """An array from a source that reads only the indices it is asked for. Collective."""
    array = agreed(
        comm, lambda: empty(source.shape, loaded(source.dtype, path), comm=comm, layout=layout)
    )

    def read() -> None:
        if array.box.size:
            array.local[...] = source[array.slices]

    agreed(comm, read)
    return array
