"""Arrays in files: any other layout reads what one has written, and so do NumPy, h5py and Zarr."""

import contextlib
import os
import resource

import numpy as np
import pytest
import weft
from conftest import comm, on_root, random_layout, random_whole


def names_in(folder):
    """The names, the same for all ranks, once all have come here."""
    comm.Barrier()
    return on_root(lambda: sorted(os.listdir(folder)))


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


def test_npy(rng, shared_folder):
    check(rng, shared_folder, ".npy", np.load)
    whole, path = np.arange(24.0).reshape(2, 3, 4), os.path.join(shared_folder, "fortran.npy")
    on_root(lambda: np.save(path, np.asfortranarray(whole)))
    assert np.array_equal(weft.load(path).gather(None), whole)
    assert not [name for name in names_in(shared_folder) if name.endswith(".part")]


def test_hdf5(rng, shared_folder):
    h5py = pytest.importorskip("h5py")

    def read(path):
        name, dataset = path.split(":")
        with h5py.File(name, "r") as file:
            return file[dataset][...]

    check(rng, shared_folder, ".h5:/group/u", read)


def test_zarr(rng, shared_folder):
    zarr = pytest.importorskip("zarr")
    check(rng, shared_folder, ".zarr", lambda path: zarr.open(path, mode="r")[...])


class Unreadable:
    """Stands for a rank's part of an array of doubles that this rank fails to write."""

    dtype = np.dtype(float)

    def __array__(self, *arguments, **more):
        raise OSError("deliberate")


@contextlib.contextmanager
def full_disk():
    """This process cannot write beyond some bytes of a file."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (64, hard))
    yield
    resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def fail_to_save(u, path, failing, how):
    """Fails on the rank `failing`; all ranks must raise an Error."""
    with contextlib.ExitStack() as stack:
        if comm.rank == failing:
            if how == "unreadable":
                u = weft.Array(Unreadable(), u.layout, u.comm)
            else:
                stack.enter_context(full_disk())
        with pytest.raises(weft.Error):
            u.save(path)


@pytest.mark.parametrize(
    "name, how",
    [
        ("u.npy", "unreadable"),
        ("u.npy", "full"),
        ("u.h5:/group/u", "unreadable"),  # full disks are more than HDF5 itself survives
        ("u.zarr", "unreadable"),
        ("u.zarr", "full"),
    ],
)
def test_a_rank_that_fails_leaves_what_was_there(rng, shared_folder, name, how):
    if name != "u.npy":
        pytest.importorskip("h5py" if ".h5" in name else "zarr")
    path = os.path.join(shared_folder, name)
    failing = int(rng.integers(comm.size))
    new = weft.from_global(random_whole(rng, (8, 9, 10), "f8"))
    fail_to_save(new, path, failing, how)
    assert names_in(shared_folder) == []
    old = random_whole(rng, (8, 5), "f8")
    weft.from_global(old).save(path)
    fail_to_save(new, path, failing, how)
    assert names_in(shared_folder) == [name.split(":")[0]]
    assert np.array_equal(weft.load(path).gather(None), old)
    new.save(path)
    assert np.array_equal(weft.load(path).gather(None), new.gather(None))
    assert names_in(shared_folder) == [name.split(":")[0]]


def test_datasets_of_one_file(rng, shared_folder):
    h5py = pytest.importorskip("h5py")
    name = os.path.join(shared_folder, "u.h5")
    first, second = (random_whole(rng, (8, 200), "f8") for _ in range(2))
    weft.from_global(first).save(f"{name}:/group/first")
    for _ in range(8):
        weft.from_global(second).save(f"{name}:/other/second")
    fail_to_save(weft.from_global(first), f"{name}:/other/second", comm.size - 1, "unreadable")
    assert np.array_equal(weft.load(f"{name}:/group/first").gather(None), first)
    assert np.array_equal(weft.load(f"{name}:/other/second").gather(None), second)
    with pytest.raises(weft.Error, match="is a group"):
        weft.from_global(second).save(f"{name}:/group")
    comm.Barrier()
    with h5py.File(name, "r") as file:
        assert sorted(file) == ["group", "other"] and "first" in file["group"]
    if not h5py.get_config().mpi:  # datasets that are replaced make room for others
        assert os.path.getsize(name) < 5 * first.nbytes


def test_mistakes(shared_folder):
    u = weft.zeros((4, 4))
    for path in ("u.txt", "no_such_folder/u.npy"):
        with pytest.raises(weft.Error):
            u.save(os.path.join(shared_folder, path))
    u.save(os.path.join(shared_folder, "short.npy"))
    on_root(lambda: os.truncate(os.path.join(shared_folder, "short.npy"), 200))
    for path in ("none.npy", "short.npy", "none.h5:/u", "none.h5"):
        if path.endswith("npy") or pytest.importorskip("h5py"):
            with pytest.raises(weft.Error):
                weft.load(os.path.join(shared_folder, path))
