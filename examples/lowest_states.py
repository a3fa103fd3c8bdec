"""The lowest eigenvectors of a Hermitian operator that is only applied, for vectors that are distributed over ranks."""

import numpy as np


def lowest_states(states, apply, precondition, products, tolerance=1e-5, steps=200):
    """Eigenvalues, ascending, and eigenvectors, by the locally optimal block method of A. V. Knyazev (SIAM J. Sci. Comput. 23,
    517, 2001).

    states: first guesses, one in each row: this rank's elements. apply, precondition: functions of as many rows.
    products(a, b): the scalar products of each row of a with each row of b, over all ranks.
    tolerance: of the norm of each residual.
    """
    images, count = apply(states), len(states)
    before = images_before = np.zeros_like(states)  # the last change of the states
    values = products(states, images).diagonal().real / products(states, states).diagonal().real
    for _ in range(steps):
        residuals = images - values[:, None] * states
        norms = np.sqrt(products(residuals, residuals).diagonal().real)
        if norms.max() < tolerance:
            break
        residuals = precondition(residuals / np.maximum(norms, 1e-300)[:, None])
        basis = np.concatenate([states, residuals, before])
        applied = np.concatenate([images, apply(residuals), images_before])
        # An orthonormal basis, without directions that are only rounding; the operator in it; its lowest vectors.
        overlaps, elements = np.hsplit(products(basis, np.concatenate([basis, applied])), 2)
        sizes, vectors = np.linalg.eigh(overlaps)
        large = sizes > 1e-13 * sizes[-1]
        vectors = vectors[:, large] / np.sqrt(sizes[large])
        found, mixed = np.linalg.eigh(vectors.conj().T @ elements @ vectors)
        values, weights = found[:count], (vectors @ mixed[:, :count]).T
        states, images = weights @ basis, weights @ applied
        before, images_before = weights[:, count:] @ basis[count:], weights[:, count:] @ applied[count:]
    return np.sort(values), states
