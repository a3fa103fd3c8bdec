"""PFFTs without mpi4py-fft, against NumPy and SciPy on the whole array."""

import functools
import sys
import types

import conftest
import numpy as np
import pytest
import scipy.fft
import weft
from conftest import comm, everywhere, random_whole
from mpi4py import MPI
from weft.compat.mpi4py_fft import PFFT, fftw, install, libfft, mpifft, newDistArray
from weft.compat.mpi4py_fft.pencil import Pencil, Subcomm


agree = functools.partial(conftest.agree, factor=5)


def poisoned(fft, forward_output):
    return newDistArray(fft, forward_output, val=np.nan)


def padded_forward(values, axis, kept, is_real):
    """The modes that mpi4py-fft keeps of a padded axis, divided by the number of its points."""
    values = np.moveaxis(values, axis, -1)
    points = values.shape[-1]
    if is_real:
        spectrum = np.fft.rfft(values)[..., :kept] / points
        if kept % 2 == 0:
            spectrum[..., -1] = 2 * spectrum[..., -1].real
    else:
        whole = np.fft.fft(values) / points
        spectrum = np.concatenate((whole[..., : kept // 2 + 1], whole[..., -(kept // 2) :]), -1)
        if kept % 2 == 0:  # the modes of both signs are one
            spectrum[..., kept // 2] += spectrum[..., kept // 2 + 1]
            spectrum = np.delete(spectrum, kept // 2 + 1, -1)
    return np.moveaxis(spectrum, -1, axis)


def padded_backward(spectrum, axis, points, is_real):
    """The way back, not scaled."""
    spectrum = np.moveaxis(spectrum, axis, -1).copy()
    kept = spectrum.shape[-1]
    if is_real:
        if kept % 2 == 0:
            spectrum[..., -1] = spectrum[..., -1].real / 2
        values = np.fft.irfft(spectrum, points) * points
    else:
        whole = np.zeros((*spectrum.shape[:-1], points), spectrum.dtype)
        whole[..., : (kept + 1) // 2] = spectrum[..., : (kept + 1) // 2]
        whole[..., -(kept // 2) :] = spectrum[..., -(kept // 2) :]
        if kept % 2 == 0:
            whole[..., kept // 2] = spectrum[..., kept // 2] / 2
            whole[..., -(kept // 2)] /= 2
        values = np.fft.ifft(whole) * points
    return np.moveaxis(values, -1, axis)


def check(fft, whole, expected):
    """Forward of the whole array, and back, with both normalizations, arrays of the caller's and
    the PFFT's own."""
    points = whole.size
    u = poisoned(fft, False)
    u[...] = whole[fft.local_slice(False)]
    own = expected[fft.local_slice(True)]
    assert everywhere(own.shape == fft.shape(True) and expected.shape == fft.global_shape(True))
    spectrum = poisoned(fft, True)
    assert fft.forward(u, spectrum) is spectrum
    assert spectrum.dtype == fft.dtype(True)
    assert agree(spectrum.v, own, points)
    assert agree(fft.forward(u.v), own, points)
    unscaled = fft.forward(u, poisoned(fft, True), normalize=False)
    factor = fft.forward.plan.transform.logical_size
    assert agree(unscaled.v, own * factor, points)
    assert agree(fft.backward(spectrum, poisoned(fft, False)).v, u.v, points)
    assert agree(fft.backward(unscaled, normalize=True), u.v, points)
    stages = mpifft.Transform.__call__(fft.forward, u)
    if all(fft.subcomm[axis].size == 1 for group in fft.axes for axis in group[:-1]):
        assert agree(stages, own, points)
    fft.destroy()


def random_groups(rng, count):
    """All axes in any order and in groups, of which the last is not all of them."""
    axes = [int(axis) for axis in rng.permutation(count)]
    cut = int(rng.integers(1, count))
    return [*((axis,) for axis in axes[:cut]), tuple(axes[cut:])]


@pytest.mark.parametrize("dtype", ["f", "d", "F", "D"])
@pytest.mark.parametrize("count", [2, 3, 4])
def test_against_numpy(dtype, count, rng):
    shape = tuple(int(length) for length in rng.integers(4, 12, count))
    whole = random_whole(rng, shape, dtype)
    groups = random_groups(rng, count)
    order = [axis for group in groups for axis in group]
    transform = np.fft.rfftn if dtype in "fd" else np.fft.fftn
    expected = transform(whole.astype(dtype.replace("f", "d").replace("F", "D")), axes=order)
    expected /= whole.size
    for settings in ({}, {"collapse": True}, {"slab": groups[0][0]}, {"backend": "numpy"}):
        check(PFFT(comm, shape, groups, dtype, **settings), whole, expected)
    grid = [1] * count
    grid[groups[0][0]] = -1
    check(PFFT(comm, np.array(shape), groups, dtype, grid=grid), whole, expected)


@pytest.mark.parametrize("family", ["dct", "dst"])
@pytest.mark.parametrize("type", [1, 2, 3, 4])
def test_against_scipy(family, type, rng):
    pair = tuple(
        functools.partial(getattr(fftw, name), type=type) for name in (f"{family}n", f"i{family}n")
    )
    shape = tuple(int(length) for length in rng.integers(4, 9, 4))
    whole = random_whole(rng, shape, "d")
    forward = functools.partial(getattr(scipy.fft, f"{family}n"), type=type, norm="forward")
    expected = scipy.fft.rfftn(forward(whole, axes=(2, 3)), axes=(0, 1), norm="forward")
    fft = PFFT(comm, shape, ((0,), (1,), (2, 3)), transforms={(2, 3): pair})
    check(fft, whole, expected)
    fft = PFFT(comm, shape, (1, 2), transforms={(1,): pair, (2,): pair})
    check(fft, whole, forward(whole, axes=(1, 2)))


@pytest.mark.parametrize("dtype", ["f", "d", "F", "D"])
@pytest.mark.parametrize("last", [8, 9, 10, 11])
def test_padding(dtype, last, rng):
    """Also with spectra that no field has."""
    shape = (6, 5, last)
    fft = PFFT(comm, shape, dtype=dtype, padding=1.5)
    points = fft.global_shape()
    assert points == (9, 7, last * 3 // 2)
    assert isinstance(fft.forward, mpifft.PlannedTransform) == (dtype in "FD" or last in (8, 9))
    is_real = dtype in "fd"
    u = random_whole(rng, points, dtype)
    expected = u.astype("d" if is_real else "D")
    kept = last // 2 + 1 if is_real else last
    for axis, modes, halved in ((2, kept, is_real), (1, 5, False), (0, 6, False)):
        expected = padded_forward(expected, axis, modes, halved)
    spectrum = fft.forward(u[fft.local_slice(False)], poisoned(fft, True))
    assert agree(spectrum.v, expected[fft.local_slice(True)], u.size)
    given = random_whole(rng, fft.global_shape(True), dtype.upper())
    expected = given.astype("D")
    for axis, halved in ((0, False), (1, False), (2, is_real)):
        expected = padded_backward(expected, axis, points[axis], halved)
    local = given[fft.local_slice(True)]
    back = fft.backward(local, poisoned(fft, False))
    assert agree(back.v, expected[fft.local_slice(False)], u.size)
    assert np.array_equal(local, given[fft.local_slice(True)])
    back = fft.backward(local, normalize=True) * u.size
    assert agree(back, expected[fft.local_slice(False)], u.size)
    fft.destroy()


def test_own_arrays_and_arrays_of_all_sorts(rng):
    fft = PFFT(comm, (8, 9, 10), dtype="D")
    whole = random_whole(rng, (8, 9, 10), "D")
    expected = np.fft.fftn(whole, norm="forward")[fft.local_slice(True)]
    local = whole[fft.local_slice(False)]
    fft.forward.input_array[...] = local
    assert fft.forward() is fft.backward.input_array
    assert agree(fft.forward.output_array, expected, whole.size)
    assert fft.backward() is fft.forward.input_array
    assert agree(fft.forward.input_array, local, whole.size)
    assert agree(fft.forward(np.asfortranarray(local)), expected, whole.size)
    assert agree(fft.forward(local.tolist(), implicit=False), expected, whole.size)
    single = fft.forward(local, np.full(expected.shape, np.nan, "F"))
    assert agree(single, expected, whole.size)
    memory = np.full(max(local.size, expected.size), np.nan, "D")
    memory[: local.size] = local.reshape(-1)
    overlapping = memory[: expected.size].reshape(expected.shape)
    assert agree(
        fft.forward(memory[: local.size].reshape(local.shape), overlapping), expected, whole.size
    )


def test_ranks(rng):
    """Communicators of all sorts, more ranks than an axis has points, a half of the ranks."""
    shape = (8, 9, 10)
    whole = random_whole(rng, shape, "d")
    expected = np.fft.rfftn(whole, norm="forward")
    grid = MPI.Compute_dims(comm.size, 2)
    check(PFFT(Subcomm(comm, [*grid, 1]), shape), whole, expected)
    check(PFFT(Subcomm(comm.Create_cart([*grid, 1])), shape), whole, expected)
    check(PFFT(tuple(Subcomm(comm, (0, 0, 1))), shape), whole, expected)
    check(PFFT(comm.Split(0, -comm.rank), shape), whole, expected)
    darray = newDistArray(PFFT(comm, shape, (1, 2, 0)), False)
    fft = PFFT(comm, darray=darray)
    assert fft.axes == ((1,), (2,), (0,)) and fft.shape(False) == darray.shape
    check(fft, whole, np.fft.fftn(np.fft.rfft(whole, axis=0), axes=(1, 2)) / whole.size)
    few = random_whole(rng, (2, 3, 2), "d")
    check(PFFT(comm, few.shape, grid=(-1,)), few, np.fft.rfftn(few, norm="forward"))
    half = comm.Split(comm.rank % 2, comm.rank)
    fft = PFFT(half, shape)
    spectrum = fft.forward(whole[fft.local_slice(False)])
    assert everywhere(np.allclose(spectrum, expected[fft.local_slice(True)], atol=1e-14))
    fft.destroy()


def test_what_is_described():
    fft = PFFT(comm, (8, 9, 10), ((0,), (1, 2)), "f", threads=1, planner_effort="FFTW_MEASURE")
    assert len(fft.axes) == len(fft.xfftn) == len(fft.transfer) + 1 == 2
    assert fft.dimensions == 3 and fft.global_shape(True) == (8, 9, 6)
    assert (fft.dtype(), fft.dtype(True)) == (np.dtype("f"), np.dtype("F"))
    assert fft.forward.input_pencil is fft.backward.output_pencil is fft.pencil[0]
    assert fft.forward.output_array.shape == fft.shape() == fft.forward.output_pencil.subshape
    fft.destroy()


@pytest.mark.parametrize(
    "sentence, settings",
    [
        ("longdouble|float128", {"dtype": "g"}),
        ("numpy|fft", {"transforms": {(2,): (np.fft.rfft, np.fft.irfft)}}),
        ("no pair", {"transforms": {(2,): (fftw.dctn, functools.partial(fftw.idctn, type=3))}}),
        ("dct2 of complex128", {"transforms": {(2,): (fftw.dctn, fftw.idctn)}, "dtype": "D"}),
        ("group of their own", {"axes": ((0,), (1, 2)), "padding": [1, 1, 1.5]}),
        ("for each of 3 axes", {"padding": [1.5, 1.5]}),
        ("padding by", {"padding": 1.5, "transforms": {(2,): (fftw.dctn, fftw.idctn)}}),
        ("each axis once", {"axes": (0, 1, 0)}),
        ("array with 3", {"axes": (0, 3)}),
        ("is no setting", {"effort": 3}),
        ("whole spectra", {"backend": "scipy"}),
        ("backend: 'cufft'", {"backend": "cufft"}),
        ("one of these", {"grid": (-1,), "slab": True}),
        ("up to one number", {"grid": (1, 1, 1, 1)}),
    ],
)
def test_mistakes(sentence, settings):
    with pytest.raises(weft.Error, match=sentence):
        PFFT(comm, (8, 9, 10), **settings)
    if comm.size > 1:
        with pytest.raises(weft.Error, match="transformed first"):
            PFFT(comm, (8, 9, 10), grid=(1, 1, -1))


@pytest.mark.parametrize("dtype", ["f", "d"])
def test_serial_transforms(dtype, rng):
    """Each rank transforms for itself."""
    whole = rng.standard_normal((6, 7, 10)).astype(dtype)
    real, complex = (
        fftw.aligned(whole.shape, dtype=dtype),
        fftw.aligned((6, 7, 6), dtype=dtype.upper()),
    )
    rfftn = fftw.rfftn(real, axes=(0, 2), flags=(fftw.FFTW_MEASURE,), output_array=complex)
    assert rfftn(whole) is complex and agree(complex, np.fft.rfftn(whole, axes=(0, 2)), 60)
    irfftn = fftw.irfftn(complex.copy(), axes=(0, 2))
    assert agree(irfftn(complex, normalize=True), whole, 60)
    for type in (1, 2, 3, 4):
        for family in ("dct", "dst"):
            forward = getattr(fftw, f"{family}n")(real, axes=(1, 0), type=type)
            expected = getattr(scipy.fft, f"{family}n")(whole.astype("d"), type, axes=(1, 0))
            assert agree(forward(whole), expected, 42)
            backward = getattr(fftw, f"i{family}n")(real, axes=(1, 0), type=type)
            result = np.full_like(whole, np.nan)
            assert backward(expected.astype(dtype), result) is result
            assert agree(result * backward.get_normalization(), whole, 42)
    fft = libfft.FFT((6, 7, 10), (1,), dtype.upper(), padding=7 / 5)
    values = whole + 1j * whole[::-1]
    expected = padded_forward(values, 1, 5, False)
    assert agree(fft.forward(values, np.full((6, 5, 10), np.nan, dtype.upper())), expected, 7)
    assert agree(fft.backward(expected), padded_backward(expected, 1, 7, False), 7)
    with pytest.raises(weft.Error, match="input_array: has the shape"):
        fftw.fftn(real)


class Space(PFFT):
    """Makes its transforms itself, of serial ones of its own, as shenfun's spaces do."""

    def __init__(self, shape):
        first = Pencil(Subcomm(comm, [0, 1]), shape, 1)
        last = first.pencil(0)
        self.settings = []
        stages = [self.Stage(self.settings, pencil) for pencil in (first, last)]
        moves = [first.transfer(last, complex).forward]
        self.forward = mpifft.Transform(stages, moves, [first, last])
        self.xfftn = stages

    class Stage:
        def __init__(self, settings, pencil):
            self.settings, self.axis = settings, pencil.axis
            self.input_array, self.output_array = np.empty((2, *pencil.subshape), complex)

        def __call__(self, input_array=None, output_array=None, **settings):
            self.settings.append(settings)
            self.output_array[...] = np.fft.fft(self.input_array, axis=self.axis)
            return self.output_array


def test_transforms_of_subclasses(rng):
    whole = random_whole(rng, (6, 7), complex)
    space = Space(whole.shape)
    result = space.forward(whole[space.local_slice(False)])
    assert agree(result, np.fft.fftn(whole)[space.local_slice(True)], whole.size)
    assert space.shape(True) == result.shape
    assert (space.dtype(True), space.dtype(False), space.dimensions) == (complex, complex, 2)
    space.forward(family="C")
    assert space.settings == [{}, {}, {"family": "C"}, {"family": "C"}]  # nothing else


def test_what_programs_say_to_fftw():
    assert fftw.flag_dict["FFTW_MEASURE"] == fftw.FFTW_MEASURE
    fftw.set_timelimit(1.0)
    fftw.export_wisdom("of-nobody.dat")
    fftw.import_wisdom("of-nobody.dat")
    fftw.forget_wisdom()
    fftw.cleanup()
    transform = fftw.fftn(fftw.aligned(8, dtype=complex))
    values = np.arange(8.0) + 0j
    np.testing.assert_allclose(
        transform(values, normalise_idft=False), np.fft.fft(values), atol=1e-14
    )


def test_install_comes_before_mpi4py_fft(monkeypatch):
    theirs = types.ModuleType("mpi4py_fft")
    theirs.__file__ = "/elsewhere/mpi4py_fft/__init__.py"
    monkeypatch.setitem(sys.modules, "mpi4py_fft", theirs)
    with pytest.raises(weft.Error, match="/elsewhere/mpi4py_fft.*valid is to call.*before"):
        install()
    assert sys.modules["mpi4py_fft"] is theirs
