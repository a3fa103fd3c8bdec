"""Prints python/weft/_core.pyi, the type stub of the extension, from a built package weft."""

from nanobind.stubgen import StubGen
from weft import _core


def stub() -> str:
    generator = StubGen(_core)
    generator.put(_core)
    # weft.Error is defined in the extension, but shows itself as the package's.
    own = 'class Error(ValueError):\n    """See weft.Error."""'
    return generator.get().replace("from weft import Error as Error", own)


if __name__ == "__main__":
    print(stub(), end="")
