"""Runs the transforms of an installed mpi4py-fft on Weft, in the boxes and arrays that mpi4py-fft
has made: its plans of FFTW stay in memory beside Weft's, and compute what Weft cannot."""

import atexit
import functools
import inspect
import os
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from mpi4py import MPI
from mpi4py_fft import PFFT, fftw, mpifft
from mpi4py_fft.libfft import FFT
from mpi4py_fft.pencil import Pencil

from .._agreement import agreed
from .._core import Error, Layout
from ..plan import Plan
from ..transform import Transform

Planners = tuple[Callable, Callable]  # of mpi4py_fft.fftw, for forward and backward
Run = Callable[[np.ndarray, np.ndarray, float], Any]  # input, output, scale

_FAMILIES = {
    (fftw.fftn, fftw.ifftn): "c2c",
    (fftw.rfftn, fftw.irfftn): "r2c",
    (fftw.dctn, fftw.idctn): "dct",
    (fftw.dstn, fftw.idstn): "dst",
}


@dataclass
class Report:
    """What became of the PFFTs that were made since accelerate(): how many Weft computes, and how
    many mpi4py-fft does, for each reason."""

    accelerated: int = 0
    passed_on: Counter[str] = field(default_factory=Counter)

    def __str__(self) -> str:
        passed_on = self.passed_on.total()
        lines = [f"weft: {self.accelerated} of {self.accelerated + passed_on} PFFTs run on Weft"]
        lines += [
            f"weft: {count} passed on to mpi4py-fft: {reason}"
            for reason, count in self.passed_on.most_common()
        ]
        return "\n".join(lines)


_report = Report()


def report() -> Report:
    """The report of this process so far. With WEFT_MPI4PY_FFT=report in the environment, rank 0
    prints it at exit."""
    return _report


def accelerate() -> None:
    """From now on, Weft computes the transforms of every new PFFT, where it can; report() says
    where it cannot.

    Shapes, boxes, dtypes and results, within rounding, are those of mpi4py-fft. Arrays that are
    contiguous and of the right dtype are used where they lie, others are copied. To be called on
    all ranks; a second call does nothing.
    """
    if hasattr(PFFT.__init__, "__wrapped__"):
        return
    PFFT.__init__ = _accelerating(PFFT.__init__)
    PFFT.destroy = _closing(PFFT.destroy)
    if os.environ.get("WEFT_MPI4PY_FFT") == "report" and MPI.COMM_WORLD.rank == 0:
        atexit.register(lambda: print(_report, flush=True))


def _accelerating(make: Callable) -> Callable:
    signature = inspect.signature(make)

    @functools.wraps(make)
    def make_and_accelerate(fft: PFFT, *arguments: Any, **settings: Any) -> None:
        make(fft, *arguments, **settings)
        given = signature.bind(fft, *arguments, **settings).arguments
        _take_over(fft, given.get("transforms") or {})

    return make_and_accelerate


def _closing(destroy: Callable) -> Callable:
    @functools.wraps(destroy)
    def close_and_destroy(fft: PFFT) -> None:
        if isinstance(fft.forward, AcceleratedTransform):
            fft.forward.plan.close()
        destroy(fft)

    return close_and_destroy


def _take_over(fft: PFFT, transforms: Mapping[tuple[int, ...], Planners]) -> None:
    """Collective: replaces both directions of `fft` by a plan's, or notes why it does not."""
    comm = _communicator(fft.pencil[0].subcomm)
    try:
        transform, input, output = agreed(comm, lambda: _request(fft, transforms, comm.rank))
        plan = Plan(transform, comm=comm, input=input, output=output)
    except Error as reason:
        _report.passed_on[str(reason)] += 1
        return
    _report.accelerated += 1
    normalization = float(np.prod([stage.M for stage in fft.xfftn]))
    fft.forward = AcceleratedTransform(fft.forward, plan, plan.forward, True, 1 / normalization)
    fft.backward = AcceleratedTransform(fft.backward, plan, plan.backward, False, normalization)


class AcceleratedTransform(mpifft.Transform):
    """One direction of a PFFT, which a plan of Weft computes.

    It has the arrays and pencils of `original`. `normalizes` is what a call does by default, and
    `other_scale` what the result is multiplied by where a call asks for the opposite.
    """

    def __init__(
        self, original: mpifft.Transform, plan: Plan, run: Run, normalizes: bool, other_scale: float
    ) -> None:
        super().__init__(original._xfftn, original._transfer, original._pencil)
        self.plan = plan
        self._run = run
        self._normalizes = normalizes
        self._other_scale = other_scale

    def __call__(
        self,
        input_array: Any = None,
        output_array: Any = None,
        normalize: bool | None = None,
        **settings: Any,
    ) -> np.ndarray:
        """Collective: transforms input_array to output_array, this rank's parts (None: those of
        this object), and returns the latter. Settings other than `normalize` are FFTW's: they leave
        the call to mpi4py-fft."""
        normalize = self._normalizes if normalize is None else bool(normalize)
        if settings:
            return super().__call__(input_array, output_array, normalize=normalize, **settings)
        own_input, own_output = self.input_array, self.output_array
        source = input_array if _is_like(own_input, input_array) else own_input
        target = output_array if _is_like(own_output, output_array) else own_output
        if np.may_share_memory(source, target) or not target.flags.writeable:
            source, target = own_input, own_output
        if input_array is not None and source is not input_array:
            source[...] = input_array
        scale = 1.0 if normalize == self._normalizes else self._other_scale
        self._run(np.asarray(source), np.asarray(target), scale)
        if output_array is None:
            return target
        if target is not output_array:
            output_array[...] = target
        return output_array


def _is_like(own: np.ndarray, given: Any) -> bool:
    """Whether a plan can use what is given in place of its PFFT's own array."""
    return (
        isinstance(given, np.ndarray)
        and given.dtype == own.dtype
        and given.shape == own.shape
        and given.flags.c_contiguous
        and given.flags.aligned
    )


_communicators: dict[tuple[int, ...], MPI.Intracomm] = {}


def _communicator(subcomm: Sequence[MPI.Intracomm]) -> MPI.Intracomm:
    """All ranks of a process grid in its row-major order, from its communicators along each axis.
    Collective; kept, because programs make many PFFTs on the same ranks."""
    members = [MPI.COMM_WORLD.rank]
    for comm in reversed(subcomm):
        if comm.size > 1:
            members = [member for part in comm.allgather(members) for member in part]
    if members == list(range(MPI.COMM_WORLD.size)):
        return MPI.COMM_WORLD
    key = tuple(members)
    if key not in _communicators:
        _communicators[key] = MPI.COMM_WORLD.Create_group(MPI.COMM_WORLD.group.Incl(members))
    return _communicators[key]


def _request(
    fft: PFFT, transforms: Mapping[tuple[int, ...], Planners], rank: int
) -> tuple[Transform, Layout, Layout]:
    """What Weft is to compute, from and to which boxes; an Error where it is not expressible."""
    kinds = ["none"] * fft.dimensions
    modes = ["all"] * fft.dimensions
    for axes, stage in zip(reversed(fft.axes), fft.xfftn):
        kind = _kind(stage, transforms.get(tuple(axes)))
        for axis in axes:
            if kinds[axis] != "none":
                raise Error(f"axis {axis} is transformed twice")
            kinds[axis] = "c2c" if kind == "r2c" else kind
        kinds[axes[-1]] = kind
        modes[axes[-1]] = _modes(stage, kind)
    transform = Transform(fft.global_shape(), kinds, modes=modes, dtype=fft.dtype(), norm="forward")
    grid = [comm for comm in fft.pencil[0].subcomm if comm.size > 1]
    input, output = (_layout(pencil, grid, rank) for pencil in fft.pencil)
    return transform, input, output


def _kind(stage: FFT, planners: Planners | None) -> str:
    """Weft's kind for what `planners` (None: the default) make, along each axis of a stage."""
    if planners is None:
        if stage.backend == "scipy" and stage.dtype.kind == "f":
            raise Error("the backend scipy makes whole spectra of real numbers")
        return "r2c" if stage.real_transform else "c2c"
    forward, backward = (
        planner if isinstance(planner, functools.partial) else functools.partial(planner)
        for planner in planners
    )
    family = _FAMILIES.get((forward.func, backward.func))
    settings = forward.keywords
    if (
        family is None
        or forward.args
        or settings != backward.keywords
        or settings.keys() - {"type"}
    ):
        raise Error(
            f"transforms: {forward.func.__name__} and {backward.func.__name__}, with these "
            "arguments, are no pair that Weft has"
        )
    return family + str(settings.get("type", 2)) if family in ("dct", "dst") else family


def _modes(stage: FFT, kind: str) -> str:
    """Which modes of the axis that it halves or pads a stage keeps, in Weft's words."""
    if abs(stage.padding_factor - 1) <= 1e-8:
        return "all"
    if kind not in ("c2c", "r2c") or stage.padding_factor < 1:
        raise Error(f"padding by {stage.padding_factor:.3g} of a {kind} axis")
    axis = stage.axes[-1]
    kept = stage.forward.output_array.shape[axis]
    if kind == "c2c":
        return f"grid_{kept}"
    if kept % 2 == 0:
        raise Error(
            "padding of a halved axis of 4n+2 or 4n+3 points, of whose highest mode mpi4py-fft "
            "keeps the real part"
        )
    return f"{1 - kept}..{kept - 1}"


def _layout(pencil: Pencil, grid: Sequence[MPI.Intracomm], rank: int) -> Layout:
    """The boxes of a pencil, whose axes are split by communicators of `grid`."""
    if not grid:
        return Layout.slabs(pencil.shape, 1)
    split = [[grid.index(comm)] if comm.size > 1 else [] for comm in pencil.subcomm]
    layout = Layout.grid(pencil.shape, [comm.size for comm in grid], split, "longer_first")
    box = layout.box(rank)
    if (box.lower, box.shape) != (pencil.substart, pencil.subshape):
        raise Error(f"mpi4py-fft holds {pencil.subshape} at {pencil.substart}, not Weft's {box}")
    return layout
