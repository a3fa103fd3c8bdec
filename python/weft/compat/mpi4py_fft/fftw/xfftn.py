"""Serial transforms under the names of FFTW's planners. Each makes a plan of Weft on one process;
a PFFT does not call those in its `transforms`, but reads from them what its one plan computes."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from mpi4py import MPI

from ...._core import Error, Layout
from ...._transforming import named
from ....plan import Plan
from ....transform import Transform
from .utilities import aligned


def serial_plan(transform: Transform, **settings: Any) -> Plan:
    """The plan of a transform on this process alone, between arrays in C order."""
    return Plan(
        transform,
        comm=MPI.COMM_SELF,
        input=Layout.slabs(transform.shape, 1),
        output=Layout.slabs(transform.spectral_shape, 1),
        **settings,
    )


class FFT:
    """One direction of a serial transform with arrays of its own; made by fftn, ... below."""

    def __init__(
        self, input_array: np.ndarray, output_array: np.ndarray, plan: Plan, is_forward: bool
    ) -> None:
        self.update_arrays(input_array, output_array)
        self._plan = plan
        self._run = plan.forward if is_forward else plan.backward
        self._is_forward = is_forward

    def update_arrays(self, input_array: np.ndarray, output_array: np.ndarray) -> None:
        """Other arrays of the same shapes and dtypes to work on."""
        self.input_array = input_array
        self.output_array = output_array

    def get_normalization(self) -> float:
        """The factor of normalize=True."""
        return 1 / self._plan.transform.logical_size

    def __call__(
        self,
        input_array: Any = None,
        output_array: Any = None,
        implicit: bool = True,
        normalize: bool = False,
        **settings: Any,
    ) -> np.ndarray:
        """Transforms, and returns, the arrays given or its own. implicit: changes nothing here, as
        the input is never destroyed; nor do settings of other packages', as in mpi4py-fft."""
        if input_array is not None:
            self.input_array[...] = input_array
        scale = 1.0 if normalize == self._is_forward else self._plan.transform.logical_size
        self._run(self.input_array, self.output_array, scale if self._is_forward else 1 / scale)
        if output_array is None:
            return self.output_array
        output_array[...] = self.output_array
        return output_array

    def destroy(self) -> None:
        """Frees the plan."""
        self._plan.close()


def _planned(
    kind: str,
    is_forward: bool,
    input_array: np.ndarray,
    output_array: np.ndarray | None,
    shape: Sequence[int],
    axes: Sequence[int],
    threads: int,
) -> FFT:
    """shape: the physical one."""
    transform = Transform(shape, kind, axes=axes, dtype=input_array.dtype, norm="forward")
    ends = [
        (transform.shape, transform.physical_is_real),
        (transform.spectral_shape, transform.spectral_is_real),
    ]
    (own_shape, own_is_real), (shape, is_real) = ends if is_forward else ends[::-1]
    if input_array.shape != own_shape or (input_array.dtype.kind == "f") != own_is_real:
        raise Error(
            f"input_array: has the shape {input_array.shape} and the dtype {input_array.dtype}; "
            f"valid is the shape {own_shape} of {'real' if own_is_real else 'complex'} numbers"
        )
    character = input_array.dtype.char
    if output_array is None:
        output_array = aligned(shape, dtype=character.lower() if is_real else character.upper())
    settings = {"threads": threads} if threads > 1 else {}
    return FFT(input_array, output_array, serial_plan(transform, **settings), is_forward)


def _planner(name: str, kind: str, is_forward: bool, docstring: str) -> Callable[..., FFT]:
    def planner(
        input_array: np.ndarray,
        s: Sequence[int] | None = None,
        axes: Sequence[int] = (-1,),
        threads: int = 1,
        flags: Any = (),
        output_array: np.ndarray | None = None,
    ) -> FFT:
        shape = input_array.shape
        return _planned(kind, is_forward, input_array, output_array, shape, axes, threads)

    return named(planner, name, docstring)


fftn = _planner("fftn", "c2c", True, "Complex to complex; `s` and `flags` change nothing.")
ifftn = _planner("ifftn", "c2c", False, "The inverse of fftn, without its factor 1/N.")
rfftn = _planner(
    "rfftn",
    "r2c",
    True,
    "Real to complex, of which the last of `axes` is halved; `s` and `flags` change nothing.",
)


def irfftn(
    input_array: np.ndarray,
    s: Sequence[int] | None = None,
    axes: Sequence[int] = (-1,),
    threads: int = 1,
    flags: Any = (),
    output_array: np.ndarray | None = None,
) -> FFT:
    """The inverse of rfftn, without its factor 1/N. s: the physical lengths of `axes`; None: the
    last of them is even."""
    shape = list(input_array.shape)
    shape[axes[-1]] = 2 * (shape[axes[-1]] - 1) if s is None else int(s[-1])
    return _planned("r2c", False, input_array, output_array, shape, axes, threads)


def _trigonometric(name: str, family: str, is_forward: bool, docstring: str) -> Callable[..., FFT]:
    def planner(
        input_array: np.ndarray,
        s: Sequence[int] | None = None,
        axes: Sequence[int] = (-1,),
        type: int = 2,
        threads: int = 1,
        flags: Any = (),
        output_array: np.ndarray | None = None,
    ) -> FFT:
        shape = input_array.shape
        return _planned(
            f"{family}{type}", is_forward, input_array, output_array, shape, axes, threads
        )

    return named(planner, name, docstring)


dctn = _trigonometric("dctn", "dct", True, "The cosine transform of a type from 1 to 4.")
idctn = _trigonometric(
    "idctn", "dct", False, "The inverse of dctn of the same type, without its factor."
)
dstn = _trigonometric("dstn", "dst", True, "The sine transform of a type from 1 to 4.")
idstn = _trigonometric(
    "idstn", "dst", False, "The inverse of dstn of the same type, without its factor."
)
