"""weft.spectral against derivatives and integrals that are known, in boxes with three different
edges."""

import numpy as np
import pytest
import weft
from conftest import comm, everywhere, must_raise, random_layout, random_whole

SHAPE, LENGTHS = (16, 12, 18), (1.0, 2.0, 3.0)


@pytest.fixture(params=["r", "c"])
def waves(request, rng):
    """A field of a few waves, and its derivatives."""
    layout = random_layout(rng, SHAPE)
    u = weft.zeros(SHAPE, "f8" if request.param == "r" else "c16", layout=layout)
    x, y, z = (2 * np.pi / edge * line for edge, line in zip(LENGTHS, u.coordinates(LENGTHS)))
    a, b, c = (2 * np.pi / edge for edge in LENGTHS)
    factor = 1 if request.param == "r" else 1 - 2j

    def field(values):
        return u.like(np.asarray(factor * values, u.dtype))

    f = np.sin(2 * x) * np.cos(y) + np.cos(3 * z)
    slopes = [
        2 * a * np.cos(2 * x) * np.cos(y) + 0 * z,
        -b * np.sin(2 * x) * np.sin(y) + 0 * z,
        -3 * c * np.sin(3 * z) + 0 * (x + y),
    ]
    laplacian = -(4 * a**2 + b**2) * np.sin(2 * x) * np.cos(y) - 9 * c**2 * np.cos(3 * z)
    return field(f), [field(slope) for slope in slopes], field(laplacian)


def near(own, expected):
    assert own.layout.has_boxes_of(expected.layout) and own.dtype == expected.dtype
    return float(abs(own - expected).max()) < 1e-10 * max(float(abs(expected).max()), 1)


def test_derivatives(waves):
    u, slopes, laplacian = waves
    gradient = weft.spectral.gradient(u, LENGTHS)
    assert len(gradient) == 3
    for axis, (own, slope) in enumerate(zip(gradient, slopes)):
        assert near(own, slope) and near(weft.spectral.derivative(u, axis - 3, LENGTHS), slope)
    assert near(weft.spectral.laplacian(u, LENGTHS), laplacian)
    assert near(weft.spectral.poisson(laplacian, LENGTHS), u)
    assert near(weft.spectral.divergence(slopes, LENGTHS), laplacian)


def test_vector_fields(waves, rng):
    u, slopes, laplacian = waves
    for component in weft.spectral.curl(slopes, LENGTHS):  # of a gradient
        assert float(abs(component).max()) < 1e-9
    noise = [u.like(random_whole(rng, SHAPE, "f8")[u.slices].astype(u.dtype)) for _ in range(3)]
    v = weft.spectral.projection([weft.spectral.dealias(one) for one in noise], LENGTHS)
    assert float(abs(weft.spectral.divergence(v, LENGTHS)).max()) < 1e-10
    for own, again in zip(v, weft.spectral.projection(v, LENGTHS)):
        assert near(again, own)
    for own in weft.spectral.projection(slopes, LENGTHS):
        assert float(abs(own - own.mean()).max()) < 1e-10


def test_filters(waves):
    u, _, _ = waves
    a, b, c = (2 * np.pi / edge for edge in LENGTHS)
    only_z = weft.spectral.sharp(u, 3.5 * c, LENGTHS)  # the other wave has 2 a = 4 pi > 7/3 pi
    z = u.coordinates(LENGTHS)[2]
    factor = 1 if u.dtype.kind == "f" else 1 - 2j
    assert near(
        only_z, u.like(np.asarray(factor * np.cos(3 * c * z) + np.zeros(u.local.shape), u.dtype))
    )
    smooth = weft.spectral.gaussian(only_z, 0.1, LENGTHS)
    assert near(smooth, np.exp(-0.5 * (3 * c * 0.1) ** 2) * only_z)
    assert near(weft.spectral.dealias(u), u)


def test_energy_spectrum(waves, rng):
    u, slopes, _ = waves
    energy = weft.spectral.energy_spectrum(u, LENGTHS)
    assert np.isclose(energy.sum(), u.mean_square() / 2)
    assert set(np.nonzero(energy > 1e-12)[0]) == {3, 6}  # 3 c and |(2 a, b)| = 6.2 c in units of c
    spectrum = (weft.rfftn if u.dtype.kind == "f" else weft.fftn)(u)
    assert np.allclose(weft.spectral.energy_spectrum(spectrum, LENGTHS), energy)
    assert np.allclose(weft.spectral.energy_spectrum([u, u], LENGTHS), 2 * energy)


def powers_of(fields, lengths, edges):
    """The definition, with all modes of the whole arrays."""
    shape = fields[0].shape
    amplitudes = [np.fft.fftn(field, norm="forward") for field in fields]
    waves = [2 * np.pi * np.fft.fftfreq(n, edge / n) for n, edge in zip(shape, lengths)]
    k = np.sqrt(sum(line**2 for line in np.meshgrid(*waves, indexing="ij")))
    power = np.prod(lengths) * (amplitudes[0] * amplitudes[-1].conj()).real
    rows = []
    for low, high in zip(edges, edges[1:]):
        inside = (low <= k) & (k < high)
        count = np.sum(inside)
        rows.append((k[inside].sum() / count, power[inside].sum() / count, count))
    return np.transpose(rows)


@pytest.mark.parametrize("norm", [None, "ortho", "forward"])
@pytest.mark.parametrize("dtype", ["f8", "c16", "f4"])
def test_power_spectrum(rng, dtype, norm):
    shape = tuple(int(n) for n in rng.integers(2, 10, int(rng.integers(1, 4))))
    lengths = [float(edge) for edge in rng.uniform(1, 3, len(shape))]
    wholes = [random_whole(rng, shape, dtype) for _ in range(2)]
    fields = [weft.from_global(whole, layout=random_layout(rng, shape)) for whole in wholes]
    unit = min(2 * np.pi / edge for edge in lengths)
    edges = np.concatenate([[-1, 0.1], unit * np.sort(rng.uniform(0.2, 9, 5)), [1e3, np.inf]])
    transform = weft.fftn if dtype[0] == "c" else weft.rfftn
    spectra = [transform(field, norm=norm) for field in fields]
    with np.errstate(all="ignore"):
        for given, expected in (
            (fields[:1], wholes[:1]),
            (spectra[:1], wholes[:1]),
            (fields, wholes),
            (spectra, wholes),
            ((fields[0], weft.fftshift(weft.fft.ifftshift(spectra[1]))), wholes),
        ):
            own = weft.spectral.power_spectrum(*given, lengths=lengths, bins=edges)
            right = powers_of(expected, lengths, edges)
            assert np.array_equal(own.modes, right[2]) and own.modes.sum() == wholes[0].size
            tolerance = 1e-4 if dtype == "f4" else 1e-9
            assert np.allclose(own.k, right[0], equal_nan=True)
            assert np.allclose(own.power, right[1], tolerance, tolerance, equal_nan=True)
    total = weft.spectral.power_spectrum(fields[0], lengths=lengths, bins=[0, np.inf])
    assert np.allclose(total.power * total.modes / np.prod(lengths), fields[0].mean_square())


def test_bins_of_power_spectra():
    u = weft.zeros((16, 12))
    x, y = u.coordinates()
    u.local[...] = 2 * np.cos(3 * x) + np.cos(5 * y)
    k, power, modes = weft.spectral.power_spectrum(u)
    assert len(k) == 6 and np.allclose(k, np.arange(1, 7), atol=0.3) and modes[0] == 8
    energy = weft.spectral.energy_spectrum(u)[1:7]
    assert np.allclose(power * modes / (2 * np.pi) ** 2, 2 * energy)
    spectrum = weft.rfftn(u)
    for wrong, word in (
        (lambda: weft.spectral.power_spectrum(u, bins=[1]), "bins"),
        (lambda: weft.spectral.power_spectrum(u, bins=[1, 3, 2]), "bins"),
        (lambda: weft.spectral.power_spectrum(u, u.astype("c16")), "one shape and kind"),
        (lambda: weft.spectral.power_spectrum(spectrum, weft.fftshift(spectrum, 0)), "order"),
        (lambda: weft.spectral.power_spectrum(weft.fft.dctn(u)), "r2c and c2c"),
        (lambda: weft.spectral.power_spectrum(weft.fft.fft(u)), "all axes"),
        (lambda: weft.spectral.power_spectrum(u, np.ones((16, 12))), "ndarray"),
        (lambda: weft.spectral.power_spectrum(u, lengths=[1.0]), "lengths"),
    ):
        must_raise(weft.Error, word, wrong)


def test_between_walls():
    u = weft.zeros((9, 8))
    plan = weft.Plan((9, 8), ["dst2", "c2c"])
    kind = ["dst2", "c2c"]
    y = u.coordinates([1.0, 2 * np.pi])[1]
    x = (u.indices()[0] + 0.5) / 9
    v = u.like(np.asarray(np.sin(3 * np.pi * x) * np.cos(2 * y), "c16"))
    laplacian = weft.spectral.laplacian(v, [1.0, 2 * np.pi], kind)
    assert near(laplacian, -(9 * np.pi**2 + 4) * v)
    with pytest.raises(weft.Error, match="walls"):
        weft.spectral.derivative(v, 0, kind=kind)
    del plan


def test_mistakes():
    with pytest.raises(weft.Error):
        weft.spectral.gradient(np.zeros(4))
    with pytest.raises(weft.Error, match="axis"):
        weft.spectral.derivative(weft.zeros((4, 4)), 2)
    with pytest.raises(weft.Error, match="lengths"):
        weft.spectral.laplacian(weft.zeros((4, 4)), [1.0])
    with pytest.raises(weft.Error, match="components|inputs|fields|axes"):
        weft.spectral.curl([weft.zeros((4, 4, 4))] * 2)
    assert everywhere(comm.size > 0)
