#!/usr/bin/env python3
"""The energy spectrum of a field in a file, computed on all ranks: a table, and a figure where matplotlib is installed.

Usage: mpiexec -n RANKS python energy_spectrum.py FIELD.npy FIGURE [MODES.npy]
MODES.npy: the field's transform as something else has computed it, such as `weft transform`; it must be the same.
"""

import sys

import numpy as np
import weft


def compare(modes, path):
    """All ranks end if they differ by more than rounding."""
    other = weft.load(path, layout=modes.layout)
    difference = abs(modes - other).max() / abs(modes).max()
    if modes.comm.rank == 0:
        print(f"largest difference from {path}: {difference:.1e} of the largest mode")
    if not difference < 100 * np.finfo(modes.dtype).eps:
        sys.exit("that is more than rounding")


def print_table(energy):
    print("   |k|  energy")
    for wavenumber in 2 ** np.arange(int(np.log2(len(energy)))):
        print(f"{wavenumber:6d}  {energy[wavenumber]:.3e}")


def plot(energy, figure):
    import matplotlib

    matplotlib.use("svg" if figure.endswith(".svg") else "agg")
    from matplotlib import pyplot

    wavenumbers = np.arange(1, len(energy))
    _, axes = pyplot.subplots(figsize=(6, 4), layout="constrained")
    axes.loglog(wavenumbers, energy[1:], label="this field")
    axes.loglog(wavenumbers, energy[1] * wavenumbers ** (-5 / 3), "k--", label="$k^{-5/3}$: turbulence")
    axes.set(xlabel="|k|", ylabel="energy", title="Energy by wavenumber")
    axes.legend()
    pyplot.savefig(figure)


def main():
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    field = weft.load(sys.argv[1])
    modes = weft.rfftn(field)
    if len(sys.argv) == 4:
        compare(modes, sys.argv[3])
    energy = weft.spectral.energy_spectrum(modes)[: min(field.shape) // 2]  # larger shells are not whole
    if field.comm.rank == 0:
        print_table(energy)
        try:
            plot(energy, sys.argv[2])
            print(f"drawn: {sys.argv[2]}")
        except ImportError:
            print("no figure, for matplotlib is not installed")


if __name__ == "__main__":
    main()
