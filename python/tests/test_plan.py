"""weft.Plan: directions, layouts, fields, transforms in flight, functions of the spectrum,
mistakes, lifetimes."""

import asyncio
import ctypes
import gc
import pathlib
import threading
import time

import numpy as np
import pytest
import weft
from conftest import close, comm, everywhere, random_layout, random_whole


def test_forward_and_backward(rng):
    for dtype in ("f4", "f8"):
        shape = tuple(int(n) for n in rng.integers(1, 12, 3))
        whole = random_whole(rng, shape, dtype)
        layouts = {
            "input": random_layout(rng, shape),
            "output": random_layout(rng, (*shape[:2], shape[2] // 2 + 1)),
        }
        with weft.Plan(shape, "r2c", dtype=dtype, **layouts) as plan:
            u = plan.make_input()
            assert u.layout == layouts["input"] and u.dtype == dtype
            u.local[...] = whole[u.slices]
            spectrum = plan.forward(u)
            assert close(spectrum.gather(None), np.fft.rfftn(whole), dtype)
            assert everywhere(np.array_equal(u.local, whole[u.slices]))
            assert close(plan.backward(spectrum, scale=2).gather(None), 2 * whole, dtype)


def test_own_arrays_are_used_in_place(rng):
    whole = random_whole(rng, (8, 6, 5), "c16")
    with weft.Plan((8, 6, 5), options="exchange=shared") as plan:
        plan.input.local[...] = whole[plan.input.slices]
        address = plan.output.local.ctypes.data
        result = plan.forward(plan.input, plan.output)
        assert result is plan.output and result.local.ctypes.data == address
        assert close(result.gather(None), np.fft.fftn(whole), "c16")


def test_plain_numpy_arrays(rng):
    whole = random_whole(rng, (6, 4, 5), "f8")
    plan = weft.Plan((6, 4, 5), "r2c")
    x = np.ascontiguousarray(whole[plan.input_layout.box(comm.rank).slices])
    y = plan.make_output()
    assert plan.forward(x, y.local) is y.local
    assert close(y.gather(None), np.fft.rfftn(whole), "f8")


def test_fewer_ranks(rng):
    whole = random_whole(rng, (6, 4, 5), "c16")
    layout = weft.Layout.slabs((6, 4, 5), 1).spread(comm.size)
    assert (layout.ranks, layout.positions, layout.stride_of_ranks) == (comm.size, 1, 1)
    for plan in (
        weft.Plan((6, 4, 5), active_ranks=1),
        weft.Plan((6, 4, 5), input=layout, output=layout),
    ):
        u = weft.from_global(whole, layout=plan.input_layout)
        assert u.local.size == (whole.size if comm.rank == 0 else 0)
        assert close(plan.forward(u).gather(None), np.fft.fftn(whole), "c16")


def test_several_fields(rng):
    wholes = [random_whole(rng, (5, 6), "c16") for _ in range(3)]
    plan = weft.Plan((5, 6), fields=2)
    fields = [weft.from_global(whole, layout=plan.input_layout) for whole in wholes]
    for result, whole in zip(plan.forward(fields[:2]), wholes):
        assert close(result.gather(None), np.fft.fftn(whole), "c16")


def test_in_flight(rng):
    whole = random_whole(rng, (9, 8), "c16")
    plan = weft.Plan((9, 8), fields=2)
    u = weft.from_global(whole, layout=plan.input_layout)
    spectrum = plan.forward(u)
    first, second = plan.start_forward(u), plan.start_backward(spectrum)
    while not second.test():
        pass
    assert close(first.wait().gather(None), np.fft.fftn(whole), "c16")
    assert close(second.wait().gather(None), whole, "c16")
    assert first.test()

    async def awaited():
        return await plan.start_forward(u, scale=3)

    assert close(asyncio.run(awaited()).gather(None), 3 * np.fft.fftn(whole), "c16")


def test_handles_keep_what_they_need(rng):
    whole = random_whole(rng, (9, 8), "c16")

    def start():
        plan = weft.Plan((9, 8))
        return plan.start_forward(weft.from_global(whole, layout=plan.input_layout))

    handle = start()
    gc.collect()
    assert close(handle.wait().gather(None), np.fft.fftn(whole), "c16")


def test_operators(rng):
    shape = (12, 10, 8)
    plan = weft.Plan(shape, "r2c", fields=3)
    x, y, z = plan.make_input().coordinates()
    u = plan.make_input()
    u.local[...] = np.sin(2 * x) * np.cos(y) + 0 * z
    laplacian = plan.apply(u, function="laplacian")
    assert float(abs(laplacian + 5 * u).max()) < 1e-12
    assert float(abs(plan.apply(laplacian, function="inverse_laplacian") - u).max()) < 1e-12
    gradient = plan.apply(u, function="gradient", lengths=[np.pi] + [2 * np.pi] * 2)
    assert len(gradient) == 3
    assert everywhere(np.allclose(gradient[0].local, 4 * np.cos(2 * x) * np.cos(y) + 0 * z))
    assert float(abs(plan.apply(gradient, function="divergence", lengths=1).sum())) < 1e-8
    with pytest.raises(weft.Error, match="did you mean `laplacian`"):
        plan.apply(u, function="laplace")
    with pytest.raises(weft.Error, match="inputs"):
        plan.apply(u, function="curl")


def test_functions_of_c(rng):
    @weft.LineFunction
    def twice(line, user):
        values = np.ctypeslib.as_array(
            ctypes.cast(line[0].values, ctypes.POINTER(ctypes.c_double)), (2 * line[0].count,)
        )
        values *= ctypes.cast(user, ctypes.POINTER(ctypes.c_double))[0]

    @weft.LinesFunction
    def swap(lines, user):
        first, second = (
            np.ctypeslib.as_array(
                ctypes.cast(lines[0].values[f], ctypes.POINTER(ctypes.c_double)),
                (2 * lines[0].count,),
            )
            for f in range(2)
        )
        first[:], second[:] = second.copy(), first.copy()

    plan = weft.Plan((6, 8), "r2c", fields=2)
    u = weft.from_global(random_whole(rng, (6, 8), "f8"), layout=plan.input_layout)
    factor = ctypes.c_double(2)
    assert (
        float(abs(plan.apply(u, None, twice, user=ctypes.addressof(factor)) - 2 * u).max()) < 1e-13
    )
    v, w = plan.apply([u, 3 * u], None, swap)
    assert float(abs(v - 3 * u).max()) < 1e-13 and float(abs(w - u).max()) < 1e-13


@pytest.mark.parametrize("dtype", ["c8", "c16"])
def test_numba_function(dtype, rng):
    pytest.importorskip("numba")
    import weft.numba

    @weft.numba.line_function(dtype)
    def laplacian(values, axis, wavenumbers, at):
        values *= -(wavenumbers**2 + at[1 - axis] ** 2)

    plan = weft.Plan((6, 8), "r2c", dtype=dtype)
    u = plan.make_input()
    u.local[...] = random_whole(rng, (6, 8), "f8")[u.slices]
    truth = plan.apply(u, None, "laplacian")
    assert close(plan.apply(u, None, laplacian).gather(None), truth.gather(None), dtype)


def test_kept_modes_and_options():
    plan = weft.Plan((12, 12), modes="2/3", options={"exchange": "p2p"}, threads=2)
    assert plan.transform.spectral_shape == (9, 9) and plan.output_layout.shape == (9, 9)
    assert set(plan.exchanges) <= {"p2p"} and "threads=2" in plan.options
    k, _ = plan.make_output().wavenumbers()
    assert everywhere(np.all(np.abs(k) <= 4))
    assert "passes" in plan.describe() or "pass 0" in plan.describe()
    assert plan.workspace_bytes >= 0 and plan.sent[0] >= 0


def test_trace():
    plan = weft.Plan((8, 8))
    plan.record()
    plan.forward(plan.input, plan.output)
    trace = plan.trace()
    assert trace.dropped == 0 and {"pass"} <= {span.what for span in trace.spans}
    assert all(span.begin <= span.end for span in trace.spans)


def test_tune_and_describe():
    seen = []
    trials = weft.tune((16, 16), "r2c", seconds=0.1, report=seen.append)
    assert trials and seen and trials[0].measured_seconds > 0
    weft.Plan((16, 16), "r2c", options=trials[0].options)
    assert "32 ranks" in weft.describe((64, 64, 64), "r2c", ranks=32)
    assert {"shared", "p2p"} <= set(weft.exchange_names()) and "weft" in weft.engine_names()
    assert "exchange" in weft.option_keys()


def test_place(rng):
    grid = (1, comm.size)
    placed = weft.place(comm, grid, "torus:64")
    assert placed.size == comm.size
    whole = random_whole(rng, (8, 9, 7), "c16")
    with weft.Plan((8, 9, 7), comm=placed, options={"grid": grid}) as plan:
        u = weft.from_global(whole, layout=plan.input_layout, comm=placed)
        assert close(plan.forward(u).gather(None), np.fft.fftn(whole), "c16")
    del u
    placed.Free()
    with pytest.raises(weft.Error, match="ring:64"):
        weft.place(comm, grid, "ring:64")
    with pytest.raises(weft.Error, match="grid"):
        weft.place(comm, (comm.size, 2))


# ---- Mistakes ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "arguments, message",
    [
        ((((4, 4), "c3c"), {}), "did you mean `c2c`"),
        ((((4, 0), "c2c"), {}), "less than 1"),
        ((((4, 4), "c2c"), {"dtype": "i4"}), "float32"),
        ((((4, 4), "c2c"), {"norm": "half"}), "backward"),
        ((((4, 4), "c2c"), {"norm": 0}), "backward"),
        ((((4, 4), "c2c"), {"exchange": "pigeon"}), "pigeon"),
        ((((4,) * 9,), {}), "8"),
        ((((4, 4), ["c2c"]), {}), "kinds"),
        ((((4, 4), "c2c"), {"modes": ["1"]}), "modes"),
        ((((4, 4), "c2c"), {"ellipse": [1.5]}), "ellipse"),
        ((((4, 4), "c2c"), {"input": weft.Layout.slabs((5, 4), comm.size)}), "5x4"),
    ],
)
def test_mistakes_in_plans_are_the_same_on_all_ranks(arguments, message):
    with pytest.raises(weft.Error, match=message):
        weft.Plan(*arguments[0], **arguments[1])


def test_mistake_of_one_rank_in_a_plan():
    with pytest.raises(weft.Error, match="c3c"):
        weft.Plan((4, 4), "c3c" if comm.rank == comm.size - 1 else "c2c")


WRONG = [
    (lambda x: x.astype("c8"), "dtype"),
    (lambda x: np.zeros((3, 3, 3), "c16"), "shape"),
    (lambda x: np.asfortranarray(x), "strides"),
    (lambda x: "text", "array"),
    (lambda x: None, "array"),
]


@pytest.mark.parametrize("wrong, message", WRONG)
def test_mistakes_in_calls_of_all_ranks(wrong, message):
    plan = weft.Plan(
        (8, 6, 2 * comm.size), input=weft.Layout.slabs((8, 6, 2 * comm.size), comm.size, 2)
    )
    with pytest.raises(weft.Error, match=message):
        plan.forward(wrong(plan.make_input().local), plan.make_output())
    plan.forward(plan.make_input())  # it goes on


def test_mistakes_of_one_rank_in_checked_calls():
    plan = weft.Plan((8, 8), check_calls=True)
    u = plan.make_input()
    with pytest.raises(weft.Error):
        plan.forward(u.local.astype("c8") if comm.rank == 0 else u, plan.make_output())
    read_only = plan.make_output()
    read_only.local.flags.writeable = False
    with pytest.raises(weft.Error, match="read-only"):
        plan.forward(u, read_only)


def test_closed_plans():
    plan = weft.Plan((4, 4))
    plan.close()
    plan.close()
    with pytest.raises(weft.Error, match="closed"):
        plan.forward(np.zeros((4, 4)), np.zeros((4, 4)))


# ---- Lifetimes -----------------------------------------------------------------------------------


def test_plans_are_dropped_in_any_order(rng):
    order = np.random.default_rng(comm.rank).permutation(6)
    for _ in range(3):
        plans = {number: weft.Plan((6, 6, 6), exchange="shared") for number in range(6)}
        arrays = {number: plan.output for number, plan in plans.items()}
        for number in map(int, order):
            del plans[number]
            gc.collect()
            del arrays[5 - number]
        weft.Plan((4, 4)).close()


def test_plans_are_dropped_by_another_thread():
    plans = [weft.Plan((6, 6)) for _ in range(4)]
    thread = threading.Thread(target=plans.clear)
    thread.start()
    thread.join()
    weft.Plan((4, 4)).close()


def test_arrays_outlive_their_plan(rng):
    plan = weft.Plan((6, 6))
    u = plan.input
    plan.close()
    del plan
    gc.collect()
    u.local[...] = 7
    assert u.sum() == 7 * 36


def test_other_threads_run_meanwhile(tmp_path):
    """The last rank comes late: not before the threads of all others have run for a while during
    the call, which it learns from files."""
    enough = 20
    folder = pathlib.Path(comm.bcast(str(tmp_path)))
    plan = weft.Plan((8, 8))
    plan.forward(plan.input, plan.output)
    is_last = comm.rank == comm.size - 1
    ticks, over = 0, False

    def tick():
        nonlocal ticks
        while not over and ticks < enough:
            ticks += 1
            time.sleep(0.001)
        (folder / str(comm.rank)).touch()

    def have_all_run():
        return all((folder / str(rank)).exists() for rank in range(comm.size - 1))

    comm.Barrier()
    thread = threading.Thread(target=tick)
    limit = time.monotonic() + 30
    if is_last:
        while not have_all_run() and time.monotonic() < limit:
            time.sleep(0.001)
    else:
        thread.start()
    plan.forward(plan.input, plan.output)
    over = True
    if not is_last:
        thread.join()
    assert everywhere(is_last or ticks == enough)


def test_plans_of_freed_communicators():
    own = comm.Dup()
    u = weft.ones((4, 6), comm=own)
    spectrum = weft.rfftn(u)
    assert spectrum.at[0, 0] == 24
    own.Free()
    halves = comm.Split(comm.rank % 2)
    assert weft.rfftn(weft.ones((4, 6), comm=halves)).at[0, 0] == 24
    halves.Free()


@pytest.mark.parametrize("dtype", ["?", "i2", "f4", "u4", "i8", "F", "D"])
def test_kind_none_moves_any_type(dtype, rng):
    shape = (5, 6, 4)
    whole = rng.integers(0, 2 if dtype == "?" else 100, shape).astype("i8").astype(dtype)
    source = weft.Layout.slabs(shape, comm.size)
    target = weft.Layout.slabs(shape, comm.size, 2).ordered([2, 0, 1])
    with weft.Plan(shape, "none", dtype=dtype, input=source, output=target) as plan:
        field = plan.make_input()
        assert field.dtype == np.dtype(dtype)
        field.local[...] = whole[field.slices]
        moved = plan.forward(field)
        assert moved.dtype == field.dtype
        assert everywhere(np.array_equal(moved.local, whole[moved.slices]))
        assert everywhere(np.array_equal(plan.backward(moved).local, field.local))


def test_kind_none_names_types_that_it_cannot_move():
    for dtype in (object, "S4", "M8[s]", np.longdouble, np.dtype("i4,i4")):
        with pytest.raises(weft.Error, match="valid with kind none are booleans, integers"):
            weft.Plan((4, 4), "none", dtype=dtype)
