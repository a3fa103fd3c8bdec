"""Arguments as users of NumPy give them: numbers, arrays of numbers, indices. Other arguments are
errors that name them."""

import numpy as np
import pytest
import weft
from conftest import close, comm, must_raise, random_layout, random_whole

SHAPE = (6, 5, 4)


# ---- Numbers of NumPy ---------------------------------------------------------------------------


def test_shapes_are_numbers_and_arrays():
    for shape in (16, np.int32(16), np.array(16), np.array([16]), (np.int64(16),)):
        assert weft.Plan(shape).transform.shape == (16,)
        assert weft.zeros(shape).shape == weft.full(shape, 1).shape == (16,)
        assert weft.Layout.slabs(shape, 2) == weft.Layout.slabs((16,), np.int8(2))
        assert weft.describe(shape, ranks=np.int64(2)) == weft.describe((16,), ranks=2)
    shape, grid = np.array([8, 6, 4]), np.array([1, comm.size])
    layout = weft.Layout.pencils(shape, grid)
    assert weft.zeros(shape, layout=layout).shape == (8, 6, 4)
    plan = weft.Plan(shape, axes=np.array([1, 2]), grid=grid, input=layout)
    assert plan.transform.kinds == ("none", "c2c", "c2c")
    assert weft.Plan(shape, axes=np.int8(-1)).transform.kinds == ("none", "none", "c2c")
    for wrong in (16.5, "16", None, (8, 2.5), (8, "2")):
        must_raise(
            weft.Error,
            "shape: .*; valid are whole numbers",
            lambda: weft.Plan(wrong),
            lambda: weft.zeros(wrong),
            lambda: weft.tune(wrong),
            lambda: weft.gather_layout(wrong, weft.Box([0], [1])),
        )
    for wrong in ((0,), (8, -2), ()):
        for call in (weft.Plan, weft.zeros):
            with pytest.raises(weft.Error, match="shape"):
                call(wrong)


def test_lengths_of_transforms(rng):
    whole = random_whole(rng, (6, 5), "f8")
    a = weft.from_global(whole)
    cases = [
        (np.array([8, 8]), None),
        ((np.int32(8), -1), None),
        ((-1, 7), (1, 0)),
        (np.array([-1]), None),
        (7, None),
        (-1, np.array([0])),
        (None, np.array([1, 0])),
    ]
    for s, axes in cases:
        listed = None if s is None else [int(n) for n in np.atleast_1d(s)]
        if axes is not None:
            order = [int(axis) for axis in axes]
        else:
            order = list(range(2 - len(listed), 2))
        for name in ("fftn", "rfftn", "irfftn"):
            truth = getattr(np.fft, name)(whole, listed, order)
            assert close(getattr(weft.fft, name)(a, s, axes).gather(None), truth, "f8"), (s, name)
    assert close(weft.fft.fft(a, np.int64(7)).gather(None), np.fft.fft(whole, 7), "f8")
    assert weft.fftn(a, workers=np.int64(1)).shape == (6, 5)
    for s in ((8, -2), (8, 0), (8, 2.5), (8, 8, 8), "88", 8.5, ("8", 8)):
        with pytest.raises(weft.Error, match="s: .*; valid"):
            weft.fftn(a, s)
    for n in (-1, 0, 2.5, "8", (8, 8)):
        with pytest.raises(weft.Error, match="n: .*; valid"):
            weft.fft.fft(a, n)
        with pytest.raises(weft.Error, match="n: .*; valid"):
            weft.fft.dct(a, n=n)


def test_edges_of_boxes():
    a = weft.rfftn(weft.ones((4, 6)))
    for lengths in (np.array([1, 2]), np.array([1.0, 2.0]), [1, np.float32(2)], (1, 2)):
        assert all(map(np.array_equal, a.wavenumbers(lengths), a.wavenumbers((1.0, 2.0))))
    assert np.array_equal(a.wavenumbers(np.array(2))[0], a.wavenumbers(2.0)[0])
    for wrong in ("x", (1, "x"), np.array([1, -2]), (1, 2, 3), [[1, 2]], 1j, np.nan, (1,)):
        with pytest.raises(weft.Error, match="lengths: .*; valid is a positive number"):
            a.wavenumbers(wrong)


def test_scales_are_real_numbers():
    plan = weft.Plan((4, 4))
    given = plan.make_input()
    given.local[...] = 1
    for scale in (2, np.float32(2), np.array(2.0), np.int8(2)):
        assert np.isclose(plan.forward(given, None, scale).sum(), 32)
    for wrong in (2j, "2", None, np.ones(3)):
        for call in (plan.forward, plan.backward, plan.start_forward):
            with pytest.raises(TypeError, match="scale: .*; valid is a real number"):
                call(given, None, wrong)


def test_tuning_without_a_report():
    assert weft.tune(16, seconds=np.float32(0.01))[0].options


def test_arguments_of_wrong_types_are_named():
    layout = weft.Layout.slabs((8, 8), 2)
    box = weft.Box([0, 0], [1, 2])
    plan = weft.Plan((4, 4))
    for call, sentence in (
        (lambda: weft.Layout.slabs("8x8", 2), "shape: '8x8'; valid are whole numbers"),
        (lambda: weft.Layout.slabs((8, 8.5), 2), r"shape: \(8, 8.5\); valid"),
        (lambda: weft.Layout.slabs((8, 8), 2.5), "ranks: 2.5; valid is a whole number"),
        (lambda: weft.Layout.bricks((8, 8), 2), "grid: 2; valid"),
        (lambda: weft.Layout.grid((8, 8), [2], 0), "split: 0; valid"),
        (lambda: weft.Layout.boxes((8, 8), [1, 2]), r"boxes: \[1, 2\]; valid"),
        (lambda: layout.box("x"), "rank: 'x'; valid"),
        (lambda: layout.spread(None), "ranks: None; valid"),
        (lambda: layout.ordered("x"), "order: 'x'; valid"),
        (lambda: layout.reshaped("x"), "shape: 'x'; valid"),
        (lambda: layout.partitioned(2), "partition: 2; valid"),
        (lambda: layout.has_boxes_of(3), "other: 3; valid is a weft.Layout"),
        (lambda: weft.Box(0, 3), "lower: 0; valid"),
        (lambda: box.intersect(3), "other: 3; valid is a weft.Box"),
        (lambda: 3 in box, "point: 3; valid"),
        (lambda: plan.transform.wavenumbers("x"), "axis: 'x'; valid"),
        (lambda: plan.set_stream("x"), "stream: 'x'; valid"),
        (lambda: plan.apply(plan.make_input(), None, 4, user="x"), "user: .*; valid are addresses"),
        (lambda: plan.record("x"), "on: 'x'; valid"),
    ):
        must_raise(TypeError, sentence, call)
    for call, sentence in (
        (lambda: weft.Plan((8, 8), input="slabs"), "input: is a str; valid is a weft.Layout"),
        (lambda: weft.tune((8, 8), output=3), "output: is a int; valid is a weft.Layout"),
        (lambda: weft.tune((8, 8), seconds="x"), "seconds: 'x'; valid"),
        (lambda: weft.zeros((8, 8), layout=3), "layout: is a int; valid is a weft.Layout"),
        (lambda: weft.from_local(np.ones(3), 3), "layout: is a int; valid"),
        (lambda: weft.from_local(np.ones(3), box=3), "box: is a int; valid is a weft.Box"),
        (lambda: weft.from_global(3), "whole: is no array"),
        (lambda: weft.describe((8, 8), ranks=2.5), "ranks: 2.5; valid"),
        (lambda: plan.start_forward([]), "0 inputs"),
        (lambda: weft.zeros(8).gather(comm.size), "root: .*; valid are ranks"),
        (lambda: weft.zeros(8).gather("x"), "root: 'x'; valid"),
        (lambda: weft.fftn(weft.ones((6, 5)), axes=1.5), "axes: 1.5; valid"),
        (lambda: weft.fftn(weft.ones((6, 5)), plan=3), "plan: is a int; valid"),
        (lambda: weft.fft.next_fast_len(11.5), "target: 11.5; valid"),
    ):
        must_raise(weft.Error, sentence, call)
    assert weft.from_global([[1, 2], [3, 4.5]]).sum() == 10.5


# ---- Indices ------------------------------------------------------------------------------------


def test_lists_and_masks_as_indices(rng):
    whole = random_whole(rng, SHAPE, "f8")
    a = weft.from_global(whole, layout=random_layout(rng, SHAPE))
    mask = whole > 0.3
    keys = [
        np.array([0, 3, 1]),
        np.array([], int),
        [],
        (slice(None), np.array([4, -1, 4])),
        (1, np.array([2, 0])),
        (slice(0, 3), np.array([True, False, True, True, False])),
        (np.array(2), Ellipsis),
        mask,
        ~mask & mask,
        np.ones(SHAPE, bool),
    ]
    for key in keys:
        assert np.array_equal(a.at[key], whole[key]), key
    assert np.array_equal(a.at[a > 0.3], whole[mask])
    values = rng.standard_normal(np.count_nonzero(mask))
    a.at[mask] = values
    whole[mask] = values
    a.at[a > 1] = -1
    whole[whole > 1] = -1
    a.at[:, np.array([3, 0])] = values[0]
    whole[:, np.array([3, 0])] = values[0]
    assert np.array_equal(a.gather(None), whole)


def test_other_indices_are_errors(rng):
    a = weft.ones(SHAPE)
    for key, sentence in (
        (([0, 1], [0, 1]), "lists for several axes"),
        ((0, slice(None), [1, 2]), "a slice between a list and a number"),
        (np.array([[0, 1], [1, 0]]), "one axis"),
        (None, "None and single truth values"),
        (True, "None and single truth values"),
        (1.5, "only integers"),
        (np.ones((2, 3), bool), r"a mask of shape \(2, 3\); valid"),
        (a, "a weft.Array of float64; valid is one of bool"),
        (weft.ones((4, 4)) > 0, "different layouts"),
    ):
        with pytest.raises(weft.Error, match=sentence):
            a.at[key]
        with pytest.raises(weft.Error, match=sentence):
            a.at[key] = 3
    with pytest.raises(weft.Error, match="value: is a weft.Array"):
        a.at[0] = a
    with pytest.raises(weft.Error, match="value: has 1 axes; valid with a mask"):
        a.at[a > 0] = np.ones(3)
    with pytest.raises(TypeError, match="a.local.*a.at"):
        a[0] = 1
