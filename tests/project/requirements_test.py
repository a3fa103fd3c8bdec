"""Checks that what scripts install from PyPI has hashes: each requirement of requirements/*.txt names one version and its
hashes, the file has all that the .in file of its name asks for, and pip is never called without them. Argument: the root
of the sources."""

import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1])
wrong = []


def statements(file):
    """The lines of a file, those that end with a backslash joined with the next, without comments and empty ones."""
    lines = file.read_text().replace("\\\n", " ").splitlines()
    return [line.strip() for line in lines if line.strip() and not line.lstrip().startswith("#")]


def named(file):
    """The packages that a file names, spelt as in .txt files."""
    names = [re.match(r"[\w.-]+", line) for line in statements(file) if not line.startswith("-")]
    return {re.sub(r"[-_.]+", "-", name[0]).lower() for name in names}


requirement = re.compile(r"[\w.-]+==[\w.]+( ; .*?)?(\s+--hash=sha256:[0-9a-f]{64})+")
locked = sorted((root / "requirements").glob("*.txt"))
for file in locked:
    for line in statements(file):
        if not requirement.fullmatch(line):
            wrong.append(f"requirements/{file.name}: not one version with hashes: {line[:60]}")
asked = sorted((root / "requirements").glob("*.in"))
for file in asked:
    lock = file.with_suffix(".txt")
    missing = named(file) - named(lock) if lock in locked else named(file)
    wrong += [
        f"requirements/{lock.name}: has no {name}: see requirements/update"
        for name in sorted(missing)
    ]
wrong += [
    f"requirements/{file.name}: from no .in file"
    for file in locked
    if file.with_suffix(".in") not in asked
]

scripts = [root / "run", *(root / ".ci").iterdir()]
scripts += [
    file
    for folder in ("bench", "python", "tests")
    for file in (root / folder).rglob("run")
    if file.is_file()
]
calls = 0
for file in scripts:
    for line in statements(file):
        if re.search(r"\bpip\S*\s+(install|download|wheel)\b", line):
            calls += 1
            if "--require-hashes" not in line and "--no-index" not in line:
                wrong.append(f"{file.relative_to(root)}: pip without --require-hashes: {line}")

print(
    "\n".join(wrong)
    or f"{len(locked)} files of requirements with hashes, and {calls} calls of pip that want them"
)
sys.exit(bool(wrong) or not locked or not calls)
