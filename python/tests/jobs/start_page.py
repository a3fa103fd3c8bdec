"""The program of docs/start/python.md, on a smaller grid."""

import pathlib
import re

page = pathlib.Path(__file__).parents[3] / "docs/start/python.md"
program = re.search(r"```python\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)
exec(program[1].replace("256", "32"))
