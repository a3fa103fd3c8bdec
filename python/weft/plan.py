"""Plan: a transform bound to a communicator, ready to run any number of times."""

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from types import TracebackType
from typing import Any, NoReturn

import numpy as np
from mpi4py import MPI
from numpy.typing import DTypeLike

from . import _core
from ._agreement import agreed
from ._arguments import layout_of
from ._core import Error, Layout
from .array import Array
from .device_array import DeviceArray
from .functions import address_of
from .handle import Handle
from .space import Space, lengths_for
from .trace import Span, Trace
from .transform import Transform, options_text, transform_of

Fields = Any  # an array or a weft.Array, or a list or tuple of several; see Plan


def _listed(fields: Fields) -> Sequence[Any]:
    return fields if isinstance(fields, (list, tuple)) else (fields,)


class Plan:
    """A distributed transform.

    shape, kind, axes, dtype, norm, modes, ellipse, dropped: see weft.Transform, which may stand in
    place of the shape.
    comm: the mpi4py communicator whose ranks share the arrays; None: MPI.COMM_WORLD.
    input, output: the weft.Layout of forward's input and output; None: the planner's.
    options, settings: how to compute it, as a text ("exchange=p2p threads=2"), a mapping or
    keywords; docs/python.md
        lists them.

    Making a plan is collective; so are all calls that transform. A mistake raises the same
    weft.Error on every rank. Plans may be dropped at any time, in any order, on some ranks earlier
    than on others; `close` (or `with`) frees at once what ranks can only free together. One plan is
    used by one thread at a time; the GIL is free meanwhile.

    Arrays are this rank's part: anything with the buffer protocol or DLPack in host memory (NumPy,
    torch, JAX as input) with the dtype, shape and strides of the layout, used where they lie; or a
    weft.Array. Lists of up to options.fields arrays are several fields.

    A plan for a device (device="cuda") also takes arrays in the memory of that device: anything
    with __cuda_array_interface__ or DLPack (CuPy, torch, JAX), used where they lie and behind what
    their streams hold; those of the host are copied there and back. Its own arrays are
    weft.DeviceArrays.

    >>> plan = weft.Plan((4, 6), "r2c")
    >>> u = plan.make_input()
    >>> u.local[...] = 1
    >>> print(plan.forward(u).at[0, 0])
    (24+0j)
    """

    def __init__(
        self,
        shape: int | Sequence[int] | Transform,
        kind: str | Sequence[str] = "c2c",
        *,
        comm: MPI.Intracomm | None = None,
        axes: int | Sequence[int] | None = None,
        dtype: DTypeLike = float,
        norm: str | float | None = "backward",
        modes: str | Sequence[str] | None = None,
        ellipse: Sequence[float] | None = None,
        dropped: str = "absent",
        input: Layout | None = None,
        output: Layout | None = None,
        options: str | Mapping[str, Any] | None = None,
        **settings: Any,
    ) -> None:
        self.comm: MPI.Intracomm = MPI.COMM_WORLD if comm is None else comm

        def request() -> tuple[Transform, str, Layout, Layout]:
            transform = transform_of(
                shape,
                kind,
                axes=axes,
                dtype=dtype,
                norm=norm,
                modes=modes,
                ellipse=ellipse,
                dropped=dropped,
            )
            text = _core.normal_options(options_text(options, settings))
            return transform, text, layout_of("input", input), layout_of("output", output)

        self.transform: Transform
        self.transform, text, source, target = agreed(self.comm, request)
        self._core = _core.Plan(self.comm.handle, self.transform, text, source, target)
        self._moved_dtype = np.dtype(dtype) if self.transform.element_bytes else None
        self.rank: int = self._core.rank
        self.input_layout: Layout = self._core.input_layout
        self.output_layout: Layout = self._core.output_layout

    def __enter__(self) -> "Plan":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if kind is None:  # else other ranks may not come here
            self.close()

    def close(self) -> None:
        """Collective: drops the plan, and frees at once everything that all ranks have dropped. The
        plan cannot be used afterwards; arrays and handles of it keep their memory.

        >>> plan = weft.Plan((4, 6))
        >>> plan.close()
        """
        for own in ("input", "output"):
            self.__dict__.pop(own, None)
        self._core.close()

    @cached_property
    def input(self) -> Array:
        """The plan's own array for forward's input; collective when first asked for. Runs between
        it and `output` are the fastest: peers may write results straight into them.

        >>> weft.Plan((4, 6), "r2c").input.shape
        (4, 6)
        """
        return self._array(self._core.own_array(True), True)

    @cached_property
    def output(self) -> Array:
        """The plan's own array for forward's output.

        >>> weft.Plan((4, 6), "r2c").output.shape
        (4, 4)
        """
        return self._array(self._core.own_array(False), False)

    def make_input(self) -> Array:
        """A new array like forward's input, filled with zeros.

        >>> weft.Plan((4, 6), "r2c").make_input().dtype
        dtype('float64')
        """
        return self._array(self._core.make_array(True), True)

    def make_output(self) -> Array:
        """A new array like forward's output, filled with zeros.

        >>> weft.Plan((4, 6), "r2c").make_output().dtype
        dtype('complex128')
        """
        return self._array(self._core.make_array(False), False)

    @cached_property
    def input_space(self) -> Space:
        """The points or modes that the indices of forward's input stand for.

        >>> weft.Plan((4, 6), "r2c").input_space.is_spectrum
        False
        """
        return Space.of_plan(self._core, self.transform, True)

    @cached_property
    def output_space(self) -> Space:
        """The points or modes that the indices of forward's output stand for.

        >>> weft.Plan((4, 6), "r2c").output_space.is_spectrum
        True
        """
        return Space.of_plan(self._core, self.transform, False)

    def _array(self, local: Any, is_input: bool) -> Any:
        layout = self.input_layout if is_input else self.output_layout
        space = self.input_space if is_input else self.output_space
        if isinstance(local, _core.DeviceMemory):
            return DeviceArray(self._core, local, layout, self.comm, space)
        if self._moved_dtype is not None and self._moved_dtype.itemsize == local.itemsize:
            local = local.view(self._moved_dtype)
        return Array(local, layout, self.comm, space)

    def _new(self, like: Fields, make: Callable[[], Array]) -> Fields:
        return [make() for _ in like] if isinstance(like, (list, tuple)) else make()

    def _note_made(self, input: Fields, output: Fields, is_input: bool, scale: float = 1) -> None:
        """Notes in arrays that hold a result which modes these are, and how much larger than by the
        plan's norm. In place, an array of another shape than its result cannot say it."""
        layout = self.input_layout if is_input else self.output_layout
        space = (self.input_space if is_input else self.output_space).scaled(scale)
        given = _listed(input)
        for array in _listed(output):
            if isinstance(array, (Array, DeviceArray)):
                is_in_place = any(array is one for one in given)
                if not is_in_place or array.layout == layout:
                    array.space = space

    def forward(self, input: Fields, output: Fields = None, scale: float = 1.0) -> Fields:
        """Transforms `input` to `output`, times `scale`; returns `output`, a new weft.Array where
        it is None. With the same array twice it works in place.

        >>> plan = weft.Plan((4, 6), "r2c")
        >>> plan.forward(plan.make_input()).shape
        (4, 4)
        """
        if output is None:
            output = self._new(input, self.make_output)
        self._core.run(True, input, output, scale)
        self._note_made(input, output, False, scale)
        return output

    def backward(self, input: Fields, output: Fields = None, scale: float = 1.0) -> Fields:
        """The way back, from an array as `output` is to one as `input` is, so that it undoes
        forward.

        >>> plan = weft.Plan((4, 6), "r2c")
        >>> plan.backward(plan.make_output()).shape
        (4, 6)
        """
        if output is None:
            output = self._new(input, self.make_input)
        self._core.run(False, input, output, scale)
        self._note_made(input, output, True, scale)
        return output

    def start_forward(self, input: Any, output: Any = None, scale: float = 1.0) -> Handle:
        """Starts a transform of one field and returns. Neither array may be touched until the
        handle says that it is over. Options.fields transforms may be in flight; all ranks start
        them in the same order.

        >>> plan = weft.Plan((4, 6), "r2c")
        >>> handle = plan.start_forward(plan.make_input())
        >>> handle.wait().shape
        (4, 4)
        """
        output = self.make_output() if output is None else output
        handle = Handle(self._core.start(True, input, output, scale), self, input, output)
        self._note_made(input, output, False, scale)
        return handle

    def start_backward(self, input: Any, output: Any = None, scale: float = 1.0) -> Handle:
        """Starts a backward transform, under the same rules.

        >>> plan = weft.Plan((4, 6), "r2c")
        >>> handle = plan.start_backward(plan.make_output())
        >>> handle.wait().shape
        (4, 6)
        """
        output = self.make_input() if output is None else output
        handle = Handle(self._core.start(False, input, output, scale), self, input, output)
        self._note_made(input, output, True, scale)
        return handle

    def apply(
        self,
        input: Fields,
        output: Fields = None,
        function: Any = None,
        *,
        lengths: float | Sequence[float] | None = None,
        user: Any = 0,
    ) -> Fields:
        """Transforms a physical array to its spectrum, applies `function` and transforms back,
        without a spectrum in memory.

        function: the name of an operator ('laplacian', 'inverse_laplacian', 'gaussian WIDTH',
        'sharp CUTOFF',
            'derivative AXIS', 'gradient', 'divergence', 'curl', 'projection'), for a box with these
            `lengths` (2 pi); or a function of C: numba's cfunc, ctypes or an address, with the
            signature of weft_line_function in weft.h, or of weft_lines_function where `input` is a
            list. A list of functions makes one output each.
        user: the address that a function of C is given (a list: for each one).
        output: None makes new arrays.

        >>> plan = weft.Plan((8, 8), "r2c")
        >>> u = plan.make_input()
        >>> u.local[...] = np.sin(u.coordinates()[0])
        >>> np.allclose(plan.apply(u, function="laplacian").local, -u.local)
        True
        """
        if isinstance(function, str):
            operator = agreed(self.comm, lambda: self._operator(function, lengths, input, output))
            output = self._outputs(operator.outputs) if output is None else output
            self._core.apply_operator(input, output, operator)
        elif isinstance(input, (list, tuple)):
            output = self._outputs(len(input)) if output is None else output
            self._core.apply_fields(input, output, address_of(function), user)
        else:
            functions = _listed(function)
            users = user if isinstance(user, (list, tuple)) else [user] * len(functions)
            output = self._outputs(len(functions)) if output is None else output
            self._core.apply_each(input, output, list(zip(map(address_of, functions), users)))
        self._note_made(input, output, self._core.spectrum_is_output)
        return output

    def _operator(
        self, text: str, lengths: float | Sequence[float] | None, input: Fields, output: Fields
    ) -> _core.Operator:
        operator = self._core.operator(text, lengths_for(len(self.transform.shape), lengths))
        for name, given, count in (
            ("inputs", input, operator.inputs),
            ("outputs", output, operator.outputs),
        ):
            fields = len(given) if isinstance(given, (list, tuple)) else 1
            if given is not None and fields != count:
                raise Error(f"operator {text!r}: {fields} {name} given; valid is {count}")
        return operator

    def _outputs(self, count: int) -> Fields:
        make = self.make_input if self._core.spectrum_is_output else self.make_output
        return make() if count == 1 else [make() for _ in range(count)]

    def synchronize(self) -> None:
        """Returns when the plan's device has done all its work. Results in its memory are complete
        only then, or for later work on the plan's stream.

        >>> plan = weft.Plan((4, 6), device="emulated")
        >>> spectrum = plan.forward(plan.make_input())
        >>> plan.synchronize()
        """
        self._core.synchronize()

    def set_stream(self, stream: int) -> None:
        """From now on the plan's device works on this stream, after the work that the
        stream already holds. `stream`: a cudaStream_t as a number, such as cupy.cuda.Stream.ptr or
        torch.cuda.Stream.cuda_stream. The stream must live as long as the plan uses it.

        >>> weft.Plan((4, 6), device="emulated").set_stream(0)
        Traceback (most recent call last):
        weft.Error: set_stream: the plan's device has no streams that a caller could make
        """
        self._core.set_stream(stream)

    @property
    def options(self) -> str:
        """The options as given, with the planner's choices where they were left open.

        >>> weft.Plan((4, 6), engine="weft").options
        'engine=weft'
        """
        return self._core.options

    @property
    def engine(self) -> str:
        """The name of the FFT engine in use.

        >>> weft.Plan((4, 6), engine="weft").engine
        'weft'
        """
        return self._core.engine

    @property
    def exchanges(self) -> list[str]:
        """The names of the exchange methods in use, one for each exchange of forward.

        >>> set(weft.Plan((4, 6)).exchanges) <= set(weft.exchange_names())
        True
        """
        return self._core.exchanges

    @property
    def workspace_bytes(self) -> int:
        """Bytes this rank holds beyond input and output arrays.

        >>> weft.Plan((4, 6)).workspace_bytes >= 0
        True
        """
        return self._core.workspace_bytes

    @property
    def sent(self) -> tuple[int, int]:
        """Bytes and messages that this rank sends to others in one forward.

        >>> bytes, messages = weft.Plan((4, 6)).sent
        """
        return self._core.sent

    def describe(self) -> str:
        """Passes, exchanges, grids, bytes and messages, buffers, peak memory: text for people.

        >>> print(weft.Plan((4, 6)).describe().splitlines()[0])
        weft plan: 4x6 [c2c c2c], double precision, scale backward
        """
        return self._core.describe()

    def record(self, on: bool = True) -> None:
        """Switches recording of this rank's actions on (starting a new trace) or off.

        >>> plan = weft.Plan((4, 6), "r2c")
        >>> plan.record()
        >>> spectrum = plan.forward(plan.make_input())
        >>> plan.record(False)
        """
        self._core.record(on)

    def trace(self) -> Trace:
        """The recorded actions.

        >>> plan = weft.Plan((4, 6), "r2c")
        >>> plan.record()
        >>> spectrum = plan.forward(plan.make_input())
        >>> len(plan.trace().spans) > 0
        True
        """
        spans, dropped = self._core.trace()
        return Trace([Span(*span) for span in spans], dropped)

    def __reduce__(self) -> NoReturn:
        raise TypeError(
            "a weft.Plan holds memory and communicators of its job, and cannot be copied or "
            "pickled; make another with the same arguments"
        )

    def __repr__(self) -> str:
        return f"<weft.Plan {self.transform} on {self.comm.size} ranks>"
