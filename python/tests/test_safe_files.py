"""Files that are there when save replaces them, and files of other programs that load reads."""

import importlib.util
import os
import stat

import numpy as np
import pytest
import weft
import weft._new_file
import weft.files
from conftest import comm, on_root, random_layout, random_whole
from mpi4py import MPI

FORMATS = ("u.npy", "u.h5:/group/u")
has_h5py = importlib.util.find_spec("h5py") is not None


@pytest.fixture(params=FORMATS)
def path(request, shared_folder):
    if ".h5" in request.param:
        pytest.importorskip("h5py")
    return str(shared_folder / request.param)


def file_of(path):
    return path.removesuffix(":/group/u")


def names_beside(path):
    comm.Barrier()
    return on_root(lambda: sorted(os.listdir(os.path.dirname(file_of(path)))))


def refused(u, path, words):
    with pytest.raises(weft.Error, match=words):
        u.save(path)


def test_what_others_have_named_stays(rng, path):
    def write():
        for ending in (".part", ".part.old"):
            with open(file_of(path) + ending, "w") as file:
                file.write("mine")

    on_root(write)
    before = names_beside(path)
    u = weft.from_global(random_whole(rng, (5, 7), "f8"))
    for _ in range(2):
        u.save(path)
    assert names_beside(path) == sorted([*before, os.path.basename(file_of(path))])
    assert on_root(lambda: open(file_of(path) + ".part").read()) == "mine"


def test_links_modes_and_owners_are_kept(rng, path):
    name = file_of(path)
    old, new = (weft.from_global(random_whole(rng, (6, 5), "f8")) for _ in range(2))
    old.save(path)

    def make():
        with open(name + ".plain", "w"):
            pass
        plain = stat.S_IMODE(os.stat(name + ".plain").st_mode)
        assert stat.S_IMODE(os.stat(name).st_mode) == plain
        os.rename(name, name + ".target")
        os.symlink(os.path.basename(name) + ".target", name)
        os.chmod(name, 0o4640)
        return os.stat(name).st_ino

    inode = on_root(make)
    new.save(path)
    state = on_root(lambda: os.stat(name + ".target"))
    assert on_root(lambda: os.path.islink(name)) and state.st_ino != inode
    assert stat.S_IMODE(state.st_mode) == 0o640
    assert np.array_equal(weft.load(path).gather(None), new.gather(None))


def test_a_link_to_nothing_is_where_the_file_appears(rng, path):
    name = file_of(path)
    on_root(lambda: os.symlink("elsewhere", name))
    weft.ones((3, 4)).save(path)
    assert on_root(lambda: os.path.islink(name) and os.path.isfile(name))
    on_root(lambda: (os.remove(name), os.symlink(os.path.basename(name), name)))
    refused(weft.ones((3, 4)), path, "leads back to itself")


def test_no_other_things_are_replaced(path):
    name, u = file_of(path), weft.ones((4, 3))
    for make, remove in ((os.mkfifo, os.remove), (os.mkdir, os.rmdir)):
        on_root(lambda: make(name))
        before = names_beside(path)
        refused(u, path, "not a regular file")
        with pytest.raises(weft.Error, match="not a regular file"):
            weft.load(path)
        assert names_beside(path) == before
        on_root(lambda: remove(name))


@pytest.mark.parametrize("beside", [False, True])
def test_write_protection_is_respected(path, beside):
    name, u = file_of(path), weft.ones((4, 3))
    u.save(path)
    if beside and ".h5" in path:
        u.save(f"{name}:/other")
    on_root(lambda: os.chmod(name, 0o444))
    before = on_root(lambda: open(name, "rb").read())
    refused(2 * u, path, r"write-protected \(mode 444\); allow it with chmod u\+w")
    assert on_root(lambda: open(name, "rb").read()) == before
    assert names_beside(path) == [os.path.basename(name)]


def test_two_jobs_at_once(path, monkeypatch):
    """While one is saving, another one saves under the same name, and says so."""
    seen = []

    def another(*arguments):
        comm.Barrier()
        if comm.rank == 0:
            weft.full((5, 4), 2.0, comm=MPI.COMM_SELF).save(path)
            seen.append(weft.load(path, comm=MPI.COMM_SELF).local.copy())
        comm.Barrier()
        return original(*arguments)

    module, function = (weft._hdf5, "_fill") if ".h5" in path else (weft.files, "_require_token")
    original = getattr(module, function)

    def once(*arguments):
        monkeypatch.setattr(module, function, original)
        return another(*arguments)

    monkeypatch.setattr(module, function, once)
    u = weft.full((5, 4), 1.0)
    refused(u, path, "another program changed it meanwhile")
    assert all(np.all(values == 2.0) for values in seen)
    assert np.array_equal(weft.load(path).gather(None), np.full((5, 4), 2.0))
    assert names_beside(path) == [os.path.basename(file_of(path))]


@pytest.mark.parametrize("own", [False, True])
def test_a_file_that_takes_the_place_of_the_new_one(path, own, monkeypatch):
    """Whoever may write into the folder puts a link to a file of the user there, or a file."""
    name = file_of(path)
    victim = os.path.join(os.path.dirname(name), "victim" + (".h5" if ".h5" in path else ".npy"))
    weft.zeros((30, 30)).save(victim + (":/mine" if ".h5" in path else ""))
    before = on_root(lambda: open(victim, "rb").read())
    made = weft._new_file.NewFile

    class Swapped(made):
        def __init__(self, *arguments):
            super().__init__(*arguments)
            os.rename(self.path, os.path.join(os.path.dirname(name), "moved"))
            os.link(victim, self.path) if own else os.symlink(victim, self.path)

    monkeypatch.setattr(weft._new_file, "NewFile", Swapped)
    refused(weft.ones((5, 6)), path, "another program has replaced it")
    assert on_root(lambda: open(victim, "rb").read()) == before
    assert not on_root(lambda: os.path.lexists(name))


def test_folders_are_replaced_as_carefully(rng, shared_folder):
    pytest.importorskip("zarr")
    path, target = shared_folder / "u.zarr", shared_folder / "target"

    def make():
        os.mkdir(f"{path}.part")
        os.mkdir(target, 0o750)
        os.symlink("target", path)

    on_root(make)
    before = names_beside(str(path))
    for _ in range(2):
        whole = random_whole(rng, (5, 6), "f8")
        weft.from_global(whole).save(path)
        assert np.array_equal(weft.load(path).gather(None), whole)
    assert names_beside(str(path)) == before
    assert on_root(lambda: os.path.islink(path) and stat.S_IMODE(os.stat(target).st_mode)) == 0o750
    on_root(lambda: os.chmod(target, 0o555))
    refused(weft.ones((5, 6)), path, "write-protected")
    on_root(lambda: (os.chmod(target, 0o755), os.remove(path), open(path, "w").close()))
    refused(weft.ones((5, 6)), path, "it is not a folder")
    assert names_beside(str(path)) == before


def test_names_with_colons(rng, shared_folder):
    names = ["run_2026-11-26T12:30.npy", "a:b:c.npy", "ufs:x.npy"]
    if has_h5py:
        names += ["run_12:30.h5:/u", "12:30.hdf5:/a:b/u:v", "x.h5:/y.npy"]
    for name in names:
        whole = random_whole(rng, (4, 5, 3), "c16")
        weft.from_global(whole, layout=random_layout(rng, (4, 5, 3))).save(shared_folder / name)
        assert np.array_equal(weft.load(shared_folder / name).gather(None), whole)
    expected = {name.split(":/")[0] for name in names}
    assert set(names_beside(str(shared_folder / "x"))) == expected
    with pytest.raises(weft.Error, match="valid endings are"):
        weft.load(shared_folder / "a.npy:b")


TYPES = ["f8", "f4", "f2", "c16", "c8", "i4", "i8", "u2"]


def as_filed(rng, dtype):
    values = 100 * random_whole(rng, (5, 6), "c16" if "c" in dtype else "f8")
    return (np.abs(values) if "u" in dtype else values).astype(dtype)


def write_with_h5py(path, whole):
    import h5py

    with h5py.File(path, "w") as file:
        file["u"] = whole


@pytest.mark.parametrize("order", ["<", ">"])
def test_either_byte_order_is_read(rng, shared_folder, order):
    for dtype in [*(order + name for name in TYPES), "|u1", "|i1", "|b1"]:
        whole = as_filed(rng, dtype)
        on_root(lambda: np.save(shared_folder / "u.npy", np.asfortranarray(whole)))
        paths = [shared_folder / "u.npy"]
        if has_h5py:
            on_root(lambda: write_with_h5py(shared_folder / "u.h5", whole))
            paths.append(f"{shared_folder}/u.h5:/u")
        for path in paths:
            back = weft.load(path, layout=random_layout(rng, (5, 6)))
            expected = "f4" if dtype.endswith("f2") else whole.dtype.newbyteorder("=")
            assert back.dtype == expected and back.dtype.isnative, dtype
            assert np.array_equal(back.gather(None), whole), (dtype, path)
        if np.dtype(dtype).kind != "b":
            spectrum = weft.fftn(back).gather(None)
            truth = np.fft.fftn(whole.astype("c16"))
            assert np.allclose(spectrum, truth, rtol=0, atol=1e-2), dtype
        comm.Barrier()


def test_arrays_of_another_byte_order_are_saved(rng, path):
    whole = random_whole(rng, (5, 6), "f8")
    layout = weft.Layout.slabs((5, 6), comm.size)
    part = whole[layout.box(comm.rank).slices].astype(">f8")
    weft.Array(part, layout, comm).save(path)
    back = weft.load(path)
    assert back.dtype == np.dtype("f8") and np.array_equal(back.gather(None), whole)


def test_types_that_are_none_of_numbers(shared_folder):
    for whole in (
        np.array(["a", "bc"]),
        np.zeros(3, [("x", "f8"), ("y", "i4")]),
        np.zeros(3, "M8[s]"),
        np.array(b"text"),
    ):
        on_root(lambda: np.save(shared_folder / "u.npy", whole))
        with pytest.raises(weft.Error, match="valid are truth values, integers, and real or"):
            weft.load(shared_folder / "u.npy")
    on_root(lambda: np.save(shared_folder / "u.npy", np.float64(3)))
    with pytest.raises(weft.Error, match="a file of one value"):
        weft.load(shared_folder / "u.npy")


class NoMemory:
    """NumPy where there is no memory for arrays."""

    def __getattr__(self, name):
        return getattr(np, name)

    def empty(self, *arguments, **more):
        raise MemoryError("deliberate")


@pytest.mark.parametrize("module", [weft.distributed, weft.files])
def test_a_rank_without_memory_tells_the_others(rng, shared_folder, module, monkeypatch):
    path = shared_folder / "u.npy"
    weft.ones((6, 5)).save(path)
    if comm.rank == on_root(lambda: int(rng.integers(comm.size))):
        monkeypatch.setattr(module, "np", NoMemory())
    with pytest.raises(weft.Error, match="deliberate"):
        weft.load(path)
    monkeypatch.undo()
    assert weft.load(path).shape == (6, 5)
