"""Arrays in files: what one layout writes, any other reads, and NumPy, h5py and Zarr too."""

import os
import shutil
import tempfile

import numpy as np
import pytest
import weft
from conftest import comm, random_layout, random_whole


@pytest.fixture
def folder():
    path = comm.bcast(tempfile.mkdtemp() if comm.rank == 0 else None)
    yield path
    comm.Barrier()
    if comm.rank == 0:
        shutil.rmtree(path)


def check(rng, folder, suffix, read):
    for dtype in ("f4", "f8", "c16", "i4"):
        shape = tuple(int(n) for n in rng.integers(1, 9, int(rng.integers(1, 4))))
        whole = random_whole(rng, shape, "f8" if dtype == "i4" else dtype)
        whole = (10 * whole).astype(dtype)
        path = os.path.join(folder, f"u{dtype}{suffix}")
        weft.from_global(whole, layout=random_layout(rng, shape)).save(path)
        if comm.rank == 0:
            assert np.array_equal(read(path), whole) and read(path).dtype == whole.dtype
        back = weft.load(path, layout=random_layout(rng, shape))
        assert np.array_equal(back.gather(None), whole) and back.dtype == whole.dtype
        assert weft.load(path).shape == shape


def test_npy(rng, folder):
    check(rng, folder, ".npy", np.load)
    if comm.rank == 0:
        np.save(
            os.path.join(folder, "fortran.npy"), np.asfortranarray(np.arange(24.0).reshape(2, 3, 4))
        )
    comm.Barrier()
    assert np.array_equal(
        weft.load(os.path.join(folder, "fortran.npy")).gather(None),
        np.arange(24.0).reshape(2, 3, 4),
    )
    assert not [name for name in os.listdir(folder) if name.endswith(".part")]


def test_hdf5(rng, folder):
    h5py = pytest.importorskip("h5py")

    def read(path):
        name, dataset = path.split(":")
        with h5py.File(name, "r") as file:
            return file[dataset][...]

    check(rng, folder, ".h5:/group/u", read)


def test_zarr(rng, folder):
    zarr = pytest.importorskip("zarr")
    check(rng, folder, ".zarr", lambda path: zarr.open(path, mode="r")[...])


def test_mistakes(folder):
    u = weft.zeros((4, 4))
    for path in ("u.txt", "no_such_folder/u.npy"):
        with pytest.raises(weft.Error):
            u.save(os.path.join(folder, path))
    for path in ("none.npy", "none.h5:/u", "none.h5"):
        if path.endswith("npy") or pytest.importorskip("h5py"):
            with pytest.raises(weft.Error):
                weft.load(os.path.join(folder, path))
