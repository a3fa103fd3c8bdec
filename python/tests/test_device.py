"""Arrays in the memory of a device, on emulated ones: by every protocol, and with every mistake."""

import ctypes
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
import weft
from mpi4py import MPI
from weft.device_array import DeviceArray

comm = MPI.COMM_WORLD
SHAPE = (6, 5, 8)
CPU, CUDA, CUDA_HOST, CUDA_MANAGED, METAL = 1, 2, 3, 13, 8


class Interface:
    """A library's array in the plan's own memory, by __cuda_array_interface__; `changes` replaces
    entries of that."""

    def __init__(self, array: DeviceArray, **changes: Any) -> None:
        said = {
            "version": 3,
            "shape": array.shape,
            "strides": array.strides,
            "typestr": array.dtype.str,
            "data": (array.address, False),
            "stream": 1,
        }
        said.update(changes)
        self.__cuda_array_interface__ = {
            name: value for name, value in said.items() if value is not Ellipsis
        }


class _Tensor(ctypes.Structure):
    """DLManagedTensor of DLPack, without versions."""

    _fields_ = (
        ("data", ctypes.c_void_p),
        ("device_kind", ctypes.c_int32),
        ("device_number", ctypes.c_int32),
        ("ndim", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
        ("manager", ctypes.c_void_p),
        ("deleter", ctypes.c_void_p),
    )


new_capsule = ctypes.pythonapi.PyCapsule_New
new_capsule.restype = ctypes.py_object
new_capsule.argtypes = (ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)


class Dlpack:
    """A library's array at an address, by DLPack."""

    def __init__(self, kind: int, like: Any, address: int) -> None:
        self.kind = kind
        self.calls: list[Any] = []  # the streams that were asked for
        count = len(like.shape)
        code = 5 if like.dtype.kind == "c" else 2
        self._shape = (ctypes.c_int64 * count)(*like.shape)
        self._strides = (ctypes.c_int64 * count)(
            *(stride // like.dtype.itemsize for stride in like.strides)
        )
        bits = 8 * like.dtype.itemsize
        self._tensor = _Tensor(
            address, kind, 0, count, code, bits, 1, self._shape, self._strides, 0, None, None
        )

    def __dlpack_device__(self) -> tuple[int, int]:
        return self.kind, 0

    def __dlpack__(self, *, stream: int | None = None, **_: Any) -> Any:
        self.calls.append(stream)
        return new_capsule(ctypes.addressof(self._tensor), b"dltensor", None)


@pytest.fixture
def plan() -> Iterator[weft.Plan]:
    with weft.Plan(SHAPE, device="emulated-lazy", exchange="p2p", errors="raise") as made:
        yield made


@pytest.fixture
def values(rng: np.random.Generator) -> np.ndarray:
    return rng.random(SHAPE) + 1j * rng.random(SHAPE)


def expected(plan: weft.Plan, whole: np.ndarray) -> np.ndarray:
    return np.fft.fftn(whole)[plan.output_layout.box(comm.rank).slices]


def part(plan: weft.Plan, whole: np.ndarray) -> np.ndarray:
    return whole[plan.input_layout.box(comm.rank).slices]


def test_own_arrays(plan: weft.Plan, values: np.ndarray) -> None:
    u = plan.input
    u.copy_from(part(plan, values))
    spectrum = plan.forward(u)
    assert isinstance(u, DeviceArray) and isinstance(spectrum, DeviceArray)
    np.testing.assert_allclose(spectrum.numpy(), expected(plan, values), atol=1e-12)
    host = spectrum.copy_to_host()
    assert isinstance(host, weft.Array) and host.space.is_spectrum
    back = plan.make_input()
    plan.backward(host, back)  # from the host to the device
    np.testing.assert_allclose(back.numpy(), part(plan, values), atol=1e-13)
    again = plan.make_input()
    again.copy_from(back.copy_to_host())
    assert np.array_equal(again.numpy(), back.numpy())
    assert u.shape == part(plan, values).shape and u.dtype == complex
    assert "device=emulated-lazy" in repr(u)
    plan.synchronize()


@pytest.mark.parametrize("name", ["inverse_laplacian", "gradient", "projection"])
def test_operators(values: np.ndarray, name: str) -> None:
    results = []
    for device in ("cpu", "emulated-lazy"):
        with weft.Plan(SHAPE, device=device) as plan:
            inputs = [plan.make_input() for _ in range(3 if name == "projection" else 1)]
            for number, array in enumerate(inputs):
                whole = part(plan, (number + 1) * np.roll(values, number, 0))
                if device == "cpu":
                    array.local[...] = whole
                else:
                    array.copy_from(whole)
            made = plan.apply(inputs if len(inputs) > 1 else inputs[0], function=name)
            made = made if isinstance(made, list) else [made]
            results.append(
                [np.array(one.local if device == "cpu" else one.numpy()) for one in made]
            )
    assert len(results[0]) == (1 if name == "inverse_laplacian" else 3)
    for on_host, on_device in zip(*results):
        np.testing.assert_allclose(on_device, on_host, atol=1e-11)


def test_functions_of_the_host_are_refused(plan: weft.Plan) -> None:
    u = plan.make_input()
    with pytest.raises(weft.Error, match="cannot call functions of the host"):
        plan.apply(u, plan.make_input(), ctypes.CFUNCTYPE(None)(lambda: None))


def test_arrays_of_the_host(plan: weft.Plan, values: np.ndarray) -> None:
    box = plan.output_layout.box(comm.rank)
    order = sorted(range(3), key=lambda axis: -plan.output_layout.strides(comm.rank)[axis])
    out = np.empty([box.shape[axis] for axis in order], complex)
    out = out.transpose(np.argsort(order))
    plan.forward(np.ascontiguousarray(part(plan, values)), out)
    np.testing.assert_allclose(out, expected(plan, values), atol=1e-12)


PRODUCERS: dict[str, Callable[[DeviceArray], Any]] = {
    "interface": Interface,
    "interface of a stream": lambda array: Interface(array, stream=2),
    "interface without a stream": lambda array: Interface(array, stream=None),
    "interface of version 2": lambda array: Interface(array, version=2, stream=...),
    "DLPack": lambda array: Dlpack(CUDA, array, array.address),
    "DLPack, managed": lambda array: Dlpack(CUDA_MANAGED, array, array.address),
}


@pytest.mark.parametrize("name", PRODUCERS)
def test_arrays_of_others(plan: weft.Plan, values: np.ndarray, name: str) -> None:
    u, spectrum = plan.make_input(), plan.make_output()
    u.copy_from(part(plan, values))
    give = PRODUCERS[name]
    from_others, to_others = give(u), give(spectrum)
    plan.forward(from_others, to_others)
    np.testing.assert_allclose(spectrum.numpy(), expected(plan, values), atol=1e-12)
    if isinstance(from_others, Dlpack):
        assert from_others.calls == [1], "the stream that the plan waits for"


def test_arrays_of_another_plan(plan: weft.Plan, values: np.ndarray) -> None:
    """Streams of two plans are in no order, so that each waits for the other's arrays."""
    u = plan.input
    u.copy_from(part(plan, values))
    with weft.Plan(SHAPE, device="emulated-lazy", exchange="p2p") as other:
        spectrum = plan.forward(u)
        back = plan.make_input()
        other.backward(spectrum, back)
        np.testing.assert_allclose(back.numpy(), part(plan, values), atol=1e-13)


class MadeForTheCall:
    """Makes an array when asked by DLPack, and keeps none itself."""

    def __init__(self, array: np.ndarray) -> None:
        self.array = array

    def __dlpack_device__(self) -> tuple[int, int]:
        return CPU, 0

    def __dlpack__(self, **settings: Any) -> Any:
        made = np.empty_like(self.array)
        made[...] = self.array
        return made.__dlpack__(**settings)


def test_arrays_that_are_made_for_the_call(values: np.ndarray) -> None:
    with weft.Plan(SHAPE) as plan:
        local = np.ascontiguousarray(part(plan, values))
        handle = plan.start_forward(MadeForTheCall(local))
        others = [np.full_like(local, np.nan) for _ in range(8)]  # where freed memory would be
        spectrum = handle.wait()
        assert np.isnan(others).all()
        np.testing.assert_allclose(spectrum.local, expected(plan, values), atol=1e-12)


def test_pinned_memory_is_the_hosts(plan: weft.Plan, values: np.ndarray) -> None:
    local = np.ascontiguousarray(part(plan, values))
    pinned = Dlpack(CUDA_HOST, local, local.ctypes.data)
    spectrum = plan.forward(pinned)
    np.testing.assert_allclose(spectrum.numpy(), expected(plan, values), atol=1e-12)
    assert pinned.calls == [None]


MISTAKES: dict[str, tuple[Callable[[DeviceArray], Any], str]] = {
    "dtype": (lambda a: Interface(a, typestr="<c8"), "dtype complex64; this plan's is complex128"),
    "odd dtype": (lambda a: Interface(a, typestr="|V16"), "dtype unknown"),
    "byte order": (lambda a: Interface(a, typestr=">c16"), "byte order"),
    "shape": (lambda a: Interface(a, shape=(3, 1, 4), strides=None), "the shape 3x1x4"),
    "axes": (lambda a: Interface(a, shape=(1,) * 9, strides=None), "more than 8 axes"),
    "strides": (
        lambda a: Interface(a, strides=tuple(2 * stride for stride in a.strides)),
        "in another way than its layout says",
    ),
    "version": (lambda a: Interface(a, version=4), "version 4 of __cuda_array_interface__"),
    "no version": (lambda a: Interface(a, version=...), "cannot be taken"),
    "mask": (lambda a: Interface(a, mask=object()), "has a mask"),
    "stream": (lambda a: Interface(a, stream=0), "valid are 1, 2 or a handle"),
    "another device": (
        lambda a: Interface(a, data=(4096, False)),
        "in the memory of a device; that of this plan is device=emulated-lazy",
    ),
    "another kind": (lambda a: Dlpack(METAL, a, a.address), "that DLPack calls 8"),
    "dtype in DLPack": (
        lambda a: Dlpack(CUDA, np.broadcast_to(np.float32(0), a.shape), a.address),
        "dtype float32",
    ),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_mistakes(plan: weft.Plan, name: str) -> None:
    """Every rank makes the mistake."""
    give, words = MISTAKES[name]
    with pytest.raises(weft.Error, match="input") as error:
        plan.forward(give(plan.make_input()), plan.make_output())
    assert words in str(error.value)


def test_read_only_results(plan: weft.Plan) -> None:
    u, spectrum = plan.make_input(), plan.make_output()
    with pytest.raises(weft.Error, match="output.* read-only"):
        plan.forward(u, Interface(spectrum, data=(spectrum.address, True)))
    plan.forward(Interface(u, data=(u.address, True)), spectrum)  # is read


def test_a_plan_for_the_host_takes_none(plan: weft.Plan) -> None:
    u = plan.make_input()
    with weft.Plan(SHAPE, errors="raise") as host:
        for given in (Interface(u), Dlpack(CUDA, u, u.address)):
            with pytest.raises(weft.Error, match="in the memory of a device; .* is device=cpu"):
                host.forward(given)
        with pytest.raises(weft.Error, match="in the memory of a device"):
            host.forward(u)


def test_numpy_cannot_touch_them(plan: weft.Plan) -> None:
    u = plan.make_input()
    with pytest.raises(weft.Error, match="which NumPy cannot touch"):
        np.asarray(u)
    with pytest.raises(TypeError):
        np.sin(u)
    assert not hasattr(u, "__cuda_array_interface__")
    with pytest.raises(weft.Error, match="no other library can use its memory"):
        u.__dlpack__()
    with pytest.raises(weft.Error, match="no streams"):
        plan.set_stream(1)


class PretendedCore:
    """A plan for a device that others can use."""

    device = "cuda"
    dlpack_device = (CUDA, 3)

    def __init__(self, core: Any) -> None:
        self._core = core
        self.waits = 0

    def synchronize(self) -> None:
        self.waits += 1

    def __getattr__(self, name: str) -> Any:
        return getattr(self._core, name)


def test_what_others_are_told(plan: weft.Plan) -> None:
    memory = plan._core.make_array(True)
    core = PretendedCore(plan._core)
    array = DeviceArray(core, memory, plan.input_layout, comm, plan.input_space)
    said = array.__cuda_array_interface__
    assert core.waits == 1
    assert said["data"] == (memory.address if np.prod(array.shape) else 0, False)
    assert said["typestr"] == "<c16" and said["version"] == 3 and said["stream"] is None
    assert said["shape"] == plan.input_layout.box(comm.rank).shape
    assert array.__dlpack_device__() == (CUDA, 3)
