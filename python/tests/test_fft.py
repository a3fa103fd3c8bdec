"""weft.fft against scipy.fft on the gathered array: random shapes, axes, norms, layouts and
dtypes."""

import inspect

import numpy as np
import pytest
import scipy.fft
import weft
from conftest import close, comm, random_layout, random_whole
from mpi4py import MPI

COMPLEX = {"fft", "ifft", "irfft", "hfft"}
FOURIER = ["fft", "ifft", "rfft", "irfft", "hfft", "ihfft"]
WALLS = ["dct", "idct", "dst", "idst"]
NORMS = [None, "backward", "ortho", "forward"]


def random_case(rng, is_complex):
    shape = tuple(int(n) for n in rng.integers(2, 12, int(rng.integers(1, 5))))
    dtype = ["f4", "f8", "c8", "c16"][
        int(rng.integers(2)) + 2 * (is_complex and rng.random() < 0.7)
    ]
    whole = random_whole(rng, shape, dtype)
    return whole, weft.from_global(whole, layout=random_layout(rng, shape))


def expected_of(name, whole, *arguments, **settings):
    """SciPy's result. Real and imaginary parts are transformed alone where SciPy 1.17 forgets
    `orthogonalize` of complex numbers."""
    function = getattr(scipy.fft, name)
    if name in WALLS and whole.dtype.kind == "c":
        return function(whole.real, *arguments, **settings) + 1j * function(
            whole.imag, *arguments, **settings
        )
    return function(whole, *arguments, **settings)


def check(name, whole, array, *arguments, **settings):
    expected = expected_of(name, whole, *arguments, **settings)
    result = getattr(weft.fft, name)(array, *arguments, **settings)
    assert result.dtype == expected.dtype
    assert close(result.gather(None), expected, expected.dtype)
    return result


@pytest.mark.parametrize("name", FOURIER)
def test_along_one_axis(name, rng):
    for _ in range(4):
        whole, array = random_case(rng, name in COMPLEX)
        axis = int(rng.integers(-whole.ndim, whole.ndim))
        n = int(rng.integers(2, 14)) if rng.random() < 0.5 else None
        check(name, whole, array, n, axis, NORMS[int(rng.integers(4))])


@pytest.mark.parametrize("name", FOURIER)
def test_along_several_axes(name, rng):
    for _ in range(4):
        whole, array = random_case(rng, name in COMPLEX)
        axes = [int(a) for a in rng.permutation(whole.ndim)[: int(rng.integers(1, whole.ndim + 1))]]
        s = [int(n) for n in rng.integers(2, 14, len(axes))] if rng.random() < 0.4 else None
        check(f"{name}n", whole, array, s, axes, NORMS[int(rng.integers(4))])
        check(f"{name}n", whole, array)


@pytest.mark.parametrize("name", FOURIER)
def test_along_two_axes(name, rng):
    whole = random_whole(rng, (5, 6, 7), "c16" if name in COMPLEX else "f8")
    check(f"{name}2", whole, weft.from_global(whole))


@pytest.mark.parametrize("name", WALLS)
def test_between_walls(name, rng):
    for kind in (1, 2, 3, 4):
        whole, array = random_case(rng, True)
        axis = int(rng.integers(whole.ndim))
        norm = NORMS[int(rng.integers(4))]
        check(name, whole, array, type=kind, axis=axis, norm=norm)
        check(
            name,
            whole,
            array,
            type=kind,
            n=9,
            axis=axis,
            norm=norm,
            orthogonalize=bool(rng.integers(2)),
        )
        check(f"{name}n", whole, array, type=kind, norm=norm)


def test_odd_lengths_come_back(rng):
    for shape in ((6, 7), (5, 4, 9)):
        u = weft.from_global(random_whole(rng, shape, "f8"))
        assert float(abs(weft.irfftn(weft.rfftn(u)) - u).max()) < 1e-13
        spectrum = weft.rfftn(u)
        elsewhere = spectrum.redistribute(random_layout(rng, spectrum.shape))
        assert close(weft.irfftn(elsewhere).gather(None), u.gather(None), "f8")


def test_way_back_uses_the_same_plan(rng):
    u = weft.from_global(random_whole(rng, (8, 9, 10), "f8"))
    back = weft.irfftn(2 * weft.rfftn(u, norm="ortho"), norm="ortho")
    assert back.layout == u.layout and float(abs(back - 2 * u).max()) < 1e-13


def test_shifts(rng):
    for _ in range(5):
        whole, array = random_case(rng, True)
        axes = int(rng.integers(whole.ndim))
        for name in ("fftshift", "ifftshift"):
            check(name, whole, array)
            check(name, whole, array, axes)


def test_helpers():
    for target in (1, 2, 7, 13, 97, 1021, 4097):
        for real in (False, True):
            assert weft.fft.next_fast_len(target, real) == scipy.fft.next_fast_len(target, real)
            assert weft.fft.prev_fast_len(target, real) == scipy.fft.prev_fast_len(target, real)
    assert np.array_equal(weft.fft.fftfreq(9, 0.1), scipy.fft.fftfreq(9, 0.1))
    with weft.fft.set_workers(2):
        assert weft.fft.get_workers() == 2
    assert weft.fft.get_workers() == 1


def test_workers_are_threads(rng):
    whole = random_whole(rng, (8, 8), "c16")
    check("fftn", whole, weft.from_global(whole), workers=2)


def test_communicators_take_their_plans_along():
    """MPICH has 2048 communicators."""
    for _ in range(1500):
        own = MPI.COMM_SELF.Dup()
        weft.fftn(weft.ones((4, 4), comm=own))
        own.Free()


def test_all_names_of_scipy_are_there():
    missing = [name for name in scipy.fft.__all__ if not hasattr(weft.fft, name)]
    # Backends are SciPy's own affair, and fast Hankel transforms are none of a grid.
    assert set(missing) <= {
        "fht",
        "ifht",
        "fhtoffset",
        "set_backend",
        "skip_backend",
        "set_global_backend",
        "register_backend",
    }
    for name in ("fft", "rfft2", "irfftn", "dct", "idstn"):
        own = list(inspect.signature(getattr(weft.fft, name)).parameters)
        theirs = list(inspect.signature(getattr(scipy.fft, name)).parameters)
        assert [p for p in own if p in theirs] == [p for p in theirs if p in own]
        assert set(theirs) <= set(own)


def test_numpy_and_scipy_take_weft_arrays(rng):
    whole = random_whole(rng, (6, 5, 4), "c16")
    array = weft.from_global(whole)
    assert close(np.fft.fftn(array).gather(None), np.fft.fftn(whole), "c16")
    with scipy.fft.set_backend(weft.scipy_backend):
        assert close(
            scipy.fft.fftn(array, norm="ortho").gather(None),
            scipy.fft.fftn(whole, norm="ortho"),
            "c16",
        )
        assert isinstance(scipy.fft.fftn(whole), np.ndarray)


@pytest.mark.parametrize(
    "call",
    [
        lambda a: weft.fft.fft(np.zeros(3)),
        lambda a: weft.fft.fft(a, axis=5),
        lambda a: weft.fft.fftn(a, (3, 3, 3)),
        lambda a: weft.fft.rfft(a * 1j),
        lambda a: weft.fft.fft(a, norm="other"),
        lambda a: weft.fft.fft(a, norm=0),
        lambda a: weft.fft.fft(a, norm=""),
        lambda a: weft.fft.fftn(a, axes=(0, 0)),
        lambda a: weft.fft.dct(a, type=5),
        lambda a: weft.fft.fft(a, workers=0),
        lambda a: weft.fft.fft(a, n=0),
        lambda a: weft.fft.fft(a.astype("g")),
    ],
)
def test_mistakes(call):
    with pytest.raises(weft.Error):
        call(weft.zeros((4, 6)))
    comm.Barrier()


@pytest.mark.parametrize("dtype", ["?", "i1", "u2", "i4", "i8", "f2"])
def test_precision_of_numbers_that_weft_does_not_transform(dtype):
    """As in SciPy: double for whole numbers and booleans, single for half precision."""
    whole = (np.arange(24).reshape(4, 6) % 7).astype(dtype)
    result = weft.fft.fftn(weft.from_global(whole))
    expected = scipy.fft.fftn(whole)
    assert result.dtype == expected.dtype
    assert close(result.gather(None), expected, "c8" if dtype == "f2" else "c16")
