#!/usr/bin/env python3
"""Checks with NumPy alone that OUT.npy is the forward transform of IN.npy, and shows the spectrum's slope.

Real input is compared with rfftn, complex input with fftn; the relative L2 error may be
5 eps sqrt(max(1, log2 N)), eps being that of the output's precision. Exits with 1 if it is larger.
"""
import argparse
import sys

import numpy as np


def relative_error(result, truth):
    return np.linalg.norm((result - truth).ravel()) / np.linalg.norm(truth.ravel())


def spectral_slope(modes, shape):
    """The exponent p of E(k) ~ k^p, fitted to shells that are whole and hold many modes."""
    axes = [np.fft.fftfreq(n, 1 / n) for n in shape]
    axes[-1] = axes[-1][: modes.shape[-1]]
    k = np.sqrt(sum(a**2 for a in np.meshgrid(*axes, indexing="ij", sparse=True)))
    shell = np.rint(k).astype(int).ravel()
    energy = np.bincount(shell, np.abs(modes.ravel()) ** 2) / np.bincount(shell)
    wavenumber = np.arange(min(shape) // 16 + 3, min(shape) // 2)
    # energy is per mode; a shell has k^(d-1) of them.
    slope = np.polyfit(np.log(wavenumber), np.log(energy[wavenumber]), 1)[0]
    return slope + len(shape) - 1


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("input", metavar="IN.npy")
    parser.add_argument("output", metavar="OUT.npy")
    arguments = parser.parse_args()
    field, result = np.load(arguments.input), np.load(arguments.output)

    truth = np.fft.fftn(field) if np.iscomplexobj(field) else np.fft.rfftn(field)
    if result.shape != truth.shape or not np.iscomplexobj(result):
        sys.exit(f"WRONG: {arguments.output} is {result.dtype} {result.shape}, not complex {truth.shape}")
    error = relative_error(result, truth)
    limit = 5 * np.finfo(result.dtype).eps * np.sqrt(max(1, np.log2(field.size)))
    right = error <= limit  # False for NaN, too
    print(f"{'RIGHT' if right else 'WRONG'}: relative error {error:.2g}, allowed {limit:.2g}")
    if min(field.shape) >= 16:
        print(f"spectral slope {spectral_slope(result, field.shape):.3f} (turbulence: {-5 / 3:.3f})")
    sys.exit(0 if right else 1)


if __name__ == "__main__":
    main()
