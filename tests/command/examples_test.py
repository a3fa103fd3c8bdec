#!/usr/bin/env python3
"""Runs the examples and checks what they print, the Taylor-Green vortex against the same method in NumPy; the tutorials
quote these examples, and show what they print."""

import os
import pathlib
import re
import shlex
import subprocess
import sys

import numpy as np

import weft_command

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "examples"))
import plot_dissipation


class TaylorGreen:
    """The method of examples/taylor_green.cpp, on one process."""

    def __init__(self, points, reynolds):
        self.viscosity = 1 / reynolds
        self.points = points
        x = 2 * np.pi * np.arange(points) / points
        x, y, z = np.meshgrid(x, x, x, indexing="ij", sparse=True)
        velocity = np.array([np.sin(x) * np.cos(y) * np.cos(z), -np.cos(x) * np.sin(y) * np.cos(z),
                             np.zeros((points,) * 3)])
        whole = np.fft.fftfreq(points, 1 / points)
        half = np.arange(points // 2 + 1)
        self.k = np.array(np.meshgrid(whole, whole, half, indexing="ij"))
        self.square = (self.k**2).sum(0)
        self.kept = (abs(self.k) <= points // 3).all(0)
        self.weight = np.where((half == 0) | (2 * half == points), 1, 2)
        self.state = self.forward(velocity)

    def forward(self, fields):
        return np.fft.rfftn(fields, axes=(1, 2, 3)) * self.kept

    def backward(self, spectra):
        return np.fft.irfftn(spectra, s=(self.points,) * 3, axes=(1, 2, 3))

    def curl(self, u):
        return 1j * np.cross(self.k, u, axis=0)

    def rate(self, u):
        rate = self.forward(np.cross(self.backward(u), self.backward(self.curl(u)), axis=0))
        rate -= self.k * (self.k * rate).sum(0) / np.where(self.square > 0, self.square, 1)
        return rate - self.viscosity * self.square * u

    def step(self, dt):
        first = self.rate(self.state)
        second = self.rate(self.state + dt / 2 * first)
        third = self.rate(self.state + dt / 2 * second)
        fourth = self.rate(self.state + dt * third)
        self.state = self.state + dt / 6 * (first + 2 * second + 2 * third + fourth)

    def mean_square(self, spectra):
        return (self.weight * abs(spectra) ** 2).sum() / self.points**6

    def energy_and_dissipation(self):
        return [self.mean_square(self.state) / 2,
                self.mean_square(self.curl(self.state)) * self.viscosity]


def table(output):
    return np.array([[float(x) for x in line.split()] for line in output.splitlines()])


class Examples(weft_command.CommandTest):
    def run_example(self, name, ranks, *arguments):
        weft_command.WEFT = os.path.join(os.path.dirname(weft_command.WEFT), name)
        if not os.path.exists(weft_command.WEFT):
            self.skipTest(f"{name} is not built: there is no compiler for it")
        return self.succeed(ranks, *map(str, arguments)).stdout

    def number_of(self, output):
        return float(re.search(r"([0-9.e+-]+)$", output.strip()).group(1))

    def test_taylor_green(self):
        self.check_taylor_green("taylor_green")

    def test_taylor_green_in_fortran(self):
        self.check_taylor_green("taylor_green_fortran")

    def check_taylor_green(self, name):
        points, reynolds, dt, steps = 32, 1600, 0.02, 20
        reference = TaylorGreen(points, reynolds)
        expected = [reference.energy_and_dissipation()]
        for _ in range(steps):
            reference.step(dt)
            expected.append(reference.energy_and_dissipation())
        self.assertAlmostEqual(expected[0][0], 0.125, 12)
        for ranks in (1, 3):
            found = table(self.run_example(name, ranks, points, reynolds, dt, steps * dt))
            self.assertEqual(len(found), steps + 1)
            np.testing.assert_allclose(found[:, 1:], expected, rtol=1e-12)

    def test_published_dissipation(self):
        run = table(self.run_example("taylor_green", 2, 32, 1600, 0.05, 2))
        different = plot_dissipation.differences(run)
        times = plot_dissipation.PUBLISHED[:, 0]
        np.testing.assert_allclose(different[times <= 2], 0, atol=2e-3)
        self.assertTrue(np.isnan(different[times > 2]).all())  # the run has not come that far

    def test_poisson_with_walls(self):
        for ranks in (1, 4):
            self.assertLess(self.number_of(self.run_example("poisson_walls", ranks, 60)), 1e-12)
        # The error is that of the series: it is seen where there are few points.
        self.assertGreater(self.number_of(self.run_example("poisson_walls", 2, 10)), 1e-6)

    def test_poisson_in_c(self):
        for ranks in (1, 3):
            self.assertLess(self.number_of(self.run_example("poisson", ranks, 48)), 1e-13)
        self.assertGreater(self.number_of(self.run_example("poisson", 2, 10)), 1e-6)

    def test_heat_in_fortran(self):
        for ranks in (1, 4):
            self.assertLess(self.number_of(self.run_example("heat", ranks, 21)), 1e-13)

    def test_filter_on_a_file(self):
        shape, width = (12, 10, 9), 1.5
        field = np.random.default_rng(7).standard_normal(shape)
        field.tofile(self.path("in"))
        k = np.meshgrid(*(2 * np.pi * np.fft.fftfreq(n) for n in shape), indexing="ij")
        expected = np.fft.ifftn(
            np.fft.fftn(field) * np.exp(-sum(a**2 for a in k) * width**2 / 2)).real
        for ranks in (1, 2, 5):
            self.run_example("filter_file", ranks, self.path("in"), self.path("out"), "12x10x9", width)
            found = np.fromfile(self.path("out")).reshape(shape)
            np.testing.assert_allclose(found, expected, atol=1e-13)
        # Launchers may lose what is printed just before MPI_Abort.
        self.refuse("", 2, self.path("in"), self.path("out"), "12x10x10", "1")

    def test_own_work(self):
        for ranks in (1, 3):
            self.assertLess(self.number_of(self.run_example("own_work", ranks, 24, 3)), 1e-13)


def blocks(page, language):
    return re.findall(rf"^```{language}\n(.*?)^```", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


class Tutorials(weft_command.CommandTest):
    """docs/tutorials/NAME.md quotes examples/NAME.cpp."""

    pages = sorted((ROOT / "docs/tutorials").glob("*.md"))

    def test_code_is_that_of_the_examples(self):
        self.assertGreater(len(self.pages), 2)
        for page in self.pages:
            for block in blocks(page, "cpp"):
                program = (ROOT / "examples" / page.name).with_suffix(".cpp")
                self.assertIn(block, program.read_text(encoding="utf-8"))

    def test_output(self):
        for block in (block for page in self.pages for block in blocks(page, "console")):
            for command, shown in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block, re.MULTILINE):
                words = shlex.split(command)
                if "weft" not in words:  # whose plans depend on the machine
                    with self.subTest(command):
                        self.compare(shown.splitlines(), self.output_of(words).splitlines())

    def output_of(self, words):
        if words[0] == "python3":
            return subprocess.run([sys.executable, *words[1:]], cwd=self.folder, check=True, capture_output=True, text=True).stdout
        self.assertEqual(words[:2], ["mpiexec", "-n"])
        weft_command.WEFT = os.path.join(os.path.dirname(weft_command.WEFT), words[3])
        return self.succeed(int(words[2]), *words[4:], cwd=self.folder).stdout

    def compare(self, shown, told):
        """All lines that are shown are told, in this order; a line "..." stands for others."""
        if "..." not in shown:
            self.assertEqual(len(told), len(shown))
        told = iter(told)
        for line in shown:
            self.assertTrue(line == "..." or any(self.alike(line, other) for other in told), line)

    def alike(self, line, other):
        """The same but for rounding."""
        number = r"-?\d[\d.]*(?:e[+-]\d+)?"
        values = [[float(value) for value in re.findall(number, text)] for text in (line, other)]
        return re.sub(number, "", line) == re.sub(number, "", other) and np.allclose(*values, rtol=1e-3, atol=1e-12)


if __name__ == "__main__":
    weft_command.main("examples_test.py: ")
