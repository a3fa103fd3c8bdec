"""The first program of a new user: a field of random numbers on all ranks, its spectrum, checked with NumPy."""

import numpy as np
import weft

whole = np.random.default_rng(1).random((48, 40, 36))  # the same on all ranks
spectrum = weft.rfftn(weft.from_global(whole)).gather(0)
if spectrum is not None:
    truth = np.fft.rfftn(whole)
    error = np.linalg.norm(spectrum - truth) / np.linalg.norm(truth)
    print(f"relative error: {error:.1e}")
    assert error < 1e-14
