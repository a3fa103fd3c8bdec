"""Checks that an installed tree has the files that ./files here lists, and no others, so that a file which appears or
vanishes is noticed. Arguments: the build tree, its installed tree."""

import pathlib
import re
import sys

build, installed = map(pathlib.Path, sys.argv[1:])
cached = dict(re.findall(r"^(\w+):\w+=(.*)$", (build / "CMakeCache.txt").read_text(), re.MULTILINE))
config = (installed / cached["CMAKE_INSTALL_LIBDIR"] / "cmake/weft/weftConfigVersion.cmake").read_text()
version = re.search(r'set\(PACKAGE_VERSION "(.*)"\)', config)[1]
major, minor, _ = version.split(".")
values = {
    "lib": cached["CMAKE_INSTALL_LIBDIR"],
    "build_type": cached["CMAKE_BUILD_TYPE"].lower() or "noconfig",
    "version": version,
    "soversion": major if major != "0" else f"0.{minor}",
}


def is_true(condition):
    """As CMake's if() says: for the name of a variable, or one behind "not"."""
    value = cached.get(condition.removeprefix("not "), "")
    is_set = value not in ("", "0", "OFF", "NO", "FALSE", "N", "IGNORE") and not value.endswith("NOTFOUND")
    return is_set != condition.startswith("not ")


expected, possible, holds = set(), set(), True
for line in pathlib.Path(__file__).with_name("files").read_text().splitlines():
    if line.startswith("["):
        holds = all(map(is_true, line.strip("[]").split(", ")))
    elif holds and line and not line.startswith("#"):
        listed = possible if line.startswith("? ") else expected
        listed.add(line.removeprefix("? ").format(**values))
found = {str(path.relative_to(installed)) for path in installed.rglob("*") if not path.is_dir()}

wrong = [f"{name}: is not installed any more" for name in sorted(expected - found)]
wrong += [f"{name}: is installed, and not in tests/installed/files" for name in sorted(found - expected - possible)]
print("\n".join(wrong) or f"{len(found)} files are installed, as listed")
sys.exit(bool(wrong))
