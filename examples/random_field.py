#!/usr/bin/env python3
"""A Gaussian random field with a given power spectrum, P(k) = k^2 exp(-k^2 R^2), and its power spectrum and correlation
function as they are measured, beside theory: both are known in closed form.

Usage: mpiexec -n RANKS python random_field.py POINTS FIGURE
"""

import math
import sys

import drawing
import numpy as np
import weft
from mpi4py import MPI

EDGE, RADIUS = 100.0, 2.0  # of the box; R


def power(k):
    return k**2 * np.exp(-((k * RADIUS) ** 2))


def correlation(r):
    """The Fourier transform of `power`: minus the Laplacian of a Gaussian."""
    gaussian = np.exp(-(r**2) / (4 * RADIUS**2)) / (8 * math.pi**1.5 * RADIUS**3)
    return gaussian * (1.5 / RADIUS**2 - r**2 / (4 * RADIUS**4))


def white_noise(points):
    """Every plane has random numbers of its own, so that the field is the same on any number of ranks."""
    layout = weft.Layout.slabs((points,) * 3, MPI.COMM_WORLD.size)
    noise = weft.empty((points,) * 3, layout=layout)
    first = noise.slices[0].start
    for i, plane in enumerate(noise.local):
        plane[...] = np.random.default_rng([7, first + i]).standard_normal(plane.shape)
    return noise


def make_field(points):
    """White noise has P = volume of a cell."""
    modes = weft.rfftn(white_noise(points))
    k = np.sqrt(sum(axis**2 for axis in modes.wavenumbers(EDGE)))
    return weft.irfftn(modes * np.sqrt(power(k) / (EDGE / points) ** 3))


def measure_correlation(field, edges):
    """The mean over all pairs of points, by distance r: the transform of |modes|^2 (Wiener and Khinchin)."""
    pairs = weft.irfftn(abs(weft.rfftn(field)) ** 2 + 0j) / field.size
    offsets = (np.minimum(x, EDGE - x) for x in pairs.coordinates(EDGE))
    r = np.sqrt(sum(x**2 for x in offsets))
    sums = [np.histogram(r, edges, weights=weights)[0] for weights in (1 + 0 * r, r, pairs.local)]
    count, distance, total = field.comm.allreduce(np.array(sums))
    return distance / count, total / count


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    points, path = int(sys.argv[1]), sys.argv[2]
    field = make_field(points)
    smallest = 2 * math.pi / EDGE
    highest = min(3 / RADIUS, math.pi * points / EDGE)
    k, p, modes = weft.spectral.power_spectrum(field, lengths=EDGE, bins=np.arange(2.5 * smallest, highest, smallest))
    r, xi = measure_correlation(field, np.arange(0.5, 10 * RADIUS, EDGE / points))
    if field.comm.rank == 0:
        deviations = (p / power(k) - 1) / np.sqrt(2 / modes)  # divided by the scatter of a mean over `modes` modes
        print(f"P(k): chi^2 {np.mean(deviations**2):.2f} per bin, of {len(k)} bins; 1 is expected")
        difference = abs(xi - correlation(r)).max() / correlation(0)
        print(f"xi(r): largest difference {difference:.4f} of xi(0)")
        drawing.save(path, (9, 3.6), lambda figure: draw(figure, k, p, modes, r, xi))


def draw(figure, k, p, modes, r, xi):
    left, right = figure.subplots(1, 2)
    left.errorbar(k, p, p * np.sqrt(2 / modes), fmt=".", label="measured")
    left.plot(k, power(k), "k-", lw=1, label="theory")
    left.set(xlabel="k", ylabel="P(k)", title="power spectrum")
    right.plot(r, xi, ".", label="measured")
    right.plot(r, correlation(r), "k-", lw=1, label="theory")
    right.axhline(0, color="gray", lw=0.5)
    right.set(xlabel="r", ylabel=r"$\xi(r)$", title="correlation function")
    left.legend()


if __name__ == "__main__":
    main()
