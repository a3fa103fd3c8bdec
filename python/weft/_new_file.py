"""Files and folders that appear under their names only when all ranks have written them. Where a
rank fails, the old file stays, and nothing of the new one."""

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from mpi4py import MPI

from ._agreement import Result, agreed
from ._core import Error, NewFile, is_abandoned, temporary_ending


def on_root(comm: MPI.Intracomm, work: Callable[[], Result]) -> Result:
    """The result of `work` on rank 0, on all ranks; its error, too. Collective."""
    return comm.bcast(agreed(comm, lambda: work() if comm.rank == 0 else None))


@dataclass
class Part:
    """A file in the making: its name until it is complete, the bytes at its beginning until others
    are written there, and, on rank 0, the file itself."""

    path: str
    token: bytes
    made: NewFile | None

    def replaced(self) -> Error:
        """The error to raise where the name does not stand for this file any more."""
        return Error(f"cannot write {self.path}: another program has replaced it")


@contextmanager
def replacing_file(comm: MPI.Intracomm, path: str, size: int) -> Iterator[Part]:
    """A new file of about `size` bytes, which gets its own name at the end; nothing is left of it
    after an exception inside. One that is an Error must be one on all ranks. An Error where another
    program has changed the file meanwhile: it may have been told that this is safe. Collective."""
    before = on_root(comm, lambda: _state_of(path))
    made = agreed(comm, lambda: NewFile(path, size) if comm.rank == 0 else None)

    def publish() -> None:
        if made and _state_of(path) != before:
            raise Error(f"cannot write {path}: another program changed it meanwhile")
        if made:
            made.publish()

    try:
        name, token = comm.bcast((made.path, made.token) if made else ("", b""))
        yield Part(name, token, made)
        agreed(comm, publish)
    finally:
        if made:
            made.discard()


def _state_of(path: str) -> tuple[int, int, int] | None:
    """If it differs later, the file was changed meanwhile."""
    try:
        state = os.stat(path)
    except OSError:
        return None
    return state.st_ino, state.st_size, state.st_mtime_ns


@contextmanager
def replacing_folder(comm: MPI.Intracomm, path: str) -> Iterator[str]:
    """A new folder under the same rules; yields its name until it is complete. Collective."""
    target = on_root(comm, lambda: _checked(os.path.realpath(path)))
    part = on_root(comm, lambda: target + temporary_ending())
    try:
        on_root(comm, lambda: os.mkdir(part))
        yield part
        on_root(comm, lambda: _rename_folder(part, target))
    finally:
        if comm.rank == 0:
            shutil.rmtree(part, ignore_errors=True)


def _checked(folder: str) -> str:
    if os.path.exists(folder):
        if not os.path.isdir(folder):
            raise Error(f"cannot write {folder}: it is not a folder")
        if not (os.stat(folder).st_mode & 0o222 and os.access(folder, os.W_OK)):
            raise Error(
                f"cannot write {folder}: it is write-protected; allow it with chmod u+w, or name "
                "another folder"
            )
    return folder


def _rename_folder(part: str, target: str) -> None:
    """A folder that is there must be moved aside first."""
    if os.path.isdir(target):
        shutil.copymode(target, part)
        old = target + temporary_ending()
        os.rename(target, old)
        try:
            os.rename(part, target)
        except OSError:
            os.rename(old, target)
            raise
        shutil.rmtree(old)
    else:
        os.rename(part, target)
    beside, own = os.path.split(target)
    for name in os.listdir(beside):  # folders that killed jobs have left
        if name.startswith(own) and is_abandoned(name[len(own) :]):
            shutil.rmtree(os.path.join(beside, name), ignore_errors=True)
