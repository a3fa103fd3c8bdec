#!/usr/bin/env python3
"""Decaying turbulence in two dimensions: the vorticity of a periodic box, from random eddies to a few large vortices. The
energy that is lost must be the energy that viscosity takes.

Usage: mpiexec -n RANKS python vorticity.py POINTS END FIGURE
POINTS: along each axis. END: the time at which it is drawn; the eddies turn over in about 0.2 at the start.
"""

import sys

import drawing
import numpy as np
import weft

VISCOSITY, STEP, EDDIES = 1e-3, 0.01, 6  # box of 2 pi; velocities of 1 at the start; eddies across the box


class Flow:
    """d w / dt = -u . grad w + viscosity laplace w, in the modes that the 2/3 rule keeps."""

    def __init__(self, points):
        self.plan = weft.Plan((points, points), "r2c", modes="2/3")
        self.kx, self.ky = self.plan.make_output().wavenumbers()
        self.square = self.kx**2 + self.ky**2
        self.inverse = np.divide(1, self.square, where=self.square > 0, out=0 * self.square)

    def start(self):
        """Random modes around `EDDIES`, the same on any number of ranks."""
        shape = self.plan.transform.shape
        noise = weft.from_global(
            np.random.default_rng(3).standard_normal(shape), layout=self.plan.input_layout
        )
        w = self.plan.forward(noise) * (self.square * np.exp(-self.square / EDDIES**2))
        return w / np.sqrt(2 * self.energy(w))

    def rate(self, w):
        stream = w * self.inverse  # u = (d/dy, -d/dx) of it
        modes = (1j * self.ky * stream, -1j * self.kx * stream, 1j * self.kx * w, 1j * self.ky * w)
        u, v, w_x, w_y = (self.plan.backward(mode) for mode in modes)
        return -self.plan.forward(u * w_x + v * w_y) - VISCOSITY * self.square * w

    def advance(self, w):
        """One step of the classical Runge-Kutta method."""
        first = self.rate(w)
        second = self.rate(w + STEP / 2 * first)
        third = self.rate(w + STEP / 2 * second)
        fourth = self.rate(w + STEP * third)
        return w + STEP / 6 * (first + 2 * second + 2 * third + fourth)

    def energy(self, w):
        return (w * np.sqrt(self.inverse)).mean_square() / 2


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    points, end, path = int(sys.argv[1]), float(sys.argv[2]), sys.argv[3]
    flow = Flow(points)
    w = flow.start()
    energies, dissipation = [flow.energy(w)], [VISCOSITY * w.mean_square()]
    for _ in range(round(end / STEP)):
        w = flow.advance(w)
        energies.append(flow.energy(w))
        dissipation.append(VISCOSITY * w.mean_square())
    taken = STEP * (sum(dissipation) - (dissipation[0] + dissipation[-1]) / 2)
    image = flow.plan.backward(w).gather()
    if w.comm.rank == 0:
        print(f"energy {energies[0]:.4f} at the start, {energies[-1]:.4f} at {end:g}")
        print(f"lost, divided by what viscosity takes: {(energies[0] - energies[-1]) / taken:.6f}")
        drawing.save(path, (5, 4.2), lambda figure: draw(figure, image, end))


def draw(figure, image, end):
    axes = figure.add_subplot(title=f"vorticity at {end:g}", xlabel="x", ylabel="y")
    largest = np.percentile(abs(image), 99.5)
    extent = (0, 2 * np.pi, 0, 2 * np.pi)
    shown = axes.imshow(
        image.T, cmap="RdBu", vmin=-largest, vmax=largest, extent=extent, origin="lower", interpolation="bilinear"
    )
    figure.colorbar(shown)


if __name__ == "__main__":
    main()
