"""DataArrays that hold a weft.Array: what xarray does with them, against xarray on the whole array."""

import numpy as np
import pytest
import weft
from conftest import close, comm, must_raise, random_layout, random_whole

xarray = pytest.importorskip("xarray")
import weft.xarray  # noqa: E402

SHAPE = (6, 8, 3)
COORDS = {"x": 0.5 * np.arange(6) + 10, "y": 0.1 * np.arange(8), "c": ["u", "v", "w"]}


@pytest.fixture
def fields(rng):
    """A plain DataArray, and one with the same elements on all ranks."""
    whole = random_whole(rng, SHAPE, "f8")
    settings = {"name": "velocity", "attrs": {"units": "m/s"}}
    plain = xarray.DataArray(whole, COORDS, ("x", "y", "c"), **settings)
    array = weft.from_global(whole, layout=random_layout(rng, SHAPE))
    return plain, weft.xarray.data_array(array, ("x", "y", "c"), COORDS, **settings)


def is_distributed(field):
    return isinstance(field.variable._data, weft.Array)


def test_transforms(rng):
    whole = random_whole(rng, SHAPE, "f8")
    field = weft.xarray.data_array(
        weft.from_global(whole), ("x", "y", "c"), COORDS, name="velocity"
    )
    spectrum = weft.xarray.rfftn(field, ["x", "y"])
    assert spectrum.dims == ("freq_x", "freq_y", "c") and spectrum.name == "velocity"
    assert np.allclose(spectrum.freq_x, np.fft.fftfreq(6, 0.5)) and np.allclose(
        spectrum.freq_y, np.fft.rfftfreq(8, 0.1)
    )
    assert list(spectrum.c.values) == ["u", "v", "w"]
    assert close(spectrum.variable._data.gather(None), np.fft.rfftn(whole, axes=(0, 1)), "c16")
    back = weft.xarray.irfftn(spectrum, ["freq_x", "freq_y"])
    assert (
        back.dims == ("x", "y", "c")
        and np.allclose(back.x, COORDS["x"])
        and np.allclose(back.y, COORDS["y"])
    )
    assert close(back.variable._data.gather(None), whole, "f8")
    with pytest.raises(weft.Error, match="equally"):
        weft.xarray.fftn(field.assign_coords(x=[0, 1, 2, 4, 5, 6]), "x")
    assert isinstance(back, xarray.DataArray)


STAY_DISTRIBUTED = {
    "isel of a slice": lambda f: f.isel(x=slice(1, 4)),
    "isel of numbers": lambda f: f.isel(x=2, c=1),
    "isel of a list": lambda f: f.isel(y=[1, 2, 5]),
    "isel in reverse": lambda f: f.isel(x=slice(None, None, -2)),
    "isel of a mask": lambda f: f.isel(y=f.y.values > 0.25),
    "sel of labels": lambda f: f.sel(x=11.0, c="v"),
    "sel of a range": lambda f: f.sel(x=slice(10.4, 12)),
    "sel of the nearest": lambda f: f.sel(x=10.7, method="nearest"),
    "sel of a list": lambda f: f.sel(c=["u", "w"]),
    "index": lambda f: f[1:3, 2],
    "loc": lambda f: f.loc[11:12],
    "concat": lambda f: xarray.concat([f, f.isel(x=slice(1, 3))], "x"),
    "roll": lambda f: f.roll(x=2),
    "head": lambda f: f.head(x=2),
    "sortby": lambda f: f.sortby("x", ascending=False),
    "where": lambda f: f.where(f > 0),
    "where another": lambda f: f.where(f > 0, -1.0),
    "where coordinates": lambda f: f.where(f.x > 11),
    "where and drop": lambda f: f.where(f.x > 11, drop=True),
    "xarray.where": lambda f: xarray.where(f > 0, f, 0),
    "T": lambda f: f.T,
    "transpose": lambda f: f.transpose("c", "x", "y"),
    "anomaly": lambda f: f - f.mean("x"),
    "coordinates": lambda f: f * f.x + f.y**2,
    "ufunc": lambda f: np.sin(f) + abs(f),
    "clip": lambda f: f.clip(-1, 1),
    "fillna": lambda f: f.where(f > 0).fillna(0),
    "isnull": lambda f: f.where(f > 0).isnull(),
    "astype": lambda f: f.astype("f4"),
    "round": lambda f: f.round(1),
    "expand_dims": lambda f: f.expand_dims("t"),
    "squeeze": lambda f: f.isel(x=[0]).squeeze("x"),
    "rename": lambda f: f.rename(x="z").assign_coords(z=np.arange(6)),
    "dataset": lambda f: f.to_dataset().isel(x=slice(2, 5))["velocity"],
}
SAME_ON_ALL_RANKS = {
    "mean": lambda f: f.mean(),
    "mean over one": lambda f: f.mean("x"),
    "mean over two": lambda f: f.mean(["x", "c"]),
    "mean with NaN": lambda f: f.where(f > 0).mean("y"),
    "mean without skipna": lambda f: f.mean("y", skipna=False),
    "mean that keeps dims": lambda f: f.mean("x", keepdims=True),
    "sum": lambda f: f.sum("y"),
    "std": lambda f: f.std("y", ddof=1),
    "max": lambda f: f.max("y"),
    "min": lambda f: f.min(),
    "prod": lambda f: f.prod("c"),
    "count": lambda f: f.where(f > 0).count("x"),
    "any": lambda f: (f > 1).any("x"),
    "groupby": lambda f: f.groupby("c").mean(),
    "isel of one": lambda f: f.isel(x=1, y=2, c=0),
    "equals": lambda f: xarray.DataArray(f.equals(f.copy())),
}


@pytest.mark.parametrize("name", [*STAY_DISTRIBUTED, *SAME_ON_ALL_RANKS])
def test_as_xarray_does(name, fields):
    apply = STAY_DISTRIBUTED.get(name) or SAME_ON_ALL_RANKS[name]
    plain, field = fields
    result = apply(field)
    assert is_distributed(result) == (name in STAY_DISTRIBUTED)
    whole = weft.xarray.gather(result, root=None) if is_distributed(result) else result
    xarray.testing.assert_allclose(whole, apply(plain))
    assert whole.dims == apply(plain).dims and whole.attrs == apply(plain).attrs


def test_what_needs_all_elements(fields, shared_folder):
    _, field = fields
    must_raise(weft.Error, "up and down", lambda: field.isel(y=[3, 1, 2]))
    must_raise(TypeError, "gather", lambda: field.median("x"), lambda: field.cumsum("x"))
    must_raise(AttributeError, "gather", lambda: field.pad(x=1), lambda: field.stack(z=("x", "y")))
    if comm.size > 1:
        must_raise(weft.Error, "gather", lambda: field.values)
        must_raise(weft.Error, "gather", lambda: field.to_netcdf(shared_folder / f"{comm.rank}.nc"))


def test_transforms_of_parts(fields):
    """A part is transformed where it lies, and its spectrum has the part's coordinates."""
    plain, field = fields
    spectrum = weft.xarray.rfftn(field.sel(c="v").isel(x=slice(1, 5)), ["x", "y"])
    whole = plain.sel(c="v").isel(x=slice(1, 5)).values
    assert close(weft.xarray.gather(spectrum, None).values, np.fft.rfftn(whole), "f8")
    assert np.allclose(spectrum.freq_x, np.fft.fftfreq(4, 0.5)) and spectrum.c == "v"


def test_gather(fields):
    plain, field = fields
    for root in {0, comm.size - 1}:
        whole = weft.xarray.gather(field, root)
        assert (whole is None) == (comm.rank != root)
        assert whole is None or whole.identical(plain)
    both = xarray.Dataset({"u": field, "v": plain.mean("x")}).assign_coords(height=2 * field)
    expected = xarray.Dataset({"u": plain, "v": plain.mean("x")}).assign_coords(height=2 * plain)
    assert weft.xarray.gather(both, None).identical(expected)
    assert weft.xarray.gather(both.u, None).identical(expected.u)
    must_raise(weft.Error, "holds no", lambda: weft.xarray.gather(plain))


def test_netcdf(fields, shared_folder):
    pytest.importorskip("netCDF4")
    plain, field = fields
    path = shared_folder / "u.nc"
    for factor in (1, 2):  # the second one replaces the first
        weft.xarray.to_netcdf(factor * field, path, engine="netcdf4")
        with xarray.open_dataarray(path) as loaded:
            xarray.testing.assert_allclose(loaded, factor * plain)
    weft.xarray.to_netcdf(xarray.Dataset({"u": field, "v": 2 * plain}), path, engine="netcdf4")
    with xarray.open_dataset(path) as loaded:
        xarray.testing.assert_allclose(loaded, xarray.Dataset({"u": plain, "v": 2 * plain}))
    must_raise(
        weft.Error,
        "mode|absent|unknown",
        lambda: weft.xarray.to_netcdf(field, path, mode="a"),
        lambda: weft.xarray.to_netcdf(field, shared_folder / "absent" / "u.nc"),
        lambda: weft.xarray.to_netcdf(field, path, engine="unknown"),
    )
    comm.Barrier()
    assert [one.name for one in shared_folder.iterdir()] == ["u.nc"]
    with xarray.open_dataset(path) as loaded:
        assert set(loaded) == {"u", "v"}
