#!/usr/bin/env python3
"""Flow in a straight rectangular duct, driven by a pressure gradient: u_yy + u_zz = -G / viscosity, u = 0 on the walls. Solved
with sine transforms (DST-II: points half a step inside the walls), and compared with the series in textbooks (F. M. White,
Viscous Fluid Flow, section 3-3).

Usage: mpiexec -n RANKS python duct_flow.py POINTS FIGURE
"""

import sys

import drawing
import numpy as np
import weft
from mpi4py import MPI

WIDTH, HEIGHT = 2.0, 1.0  # G / viscosity is 1


def series(y, z):
    """u between walls at y = 0 and WIDTH, z = 0 and HEIGHT: flow between two plates, and what the other walls take."""
    plates = z * (HEIGHT - z) / 2 + 0 * y
    for n in range(1, 400, 2):
        k = n * np.pi / HEIGHT
        # cosh(k (y - W/2)) / cosh(k W/2), without overflow
        decay = (np.exp(-k * y) + np.exp(-k * (WIDTH - y))) / (1 + np.exp(-k * WIDTH))
        plates -= 4 * HEIGHT**2 / (n * np.pi) ** 3 * decay * np.sin(k * z)
    return plates


def series_flow():
    """The same, integrated over the cross section."""
    n = np.arange(1, 400, 2)
    walls = 192 * HEIGHT / (np.pi**5 * WIDTH) * np.sum(np.tanh(n * np.pi * WIDTH / (2 * HEIGHT)) / n**5.0)
    return WIDTH * HEIGHT**3 / 12 * (1 - walls)


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    points, path = int(sys.argv[1]), sys.argv[2]
    force = weft.full((2 * points, points), -1.0)
    u = weft.spectral.poisson(force, [WIDTH, HEIGHT], kind="dst2")
    y, z = ((i + 0.5) * HEIGHT / points for i in u.indices())
    exact = series(y, z)
    difference = u.comm.allreduce(abs(u.local - exact).max(initial=0), MPI.MAX)
    flow = u.mean() * WIDTH * HEIGHT
    image = u.gather()
    if u.comm.rank == 0:
        print(f"largest difference from the series: {difference / image.max():.1e} of the largest u, {image.max():.5f}")
        print(f"volume flow divided by that of the series: {flow / series_flow():.6f}")
        drawing.save(path, (8, 3.4), lambda figure: draw(figure, image))


def draw(figure, image):
    left, right = figure.subplots(1, 2, width_ratios=[2, 1])
    extent = (0, WIDTH, 0, HEIGHT)
    shown = left.imshow(image.T, extent=extent, origin="lower", cmap="viridis")
    left.contour(image.T, 8, extent=extent, colors="white", linewidths=0.6)
    left.set(xlabel="y", ylabel="z", title="velocity along the duct")
    figure.colorbar(shown, ax=left, shrink=0.7)
    points = image.shape[1]
    z = (np.arange(points) + 0.5) * HEIGHT / points
    right.plot(image[points], z, ".", ms=3, label="y = 1")
    right.plot(series(WIDTH / 2, z), z, "k-", lw=0.8, label="series")
    right.plot(z * (HEIGHT - z) / 2, z, "k:", lw=0.8, label="two plates")
    right.set(xlabel="u", ylabel="z", title="profile")
    right.legend()


if __name__ == "__main__":
    main()
