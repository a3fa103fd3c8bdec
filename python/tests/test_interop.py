"""Arrays and gradients of other packages, where these are installed."""

import numpy as np
import pytest
import weft
from conftest import close, comm, random_whole
from weft.adjoint import map_for

NAMES = ["fftn", "ifftn", "rfftn", "irfftn"]


def slab(whole):
    return np.ascontiguousarray(
        whole[weft.Layout.slabs(whole.shape, comm.size).box(comm.rank).slices]
    )


def distributed_inner(x, y):
    """<x, y> in real inner products, over all ranks."""
    return comm.allreduce(float(np.vdot(x, y).real))


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("norm", [None, "ortho", "forward"])
def test_adjoints(name, norm, rng):
    """<A x, y> = <x, A* y>, the adjoint of the adjoint is the map, and its values are NumPy's."""
    whole = random_whole(rng, (6, 5, 7), "f8" if name == "rfftn" else "c16")
    x = slab(whole)
    linear = map_for(name, x.shape, x.dtype, None, None, norm, None, None)
    result = linear(x)
    assert linear.result == (result.shape, result.dtype)
    assert close(result, slab(getattr(np.fft, name)(whole, norm=norm)), "c16")
    y = rng.standard_normal(result.shape).astype(result.dtype)
    y = y + 1j * rng.standard_normal(result.shape) if result.dtype.kind == "c" else y
    assert np.isclose(distributed_inner(result, y), distributed_inner(x, linear.adjoint(y)))
    assert close(linear.adjoint.adjoint(x), result, "c16")


def test_lengths_and_axes_of_maps():
    """Of torch's and JAX's functions: s is the lengths of x, but for the last one of irfftn."""
    x = slab(np.ones((6, 5, 7), complex))

    def result(name, s, axes):
        linear = map_for(name, x.shape, x.dtype, s, axes, None, None, None)
        return comm.allreduce(linear(x).shape[0]), *linear(x).shape[1:]

    assert result("fftn", (6, 5, 7), None) == (6, 5, 7)
    assert result("fftn", (5, 7), None) == (6, 5, 7)
    assert result("irfftn", (5, 13), None) == (6, 5, 13)
    for s, axes, word in (
        ((6, 5, 8), None, "s: "),
        ((6, 5), (0, 2), "s: "),
        (None, (0, 3), "axes: "),
        (None, (1, 1), "axes: "),
    ):
        with pytest.raises(weft.Error, match=word):
            result("fftn", s, axes)


def test_jax_arrays_as_arguments(rng):
    jax = pytest.importorskip("jax")
    whole = random_whole(rng, (6, 4), "c8")
    plan = weft.Plan((6, 4), dtype="f4")
    u = plan.forward(jax.numpy.asarray(slab(whole)))
    assert close(u.gather(None), np.fft.fftn(whole), "c8")
