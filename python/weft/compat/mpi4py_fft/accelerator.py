"""Runs the transforms of an installed mpi4py-fft on Weft, in the boxes and arrays that mpi4py-fft
has made. Its plans of FFTW stay in memory beside Weft's, for the transforms that Weft cannot do."""

import atexit
import functools
import inspect
import os
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from mpi4py import MPI
from mpi4py_fft import PFFT, fftw, mpifft
from mpi4py_fft.libfft import FFT

from ..._core import Error
from .planned import PlannedCall, Planners, Stage, communicator, families_of, kind_of, plan_of

_FAMILIES = families_of(fftw)


@dataclass
class Report:
    """The PFFTs that were made since accelerate(): how many Weft computes, and how many are left to
    mpi4py-fft, for each reason."""

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
    comm = communicator(fft.pencil[0].subcomm)

    def stages() -> list[Stage]:
        return [
            _stage(axes, stage, transforms.get(tuple(axes)))
            for axes, stage in zip(reversed(fft.axes), fft.xfftn)
        ]

    try:
        plan = plan_of(comm, stages, fft.global_shape(), fft.dtype(), fft.pencil)
    except Error as reason:
        _report.passed_on[str(reason)] += 1
        return
    _report.accelerated += 1
    fft.forward = AcceleratedTransform(fft.forward, PlannedCall(plan, True))
    fft.backward = AcceleratedTransform(fft.backward, PlannedCall(plan, False))


class AcceleratedTransform(mpifft.Transform):
    """One direction of a PFFT, which a plan of Weft computes; it has the arrays and pencils of
    `original`."""

    def __init__(self, original: mpifft.Transform, run: PlannedCall) -> None:
        super().__init__(original._xfftn, original._transfer, original._pencil)
        self.plan = run.plan
        self._run = run

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
        if settings:
            settings["normalize"] = self._run.normalizes if normalize is None else normalize
            return super().__call__(input_array, output_array, **settings)
        return self._run(self, input_array, output_array, normalize)


def _stage(axes: tuple[int, ...], stage: FFT, planners: Planners | None) -> Stage:
    """mpi4py-fft's serial transform of these axes with `planners` (None: the default)."""
    if planners is not None:
        kind = kind_of(planners, _FAMILIES)
    elif stage.backend == "scipy" and stage.dtype.kind == "f":
        raise Error("the backend scipy makes whole spectra of real numbers")
    else:
        kind = "r2c" if stage.real_transform else "c2c"
    kept = stage.forward.output_array.shape[stage.axes[-1]]
    return Stage(tuple(axes), kind, stage.padding_factor, kept)
