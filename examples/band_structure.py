#!/usr/bin/env python3
"""The band structure of silicon in plane waves, from the empirical pseudopotential of M. L. Cohen and T. K. Bergstresser
(Phys. Rev. 141, 789, 1966). As in codes for electrons, the potential acts in real space and the kinetic energy on plane waves,
with FFTs in between; all bands are one batch. Energies are compared with the matrix of the same plane waves, diagonalised.

Usage: mpiexec -n RANKS python band_structure.py POINTS FIGURE
POINTS: k-points on each part of the path through the Brillouin zone.
"""

import sys

import drawing
import numpy as np
import weft
from lowest_states import lowest_states
from mpi4py import MPI

BANDS, GRID, CUTOFF = 8, 12, 21.0  # points along each axis of the cell; the largest |k + G|^2, in (2 pi / a)^2
UNIT = (2 * np.pi / 10.263) ** 2  # (2 pi / a)^2 in Ry; a = 5.43 angstrom = 10.263 bohr
EV = 13.6057  # 1 Ry
RECIPROCAL = np.array([[-1, 1, 1], [1, -1, 1], [1, 1, -1]])  # of the face-centred cubic lattice, in 2 pi / a
FORM_FACTORS = {3: -0.21, 8: 0.04, 11: 0.08}  # in Ry, by |G|^2
PATH = {"L": (0.5, 0.5, 0.5), "Γ": (0, 0, 0), "X": (0, 0, 1), "K": (0, 0.75, 0.75), "Γ ": (0, 0, 0)}


def potential(g):
    """The coefficients at reciprocal vectors g[..., 3]: of two atoms, at (1, 1, 1) a/8 and opposite."""
    square = np.rint((g**2).sum(-1)).astype(int)
    return sum(v * (square == s) for s, v in FORM_FACTORS.items()) * np.cos(2 * np.pi * g.sum(-1) / 8)


class Crystal:
    def __init__(self):
        shape, ranks = (BANDS, *(GRID,) * 3), MPI.COMM_WORLD.size
        ends = [weft.Layout.slabs(shape, ranks, axis) for axis in (1, 2)]  # each rank has a part of every band
        kinds = ["none", "c2c", "c2c", "c2c"]
        self.plan = weft.Plan(shape, kinds, dtype=complex, norm="forward", input=ends[0], output=ends[1])
        self.waves = self.plan.make_output()
        _, *n = self.waves.wavenumbers()
        self.g = np.stack(np.broadcast_arrays(*n), -1)[0] @ RECIPROCAL
        self.waves.local[...] = potential(self.g)
        self.potential = self.plan.backward(self.waves).local.real

    def move_to(self, k):
        self.kinetic = ((self.g + k) ** 2).sum(-1).ravel()
        self.kept = self.kinetic <= CUTOFF

    def hamiltonian(self, states):
        """H times each of `BANDS` states, of which each rank has some coefficients."""
        self.waves.local[...] = states.reshape(self.waves.local.shape)
        field = self.plan.backward(self.waves)
        field.local[...] *= self.potential
        return self.plan.forward(field).local.reshape(BANDS, -1) * self.kept + UNIT * self.kinetic * states

    def precondition(self, residuals):
        return residuals * self.kept / (1 + UNIT * self.kinetic)

    def products(self, a, b):
        return self.plan.comm.allreduce(a.conj() @ b.T)

    def matrix_energies(self):
        """Of all kept plane waves, on every rank."""
        gathered = (self.plan.comm.allgather(own[self.kept]) for own in (self.g.reshape(-1, 3), self.kinetic))
        g, kinetic = map(np.concatenate, gathered)
        return np.linalg.eigvalsh(potential(g[:, None] - g) + np.diag(UNIT * kinetic))[:BANDS]


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    points, corners = int(sys.argv[1]), np.array(list(PATH.values()))
    parts = [np.linspace(a, b, points, endpoint=False) for a, b in zip(corners, corners[1:])]
    named = points * np.arange(len(PATH))
    crystal, bands, worst = Crystal(), [], 0
    states = np.random.default_rng(crystal.plan.rank).standard_normal((BANDS, crystal.g[..., 0].size)) + 0j
    for i, k in enumerate(np.concatenate([*parts, corners[-1:]])):
        crystal.move_to(k)
        solver = crystal.hamiltonian, crystal.precondition, crystal.products
        energies, states = lowest_states(states * crystal.kept, *solver)
        bands.append(EV * energies)
        if i in named:
            worst = max(worst, abs(energies - crystal.matrix_energies()).max())
    bands = np.array(bands) - bands[named[1]][3]  # the top of the valence bands, at Γ
    if crystal.plan.rank == 0:
        print(f"largest difference from the matrix's eigenvalues: {worst:.1e} Ry")
        print(f"gap at Γ: {bands[named[1]][4]:.2f} eV, 3.4 measured; indirect: {bands[:, 4].min():.2f} eV, 1.17 measured")
        drawing.save(sys.argv[2], (5, 4.2), lambda figure: draw(figure, bands, named))


def draw(figure, bands, named):
    axes = figure.add_subplot(title="silicon", ylabel="energy in eV", xticks=named, xticklabels=PATH, ylim=(-13, 7))
    axes.plot(bands, "C0", lw=1.2)
    axes.grid(axis="x")
    axes.axhspan(0, bands[:, 4].min(), alpha=0.2)


if __name__ == "__main__":
    main()
