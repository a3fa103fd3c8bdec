"""Distributed arrays in files: NumPy's format through MPI-IO, HDF5 and Zarr through their packages.

A new file appears under its name only when all ranks have written it: where a rank fails, the old
file stays. Where a package cannot write from several ranks at once, the ranks take turns.
"""

import io
import os
import pathlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NamedTuple

import numpy as np
from mpi4py import MPI

from . import _hdf5
from ._agreement import agreed
from ._core import Error, Layout, mpi_file_names
from ._formats import in_turn, loaded, native, package, read_slices, require_regular
from ._new_file import Part, on_root, replacing_file, replacing_folder
from .array import Array, method
from .create import empty


@method
def save(array: Array, path: str | os.PathLike[str]) -> None:
    """See Array.save. An Error on all ranks where it fails on one."""
    name = os.fsdecode(path)
    _format_of(name).write(array, name)


def load(
    path: str | os.PathLike[str], *, comm: MPI.Intracomm | None = None, layout: Layout | None = None
) -> Array:
    """The array in 'name.npy', 'name.h5:/dataset' or 'name.zarr'; each rank reads its part.
    Collective.

    comm: MPI.COMM_WORLD; layout: slabs along axis 0. Elements have the type that they have in the
    file, in this machine's byte order, and float32 instead of float16; valid are truth values,
    integers, and real or complex numbers. An Error on all ranks where it fails on one.

    >>> weft.ones((4, 6)).save("ones.npy")
    >>> print(weft.load("ones.npy").sum())
    24.0
    """
    name = os.fsdecode(path)
    return _format_of(name).read(name, MPI.COMM_WORLD if comm is None else comm, layout)


class _Format(NamedTuple):
    """How a kind of file is written and read."""

    write: Callable[[Array, str], None]
    read: Callable[[str, MPI.Intracomm, Layout | None], Array]


def _format_of(name: str) -> _Format:
    if _hdf5.split(name) is not None:
        return _Format(_hdf5.write, _hdf5.read)
    suffix = pathlib.PurePath(name).suffix
    if suffix not in _FORMATS:
        raise Error(
            f"path: {name!r}; valid endings are {', '.join(_FORMATS)}, .h5 and .hdf5, where HDF5 is "
            "followed by ':/dataset'"
        )
    return _FORMATS[suffix]


# ---- NumPy --------------------------------------------------------------------------------------


def _write_npy(array: Array, path: str) -> None:
    comm = array.comm
    dtype = agreed(comm, lambda: native(array.dtype, path))
    start = io.BytesIO()
    np.lib.format.write_array_header_2_0(
        start,
        {
            "descr": np.lib.format.dtype_to_descr(dtype),
            "fortran_order": False,
            "shape": array.shape,
        },
    )
    header = start.getvalue()
    size = len(header) + array.size * dtype.itemsize
    with replacing_file(comm, path, size) as part:
        local = agreed(comm, lambda: np.ascontiguousarray(array.local, dtype))
        with _opened(comm, part.path, MPI.MODE_RDWR) as file:
            agreed(comm, lambda: _require_token(file, part))
            agreed(comm, lambda: file.Write_at(0, header) if comm.rank == 0 else None)
            _move_runs(file.Write_at, path, len(header), array, MPI.ORDER_C, local)
            agreed(comm, file.Sync)


def _require_token(file: MPI.File, part: Part) -> None:
    found = bytearray(len(part.token))
    file.Read_at(0, found)
    if found != part.token:
        raise part.replaced()


def _read_npy(path: str, comm: MPI.Intracomm, layout: Layout | None) -> Array:
    shape, is_fortran, dtype, start = on_root(comm, lambda: _header_of(path))
    array = agreed(comm, lambda: empty(shape, loaded(dtype, path), comm=comm, layout=layout))
    local = agreed(
        comm, lambda: np.empty(array.local.shape, dtype, order="F" if is_fortran else "C")
    )
    with _opened(comm, path, MPI.MODE_RDONLY) as file:
        mpi_order = MPI.ORDER_FORTRAN if is_fortran else MPI.ORDER_C
        _move_runs(file.Read_at, path, start, array, mpi_order, local)
    array.local[...] = local
    return array


def _header_of(path: str) -> tuple[tuple[int, ...], bool, np.dtype, int]:
    """The shape, whether it lies in Fortran's order, the type of elements, and where they begin."""
    require_regular(path)
    with open(path, "rb") as file:
        version = np.lib.format.read_magic(file)
        reader = (
            np.lib.format.read_array_header_1_0
            if version == (1, 0)
            else np.lib.format.read_array_header_2_0
        )
        shape, is_fortran, dtype = reader(file)
        native(dtype, path)
        if not shape:
            raise Error(f"{path}: a file of one value; valid are arrays of one axis or more")
        return shape, is_fortran, dtype, file.tell()


@contextmanager
def _opened(comm: MPI.Intracomm, path: str, mode: int) -> Iterator[MPI.File]:
    file, mistake = None, None
    for name in mpi_file_names(path):
        try:
            file = agreed(comm, lambda: MPI.File.Open(comm, name, mode))
            break
        except Error as error:
            mistake = error
    if file is None:
        raise Error(f"cannot open {path}: {mistake}")
    try:
        yield file
    finally:
        agreed(comm, file.Close)


def _move_runs(
    move: Callable, path: str, start: int, array: Array, order: int, local: np.ndarray
) -> None:
    """Moves this rank's part of the array between the file, where it lies in that order, and
    `local`, which is contiguous in that order. Run by run: with mpi4py, views of derived types fail
    in MPICH 4.0."""
    itemsize = local.dtype.itemsize
    element = MPI.BYTE.Create_contiguous(itemsize).Commit()
    flat = local.ravel("K").view(np.uint8)

    def move_runs() -> None:
        status = MPI.Status()
        for offset, run in _runs(array, order):
            count = run.stop - run.start
            part = flat[run.start * itemsize : run.stop * itemsize]
            move(start + offset * itemsize, [part, count, element], status)
            if status.Get_count(element) != count:  # on a full disk Open MPI calls that success
                raise Error(f"{path}: has no room for this rank's part, or is too short for it")

    try:
        agreed(array.comm, move_runs)
    finally:
        element.Free()


def _runs(array: Array, order: int) -> Iterator[tuple[int, slice]]:
    """The parts of this rank's elements that are contiguous in the file: where they begin there,
    and which they are here, in elements."""
    if not array.local.size:
        return
    held = [range(n)[part] for n, part in zip(array.shape, array.slices)]
    fastest_first = list(range(array.ndim))
    if order == MPI.ORDER_C:
        fastest_first.reverse()
    stride, strides = 1, [0] * array.ndim
    for axis in fastest_first:
        strides[axis] = stride
        stride *= array.shape[axis]
    length, outer = 1, list(fastest_first)
    is_whole = True
    while outer and is_whole and held[outer[0]].step == 1:
        axis = outer.pop(0)
        length *= len(held[axis])
        is_whole = len(held[axis]) == array.shape[axis]
    outer.reverse()
    first = sum(one.start * stride for one, stride in zip(held, strides))
    for number, index in enumerate(np.ndindex(*[len(held[axis]) for axis in outer])):
        offset = first + sum(i * held[axis].step * strides[axis] for i, axis in zip(index, outer))
        yield offset, slice(number * length, (number + 1) * length)


# ---- Zarr ---------------------------------------------------------------------------------------


def _write_zarr(array: Array, path: str) -> None:
    zarr = package(array.comm, "zarr")
    dtype = agreed(array.comm, lambda: native(array.dtype, path))

    def create(part: str) -> None:
        chunks = tuple(max(extent, 1) for extent in array.box.shape)
        zarr.open_array(part, mode="w", shape=array.shape, chunks=chunks, dtype=dtype)

    def fill(part: str) -> None:
        if array.box.size:  # chunks that two ranks share are written twice, one after the other
            zarr.open_array(part, mode="r+")[array.slices] = np.ascontiguousarray(array.local)

    with replacing_folder(array.comm, path) as part:
        on_root(array.comm, lambda: create(part))
        in_turn(array.comm, lambda: fill(part))


def _read_zarr(path: str, comm: MPI.Intracomm, layout: Layout | None) -> Array:
    zarr = package(comm, "zarr")
    return read_slices(agreed(comm, lambda: zarr.open_array(path, mode="r")), path, comm, layout)


_FORMATS = {".npy": _Format(_write_npy, _read_npy), ".zarr": _Format(_write_zarr, _read_zarr)}
