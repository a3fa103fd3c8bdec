"""Every public name of the package has an example in its docstring. Names of the extension (Box,
Layout, Error) are left out; weft.jax and weft.torch have tests of their own."""

from importlib.util import find_spec

import numpy as np
import pytest
from docstrings import documented, run_examples

MODULES = ["weft", "weft.fft", "weft.spectral", "weft.scipy_backend"]
if hasattr(np, "unstack"):  # NumPy follows the standard since 2.1
    MODULES += ["weft.array_api"]
MODULES += [f"weft.{package}" for package in ("numba", "xarray") if find_spec(package)]
DOCSTRINGS = documented(MODULES)


def test_what_is_public_is_found():
    """Names of each kind: a function of the package, one of a table, a method, one that is
    inherited, a property and a cached one."""
    expected = (
        "zeros irfft2 fft.ihfft Plan.forward Array.sum Array.shape Plan.output spectral.poisson"
    )
    assert {f"weft.{name}" for name in expected.split()} <= DOCSTRINGS.keys()
    assert len(DOCSTRINGS) == len(set(DOCSTRINGS)) > 150


@pytest.mark.parametrize("name", DOCSTRINGS)
def test_example(name, monkeypatch, shared_folder):
    monkeypatch.chdir(shared_folder)
    run_examples(name, DOCSTRINGS[name])
