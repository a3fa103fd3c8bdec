"""The meaning of an array's indices: points of a grid, or modes of a spectrum. Arrays of plans
carry it, without the plan."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from . import _core
from ._arguments import real_numbers
from ._core import Error
from .transform import Transform


def lengths_for(axes: int, lengths: float | Sequence[float] | None) -> tuple[float, ...]:
    """The edges of the box, one for each axis: 2 pi where none are given, all alike where there is
    one number."""
    edges = real_numbers(2 * math.pi if lengths is None else lengths)
    if (
        edges is None
        or edges.shape not in ((), (axes,))
        or not np.all((edges > 0) & np.isfinite(edges))
    ):
        raise Error(
            f"lengths: {lengths!r}; valid is a positive number, or one for each of the {axes} axes"
        )
    return tuple(map(float, np.broadcast_to(edges, axes)))


def open_mesh(lines: Sequence[np.ndarray]) -> tuple[np.ndarray, ...]:
    """One array for each axis, all of which broadcast together."""
    count = len(lines)
    return tuple(
        line.reshape([-1 if other == axis else 1 for other in range(count)])
        for axis, line in enumerate(lines)
    )


def coordinates(
    kinds: Sequence[str],
    shape: Sequence[int],
    parts: Sequence[slice],
    lengths: float | Sequence[float] | None,
) -> tuple[np.ndarray, ...]:
    """The points of those parts of a grid, as an open mesh. Of batch axes, the indices."""
    lines = []
    for axis, (kind, count, edge) in enumerate(zip(kinds, shape, lengths_for(len(shape), lengths))):
        first, steps, _ = _core.grid_points(kind, count)
        step = 1.0 if kind == "none" else edge / max(steps, 1)
        lines.append(step * (np.arange(count)[parts[axis]] + first))
    return open_mesh(lines)


@dataclass(frozen=True, eq=False)
class Space:
    """One end of a plan, and how much larger the elements of an array there are than the plan's
    norm makes them.

    transform: of the plan; is_spectrum: whether this is the end with the modes.
    layouts: of the plan's input and output.
    periods: of each axis the wavenumbers of all modes, in periods per box, or half periods between
    walls; None where this is no spectrum.
    weights, factor: the mean square over the grid is factor * sum(weights * |x|^2), or unknown
    where the factor is NaN.
    """

    transform: Transform
    is_spectrum: bool
    layouts: tuple[_core.Layout, _core.Layout]
    periods: tuple[np.ndarray, ...] | None
    weights: tuple[np.ndarray, ...]
    factor: float

    @classmethod
    def of_plan(cls, core: _core.Plan, transform: Transform, is_input: bool) -> "Space":
        """The space of forward's input, or of its output."""
        is_spectrum = core.spectrum_is_output != is_input
        periods = _core.wavenumbers(transform) if is_spectrum else None
        layouts = (core.input_layout, core.output_layout)
        weights, factor = _core.mean_square_weights(transform, is_input)
        return cls(transform, is_spectrum, layouts, periods, weights, factor)

    def scaled(self, scale: float) -> "Space":
        """The space of a result that the transform has multiplied by `scale`. A scaled spectrum
        stands for the same field; a scaled field is another field."""
        if scale == 1 or not self.is_spectrum:
            return self
        return replace(self, factor=self.factor / scale**2 if scale else math.nan)

    @property
    def known_factor(self) -> float:
        """The factor; an Error where it is unknown."""
        if math.isnan(self.factor):
            raise Error(
                "the mean square of this array's field is unknown, because it was made with scale=0"
                " or of spectra with different norms or scales; valid are spectra of one norm"
            )
        return self.factor

    def rolled(self, axis: int, shift: int) -> "Space":
        """The space of an array whose elements have moved by `shift` indices along an axis."""

        def moved(lines: tuple[np.ndarray, ...]) -> tuple[np.ndarray, ...]:
            return (*lines[:axis], np.roll(lines[axis], shift), *lines[axis + 1 :])

        periods = moved(self.periods) if self.periods else None
        return replace(self, periods=periods, weights=moved(self.weights))

    def wavenumbers(
        self, lengths: float | Sequence[float] | None, parts: Sequence[slice]
    ) -> tuple[np.ndarray, ...]:
        """The angular wavenumbers of those parts of the modes, for a grid with these edges, as an
        open mesh: 2 pi k / length, and pi k / length between walls. Of batch axes, the indices."""
        if self.periods is None:
            raise Error("wavenumbers: this array is no spectrum; its transform is one")
        lines = (unit * k for unit, k in zip(self.units(lengths), self.periods))
        return open_mesh([line[part] for line, part in zip(lines, parts)])

    def has_modes_of(self, other: "Space") -> bool:
        """Whether each index is the same mode in both."""
        mine, its = self.transform, other.transform
        return (mine.shape, mine.kinds) == (its.shape, its.kinds) and all(
            map(np.array_equal, self.periods or (), other.periods or ())
        )

    def units(self, lengths: float | Sequence[float] | None) -> list[float]:
        """The angular wavenumber of one period, or half period, of each axis; 1 of batch axes."""
        kinds = self.transform.kinds
        return [
            1.0 if kind == "none" else (1 if _core.grid_points(kind, 1)[2] else 2) * math.pi / edge
            for kind, edge in zip(kinds, lengths_for(len(kinds), lengths))
        ]

    def weights_in(self, parts: Sequence[slice]) -> tuple[np.ndarray, ...]:
        """The weights of those parts of the elements, as an open mesh."""
        return open_mesh([line[part] for line, part in zip(self.weights, parts)])


def combined(spaces: Iterable[Space | None]) -> Space | None:
    """The space of a result that is computed from arrays with these: the first one. Its factor is
    unknown if another spectrum has another factor."""
    known = [space for space in spaces if space]
    if not known:
        return None
    first = next((space for space in known if space.is_spectrum), known[0])
    factors = [space.factor for space in known if space.is_spectrum]
    if all(math.isclose(factor, first.factor, rel_tol=1e-9) for factor in factors):
        return first
    return replace(first, factor=math.nan)
