"""Prints python/weft/_core.pyi, the type stub of the extension, from a built package weft."""

import re

from nanobind.stubgen import StubGen
from weft import _core


def stub() -> str:
    generator = StubGen(_core)
    generator.put(_core)
    # weft.Error is defined in the extension, but shows itself as the package's.
    own = 'class Error(ValueError):\n    """See weft.Error."""'
    text = generator.get().replace("from weft import Error as Error", own)
    text = text.replace("-> tuple:", "-> tuple[Any, ...]:")
    text = text.replace("Sequence\n", "Sequence\nfrom typing import Any\n", 1)
    # Arguments take None only to refuse it in a sentence, but for arrays, which are objects.
    return re.sub(r"(?<!object) \| None", "", text)


if __name__ == "__main__":
    print(stub(), end="")
