"""Datasets of HDF5 files, through h5py.

A dataset that is alone in its file is written into a new file, which takes the place of the old
one. Beside others it is written into the file itself, under another name until it is whole. Either
way it takes over its predecessor's attributes, chunks, filters and maxshape. With a parallel h5py
all ranks write at once, else they take turns.
"""

import os
import re
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import numpy as np
from mpi4py import MPI

from ._agreement import agreed
from ._core import Error, Layout, check_replaceable, is_abandoned, temporary_ending
from ._new_file import Part, on_root, replacing_file
from .array import Array
from ._formats import in_turn, native, package, read_slices, require_regular

# Attributes by which HDF5 keeps dimension scales: they refer to datasets by their addresses.
_REFERENCES = ("DIMENSION_LIST", "REFERENCE_LIST")


def split(path: str) -> tuple[str, str] | None:
    """The names of the file and of the dataset, "" where it is missing; None where the path is not
    one of HDF5. Both may hold colons of their own."""
    found = re.fullmatch(r"(.*?\.(?:h5|hdf5))(?::(.*))?", path, re.DOTALL)
    return (found[1], found[2] or "") if found else None


def _named(path: str) -> tuple[str, str]:
    name, dataset = split(path) or (path, "")
    if not dataset.strip("/"):
        raise Error(f"path: {path!r}; valid is 'name.h5:/dataset'")
    return name, dataset


# ---- Writing ------------------------------------------------------------------------------------


def write(array: Array, path: str) -> None:
    """Into 'name.h5:/dataset'. Collective."""
    package(array.comm, "h5py")
    name, dataset = _named(path)
    if on_root(array.comm, lambda: _is_alone(name, dataset)):
        _replace_file(array, name, dataset)
    else:
        _write_into(array, name, dataset)


def _is_alone(name: str, dataset: str) -> bool:
    """Whether a file with only this dataset can take the place of the file, if there is one."""
    import h5py

    own = dataset.strip("/")

    def is_more(at: str, link: Any) -> bool | None:  # the visit goes on with None
        is_above = f"{own}/".startswith(f"{at}/") and not file[at].attrs
        return None if isinstance(link, h5py.HardLink) and (at == own or is_above) else True

    check_replaceable(name, 0)
    if not os.path.exists(name):
        return True
    with h5py.File(name, "r") as file:
        return not file.attrs and file.visititems_links(is_more) is None


def _replace_file(array: Array, name: str, dataset: str) -> None:
    """Other ranks open the new file by its name, and know it by the dataset's secret name."""
    import h5py

    comm = array.comm
    is_new = on_root(comm, lambda: not os.path.exists(name))
    secret = on_root(comm, lambda: secrets.token_hex(16))
    options: dict[str, Any] = {}
    if not h5py.get_config().mpi:  # so that new datasets use the room of replaced ones
        options = {"fs_strategy": "fsm", "fs_persist": True}

    def create(part: Part) -> bool:
        with _on_descriptor(part, "w", **options) as file:
            if is_new:
                return _create(file, secret, array, None)
            with h5py.File(name, "r") as old:
                return _create(file, secret, array, _predecessor(old, dataset))

    def finish(part: Part) -> None:
        with _on_descriptor(part, "r+") as file:
            file.move(secret, dataset)

    size = array.size * array.dtype.itemsize if is_new else 0  # filters may make it less
    with replacing_file(comm, name, size) as part:
        is_filtered = on_root(comm, lambda: create(part))
        _fill(array, part.path, secret, is_filtered)
        on_root(comm, lambda: finish(part))


@contextmanager
def _on_descriptor(part: Part, mode: str, **options: Any) -> Iterator[Any]:
    """The new file, on rank 0, whatever its name stands for."""
    import h5py

    assert part.made is not None
    with os.fdopen(os.dup(part.made.descriptor), "r+b") as raw:
        if mode == "w":
            raw.truncate(0)
        with h5py.File(raw, mode, **options) as file:
            yield file


def _write_into(array: Array, name: str, dataset: str) -> None:
    import h5py

    comm = array.comm
    part = on_root(comm, lambda: temporary_ending()[1:])

    def create() -> bool:
        with h5py.File(name, "r+") as file:
            for left in [name for name in file if is_abandoned(f".{name}")]:  # by killed jobs
                del file[left]
            return _create(file, part, array, _predecessor(file, dataset))

    def rename() -> None:
        with h5py.File(name, "r+") as file:
            old = _predecessor(file, dataset)
            if old is not None:
                _move_scales(old, file[part])
                del file[dataset]
            file.move(part, dataset)

    def remove() -> None:
        with suppress(Exception), h5py.File(name, "r+") as file:
            if part in file:
                del file[part]

    try:
        is_filtered = on_root(comm, create)
        _fill(array, name, part, is_filtered)
        on_root(comm, rename)
    except Error:
        on_root(comm, remove)
        raise


def _predecessor(file: Any, dataset: str) -> Any:
    """The dataset of that name, or None."""
    import h5py

    if dataset not in file:
        return None
    link, old = file.get(dataset, getlink=True), file[dataset]
    if isinstance(old, h5py.Dataset) and isinstance(link, h5py.HardLink):
        return old
    kind = "group" if isinstance(old, h5py.Group) else "link or a named type"
    raise Error(f"path: {dataset!r} is a {kind} in this file; valid is a dataset, old or new")


def _create(file: Any, name: str, array: Array, old: Any) -> bool:
    """A dataset for the array with the properties of `old`, a dataset or None, as far as they fit.
    Whether filters change its values on their way to the file."""
    options = {} if old is None else _properties(old, array)
    new = file.create_dataset(name, array.shape, native(array.dtype, file.filename), **options)
    attributes: Any = {} if old is None else old.attrs
    for key in attributes:
        if key not in _REFERENCES:
            kept = attributes.get_id(key)
            if kept.shape is None:
                new.attrs[key] = attributes[key]
            else:
                new.attrs.create(key, attributes[key], kept.shape, kept.dtype)
    return new.id.get_create_plist().get_nfilters() > 0


def _properties(old: Any, array: Array) -> dict[str, Any]:
    """Arguments of create_dataset: chunks, maxshape, filters, fill value, where the shapes have as
    many axes."""
    import h5py

    if old.ndim != array.ndim or old.is_virtual or old.external:
        return {}
    properties = old.id.get_create_plist()
    if old.chunks is None:
        properties.set_layout(h5py.h5d.CONTIGUOUS)  # compact ones hold 64 KiB only
    if properties.fill_value_defined() == h5py.h5d.FILL_VALUE_USER_DEFINED:
        fits = np.can_cast(old.dtype, array.dtype, "same_kind")
        properties.set_fill_value(np.array(old.fillvalue if fits else 0, array.dtype))
    if old.chunks is None:
        return {"dcpl": properties}
    maxshape = tuple(
        limit if limit is None else max(limit, extent)
        for limit, extent in zip(old.maxshape, array.shape)
    )
    chunks = tuple(
        chunk if limit is None else min(chunk, limit) for chunk, limit in zip(old.chunks, maxshape)
    )
    return {"dcpl": properties, "chunks": chunks, "maxshape": maxshape}


def _move_scales(old: Any, new: Any) -> None:
    """Attaches the dimension scales of one dataset to the other, where it has that axis."""
    for axis in range(old.ndim):
        for scale in old.dims[axis].values():
            old.dims[axis].detach_scale(scale)
            if axis < new.ndim and scale.shape == new.shape[axis : axis + 1]:
                new.dims[axis].attach_scale(scale)


def _fill(array: Array, name: str, dataset: str, is_filtered: bool) -> None:
    import h5py

    def fill(**driver: Any) -> None:
        with h5py.File(name, "r+", **driver) as file:
            if dataset not in file:
                raise Error(f"cannot write {name}: another program has replaced it")
            if array.box.size:
                target: Any = file[dataset]
                target[array.slices] = array.local

    if h5py.get_config().mpi and not is_filtered:  # filters would make all calls collective
        agreed(array.comm, lambda: fill(driver="mpio", comm=array.comm))
    else:
        in_turn(array.comm, fill)


# ---- Reading ------------------------------------------------------------------------------------


def read(path: str, comm: MPI.Intracomm, layout: Layout | None) -> Array:
    """From 'name.h5:/dataset'. Collective."""
    h5py = package(comm, "h5py")
    name, dataset = _named(path)

    def opened() -> Any:
        require_regular(name)
        return h5py.File(name, "r")

    def found() -> Any:
        if dataset not in file:
            raise Error(f"{path}: there is no such dataset in the file")
        source = file[dataset]
        if not isinstance(source, h5py.Dataset):
            raise Error(f"{path}: this is no dataset, but a {type(source).__name__.lower()}")
        if not source.shape:
            raise Error(
                f"{path}: a dataset {'without values' if source.shape is None else 'of one value'};"
                " valid are arrays of one axis or more"
            )
        return source

    with agreed(comm, opened) as file:
        return read_slices(agreed(comm, found), path, comm, layout)
