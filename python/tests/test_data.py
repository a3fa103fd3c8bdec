"""Data that come in: byte order, half precision, read-only memory, gradients; copies and pickles;
ranks that hold nothing."""

import copy
import pickle

import numpy as np
import pytest
import weft
from conftest import close, comm, everywhere, must_raise, random_layout, random_whole
from mpi4py import MPI

SHAPE = (6, 5, 4)


def foreign(array: np.ndarray) -> np.ndarray:
    return array.astype(array.dtype.newbyteorder(">"))


# ---- Byte order, half precision, memory ---------------------------------------------------------


@pytest.mark.parametrize("dtype", ["f4", "f8", "c8", "c16", "i4", "f2"])
def test_arrays_become_native(rng, dtype):
    whole = (10 * rng.standard_normal(SHAPE)).astype(dtype)
    layout = random_layout(rng, SHAPE)
    part = foreign(whole)[layout.box(comm.rank).slices]
    needed = np.dtype("f4" if dtype == "f2" else dtype)
    for a in (
        weft.from_global(foreign(whole), layout=layout),
        weft.from_local(part, layout),
        weft.Array(part, layout.contiguous(), comm),
        weft.Array(part, layout.padded((0, 1, 2)), comm),
        weft.zeros(SHAPE, needed, layout=layout).astype(f">{dtype}") + part,
    ):
        assert a.dtype == needed and a.dtype.isnative
        assert np.array_equal(a.gather(None), whole)
    single = dtype in ("f4", "c8", "f2")
    assert close(weft.fftn(a).gather(None), np.fft.fftn(whole), "c8" if single else "c16")
    assert np.isclose(a.sum(), whole.sum(dtype="c16"), rtol=1e-4, atol=1e-3)
    assert weft.zeros(SHAPE, f">{dtype}").dtype == needed


def test_plans_take_input_of_any_byte_order(rng):
    layout = random_layout(rng, SHAPE)
    for ends in (layout, layout.padded((1, 0, 2))):
        for dtype, given in (("f8", ">f8"), ("f4", ">f4"), ("f4", "f2"), ("f4", ">f2")):
            whole = random_whole(rng, SHAPE, "f8").astype(given)
            truth = np.fft.rfftn(whole.astype("f8"))
            part = whole[layout.box(comm.rank).slices]
            with weft.Plan(SHAPE, "r2c", dtype=dtype, input=ends) as plan:
                result = plan.forward(part)
                assert close(result.gather(None), truth, dtype)
                assert close(plan.start_forward(part).wait().gather(None), truth, dtype)
                twice = plan.apply(part, None, "laplacian")
                back = plan.backward(foreign(result.local))
                assert close(back.gather(None), whole.astype("f8"), dtype)
                assert twice.dtype == np.dtype(dtype)


def test_input_may_be_read_only_or_unaligned(rng):
    plan = weft.Plan(SHAPE)
    whole = random_whole(rng, SHAPE, "c16")
    part = np.ascontiguousarray(whole[plan.input_layout.box(plan.rank).slices])
    part.flags.writeable = False
    truth = np.fft.fftn(whole)
    assert close(plan.forward(part).gather(None), truth, "c16")
    records = np.zeros(part.shape, [("flag", "u1"), ("value", "c16")])
    records["value"] = part
    assert close(plan.forward(records["value"]).gather(None), truth, "c16")


def test_output_that_cannot_be_written_is_named(rng):
    plan = weft.Plan(SHAPE)
    given = plan.make_input()
    shape = plan.output_layout.box(plan.rank).shape
    frozen = np.zeros(shape, complex)
    frozen.flags.writeable = False
    unaligned = np.zeros(shape, [("flag", "u1"), ("value", "c16")])["value"]
    for output, sentence in (
        (frozen, "forward: the output is read-only"),
        (np.zeros(shape, ">c16"), "forward: the output has the byte order of other machines: >c16"),
        (unaligned, "forward: the output has strides that are no multiple"),
        (
            np.zeros((*shape[:-1], 2 * shape[-1]), complex)[..., ::2],
            "lies in memory in another way",
        ),
        (np.zeros(shape, "f2"), "has the dtype float16; this plan's is complex128"),
        ("text", "is no array in this machine's memory or a device's, but of type str"),
    ):
        must_raise(weft.Error, sentence, lambda: plan.forward(given, output))
    for wrong, sentence in (
        (foreign(frozen)[:, :, :1], "has the shape"),
        (np.zeros((1,) * 9, ">c16"), "has more than 8 axes"),
        (frozen.real.astype(">f8"), "has the byte order of other machines: >f8"),
        (frozen.real.astype("f2"), "has the dtype float16"),
    ):
        must_raise(weft.Error, sentence, lambda: plan.forward(wrong))


class Tensor:
    """An array that claims to be part of a graph of gradients."""

    def __init__(self, array: np.ndarray) -> None:
        self.array = array
        self.requires_grad = True

    def __dlpack__(self, **settings):
        return self.array.__dlpack__(**settings)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


def test_gradients_are_not_lost_silently():
    plan = weft.Plan((6, 4))
    array = plan.make_input()
    tensor = Tensor(array.local)
    must_raise(
        weft.Error,
        "requires gradients.*weft.torch",
        lambda: plan.forward(tensor),
        lambda: plan.backward(plan.make_output(), tensor),
        lambda: plan.start_forward(tensor),
        lambda: plan.apply(tensor, None, "laplacian"),
        lambda: weft.from_local(tensor),
    )
    tensor.requires_grad = False
    plan.forward(tensor)


# ---- Copies and pickles -------------------------------------------------------------------------

COPIES = (copy.copy, copy.deepcopy, lambda one: pickle.loads(pickle.dumps(one)))


def layouts(rng) -> list[weft.Layout]:
    kept = weft.Plan((9, 8), "r2c", modes="2/3").output_layout
    pencils = weft.Layout.pencils((5, 6, 7), (2, 3))
    return [
        random_layout(rng, SHAPE),
        kept,
        weft.Layout(),
        pencils.spread(13, 2).ordered((2, 0, 1)),
        pencils.partitioned("blocks").padded((0, 1, 2)),
        pencils.strided((100, 10, 1)),
        weft.Layout.boxes((4,), [weft.Box([0], [4]), weft.Box([9], [3])]),
    ]


@pytest.mark.parametrize("made", COPIES)
def test_values_are_copied_and_pickled(rng, made):
    box = weft.Box([1, 2], [3, 4])
    assert made(box) == box
    for layout in layouts(rng):
        other = made(layout)
        assert other == layout and str(other) == str(layout) and hash(other) == hash(layout)
        assert other.partition == layout.partition
        assert other.every_box() == layout.every_box()
        assert all(other.strides(r) == layout.strides(r) for r in range(layout.ranks))
    for transform in (
        weft.Transform((6, 5), ["dct2", "none"], norm=1 / 3, dtype="f4"),
        weft.Transform((9, 8), "r2c", modes="2/3", dropped="zero", norm="ortho"),
    ):
        assert made(transform) == transform and type(made(transform)) is weft.Transform


@pytest.mark.parametrize("made", COPIES)
def test_arrays_are_copied_and_pickled(rng, made):
    whole = random_whole(rng, SHAPE, "f8")
    layout = random_layout(rng, SHAPE)
    for one in (layout, layout.padded((0, 0, 3))):
        a = weft.from_global(whole, layout=one)
        b = made(a)
        assert b.layout == a.layout and b.comm == a.comm
        a.local[...] = 0
        assert np.array_equal(b.gather(None), whole)
    spectrum = weft.rfftn(weft.from_global(whole, layout=layout))
    assert close(weft.irfftn(made(spectrum)).gather(None), whole, "f8")  # the last length is odd
    assert np.isclose(made(spectrum).mean_square(), np.mean(whole**2))


def test_arrays_of_other_communicators_are_copied_but_not_pickled(rng):
    own = comm.Dup()
    a = weft.ones((4, 4), comm=own)
    assert copy.deepcopy(a).comm == own
    with pytest.raises(weft.Error, match="COMM_WORLD and MPI.COMM_SELF"):
        pickle.dumps(a)
    alone = weft.ones((4, 4), comm=MPI.COMM_SELF)
    assert pickle.loads(pickle.dumps(alone)).sum() == 16
    own.Free()


def test_pickles_are_of_one_rank():
    pieces = comm.allgather(pickle.dumps(weft.ones((4, 4))))
    for rank, piece in enumerate(pieces):
        if rank != comm.rank:
            with pytest.raises(weft.Error, match=f"pickled on rank {rank} of {comm.size}"):
                pickle.loads(piece)


def test_plans_are_not_copied():
    plan = weft.Plan((4, 4))
    handle = plan.start_forward(plan.make_input())
    for one in (plan, handle):
        for made in COPIES:
            with pytest.raises(TypeError, match="cannot be copied or pickled"):
                made(one)
    handle.wait()


# ---- Ranks that hold nothing --------------------------------------------------------------------


# Calls with arguments, and those that end the object's use or write.
ARRAY_CALLS = {
    "astype": lambda a: a.astype("c16"),
    "like": lambda a: a.like(a.local),
    "redistribute": lambda a: a.redistribute(weft.Layout.slabs(a.shape, comm.size, 0)),
    "require_same_boxes": lambda a: a.require_same_boxes(a),
    "require_same_ranks": lambda a: a.require_same_ranks(a),
    "save": None,  # test_files.py saves layouts in which some ranks hold nothing
    "at": lambda a: a.at[...],
    "vdot": lambda a: a.vdot(a),
}
PLAN_CALLS = {
    "close": None,
    "forward": lambda plan: plan.forward(plan.make_input()),
    "backward": lambda plan: plan.backward(plan.make_output()),
    "start_forward": lambda plan: plan.start_forward(plan.make_input()).wait(),
    "start_backward": lambda plan: plan.start_backward(plan.make_output()).wait(),
    "apply": lambda plan: plan.apply(plan.make_input(), None, "laplacian"),
    "set_stream": None,  # of devices
}


def called(owner, name: str, calls: dict):
    if name in calls:
        return calls[name](owner) if calls[name] else None
    value = getattr(owner, name)
    return value() if callable(value) and name not in ("comm", "dtype") else value


def outcome(owner, name: str, calls: dict) -> str:
    """The type of an attribute, or of a method's result or error."""
    try:
        return type(called(owner, name, calls)).__name__
    except Exception as error:
        return f"{type(error).__name__}: {error}"


@pytest.mark.parametrize("kind", ["c2c", "r2c", "dct2"])
@pytest.mark.parametrize("shape", [(2, 1), (1, 2), (3, 1, 2)])
def test_ranks_that_hold_nothing_do_the_same_as_others(shape, kind):
    with weft.Plan(shape, kind) as plan:
        owners = [(plan, PLAN_CALLS)] + [
            (make(), ARRAY_CALLS) for make in (plan.make_input, plan.make_output)
        ]
        for owner, calls in owners:
            for name in [name for name in dir(owner) if not name.startswith("_")]:
                seen = comm.allgather(outcome(owner, name, calls))
                assert len({text.replace("ndarray", "NoneType") for text in seen}) == 1, (
                    name,
                    seen,
                )


def test_parts_of_nothing_may_have_any_byte_order():
    with weft.Plan((2, 1), "r2c") as plan:
        part = np.ones(plan.input_layout.box(plan.rank).shape, ">f8")
        assert plan.forward(part if part.size else np.ones(0, ">f8")).at[0, 0] == 2


def test_the_mean_square_where_ranks_hold_nothing():
    for shape in ((2, 1), (1, 2), (3, 1, 8, 5)):
        with weft.Plan(shape, "r2c") as plan:
            u = plan.make_input()
            u.local[...] = 1
            for a in (u, plan.forward(u)):
                assert everywhere(np.isclose(a.mean_square(), 1))
                assert np.broadcast(a.local, *a.indices()).shape == a.local.shape
            k = plan.output.wavenumbers()
            assert np.broadcast(plan.output.local, *k).shape == plan.output.local.shape
