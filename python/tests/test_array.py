"""weft.Array against NumPy on the whole array."""

import warnings

import numpy as np
import pytest
import weft
from conftest import close, comm, everywhere, must_raise, random_layout, random_whole


@pytest.fixture
def pair(rng):
    shape = tuple(int(n) for n in rng.integers(2, 9, int(rng.integers(1, 4))))
    whole = random_whole(rng, shape, ["f4", "f8", "c8", "c16"][int(rng.integers(4))])
    return whole, weft.from_global(whole, layout=random_layout(rng, shape))


def test_it_knows_where_it_is(pair):
    whole, a = pair
    assert (
        a.shape == whole.shape
        and a.size == whole.size
        and a.ndim == whole.ndim
        and a.dtype == whole.dtype
    )
    assert everywhere(np.array_equal(a.local, whole[a.slices]))
    assert sum(comm.allgather(a.box.size)) == whole.size
    assert np.array_equal(a.gather(None), whole)
    on_root = a.gather(comm.size - 1)
    assert (on_root is None) == (comm.rank < comm.size - 1)


def test_creation(rng):
    assert weft.zeros((3, 4)).sum() == 0 and weft.ones((3, 4), "c8").dtype == "c8"
    assert weft.full((3, 4), 2.5).sum() == 30 and weft.empty((3,)).shape == (3,)
    u = weft.from_function(lambda i, j: 10 * i + j, (4, 5))
    assert np.array_equal(u.gather(None), 10 * np.arange(4)[:, None] + np.arange(5))
    local = np.full((comm.rank + 1, 2), float(comm.rank))
    u = weft.from_local(local)
    assert u.shape == (comm.size * (comm.size + 1) // 2, 2) and u.local is local
    u = weft.from_local(
        local[:1], box=weft.Box([comm.rank, 0], [comm.rank + 1, 2]), shape=(comm.size, 2)
    )
    assert np.array_equal(u.gather(None)[:, 0], np.arange(comm.size))
    with pytest.raises(weft.Error, match="shape"):
        weft.from_local(local, weft.Layout.slabs((comm.size, 7), comm.size))


def test_elementwise(pair):
    whole, a = pair
    for name, own, expected in (
        ("sum", a + 2 * a, whole + 2 * whole),
        ("exp", np.exp(a), np.exp(whole)),
        ("abs", abs(a), abs(whole)),
        ("conj", a.conj(), whole.conj()),
        ("real", a.real, whole.real),
        ("less", abs(a) < 1, abs(whole) < 1),
        (
            "index",
            a * a.indices()[0],
            whole * np.arange(len(whole)).reshape([-1] + [1] * (whole.ndim - 1)),
        ),
    ):
        assert own.layout == a.layout and np.allclose(own.gather(None), expected, rtol=1e-5), name
    b = a.copy()
    b += a
    b *= 0.5
    assert np.allclose(b.gather(None), whole) and np.array_equal(a.gather(None), whole)


def test_elementwise_mistakes(rng):
    shape = (6, 4 * comm.size)
    a = weft.ones(shape, layout=weft.Layout.slabs(shape, comm.size, 0))
    b = weft.ones(shape, layout=weft.Layout.slabs(shape, comm.size, 1))
    if comm.size > 1:
        with pytest.raises(weft.Error, match="redistribute"):
            a + b
        with pytest.raises(weft.Error, match="gather"):
            np.asarray(a)
        with pytest.raises(weft.Error, match="broadcasts"):
            a + np.ones((5, shape[1]))
    assert (a + b.redistribute(a.layout)).sum() == 2 * a.size


def test_what_numpy_calls_ambiguous():
    """Truth values, also where `if`, `in`, `index` and chained comparisons ask for them."""
    a, b = (weft.full((4, 4), value) for value in (1.0, 2.0))
    must_raise(
        ValueError,
        "ambiguous",
        lambda: bool(a),
        lambda: not weft.zeros((4, 4)),
        lambda: "equal" if a == b else "different",
        lambda: b in [a],
        lambda: [a, b].index(b),
        lambda: (0 < a < 3).sum(),
    )
    assert (a == a).all() and not (a == b).any()


def test_functions_along_axes_are_refused():
    a = weft.ones((4, 4))
    must_raise(
        TypeError,
        "along axes",
        lambda: a @ np.ones(4),
        lambda: np.ones((4, 4)) @ a,
        lambda: a @ a,
        lambda: np.matmul(a, a),
        *([lambda: np.vecdot(a, a)] if hasattr(np, "vecdot") else []),
    )


def test_other_ranks_do_not_combine():
    a = weft.ones((4, 4))
    turned = comm.Split(0, -comm.rank)
    same = comm.Dup()
    b, c = (weft.ones((4, 4), comm=one) for one in (turned, same))
    assert (a + c).sum() == 32
    if comm.size > 1:
        must_raise(
            weft.Error, "order", lambda: a + b, lambda: a.vdot(b), lambda: np.add(a, a, out=b)
        )
    for one in (turned, same):
        one.Free()


def test_masks_are_refused():
    masked = np.ma.masked_array(np.ones((4, 4)), mask=np.eye(4))
    a = weft.ones((4, 4))
    must_raise(
        weft.Error,
        "mask",
        lambda: weft.from_global(masked),
        lambda: weft.from_local(masked),
        lambda: a + masked[:1],
    )


def test_reductions(pair):
    whole, a = pair
    tolerance = {"rtol": 1e-4, "atol": 1e-5}
    for axis in (None, 0, -1, tuple(range(whole.ndim))):
        for name in ("sum", "prod", "mean", "var", "std", "any", "all"):
            assert np.allclose(getattr(a, name)(axis), getattr(whole, name)(axis), **tolerance), (
                name,
                axis,
            )
        for name in ("max", "min"):
            assert np.allclose(getattr(abs(a), name)(axis), getattr(abs(whole), name)(axis))
    assert np.allclose(a.vdot(2 * a), np.vdot(whole, 2 * whole), **tolerance)
    assert np.allclose(np.sum(a), whole.sum(), **tolerance)
    assert np.isclose(a.mean_square(), np.mean(np.abs(whole) ** 2), rtol=1e-5)


@pytest.mark.parametrize("name", ["sum", "prod", "mean", "var", "std", "max", "min", "any", "all"])
def test_settings_of_reductions(name, rng):
    """Each setting alone and together with others, as in NumPy; the type of the result, too."""
    dtype = ["f4", "f8", "c8", "c16", "i4", "u1", "?"][int(rng.integers(7))]
    shape = tuple(int(n) for n in rng.integers(1, 7, int(rng.integers(1, 4))))
    # For normal x the geometric mean of |2 x| is 1.06: no product of 216 numbers overflows "c8".
    whole = (2 * random_whole(rng, shape, "f8")).astype(dtype)
    counted = rng.random(shape) < 0.7
    counted[0] = True
    layout = random_layout(rng, shape)
    a, mask = (weft.from_global(one, layout=layout) for one in (whole, counted))
    if dtype[0] == "c" and name in ("max", "min"):
        return
    choices = {
        "axis": [None, 0, -1, tuple(range(len(shape))), (-1,)],
        "keepdims": [False, True],
        "where": [True, mask],
    }
    if name in ("sum", "prod", "mean", "var", "std"):
        choices["dtype"] = [None, "c16" if dtype[0] == "c" else "f8"]
    if name in ("sum", "prod", "max", "min"):
        choices["initial"] = [1, 2] if name[0] == "m" else [0, 1, 2]
    if name in ("var", "std"):
        choices["ddof"] = [0, 1, 0.5]
    for _ in range(12):
        settings = {key: values[int(rng.integers(len(values)))] for key, values in choices.items()}
        for key in ("where", "initial"):
            if name[0] != "m" and rng.integers(2):
                settings.pop(key, None)
        expected = {**settings, **({"where": counted} if settings.get("where") is mask else {})}
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            right = getattr(whole, name)(**expected)
            for own in (getattr(a, name)(**settings), getattr(np, name)(a, **settings)):
                assert np.asarray(own).dtype == np.asarray(right).dtype, (dtype, settings)
                assert np.shape(own) == np.shape(right), settings
                assert np.allclose(own, right, 1e-4, 1e-4, equal_nan=True), settings


def test_settings_that_reductions_refuse(pair):
    _, a = pair
    must_raise(
        TypeError,
        ".",
        lambda: np.sum(a, out=np.zeros(())),
        lambda: a.mean(0, None, np.zeros(())),
        lambda: a.var(mean=0.0),
        lambda: a.sum(axis=0.5),
        lambda: a.max(overwrite=True),
    )
    must_raise(
        ValueError,
        ".",
        lambda: a.sum(a.ndim),
        lambda: a.sum((0, 0)),
        lambda: abs(a).max(where=abs(a) > 1),
        lambda: a.sum(where=a),
        lambda: a.argmax(3),
    )


def test_extremes_of_numbers_that_are_none():
    a = weft.zeros((comm.size, 3))
    if comm.rank == 0:
        a.local[0, 0] = np.nan
    assert np.isnan(a.max()) and np.isnan(a.min(0)[0]) and a.max(0)[1] == 0
    assert weft.full((3, 3), -5, "i4").max() == -5


def test_global_indices(pair, rng):
    whole, a = pair
    keys = [
        0,
        -1,
        slice(1, None, 2),
        slice(None, None, -1),
        Ellipsis,
        [1, 0],
        (Ellipsis, 1),
        tuple(int(rng.integers(n)) for n in whole.shape),
    ]
    for key in keys:
        assert np.array_equal(a.at[key], whole[key]), key
    for key in keys:
        a.at[key] = 3
        whole[key] = 3
        assert np.array_equal(a.gather(None), whole), key
    a.at[0] = np.arange(whole[0].size).reshape(whole[0].shape)
    whole[0] = np.arange(whole[0].size).reshape(whole[0].shape)
    assert np.array_equal(a.gather(None), whole)
    for wrong in (100, (0,) * 7, "x"):
        with pytest.raises(weft.Error):
            a.at[wrong]


def test_redistribution(pair, rng):
    whole, a = pair
    for _ in range(3):
        layout = random_layout(rng, whole.shape)
        b = a.redistribute(layout)
        assert b.layout == layout and np.array_equal(b.gather(None), whole)
        out = weft.zeros(whole.shape, whole.dtype, layout=layout)
        assert a.redistribute(layout, out) is out and np.array_equal(out.gather(None), whole)
    with pytest.raises(weft.Error, match="shape"):
        a.redistribute(weft.Layout.slabs((3, 3, 3, 3), comm.size))


@pytest.mark.parametrize("dtype", ["f8", "i4"])
def test_parts_that_lie_in_memory_in_other_ways(dtype):
    """Backwards, with steps, or as fields of records; and a plan that is kept serves all of them."""
    layout, other = (weft.Layout.slabs((6, 8), comm.size, axis) for axis in (0, 1))
    whole = np.arange(48, dtype=dtype).reshape(6, 8)
    mine = whole[layout.box(comm.rank).slices]
    records = np.zeros(mine.shape, [("a", "i2"), ("b", dtype)])
    records["b"] = mine
    ways = [mine.repeat(2, 1)[:, ::2], mine[:, ::-1].copy()[:, ::-1], records["b"], mine.copy()]
    for local in ways + ways[::-1]:
        a = weft.Array(local, layout, comm)
        b = a.redistribute(other)
        assert np.array_equal(b.gather(None), whole)
        back = weft.Array(np.zeros((mine.shape[0], 16), dtype)[:, ::2], layout, comm)
        assert np.array_equal(b.redistribute(layout, back).gather(None), whole)


@pytest.mark.parametrize("dtype", ["i8", "u4", "i2", "u1", "?", "S5", "M8[s]"])
def test_other_types_in_other_layouts(rng, dtype):
    """Bit for bit, signalling NaNs among them."""
    shape = tuple(int(n) for n in rng.integers(1, 8, int(rng.integers(1, 4))))
    kind = np.dtype(dtype)
    data = rng.integers(0, 2 if dtype == "?" else 256, (*shape, kind.itemsize), np.uint8)
    if dtype == "i8":
        data[..., 6:] = [0xF0, 0x7F]  # as doubles, signalling ones
    whole = data.view(kind)[..., 0]
    a = weft.zeros(shape, dtype, layout=random_layout(rng, shape))
    a.local[...] = whole[a.slices]
    for _ in range(3):
        layout = random_layout(rng, shape)
        if rng.integers(2):
            layout = layout.padded([1] * len(shape))
        out = weft.zeros(shape, dtype, layout=layout) if rng.integers(2) else None
        b = a.redistribute(layout, out)
        assert b.layout == layout and (out is None or b is out)
        assert everywhere(b.local.tobytes() == whole[b.slices].tobytes())
        a = b
    with pytest.raises(weft.Error, match="objects"):
        weft.zeros(shape, object).redistribute(layout)


def test_coordinates_and_wavenumbers():
    n, edge = 12, 3.0
    u = weft.zeros((n, 8))
    x, y = u.coordinates([edge, 1.0])
    u.local[...] = np.sin(2 * np.pi * 2 * x / edge) + 0 * y
    spectrum = weft.rfftn(u)
    kx, ky = spectrum.wavenumbers([edge, 1.0])
    assert kx.shape[1] == ky.shape[0] == 1 and spectrum.local.shape == np.broadcast_shapes(
        kx.shape, ky.shape
    )
    slope = weft.irfftn(1j * kx * spectrum)
    expected = 4 * np.pi / edge * np.cos(4 * np.pi * x / edge) + 0 * y
    assert everywhere(np.allclose(slope.redistribute(u.layout).local, expected))
    assert np.isclose(spectrum.mean_square(), u.mean_square())
    with pytest.raises(weft.Error, match="no plan"):
        u.wavenumbers()
    with pytest.raises(weft.Error, match="lengths"):
        u.coordinates([1.0, -1.0])


@pytest.mark.parametrize("kind", ["dct1", "dct2", "dct3", "dct4", "dst1", "dst2", "dst3", "dst4"])
def test_points_between_walls(kind):
    """The cosine or sine of each wavenumber, at the points of the grid, is one mode."""
    plan = weft.Plan((6,), kind)
    x = plan.make_input().coordinates(2.0)[0]
    wavenumbers = plan.make_output().gather(None)
    k = comm.allreduce(list(plan.make_output().wavenumbers(2.0)[0]))
    for mode in range(1, 5):
        u = plan.make_input()
        u.local[...] = (np.cos if kind.startswith("dct") else np.sin)(k[mode] * x)
        spectrum = np.abs(plan.forward(u).gather(None))
        wavenumbers = spectrum > 1e-12 * spectrum.max()
        assert list(np.nonzero(wavenumbers)[0]) == [mode]


def test_layouts():
    layout = weft.Layout.pencils((8, 9, 10), [comm.size, 1])
    assert layout.shape == (8, 9, 10) and layout.ranks == comm.size and layout.order == (0, 1, 2)
    assert layout.process_grid == (comm.size, 1) and layout.is_local(2) and not layout.has_gaps
    assert layout == weft.Layout.pencils((8, 9, 10), [comm.size, 1])
    assert hash(layout) == hash(weft.Layout.pencils((8, 9, 10), [comm.size, 1]))
    assert layout.box(0).lower == (0, 0, 0) and (7, 8, 9) in layout.every_box()[-1]
    padded = weft.zeros((4, 6), layout=weft.Layout.slabs((4, 6), comm.size).padded([0, 2]))
    assert padded.layout.has_gaps and padded.local.strides[0] == 8 * 8
    padded.local[...] = 1
    assert weft.rfftn(padded).at[0, 0] == 24
    must_raise(
        weft.Error,
        ".",
        lambda: layout.box(comm.size),
        lambda: layout.ordered([0, 0, 1]),
        lambda: weft.Layout.slabs((4,) * 9, 1),
    )


def test_precision_of_redistribution_is_exact():
    a = weft.full((4, 4), np.nan, "c16")
    assert np.all(np.isnan(a.redistribute(weft.Layout.slabs((4, 4), comm.size, 1)).gather(None)))
    assert close(np.zeros(1), np.zeros(1), "f8")
