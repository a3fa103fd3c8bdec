#!/usr/bin/env python3
"""Compares what taylor_green printed at Reynolds number 1600 with the published dissipation: a table, and a figure
where matplotlib is installed.

Usage: plot_dissipation.py FIGURE NAME=FILE...   NAME: what the legend calls that run; FILE: what it printed

The published values are those of a pseudo-spectral simulation with 512^3 points (W. M. van Rees, A. Leonard, D. I.
Pullin and P. Koumoutsakos, J. Comput. Phys. 230, 2794, 2011), as the International Workshop on High-Order CFD Methods
gives them for its case C3.5 (spectral_Re1600_512.gdiag): -dE/dt."""

import sys

import numpy as np

PUBLISHED = np.array([
    [0, 0.00046874], [1, 0.00051882], [2, 0.00070756], [3, 0.00112652], [3.5, 0.00147698], [4, 0.00206624],
    [4.5, 0.00306120], [5, 0.00412710], [5.5, 0.00487154], [6, 0.00553099], [7.5, 0.00872999], [8, 0.01037290],
    [8.5, 0.01192071], [8.97, 0.01285753], [9.5, 0.01172934], [10, 0.01127205]])


def differences(run):
    """Of the dissipation from the published one, relative, at its times; none where the run is over."""
    time, published = PUBLISHED.T
    return np.interp(time, run[:, 0], run[:, 2], right=np.nan) / published - 1


def print_table(runs):
    print("   time  published" + "".join(f"{name:>12}" for name in runs))
    columns = [differences(run) for run in runs.values()]
    for (time, published), *found in zip(PUBLISHED, *columns):
        print(f"{time:7.2f}  {published:9.6f}" + "".join(f"{100 * one:+10.2f} %" for one in found))
    for name, run in runs.items():
        time, _, dissipation = run[run[:, 2].argmax()]
        print(f"{name}: most dissipation {dissipation:.6f}, at time {time:g}")


def plot(runs, figure):
    import matplotlib
    matplotlib.use("svg" if figure.endswith(".svg") else "agg")
    from matplotlib import pyplot
    pyplot.rcParams["svg.fonttype"] = "none"  # text, not the outlines of its letters
    _, axes = pyplot.subplots(figsize=(6, 4), layout="constrained")
    for name, run in runs.items():
        axes.plot(run[:, 0], run[:, 2], label=name)
    axes.plot(*PUBLISHED.T, "ko", markersize=4, label="published, 512³")
    axes.set(xlabel="time", ylabel="dissipation", title="Taylor-Green vortex, Reynolds number 1600")
    axes.legend()
    pyplot.savefig(figure)


def main():
    if len(sys.argv) < 3 or not all("=" in argument for argument in sys.argv[2:]):
        sys.exit(__doc__)
    runs = {name: np.loadtxt(file) for name, file in (argument.split("=", 1) for argument in sys.argv[2:])}
    print_table(runs)
    try:
        plot(runs, sys.argv[1])
    except ImportError:
        print("no figure, for matplotlib is not installed")


if __name__ == "__main__":
    main()
