"""Parts and permutations of arrays that stay distributed, against NumPy's on the whole array."""

import numpy as np
import pytest
import weft
from conftest import comm, must_raise, on_root, random_layout, random_whole

SHAPE = (7, 6, 5)


def agrees(made, expected):
    """Whether an array of Weft, or a number, is NumPy's array."""
    if not isinstance(made, weft.Array):
        return np.ndim(expected) == 0 and made == expected
    made.require_same_boxes(made.like(made.local))
    return made.shape == expected.shape and np.array_equal(made.gather(None), expected)


def random_entry(rng, length):
    """A number, a slice, a list in order or reverse, or a mask of one axis."""
    kind = rng.integers(5)
    if kind == 0:
        return int(rng.integers(-length, length))
    if kind == 1:
        first, last = sorted(map(int, rng.choice(length + 1, 2, replace=False)))
        return slice(first, last, int(rng.integers(1, 4)))
    if kind == 2:
        return slice(None, None, -int(rng.integers(1, 4)))
    picks = np.sort(rng.integers(0, length, 3))
    return (
        np.isin(np.arange(length), picks) if kind == 3 else picks[:: 1 - 2 * int(rng.integers(2))]
    )


@pytest.mark.parametrize("number", range(20))
def test_parts(number, rng):
    whole = random_whole(rng, SHAPE, "c16")
    a = weft.from_global(whole, layout=random_layout(rng, SHAPE))
    entries = [random_entry(rng, length) for length in SHAPE]
    for axis, entry in enumerate(entries):
        key = (*(slice(None),) * axis, entry)
        assert agrees(a[key], whole[key]), key
    by_slices = tuple(
        entry if isinstance(entry, (int, slice)) else slice(1, 4) for entry in entries
    )
    for key in (
        by_slices,
        (..., by_slices[-1]),
        (None, ..., None),
        (by_slices[0], None, by_slices[1]),
    ):
        assert agrees(a[key], whole[key]), key


def test_nothing_is_sent():
    """A rank alone can pick a part, because no other takes part."""
    a = weft.from_function(lambda i, j: 10 * i + j, (8, 6))
    part = on_root(lambda: a[2:5, ::2].local.sum())
    assert part == (np.add.outer(10 * np.arange(2, 5), np.arange(0, 6, 2))[: part_rows(a)]).sum()


def part_rows(a):
    """The rows 2 to 4 that rank 0 holds."""
    return len(range(max(2, a.layout.box(0).lower[0]), min(5, a.layout.box(0).upper[0])))


def test_memory():
    """Permutations share the memory, and so do parts that lie in it as their layouts say."""
    a = weft.zeros((8, 6))
    a.T.local[...] = 1
    assert a.sum() == 48
    a[2:7].local[...] = 2
    assert a.sum() == 18 + 2 * 30


@pytest.mark.parametrize("axes", [(2, 0, 1), (0, 2, 1), (2, 1, 0)])
def test_permutations(axes, rng):
    whole = random_whole(rng, SHAPE, "f8")
    given = random_layout(rng, SHAPE)
    for layout in (given, given.padded((0, 1, 2))):
        a = weft.from_global(whole, layout=layout)
        assert agrees(a.transpose(axes), whole.transpose(axes))
        assert agrees(a.transpose(*axes), whole.transpose(*axes))
        assert agrees(np.transpose(a, axes), whole.transpose(axes))
        assert agrees(a.mT, np.swapaxes(whole, -1, -2))
        for function in (np.transpose, np.flip, lambda a: a.T):
            assert agrees(function(a), function(whole))
        for source, destination in ((0, 2), (-1, 0), ((0, 1), (2, 0))):
            assert agrees(
                np.moveaxis(a, source, destination), np.moveaxis(whole, source, destination)
            )
        assert agrees(np.swapaxes(a, 0, axes[0]), np.swapaxes(whole, 0, axes[0]))
        assert agrees(np.flip(a, axes[:2]), np.flip(whole, axes[:2]))


def test_permutations_of_cyclic_layouts(rng):
    layout = weft.Layout.cyclic((8, 6), (1, comm.size))
    whole = random_whole(rng, (8, 6), "f8")
    a = weft.from_global(whole, layout=layout)
    assert agrees(a.T, whole.T) and not a.T.layout.has_ranges == (comm.size > 1)
    if comm.size > 1:
        must_raise(weft.Error, "cyclic", lambda: a[1:3], lambda: np.expand_dims(a, 0))


def test_axes_more_or_less(rng):
    whole = random_whole(rng, SHAPE, "f4")
    a = weft.from_global(whole, layout=random_layout(rng, SHAPE))
    for axis in (0, -1, 2, (0, 3)):
        assert agrees(np.expand_dims(a, axis), np.expand_dims(whole, axis))
    for axis in (0, 1, 3, -1):
        assert agrees(np.stack([a, 2 * a], axis), np.stack([whole, 2 * whole], axis))
    if hasattr(np, "unstack"):  # since NumPy 2.1
        parts = zip(np.unstack(a, axis=-2), np.unstack(whole, axis=-2))
        assert all(agrees(own, expected) for own, expected in parts)
    thin = whole[:, :1, 2:3]
    assert agrees(np.squeeze(a[:, :1, 2:3]), thin.squeeze())
    assert agrees(np.squeeze(a[:, :1, 2:3], 1), thin.squeeze(1))
    for function in (np.tril, np.triu):
        assert agrees(function(a, 1), function(whole, 1))


@pytest.mark.parametrize("axis", range(3))
def test_concatenation(axis, rng):
    """Of arrays in any layouts, types and lengths."""
    wholes, arrays = [], []
    for length, dtype in ((2, "f4"), (5, "f8"), (1, "c8")):
        shape = (*SHAPE[:axis], length, *SHAPE[axis + 1 :])
        wholes.append(random_whole(rng, shape, dtype))
        arrays.append(weft.from_global(wholes[-1], layout=random_layout(rng, shape)))
    made = np.concatenate(arrays, axis)
    assert agrees(made, np.concatenate(wholes, axis)) and made.dtype == np.complex128
    must_raise(weft.Error, "concat", lambda: np.concatenate([arrays[0], arrays[1][..., :1, :1]], 0))
    must_raise(TypeError, "alone", lambda: np.concatenate([arrays[0], wholes[0]], axis))


def test_arrays_of_the_global_shape(rng):
    """What every rank has as a whole meets an array: results of reductions, and whole arrays."""
    whole = random_whole(rng, SHAPE, "f8")
    a = weft.from_global(whole, layout=random_layout(rng, SHAPE))
    for axis in range(3):
        mean = a.mean(axis, keepdims=True)
        assert np.allclose((a - mean).gather(None), whole - mean)
    assert np.allclose(
        (a * whole[:, :, 0:1] + whole[0]).gather(None), whole * whole[:, :, 0:1] + whole[0]
    )
    assert np.array_equal(np.where(whole > 0, a, 0.0).gather(None), np.where(whole > 0, whole, 0.0))
    assert np.allclose(a.sum(where=whole > 0), whole.sum(where=whole > 0))
    if comm.size > 1:
        must_raise(
            weft.Error, "broadcasts", lambda: a + np.ones((8, 1, 1)), lambda: a + whole[None]
        )


def test_mistakes(rng):
    a = weft.zeros((4, 6))
    must_raise(TypeError, "a.at", lambda: a[a > 0], lambda: a[np.ones((4, 6), bool)])
    must_raise(weft.Error, "up and down", lambda: a[[0, 2, 1]])
    must_raise(weft.Error, "picks nothing", lambda: a[2:2], lambda: a[:, []])
    must_raise(weft.Error, "index", lambda: a[4], lambda: a[0, 0, 0], lambda: a[[0, 1], [0, 1]])
    must_raise(TypeError, "iter", lambda: list(a))
    must_raise(weft.Error, "axes", lambda: a.transpose(0), lambda: np.moveaxis(a, 0, 5))
    must_raise(weft.Error, "length 1", lambda: np.squeeze(a, 0))
    with pytest.raises(TypeError, match="a.at"):
        a[0] = 1
