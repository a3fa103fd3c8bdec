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


def test_torch(rng):
    torch = pytest.importorskip("torch")
    import weft.torch

    whole = random_whole(rng, (6, 5, 8), "f8")
    x = torch.from_numpy(slab(whole)).requires_grad_()
    y = weft.torch.rfftn(x)
    assert close(y.detach().numpy(), slab(np.fft.rfftn(whole)), "c16")
    # d/dx sum |y|^2 w, on all ranks; its truth is torch's own on the whole array
    (weft.torch.irfftn(y, s=whole.shape) ** 3).sum().backward()
    assert close(x.grad.numpy(), slab(3 * whole**2), "f8")
    truth = torch.from_numpy(whole).requires_grad_()
    torch.fft.rfftn(truth, norm="ortho").abs().sum().backward()
    x.grad = None
    weft.torch.rfftn(x, norm="ortho").abs().sum().backward()
    assert close(x.grad.numpy(), slab(truth.grad.numpy()), "f8")


@pytest.mark.parametrize("name", NAMES)
def test_torch_gradients_against_finite_differences(name, rng):
    torch = pytest.importorskip("torch")
    import weft.torch

    if comm.size > 1:  # one rank alone cannot move its inputs
        pytest.skip("gradcheck runs on one rank")
    x = torch.from_numpy(
        random_whole(rng, (3, 4), "f8" if name == "rfftn" else "c16")
    ).requires_grad_()
    function = getattr(weft.torch, name)
    assert torch.autograd.gradcheck(function, (x,)) and torch.autograd.gradgradcheck(function, (x,))


def test_gradients_against_finite_differences(rng):
    """On all ranks: a small change of one element anywhere changes a sum as the gradient says."""
    torch = pytest.importorskip("torch")
    import weft.torch

    whole = random_whole(rng, (4, 3, 6), "f8")
    weights = torch.from_numpy(slab(random_whole(rng, (4, 3, 4), "f8")))

    def objective(values):
        x = torch.from_numpy(slab(values)).requires_grad_()
        local = (weights * weft.torch.rfftn(x).abs() ** 2).sum()
        return x, local, comm.allreduce(float(local))

    x, local, value = objective(whole)
    local.backward()
    gradient = np.concatenate(comm.allgather(x.grad.numpy()))
    for place in [(0, 0, 0), (3, 2, 5), (1, 1, 3)]:
        moved = whole.copy()
        moved[place] += 1e-6
        assert np.isclose(
            (objective(moved)[2] - value) / 1e-6, gradient[place], rtol=1e-4, atol=1e-3
        )


def test_torch_tensors_as_arguments(rng):
    torch = pytest.importorskip("torch")
    whole = random_whole(rng, (6, 4), "c8")
    plan = weft.Plan((6, 4), dtype="f4", output=weft.Layout.slabs((6, 4), comm.size))
    x, y = (
        torch.from_numpy(slab(whole)),
        torch.zeros(plan.make_output().local.shape, dtype=torch.complex64),
    )
    assert plan.forward(x, y) is y
    assert close(y.numpy(), slab(np.fft.fftn(whole)), "c8")


def test_jax(rng):
    jax = pytest.importorskip("jax")
    jax.config.update("jax_enable_x64", True)
    import weft.jax

    whole = random_whole(rng, (6, 5, 8), "f8")
    x = jax.numpy.asarray(slab(whole))
    assert close(np.asarray(weft.jax.rfftn(x)), slab(np.fft.rfftn(whole)), "c16")
    assert close(np.asarray(jax.jit(weft.jax.fftn)(x)), slab(np.fft.fftn(whole)), "c16")

    def objective(function):
        return lambda x: (abs(function(x, norm="ortho")) ** 3).sum()

    truth = jax.grad(objective(jax.numpy.fft.rfftn))(jax.numpy.asarray(whole))
    for transformed in (jax.grad, lambda f: jax.jit(jax.grad(f))):
        own = transformed(objective(weft.jax.rfftn))(x)
        assert close(np.asarray(own), slab(np.asarray(truth)), "f8")
    z = random_whole(rng, (6, 5, 4), "c16")
    for name in ("fftn", "ifftn", "irfftn"):
        truth = jax.grad(objective(getattr(jax.numpy.fft, name)))(jax.numpy.asarray(z))
        own = jax.grad(objective(getattr(weft.jax, name)))(jax.numpy.asarray(slab(z)))
        assert close(np.asarray(own), slab(np.asarray(truth)), "c16"), name


def test_jax_arrays_as_arguments(rng):
    jax = pytest.importorskip("jax")
    whole = random_whole(rng, (6, 4), "c8")
    plan = weft.Plan((6, 4), dtype="f4")
    u = plan.forward(jax.numpy.asarray(slab(whole)))
    assert close(u.gather(None), np.fft.fftn(whole), "c8")


def test_dlpack_becomes_an_array(rng):
    torch = pytest.importorskip("torch")
    local = torch.ones((2, 3))
    assert weft.from_local(local).sum() == 6 * comm.size
