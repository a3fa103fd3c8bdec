"""PFFT: a distributed transform under mpi4py-fft's name and with its boxes. One plan of Weft
computes it; a transform that no plan expresses runs stage by stage."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from mpi4py import MPI
from numpy.typing import DTypeLike

from ..._agreement import agreed
from ..._core import Error
from ...transform import precision_of
from .distarray import DistArray
from .libfft import FFT, SerialTransform, Transforms, plan_settings
from .pencil import Pencil, Subcomm, Transfer
from .planned import PlannedCall, communicator, plan_of

Groups = list[tuple[int, ...]]


class Transform:
    """One direction of a PFFT: serial transforms with redistributions between them.

    xfftn: FFT.forward or FFT.backward of each stage; transfer: one fewer Transfer.forward or
    .backward; pencil: two, of the input and of the output.
    """

    def __init__(
        self, xfftn: Sequence[SerialTransform], transfer: Sequence[Any], pencil: Sequence[Pencil]
    ) -> None:
        self._xfftn = tuple(xfftn)
        self._transfer = tuple(transfer)
        self._pencil = tuple(pencil)

    @property
    def input_array(self) -> np.ndarray:
        """The array that a call without arrays transforms."""
        return self._xfftn[0].input_array

    @property
    def output_array(self) -> np.ndarray:
        """The array in which a call without arrays leaves its result."""
        return self._xfftn[-1].output_array

    @property
    def input_pencil(self) -> Pencil:
        """The box of the input."""
        return self._pencil[0]

    @property
    def output_pencil(self) -> Pencil:
        """The box of the output."""
        return self._pencil[1]

    def __call__(
        self, input_array: Any = None, output_array: Any = None, **settings: Any
    ) -> np.ndarray:
        """Collective: transforms input_array to output_array, this rank's parts (None: those of
        this object), and returns the latter. settings: of the serial transforms, such as
        normalize: forward does unless told otherwise, backward does not."""
        if input_array is not None:
            self.input_array[...] = input_array
        self._xfftn[0](**settings)
        for before, move, after in zip(self._xfftn, self._transfer, self._xfftn[1:]):
            move(before.output_array, after.input_array)
            after(**settings)
        if output_array is None:
            return self.output_array
        output_array[...] = self.output_array
        return output_array


class PlannedTransform(Transform):
    """One direction of a PFFT that a plan of Weft computes as a whole."""

    def __init__(self, stages: Transform, run: PlannedCall) -> None:
        super().__init__(stages._xfftn, stages._transfer, stages._pencil)
        self.plan = run.plan
        self._run = run

    def __call__(  # type: ignore[override]
        self,
        input_array: Any = None,
        output_array: Any = None,
        normalize: bool | None = None,
        implicit: bool = True,
    ) -> np.ndarray:
        """See Transform. Arrays that are contiguous and of the right dtype are used where they lie,
        others are copied."""
        return self._run(self, input_array, output_array, normalize)


class PFFT:
    """A distributed transform.

    comm: a communicator, Cartesian or not, or a Subcomm with one for each axis.
    shape: the global one, without padding.
    axes: the transformed ones, last one first; numbers, or groups of them. None: all.
    dtype: float32, float64, complex64 or complex128, of the physical array.
    grid: processes along each axis, where 0 and less leave the number to MPI; missing ones are 1.
    padding: False, a factor for all axes, or one for each axis of the array.
    collapse: whether groups that no rank splits become one.
    backend: a name of mpi4py-fft's; Weft computes with any.
    transforms: pairs of module fftw, by groups of axes.
    darray: a DistArray that says shape, dtype and distribution instead.
    settings: `slab` (True, or the axis to split alone), `threads`; planner_effort and
    overwrite_input change nothing.

    Making one is collective. A weft.Error says what is wrong and what is valid.
    """

    def __init__(
        self,
        comm: MPI.Intracomm | Sequence[MPI.Intracomm] | None,
        shape: Sequence[int] | np.ndarray | None = None,
        axes: Any = None,
        dtype: DTypeLike = float,
        grid: Sequence[int] | None = None,
        padding: bool | float | Sequence[float] = False,
        collapse: bool = False,
        backend: str = "fftw",
        transforms: Transforms | None = None,
        darray: DistArray | None = None,
        slab: bool | int | None = None,
        **settings: Any,
    ) -> None:
        given: Any = comm if darray is None else darray.pencil.subcomm
        by_axis = None if isinstance(given, MPI.Comm) else given
        ranks: Any = given if by_axis is None else communicator(by_axis)

        def request() -> tuple[Groups, tuple[int, ...], list[float], list[int] | None]:
            precision_of(dtype if darray is None else darray.dtype)
            lengths = tuple(map(int, _shape(shape, darray)))
            groups = _groups(axes, len(lengths), darray)
            lengths, factors = _padded(padding, lengths, groups)
            counts = _counts(ranks.size, groups, len(lengths), grid, slab, by_axis)
            return groups, lengths, factors, counts

        groups, self._input_shape, factors, counts = agreed(ranks, request)
        dtype = dtype if darray is None else darray.dtype
        split: Any = by_axis if counts is None else Subcomm(ranks, counts)
        self.subcomm = split
        self.collapse = collapse
        self.axes = _collapsed(groups, split, factors) if collapse else tuple(groups)
        options = {"backend": backend, "transforms": transforms, **settings}
        agreed(ranks, lambda: self._make_stages(np.dtype(dtype), factors, options))
        self._make_transforms(plan_settings(settings))

    def _make_stages(self, dtype: np.dtype, padding: list[float], options: dict[str, Any]) -> None:
        for axis in self.axes[-1]:
            if self.subcomm[axis].size > 1:
                raise Error(
                    f"grid: axis {axis} is split among {self.subcomm[axis].size} ranks; valid is "
                    f"1 along the axes {self.axes[-1]}, which are transformed first"
                )
        self.xfftn: list[FFT] = []
        self.transfer: list[Transfer] = []
        shape = list(self._input_shape)
        pencil = first = Pencil(self.subcomm, shape, self.axes[-1][-1])
        for group in reversed(self.axes):
            axis = group[-1]
            if self.xfftn:
                following = pencil.pencil(axis)
                self.transfer.append(pencil.transfer(following, dtype))
                pencil = following
            stage = FFT(pencil.subshape, group, dtype, padding, **options)
            self.xfftn.append(stage)
            if self.xfftn[0].stage.keeps_real_part and any(
                pencil.subcomm[other].size > 1 for other in group
            ):
                raise Error(
                    f"axes: the group {group} is split among ranks, which has no padding of a "
                    "halved axis of 4n+2 or 4n+3 points before it; valid are groups of one axis"
                )
            dtype = stage.output_dtype
            shape[axis] = stage.stage.kept
            pencil = Pencil(pencil.subcomm, shape, axis)
        self._output_shape = tuple(shape)
        self.pencil = [first, pencil]

    def _make_transforms(self, settings: dict[str, Any]) -> None:
        stages, moves = self.xfftn, self.transfer
        self.forward = Transform(
            [stage.forward for stage in stages], [move.forward for move in moves], self.pencil
        )
        self.backward = Transform(
            [stage.backward for stage in stages[::-1]],
            [move.backward for move in moves[::-1]],
            self.pencil[::-1],
        )
        if any(stage.stage.keeps_real_part for stage in stages):
            return  # stage by stage
        plan = plan_of(
            communicator(self.subcomm),
            lambda: [stage.stage for stage in stages],
            self._input_shape,
            stages[0].dtype,
            self.pencil,
            **settings,
        )
        self.forward = PlannedTransform(self.forward, PlannedCall(plan, True))
        self.backward = PlannedTransform(self.backward, PlannedCall(plan, False))

    def destroy(self) -> None:
        """Frees the plan and the Subcomm, the caller's own as well. Collective."""
        if isinstance(self.forward, PlannedTransform):
            self.forward.plan.close()
        if isinstance(self.subcomm, Subcomm):
            self.subcomm.destroy()

    def shape(self, forward_output: bool = True) -> tuple[int, ...]:
        """The shape of this rank's part of the spectrum, or of the physical array."""
        return self._pencil_of(forward_output).subshape

    def local_slice(self, forward_output: bool = True) -> tuple[slice, ...]:
        """Selects this rank's part of the global spectrum, or of the physical array."""
        return self._pencil_of(forward_output).slices

    def _pencil_of(self, forward_output: bool) -> Pencil:
        """Of the transforms, because subclasses make these by themselves, as shenfun's does."""
        return self.forward.output_pencil if forward_output else self.forward.input_pencil

    def global_shape(self, forward_output: bool = False) -> tuple[int, ...]:
        """The shape of the physical array, or of the spectrum."""
        return self._output_shape if forward_output else self._input_shape

    @property
    def dimensions(self) -> int:
        """The number of axes."""
        return len(self.forward.input_pencil.shape)

    def dtype(self, forward_output: bool = False) -> np.dtype:
        """The dtype of the physical array, or of the spectrum."""
        stage = self.xfftn[-1 if forward_output else 0]
        if isinstance(stage, FFT):  # without making its arrays
            return stage.output_dtype if forward_output else stage.dtype
        return (self.forward.output_array if forward_output else self.forward.input_array).dtype


def _shape(shape: Any, darray: DistArray | None) -> Any:
    if shape is not None:
        return shape
    if darray is None:
        raise Error("shape: is None; valid is a global shape, or `darray`")
    return darray.pencil.shape


def _groups(axes: Any, count: int, darray: DistArray | None) -> Groups:
    """The axes as groups of numbers from 0."""
    if axes is None:
        shift = 0 if darray is None else darray.pencil.axis + 1  # its whole axis is the first
        return [((shift + axis) % count,) for axis in range(count)]
    entries = [axes] if isinstance(axes, (int, np.integer)) else axes
    groups: Groups = [tuple(np.atleast_1d(entry)) for entry in entries]
    given = [axis for group in groups for axis in group]
    if not all(groups) or not given or any(not -count <= axis < count for axis in given):
        raise Error(f"axes: {axes}; valid are groups of axes of an array with {count}")
    if len({axis % count for axis in given}) < len(given):
        raise Error(f"axes: {axes}; valid is each axis once")
    return [tuple(int(axis) % count for axis in group) for group in groups]


def _padded(
    padding: Any, shape: tuple[int, ...], groups: Groups
) -> tuple[tuple[int, ...], list[float]]:
    """The padded shape, and by which factors it is longer."""
    factors = [1.0] * len(shape)
    if padding is False or padding is None:
        return shape, factors
    given = [padding] * len(shape) if np.ndim(padding) == 0 else list(padding)
    if len(given) != len(shape):
        raise Error(
            f"padding: has {len(given)} factors; valid is one for each of {len(shape)} axes"
        )
    lengths = list(shape)
    for group in groups:
        for axis in group:
            if given[axis] < 1 - 1e-6 or (given[axis] > 1 + 1e-6 and len(group) > 1):
                raise Error(
                    f"padding: {given[axis]} of axis {axis} in the group {group}; valid are "
                    "factors from 1, of axes that are a group of their own"
                )
            lengths[axis] = int(np.floor(shape[axis] * given[axis]))
            factors[axis] = lengths[axis] / shape[axis]
    return tuple(lengths), factors


def _counts(
    ranks: int,
    groups: Groups,
    count: int,
    grid: Sequence[int] | None,
    slab: bool | int | None,
    by_axis: Sequence[MPI.Intracomm] | None,
) -> list[int] | None:
    """The processes along each axis, where 0 leaves the number to MPI; None: as the communicators
    say that are given for each axis."""
    is_slab = slab is not None and slab is not False
    if (grid is not None) + is_slab + (by_axis is not None) > 1:
        raise Error("grid, slab: valid is one of these, and none with a Subcomm or a darray")
    if by_axis is not None:
        if len(by_axis) != count:
            raise Error(
                f"comm: has {len(by_axis)} communicators; valid is one for each of {count} axes"
            )
        return None
    if grid is not None:
        if len(grid) > count:
            raise Error(f"grid: {tuple(grid)}; valid is up to one number for each of {count} axes")
        return [max(0, int(number)) for number in grid] + [1] * (count - len(grid))
    if is_slab:
        axis = groups[-1][-1] + 1 if slab is True else int(slab)  # type: ignore[arg-type]
        return [ranks if other == axis % count else 1 for other in range(count)]
    return [int(axis in groups[-1]) for axis in range(count)]


def _collapsed(
    groups: Groups, subcomm: Sequence[MPI.Intracomm], padding: list[float]
) -> tuple[tuple[int, ...], ...]:
    """A group that no rank splits joins the one that is transformed before it; padded groups stay
    alone."""
    result = [groups[-1]]
    for group in reversed(groups[:-1]):
        joins = all(subcomm[axis].size == 1 for axis in group)
        if joins and all(padding[axis] == 1 for axis in (*group, *result[0])):
            result[0] = (*group, *result[0])
        else:
            result.insert(0, group)
    return tuple(result)
