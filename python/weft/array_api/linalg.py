"""The names of the standard's extension linalg for distributed arrays: products and norms of
vectors. Those of matrices need all elements on one rank."""

from typing import Any

import numpy as np

# Both since NumPy 2.0.
globals().update(
    {
        name: getattr(np.linalg, name)
        for name in ("matrix_transpose", "vector_norm")
        if hasattr(np.linalg, name)
    }
)


def vecdot(x1: Any, x2: Any, /, *, axis: int = -1) -> Any:
    """The sum of conj(x1) * x2 along an axis, the same on all ranks. Collective.

    >>> xp = weft.ones((4, 6)).__array_namespace__()
    >>> print(xp.linalg.vecdot(weft.ones((4, 6)), weft.full((4, 6), 2.0)))
    [12. 12. 12. 12.]
    """
    return np.sum(np.conj(x1) * x2, axis=axis)
