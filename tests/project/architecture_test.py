"""Checks that docs/architecture.md names every folder of the tree and only existing ones, that each folder of src/
includes only folders above it in the table there, that files of Python import each other without circles, that
no type has two definitions, and that functions and files are as short as CONTRIBUTING.md wants."""
import ast
import pathlib
import re
import subprocess
import sys

root = pathlib.Path(sys.argv[1])
text = (root / "docs/architecture.md").read_text()
rows = [line for line in text.splitlines() if line.startswith("| `") and "/` |" in line]
named = {name.rstrip("/") for row in rows for name in re.findall(r"`([^`]+/)`", row)}

try:
    listed = subprocess.run(["git", "ls-files"], cwd=root, check=True, capture_output=True, text=True)
    files = listed.stdout.split()
except (OSError, subprocess.CalledProcessError):
    files = [str(p.relative_to(root)) for top in ("include", "src", "fftw3_mpi", "python", "tools", "tests", "examples", "cmake", "bench")
             for p in (root / top).rglob("*") if p.is_file()]
folders = {str(pathlib.PurePath(file).parent) for file in files}
folders = {folder for folder in folders if folder != "." and not folder.startswith(".")}

# A folder counts as named if it or a parent of it is named.
def is_named(folder):
    parents = [folder, *map(str, pathlib.PurePath(folder).parents)]
    return any(parent in named for parent in parents)

wrong = [f"{folder}: not in docs/architecture.md" for folder in sorted(folders)
         if not is_named(folder) and folder not in ("src", "docs", "include")]
wrong += [f"{folder}: named in docs/architecture.md, but not there" for folder in sorted(named)
          if not (root / folder).is_dir()]

# The folder of src/ that each public header belongs to: the one that implements it, or the lowest one whose words it
# defines.
headers_of = {
    "machine": ["error.hpp", "export.hpp", "version.hpp", "visibility.h"],
    "layout": ["axes.hpp", "box.hpp", "layout.hpp"],
    "device_kernel": ["wire.hpp"],
    "transform": ["transform.hpp", "spectrum.hpp"],
    "engine": ["options.hpp"],  # effort of engines
    "plan": ["describe.hpp", "request.hpp"],
    "call": ["array.hpp", "fields.hpp"],
    "halo": ["halo.hpp"],
    "run": ["trace.hpp"],
    "tune": ["tune.hpp"],
    "api": ["place.hpp", "plan.hpp", "wavenumbers.hpp", "weft.hpp"],
    "c": ["weft.h", "c_functions.hpp"],
}
folder_of = {header: folder for folder, headers in headers_of.items() for header in headers}
public = sorted(file.name for file in (root / "include/weft").iterdir())
wrong += [f"include/weft/{name}: has no folder of src/ in {sys.argv[0]}, or is not there"
          for name in sorted(set(public) ^ set(folder_of))]

order = [name.removeprefix("src/") for row in rows for name in re.findall(r"`(src/[^`]+)/`", row)]
for file in sorted([*(root / "src").rglob("*.[ch]pp"), *(root / "include/weft").iterdir()]):
    own = folder_of.get(file.name) if file.parent.name == "weft" else file.parent.name
    text = file.read_text()
    included_headers = [(f"{folder}/", folder) for folder in re.findall(r'#include "([a-z_]+)/', text)]
    included_headers += [(f"<weft/{header}>", folder_of.get(header)) for header in re.findall(r"#include <weft/(.+)>", text)]
    for included, folder in included_headers:
        if folder not in order:
            wrong.append(f"{file.relative_to(root)}: includes {included}, which is in no folder of src/")
        elif own in order and order.index(folder) > order.index(own):
            wrong.append(f"{file.relative_to(root)}: includes {included} of {folder}/, which stands below {own}/")

def types(lines):
    """The types that a file defines for the linker to see, with their namespaces: none in anonymous ones."""
    spaces = []
    for line in lines:
        if match := re.match(r"namespace ([\w:]*) ?\{", line):
            spaces.append(match[1])
        elif line.startswith("}  // namespace"):
            spaces.pop()
        elif match := re.match(r"(?:struct|class|union|enum(?: class)?) (?:WEFT_API )?(\w+)(?: final)?(?: : [^;]*)? \{", line):
            if "" not in spaces:
                yield "::".join([*spaces, match[1]])

# Two types of one name in a library are undefined behaviour, which no compiler reports.
defined = {}
for top in ("include", "src"):
    for file in sorted((root / top).rglob("*.[ch]pp")):
        for name in types(file.read_text().splitlines()):
            other = defined.setdefault(name, file)
            if other != file:
                wrong.append(f"{file.relative_to(root)}: defines {name}, as {other.relative_to(root)} does")

def functions(lines):
    """The first line of each function, its number, and how many lines it has: clang-format ends a function with a brace
    alone at the indentation that it began at, and nothing else that is outside of functions."""
    for indentation in ("", "  ", "    "):
        for number, line in enumerate(lines, 1):
            if re.match(indentation + r"[\w~[]", line):
                first, begin = line.strip(), number
            elif line == indentation + "}" and first != 'extern "C" {':
                yield first, begin, number - begin + 1

for top in ("include", "src", "fftw3_mpi", "python", "tools", "tests"):
    for file in sorted((root / top).rglob("*.[ch]pp")):
        lines = file.read_text().splitlines()
        name = file.relative_to(root)
        if len(lines) > 450:
            wrong.append(f"{name}: has {len(lines)} lines, and 450 are the most")
        wrong += [f"{name}:{begin}: {count} lines, and 60 are the most: {first}"
                  for first, begin, count in functions(lines) if count > 60]

def imports_of(tree, module, modules):
    """The modules of the package that one imports, also in functions, but not those for types alone."""
    package = module if modules[module].name == "__init__.py" else module.rpartition(".")[0]
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.ImportFrom) and node.level:
            base = package.split(".")[:len(package.split(".")) - node.level + 1]
            name = ".".join([*base, *filter(None, [node.module])])
            inner = {f"{name}.{alias.name}" for alias in node.names}
            yield from inner & modules.keys() or ({name} if node.module else set()) & modules.keys()
        elif not (isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"):
            yield from imports_of(node, module, modules)

def in_circles(imports):
    """The modules that import themselves by way of others."""
    reached = {module: set(named) for module, named in imports.items()}
    for through in imports:
        for others in reached.values():
            if through in others:
                others |= reached[through]
    return sorted(module for module, others in reached.items() if module in others)

paths = {".".join(("weft", *file.relative_to(root / "python/weft").with_suffix("").parts)).removesuffix(".__init__"): file
         for file in (root / "python/weft").rglob("*.py")}
imports = {module: set(imports_of(ast.parse(file.read_text()), module, paths)) for module, file in paths.items()}
wrong += [f"{paths[module].relative_to(root)}: imports itself by way of other files" for module in in_circles(imports)]

for file in sorted((root / "python").rglob("*.py")):
    count = len(file.read_text().splitlines())
    if count > 450:
        wrong.append(f"{file.relative_to(root)}: has {count} lines, and 450 are the most")

print("\n".join(wrong) or f"{len(named)} folders named, all there, no include goes up, and nothing is too long")
sys.exit(bool(wrong) or not named)
