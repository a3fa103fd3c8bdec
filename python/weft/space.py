"""What an array's indices mean: points of a grid, or modes of a spectrum. Arrays of plans carry it,
without the plan."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from . import _core
from ._core import Error
from .transform import Transform

# Where waves stand between walls: the first of n grid points, in steps, and how many steps more
# than n the box has. They follow from SciPy's definitions of the kinds.
WALL_POINTS = {
    "dct1": (0, -1),
    "dst1": (1, 1),
    "dct2": (0.5, 0),
    "dst2": (0.5, 0),
    "dct3": (0, 0),
    "dst3": (1, 0),
    "dct4": (0.5, 0),
    "dst4": (0.5, 0),
}


def lengths_for(axes: int, lengths: float | Sequence[float] | None) -> tuple[float, ...]:
    """The edges of the box, one for each axis: 2 pi where none are given, all alike where there is
    one number."""
    if lengths is None:
        lengths = 2 * math.pi
    edges = (
        tuple(map(float, lengths)) if isinstance(lengths, Sequence) else (float(lengths),) * axes
    )
    if len(edges) != axes or not all(edge > 0 and math.isfinite(edge) for edge in edges):
        raise Error(
            f"lengths: {lengths}; valid is a positive number, or one for each of the {axes} axes"
        )
    return edges


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
    box: _core.Box,
    lengths: float | Sequence[float] | None,
) -> tuple[np.ndarray, ...]:
    """The points of a grid that lie in `box`, as an open mesh. Of batch axes, the indices."""
    lines = []
    for axis, (kind, count, edge) in enumerate(zip(kinds, shape, lengths_for(len(shape), lengths))):
        first, more = WALL_POINTS.get(kind, (0, 0))
        step = 1.0 if kind == "none" else edge / max(count + more, 1)
        lines.append(step * (np.arange(box.lower[axis], box.lower[axis] + box.shape[axis]) + first))
    return open_mesh(lines)


@dataclass(frozen=True, eq=False)
class Space:
    """One end of a plan on this rank.

    transform: of the plan; is_spectrum: whether this is the end with the modes.
    periods: of each axis the wavenumbers of this rank's modes, in periods per box, or half periods
    between walls.
    layouts: of the plan's input and output.
    weights, factor: the mean square over the grid is factor * sum(weights * |x|^2).
    """

    transform: Transform
    is_spectrum: bool
    layouts: tuple[_core.Layout, _core.Layout]
    periods: tuple[np.ndarray, ...] | None
    weights: tuple[np.ndarray, ...]
    factor: float

    @classmethod
    def of_plan(cls, core: _core.Plan, transform: Transform, is_input: bool) -> "Space":
        """That of forward's input, or of its output."""
        is_spectrum = core.spectrum_is_output != is_input
        periods = _core.wavenumbers(core)[0] if is_spectrum else None
        layouts = (core.input_layout, core.output_layout)
        return cls(
            transform, is_spectrum, layouts, periods, *_core.mean_square_weights(core, is_input)
        )

    def wavenumbers(self, lengths: float | Sequence[float] | None) -> tuple[np.ndarray, ...]:
        """The angular wavenumbers of this rank's modes for a box with these edges, as an open mesh:
        2 pi k / length, and pi k / length between walls. Of batch axes, the indices."""
        if self.periods is None:
            raise Error("wavenumbers: this array is no spectrum; its transform is one")
        edges = lengths_for(len(self.periods), lengths)
        return open_mesh(
            [
                k if kind == "none" else (1 if kind in WALL_POINTS else 2) * math.pi / edge * k
                for k, kind, edge in zip(self.periods, self.transform.kinds, edges)
            ]
        )
