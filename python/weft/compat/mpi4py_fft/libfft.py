"""FFT: a serial transform, one stage of a PFFT. Its arrays and its plan on one process are made
when first asked for: a PFFT runs as one plan, and needs only the first and the last array."""

import functools
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import DTypeLike

from ..._core import Error
from ...plan import Plan
from ...transform import Transform, precision_of
from . import fftw
from .fftw.xfftn import serial_plan
from .planned import Stage

BACKENDS = ("fftw", "pyfftw", "numpy", "scipy", "mkl_fft")
SETTINGS = ("threads", "planner_effort", "overwrite_input")  # of which Weft uses the first
_FAMILIES = {  # the kind that each pair of planners computes
    (fftw.fftn, fftw.ifftn): "c2c",
    (fftw.rfftn, fftw.irfftn): "r2c",
    (fftw.dctn, fftw.idctn): "dct",
    (fftw.dstn, fftw.idstn): "dst",
}

Planners = tuple[Callable, Callable]  # of module fftw, for forward and backward
Transforms = Mapping[tuple[int, ...], Planners]


def _kind_of(planners: Planners) -> str:
    """Weft's kind of the transforms that these make; an Error where it has none."""
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
        names = [getattr(each.func, "__name__", str(each.func)) for each in (forward, backward)]
        raise Error(
            f"transforms: {names[0]} and {names[1]}, with these arguments, are no pair that Weft "
            "has; valid are fftn, rfftn, dctn and dstn of module fftw, each with its inverse of "
            "the same type"
        )
    return family + str(settings.get("type", 2)) if family in ("dct", "dst") else family


class FFT:
    """A transform of an array on one process.

    shape: the physical one, padding included; axes: None means all.
    padding: False, or the factor by which the axis is padded, or one for each axis of the array.
    backend, settings: as mpi4py-fft has them; Weft computes, with so many `threads`.
    transforms: pairs of module fftw by axes; without, real numbers are rfftn and complex ones fftn.

    `forward` and `backward` have `input_array` and `output_array`; called, they transform these, or
    the arrays given. A weft.Error says what is wrong and what is valid.
    """

    def __init__(
        self,
        shape: int | Sequence[int],
        axes: int | Sequence[int] | None = None,
        dtype: DTypeLike = float,
        padding: bool | float | Sequence[float] = False,
        backend: str = "fftw",
        transforms: Transforms | None = None,
        **settings: Any,
    ) -> None:
        self.shape = [int(length) for length in np.atleast_1d(shape)]
        every = range(len(self.shape))
        self.axes = [
            int(axis) % len(every) for axis in np.atleast_1d(every if axes is None else axes)
        ]
        self.dtype = np.dtype(dtype)
        precision_of(self.dtype)
        self.padding = padding
        self.backend = backend
        _check(backend, self.dtype, settings)
        self._settings = plan_settings(settings)
        self.stage = self._stage((transforms or {}).get(tuple(self.axes)))
        self.padding_factor = self.stage.padding
        self.real_transform = self.dtype.kind == "f"
        self.forward = SerialTransform(self, True)
        self.backward = SerialTransform(self, False)

    def _stage(self, planners: Planners | None) -> Stage:
        axis = self.axes[-1]
        if planners is not None:
            kind = _kind_of(planners)
        else:
            kind = "r2c" if self.dtype.kind == "f" else "c2c"
        if (kind == "c2c") != (self.dtype.kind == "c"):
            raise Error(
                f"transforms: {kind} of {self.dtype}; valid are c2c of complex numbers and "
                "others of real ones"
            )
        factor = 1.0
        if self.padding is not False:
            factor = float(np.broadcast_to(self.padding, len(self.shape))[axis])
        kept = self.shape[axis]
        if abs(factor - 1) > 1e-8:
            if len(self.axes) > 1:
                raise Error(f"padding: of the axes {self.axes}; valid is one axis at a time")
            kept = round(kept / factor)
        if kind == "r2c":
            kept = kept // 2 + 1
        return Stage(tuple(self.axes), kind, factor, kept)

    @property
    def output_shape(self) -> tuple[int, ...]:
        """The shape of the spectrum."""
        shape = list(self.shape)
        shape[self.axes[-1]] = self.stage.kept
        return tuple(shape)

    @property
    def output_dtype(self) -> np.dtype:
        """The dtype of the spectrum."""
        is_complex = self.stage.kind in ("r2c", "c2c")
        return np.dtype(self.dtype.char.upper() if is_complex else self.dtype)

    @cached_property
    def physical(self) -> np.ndarray:
        """The input of forward, and the output of backward."""
        return fftw.aligned(self.shape, dtype=self.dtype, fill=0)

    @cached_property
    def spectral(self) -> np.ndarray:
        """The output of forward, and the input of backward."""
        return fftw.aligned(self.output_shape, dtype=self.output_dtype, fill=0)

    @cached_property
    def plan(self) -> Plan:
        """The plan that computes it, on this process alone."""
        modes = ["all"] * len(self.shape)
        modes[self.axes[-1]] = self.stage.modes()
        transform = Transform(
            self.shape,
            self.stage.kinds(len(self.shape)),
            modes=modes,
            dtype=self.dtype,
            norm="forward",
        )
        return serial_plan(transform, **self._settings)

    @property
    def M(self) -> float:
        """The factor of normalization."""
        return 1 / self.plan.transform.logical_size


class SerialTransform:
    """One direction of an FFT."""

    def __init__(self, fft: FFT, is_forward: bool) -> None:
        self._fft = fft
        self._is_forward = is_forward

    @property
    def input_array(self) -> np.ndarray:
        """The array that a call without arrays transforms."""
        return self._fft.physical if self._is_forward else self._fft.spectral

    @property
    def output_array(self) -> np.ndarray:
        """The array in which a call without arrays leaves its result."""
        return self._fft.spectral if self._is_forward else self._fft.physical

    def __call__(
        self,
        input_array: Any = None,
        output_array: Any = None,
        normalize: bool | None = None,
        implicit: bool = True,
    ) -> np.ndarray:
        """Transforms input_array to output_array (None: its own) and returns the latter. normalize:
        forward does unless told otherwise, backward does not. implicit: changes nothing here."""
        if input_array is not None:
            self.input_array[...] = input_array
        if self.input_array.size:
            self._run(self._is_forward if normalize is None else bool(normalize))
        if output_array is None:
            return self.output_array
        output_array[...] = self.output_array
        return output_array

    def _run(self, normalize: bool) -> None:
        fft = self._fft
        if self._is_forward:
            fft.plan.forward(fft.physical, fft.spectral, 1.0 if normalize else 1 / fft.M)
            if fft.stage.keeps_real_part:
                last = self._last_mode(fft.spectral)
                last[...] = 2 * np.real(last)
        else:
            spectrum = fft.spectral
            if fft.stage.keeps_real_part:
                spectrum = spectrum.copy()
                last = self._last_mode(spectrum)
                last[...] = np.real(last) / 2
            fft.plan.backward(spectrum, fft.physical, fft.M if normalize else 1.0)

    def _last_mode(self, spectrum: np.ndarray) -> np.ndarray:
        return np.moveaxis(spectrum, self._fft.axes[-1], 0)[-1]


def plan_settings(settings: Mapping[str, Any]) -> dict[str, Any]:
    """The settings that a plan is given; WEFT_OPTIONS may set the others."""
    return {"threads": settings["threads"]} if "threads" in settings else {}


def _check(backend: str, dtype: np.dtype, settings: Mapping[str, Any]) -> None:
    if backend not in BACKENDS:
        raise Error(
            f"backend: {backend!r}; valid are {', '.join(BACKENDS)}: Weft computes with any"
        )
    if backend == "scipy" and dtype.kind == "f":
        raise Error("backend: 'scipy' makes whole spectra of real numbers; valid are all others")
    if unknown := settings.keys() - set(SETTINGS):
        raise Error(f"{min(unknown)}: is no setting; valid are {', '.join(SETTINGS)}")
