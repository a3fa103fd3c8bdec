"""The programs on the pages docs/coming_from_*.md, on smaller grids. A program is a block of Python
that begins with an import; each one that prints an error must print a small one."""

import pathlib
import re

import pytest
from conftest import comm

DOCS = pathlib.Path(__file__).parents[2] / "docs"
SMALLER = {"256": "24", "128": "20", "64": "18"}
PROGRAMS = {
    f"{page.stem} {number}": program
    for page in sorted(DOCS.glob("coming_from_*.md"))
    for number, program in enumerate(
        re.findall(
            r"^```python\n((?:import|from) .*?)^```$",
            page.read_text(encoding="utf-8"),
            re.DOTALL | re.MULTILINE,
        )
    )
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_program(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    program = PROGRAMS[name]
    for package in re.findall(r"^import (torch|jax)$", program, re.MULTILINE):
        pytest.importorskip(package)
    program = re.sub(r"\b(256|128|64)\b", lambda number: SMALLER[number[0]], program)
    exec(compile(program, name, "exec"), {"__name__": "__main__"})
    errors = re.findall(r"error:? (\S+)", capsys.readouterr().out)
    assert all(float(error) < 1e-12 for error in errors)
    assert errors or "error" not in program or comm.rank != 0


def test_there_are_programs() -> None:
    assert len(PROGRAMS) >= 5
