"""weft.torch beside torch.fft of the whole tensor: values, derivatives of all kinds, batches,
compiled functions and DTensors."""

import socket

import numpy as np
import pytest
import weft
from conftest import close, comm, must_raise, random_layout, random_whole
from docstrings import documented, run_examples
from mpi4py import MPI

torch = pytest.importorskip("torch")
import weft.torch  # noqa: E402
from weft import _torch_operator  # noqa: E402

KINDS = ("fft", "ifft", "rfft", "irfft")
WHOLE = tuple(f"{kind}n" for kind in KINDS)
SHAPE = (6, 5, 8)


def slab(whole):
    """This rank's part along axis 0."""
    return whole[weft.Layout.slabs(whole.shape, comm.size).box(comm.rank).slices].clone()


def near(actual, expected):
    """Whether a local part has the values and the type that are expected."""
    single = expected.dtype in (torch.float32, torch.complex64)
    return actual.dtype == expected.dtype and close(
        actual.detach().numpy(), expected.detach().numpy(), "c8" if single else "c16"
    )


def random_tensor(rng, shape, name, dtype="c16"):
    """Random numbers, the same on all ranks, that the transform of that name takes."""
    real = {"c16": "f8", "c8": "f4"}[dtype]
    return torch.from_numpy(random_whole(rng, shape, real if name.startswith("rfft") else dtype))


class Part(torch.autograd.Function):
    """This rank's part of a tensor that all ranks have. Of a function of that tensor, whose result
    all ranks have as well, each rank computes its part of the gradient, and `Whole` completes it."""

    @staticmethod
    def forward(x):
        return slab(x)

    @staticmethod
    def setup_context(ctx, inputs, output):
        pass

    @staticmethod
    def backward(ctx, gradient):
        return Whole.apply(gradient)

    @staticmethod
    def jvp(ctx, tangent):
        return Part.apply(tangent)

    @staticmethod
    def vmap(info, in_dims, x):
        return Part.apply(x.movedim(in_dims[0], -1)), x.ndim - 1


class Whole(Part):
    """The tensor of which each rank has its part: the adjoint of `Part`."""

    @staticmethod
    def forward(x):
        return torch.cat(comm.allgather(x.detach().resolve_conj().clone()))

    @staticmethod
    def backward(ctx, gradient):
        return Part.apply(gradient)

    @staticmethod
    def jvp(ctx, tangent):
        return Whole.apply(tangent)

    @staticmethod
    def vmap(info, in_dims, x):
        return Whole.apply(x.movedim(in_dims[0], -1)), x.ndim - 1


def on_whole(function):
    """The distributed function as one from whole tensors to whole tensors, which every rank has."""
    return lambda x: Whole.apply(function(Part.apply(x)))


# ---- Values -------------------------------------------------------------------------------------

ALONG_ONE = ({}, {"dim": 1}, {"n": 7}, {"n": 4, "dim": -2}, {"dim": 0, "norm": "ortho"})
ALONG_SEVERAL = (
    {},
    {"norm": "forward"},
    {"s": (4, 9)},
    {"s": (5, -1)},
    {"s": (7, 9), "dim": (2, 1)},
    {"dim": (2, 0)},
    {"dim": (-1, 0, 1), "norm": "ortho"},
    {"s": (6, 3), "dim": (0, -2)},
)


@pytest.mark.parametrize("dtype", ["c8", "c16"])
@pytest.mark.parametrize("kind", KINDS)
def test_values(kind, dtype, rng):
    calls = [(kind, ALONG_ONE), (f"{kind}2", ALONG_SEVERAL[:-1]), (f"{kind}n", ALONG_SEVERAL)]
    whole = random_tensor(rng, SHAPE, kind, dtype)
    for name, settings in calls:
        for given in settings:
            expected = slab(getattr(torch.fft, name)(whole, **given))
            assert near(getattr(weft.torch, name)(slab(whole), **given), expected), (name, given)
    assert near(
        getattr(weft.torch, f"{kind}n")(slab(whole), dim=1),
        slab(getattr(torch.fft, kind)(whole, dim=1)),
    )


def test_inputs_of_all_sorts(rng):
    """Views of all kinds, other types; the input stays as it is, and the result is new memory."""
    z = random_tensor(rng, SHAPE, "fftn")
    real = z.real.contiguous()
    views = {
        "conj": (slab(z).conj(), z.conj()),
        "negative": (slab(z).conj().imag, z.conj().imag),
        "transposed": (slab(z).transpose(1, 2), z.transpose(1, 2)),
        "expanded": (slab(z)[:, :1].expand(-1, 3, -1), z[:, :1].expand(-1, 3, -1)),
        "strided": (slab(z)[:, ::2, 1::3], z[:, ::2, 1::3]),
        "whole numbers": ((9 * slab(real)).int(), (9 * real).int()),
        "booleans": (slab(real) > 0, real > 0),
    }
    for name, (local, whole) in views.items():
        before = local.clone()
        assert near(weft.torch.fftn(local), slab(torch.fft.fftn(whole))), name
        assert torch.equal(local, before), name
    x = slab(z).requires_grad_()
    with torch.no_grad():
        assert not weft.torch.fftn(x).requires_grad
    with torch.inference_mode():
        y = weft.torch.ifftn(weft.torch.fftn(x))
        assert y.is_inference() and near(y, x)
    one = torch.ones(1 if comm.rank == 0 else 0, 1, dtype=torch.complex128)
    result = weft.torch.fftn(one)  # of one point, which is its own transform
    result += 1
    assert torch.equal(one, torch.ones_like(one))


def test_parts_of_any_lengths_and_layouts(rng):
    whole = random_tensor(rng, (5, 4, 8), "rfftn")
    ends = [0, *sorted(int(end) for end in rng.integers(0, 6, comm.size - 1)), 5]
    size = -(-5 // comm.size)
    for low, high in (ends[comm.rank : comm.rank + 2], (size * comm.rank, size * (comm.rank + 1))):
        local = whole[low:high]
        assert near(weft.torch.rfftn(local), torch.fft.rfftn(whole)[low:high])
        batch = torch.vmap(weft.torch.rfftn)(torch.stack([local, 2 * local]))
        assert near(batch[1], 2 * torch.fft.rfftn(whole)[low:high])
    layout = random_layout(rng, (5, 4, 8))
    box = layout.box(comm.rank).slices
    duplicate = comm.Dup()
    x = whole[box].clone().requires_grad_()
    y = weft.torch.fftn(x, layout=layout, comm=duplicate)
    assert near(y, torch.fft.fftn(whole)[box]) and y.is_contiguous()
    y.abs().pow(2).sum().backward()
    assert near(x.grad, 2 * 5 * 4 * 8 * whole[box])
    duplicate.Free()


def test_mistakes():
    x = torch.ones(2, 3)
    for words, call in (
        ("dim: 2; the tensor has 2 axes", lambda: weft.torch.fftn(x, dim=2)),
        ("dim: .*once", lambda: weft.torch.fft2(x, dim=(0, -2))),
        ("dim: 'x'", lambda: weft.torch.rfft(x, dim="x")),
        ("dim: .*one axis or more", lambda: weft.torch.fftn(x, dim=())),
        ("s: ", lambda: weft.torch.fftn(x, s=(3, 3, 3))),
        ("n: ", lambda: weft.torch.fft(x, n=0)),
        ("n: ", lambda: weft.torch.fft(x, n=1.5)),
        ("norm: ", lambda: weft.torch.fftn(x, norm="none")),
        ("dtype torch.complex64; valid are real", lambda: weft.torch.rfftn(x.to(torch.complex64))),
        ("dtype torch.float16", lambda: weft.torch.fftn(x.half())),
        ("input: is a list", lambda: weft.torch.fftn([1.0])),
        ("layout: ", lambda: weft.torch.fftn(x, layout=weft.Layout.slabs((4, 3), comm.size + 1))),
    ):
        must_raise(weft.Error, words, call)
    with pytest.raises(weft.Error, match="input: lies on the device meta|meta"):
        _torch_operator._device_options(torch.device("meta"))
    for wrong in ({"dim": 5}, {"norm": "none"}):  # of the last rank alone
        given = wrong if comm.rank == comm.size - 1 else {}
        must_raise(weft.Error, next(iter(wrong)), lambda: weft.torch.fftn(x, **given))
    if comm.size > 1:
        must_raise(weft.Error, "s: ", lambda: weft.torch.fftn(x, s=(9,), dim=0))
        must_raise(
            weft.Error, "must pass the same", lambda: weft.torch.fftn(torch.ones(2, 3 + comm.rank))
        )


@pytest.mark.parametrize("name", WHOLE)
def test_plans_for_a_device(name, rng, monkeypatch):
    """Tensors of an emulated device do not exist; a plan for one takes those of the host."""
    monkeypatch.setattr(_torch_operator, "_device_options", lambda device: "device=emulated")
    whole = random_tensor(rng, SHAPE, name)
    truth, x = whole.clone().requires_grad_(), slab(whole).requires_grad_()
    expected, y = getattr(torch.fft, name)(truth), getattr(weft.torch, name)(x)
    assert near(y, slab(expected))
    for result in (expected, y):
        result.abs().pow(3).sum().backward()
    assert near(x.grad, slab(truth.grad))


# ---- Derivatives --------------------------------------------------------------------------------


def objective(function):
    """A sum that no linear function has, of a function's result."""
    return lambda x: function(x).abs().pow(3).sum()


@pytest.mark.parametrize("name", WHOLE)
def test_gradients(name, rng):
    """The gradient of a sum over all ranks, of which each rank knows its part."""
    whole = random_tensor(rng, SHAPE, name)
    for given in ({}, {"norm": "ortho", "dim": (0, -1)}, {"s": (6, 7)}):
        truth, x = whole.clone().requires_grad_(), slab(whole).requires_grad_()
        objective(lambda x: getattr(torch.fft, name)(x, **given))(truth).backward()
        objective(lambda x: getattr(weft.torch, name)(x, **given))(x).backward()
        assert near(x.grad, slab(truth.grad)), given


@pytest.mark.parametrize("fast_mode", [False, True])
@pytest.mark.parametrize("name", WHOLE)
def test_gradcheck(name, fast_mode, rng, seed):
    """gradcheck knows nothing of ranks: it moves one element of the input and looks at all of the
    output. So the function that it gets is one of whole tensors, `on_whole`: all ranks move the same
    element of their copy at once, which is a change of that element of the distributed tensor, and
    see the same whole output. Numbers that torch draws are the same on all ranks."""
    torch.manual_seed(seed)
    x = random_tensor(rng, (2, 3), name).requires_grad_()
    function = on_whole(getattr(weft.torch, name))
    autograd = torch.autograd
    assert autograd.gradcheck(function, (x,), fast_mode=fast_mode, check_forward_ad=True)
    assert autograd.gradgradcheck(function, (x,), fast_mode=fast_mode, check_fwd_over_rev=True)


@pytest.mark.parametrize("name", WHOLE)
def test_functional_derivatives(name, rng):
    own, truth = on_whole(getattr(weft.torch, name)), getattr(torch.fft, name)
    x, t = (random_tensor(rng, (3, 4), name) for _ in range(2))
    func = torch.func
    for actual, expected in zip(func.jvp(own, (x,), (t,)), func.jvp(truth, (x,), (t,))):
        assert near(actual, expected)
    assert near(func.grad(objective(own))(x), func.grad(objective(truth))(x))
    many = torch.stack([x, t, x + t])
    for make in (lambda f: func.grad(objective(f)), lambda f: lambda x: func.jvp(f, (x,), (t,))[1]):
        assert near(func.vmap(make(own))(many), func.vmap(make(truth))(many))


def test_jacobians(rng):
    """torch has Jacobians of real numbers only."""
    functions = (on_whole(weft.torch.rfftn), torch.fft.rfftn)
    x = random_tensor(rng, (3, 4), "rfftn")
    for make in (torch.func.jacrev, torch.func.jacfwd):
        own, truth = (make(lambda x: torch.view_as_real(f(x)))(x) for f in functions)
        assert near(own, truth)
    own, truth = (torch.func.hessian(objective(f))(x) for f in functions)
    assert near(own, truth)


def test_batches(rng):
    """vmap along any axis, and in vmap, is one transform of many arrays."""
    many = random_tensor(rng, (3, 2, *SHAPE), "rfftn")
    local = torch.stack([torch.stack([slab(x) for x in row]) for row in many])
    expected = torch.fft.rfftn(many, dim=(2, 3, 4))
    expected = torch.stack([torch.stack([slab(x) for x in row]) for row in expected])
    assert near(torch.vmap(torch.vmap(weft.torch.rfftn))(local), expected)
    inner = torch.vmap(weft.torch.rfftn, in_dims=-1, out_dims=1)
    assert near(torch.vmap(inner)(local.permute(1, 2, 3, 4, 0)), expected.permute(1, 2, 0, 3, 4))
    x = local[0, 0].requires_grad_()
    gradients = torch.autograd.grad(weft.torch.rfftn(x), x, expected[:, 0], is_grads_batched=True)
    truth = torch.func.vjp(weft.torch.rfftn, x.detach())[1]
    assert near(gradients[0], torch.stack([truth(one)[0] for one in expected[:, 0]]))


def test_forward_mode(rng):
    forward = torch.autograd.forward_ad
    x, t = (random_tensor(rng, SHAPE, "rfftn") for _ in range(2))
    with forward.dual_level():
        y = weft.torch.rfftn(forward.make_dual(slab(x), slab(t)))
        primal, tangent = forward.unpack_dual(y)
    assert near(primal, slab(torch.fft.rfftn(x))) and near(tangent, slab(torch.fft.rfftn(t)))


# ---- Compiled functions -------------------------------------------------------------------------


def smooth(x, module, **how):
    """A transform and one that depends on it, and a third beside them."""
    y = module.irfftn(0.5 * module.rfftn(x, **how), s=(-1, -1, 8), **how)
    return y.pow(3).sum() + module.fft(x, dim=1, **how).abs().sum()


def test_compiled(rng):
    """Without a break of the graph, and with derivatives; also of another shape."""
    torch._dynamo.reset()
    compiled = torch.compile(smooth, fullgraph=True, backend="aot_eager")
    other = (7, 4, 8)
    layout = weft.Layout.slabs(other, comm.size)
    for shape, how in ((SHAPE, {}), (other, {"layout": layout, "comm": comm})):
        whole = random_tensor(rng, shape, "rfftn")
        truth, x = whole.clone().requires_grad_(), slab(whole).requires_grad_()
        smooth(truth, torch.fft).backward()
        compiled(x, weft.torch, **how).backward()
        assert near(x.grad, slab(truth.grad)), (shape, how)
    compiled = torch.compile(weft.torch.rfftn, fullgraph=True, backend="eager")
    for axis in (0, 1, 2):  # layouts, of which the next may get the last one's address
        box = weft.Layout.slabs(other, comm.size, axis).box(comm.rank).slices
        result = compiled(whole[box], layout=weft.Layout.slabs(other, comm.size, axis))
        there = weft.Layout.slabs((7, 4, 5), comm.size, axis).box(comm.rank).slices
        assert near(result, torch.fft.rfftn(whole)[there])
    for transform in (torch.func.grad, torch.vmap):
        function = transform(lambda x: objective(weft.torch.rfftn)(x))
        made = torch.compile(function, fullgraph=True, backend="eager")
        local = x.detach() if transform is torch.func.grad else torch.stack([x.detach()] * 2)
        assert near(made(local), function(local))


@pytest.mark.parametrize("name", WHOLE)
def test_operator_as_torch_checks_it(name, rng):
    """Among others, that its results have the shapes which torch.compile is told."""
    x = slab(random_tensor(rng, SHAPE, name))
    layout = weft.Layout.slabs(SHAPE, comm.size)
    for place, axes in ((None, (0, 1, 2)), (layout, (1, 2, 0))):
        number = _torch_operator.place_of(None, place, (), ())
        how = (name, x.shape, axes, (-1,) * 3, "backward", number)
        torch.library.opcheck(_torch_operator.linear, (x, False, *how))
        y = _torch_operator.linear(x, False, *how)
        torch.library.opcheck(_torch_operator.linear, (torch.stack([y, y]), True, *how))
    if comm.size > 1 and "r" in name:
        number = _torch_operator.place_of(None, None, (), ())
        with pytest.raises(weft.Error, match="layout: None, where torch.compile"):
            _torch_operator._result_shape(name, x.shape, 0, -1, number)


# ---- DTensors -----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def processes():
    """torch's processes, numbered as the ranks."""
    distributed = torch.distributed
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = comm.bcast(free.getsockname()[1])
    distributed.init_process_group(
        "gloo", init_method=f"tcp://127.0.0.1:{port}", rank=comm.rank, world_size=comm.size
    )
    yield distributed
    distributed.destroy_process_group()


def sharded(whole, mesh, *dims):
    """The DTensor with these shards, from a tensor that all ranks have."""
    shards = [torch.distributed.tensor.Shard(dim) for dim in dims]
    return torch.distributed.tensor.distribute_tensor(whole, mesh, shards, src_data_rank=None)


def meshes():
    """Meshes of the ranks, with axes that they may shard."""
    from torch.distributed.device_mesh import DeviceMesh

    grid = tuple(MPI.Compute_dims(comm.size, 2))
    ranks = torch.arange(comm.size)
    line, back = DeviceMesh("cpu", ranks), DeviceMesh("cpu", ranks.flip(0))
    plane = DeviceMesh("cpu", ranks.reshape(grid))
    yield from ((line, (0,)), (line, (1,)), (line, (-1,)), (back, (0,)))
    yield from ((plane, (0, 1)), (plane, (2, 0)), (plane, (1, 1)), (plane, (2, 2)))


@pytest.mark.parametrize("name", WHOLE)
def test_sharded_tensors(name, rng, processes):
    for mesh, dims in meshes():
        whole = random_tensor(rng, (5, 6, 7), name)
        truth, x = whole.clone().requires_grad_(), sharded(whole, mesh, *dims).requires_grad_()
        expected, y = getattr(torch.fft, name)(truth), getattr(weft.torch, name)(x)
        assert y.placements == x.placements and y.shape == expected.shape, (mesh, dims)
        assert near(y.to_local(), sharded(expected.detach(), mesh, *dims).to_local())
        for result in (expected, y):
            result.abs().pow(3).sum().backward()
        assert x.grad.placements == x.placements
        assert near(x.grad.to_local(), sharded(truth.grad, mesh, *dims).to_local())


def test_parts_of_meshes(rng, processes):
    """Each row of a mesh transforms a tensor of its own."""
    grid = tuple(MPI.Compute_dims(comm.size, 2))
    mesh = processes.init_device_mesh("cpu", grid, mesh_dim_names=("many", "one"))
    many = random_tensor(rng, (grid[0], 6, 5), "rfftn")
    whole = many[mesh.get_local_rank("many")]
    x = sharded(whole, mesh["one"], 0)
    assert near(weft.torch.rfftn(x, s=(-1, 4)).full_tensor(), torch.fft.rfftn(whole, s=(6, 4)))
    own = comm.Split(mesh.get_local_rank("many"))
    assert near(weft.torch.rfftn(x, comm=own).full_tensor(), torch.fft.rfftn(whole))
    own.Free()


def test_mistakes_with_sharded_tensors(rng, processes):
    from torch.distributed.tensor import Replicate, distribute_tensor

    mesh = processes.init_device_mesh("cpu", (comm.size,))
    whole = random_tensor(rng, (4, 6), "fftn")
    x = sharded(whole, mesh, 0)
    copies = distribute_tensor(whole, mesh, [Replicate()], src_data_rank=None)
    layout = weft.Layout.slabs((4, 6), comm.size)
    must_raise(weft.Error, "valid is Shard on every", lambda: weft.torch.fftn(copies))
    must_raise(weft.Error, "layout: ", lambda: weft.torch.fftn(x, layout=layout))
    if comm.size > 1:
        must_raise(weft.Error, "comm: ", lambda: weft.torch.fftn(x, comm=MPI.COMM_SELF))


# ---- Plans and arrays ---------------------------------------------------------------------------


def test_tensors_as_arguments_of_plans(rng):
    whole = random_whole(rng, (6, 4), "c8")
    plan = weft.Plan((6, 4), dtype="f4", output=weft.Layout.slabs((6, 4), comm.size))
    x = slab(torch.from_numpy(whole))
    y = torch.zeros(plan.make_output().local.shape, dtype=torch.complex64)
    assert plan.forward(x, y) is y
    assert near(y, slab(torch.from_numpy(np.fft.fftn(whole).astype("c8"))))


def test_dlpack_becomes_an_array():
    local = torch.ones((2, 3))
    assert weft.from_local(local).sum() == 6 * comm.size


def test_examples_of_docstrings():
    docstrings = documented(["weft.torch"])
    assert len(docstrings) == 13  # the module and its functions
    for name, docstring in docstrings.items():
        run_examples(name, docstring, torch=torch)
