"""Helpers of all tests. One pytest process runs on each rank, and all must run the same tests in
the same order."""

import faulthandler
import os
import pathlib
import random
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
import weft
from mpi4py import MPI

comm = MPI.COMM_WORLD


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo) -> Iterator:
    """A test that fails on one rank fails on all; the others would wait for that one in the next
    test."""
    report = yield
    if call.when == "call":
        if report.failed:  # before the others may end the job
            print(f"rank {comm.rank}:", report.longreprtext, file=sys.__stderr__, flush=True)
        failed = comm.allreduce(int(report.failed))
        if failed and not report.failed:
            report.outcome = "failed"
            report.longrepr = f"failed on {failed} other ranks"
    return report


@pytest.fixture(autouse=True)
def watchdog() -> Iterator[None]:
    """Ends the job where one rank has failed in the middle of a call, and the others wait."""
    patience = float(os.environ.get("WEFT_TEST_TIMEOUT", 120))
    faulthandler.dump_traceback_later(patience, exit=True, file=sys.__stderr__)
    yield
    faulthandler.cancel_dump_traceback_later()


@pytest.fixture
def seed() -> int:
    """A number, new in each run and the same on all ranks; pytest shows it where a test fails."""
    return comm.bcast(random.randrange(2**32))


@pytest.fixture
def rng(seed: int) -> np.random.Generator:
    return np.random.default_rng(seed)


@pytest.fixture
def shared_folder() -> Iterator[pathlib.Path]:
    """An empty folder, the same on all ranks."""
    path = comm.bcast(tempfile.mkdtemp() if comm.rank == 0 else None)
    yield pathlib.Path(path)
    comm.Barrier()
    if comm.rank == 0:
        shutil.rmtree(path)


def random_layout(rng: np.random.Generator, shape: tuple[int, ...]) -> weft.Layout:
    """A layout of slabs, a process grid or boxes, in any memory order."""
    kind = rng.integers(3)
    if kind == 0:
        layout = weft.Layout.slabs(shape, comm.size, int(rng.integers(len(shape))))
    elif kind == 1:
        grid = [1] * len(shape)
        grid[int(rng.integers(len(shape)))] = comm.size
        layout = weft.Layout.bricks(shape, grid)
    else:
        cuts = np.sort(rng.integers(0, shape[0] + 1, comm.size - 1))
        ends = [0, *map(int, cuts), shape[0]]
        layout = weft.Layout.boxes(
            shape,
            [
                weft.Box([low, *[0] * (len(shape) - 1)], [high, *shape[1:]])
                for low, high in zip(ends, ends[1:])
            ],
        )
    return layout.ordered([int(axis) for axis in rng.permutation(len(shape))])


def random_whole(rng: np.random.Generator, shape: tuple[int, ...], dtype: str) -> np.ndarray:
    """An array of random numbers, the same on all ranks."""
    whole = rng.standard_normal(shape)
    if np.dtype(dtype).kind == "c":
        whole = whole + 1j * rng.standard_normal(shape)
    return whole.astype(dtype)


def close(actual: np.ndarray, expected: np.ndarray, dtype: str) -> bool:
    """Whether two arrays agree within the rounding of an FFT, relative to the largest element."""
    expected = np.asarray(expected)
    size = max(float(np.abs(expected).max(initial=0)), 1e-30)
    tolerance = 200 * np.finfo(np.dtype(dtype)).eps * size
    return actual.shape == expected.shape and bool(np.all(np.abs(actual - expected) <= tolerance))


def agree(actual: np.ndarray, expected: np.ndarray, points: float, factor: float) -> bool:
    """Whether the relative L2 error over all ranks is `factor` times the rounding of an FFT of so
    many points."""
    squares = [float(np.sum(np.abs(part) ** 2)) for part in (actual - expected, expected)]
    difference, size = comm.allreduce(np.array(squares))
    tolerance = factor * np.finfo(actual.dtype).eps * np.sqrt(np.log2(points))
    return bool(np.sqrt(difference) <= tolerance * np.sqrt(size))


def must_raise(error: type[Exception], words: str, *calls: Callable[[], object]) -> None:
    """Each of the calls raises that error, with a message that matches `words`."""
    for call in calls:
        with pytest.raises(error, match=words):
            call()


def on_root(work: Callable[[], Any]) -> Any:
    """The result of rank 0, on all ranks, which go on when rank 0 has done the work."""
    result = comm.bcast(work() if comm.rank == 0 else None)
    comm.Barrier()
    return result


def everywhere(check: bool) -> bool:
    """Whether the check holds on all ranks."""
    return bool(comm.allreduce(int(bool(check)), MPI.MIN))
