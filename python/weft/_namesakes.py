"""Refuses to go on where another project's files lie in this package's folder.

Other distributions on PyPI, `weft` among them, are imported by the same name. pip installs them into
the same folder without a word, and what is imported then is a mixture of both.
"""

import pathlib
from importlib.metadata import Distribution

NAME = "weft-fft"  # of this distribution, and the beginning of its plugins' names


def check_namesakes(package: pathlib.Path) -> None:
    """An ImportError if another distribution has installed files into the folder `package`.

    Only distributions whose names begin with the package's are looked at: their metadata are found
    by name, while reading all metadata of an environment takes a second.
    """
    for metadata in package.parent.glob(f"{package.name}*.dist-info"):
        other = Distribution.at(metadata)
        name = other.metadata["Name"] or ""
        if name.replace("_", "-").startswith(NAME):
            continue
        if any(file.parts[0] == package.name for file in other.files or ()):
            raise ImportError(
                f"{package} holds files of {NAME} and of {name} {other.version}, which is another "
                f"project; run `pip uninstall {name} {NAME}`, then `pip install {NAME}`, and keep "
                f"{name} in an environment of its own"
            )
