"""The programs of examples/ that use package weft."""

import pathlib
import runpy
import sys

import numpy as np
import pytest
import weft
from conftest import comm

EXAMPLES = pathlib.Path(__file__).parents[2] / "examples"


def run(monkeypatch, name, *arguments):
    monkeypatch.setattr(sys, "argv", [name, *map(str, arguments)])
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
