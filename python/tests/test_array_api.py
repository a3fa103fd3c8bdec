"""The array API standard: programs written for it give NumPy's results, every name that NumPy has
gives NumPy's result, and the names of the standard that are left out are known."""

import math

import numpy as np
import pytest
import weft
from conftest import close, comm, must_raise, random_layout, random_whole

if not hasattr(np, "unstack"):
    pytest.skip("NumPy follows the standard since 2.1", allow_module_level=True)

xp = weft.zeros(1).__array_namespace__()
SHAPE = (6, 5, 4)

# The standard's elementwise functions, and on which numbers they are tried.
OF_REAL = """abs acos acosh add asin asinh atan atan2 atanh ceil copysign cos cosh divide equal exp
    expm1 floor floor_divide greater greater_equal hypot isfinite isinf isnan less less_equal log log1p
    log2 log10 logaddexp maximum minimum multiply negative nextafter not_equal positive pow reciprocal
    remainder round sign signbit sin sinh sqrt square subtract tan tanh trunc"""
OF_COMPLEX = """abs acos acosh add asin asinh atan atanh conj cos cosh divide equal exp expm1 imag
    isfinite isinf isnan log log1p log2 log10 multiply negative not_equal positive pow real reciprocal
    round sign sin sinh sqrt square subtract tan tanh"""
OF_BITS = """bitwise_and bitwise_invert bitwise_left_shift bitwise_or bitwise_right_shift bitwise_xor
    logical_and logical_not logical_or logical_xor"""
OF_TWO = """add atan2 bitwise_and bitwise_left_shift bitwise_or bitwise_right_shift bitwise_xor copysign
    divide equal floor_divide greater greater_equal hypot less less_equal logaddexp logical_and
    logical_or logical_xor maximum minimum multiply nextafter not_equal pow remainder subtract"""
REDUCTIONS = "all any argmax argmin count_nonzero max mean min prod std sum var"
OF_AXES = {
    "concat": lambda f, x: f([x, 2 * x[1:4], x[:2]], axis=0),
    "clip": lambda f, x: f(x, -0.5, 0.5),
    "expand_dims": lambda f, x: f(x, axis=1),
    "flip": lambda f, x: f(x, axis=(0, 2)),
    "matrix_transpose": lambda f, x: f(x),
    "moveaxis": lambda f, x: f(x, 0, 2),
    "permute_dims": lambda f, x: f(x, (1, 2, 0)),
    "roll": lambda f, x: f(x, (1, 2), axis=(0, 2)),
    "squeeze": lambda f, x: f(x[:, :1], 1),
    "stack": lambda f, x: f([x, x], axis=1),
    "tril": lambda f, x: f(x, k=1),
    "triu": lambda f, x: f(x, k=-1),
    "unstack": lambda f, x: f(x, axis=1)[2],
    "where": lambda f, x: f(x > 0, x, -x),
    "empty_like": lambda f, x: 0 * f(x, dtype=np.int8),
    "full_like": lambda f, x: f(x, 3),
    "ones_like": lambda f, x: f(x, dtype=np.float32),
    "zeros_like": lambda f, x: f(x),
    "result_type": lambda f, x: np.zeros(1, f(x, np.complex64)),
    "isdtype": lambda f, x: np.array(f(x.dtype, "real floating")),
}
CONSTANTS = """e inf nan newaxis pi bool complex64 complex128 float32 float64 int8 int16 int32 int64
    uint8 uint16 uint32 uint64"""
OWN = """arange asarray astype can_cast empty eye fft finfo full iinfo linalg linspace meshgrid ones
    vecdot zeros VERSIONS creation information"""


def whole_of(array):
    return array.gather(None) if isinstance(array, weft.Array) else array


def agrees(made, expected):
    made, expected = np.asarray(whole_of(made)), np.asarray(expected)
    return (
        made.dtype == expected.dtype
        and made.shape == expected.shape
        and np.allclose(made, expected, rtol=1e-12, atol=0, equal_nan=True)
    )


def given(rng, kind):
    """Two whole arrays, and distributed ones of the same elements and layout."""
    if kind == "bits":
        wholes = [rng.integers(0, 8, SHAPE) for _ in range(2)]
    else:
        wholes = [random_whole(rng, SHAPE, "c16" if kind == "complex" else "f8") for _ in range(2)]
    layout = random_layout(rng, SHAPE)
    return wholes, [weft.from_global(whole, layout=layout) for whole in wholes]


@pytest.mark.parametrize(
    "kind, names", [("real", OF_REAL), ("complex", OF_COMPLEX), ("bits", OF_BITS)]
)
def test_elementwise(kind, names, rng):
    wholes, arrays = given(rng, kind)
    with np.errstate(all="ignore"):
        for name in names.split():
            count = 2 if name in OF_TWO.split() else 1
            made = getattr(xp, name)(*arrays[:count])
            assert isinstance(made, weft.Array)
            assert agrees(made, getattr(np, name)(*wholes[:count])), name


@pytest.mark.parametrize("name", REDUCTIONS.split())
def test_reductions(name, rng):
    (whole, _), (array, _) = given(rng, "real")
    function, expected = getattr(xp, name), getattr(np, name)
    several = [] if name in ("argmax", "argmin") else [(0, 2)]
    for axis in [None, 0, -1, *several]:
        for keepdims in (False, True):
            assert agrees(
                function(array, axis=axis, keepdims=keepdims),
                expected(whole, axis=axis, keepdims=keepdims),
            )
    if name in ("std", "var"):
        assert agrees(function(array, axis=1, correction=1.0), expected(whole, axis=1, ddof=1))


@pytest.mark.parametrize("name", OF_AXES)
def test_others(name, rng):
    (whole, _), (array, _) = given(rng, "real")
    apply = OF_AXES[name]
    assert agrees(apply(getattr(xp, name), array), apply(getattr(np, name), whole))


def test_every_name_is_tried():
    tried = [OF_REAL, OF_COMPLEX, OF_BITS, REDUCTIONS, " ".join(OF_AXES), CONSTANTS, OWN]
    public = {name for name in vars(xp) if not name.startswith("_")}
    assert public == {name for names in tried for name in names.split()}
    for name in CONSTANTS.split():
        own, expected = getattr(xp, name), getattr(np, name)
        assert own is expected or own == expected
    for name in xp._NEED_ALL_ELEMENTS:
        assert not hasattr(xp, name)
        must_raise(AttributeError, "gather", lambda: getattr(xp, name))
    must_raise(AttributeError, "no attribute", lambda: xp.sine)
    must_raise(AttributeError, "no name of the standard", lambda: xp.transpose)


def test_creation():
    for function, arguments, settings in (
        ("arange", (7,), {}),
        ("arange", (1.5, 9, 2), {}),
        ("arange", (5, -4, -2), {"dtype": np.float32}),
        ("linspace", (0.1, 1.7, 9), {}),
        ("linspace", (0, 1j, 6), {"endpoint": False}),
        ("linspace", (3, 4, 1), {"dtype": np.float32}),
        ("eye", (5, 7), {"k": -1}),
        ("eye", (4,), {"dtype": np.int8}),
        ("zeros", ((4, 3),), {}),
        ("ones", (9,), {"dtype": np.complex64}),
        ("full", ((4, 3), 7), {}),
        ("asarray", ([[1, 2], [3, 4]],), {"dtype": np.float32}),
        ("asarray", (3.5,), {}),
    ):
        made = getattr(xp, function)(*arguments, **settings)
        assert agrees(made, getattr(np, function)(*arguments, **settings)), (function, arguments)
    for indexing in ("xy", "ij"):
        lines = [np.arange(3.0), np.arange(4), np.arange(2.0)]
        given = [weft.from_global(lines[0]), *lines[1:]]
        made, expected = (
            module.meshgrid(*each, indexing=indexing) for module, each in ((xp, given), (np, lines))
        )
        assert all(map(agrees, made, expected))
    layout = weft.Layout.slabs((4, 5), comm.size, axis=1)
    assert xp.ones((4, 5), layout=layout, comm=comm, device="cpu").layout == layout
    array = xp.empty((2, 3), dtype=xp.float32)
    assert xp.asarray(array) is array and xp.asarray(array, copy=True) is not array
    must_raise(
        weft.Error, "device", lambda: xp.zeros(3, device="cuda"), lambda: array.to_device("cuda")
    )


def test_types():
    a = xp.ones((3, 4), dtype=xp.float32)
    assert a.dtype == xp.float32 and a.device == "cpu" and a.to_device("cpu") is a
    assert xp.astype(a, xp.float32, copy=False) is a and agrees(
        xp.astype(a, xp.int16), np.ones((3, 4), "i2")
    )
    assert xp.finfo(a).eps == np.finfo("f4").eps and xp.iinfo(xp.int8).max == 127
    assert xp.can_cast(a, xp.float64) and not xp.can_cast(a, xp.int64)
    information = xp.__array_namespace_info__()
    assert information.default_dtypes()["real floating"] == xp.float64
    assert information.dtypes(kind="bool") == {"bool": np.dtype(bool)}
    assert not any(
        information.capabilities()[name] for name in ("boolean indexing", "data-dependent shapes")
    )
    assert (
        a.__array_namespace__(api_version="2023.12") is xp and xp.__array_api_version__ == "2024.12"
    )
    must_raise(ValueError, "api_version", lambda: a.__array_namespace__(api_version="2020.01"))
    for convert in (float, int, complex, [1].__getitem__):  # arrays without axes alone are numbers
        with pytest.raises(TypeError):
            convert(a)


def test_linalg(rng):
    for kind in ("real", "complex"):
        (whole, other), (a, b) = given(rng, kind)
        for axis in (-1, 0):
            assert agrees(xp.vecdot(a, b, axis=axis), np.vecdot(whole, other, axis=axis))
            for order in (1, 2, 3, math.inf):
                settings = {"axis": axis, "ord": order, "keepdims": True}
                assert agrees(
                    xp.linalg.vector_norm(a, **settings), np.linalg.vector_norm(whole, **settings)
                )
        assert agrees(xp.linalg.matrix_transpose(a), whole.mT)


@pytest.mark.parametrize("name", "fft ifft fftn ifftn rfft irfft rfftn irfftn hfft ihfft".split())
def test_fft(name, rng):
    is_real = name in ("rfft", "rfftn", "ihfft")
    whole = random_whole(rng, SHAPE, "f8" if is_real else "c16")
    for norm in ("backward", "ortho", "forward"):
        made = getattr(xp.fft, name)(weft.from_global(whole), norm=norm)
        assert close(whole_of(made), getattr(np.fft, name)(whole, norm=norm), "f8")
    assert np.array_equal(xp.fft.fftfreq(5, d=0.1), np.fft.fftfreq(5, d=0.1))


# ---- Programs -----------------------------------------------------------------------------------


def energies(u, length):
    """The energy of the fluctuations of a field by row, from its values and from its spectrum."""
    xp = u.__array_namespace__()
    fluctuation = u - xp.mean(u, axis=(0, 1), keepdims=True)
    spectrum = xp.fft.fftn(xp.astype(fluctuation, xp.complex128), axes=(0, 1), norm="forward")
    k = 2 * xp.pi / length * xp.fft.fftfreq(u.shape[1], d=1 / u.shape[1])
    low = xp.where(xp.abs(k) < 3, spectrum, xp.zeros_like(spectrum))
    shares = xp.sum(xp.real(low * xp.conj(low)), axis=(0, 1))
    return xp.mean(xp.square(fluctuation), axis=(0, 1)), shares, xp.linalg.vector_norm(u)


def relaxed(u, steps):
    """Jacobi's iteration for Laplace's equation, and the largest change of its last step."""
    xp = u.__array_namespace__()
    change = u
    for _ in range(steps):
        new = sum(xp.roll(u, shift, axis=axis) for axis in (0, 1) for shift in (-1, 1)) / 4
        change, u = xp.max(xp.abs(new - u)), new
    return u[1:-1, ::2], change


def test_program_of_spectra(rng):
    whole = random_whole(rng, (8, 8), "f8")
    expected = energies(whole, 1.5)
    square = weft.Layout.slabs((8, 8), comm.size)
    made = energies(weft.from_global(whole, layout=square), 1.5)
    assert all(np.allclose(own, other) for own, other in zip(made, expected))


def test_program_of_slices(rng):
    whole = random_whole(rng, (8, 7), "f8")
    (made, change), (expected, expected_change) = (
        relaxed(weft.from_global(whole), 9),
        relaxed(whole, 9),
    )
    assert np.allclose(whole_of(made), expected) and np.isclose(change, expected_change)


def test_array_api_compat():
    compat = pytest.importorskip("array_api_compat")
    a = weft.ones((4, 6))
    assert compat.array_namespace(a, 2 * a) is xp and compat.is_array_api_obj(a)
    assert not compat.is_numpy_array(a) and compat.device(a) == "cpu" and compat.size(a) == 24
    assert compat.to_device(a, "cpu") is a
