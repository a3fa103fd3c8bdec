"""The programs of examples/ that use package weft."""

import pathlib
import re
import runpy
import sys

import numpy as np
import pytest
import weft
from conftest import comm

EXAMPLES = pathlib.Path(__file__).parents[2] / "examples"


def run(monkeypatch, name, *arguments):
    monkeypatch.setattr(sys, "argv", [name, *map(str, arguments)])
    monkeypatch.syspath_prepend(EXAMPLES)  # as it is where Python is given the file
    runpy.run_path(str(EXAMPLES / name), run_name="__main__")


def test_energy_spectrum(monkeypatch, capsys, shared_folder):
    field, modes, figure = (shared_folder / name for name in ("u.npy", "modes.npy", "energy.png"))
    u = weft.zeros((16, 16, 16))
    x, y, z = u.coordinates()
    u.local[...] = 2 * np.cos(2 * x) + np.sin(4 * z) + 0 * y  # energy 1 and 1/4
    u.save(field)
    weft.rfftn(u).save(modes)
    run(monkeypatch, "energy_spectrum.py", field, figure, modes)
    if comm.rank == 0:
        told = capsys.readouterr().out.splitlines()
        assert "0.0e+00 of the largest mode" in told[0]
        assert [float(line.split()[1]) for line in told[3:5]] == [1.0, 0.25]
        assert figure.exists() or told[-1] == "no figure, for matplotlib is not installed"
    (weft.rfftn(u) * 1.001).save(modes)
    with pytest.raises(SystemExit):
        run(monkeypatch, "energy_spectrum.py", field, figure, modes)


def numbers(monkeypatch, capsys, name, *arguments):
    """The numbers that an example of docs/gallery.md prints, on rank 0 and so on all ranks."""
    run(monkeypatch, name, *arguments)
    told = capsys.readouterr().out
    values = "\n".join(told.splitlines()[:-1])  # without the line about the figure
    found = [float(x) for x in re.findall(r"(?<!\w)-?\d+\.?\d*(?:e[+-]\d+)?", values)]
    if comm.rank == 0:
        figure = pathlib.Path(arguments[-1])
        assert figure.exists() or "no figure, for matplotlib is not installed" in told
    return comm.bcast(found)


def test_vorticity(monkeypatch, capsys, shared_folder):
    told = numbers(monkeypatch, capsys, "vorticity.py", 32, 0.2, shared_folder / "w.png")
    start, end, at, ratio = told[:4]
    assert start == 0.5 and 0.4 < end < 0.5 and at == 0.2
    assert abs(ratio - 1) < 1e-4


def test_random_field(monkeypatch, capsys, shared_folder):
    told = numbers(monkeypatch, capsys, "random_field.py", 32, shared_folder / "xi.png")
    assert (
        0.3 < told[1] < 2
    )  # chi^2, of a field that is the same in each run; told[0] is its exponent
    assert told[4] < 0.03


def test_duct_flow(monkeypatch, capsys, shared_folder):
    coarse, fine = (
        numbers(monkeypatch, capsys, "duct_flow.py", points, shared_folder / "u.png")
        for points in (20, 40)
    )
    assert fine[0] < 4e-4 and abs(fine[-1] - 1) < 1e-3
    assert 3 < coarse[0] / fine[0] < 5  # second order


def test_band_structure(monkeypatch, capsys, shared_folder):
    told = numbers(monkeypatch, capsys, "band_structure.py", 1, shared_folder / "bands.png")
    assert told[0] < 1e-8
    assert told[1:3] == [3.42, 3.4]
