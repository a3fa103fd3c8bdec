"""Ghost cells against NumPy's pad of the whole array."""

import numpy as np
import pytest
import weft
from conftest import comm, everywhere, random_layout, random_whole


def padded(whole, box, below, above, periodic):
    """The part of the padded whole array that a rank sees; -1 beyond ends that are not periodic."""
    result = whole
    for axis, wraps in enumerate(periodic):
        width = [(0, 0)] * whole.ndim
        width[axis] = (below[axis], above[axis])
        mode = {"mode": "wrap"} if wraps else {"mode": "constant", "constant_values": -1}
        result = np.pad(result, width, **mode)
    return result[
        tuple(
            slice(low, high + b + a) for low, high, b, a in zip(box.lower, box.upper, below, above)
        )
    ]


@pytest.mark.parametrize("dtype", ["f8", "f4", "D", "i2", "?"])
def test_against_pad(dtype, rng):
    for _ in range(4):
        shape = tuple(int(n) for n in rng.integers(1, 9, int(rng.integers(1, 4))))
        below, above = ([int(n) for n in rng.integers(0, 4, len(shape))] for _ in range(2))
        periodic = [bool(n) for n in rng.integers(0, 2, len(shape))]
        whole = rng.integers(0, 2 if dtype == "?" else 100, shape).astype(dtype)
        layout = random_layout(rng, shape).contiguous()
        halo = weft.Halo(layout, list(zip(below, above)), periodic=periodic, dtype=dtype)
        u = halo.zeros()
        u[...] = np.array(-1).astype(dtype)
        box = halo.layout.box(comm.rank)
        if box.size:
            halo.interior(u)[...] = whole[box.slices]
        halo.start(u)
        halo.test()
        halo.wait()
        is_right = u.size == 0
        if box.size:
            is_right = np.array_equal(u, padded(whole, box, below, above, periodic).astype(dtype))
        assert everywhere(is_right)


def test_a_plan_transforms_the_interior(rng):
    whole = random_whole(rng, (8, 6, 5), "f8")
    halo = weft.Halo(weft.Layout.slabs(whole.shape, comm.size), [1, 2, 0])
    u = halo.zeros()
    halo.array(u).local[...] = whole[halo.layout.box(comm.rank).slices]
    with weft.Plan(whole.shape, "r2c", input=halo.layout) as plan:
        spectrum = plan.forward(halo.array(u))
        assert np.allclose(spectrum.gather(None), np.fft.rfftn(whole))


def test_a_width_for_each_axis_may_be_an_array():
    halo = weft.Halo(weft.Layout.slabs((comm.size, 3), comm.size), np.array([2, 1]))
    assert everywhere(halo.zeros().shape == (5, 5))


def test_ranks_without_elements(rng):
    whole = random_whole(rng, (1, 6), "f8")
    halo = weft.Halo(weft.Layout.slabs(whole.shape, comm.size), corners=0)
    u = halo.zeros()
    halo.interior(u)[...] = whole[halo.layout.box(comm.rank).slices]
    halo.update(u)
    assert np.array_equal((halo.array(u) + halo.array(u)).gather(None), 2 * whole)


def test_mistakes():
    layout = weft.Layout.slabs((6, 5), comm.size)
    for width in (-1, (1, 2, 3), ((1, 2, 3), 1), "x"):
        with pytest.raises(weft.Error, match="width"):
            weft.Halo(layout, width)
    with pytest.raises(weft.Error, match="periodic"):
        weft.Halo(layout, periodic=[True])
    for gaps in (layout.padded((2, 4)), layout.strided((8, 1))):
        with pytest.raises(weft.Error, match="without gaps"):
            weft.Halo(gaps)
    with pytest.raises(weft.Error, match="12 bytes"):
        weft.Halo(layout, dtype="S12")
    with pytest.raises(weft.Error, match="weft.Layout"):
        weft.Halo("slabs")
    halo = weft.Halo(layout)
    if comm.size == 1:  # else the job ends
        for wrong in (np.zeros((8, 6)), np.zeros((8, 7), "f4"), np.zeros((7, 8)).T, [1]):
            with pytest.raises(weft.Error, match="ghost cells: the array"):
                halo.update(wrong)
