"""Checks that no program or library below a folder tells the dynamic loader to search a folder that depends on where the
program is started: entries of RPATH and RUNPATH are absolute or begin with $ORIGIN. Argument: a build tree or an installed
one. Exits with code 77 (skipped) if there is no readelf."""
import pathlib
import re
import shutil
import subprocess
import sys

if not shutil.which("readelf"):
    print("readelf is missing: skipped")
    sys.exit(77)


def is_loaded(file):
    """Whether it is a program or a shared library of ELF; objects for the linker have no paths."""
    if file.is_symlink() or not file.is_file() or "CMakeFiles" in file.parts or file.suffix in (".o", ".a"):
        return False
    with file.open("rb") as opened:
        return opened.read(4) == b"\x7fELF"


files = [file for file in sorted(pathlib.Path(sys.argv[1]).rglob("*")) if is_loaded(file)]
wrong = []
for file in files:
    table = subprocess.run(["readelf", "-d", file], check=True, capture_output=True, text=True).stdout
    for path in re.findall(r"\((?:RPATH|RUNPATH)\).*\[(.*)\]", table):
        wrong += [f"{file}: searches {entry!r}, of {path!r}" for entry in path.split(":")
                  if not entry.startswith(("/", "$ORIGIN"))]
print("\n".join(wrong) or f"{len(files)} programs and libraries search no current folder")
sys.exit(bool(wrong) or not files)
