"""The mean square of a field, and its energy spectrum, from its transforms with every norm and
scale, wherever their modes lie."""

import operator

import numpy as np
import pytest
import scipy.fft
import weft
from conftest import close, comm, random_layout, random_whole

NORMS = (None, "backward", "ortho", "forward")


@pytest.fixture(params=["f8", "c16"])
def field(request, rng):
    shape = tuple(int(n) for n in rng.integers(2, 9, int(rng.integers(1, 4))))
    whole = random_whole(rng, shape, request.param)
    return whole, weft.from_global(whole, layout=random_layout(rng, shape))


def mean_square(whole):
    return np.mean(np.abs(whole) ** 2)


@pytest.mark.parametrize("norm", NORMS)
def test_of_what_functions_have_made(field, norm):
    whole, u = field
    spectra = [weft.fftn(u, norm=norm), np.fft.fftn(u, norm=norm)]
    if u.dtype == float:
        spectra += [weft.rfftn(u, norm=norm), weft.fft.ihfft(u, norm=norm)]
    energy = weft.spectral.energy_spectrum(u)
    for spectrum in spectra:
        assert np.isclose(spectrum.mean_square(), mean_square(whole))
        assert np.isclose((2j * spectrum + spectrum).mean_square(), 5 * mean_square(whole))
    for spectrum in spectra[:3]:
        assert np.allclose(weft.spectral.energy_spectrum(spectrum), energy)
    back = weft.ifftn(spectra[0])  # a field is what it is
    assert np.isclose(back.mean_square(), mean_square(np.fft.ifftn(np.fft.fftn(whole, norm=norm))))


@pytest.mark.parametrize("norm", NORMS)
@pytest.mark.parametrize("orthogonalize", [None, False, True])
def test_of_cosines_and_sines(field, norm, orthogonalize, rng):
    whole, u = field
    type = int(rng.integers(2, 5))
    settings = {"norm": norm, "orthogonalize": orthogonalize}
    for name in ("dctn", "dstn"):
        spectrum = getattr(weft.fft, name)(u, type, **settings)
        if whole.ndim == 1 or orthogonalize is not None:
            parts = [
                getattr(scipy.fft, name)(x, type, **settings) for x in (whole.real, whole.imag)
            ]
            assert close(spectrum.gather(None), parts[0] + 1j * parts[1], "f8")
        is_orthogonal = norm == "ortho" if orthogonalize is None else orthogonalize
        if type != 3 or is_orthogonal:  # else an end of the line counts half
            assert np.isclose(spectrum.mean_square(), mean_square(whole))


@pytest.mark.parametrize("norm", [*NORMS, 0.3])
@pytest.mark.parametrize("kind", ["c2c", "r2c", "r2c_packed", "c2r", "dct2"])
def test_of_what_plans_have_made(rng, kind, norm):
    shape = (6, 1 + comm.size, 8)
    plan = weft.Plan(shape, kind, norm=norm, fields=2)
    whole = random_whole(rng, shape, "c16" if kind == "c2c" else "f8")
    is_backward = kind == "c2r"
    u = plan.make_output() if is_backward else plan.make_input()
    u.local[...] = whole[u.slices]
    run, start = (
        (plan.backward, plan.start_backward) if is_backward else (plan.forward, plan.start_forward)
    )
    for scale in (1.0, 0.25, -3.0):
        own = plan.input if is_backward else plan.output
        spectra = [run(u, None, scale), run(u, own, scale), start(u, None, scale).wait()]
        spectra += run([u, u], None, scale)
        for spectrum in spectra:
            assert np.isclose(spectrum.mean_square(), mean_square(whole)), scale
    again = (plan.forward if is_backward else plan.backward)(spectra[0], None, 0.5)
    assert np.isclose(again.mean_square(), 2.25 * mean_square(whole))
    with pytest.raises(weft.Error, match="scale=0"):
        run(u, None, 0.0).mean_square()


def test_in_place(rng):
    whole = random_whole(rng, (8, 6), "c16")
    plan = weft.Plan((8, 6), norm="ortho", output=weft.Layout.slabs((8, 6), comm.size))
    u = plan.make_input()
    u.local[...] = whole[u.slices]
    assert np.isclose(plan.forward(u, u, 2.0).mean_square(), mean_square(whole))
    assert np.isclose(plan.backward(u, u, 0.5).mean_square(), mean_square(whole))


def test_it_goes_with_the_elements(field, rng):
    """Through copies, other layouts, shifts, and arithmetic with arrays that are made by hand."""
    whole, u = field
    transform = weft.rfftn if u.dtype == float else weft.fftn
    spectrum = transform(u, norm="ortho")
    by_hand = weft.zeros(spectrum.shape, "c16", layout=spectrum.layout)
    there = spectrum.redistribute(random_layout(rng, spectrum.shape))
    out = weft.zeros(spectrum.shape, "c16", layout=there.layout)
    by_hand += spectrum
    for one in (
        spectrum.copy(),
        weft.ones(spectrum.shape, layout=spectrum.layout) * spectrum,
        by_hand,
        there,
        spectrum.redistribute(there.layout, out),
        weft.fftshift(spectrum),
        weft.fftshift(there),
        np.roll(there, 3, -1),
    ):
        assert np.isclose(one.mean_square(), mean_square(whole))
        assert np.allclose(
            weft.spectral.energy_spectrum(one), weft.spectral.energy_spectrum(u), atol=1e-12
        )
    frequencies = [weft.fft.fftfreq(n, 1 / n) for n in whole.shape]
    if u.dtype == float:
        frequencies[-1] = weft.fft.rfftfreq(whole.shape[-1], 1 / whole.shape[-1])
    shifted = weft.fftshift(there)
    for axis, (k, line) in enumerate(zip(shifted.wavenumbers(), frequencies)):
        assert np.allclose(abs(k.ravel()), abs(np.fft.fftshift(line)[shifted.slices[axis]]))


def test_spectra_of_different_scales(field):
    whole, u = field
    one, other = weft.fftn(u), weft.fftn(u, norm="ortho")
    for mixed in (one + other, np.where(abs(one) > 1, one, other), operator.iadd(one, other)):
        with pytest.raises(weft.Error, match="different norms"):
            mixed.mean_square()
        with pytest.raises(weft.Error, match="different norms"):
            weft.spectral.energy_spectrum(mixed)
    assert np.isclose((u + 0 * u).mean_square(), mean_square(whole))


@pytest.mark.parametrize("shape", [(2, 1), (3, 1, 8, 5), (1, 8, 8)])
@pytest.mark.parametrize("kind", ["r2c", "c2c"])
def test_ranks_that_hold_nothing(shape, kind):
    plan = weft.Plan(shape, kind)
    u = plan.make_input()
    u.local[...] = 1
    assert np.isclose(u.mean_square(), 1) and np.isclose(plan.forward(u).mean_square(), 1)
    assert np.isclose(weft.spectral.energy_spectrum(u).sum(), 0.5)
