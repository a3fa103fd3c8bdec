#!/usr/bin/env python3
"""Tests the page of `weft bench --report`: its pictures show the ranks, boxes and times that are in its figures, and it
needs nothing but itself; and the pictures of `weft describe --picture`."""

import html.parser
import json
import math
import os
import pathlib
import re
import xml.etree.ElementTree as xml

import weft_command

DOCS = pathlib.Path(__file__).resolve().parents[2] / "docs"
SVG = "{http://www.w3.org/2000/svg}"


class Page(html.parser.HTMLParser):
    """The parts of a page: texts by the element that they are in, and the addresses that elements refer to."""

    def __init__(self, text):
        super().__init__()
        self.open, self.texts, self.addresses, self.tags = [], {}, [], set()
        self.feed(text)
        self.close()
        self.svgs = [xml.fromstring(svg) for svg in re.findall(r"<svg.*?</svg>", text, re.DOTALL)]

    def handle_starttag(self, tag, attributes):
        self.tags.add(tag)
        if tag not in ("meta", "br"):
            self.open.append(tag)
        self.addresses += [value for name, value in attributes if name in ("src", "href", "action", "data")]

    def handle_startendtag(self, tag, attributes):
        self.tags.add(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag, f"</{tag}> closes something else"

    def handle_data(self, data):
        inside = self.open[-1] if self.open else ""
        self.texts[inside] = self.texts.get(inside, "") + data

    def drawings(self, name):
        return [svg for svg in self.svgs if name in svg.get("aria-label")]


def groups(svg, css_class):
    return [group for group in svg.iter(SVG + "g") if group.get("class") == css_class]


def bars(element, css_class):
    return [bar for bar in element.iter(SVG + "rect") if bar.get("class") == css_class]


class ReportTest(weft_command.CommandTest):
    def page(self, ranks, *arguments):
        """The page of a run that must succeed, its figures, and those that --json wrote."""
        files = {option: pathlib.Path(self.path(option)) for option in ("report", "json")}
        for option, path in files.items():
            arguments += (f"--{option}", str(path))
        output = self.succeed(ranks, "bench", *arguments, "--repeats", "4").stdout
        self.assertEqual(set(os.listdir(self.folder)), set(files))
        text = files["report"].read_text(encoding="utf-8")
        page = Page(text)
        self.assertEqual(page.open, [])
        figures = json.loads(page.texts["script"])
        self.assertEqual(figures, json.loads(files["json"].read_text(encoding="utf-8")))
        self.assertIn(page.texts["h1"], output)
        for line in output.splitlines()[:12]:
            self.assertIn(line, page.texts["pre"])
        self.check_is_alone(page, text)
        self.check_bars(page, figures)
        self.check_timeline(page, ranks)
        return page, figures

    def check_is_alone(self, page, text):
        """Nothing is loaded from anywhere, and nothing is executed."""
        self.assertEqual(page.addresses, [])
        self.assertLessEqual(page.tags & {"link", "img", "iframe", "object"}, set())
        self.assertEqual(text.count("<script"), text.count('<script type="application/json"'))
        self.assertNotIn("url(", text)
        self.assertNotIn("@import", text)
        self.assertNotIn("http", text.replace('xmlns="http://www.w3.org/2000/svg"', ""))

    def check_bars(self, page, figures):
        against = figures.get("against", [])
        rivals = [rival for rival in (against if isinstance(against, list) else [against]) if rival["available"]]
        (svg,) = page.drawings("seconds per transform")
        rows = groups(svg, "row")
        self.assertEqual(len(rows), len(figures["runs"]) + len(rivals))
        medians = [result["seconds"]["median"] for result in figures["runs"] + rivals]
        widths = [float(bars(row, "bar")[0].get("width")) for row in rows]
        pixels_per_second = max(widths) / max(medians)
        for median, width in zip(medians, widths):
            self.assertAlmostEqual(width, median * pixels_per_second, delta=1)
        (floor,) = [line for line in svg.iter(SVG + "line") if line.get("class") == "floor"]
        begin = float(bars(rows[0], "bar")[0].get("x"))
        self.assertAlmostEqual(float(floor.get("x1")) - begin, figures["floor_seconds"] * pixels_per_second, delta=3)

    def check_timeline(self, page, ranks):
        (svg,) = page.drawings("what each rank did")
        rows = groups(svg, "row")
        self.assertEqual([row.find(SVG + "text").text for row in rows], [f"rank {rank}" for rank in range(ranks)])
        right = float(svg.get("width"))
        for row in rows:
            self.assertTrue(bars(row, "pass"))
            (whole,) = bars(row, "whole")
            begin = float(whole.get("x"))
            end = begin + float(whole.get("width"))
            self.assertLess(end, right)
            for bar in row.iter(SVG + "rect"):
                self.assertGreaterEqual(float(bar.get("x")), begin - 0.2)
                self.assertLessEqual(float(bar.get("x")) + float(bar.get("width")), end + 0.7)

    def boxes(self, svg):
        """By rank, the ranges of indices that its box names."""
        boxes = {}
        for box in groups(svg, "box"):
            rank, ranges = re.fullmatch(r"rank (\d+): \[(.*)\]", box.find(SVG + "title").text).groups()
            self.assertNotIn(rank, boxes)
            self.assertTrue(list(box.iter(SVG + "polygon")))
            boxes[rank] = [range(*map(int, text.split(":"))) for text in ranges.split(", ")]
        return boxes

    def check_boxes(self, svg, ranks, shape):
        """Each of the ranks has one, and together they are the whole array."""
        boxes = self.boxes(svg)
        self.assertEqual(sorted(map(int, boxes)), list(ranks))
        self.assertEqual(sum(math.prod(map(len, box)) for box in boxes.values()), math.prod(shape))
        for axis, length in enumerate(shape):
            covered = {index for box in boxes.values() for index in box[axis]}
            self.assertEqual(covered, set(range(length)))

    def test_one_rank(self):
        page, _ = self.page(1, "12x10x8")
        for picture in page.drawings("boxes"):
            self.check_boxes(picture, range(1), [12, 10, 8])

    def test_pencils_and_a_rival(self):
        page, _ = self.page(4, "16x12x10", "--layout", "pencil", "--grid", "2x2", "--against", "fftw-mpi",
                            "--rival-effort", "measure", "--arrays", "both")
        pictures = page.drawings("boxes")
        self.assertEqual([picture.get("aria-label") for picture in pictures],
                         [f"boxes before pass {number}" for number in range(3)])
        for picture in pictures:
            self.check_boxes(picture, range(4), [16, 12, 10])
        self.assertNotEqual(self.boxes(pictures[0]), self.boxes(pictures[1]))
        self.assertEqual(page.texts["figcaption"].count("c2c along axis"), 3)

    def test_a_spectrum_has_other_boxes_than_its_field(self):
        page, _ = self.page(2, "12x10x8", "--kind", "r2c", "--output", "transposed")
        before, after, last = page.drawings("boxes")
        self.check_boxes(before, range(2), [12, 10, 8])
        self.check_boxes(after, range(2), [12, 10, 5])
        self.check_boxes(last, range(2), [12, 10, 5])

    def test_arrays_of_two_and_four_axes(self):
        for shape in ([12, 10], [6, 5, 4, 3]):
            with self.subTest(shape=shape):
                page, _ = self.page(2, "x".join(map(str, shape)))
                for picture in page.drawings("boxes"):
                    self.check_boxes(picture, range(2), shape)

    def test_ranks_without_a_part(self):
        page, _ = self.page(2, "61")  # a prime is not split
        spread, gathered = page.drawings("boxes")
        self.check_boxes(spread, range(2), [61])
        self.check_boxes(gathered, range(1), [61])
        self.assertEqual(page.texts["figcaption"].count("some ranks hold nothing"), 1)

    def test_a_split_axis_is_drawn_as_two(self):
        page, _ = self.page(2, "64")
        pictures = page.drawings("boxes")
        self.assertEqual(len(pictures), 4)
        for picture in pictures:
            self.check_boxes(picture, range(2), [8, 8])

    def test_other_runs(self):
        for ranks, arguments in [
            (2, ["12x10x8", "--poisson"]),
            (2, ["12x10x8", "--options", "exchange=p2p, progress=poll, poll_tiles=1, producer_chunks=4"]),
            (3, ["12x16x14", "--modes", "2/3", "--beside-full"]),
        ]:
            with self.subTest(arguments=arguments):
                self.page(ranks, *arguments)

    def test_pictures_of_the_documentation(self):
        """weft describe draws them again."""
        page = (DOCS / "exchanges.md").read_text(encoding="utf-8")
        commands = re.findall(r"^weft (describe .* --picture (.*\.svg))$", page, re.MULTILINE)
        self.assertEqual(sorted(name for _, name in commands), ["pencils.svg", "slabs.svg"])
        for command, name in commands:
            self.succeed(1, *command.split(), cwd=self.folder)
            drawn = pathlib.Path(self.path(name)).read_text(encoding="utf-8")
            self.assertEqual(drawn, (DOCS / name).read_text(encoding="utf-8"))
        self.assertEqual(len(self.boxes(xml.fromstring(drawn).findall(f"{SVG}g")[0])), 4)

    def test_a_picture_of_a_wrong_request_leaves_nothing(self):
        self.refuse("ranks", 2, "describe", "8x8", "--grid", "3x1", "--picture", self.path("x.svg"))
        self.assertEqual(os.listdir(self.folder), [])

    def test_mistakes(self):
        path = self.path("report.html")
        for arguments, message in [
            (["8x8", "--report", self.folder], "not a regular file"),
            (["8x8", "--engine", "nobody", "--report", path], "nobody"),
            (["8x8", "9x9", "--report", path], "--report"),
            (["8x8", "--exchange", "all", "--report", path], "--report"),
            (["8x8", "--growing", "--report", path], "--report"),
        ]:
            self.refuse(message, 2, "bench", *arguments)
            self.assertEqual(os.listdir(self.folder), [], arguments)

    def test_a_path_that_cannot_be_written_is_found_before_measuring(self):
        run = weft_command.start(2, ["bench", "8x8", "--report", self.path("missing/x.html")])
        self.assertNotEqual(run.returncode, 0)
        self.assertEqual(run.stdout, "")
        self.assertEqual(run.stderr.count("weft: error"), 1)


if __name__ == "__main__":
    weft_command.main(__doc__)
