"""Distributed arrays in files: NumPy's format through MPI-IO, HDF5 and Zarr through their packages.

What is new appears under its name only when all ranks have written it: where a rank fails, what was
there stays. Only beside other datasets of an HDF5 file is a dataset written in place, under another
name until it is whole. Where a package cannot write from several ranks at once, they take turns.
"""

import os
import pathlib
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

import numpy as np
from mpi4py import MPI

from ._agreement import Result, agreed
from ._core import Error, Layout
from .array import Array
from .create import empty


def save(array: Array, path: str | os.PathLike) -> None:
    """See Array.save. An Error on all ranks where it fails on one."""
    _format_of(path).write(array, os.fspath(path))


def load(
    path: str | os.PathLike, *, comm: MPI.Intracomm | None = None, layout: Layout | None = None
) -> Array:
    """The array in 'name.npy', 'name.h5:/dataset' or 'name.zarr'; each rank reads its part.
    Collective.

    comm: MPI.COMM_WORLD; layout: slabs along axis 0. An Error on all ranks where it fails on
    one."""
    return _format_of(path).read(os.fspath(path), MPI.COMM_WORLD if comm is None else comm, layout)


class _Format:
    """How a kind of file is written and read."""

    @staticmethod
    def write(array: Array, path: str) -> None:
        raise NotImplementedError

    @staticmethod
    def read(path: str, comm: MPI.Intracomm, layout: Layout | None) -> Array:
        raise NotImplementedError


def _format_of(path: str | os.PathLike) -> type[_Format]:
    name = os.fspath(path).split(":")[0]
    suffix = pathlib.PurePath(name).suffix
    if suffix not in _FORMATS:
        raise Error(
            f"path: {os.fspath(path)!r}; valid endings are {', '.join(_FORMATS)}, where HDF5 is "
            "followed by ':/dataset'"
        )
    return _FORMATS[suffix]


@contextmanager
def _replacing(comm: MPI.Intracomm, path: str) -> Iterator[str]:
    """The name of a new file or folder, which gets its own name at the end; nothing is left of it
    after an Error inside, which must be one on all ranks."""
    part = f"{path}.part"
    try:
        yield part
        _on_root(comm, lambda: _rename(part, path))
    except Error:
        _on_root(comm, lambda: _remove(part))
        raise


def _rename(part: str, path: str) -> None:
    """In one step, but for a folder that replaces another: that one must be moved aside first."""
    old = f"{part}.old"
    is_replaced = os.path.isdir(part) and os.path.isdir(path)
    if is_replaced:
        _remove(old)
        os.rename(path, old)
    os.replace(part, path)
    if is_replaced:
        _remove(old)


def _remove(path: str) -> None:
    """The file or folder, if there is one."""
    if os.path.isdir(path):
        shutil.rmtree(path)
    else:
        pathlib.Path(path).unlink(missing_ok=True)


def _on_root(comm: MPI.Intracomm, work: Callable[[], Result]) -> Result:
    """What it returns on rank 0, on all ranks. Where it fails, it does so on all of them."""
    return comm.bcast(agreed(comm, lambda: work() if comm.rank == 0 else None))


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


# ---- NumPy --------------------------------------------------------------------------------------


class _Npy(_Format):
    @staticmethod
    def write(array: Array, path: str) -> None:
        comm = array.comm

        def header(part: str) -> int:
            with open(part, "wb") as file:
                np.lib.format.write_array_header_2_0(
                    file,
                    {
                        "descr": np.lib.format.dtype_to_descr(array.dtype),
                        "fortran_order": False,
                        "shape": array.shape,
                    },
                )
                return file.tell()

        with _replacing(comm, path) as part:
            start = _on_root(comm, lambda: header(part))
            local = agreed(comm, lambda: np.ascontiguousarray(array.local))
            _through_mpi(comm, part, MPI.MODE_WRONLY, start, array, MPI.ORDER_C, local)

    @staticmethod
    def read(path: str, comm: MPI.Intracomm, layout: Layout | None) -> Array:
        def header() -> tuple[tuple[int, ...], bool, np.dtype, int]:
            with open(path, "rb") as file:
                version = np.lib.format.read_magic(file)
                reader = (
                    np.lib.format.read_array_header_1_0
                    if version == (1, 0)
                    else np.lib.format.read_array_header_2_0
                )
                shape, is_fortran, dtype = reader(file)
                if not dtype.isnative or dtype.hasobject or not shape:
                    raise Error(
                        f"{path}: elements of type {dtype}, shape {shape}; valid are arrays of "
                        "numbers of this machine's byte order"
                    )
                return shape, is_fortran, dtype, file.tell()

        shape, is_fortran, dtype, start = _on_root(comm, header)
        array = empty(shape, dtype, comm=comm, layout=layout)
        order = MPI.ORDER_FORTRAN if is_fortran else MPI.ORDER_C
        local = np.empty(array.local.shape, dtype, "F" if is_fortran else "C")
        _through_mpi(comm, path, MPI.MODE_RDONLY, start, array, order, local)
        array.local[...] = local
        return array


def _through_mpi(
    comm: MPI.Intracomm,
    path: str,
    mode: int,
    start: int,
    array: Array,
    order: int,
    local: np.ndarray,
) -> None:
    """Moves this rank's part of the array between the file, where it lies in that order, and
    `local`, which is contiguous in that order. Run by run: with mpi4py, views of derived types fail
    in MPICH 4.0."""
    itemsize = array.dtype.itemsize
    element = MPI.BYTE.Create_contiguous(itemsize).Commit()
    flat = local.ravel("K")
    try:
        file = MPI.File.Open(comm, path, mode)
    except MPI.Exception as error:  # on all ranks, as MPI-IO does
        raise Error(f"{path}: {error}") from error
    move = file.Write_at if mode & MPI.MODE_WRONLY else file.Read_at

    def move_runs() -> None:
        status = MPI.Status()
        for offset, run in _runs(array, order):
            count = run.stop - run.start
            move(start + offset * itemsize, [flat[run], count, element], status)
            if status.Get_count(element) != count:  # on a full disk Open MPI calls that success
                raise Error(f"{path}: has no room for this rank's part, or is too short for it")

    try:
        agreed(comm, move_runs)
    finally:
        element.Free()
        agreed(comm, file.Close)


def _runs(array: Array, order: int) -> Iterator[tuple[int, slice]]:
    """The parts of this rank's elements that are contiguous in the file: where they begin there,
    and which they are here, in elements."""
    box = array.box
    if not box.size:
        return
    fastest_first = list(range(array.ndim))
    if order == MPI.ORDER_C:
        fastest_first.reverse()
    stride, strides = 1, [0] * array.ndim
    for axis in fastest_first:
        strides[axis] = stride
        stride *= array.shape[axis]
    length, outer = 1, list(fastest_first)
    is_whole = True
    while outer and is_whole:
        axis = outer.pop(0)
        length *= box.shape[axis]
        is_whole = box.shape[axis] == array.shape[axis]
    outer.reverse()
    first = sum(lower * stride for lower, stride in zip(box.lower, strides))
    for number, index in enumerate(np.ndindex(*[box.shape[axis] for axis in outer])):
        offset = first + sum(i * strides[axis] for i, axis in zip(index, outer))
        yield offset, slice(number * length, (number + 1) * length)


# ---- HDF5 and Zarr ------------------------------------------------------------------------------


class _Hdf5(_Format):
    @staticmethod
    def _named(path: str) -> tuple[str, str]:
        name, _, dataset = path.partition(":")
        if not dataset.strip("/"):
            raise Error(f"path: {path!r}; valid is 'name.h5:/dataset'")
        return name, dataset

    @staticmethod
    def write(array: Array, path: str) -> None:
        import h5py

        name, dataset = _Hdf5._named(path)
        comm, part = array.comm, "weft.part"
        if _on_root(comm, lambda: _Hdf5._is_alone(name, dataset)):
            with _replacing(comm, name) as new:
                _Hdf5._write_new(array, new, dataset, "w")
            return

        def rename() -> None:
            with h5py.File(name, "r+") as file:
                if isinstance(file.get(dataset), h5py.Group):
                    raise Error(f"path: {path!r} is a group; valid is a dataset, old or new")
                if dataset in file:
                    del file[dataset]
                file.move(part, dataset)

        try:
            _Hdf5._write_new(array, name, part, "r+")
            _on_root(comm, rename)
        except Error:
            _on_root(comm, lambda: _Hdf5._remove(name, part))
            raise

    @staticmethod
    def _is_alone(name: str, dataset: str) -> bool:
        """Whether a file with only this dataset can take the place of the file, if there is one."""
        import h5py

        own = dataset.strip("/")

        def is_more(at: str, thing: Any) -> bool | None:  # the visit goes on with None
            is_above = f"{own}/".startswith(f"{at}/") and not thing.attrs
            return None if at == own or is_above else True

        if not os.path.exists(name):
            return True
        with h5py.File(name, "r") as file:
            return not file.attrs and file.visititems(is_more) is None

    @staticmethod
    def _write_new(array: Array, name: str, dataset: str, mode: str) -> None:
        """mode: that in which rank 0 opens the file first."""
        import h5py

        has_mpi = h5py.get_config().mpi
        options: dict[str, Any] = {}
        if mode == "w" and not has_mpi:  # so that the room of what is replaced is used again
            options = {"fs_strategy": "fsm", "fs_persist": True}

        def create() -> None:
            with h5py.File(name, mode, **options) as file:
                if dataset in file:  # left by a job that was killed
                    del file[dataset]
                file.create_dataset(dataset, array.shape, array.dtype)

        def fill(**driver: Any) -> None:
            with h5py.File(name, "r+", **driver) as file:
                if array.box.size:
                    file[dataset][array.slices] = array.local

        _on_root(array.comm, create)
        if has_mpi:
            agreed(array.comm, lambda: fill(driver="mpio", comm=array.comm))
        else:
            in_turn(array.comm, fill)

    @staticmethod
    def _remove(name: str, dataset: str) -> None:
        import h5py

        with suppress(Exception), h5py.File(name, "r+") as file:
            if dataset in file:
                del file[dataset]

    @staticmethod
    def read(path: str, comm: MPI.Intracomm, layout: Layout | None) -> Array:
        import h5py

        name, dataset = _Hdf5._named(path)
        with agreed(comm, lambda: h5py.File(name, "r")) as file:
            return _read_slices(agreed(comm, lambda: file[dataset]), comm, layout)


class _Zarr(_Format):
    @staticmethod
    def write(array: Array, path: str) -> None:
        import zarr

        def create(part: str) -> None:
            chunks = tuple(max(extent, 1) for extent in array.box.shape)
            zarr.open_array(part, mode="w", shape=array.shape, chunks=chunks, dtype=array.dtype)

        def fill(part: str) -> None:
            if array.box.size:  # chunks that two ranks share are written twice, one after the other
                zarr.open_array(part, mode="r+")[array.slices] = np.ascontiguousarray(array.local)

        with _replacing(array.comm, path) as part:
            _on_root(array.comm, lambda: create(part))
            in_turn(array.comm, lambda: fill(part))

    @staticmethod
    def read(path: str, comm: MPI.Intracomm, layout: Layout | None) -> Array:
        import zarr

        return _read_slices(agreed(comm, lambda: zarr.open_array(path, mode="r")), comm, layout)


def _read_slices(source: Any, comm: MPI.Intracomm, layout: Layout | None) -> Array:
    """From what is indexed like an array, but reads only what is asked for."""
    array = empty(source.shape, source.dtype, comm=comm, layout=layout)

    def read() -> None:
        if array.box.size:
            array.local[...] = source[array.slices]

    agreed(comm, read)
    return array


_FORMATS: dict[str, type[_Format]] = {".npy": _Npy, ".h5": _Hdf5, ".hdf5": _Hdf5, ".zarr": _Zarr}
