"""DistArrays, pencils and files without mpi4py-fft, against the whole array."""

import os
import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest
import weft
from conftest import comm, everywhere, must_raise, random_whole
from weft.compat.mpi4py_fft import (
    PFFT,
    DistArray,
    Function,
    HDF5File,
    NCFile,
    generate_xdmf,
    newDistArray,
)
from weft.compat.mpi4py_fft.pencil import Pencil, Subcomm


def distributed(whole, rank=0, **settings):
    array = DistArray(whole.shape, dtype=whole.dtype, rank=rank, **settings)
    array[...] = whole[array.local_slice()]
    return array


@pytest.mark.parametrize("dtype", ["f", "d", "F", "D"])
@pytest.mark.parametrize("rank", [0, 1, 2])
def test_redistribute(dtype, rank, rng):
    """Around all axes of a grid with two split ones, and back into an array that is there."""
    lengths = tuple(int(length) for length in rng.integers(4, 9, 3))
    whole = random_whole(rng, (2,) * rank + lengths, dtype)
    first = distributed(whole, rank, subcomm=(0, 0, 1))
    array = first
    for axis in (0, 1, 2, 0, -1):
        array = array.redistribute(axis)
        assert isinstance(array, DistArray) and array.rank == rank
        assert array.alignment == axis % 3 and array.global_shape == whole.shape
        assert everywhere(np.array_equal(array.v, whole[array.local_slice()]))
        assert array.redistribute(axis) is array
    out = DistArray(whole.shape, array.subcomm[rank:], np.nan, dtype, rank=rank)
    assert array.redistribute(out=out) is out and everywhere(np.array_equal(out.v, array.v))
    turned, _ = array.get_pencil_and_transfer(0)
    out = DistArray(whole.shape, turned.subcomm, np.nan, dtype, alignment=0, rank=rank)
    assert array.redistribute(0, out=out) is out
    assert everywhere(np.array_equal(out.v, whole[out.local_slice()]))


def test_get(rng):
    whole = random_whole(rng, (3, 6, 7, 8), "D")
    array = distributed(whole, 1)
    for key in (
        (0, 1, slice(None), 2),
        (2, slice(None), 4, slice(1, 7, 2)),
        (slice(None), 5, 6, 7),
    ):
        part = array.get(key)
        assert np.array_equal(part, whole[key]) if comm.rank == 0 else part is None


def test_indices_and_views(rng):
    array = distributed(random_whole(rng, (3, 3, 8, 9), "d"), 2)
    assert type(array.v) is np.ndarray and array.v.base is array
    assert isinstance(array[0], DistArray) and array[0].rank == 1
    assert isinstance(array[0, 1], DistArray) and array[0, 1].rank == 0
    assert array[1:].rank == 2 and array[1:].global_shape == (2, 3, 8, 9)
    assert array[0, 1].global_shape == (8, 9) and array[0, 1].local_slice() == array.pencil.slices
    assert type(array[0, 1][0]) is np.ndarray and type(array[0, 0, ..., 1]) is np.ndarray
    assert type(array[array > 0]) is np.ndarray
    assert array.substart[:2] == (0, 0) and array.dimensions == 2
    assert int(np.prod(array.commsizes)) == comm.size
    line = DistArray((8,), val=2)
    assert line[0] == 2 and line.shape == (8,)
    fft = PFFT(comm, (8, 9, 10))
    with pytest.warns(FutureWarning):
        assert Function(fft, False, tensor=True).global_shape == (3, 8, 9, 10)
    assert type(newDistArray(fft, view=True)) is np.ndarray
    fft.destroy()


@pytest.mark.parametrize("dtype", ["f", "d", "F", "D"])
def test_transfers(dtype, rng):
    """Arrays have any strides, and some ranks hold nothing."""
    for shape in ((5, 6, 7), (2, 3, 1)):
        whole = random_whole(rng, shape, dtype)
        subcomm = Subcomm(comm, 2)
        one = Pencil(subcomm, shape, 0)
        two = one.pencil(2)
        transfer = one.transfer(two, dtype)
        target = np.full(two.subshape, np.nan, dtype)
        transfer.forward(np.asfortranarray(whole[one.slices]), target)
        assert everywhere(np.array_equal(target, whole[two.slices]))
        back = np.full(one.subshape, np.nan, dtype, order="F")
        transfer.backward(target, back)
        assert everywhere(np.array_equal(back, whole[one.slices]))
        transfer.destroy()
        subcomm.destroy()


def test_mistakes(rng):
    array = DistArray((6, 7, 8))
    pencil = array.pencil
    one = np.zeros((1, 1, 1))
    _, transfer = array.get_pencil_and_transfer(0)
    objects = pencil.transfer(pencil.pencil(0), object)
    for call, sentence in (
        (lambda: pencil.transfer(pencil, float), "valid is what pencil"),
        (lambda: transfer.forward(one, one), "an array of shape"),
        (lambda: objects.forward(one, one), "hold no objects"),
        (lambda: DistArray((6, 7, 8), subcomm=(0, 1)), "valid is one for each of 3"),
        (lambda: Pencil(Subcomm(comm), (6,)), "communicators"),
        (lambda: array.redistribute(out=DistArray((6, 7, 9))), "out: has the shape"),
    ):
        must_raise(weft.Error, sentence, call)
    if comm.size > 1:
        with pytest.raises(weft.Error, match="is split among"):
            DistArray((6, 7, 8), subcomm=(0, 1, 1), alignment=0)


@pytest.mark.parametrize("rank", [0, 1, 2])
def test_hdf5(rank, rng, shared_folder):
    h5py = pytest.importorskip("h5py")
    whole = random_whole(rng, (3,) * rank + (6, 7, 8), "D")
    u = distributed(whole, rank)
    path = os.path.join(shared_folder, "u.h5")
    file = HDF5File(path, mode="w")
    assert file.backend() == "hdf5"
    for step in (0, 3, 3):
        file.write(
            step, {"u": [u, (u, [slice(None), 4, slice(None)])], "v": [(u, [5, 5, slice(None)])]}
        )
    u.write(path, "w", 1, as_scalar=True)
    if comm.rank == 0:
        with h5py.File(path, "r") as written:
            assert np.array_equal(written["u/3D/3"], whole)
            assert np.array_equal(written["u/2D/slice_4_slice/0"], whole[..., :, 4, :])
            assert np.array_equal(written["v/1D/5_5_slice/3"], whole[..., 5, 5, :])
            assert tuple(written["u"].attrs["shape"]) == (6, 7, 8)
            assert written["u"].attrs["rank"] == rank
            assert np.array_equal(written["u/domain/x1"], [0, 2 * np.pi])
            assert np.array_equal(written[f"w{'2' * rank}/3D/1"], whole[(2,) * rank])
    comm.Barrier()
    for alignment in (0, 1):
        back = DistArray(whole.shape, None, np.nan, "D", alignment=alignment, rank=rank)
        back.read(path, "u", 3)
        assert everywhere(np.array_equal(back.v, whole[back.local_slice()]))
    with pytest.raises(weft.Error):
        back.read(path, "u", 2)
    with pytest.raises(weft.Error, match="slice\\(None\\) and numbers"):
        u.write(file, "u", 0, [slice(None), 7, 0])
    with pytest.raises(weft.Error, match="has the shape"):
        DistArray((6, 7)).write(file, "u")


@pytest.mark.parametrize("rank", [0, 1])
def test_netcdf(rank, rng, shared_folder):
    netcdf = pytest.importorskip("netCDF4")
    whole = random_whole(rng, (3,) * rank + (6, 7, 8), "d")
    u = distributed(whole, rank)
    path = os.path.join(shared_folder, "u.nc")
    file = NCFile(path, domain=((0, 1), (0, 2), np.arange(8.0)), mode="w")
    assert file.backend() == "netcdf4"
    for step in (0, 5, 5):
        file.write(step, {"u": [u, (u, [slice(None), 4, slice(None)])]})
    u.write(path, "w", 7, as_scalar=True)
    if comm.rank == 0:
        with netcdf.Dataset(path) as written:
            assert np.array_equal(written["time"][:], [0, 5, 7])
            assert np.array_equal(written["u"][1], whole)
            assert np.array_equal(written["u_slice_4_slice"][0], whole[..., :, 4, :])
            assert np.array_equal(written["y"][:], np.linspace(0, 2, 7))
            assert np.array_equal(written["z"][:], np.arange(8))
            assert np.array_equal(written[f"w{'2' * rank}"][2], whole[(2,) * rank])
    comm.Barrier()
    back = DistArray(whole.shape, None, np.nan, alignment=0, rank=rank)
    back.read(path, "u", 1)
    assert everywhere(np.array_equal(back.v, whole[back.local_slice()]))
    with pytest.raises(weft.Error, match="is that of a dimension"):
        u.write(path, "x", 0)


def test_xdmf(rng, shared_folder):
    """Grids lie where they should, and the datasets that the file refers to exist."""
    h5py = pytest.importorskip("h5py")
    u = distributed(random_whole(rng, (6, 7, 8), "d"))
    fields = {"u": [u, (u, [slice(None), 4, slice(None)])]}
    mesh = tuple(np.linspace(0, axis + 1, length) for axis, length in enumerate((6, 7, 8)))
    for name, domain in (("box", ((0, 1), (1, 2), (2, 4))), ("mesh", mesh)):
        path = os.path.join(shared_folder, f"{name}.h5")
        file = HDF5File(path, domain, "w")
        for step in (0, 10):
            file.write(step, fields)
        if comm.rank > 0:
            continue
        generate_xdmf(path, periodic=(True, False, True))
        for ending, extents in (("", "6 7 8"), ("_slice_4_slice", "6 1 8")):
            root = ElementTree.parse(path.replace(".h5", f"{ending}.xdmf")).getroot()
            series = root.find("Domain/Grid")
            assert series.find("Time/DataItem").text == "0 10"
            grids = series.findall("Grid")
            assert len(grids) == 2 and grids[1].find("Topology").get("Dimensions") == extents
            references = [
                item.text for item in root.iter("DataItem") if item.get("Format") == "HDF"
            ]
            with h5py.File(path, "r") as written:
                assert all(written[text.split(":")[1]] for text in references)
            numbers = [item.text for item in grids[0].findall("Geometry/DataItem")]
            if name == "mesh":
                last = str(mesh[1][4]) if ending else f"{path}:u/mesh/x1"
                assert numbers == [f"{path}:u/mesh/x2", last, f"{path}:u/mesh/x0"]
            else:
                origins, distances = (np.array(text.split(), float) for text in numbers)
                spacing = np.array([1 / 6, 2 / 6, 4 / 8])
                assert np.allclose(distances, spacing)
                assert np.allclose(origins, [0, 1 + 4 * spacing[1] if ending else 1, 2])
    comm.Barrier()
