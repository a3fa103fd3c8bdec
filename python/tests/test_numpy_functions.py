"""NumPy's functions of a weft.Array against the same functions of the whole array."""

import warnings

import numpy as np
import pytest
import weft
from conftest import comm, everywhere, must_raise, random_layout, random_whole
from mpi4py import MPI


def random_of_any_type(rng, shape, dtype):
    """Few different values, so that there are ties."""
    if np.dtype(dtype).kind in "fc":
        return np.round(random_whole(rng, shape, dtype), 1)
    return rng.integers(0, 7, shape).astype(dtype)


@pytest.fixture(params=["f4", "f8", "c8", "c16", "i8", "u1", "?"])
def pair(request, rng):
    shape = tuple(int(n) for n in rng.integers(1, 8, int(rng.integers(1, 4))))
    whole = random_of_any_type(rng, shape, request.param)
    return whole, weft.from_global(whole, layout=random_layout(rng, shape))


def agrees(own, expected):
    """Whether a result has the expected values and type; a distributed one is gathered first."""
    if isinstance(expected, np.ndarray) and isinstance(own, weft.Array):
        assert own.shape == expected.shape and own.local.shape == own.box.shape
        own = own.gather(None)
    own, expected = np.asarray(own), np.asarray(expected)
    assert own.dtype == expected.dtype and own.shape == expected.shape
    single = own.dtype.char in "efF"
    return np.allclose(
        own,
        expected,
        rtol=1e-4 if single else 1e-10,
        atol=1e-5 if single else 1e-12,
        equal_nan=True,
    )


ELEMENTWISE = {
    "zeros_like": lambda np, a, b: np.zeros_like(a),
    "ones_like": lambda np, a, b: np.ones_like(a, dtype="f4"),
    "empty_like": lambda np, a, b: 0 * np.empty_like(a.real, dtype="i4"),
    "full_like": lambda np, a, b: np.full_like(a, 1),
    "where": lambda np, a, b: np.where(abs(a) > abs(b), a, 0),
    "where of two": lambda np, a, b: np.where(abs(a) > 1, 0 * a, b),
    "clip": lambda np, a, b: np.clip(abs(a), 1, 2),
    "clip by arrays": lambda np, a, b: np.clip(abs(a), None, abs(b)),
    "round": lambda np, a, b: np.round(a * 1.2345, 2),
    "around": lambda np, a, b: np.around(a * 1.2345, decimals=1),
    "angle": lambda np, a, b: np.angle(a * 1.0, deg=True),
    "real": lambda np, a, b: np.real(a),
    "imag": lambda np, a, b: np.imag(a),
    "conj": lambda np, a, b: np.conj(a * 1.0),
    "copy": lambda np, a, b: np.copy(a),
    "nan_to_num": lambda np, a, b: np.nan_to_num(np.sqrt(-abs(a * 1.0)), nan=3.0),
    "isclose": lambda np, a, b: np.isclose(a, b, atol=0.5),
    "isreal": lambda np, a, b: np.isreal(a),
    "sinc": lambda np, a, b: np.sinc(a * 1.0),
    "real_if_close": lambda np, a, b: np.real_if_close(a + 0j),
}


@pytest.mark.parametrize("name", ELEMENTWISE)
def test_of_elements(pair, name, rng):
    whole, a = pair
    other = random_of_any_type(rng, whole.shape, whole.dtype)
    b = weft.from_global(other, layout=a.layout)
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        function = ELEMENTWISE[name]
        result = function(np, a, b)
        assert result.layout == a.layout and agrees(result, function(np, whole, other))


def test_out_and_memory(pair):
    whole, a = pair
    out = np.zeros_like(a)
    assert np.clip(a, a, a, out=out) is out and np.array_equal(out, a)
    copied = np.copy(a)
    copied.local[...] = 0
    assert np.array_equal(a.gather(None), whole)
    shape = (2 * comm.size, 6)
    padded = weft.ones(shape, layout=weft.Layout.slabs(shape, comm.size).padded([0, 2]))
    assert np.zeros_like(padded).local.strides == padded.local.strides


SCALARS = {
    "shape": lambda np, a, b: np.shape(a),
    "size": lambda np, a, b: (np.size(a), np.size(a, -1)),
    "ndim": lambda np, a, b: np.ndim(a),
    "iscomplexobj": lambda np, a, b: (np.iscomplexobj(a), np.isrealobj(a)),
    "result_type": lambda np, a, b: np.result_type(a, np.float32) == np.result_type(b, np.float32),
    "allclose": lambda np, a, b: np.allclose(a, b),
    "allclose to itself": lambda np, a, b: np.allclose(a, a + 1e-12, equal_nan=True),
    "array_equal": lambda np, a, b: (np.array_equal(a, b), np.array_equal(a, a.copy())),
    "count_nonzero": lambda np, a, b: np.count_nonzero(a),
    "vdot": lambda np, a, b: np.vdot(a * 1.0, b * 1.0),
    "norm": lambda np, a, b: np.linalg.norm(a * 1.0),
    "norm along an axis": lambda np, a, b: np.linalg.norm(a * 1.0, 1, axis=-1, keepdims=True),
    "any": lambda np, a, b: (np.any(a), np.all(a)),
}


@pytest.mark.parametrize("name", SCALARS)
def test_of_whole_arrays(pair, name, rng):
    whole, a = pair
    other = random_of_any_type(rng, whole.shape, whole.dtype)
    own = SCALARS[name](np, a, weft.from_global(other, layout=a.layout))
    assert everywhere(np.allclose(own, SCALARS[name](np, whole, other), rtol=1e-4))


def test_comparisons_of_one_element(pair):
    _, a = pair
    b = a.copy()
    if comm.rank == comm.allreduce(comm.rank if a.local.size else 0, MPI.MAX):
        b.local[(-1,) * a.ndim] = b.local[(-1,) * a.ndim] == 0
    assert not np.array_equal(a, b) and not np.allclose(a, b)
    assert np.array_equal(a, a) and not np.array_equal(a, weft.zeros((9, 9, 9, 9)))


@pytest.mark.parametrize("ord", [None, 0, 1, 2, 3.5, np.inf, -np.inf, "fro", "nuc"])
def test_norms(pair, ord):
    whole, a = pair
    try:
        expected = np.linalg.norm(whole, ord)
    except ValueError:
        expected = None
    if expected is None or (whole.ndim == 2 and ord not in (None, "fro")):  # that of a matrix
        with pytest.raises(ValueError, match="valid are None"):
            np.linalg.norm(a, ord)
    else:
        assert np.isclose(np.linalg.norm(a, ord), expected, rtol=1e-4)
    if hasattr(np.linalg, "vector_norm") and not isinstance(ord, (str, type(None))):
        expected = np.linalg.vector_norm(whole, ord=ord)
        assert np.isclose(np.linalg.vector_norm(a, ord=ord), expected, rtol=1e-4)


@pytest.mark.parametrize("dtype", ["u1", "u2", "u4", "u8", "i1", "i8"])
def test_extremes_of_integers(rng, dtype):
    """Over the whole range, where signed and unsigned numbers differ; some ranks hold nothing."""
    limits = np.iinfo(dtype)
    whole = rng.integers(limits.min, limits.max, (2, 3), dtype, endpoint=True)
    a = weft.from_global(whole, layout=random_layout(rng, whole.shape))
    for function in (np.min, np.max, np.argmin, np.argmax):
        for axis in (None, 0, 1):
            assert agrees(function(a, axis), function(whole, axis))


def test_places_of_extremes(pair):
    whole, a = pair
    if whole.dtype.kind == "c":
        with pytest.raises(weft.Error, match="order"):
            np.argmax(a)
        return
    for function in (np.argmax, np.argmin):
        for axis in (None, *range(-whole.ndim, whole.ndim)):
            assert agrees(function(a, axis), function(whole, axis))
            assert agrees(
                function(a, axis=axis, keepdims=True), function(whole, axis, keepdims=True)
            )
    if whole.dtype.kind == "f":
        whole[tuple(n // 2 for n in whole.shape)] = np.nan
        a = weft.from_global(whole, layout=a.layout)
        assert a.argmax() == whole.argmax() and agrees(a.argmin(0), whole.argmin(0))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            for name in ("nanmax", "nanmin", "nansum", "nanprod", "nanmean", "nanvar", "nanstd"):
                function = getattr(np, name)
                for axis in (None, 0, -1):
                    assert agrees(function(a, axis), function(whole, axis)), name
                assert agrees(function(a, keepdims=True), function(whole, keepdims=True))


def test_roll(pair, rng):
    whole, a = pair
    axes = [int(rng.integers(-whole.ndim, whole.ndim)) for _ in range(3)]
    for shift, axis in ((2, 0), (-9, -1), ((1, 2, -4), axes), (3, (0, -1)), (1, None), (-25, None)):
        axis = tuple(axis) if isinstance(axis, list) else axis
        assert agrees(np.roll(a, shift, axis), np.roll(whole, shift, axis)), (shift, axis)
    for axis in (None, 0):
        assert agrees(np.fft.fftshift(a, axis), np.fft.fftshift(whole, axis))
        assert agrees(np.fft.ifftshift(a, axis), np.fft.ifftshift(whole, axis))


def test_mistakes():
    a = weft.ones((6, 4 * comm.size), layout=weft.Layout.slabs((6, 4 * comm.size), comm.size, 0))
    b = a.redistribute(weft.Layout.slabs(a.shape, comm.size, 1))
    for name in ("median", "sort", "cumsum", "ravel", "diff", "unique"):
        with pytest.raises(TypeError, match="gather"):
            getattr(np, name)(a)
    must_raise(TypeError, "gather", lambda: np.percentile(a, 50), lambda: np.append(a, a))
    with pytest.raises(TypeError, match="condition alone"):
        np.where(a > 0)
    with pytest.raises(weft.Error, match="shape"):
        np.zeros_like(a, shape=(3, 3))
    with pytest.raises(weft.Error, match="axis"):
        np.roll(a, 1, 2)
    masked = np.ma.masked_array(np.ones(4 * comm.size), mask=False)
    for function in (np.allclose, np.array_equal, np.isclose, np.fmax):
        with pytest.raises(weft.Error, match="mask"):
            function(a, masked)
        if comm.size > 1:
            with pytest.raises(weft.Error, match="redistribute"):
                function(a, b)
    if comm.size > 1:  # a mistake of one rank only
        with pytest.raises(weft.Error, match="broadcasts"):
            np.allclose(a, np.ones((5, 1) if comm.rank == 1 else 1))
        with pytest.raises(weft.Error, match="broadcasts"):
            a.sum(where=np.ones((5, 1) if comm.rank == 1 else 1, bool))
