#!/usr/bin/env python3
"""Writes a cubic field that looks like turbulence to a transform: energy k^(-5/3), random phases.

The field is white noise whose Fourier modes keep their phase and get the amplitude of the spectrum,
so that a transform of the file must find exactly that spectrum again (check_transform.py looks).
"""
import argparse

import numpy as np


def turbulence_field(size, seed):
    """A real size^3 field, with the energy spectrum E(k) = k^(-5/3) of isotropic turbulence."""
    modes = np.fft.rfftn(np.random.default_rng(seed).standard_normal((size,) * 3))
    k = np.fft.fftfreq(size, 1 / size)
    k_squared = k[:, None, None] ** 2 + k[None, :, None] ** 2 + np.fft.rfftfreq(size, 1 / size) ** 2
    k_squared[0, 0, 0] = 1
    # A shell of radius k holds about 4 pi k^2 modes, which share E(k): |mode|^2 is k^(-5/3-2).
    modes *= k_squared ** (-11 / 12) / np.maximum(np.abs(modes), 1e-300)
    modes[0, 0, 0] = 0  # no mean flow
    return np.fft.irfftn(modes, s=(size,) * 3, axes=(0, 1, 2))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("output", help="the .npy file to write")
    parser.add_argument("--size", type=int, default=256, help="points along each axis (default 256)")
    parser.add_argument("--dtype", choices=["float64", "float32"], default="float64")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    field = turbulence_field(arguments.size, arguments.seed)
    field /= field.std()
    np.save(arguments.output, field.astype(arguments.dtype))
    print(f"{arguments.output}: {arguments.size}^3 {arguments.dtype}, energy spectrum k^(-5/3)")


if __name__ == "__main__":
    main()
