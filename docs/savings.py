"""Draws docs/savings.svg, the picture of the site's first page: times of Weft beside the fastest rival, of the first table of
docs/benchmarks.md. The picture has no data of its own; with --check it is compared with the table instead of drawn.
Arguments: the root of the sources, and perhaps --check."""

import pathlib
import re
import sys
from typing import NamedTuple

LABELS, UNIT = 150, 300  # widths in pixels: of the labels, of a ratio of 1
ROW, TOP = 15, 36  # heights in pixels: of a row, of the head
STYLE = """<style>
text { font: 12px system-ui, sans-serif; fill: #7a8494; }
.label { text-anchor: end; }
.head { font-weight: 600; }
.value { text-anchor: end; fill: #fff; }
.faster { fill: #2a9d8f; }
.slower { fill: #e76f51; }
.one { stroke: #7a8494; stroke-dasharray: 4 3; }
</style>"""


class Row(NamedTuple):
    ranks: str
    case: str
    ratio: float  # time between the plan's arrays, divided by the time of the fastest rival


def rows(page: str) -> list[Row]:
    """The rows of one thread for each rank: two ranks first, then one."""
    section = page.split("## Against the fastest rival\n")[1].split("\n## ")[0]
    table = section.split("\n```")[0]
    found = [
        Row(ranks, case.replace(", natural order", ""), float(ratio))
        for ranks, case, ratio in re.findall(
            r"^\| ([124])[^|]*? \| ([^|]+?) \|(?:[^|]*\|){3} \**([\d.]+)", table, re.MULTILINE
        )
        if "threads" not in case and ranks != "4"
    ]
    return found


def picture(found: list[Row]) -> str:
    """The SVG: a bar for each row, a dashed line where the times are equal."""
    lines, y = [], TOP
    for ranks in dict.fromkeys(row.ranks for row in found):
        count = "one process" if ranks == "1" else f"{ranks} ranks on {ranks} cores"
        y += ROW
        lines.append(f'<text class="head label" x="{LABELS - 8}" y="{y - 4}">{count}</text>')
        for row in (row for row in found if row.ranks == ranks):
            kind, length = "faster" if row.ratio < 1 else "slower", row.ratio * UNIT
            lines += [
                f'<text class="label" x="{LABELS - 8}" y="{y + 12}">{row.case}</text>',
                f'<rect class="{kind}" x="{LABELS}" y="{y + 2}" width="{length:.0f}" height="{ROW - 3}"/>',
                f'<text class="value" x="{LABELS + length - 5:.0f}" y="{y + 12}">{row.ratio:.2f}</text>',
            ]
            y += ROW
    width = round(LABELS + UNIT * max(row.ratio for row in found) + 8)
    one = LABELS + UNIT
    frame = f'<line class="one" x1="{one}" y1="{TOP - 4}" x2="{one}" y2="{y + 4}"/>'
    head = (
        f'<text x="0" y="14">Time of Weft divided by the time of the fastest rival, FFTW-MPI or MKL</text>'
        f'<text x="{one}" y="{TOP - 10}" text-anchor="middle">equal</text>'
    )
    size = f'width="{width}" height="{y + 8}" viewBox="0 0 {width} {y + 8}"'
    opening = f'<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="times of Weft beside rivals" {size}>'
    return "\n".join([opening, STYLE, head, frame, *lines, "</svg>\n"])


def main() -> None:
    docs = pathlib.Path(sys.argv[1]) / "docs"
    found = rows((docs / "benchmarks.md").read_text(encoding="utf-8"))
    if len(found) < 10:
        sys.exit(f"docs/benchmarks.md: only {len(found)} rows found in its first table")
    made = picture(found)
    if sys.argv[2:] != ["--check"]:
        (docs / "savings.svg").write_text(made, encoding="utf-8")
    elif (docs / "savings.svg").read_text(encoding="utf-8") != made:
        sys.exit(
            "docs/savings.svg is not of docs/benchmarks.md's table: python3 docs/savings.py ."
        )


if __name__ == "__main__":
    main()
