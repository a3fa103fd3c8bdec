"""Checks the commands that the documentation shows, in its blocks of `sh` and behind `$` in blocks of `console`.

Run, in an empty folder: `weft describe` of up to 100,000 ranks, which starts no ranks; `weft wisdom list`; and `weft
describe` once more with every text after `--options`. Only read: every other command line of weft, whose subcommands and
options must be among those of `--help`, with a value where one is wanted; paths of the repository, subcommands of ./run,
CMake's presets and the folders that are installed, which must exist; variables and CMake options named WEFT_*, which must
occur in the code. Other commands are not looked at. Arguments: the root of the sources, the weft command."""
import functools
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

root, weft = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2]
FOLDERS = ("bench/", "tests/", "examples/", "python/", "packaging/", "tools/", "cmake/", ".ci/")
code = "".join(path.read_text(errors="ignore")
               for folder in ("src", "tools", "fftw3_mpi", "bench", "tests", "cmake", "python")
               for path in (root / folder).rglob("*")
               if path.is_file() and path.suffix in (".cpp", ".hpp", ".py", ".txt", ".cmake", ""))
code += (root / "run").read_text() + (root / "CMakeLists.txt").read_text()
configured = json.loads((root / "CMakePresets.json").read_text())["configurePresets"]
presets = [preset["name"] for preset in configured]
preset_folder = configured[0]["binaryDir"].removeprefix("${sourceDir}/")  # all others inherit it
build_folders = [preset_folder.replace("${presetName}", preset) for preset in presets]
build_folders += ["build/openmpi", "build/mpich"]  # those of ./run
run_subcommands = re.findall(r"^  (\w+)\)", (root / "run").read_text(), re.MULTILINE)
wrong, counts = [], {"run": 0, "read": 0}


def commands(page):
    for language, block in re.findall(r"^ *```(sh|console)\n(.*?)^ *```", page.read_text(), re.MULTILINE | re.DOTALL):
        for line in block.replace("\\\n", " ").splitlines():
            if language == "sh":
                yield line.strip()
            elif line.strip().startswith("$ "):
                yield line.strip()[2:]


def said_by(arguments, environment=()):
    with tempfile.TemporaryDirectory() as folder:
        run = subprocess.run([weft, *arguments], capture_output=True, text=True, cwd=folder, timeout=120,
                             env=os.environ | dict(environment) | {"WEFT_WISDOM": folder})
    return run.returncode, run.stdout + run.stderr


@functools.cache
def grammar(subcommands):
    """The names of further subcommands; whether each option takes a value."""
    text = said_by([*subcommands, "--help"])[1]
    nested = text.split("Subcommands:")[1] if "Subcommands:" in text else ""
    options = {}
    for names, value in re.findall(r"^  (-[\w,-]+)( [A-Z][\w.]*)?", text, re.MULTILINE):
        options |= {name: bool(value) for name in names.split(",")}
    return re.findall(r"^  (\w+) ", nested, re.MULTILINE), options


@functools.cache
def refusal_of_options(text):
    code, told = said_by(["describe", "64x64x64", "--ranks", "4", "--options", text])
    return told if code else None


def faults(arguments):
    """What is wrong with a command line of weft, and its subcommands."""
    chain, (nested, options), rest = (), grammar(()), list(arguments)
    while rest:
        word = rest.pop(0)
        if word in nested:
            chain += (word,)
            nested, more = grammar(chain)
            options = options | more
        elif nested and not word.startswith("-"):
            return [f"no subcommand {word!r}"], chain
        elif word.startswith("-") and not re.fullmatch(r"-\d.*", word):
            name, _, value = word.partition("=")
            if name not in options:
                return [f"weft {' '.join(chain)} has no option {name}"], chain
            if options[name] and not value:
                if not rest:
                    return [f"{name} wants a value"], chain
                value = rest.pop(0)
            if name == "--options" and (told := refusal_of_options(value)):
                return [told.strip()], chain
    return ([] if chain or "--version" in arguments else ["no subcommand"]), chain


def is_run(chain, arguments):
    ranks = [int(value) for name, value in zip(arguments, arguments[1:]) if name == "--ranks" and value.isdigit()]
    placeholders = any(re.fullmatch(r"[A-Z]+", word) for word in arguments)
    return (chain == ("describe",) and ranks and ranks[0] <= 100_000 or chain == ("wisdom", "list")) and not placeholders


def check(line):
    try:
        words = shlex.split(line, comments=True)
    except ValueError:
        return ["quotes do not match"]
    found = [f"{word} does not exist" for word in words
             if word.startswith(FOLDERS) and re.fullmatch(r"[\w./-]+", word) and not (root / word).exists()]
    found += [f"{name} is not in the code" for name in re.findall(r"(?:\b|-D)(WEFT_[A-Z0-9_]+)=", line) if name not in code]
    for place, word in enumerate(words):
        if word == "./run" and words[place + 1:] and words[place + 1] not in run_subcommands:
            found.append(f"./run has no {words[place + 1]}")
        if word == "--preset" and words[place + 1] not in presets:
            found.append(f"CMakePresets.json has no {words[place + 1]}")
        if word == "--install" and words[place + 1] not in build_folders:
            found.append(f"{words[place + 1]} is not among {', '.join(build_folders)}")
    places = [place for place, word in enumerate(words) if word == "weft" or word.endswith("/bin/weft")]
    if not places or words[0] in ("spack", "pip", "tests/programs/run.py", "cmake") or words[0].startswith("bench/calibrate"):
        return found
    if "bench/calibrate" in words:
        return found
    arguments = words[places[0] + 1:]
    if words[places[0] - 1:places[0]] == ["./run"] and arguments[:1] == ["-n"]:
        arguments = arguments[2:]
    refused, chain = faults(arguments)
    if not refused and is_run(chain, arguments):
        environment = [word.split("=", 1) for word in words[:places[0]] if re.match(r"[A-Z_]+=", word)]
        status, told = said_by(arguments, environment)
        refused = [told.strip()] if status else []
        counts["run"] += 1
    counts["read"] += 1
    return found + refused


pages = [*root.glob("*.md"), *(root / "docs").rglob("*.md"), *(root / "packaging").rglob("*.md")]
for page in sorted(pages):
    for line in commands(page):
        wrong += [f"{page.relative_to(root)}: {line}: {fault}" for fault in check(line)]
if counts["run"] < 5 or counts["read"] < 30:
    wrong.append(f"only {counts} commands of weft found")
print("\n".join(wrong) or f"{counts['read']} commands of weft are right, {counts['run']} of them ran")
sys.exit(bool(wrong))
