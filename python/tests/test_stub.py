"""The type stub of the extension is the one that nanobind would make today."""

import pathlib

import pytest
import weft


def test_stub_is_up_to_date():
    pytest.importorskip("nanobind")
    from stub import stub

    kept = pathlib.Path(__file__).parent.parent / "weft" / "_core.pyi"
    assert stub() == kept.read_text(), "python/tests/stub.py prints a newer one"
    assert issubclass(weft.Error, ValueError)
