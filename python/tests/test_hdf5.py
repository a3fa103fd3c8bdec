"""HDF5 files keep a dataset's attributes and properties, and all that is beside it, when save
replaces the dataset."""

import os

import numpy as np
import pytest
import weft
from conftest import must_raise, on_root, random_whole
from weft._core import temporary_ending

h5py = pytest.importorskip("h5py")


@pytest.fixture
def name(shared_folder):
    return str(shared_folder / "u.h5")


def make(name, more):
    with h5py.File(name, "w") as file:
        options = {"chunks": (2, 3), "compression": "gzip", "shuffle": True, "fillvalue": 7.0}
        u = file.create_dataset("g/u", data=np.zeros((4, 6)), maxshape=(None, 8), **options)
        u.attrs["units"] = "m/s"
        u.attrs["levels"] = np.arange(3, dtype=">i2")
        u.attrs.create("fixed", np.bytes_("ab"))
        u.attrs["nothing"] = h5py.Empty("f4")
        more(file)


def alone(file):
    pass


def attribute_of_the_file(file):
    file.attrs["author"] = "me"


def empty_group(file):
    file.create_group("runs").attrs["note"] = "kept"


def another_dataset(file):
    file["v"] = np.arange(5.0)


def a_link(file):
    file["link"] = h5py.SoftLink("/g/u")


def scales(file):
    file["x"], file["y"] = np.arange(4.0), np.arange(6.0)
    for axis, scale in enumerate("xy"):
        file[scale].make_scale(scale)
        file["g/u"].dims[axis].attach_scale(file[scale])
        file["g/u"].dims[axis].label = f"along {scale}"


CASES = [alone, attribute_of_the_file, empty_group, another_dataset, a_link, scales]


@pytest.mark.parametrize("more", CASES)
def test_what_is_kept(rng, name, more):
    on_root(lambda: make(name, more))
    before = on_root(lambda: names_in(name))
    whole = random_whole(rng, (4, 6), "f8")
    for _ in range(2):
        weft.from_global(whole).save(f"{name}:/g/u")
    assert np.array_equal(weft.load(f"{name}:/g/u").gather(None), whole)
    assert on_root(lambda: names_in(name)) == before

    def check():
        with h5py.File(name) as file:
            u = file["g/u"]
            assert (u.chunks, u.compression, u.shuffle) == ((2, 3), "gzip", True)
            assert u.maxshape == (None, 8) and u.fillvalue == 7 and u.dtype == np.dtype("f8")
            assert u.attrs["units"] == "m/s" and u.attrs["fixed"] == b"ab"
            assert u.attrs.get_id("levels").dtype == np.dtype(">i2")
            assert list(u.attrs["levels"]) == [0, 1, 2]
            assert isinstance(u.attrs["nothing"], h5py.Empty)
            if more is attribute_of_the_file:
                assert file.attrs["author"] == "me"
            if more is empty_group:
                assert file["runs"].attrs["note"] == "kept"
            if more is scales:
                assert [u.dims[axis][0].name for axis in range(2)] == ["/x", "/y"]
                assert [u.dims[axis].label for axis in range(2)] == ["along x", "along y"]

    on_root(check)


def names_in(name):
    found = []
    with h5py.File(name) as file:
        file.visititems_links(lambda at, link: found.append((at, type(link).__name__)))
        assert "link" not in file or file["link"].shape == file["g/u"].shape
    return sorted(found)


@pytest.mark.parametrize("more", CASES)
@pytest.mark.parametrize(
    "shape, dtype, chunks, maxshape",
    [
        ((9, 6), "f4", (2, 3), (None, 8)),
        ((1, 2), "c16", (2, 3), (None, 8)),
        ((3, 11), "f8", (2, 3), (None, 11)),
        ((4, 6, 2), "f8", None, (4, 6, 2)),
        ((5,), "f8", None, (5,)),
    ],
)
def test_another_shape_or_type_takes_over_what_fits(
    rng, name, more, shape, dtype, chunks, maxshape
):
    on_root(lambda: make(name, more))
    whole = random_whole(rng, shape, dtype)
    weft.from_global(whole).save(f"{name}:/g/u")
    assert np.array_equal(weft.load(f"{name}:/g/u").gather(None), whole)

    def check():
        with h5py.File(name) as file:
            u = file["g/u"]
            assert (u.chunks, u.maxshape, u.dtype) == (chunks, maxshape, np.dtype(dtype))
            assert u.compression == (None if chunks is None else "gzip")
            assert u.attrs["units"] == "m/s"

    on_root(check)


def test_layouts_without_chunks(name):
    """Compact ones hold little, virtual and external ones nothing of their own."""

    def make_them():
        with h5py.File(name, "w") as file:
            properties = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
            properties.set_layout(h5py.h5d.COMPACT)
            space = h5py.h5s.create_simple((4, 6))
            h5py.h5d.create(file.id, b"compact", h5py.h5t.NATIVE_DOUBLE, space, properties)
            virtual = h5py.VirtualLayout((4, 6), "f8")
            virtual[...] = h5py.VirtualSource(file["compact"])
            file.create_virtual_dataset("virtual", virtual)

    on_root(make_them)
    u = weft.ones((100, 200))
    for dataset in ("compact", "virtual"):
        u.save(f"{name}:/{dataset}")
        assert weft.load(f"{name}:/{dataset}").sum() == 20000


def test_links_are_not_replaced(name):
    on_root(lambda: make(name, a_link))
    with pytest.raises(weft.Error, match="'/link' is a link"):
        weft.ones((4, 6)).save(f"{name}:/link")
    with pytest.raises(weft.Error, match="'/g' is a group"):
        weft.ones((4, 6)).save(f"{name}:/g")
    assert weft.load(f"{name}:/link").shape == (4, 6)


def test_what_is_no_array(name):
    def make_them():
        with h5py.File(name, "w") as file:
            file.create_group("group")
            file["empty"], file["one"] = h5py.Empty("f"), 3.0
            file["text"], file["type"] = ["a", "b"], np.dtype("f8")
            file["records"] = np.zeros(3, [("x", "f8"), ("y", "i4")])

    on_root(make_them)
    for dataset, words in (
        ("group", "this is no dataset, but a group"),
        ("type", "this is no dataset, but a datatype"),
        ("empty", "a dataset without values"),
        ("one", "a dataset of one value; valid are arrays of one axis or more"),
        ("text", "valid are truth values, integers, and real or complex numbers"),
        ("records", "valid are truth values, integers, and real or complex numbers"),
        ("none", "there is no such dataset in the file"),
    ):
        must_raise(weft.Error, words, lambda: weft.load(f"{name}:/{dataset}"))


def test_what_a_killed_job_has_left_is_removed(name):
    """The name tells the process, which is gone for sure."""
    on_root(lambda: make(name, another_dataset))

    def leave():
        child = os.fork()
        if child == 0:
            os._exit(0)
        os.waitpid(child, 0)
        beginning, _, ending = temporary_ending()[1:].rsplit("-", 2)
        with h5py.File(name, "r+") as file:
            file[f"{beginning}-{child}-{ending}"] = file[temporary_ending()[1:]] = 1.0

    on_root(leave)
    weft.ones((3, 4)).save(f"{name}:/w")
    assert len([at for at, _ in on_root(lambda: names_in(name)) if at.startswith("weft-")]) == 1
