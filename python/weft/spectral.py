"""Spectral calculus on weft.Array, in boxes that are periodic unless `kind` puts walls there.

Every call is collective. lengths: the edges of the box, a number or one for each axis (2 pi);
derivatives are per that unit. Real fields go through r2c transforms, complex ones through c2c.
kind: instead, what weft.Transform takes, such as "dct2" or ["c2c", "dst1", "none"]. The spectrum
never lies in memory for operators of one field: they act on it in the tile of its last transform.
Results have the layout of the argument.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ._core import Error, energy_by_shell
from .array import Array
from .plan import Plan
from .plan_cache import cached_plan
from .space import lengths_for
from .transform import Transform

Lengths = float | Sequence[float] | None
Kind = str | Sequence[str] | None


def _plan_for(field: Array, kind: Kind, fields: int = 1, modes: str | None = None) -> Plan:
    if not isinstance(field, Array):
        raise Error(f"field: is a {type(field).__name__}; valid is a weft.Array")
    if kind is None:
        kind = "c2c" if field.dtype.kind == "c" else "r2c"
    transform = Transform(field.shape, kind, dtype=field.dtype, modes=modes)
    options = f"fields={fields}" if fields > 1 else ""
    return cached_plan(field.comm, transform, field.layout.contiguous(), None, options)


def _applied(field: Array, operator: str, lengths: Lengths, kind: Kind) -> Any:
    plan = _plan_for(field, kind)
    return plan.apply(field.contiguous(), None, operator, lengths=lengths)


def _applied_to_vector(vector: Sequence[Array], operator: str, lengths: Lengths, kind: Kind) -> Any:
    components = [component.contiguous() for component in vector]
    for component in components[1:]:
        components[0].require_same_boxes(component)
    plan = _plan_for(components[0], kind, len(components))
    return plan.apply(components, None, operator, lengths=lengths)


def derivative(u: Array, axis: int, lengths: Lengths = None, kind: Kind = None) -> Array:
    """du/dx along a periodic axis. The Nyquist mode of an even number of points counts as 0."""
    if not -u.ndim <= axis < u.ndim:
        raise Error(f"axis: {axis}; the array has {u.ndim} axes")
    return _applied(u, f"derivative {axis % u.ndim}", lengths, kind)


def gradient(u: Array, lengths: Lengths = None, kind: Kind = None) -> list[Array]:
    """The derivatives along all transformed axes, in their order."""
    result = _applied(u, "gradient", lengths, kind)
    return result if isinstance(result, list) else [result]


def laplacian(u: Array, lengths: Lengths = None, kind: Kind = None) -> Array:
    """The sum of the second derivatives."""
    return _applied(u, "laplacian", lengths, kind)


def poisson(f: Array, lengths: Lengths = None, kind: Kind = None) -> Array:
    """The u with laplacian(u) = f and mean 0; the mean of f does not count."""
    return _applied(f, "inverse_laplacian", lengths, kind)


def gaussian(u: Array, width: float, lengths: Lengths = None, kind: Kind = None) -> Array:
    """A filter: u smoothed with a Gaussian of that standard deviation."""
    return _applied(u, f"gaussian {width!r}", lengths, kind)


def sharp(u: Array, cutoff: float, lengths: Lengths = None, kind: Kind = None) -> Array:
    """A filter: only the modes whose angular wavenumber is at most `cutoff`."""
    return _applied(u, f"sharp {cutoff!r}", lengths, kind)


def divergence(v: Sequence[Array], lengths: Lengths = None, kind: Kind = None) -> Array:
    """The sum of the derivatives of each component along its axis."""
    return _applied_to_vector(v, "divergence", lengths, kind)


def curl(v: Sequence[Array], lengths: Lengths = None, kind: Kind = None) -> Array | list[Array]:
    """Three components from three, or one from two."""
    return _applied_to_vector(v, "curl", lengths, kind)


def projection(v: Sequence[Array], lengths: Lengths = None, kind: Kind = None) -> list[Array]:
    """The part of v whose divergence is 0."""
    return _applied_to_vector(v, "projection", lengths, kind)


def dealias(u: Array, modes: str = "2/3", kind: Kind = None) -> Array:
    """Only the modes with |k| <= n/3 along each axis (Orszag's 2/3 rule), or others that
    weft.Transform's `modes` can say; what is dropped is never sent."""
    plan = _plan_for(u, kind, modes=modes)
    return plan.backward(plan.forward(u.contiguous()))


def energy_spectrum(
    u: Array | Sequence[Array], lengths: Lengths = None, kind: Kind = None
) -> np.ndarray:
    """|u|^2 / 2 by wavenumber, the same on all ranks: entry s is the part of half the mean square
    in modes with s - 1/2 <= |k| < s + 1/2, in units of the smallest 2 pi / length. Of a list of
    components, their sum. A physical array, or a spectrum that a plan has made."""
    if not isinstance(u, Array):
        return np.sum([energy_spectrum(component, lengths, kind) for component in u], axis=0)
    edges = lengths_for(u.ndim, lengths)
    if u.space is not None and u.space.is_spectrum:
        plan = cached_plan(u.comm, u.space.transform, *u.space.layouts)
        return energy_by_shell(plan._core, u, edges)
    plan = _plan_for(u, kind)
    return energy_by_shell(plan._core, plan.forward(u.contiguous()), edges)
