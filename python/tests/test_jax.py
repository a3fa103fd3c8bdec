"""weft.jax under the transformations of JAX: this rank's part of what jax.numpy.fft gives for the
whole array."""

from functools import partial

import numpy as np
import pytest
import weft
from conftest import close, comm, everywhere, must_raise, random_layout, random_whole
from docstrings import documented, run_examples

jax = pytest.importorskip("jax")
jax.config.update("jax_enable_x64", True)  # before weft.jax makes arrays

import jax.numpy as jnp
import weft._jax_primitive as primitive
import weft.jax
from jax import lax
from weft.adjoint import with_shape

SHAPE = (7, 5, 6)
SPECTRAL = (7, 5, 4)


def part(whole, axis=0):
    """This rank's part of an array that is split along that axis."""
    layout = weft.Layout.slabs(whole.shape, comm.size, axis)
    return jnp.asarray(np.ascontiguousarray(whole[layout.box(comm.rank).slices]))


def agree(own, truth, dtype, axis=0):
    """Whether each result is this rank's part of the true one; numbers are sums over ranks."""
    own, truth = jax.tree.leaves(own), jax.tree.leaves(truth)
    assert len(own) == len(truth)
    for mine, whole in zip(own, truth):
        assert mine.dtype == whole.dtype, (mine.dtype, whole.dtype)
        if whole.ndim == 0:
            total = comm.allreduce(np.asarray(mine))
            good = abs(total - whole) <= 2000 * np.finfo(dtype).eps * max(abs(whole), 1)
        else:
            good = close(np.asarray(mine), part(np.asarray(whole), axis), dtype)
        if not everywhere(good):
            return False
    return True


class Problem:
    """A nonlinear step and an energy, by the functions of weft.jax or jax.numpy.fft."""

    def __init__(self, fft, weights):
        self.fft, self.weights = fft, weights

    def step(self, u):
        spectrum = self.fft.rfftn(jnp.sin(u) * u, norm="ortho") * self.weights
        return u + 0.1 * self.fft.irfftn(spectrum, s=SHAPE, norm="ortho")

    def filtered(self, u):
        """A linear function."""
        return self.fft.ifftn(self.fft.fftn(u) * 1j).imag + self.fft.rfftn(u).real[..., :1]

    def energy(self, u):
        return (self.step(u) ** 2 * jnp.cos(u)).sum()

    def evolved(self, u, length=3, wrapped=lambda step: step):
        def body(u, _):
            return wrapped(self.step)(u), self.energy(u)

        return lax.scan(body, u, None, length=length)

    def energy_evolved(self, u, **how):
        return self.evolved(u, **how)[0].sum()


def along(u):
    """A direction, and a cotangent."""
    return jnp.cos(3 * u)


CASES = {
    "grad": lambda p, u: jax.grad(p.energy)(u),
    "value_and_grad": lambda p, u: jax.value_and_grad(p.energy)(u),
    "jvp": lambda p, u: jax.jvp(p.step, (u,), (along(u),)),
    "vjp": lambda p, u: jax.vjp(p.step, u)[1](along(u)),
    "linearize": lambda p, u: jax.linearize(p.step, u)[1](along(u)),
    "linear_transpose": lambda p, u: jax.linear_transpose(p.filtered, u)(along(u)),
    "jvp of grad": lambda p, u: jax.jvp(jax.grad(p.energy), (u,), (along(u),)),
    "grad of jvp": lambda p, u: jax.grad(lambda u: jax.jvp(p.energy, (u,), (along(u),))[1])(u),
    "grad of grad": lambda p, u: jax.grad(lambda u: (jax.grad(p.energy)(u) * along(u)).sum())(u),
    "checkpoint": lambda p, u: jax.grad(jax.checkpoint(p.energy))(u),
    "jvp of grad of checkpoint": lambda p, u: jax.jvp(
        jax.grad(jax.checkpoint(p.energy)), (u,), (along(u),)
    ),
    "scan": lambda p, u: p.evolved(u)[0],
    "grad of scan": lambda p, u: jax.grad(p.energy_evolved)(u),
    "grad of scan of checkpoint": lambda p, u: jax.grad(
        lambda u: p.energy_evolved(u, wrapped=jax.checkpoint)
    )(u),
    "jvp of grad of scan": lambda p, u: jax.jvp(jax.grad(p.energy_evolved), (u,), (along(u),)),
    "fori_loop": lambda p, u: lax.fori_loop(0, 3, lambda _, u: p.step(u), u),
    "grad of fori_loop": lambda p, u: jax.grad(
        lambda u: lax.fori_loop(0, 3, lambda _, u: p.step(u), u).sum()
    )(u),
    "while_loop": lambda p, u: lax.while_loop(
        lambda state: state[0] < 3, lambda state: (state[0] + 1, p.step(state[1])), (0, u)
    )[1],
    "cond": lambda p, u: lax.cond(u.ndim > 2, p.step, lambda u: u, u),
    "grad of cond": lambda p, u: jax.grad(
        lambda u: lax.cond(jnp.asarray(u.ndim) > 2, p.energy, lambda u: u.sum(), u)
    )(u),
    "jit in jit": lambda p, u: jax.jit(p.step)(u) + jax.jit(p.step)(2 * u),
    "grad without use": lambda p, u: jax.grad(lambda u: (p.step(u), u.sum())[1])(u),
}
BATCHED = {
    "vmap": lambda p: p.step,
    "vmap of grad": lambda p: jax.grad(p.energy),
    "vmap of scan": lambda p: lambda u: p.evolved(u)[0],
    "vmap of grad of scan": lambda p: jax.grad(p.energy_evolved),
    "vmap of checkpoint": lambda p: jax.grad(jax.checkpoint(p.energy)),
    "vmap of cond": lambda p: lambda u: lax.cond(jnp.asarray(3) > 2, p.step, lambda u: u, u),
}


def problems(rng, dtype):
    """The problem of this rank, and of the whole array."""
    weights = random_whole(rng, SPECTRAL, dtype)
    return Problem(weft.jax, part(weights)), Problem(jnp.fft, jnp.asarray(weights))


@pytest.mark.parametrize("name", CASES)
def test_transformations(name, rng):
    """Compiled, in one precision or the other; see test_without_jit for uncompiled ones."""
    dtype = str(rng.choice(["f4", "f8"]))
    own, truth = problems(rng, dtype)
    u = random_whole(rng, SHAPE, dtype)
    results = [jax.jit(partial(CASES[name], one)) for one in (own, truth)]
    assert agree(results[0](part(u)), results[1](u), dtype), dtype


def test_without_jit(rng):
    own, truth = problems(rng, "f8")
    u = random_whole(rng, SHAPE, "f8")
    for name in ("jvp of grad", "linear_transpose"):
        expected = jax.jit(partial(CASES[name], truth))(u)
        assert agree(CASES[name](own, part(u)), expected, "f8"), name


@pytest.mark.parametrize("name", BATCHED)
def test_batches(name, rng):
    """The batch being the first axis, the last one, and two axes."""
    dtype = str(rng.choice(["f4", "f8"]))
    own, truth = (BATCHED[name](one) for one in problems(rng, dtype))
    whole = random_whole(rng, (2, 3, *SHAPE), dtype)
    expected = jax.jit(jax.vmap(jax.vmap(truth)))(whole)
    last = jnp.moveaxis(part(whole, 2), 1, -1)
    assert agree(jax.jit(jax.vmap(jax.vmap(own, -1)))(last), expected, dtype, 2), dtype
    assert agree(jax.jit(jax.vmap(own))(part(whole[0], 1)), expected[0], dtype, 1), dtype


def test_a_batch_is_one_transform(rng, monkeypatch):
    calls = recorded(monkeypatch)
    jax.block_until_ready(jax.vmap(weft.jax.fftn)(part(random_whole(rng, (5, *SHAPE), "c16"), 1)))
    assert len(calls) == 1 and "shape=5x7x5x6 kinds=none,c2c,c2c,c2c" in calls[0]


ARGUMENTS = [
    ("fft", {}),
    ("ifft", {"n": 9, "axis": 1, "norm": "ortho"}),
    ("rfft", {"n": 4}),
    ("irfft", {"n": 7, "axis": 2, "norm": "forward"}),
    ("irfft", {"n": 12}),
    ("fft2", {"norm": "forward"}),
    ("ifft2", {"s": (3, 9)}),
    ("rfft2", {"axes": (2, 0)}),
    ("irfft2", {"axes": (0, 1)}),
    ("fftn", {"s": (4, 8), "axes": (2, 1)}),
    ("ifftn", {"axes": (1,)}),
    ("rfftn", {"s": (7, 6, 5)}),
    ("irfftn", {"s": (5, 9)}),
    ("irfftn", {"s": (7, 5, 3), "norm": "ortho"}),
]


@pytest.mark.parametrize("name, how", ARGUMENTS)
def test_arguments(name, how, rng):
    """The result of each function, and the gradient of a number made of it."""
    dtype = str(rng.choice(["f4", "f8"] if name.startswith("r") else ["c8", "c16"]))
    whole = random_whole(rng, SHAPE, dtype)

    def with_gradient(fft):
        def number(x):
            result = getattr(fft, name)(x, **how)
            return (abs(result) ** 3).sum(), result

        return jax.jit(jax.value_and_grad(number, has_aux=True))

    assert agree(with_gradient(weft.jax)(part(whole)), with_gradient(jnp.fft)(whole), dtype), dtype


def test_elements_of_other_types():
    for dtype, name in (("i4", "rfftn"), ("i8", "fftn"), ("?", "rfft"), ("f2", "irfft")):
        whole = np.arange(24).reshape(4, 6).astype(dtype)
        truth = getattr(np.fft, name)(whole.astype(float))
        assert close(getattr(weft.jax, name)(part(whole)), part(truth), "f4"), name


@pytest.mark.parametrize("case", range(6))
def test_layouts(case, rng):
    """Any layout, also where a rank holds nothing; batches and gradients as well."""
    shape = (3, 2 * comm.size**2, 6)  # of cyclic axes the square of the ranks is a divisor
    if case == 0:
        layout = weft.Layout.cyclic(shape, (1, comm.size, 1))
    else:
        layout = random_layout(rng, shape)
    spectral = with_shape(layout, (*shape[:2], 4))
    whole = random_whole(rng, (2, *shape), "f8")
    own = (slice(None), *layout.slices(comm.rank))
    x = jnp.asarray(whole[own])
    batch = jax.jit(jax.vmap(lambda x: weft.jax.rfftn(x, layout=layout)))
    truth = np.fft.rfftn(whole, axes=(1, 2, 3))
    assert everywhere(close(batch(x), truth[(slice(None), *spectral.slices(comm.rank))], "c16"))
    back = jax.vmap(lambda y: weft.jax.irfftn(y, layout=spectral, s=shape))
    assert everywhere(close(back(batch(x)), np.asarray(x), "f8"))
    gradient = jax.grad(lambda x: (abs(batch(x)) ** 2).sum() / 100)
    full = jax.grad(lambda x: (abs(jnp.fft.rfftn(x, axes=(1, 2, 3))) ** 2).sum() / 100)(whole)
    assert everywhere(close(gradient(x), np.asarray(full)[own], "f8"))


def test_other_communicators(rng):
    """Also of some ranks, and freed while compiled functions keep the plan."""
    half = comm.Split(comm.rank % 2)
    transform = jax.jit(lambda x: weft.jax.fftn(x, comm=half))
    whole = random_whole(rng, SHAPE, "c16")
    layout = weft.Layout.slabs(SHAPE, half.size)
    x = jnp.asarray(np.ascontiguousarray(whole[layout.slices(half.rank)]))
    result = jax.block_until_ready(transform(x))
    assert everywhere(close(result, np.fft.fftn(whole)[layout.slices(half.rank)], "c16"))
    half.Free()


def recorded(monkeypatch):
    """The list of transforms that this rank runs from now on, as its callbacks begin them."""
    calls = []
    compare = primitive.require_same

    def require_same(comm, call):
        if call.startswith("runs "):
            calls.append(call)
        compare(comm, call)

    monkeypatch.setattr(primitive, "require_same", require_same)
    return calls


def test_order_of_independent_transforms(rng, monkeypatch):
    """Transforms that do not need each other run in the order of the program, in one compiled
    function and from one to the next, although ranks have more or less to do before each."""
    calls = recorded(monkeypatch)
    names = [f"{name}{i}" for i in range(3) for name in ("fft", "ifft", "rfft", "irfft")]

    def several(x, chosen, repeat):
        """The transforms, each of data that take this rank its own time to compute."""
        results = []
        for i, name in enumerate(chosen):
            work = (comm.rank * 7 + i * 5) % 11 * repeat
            ready = lax.fori_loop(0, work, lambda _, x: jnp.sin(x), x + i)
            results.append(getattr(weft.jax, name[:-1])(ready, axis=int(name[-1])))
        return results[::-1]

    first, second = (jax.jit(lambda x, names=n: several(x, names, 3)) for n in (names, names[:3]))
    x = part(random_whole(rng, (16, 24, 32), "f8"))
    jax.block_until_ready((first(x), second(x)))
    expected = list(calls)
    assert len(expected) == 15 and len(set(expected)) == 12
    assert comm.bcast(expected) == expected
    for _ in range(10):
        calls.clear()
        results = first(x), second(x), weft.jax.fft(x, axis=0)  # none waits for the one before
        jax.block_until_ready(results)
        assert calls == expected + expected[:1]


def test_order_of_independent_loops(rng, monkeypatch):
    calls = recorded(monkeypatch)
    u = part(random_whole(rng, SHAPE, "c16"))

    @jax.jit
    def two(u):
        return [
            lax.fori_loop(0, 4, lambda _, u: transform(u, norm="ortho"), u + i)
            for i, transform in enumerate((weft.jax.fftn, weft.jax.ifftn))
        ]

    for _ in range(5):
        calls.clear()
        jax.block_until_ready(two(u))
        directions = [call.split()[1] for call in calls]
        assert directions == ["forward"] * 4 + ["backward"] * 4


def test_unused_results_and_checkpoints(rng, monkeypatch):
    """A checkpoint computes again what its policy does not keep, and transforms that a derivative
    does not need are left out."""
    calls = recorded(monkeypatch)
    u = part(random_whole(rng, SHAPE, "f8"))

    def square(u):
        return (abs(weft.jax.rfftn(jnp.sin(u))) ** 2).sum()

    def count(function):
        calls.clear()
        jax.block_until_ready(jax.jit(function)(u))
        return len(calls)

    assert count(jax.value_and_grad(square)) == 2
    assert count(jax.value_and_grad(jax.checkpoint(square))) == 3
    kept = jax.checkpoint(square, policy=jax.checkpoint_policies.everything_saveable)
    assert count(jax.value_and_grad(kept)) == 2
    assert count(jax.grad(jax.checkpoint(square))) == 2
    assert count(jax.grad(jax.checkpoint(lambda u: (square(u), u.sum())[1]))) == 0


def test_mistakes(rng):
    """An Error on all ranks, while a function is traced."""
    whole = random_whole(rng, SHAPE, "f8")
    x = part(whole)
    own = jax.jit(weft.jax.fftn, static_argnames=("s", "axes", "norm", "layout"))
    short = x[:, 1:] if comm.rank == comm.size - 1 else x
    layout = weft.Layout.slabs(SHAPE, comm.size)
    must_raise(weft.Error, "local part has the shape", lambda: own(short, layout=layout))
    other = weft.Layout.slabs(SHAPE, comm.size + 1)
    must_raise(weft.Error, "layout: is of", lambda: own(x, layout=other))
    must_raise(weft.Error, "layout: is a str", lambda: own(x, layout="slabs"))
    must_raise(weft.Error, "axes: ", lambda: own(x, axes=(3,)), lambda: own(x, axes=(0, 0)))
    must_raise(weft.Error, "axes: at least", lambda: own(x, axes=()))
    must_raise(weft.Error, "norm: ", lambda: own(x, norm="orthogonal"))
    must_raise(weft.Error, "s: ", lambda: own(x, s=(0,)), lambda: own(x, s=(1, 2), axes=(1,)))
    must_raise(weft.Error, "valid are real numbers", lambda: weft.jax.rfftn(x + 1j))
    must_raise(weft.Error, "x: is a number", lambda: weft.jax.fftn(3.0))
    if comm.size > 1:
        must_raise(weft.Error, "keeps its length 7", lambda: own(x, s=(8,), axes=(0,)))
        uneven = jnp.ones((1 + comm.rank, *x.shape))
        only_here = {"axes": (comm.rank,)} if comm.size < 4 else {"norm": str(comm.rank)}
        must_raise(weft.Error, "ranks make different calls", lambda: own(x, **only_here))
        must_raise(weft.Error, "makes a batch of", lambda: jax.vmap(weft.jax.fftn)(uneven))
    assert close(own(x), part(np.fft.fftn(whole)), "c16")


def test_arrays_of_other_devices():
    """Where JAX compiles for a GPU there is an Error, and no transform."""
    traced = jax.jit(weft.jax.fftn).trace(part(np.ones(SHAPE)))
    must_raise(weft.Error, "is on a device", lambda: traced.lower(lowering_platforms=("cuda",)))


def test_examples_of_docstrings():
    docstrings = documented(["weft.jax"])
    assert len(docstrings) == 13  # the module and its functions
    for name, docstring in docstrings.items():
        run_examples(name, docstring, jax=jax)
