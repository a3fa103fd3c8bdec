"""weft.spectral against derivatives and integrals that are known, in boxes with three different
edges."""

import numpy as np
import pytest
import weft
from conftest import comm, everywhere, random_layout, random_whole

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
