"""Spectral calculus on weft.Array, in boxes that are periodic unless `kind` puts walls there.

Every call is collective. lengths: the edges of the box, a number or one for each axis (2 pi);
derivatives are per that unit. Real fields go through r2c transforms, complex ones through c2c.
kind: another kind of transform, as for weft.Transform: "dct2", or ["c2c", "dst1", "none"].
Operators of one field act on the spectrum in the tile of its last transform, so that it is never in
memory. Results have the layout of the argument.

>>> u = weft.from_function(lambda i, j: np.cos(np.pi * i / 8) + 0 * j, (16, 16))  # 2 waves per unit
>>> du = weft.spectral.derivative(u, axis=0, lengths=0.5)
>>> print(round(abs(du).max() / np.pi, 6))
4.0
"""

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from mpi4py import MPI
from numpy.typing import ArrayLike

from ._core import Error
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
    """du/dx along a periodic axis. The Nyquist mode of an even number of points counts as 0.

    >>> u = weft.zeros((8, 8))
    >>> u.local[...] = np.sin(u.coordinates()[0])
    >>> du = weft.spectral.derivative(u, axis=0)
    >>> np.allclose(du.local, np.cos(u.coordinates()[0]))
    True
    """
    if not -u.ndim <= axis < u.ndim:
        raise Error(f"axis: {axis}; the array has {u.ndim} axes")
    return _applied(u, f"derivative {axis % u.ndim}", lengths, kind)


def gradient(u: Array, lengths: Lengths = None, kind: Kind = None) -> list[Array]:
    """The derivatives along all transformed axes, in their order.

    >>> x_slope, y_slope = weft.spectral.gradient(weft.ones((8, 8)))
    >>> np.allclose(x_slope.local, 0)
    True
    """
    result = _applied(u, "gradient", lengths, kind)
    return result if isinstance(result, list) else [result]


def laplacian(u: Array, lengths: Lengths = None, kind: Kind = None) -> Array:
    """The sum of the second derivatives.

    >>> u = weft.zeros((8, 8))
    >>> u.local[...] = np.sin(2 * u.coordinates()[0])
    >>> np.allclose(weft.spectral.laplacian(u).local, -4 * u.local)
    True
    """
    return _applied(u, "laplacian", lengths, kind)


def poisson(f: Array, lengths: Lengths = None, kind: Kind = None) -> Array:
    """The u with laplacian(u) = f and mean 0; the mean of f does not count.

    >>> f = weft.zeros((8, 8))
    >>> f.local[...] = np.sin(2 * f.coordinates()[0])
    >>> np.allclose(weft.spectral.poisson(f).local, -f.local / 4)
    True
    """
    return _applied(f, "inverse_laplacian", lengths, kind)


def gaussian(u: Array, width: float, lengths: Lengths = None, kind: Kind = None) -> Array:
    """A filter: u smoothed with a Gaussian of that standard deviation.

    >>> u = weft.zeros((8, 8))
    >>> u.local[...] = np.sin(u.coordinates()[0])
    >>> np.allclose(weft.spectral.gaussian(u, width=0.5).local, np.exp(-0.125) * u.local)
    True
    """
    return _applied(u, f"gaussian {width!r}", lengths, kind)


def sharp(u: Array, cutoff: float, lengths: Lengths = None, kind: Kind = None) -> Array:
    """A filter: only the modes whose angular wavenumber is at most `cutoff`.

    >>> u = weft.zeros((8, 8))
    >>> u.local[...] = np.sin(3 * u.coordinates()[0])
    >>> np.allclose(weft.spectral.sharp(u, cutoff=2).local, 0)
    True
    """
    return _applied(u, f"sharp {cutoff!r}", lengths, kind)


def divergence(v: Sequence[Array], lengths: Lengths = None, kind: Kind = None) -> Array:
    """The sum of the derivatives of each component along its axis.

    >>> u = weft.zeros((8, 8))
    >>> u.local[...] = np.sin(u.coordinates()[0])
    >>> np.allclose(weft.spectral.divergence([u, u]).local, np.cos(u.coordinates()[0]))
    True
    """
    return _applied_to_vector(v, "divergence", lengths, kind)


def curl(v: Sequence[Array], lengths: Lengths = None, kind: Kind = None) -> Array | list[Array]:
    """Three components from three, or one from two.

    >>> u = weft.zeros((8, 8))
    >>> u.local[...] = np.sin(u.coordinates()[0])
    >>> np.allclose(weft.spectral.curl([u, u]).local, np.cos(u.coordinates()[0]))
    True
    """
    return _applied_to_vector(v, "curl", lengths, kind)


def projection(v: Sequence[Array], lengths: Lengths = None, kind: Kind = None) -> list[Array]:
    """The part of v whose divergence is 0.

    >>> u = weft.zeros((8, 8))
    >>> u.local[...] = np.sin(u.coordinates()[0])
    >>> v = weft.spectral.projection([u, u])
    >>> np.allclose(weft.spectral.divergence(v).local, 0)
    True
    """
    return _applied_to_vector(v, "projection", lengths, kind)


def dealias(u: Array, modes: str = "2/3", kind: Kind = None) -> Array:
    """Only the modes with |k| <= n/3 along each axis (Orszag's 2/3 rule), or other `modes` as for
    weft.Transform. Dropped modes are never sent.

    >>> u = weft.zeros((8, 8))
    >>> u.local[...] = np.sin(3 * u.coordinates()[0])
    >>> np.allclose(weft.spectral.dealias(u).local, 0)
    True
    """
    plan = _plan_for(u, kind, modes=modes)
    return plan.backward(plan.forward(u.contiguous()))


def energy_spectrum(
    u: Array | Sequence[Array], lengths: Lengths = None, kind: Kind = None
) -> np.ndarray:
    """|u|^2 / 2 by wavenumber, the same on all ranks. Entry s is the share of half the mean square
    in the modes with s - 1/2 <= |k| < s + 1/2, where the unit of k is the smallest 2 pi / length.

    u: a field, a spectrum that a plan has made, with any norm, or a list of components, whose
    energies are added.

    >>> u = weft.zeros((8, 8))
    >>> u.local[...] = np.sin(u.coordinates()[0])
    >>> print(weft.spectral.energy_spectrum(u).round(6)[:3])
    [0.   0.25 0.  ]
    """
    if not isinstance(u, Array):
        return np.sum([energy_spectrum(component, lengths, kind) for component in u], axis=0)
    modes = _Modes(_spectrum_of(u, kind), lengths)
    width = min(modes.units, default=1.0)
    shells = (modes.magnitude / width + 0.5).astype(int)
    energy = np.square(np.abs(modes.spectrum.local), dtype=float)
    sums = modes.sums(shells, energy, int(modes.largest / width + 0.5) + 1)
    return sums * modes.space.known_factor / 2


class PowerSpectrum(NamedTuple):
    """The result of power_spectrum, an entry for each bin.

    k: the mean |k| of its modes; power: the mean of P over them; both NaN where there are none.
    modes: how many there are, those counted that the half spectrum of a real field implies.

    >>> spectrum = weft.spectral.power_spectrum(weft.ones((8, 8)))
    >>> print(spectrum.modes)
    [ 8 12 16 22]
    """

    k: np.ndarray
    power: np.ndarray
    modes: np.ndarray


def power_spectrum(
    a: Array, b: Array | None = None, lengths: Lengths = None, *, bins: ArrayLike | None = None
) -> PowerSpectrum:
    """P(k) = V <|a_k|^2>, or of two fields the cross spectrum V <Re(a_k conj(b_k))>, averaged over
    modes by |k|, the same on all ranks. Here a_k = 1/N sum over the grid of a(x) exp(-i k x), and V
    is the product of `lengths`. The sum of P over all modes, divided by V, is the mean square, as
    in cosmology (nbodykit's FFTPower, Pylians). P has the units of a^2 times volume.

    a, b: fields, or spectra of r2c or c2c along all axes, made with any norm.
    bins: increasing edges in angular wavenumbers; a mode counts in bin i if
    bins[i] <= |k| < bins[i + 1]. None: one bin around each multiple of the smallest 2 pi / length,
    up to the lowest Nyquist wavenumber of the axes; the mean of the field is in none of them.

    >>> u = weft.zeros((8, 8))
    >>> u.local[...] = np.sin(u.coordinates()[0])
    >>> k, power, modes = weft.spectral.power_spectrum(u)
    >>> print(modes)
    [ 8 12 16 22]
    """
    modes = _Modes(_spectrum_of(a, None), lengths)
    other = modes if b is None else _Modes(_spectrum_of(b, None), lengths)
    modes.require_same(other)
    edges = _edges(modes, bins)
    own, its = modes.spectrum, other.spectrum
    if its.layout != own.layout:
        its = its.redistribute(own.layout)
    product = np.real(own.local * np.conj(its.local)).astype(float)
    found = np.searchsorted(edges, modes.magnitude, side="right")  # 0 and the last: in no bin
    counts, sizes, powers = (
        modes.sums(found, values, len(edges) + 1)[1:-1]
        for values in (np.ones(()), modes.magnitude, product)
    )
    amplitudes = math.sqrt(modes.space.known_factor * other.space.known_factor)
    power = math.prod(modes.lengths) * amplitudes * powers
    with np.errstate(invalid="ignore"):
        return PowerSpectrum(sizes / counts, power / counts, counts.astype(int))


def _edges(modes: "_Modes", bins: ArrayLike | None) -> np.ndarray:
    if bins is None:
        unit = min(modes.units)
        nyquist = min(np.pi * n / edge for n, edge in zip(modes.shape, modes.lengths))
        return unit * (np.arange(1, int(nyquist / unit + 1e-9) + 2) - 0.5)
    edges = np.asarray(bins, float)
    if edges.ndim != 1 or len(edges) < 2 or not np.all(np.diff(edges) > 0):
        raise Error(f"bins: {bins}; valid are two or more edges that increase")
    return edges


def _spectrum_of(u: Array, kind: Kind) -> Array:
    """The array's spectrum; the array itself where it is one."""
    if isinstance(u, Array) and u.space is not None and u.space.is_spectrum:
        return u
    return _plan_for(u, kind).forward(u.contiguous())


class _Modes:
    """The modes of a spectrum by the size of their wavenumbers."""

    def __init__(self, spectrum: Array, lengths: Lengths) -> None:
        assert spectrum.space is not None and spectrum.space.periods is not None
        self.spectrum, self.space = spectrum, spectrum.space
        self.shape, kinds = self.space.transform.shape, self.space.transform.kinds
        if "r2c_packed" in kinds:
            raise Error(
                "r2c_packed: elements hold the modes 0 and n/2, which differ in |k|; valid is r2c"
            )
        self.lengths = lengths_for(len(kinds), lengths)
        transformed = [axis for axis, kind in enumerate(kinds) if kind != "none"]
        units, lines = self.space.units(lengths), spectrum.space.periods
        self.units = [units[axis] for axis in transformed]
        ends = [np.abs(units[axis] * lines[axis]).max() for axis in transformed]
        mesh = self.space.wavenumbers(lengths, spectrum.slices)
        squares, largest = np.zeros(spectrum.local.shape), 0.0
        for axis, end in zip(transformed, ends):
            squares += np.square(mesh[axis])
            largest += np.square(end)  # rounded alike, so that no magnitude is larger
        self.magnitude, self.largest = np.sqrt(squares), np.sqrt(largest)

    def require_same(self, other: "_Modes") -> None:
        """An Error unless both are waves along all axes, and each index is the same in both."""
        for modes in (self, other):
            if not set(modes.space.transform.kinds) <= {"r2c", "c2r", "c2c"}:
                raise Error(
                    f"power_spectrum: of {modes.space.transform}; valid are r2c and c2c along all "
                    "axes"
                )
        self.spectrum.require_same_ranks(other.spectrum)
        if not self.space.has_modes_of(other.space):
            raise Error(
                f"power_spectrum: the modes of {self.space.transform} and of "
                f"{other.space.transform} meet, or in another order; valid are two arrays of one "
                "shape and kind"
            )

    def sums(self, places: np.ndarray, values: np.ndarray, count: int) -> np.ndarray:
        """The sums of local values, as often as their modes count, by their places. Collective."""
        weighted = np.broadcast_to(values, places.shape)
        for weight in self.space.weights_in(self.spectrum.slices):
            weighted = weighted * weight
        own = np.bincount(places.ravel(), weighted.ravel(), count).astype(float)  # int of nothing
        self.spectrum.comm.Allreduce(MPI.IN_PLACE, own)
        return own
