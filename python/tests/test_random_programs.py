"""Random programs: after each step an array and NumPy's whole one agree, whatever came before."""

import copy
import pickle

import numpy as np
import pytest
import scipy.fft
import weft
from conftest import everywhere, random_layout, random_whole

TYPES = ["?", "i1", ">u2", ">i4", "i8", "f2", ">f4", "f4", ">f8", "f8", "c8", ">c16", "c16"]


def _random(rng, shape, dtype):
    return random_whole(rng, shape, "c16" if np.dtype(dtype).kind == "c" else "f8").astype(dtype)


def _add_another(rng, whole, array):
    other = _random(rng, whole.shape, ["i4", ">f4", "c16"][int(rng.integers(3))])
    return whole + other, array + weft.from_global(other, layout=array.layout)


def _take_larger(rng, whole, array):
    least = rng.uniform(0, 3)
    return tuple(np.where(abs(x) > least, x, 0) for x in (whole, array))


def _roll(rng, whole, array):
    axis, shift = int(rng.integers(whole.ndim)), int(rng.integers(-9, 9))
    return tuple(np.roll(x, shift, axis) for x in (whole, array))


def _transform(rng, whole, array):
    norm = [None, "ortho", "forward", "backward"][int(rng.integers(4))]
    inverse = bool(rng.integers(2))
    name = "ifftn" if inverse else "fftn"
    numbers = whole.astype(float) if whole.dtype.kind in "biu" else whole
    return getattr(scipy.fft, name)(numbers, norm=norm), getattr(weft, name)(array, norm=norm)


STEPS = [
    lambda rng, w, a: (w + w, a + a),
    lambda rng, w, a: (abs(w) - 0.5, abs(a) - 0.5),
    lambda rng, w, a: (w * 1j, a * 1j),
    lambda rng, w, a: (np.clip(w.real, -1, 2), np.clip(a.real, -1, 2)),
    lambda rng, w, a: (w.astype("c16"), a.astype(">c16")),
    lambda rng, w, a: (w, a.redistribute(random_layout(rng, a.shape))),
    lambda rng, w, a: (w, copy.deepcopy(a)),
    lambda rng, w, a: (w, pickle.loads(pickle.dumps(a))),
    lambda rng, w, a: (np.fft.fftshift(w), np.fft.fftshift(a)),
    _add_another,
    _take_larger,
    _roll,
    _transform,
]


def _agree(whole, array, tolerance):
    size = max(float(np.abs(whole).max(initial=0)), 1)
    checks = [
        (array.gather(None), whole),
        (array.sum(), whole.sum()),
        (array.at[..., -1], whole[..., -1]),
        (np.linalg.norm(array.at[...]), np.linalg.norm(whole)),
    ]
    return array.shape == whole.shape and all(
        np.allclose(own, expected, tolerance, tolerance * size * whole.size)
        for own, expected in checks
    )


@pytest.mark.parametrize("dtype", TYPES)
def test_random_programs(rng, seed, dtype):
    shape = tuple(int(n) for n in rng.integers(1, 8, int(rng.integers(1, 4))))
    given = _random(rng, shape, dtype)
    array = weft.from_global(given, layout=random_layout(rng, shape))
    whole = given.astype(array.dtype)
    tolerance = 1e-4 if array.dtype.char in "fF" else 1e-11
    done = []
    for number in rng.integers(len(STEPS), size=8):
        whole, array = STEPS[number](rng, whole, array)
        done.append(int(number))
        if array.dtype.char in "fF":
            tolerance = 1e-4
        assert everywhere(_agree(whole, array, tolerance)), (seed, shape, done)
        assert array.dtype == whole.dtype, (seed, shape, done)
