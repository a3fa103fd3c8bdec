"""Checks that packaging/, CITATION.cff and the README agree with what they name: the options that recipes give to CMake
exist, packages carry the version of include/weft/version.hpp, and the README's programs are those of the start pages.
Argument: the root of the sources."""
import ast
import fnmatch
import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1])
wrong = []


def expect(condition, message):
    if not condition:
        wrong.append(message)


def read(name):
    return (root / name).read_text()


numbers = re.findall(r"#define WEFT_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", read("include/weft/version.hpp"))
version, soversion = ".".join(numbers), numbers[0] if numbers[0] != "0" else ".".join(numbers[:2])
expect(len(numbers) == 3, "include/weft/version.hpp: no version found")
options = set(re.findall(r"^\s*(?:option|set)\((WEFT_\w+|BUILD_SHARED_LIBS) ", read("CMakeLists.txt"), re.MULTILINE))
options |= {"MPI_CXX_COMPILER", "CMAKE_BUILD_TYPE", "CMAKE_SKIP_INSTALL_RPATH"}  # CMake's own

name = "packaging/spack/spack_repo/weft/packages/weft/package.py"
recipe = ast.parse(read(name), name)
calls = [(getattr(node.func, "attr", getattr(node.func, "id", "")), [ast.literal_eval(one) for one in node.args
          if isinstance(one, ast.Constant)], {one.arg: one.value for one in node.keywords})
         for node in ast.walk(recipe) if isinstance(node, ast.Call)]
variants = {arguments[0] for function, arguments, _ in calls if function == "variant"}
defined = [arguments[0] for function, arguments, _ in calls if function in ("define", "define_from_variant")]
used = {arguments[1] for function, arguments, _ in calls if function == "define_from_variant"}
for function, arguments, keywords in calls:
    conditions = [keywords["when"].value] if "when" in keywords else arguments if function == "satisfies" else []
    used |= {variant for condition in conditions for variant in re.findall(r"[+~](\w+)", condition)}
expect(variants and defined, f"{name}: no variants or no options found")
for option in defined:
    expect(option in options, f"{name}: {option} is no option of CMakeLists.txt")
expect(variants == used, f"{name}: the variants are {sorted(variants)}, those that change anything {sorted(used)}")

rules = read("packaging/debian/rules")
for option in re.findall(r"-D(\w+)=", rules):
    expect(option in options, f"packaging/debian/rules: {option} is no option of CMakeLists.txt")
conda = read("packaging/conda/recipe.yaml")
for option in re.findall(r"-D(\w+)=", conda):
    expect(option in options, f"packaging/conda/recipe.yaml: {option} is no option of CMakeLists.txt")
expect(f'\n  version: "{version}"\n' in conda, f"packaging/conda/recipe.yaml: has not version {version}")
packages = re.findall(r"^Package: (\S+)$", read("packaging/debian/control"), re.MULTILINE)
for library in ("libweft", "libweft-fortran"):
    expect(library + soversion in packages, f"packaging/debian/control: no package {library}{soversion}, as the soname")
packaged = []  # patterns of what Debian's packages take from the installed tree
for file in (root / "packaging/debian").glob("*.install"):
    expect(file.stem in packages, f"{file.name}: no such package in packaging/debian/control")
    for line in file.read_text().splitlines():
        packaged.append(line.split()[0])
        for path in line.split():
            expect(path.startswith("usr/"), f"{file.name}: {path} is not below usr/")
for line in read("tests/installed/files").splitlines():
    # Plugins for GPUs and rivals are not in these packages, nor are static libraries.
    if not line or line[0] in "#[?" or line.endswith((".a", "libweft_cuda.so", "libweft_hip.so")):
        continue
    path = "usr/" + line.format(lib="lib/TRIPLET", version=version, soversion=soversion, build_type="none")
    expect(any(fnmatch.fnmatch(path, pattern + end) for pattern in packaged for end in ("", "/*")),
           f"packaging/debian: {path} is in no package")
for package in re.findall(r"^ ((?:lib)?weft\S*),$", read("packaging/debian/tests/control"), re.MULTILINE):
    expect(package in packages, f"packaging/debian/tests/control: {package} is no package of packaging/debian/control")
expect(read("packaging/debian/changelog").startswith(f"weft ({version}-"),
       f"packaging/debian/changelog: does not begin with version {version}")
expect(re.search(rf"^version: {re.escape(version)}$", read("CITATION.cff"), re.MULTILINE),
       f"CITATION.cff: has not version {version}")
expect(f"libweft{soversion}" in read("packaging/README.md"), f"packaging/README.md: does not name libweft{soversion}")


def program(page, language):
    """The first program in that language on a page of Markdown."""
    return re.search(rf"^```{language}\n(.*?)^```$", read(page), re.DOTALL | re.MULTILINE)[1]


# The start pages' programs are compiled and run by other tests.
for language in ("cpp", "python"):
    expect(program("README.md", language) == program(f"docs/start/{language}.md", language),
           f"README.md: its program in {language} is not that of docs/start/{language}.md")

print("\n".join(wrong) or f"{len(variants)} variants, {len(packages)} packages of version {version}: all as in the build")
sys.exit(bool(wrong))
