"""Arrays whose indices are dealt out to ranks, against NumPy on the whole array."""

import os
import pickle

import numpy as np
import pytest
import weft
from conftest import close, comm, everywhere, must_raise, random_whole


def cyclic_layout(rng: np.random.Generator, shape: tuple[int, ...]) -> weft.Layout:
    """Cyclic along one axis, in any memory order."""
    grid = [1] * len(shape)
    grid[int(rng.integers(len(shape)))] = comm.size
    layout = weft.Layout.cyclic(shape, grid)
    return layout.ordered([int(axis) for axis in rng.permutation(len(shape))])


@pytest.fixture
def pair(rng):
    """Also with fewer indices than ranks."""
    shape = tuple(int(n) for n in rng.integers(1, 9, int(rng.integers(1, 4))))
    whole = random_whole(rng, shape, "f8")
    return whole, weft.from_global(whole, layout=cyclic_layout(rng, shape))


def test_parts_are_slices_with_steps(pair):
    whole, a = pair
    assert everywhere(np.array_equal(a.local, whole[a.slices]))
    assert sum(comm.allgather(a.local.size)) == whole.size
    assert np.array_equal(a.gather(None), whole)
    (axis,) = (
        (n for n, count in enumerate(a.layout.classes) if count > 1) if comm.size > 1 else (0,)
    )
    for rank in range(min(comm.size, whole.shape[axis])):
        part = a.layout.slices(rank)[axis]
        assert np.array_equal(
            np.arange(whole.shape[axis])[part], np.arange(rank, whole.shape[axis], comm.size)
        )
    same = pickle.loads(pickle.dumps(a.layout))
    assert same == a.layout and same.classes == a.layout.classes


def test_functions_of_indices(pair):
    whole, a = pair
    mesh = np.indices(whole.shape)
    for own, all_of_them in zip(a.indices(), mesh):
        assert everywhere(np.array_equal(own + 0 * a.local, all_of_them[a.slices]))
    made = weft.from_function(lambda *at: sum(at) ** 2.0, whole.shape, layout=a.layout)
    assert np.array_equal(made.gather(None), mesh.sum(0) ** 2.0)
    assert a.argmax() == whole.argmax() and np.allclose(a.sum(0), whole.sum(0))


def test_global_indices(pair):
    whole, a = pair
    last = tuple(n - 1 for n in whole.shape)
    assert a.at[last] == whole[last]
    assert np.array_equal(a.at[1::2], whole[1::2]) and np.array_equal(a.at[::-1], whole[::-1])
    assert np.array_equal(a.at[whole > 0], whole[whole > 0])
    a.at[-1] = 7
    whole[-1] = 7
    assert np.array_equal(a.gather(None), whole)


@pytest.mark.parametrize("name", ["a.npy", "a.h5:/a"])
def test_files(pair, shared_folder, name):
    if "h5" in name:
        pytest.importorskip("h5py")
    whole, a = pair
    path = os.path.join(shared_folder, name)
    a.save(path)
    assert np.array_equal(weft.load(path).gather(None), whole)
    again = weft.load(path, layout=a.layout)
    assert again.layout == a.layout and everywhere(np.array_equal(again.local, a.local))


def test_transforms(rng):
    square = comm.size**2
    shape = (square * int(rng.integers(1, 4)), 6, 5)
    layout = weft.Layout.cyclic(shape, (comm.size, 1, 1))
    whole = random_whole(rng, shape, "c16")
    with weft.Plan(shape, input=layout, output=layout) as plan:
        field = plan.make_input()
        field.local[...] = whole[field.slices]
        spectrum = plan.forward(field)
        assert close(spectrum.gather(None), np.fft.fftn(whole), "c16")
        assert np.isclose(field.mean_square(), spectrum.mean_square())
        k, x = spectrum.wavenumbers()[0].ravel(), field.coordinates()[0].ravel()
        whole_k = np.fft.fftfreq(shape[0], 1 / shape[0])[spectrum.slices[0]]
        assert np.allclose((k - whole_k) % shape[0], 0)  # the sign of n / 2 is a convention
        assert np.allclose(x, (2 * np.pi / shape[0] * np.arange(shape[0]))[field.slices[0]])
        blocks = field.redistribute(weft.Layout.slabs(shape, comm.size))
        assert everywhere(np.array_equal(blocks.local, whole[blocks.slices]))
        again = blocks.redistribute(layout)
        assert everywhere(np.array_equal(again.local, field.local))
    with weft.Plan(shape, options="decomposition=cyclic") as plan:
        assert plan.input_layout.partition == "cyclic"
    with weft.Plan((square * 12,), options="output=scrambled") as plan:
        spectrum = plan.forward(weft.from_global(whole.reshape(-1)[: square * 12]))
        kept = pickle.loads(pickle.dumps(plan.output_layout))
        assert kept == plan.output_layout and kept.classes == plan.output_layout.classes
        if comm.size > 1:
            must_raise(weft.Error, "scrambled", lambda: spectrum.gather(None))


def test_mistakes(rng):
    if comm.size == 1:
        return
    shape = (comm.size * 2, 3)
    layout = weft.Layout.cyclic(shape, (comm.size, 1))
    a = weft.zeros(shape, layout=layout)
    must_raise(
        weft.Error,
        "ranges? of indices",
        lambda: weft.Halo(layout, 1),
        lambda: np.roll(a, 1, 0),
        lambda: weft.fft.fftn(a, s=(5, 3)),
    )
    ragged = (comm.size * 2 + 1, 3)
    b = weft.zeros(ragged, layout=weft.Layout.cyclic(ragged, (comm.size, 1)))
    must_raise(weft.Error, "axis 0", lambda: b.redistribute(weft.Layout.slabs(ragged, comm.size)))
