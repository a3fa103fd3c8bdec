"""Distributed FFTs of xarray's DataArrays that keep their coordinates. Import it where xarray is
installed.

>>> import weft.xarray
>>> u = weft.ones((4, 6))
>>> field = weft.xarray.data_array(u, dims=("x", "y"), coords={"x": 0.5 * np.arange(4)})
>>> spectrum = weft.xarray.rfftn(field)
>>> print(spectrum.freq_x.values, spectrum.shape)
[ 0.   0.5 -1.  -0.5] (4, 4)

A DataArray holds a weft.Array; its coordinates are global, the same on all ranks. A transformed
dimension "x" becomes "freq_x" with the frequencies in periods per unit of x, and back; its
attributes remember where x began. Dimensions that are not transformed keep their coordinates.
Collective.

What xarray does itself with a weft.Array is in docs/python.md: parts, permutations and arithmetic
stay distributed, reductions are the same on all ranks. Its to_netcdf takes no distributed array;
the one below does.
"""

import os
import tempfile
from collections.abc import Hashable, Iterable, Mapping
from typing import Any, Protocol, TypeVar

import numpy as np
import xarray

from . import fft
from ._core import Error
from ._new_file import on_root
from ._transforming import named
from .array import Array

__all__ = ["data_array", "fftn", "gather", "ifftn", "irfftn", "rfftn", "to_netcdf"]

PREFIX = "freq_"


def data_array(
    array: Array, dims: Iterable[Hashable], coords: Mapping[Any, Any] | None = None, **settings: Any
) -> xarray.DataArray:
    """A DataArray around a weft.Array.

    >>> weft.xarray.data_array(weft.ones((4, 6)), ("x", "y"), name="velocity").dims
    ('x', 'y')
    """
    return xarray.DataArray(
        xarray.Variable(tuple(dims), array, fastpath=True), coords=coords, **settings
    )


Fields = TypeVar("Fields", bound=xarray.DataArray | xarray.Dataset)


def _distributed(field: xarray.DataArray | xarray.Dataset) -> dict[Hashable, Array]:
    """The distributed arrays of the variables and coordinates, by their names; None: of the
    DataArray itself."""
    variables = {name: one.variable for name, one in field.coords.items()}
    if isinstance(field, xarray.Dataset):
        variables |= {name: one.variable for name, one in field.data_vars.items()}
    else:
        variables[None] = field.variable
    found = {name: one._data for name, one in variables.items() if isinstance(one._data, Array)}
    if not found:
        raise Error("field: holds no weft.Array; weft.xarray.data_array makes one that does")
    return found


def gather(field: Fields, root: int | None = 0) -> Fields | None:
    """The DataArray or Dataset with whole NumPy arrays on rank `root`, None on the others; with
    root=None on all ranks. Collective.

    >>> field = weft.xarray.data_array(weft.ones((4, 6)), ("x", "y"))
    >>> print(weft.xarray.gather(field, root=None).sum("x").values)
    [4. 4. 4. 4. 4. 4.]
    """
    wholes = {name: array.gather(root) for name, array in _distributed(field).items()}
    if any(whole is None for whole in wholes.values()):
        return None
    own = wholes.pop(None, None)
    result: Any = field
    result = result.copy(deep=False) if own is None else result.copy(data=own)
    for name, whole in wholes.items():
        made = {name: field[name].variable.copy(data=whole)}
        result = result.assign_coords(made) if name in field.coords else result.assign(made)
    return result


def to_netcdf(
    field: xarray.DataArray | xarray.Dataset, path: str | os.PathLike[str], **settings: Any
) -> None:
    """Writes a NetCDF file, or an Error on all ranks. Rank 0 gathers the whole field, and has it in
    memory meanwhile; weft.Array.save needs no more than each rank's part. A file of that name is
    replaced when the new one is complete. settings: as for xarray's to_netcdf. Collective.

    >>> field = weft.xarray.data_array(weft.ones((4, 6)), ("x", "y"), name="u")
    >>> weft.xarray.to_netcdf(field, "u.nc")
    """
    comm = next(iter(_distributed(field).values())).comm
    whole = gather(field)
    target = os.path.realpath(os.fsdecode(path))

    def write() -> None:
        if settings.get("mode", "w") != "w":
            raise Error(f"mode: {settings['mode']!r}; valid is 'w'")
        folder, name = os.path.split(target)
        with tempfile.TemporaryDirectory(prefix=".weft-", dir=folder) as made:
            whole.to_netcdf(os.path.join(made, name), **settings)  # type: ignore[union-attr]
            os.replace(os.path.join(made, name), target)

    on_root(comm, write)


def _spacing(
    name: Hashable, coordinate: xarray.DataArray | None, length: int
) -> tuple[float, float]:
    """Where a coordinate begins, and its step; an Error unless it is regular."""
    if coordinate is None:
        return 0.0, 1.0
    values = np.asarray(coordinate.values, float)
    steps = np.diff(values)
    step = float(steps.mean()) if length > 1 else float(coordinate.attrs.get("step", 1.0))
    if length > 1 and (step == 0 or not np.allclose(steps, step, rtol=1e-6, atol=0)):
        raise Error(f"coordinate {name!r}: its points are not equally spaced")
    return float(values[0]), step


def _to_frequencies(field: xarray.DataArray, dim: Hashable, is_half: bool) -> xarray.DataArray:
    length = field.sizes[dim]
    first, step = _spacing(dim, field.coords.get(dim), length)
    line = (fft.rfftfreq if is_half else fft.fftfreq)(length, step)
    return xarray.DataArray(
        line, dims=(f"{PREFIX}{dim}",), attrs={"first": first, "step": step, "length": length}
    )


def _to_points(spectrum: xarray.DataArray, dim: str, length: int) -> xarray.DataArray:
    coordinate = spectrum.coords.get(dim)
    known = coordinate.attrs if coordinate is not None else {}
    points = known.get("first", 0.0) + known.get("step", 1.0) * np.arange(length)
    return xarray.DataArray(
        points, dims=(dim.removeprefix(PREFIX),), attrs={"step": known.get("step", 1.0)}
    )


class AlongDimensions(Protocol):
    """A transform along dimensions."""

    def __call__(
        self,
        field: xarray.DataArray,
        dim: Hashable | Iterable[Hashable] | None = None,
        norm: str | None = None,
        **settings: Any,
    ) -> xarray.DataArray: ...


def _function(name: str) -> AlongDimensions:
    is_inverse, is_real = name.startswith("i"), "r" in name

    def function(
        field: xarray.DataArray,
        dim: Hashable | Iterable[Hashable] | None = None,
        norm: str | None = None,
        **settings: Any,
    ) -> xarray.DataArray:
        names = (
            field.dims
            if dim is None
            else tuple(dim)
            if isinstance(dim, Iterable) and not isinstance(dim, str)
            else (dim,)
        )
        if not isinstance(field.variable._data, Array):
            raise Error("field: holds no weft.Array; weft.xarray.data_array makes one that does")
        axes = [field.dims.index(one) for one in names]
        result = getattr(fft, name)(field.variable._data, axes=axes, norm=norm, **settings)
        dims, coords = list(field.dims), {}
        for one, axis in zip(names, axes):
            if is_inverse:
                line = _to_points(field, str(one), result.shape[axis])
            else:
                line = _to_frequencies(field, one, is_real and one == names[-1])
            dims[axis] = line.dims[0]
            coords[dims[axis]] = line
        gone = set(names)
        kept = {key: value for key, value in field.coords.items() if not gone & set(value.dims)}
        return data_array(result, dims, {**kept, **coords}, name=field.name, attrs=field.attrs)

    given, result = (f"{PREFIX}x", "x") if is_inverse else ("x", f"{PREFIX}x")
    return named(
        function,
        name,
        f"""scipy.fft.{name} along `dim` (one name or several; None: all); see weft.xarray.

        >>> field = weft.xarray.data_array(weft.ones((4, 6)), ("{given}", "y"))
        >>> weft.xarray.{name}(field, "{given}").dims
        ('{result}', 'y')
        """,
    )


fftn: AlongDimensions = _function("fftn")
ifftn: AlongDimensions = _function("ifftn")
rfftn: AlongDimensions = _function("rfftn")
irfftn: AlongDimensions = _function("irfftn")
