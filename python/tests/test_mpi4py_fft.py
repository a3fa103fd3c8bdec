"""PFFTs that Weft computes, against mpi4py-fft's own results, where it is installed."""

import functools

import conftest
import numpy as np
import pytest
from conftest import comm, everywhere
from mpi4py import MPI

pytest.importorskip("mpi4py_fft.pencil", reason="mpi4py-fft is not installed")

from mpi4py_fft import PFFT, fftw, mpifft, newDistArray
from mpi4py_fft.pencil import Subcomm
from weft.compat.mpi4py_fft import AcceleratedTransform, accelerate, report

accelerate()


def is_accelerated(fft):
    return isinstance(fft.forward, AcceleratedTransform)


def agree(actual, expected, points):
    """Two results, each within the rounding of an FFT of so many points."""
    return actual.dtype == expected.dtype and conftest.agree(actual, expected, points, 10)


def random_like(rng, array):
    """An array of random numbers, others on each rank."""
    rng = np.random.default_rng([int(rng.integers(2**32)), comm.rank])
    values = rng.standard_normal(array.shape)
    if array.dtype.kind == "c":
        values = values + 1j * rng.standard_normal(array.shape)
    return values.astype(array.dtype)


def check(fft, rng):
    """Both directions and both normalizations, with arrays of the caller's and with `fft`'s own;
    no field has the spectra that backward is given."""
    assert is_accelerated(fft)
    points = np.prod(fft.global_shape())
    u = random_like(rng, fft.forward.input_array)
    for normalize in (True, False):
        truth = mpifft.Transform.__call__(fft.forward, u, normalize=normalize).copy()
        spectrum = np.empty_like(truth)
        assert fft.forward(u, spectrum, normalize=normalize) is spectrum
        assert agree(spectrum, truth, points)
        assert agree(fft.forward(u, normalize=normalize), truth, points)
        spectrum = random_like(rng, spectrum)
        truth = mpifft.Transform.__call__(fft.backward, spectrum, normalize=normalize).copy()
        fft.backward.input_array[...] = spectrum
        assert agree(fft.backward(normalize=normalize), truth, points)
        assert agree(fft.backward(spectrum, np.empty_like(u), normalize=normalize), truth, points)
    fft.destroy()


def random_axes(rng, count):
    """Some axes in any order, the last of them together: not all, since no rank may split these."""
    axes = [int(axis) for axis in rng.permutation(count)[: rng.integers(1, count + 1)]]
    single = int(rng.integers(len(axes) == count, len(axes)))
    return [*((axis,) for axis in axes[:single]), tuple(axes[single:])]


@pytest.mark.parametrize("dtype", ["f", "d", "F", "D"])
@pytest.mark.parametrize("count", [2, 3, 4])
def test_any_axes(dtype, count, rng):
    for _ in range(2):
        shape = [int(length) for length in rng.integers(8, 13, count)]
        check(PFFT(comm, shape, axes=random_axes(rng, count), dtype=dtype, collapse=True), rng)


@pytest.mark.parametrize("family", ["dct", "dst"])
@pytest.mark.parametrize("type", [1, 2, 3, 4])
def test_real_kinds(family, type, rng):
    pair = tuple(
        functools.partial(getattr(fftw, name), type=type) for name in (f"{family}n", f"i{family}n")
    )
    shape = [int(length) for length in rng.integers(8, 12, 4)]
    check(PFFT(comm, shape, axes=((0,), (1,), (2, 3)), transforms={(2, 3): pair}), rng)
    check(PFFT(comm, shape[1:], axes=(1, 2), transforms={(1,): pair, (2,): pair}), rng)


@pytest.mark.parametrize("dtype", ["f", "d", "F", "D"])
def test_padding(dtype, rng):
    for last in (8, 9):
        check(PFFT(comm, [10, 11, last], dtype=dtype, padding=[1.5, 1.5, 1.5]), rng)


def test_grids_and_their_communicators(rng):
    shape = (8, 9, 10)
    grid = MPI.Compute_dims(comm.size, 2)
    check(PFFT(comm, shape, grid=(-1,)), rng)
    check(PFFT(comm, shape, grid=(1, -1), dtype="D"), rng)
    check(PFFT(comm, shape, grid=grid), rng)
    check(PFFT(comm, darray=newDistArray(PFFT(comm, shape), False)), rng)
    check(PFFT(Subcomm(comm.Create_cart([*grid, 1])), shape), rng)
    check(PFFT(comm.Split(0, -comm.rank), shape), rng)
    half = comm.Split(comm.rank % 2, comm.rank)  # ranks 0 and 2 while 1 and 3 do something else
    fft = PFFT(half, shape)
    assert everywhere(is_accelerated(fft) and fft.forward.plan.comm.size == half.size)
    u = random_like(rng, fft.forward.input_array)
    assert everywhere(np.allclose(fft.backward(fft.forward(u)), u))


@pytest.mark.parametrize("backend", ["numpy", "scipy"])
def test_other_backends(backend, rng):
    check(PFFT(comm, (8, 9, 10), dtype="D", backend=backend), rng)


def test_arrays_of_all_sorts(rng):
    """Distributed arrays, other dtypes and strides, lists, arrays that overlap."""
    fft = PFFT(comm, (8, 9, 10), dtype="D")
    u = newDistArray(fft, False, val=1)
    u[...] = random_like(rng, u)
    truth = mpifft.Transform.__call__(fft.forward, u).copy()
    spectrum = newDistArray(fft)
    assert fft.forward(u, spectrum) is spectrum and np.allclose(spectrum, truth)
    assert np.allclose(fft.forward(np.asfortranarray(u)), truth)
    assert np.allclose(fft.forward(u.tolist()), truth)
    assert np.allclose(fft.forward(u, np.empty_like(truth, dtype="F")), truth, atol=1e-6)
    assert np.allclose(fft.forward(u, implicit=False), truth)
    again = mpifft.Transform.__call__(fft.forward, np.resize(truth, u.shape)).copy()
    own = fft.forward(u)
    assert np.allclose(fft.forward(np.resize(own, u.shape)), again)
    if comm.size == 1:
        assert np.allclose(fft.forward(u, u), truth)


def test_what_is_passed_on(rng):
    """mpi4py-fft computes these PFFTs, and the report says why."""
    before = report().passed_on.copy()
    unpaired = {(2,): (fftw.dctn, functools.partial(fftw.idctn, type=3))}
    for fft in (
        PFFT(comm, (8, 9, 10), padding=[1.5, 1.5, 1.5]),
        PFFT(comm, (8, 9, 11), padding=[1.5, 1.5, 1.5]),
        PFFT(comm, (8, 9, 11), transforms=unpaired),
    ):
        assert not is_accelerated(fft)
        fft.forward(random_like(rng, fft.forward.input_array))
        fft.destroy()
    PFFT(comm, (8, 9, 10), backend="scipy")  # mpi4py-fft itself fails to transform with it
    reasons = report().passed_on - before
    assert reasons.total() == 4
    assert any("4n+2 or 4n+3" in reason for reason in reasons)
    assert any("scipy" in reason for reason in reasons)
    assert any("dctn and idctn" in reason for reason in reasons)
    assert "4n+2 or 4n+3" in str(report())
