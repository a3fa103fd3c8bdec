"""Makes the pages of the site's reference: what the API's references are, every option with its docstring and the values
that the command accepts, and the command's help. Arguments: the folder of Doxygen's and FORD's output, the weft command,
the folder for the pages."""
import pathlib
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

made, weft, pages = pathlib.Path(sys.argv[1]), sys.argv[2], pathlib.Path(sys.argv[3])

PYTHON = ["weft.Array", "weft.Plan", "weft.Handle", "weft.Transform", "weft.Layout", "weft.Box", "weft.create", "weft.files",
          "weft.tuning", "weft.fft", "weft.spectral", "weft.functions", "weft.scipy_backend", "weft.torch", "weft.jax",
          "weft.xarray", "weft.numba"]


def said_by(*arguments):
    """What the command prints, whether it succeeds or not."""
    run = subprocess.run([weft, *arguments], capture_output=True, text=True)
    return run.stdout + run.stderr


def index():
    """The start page, with links to what Doxygen and FORD have made."""
    rows = [("C++", "cpp/annotated.html", "classes and functions, from the docstrings of `include/weft/*.hpp`"),
            ("C", "cpp/weft_8h.html", "from those of `include/weft/weft.h`"),
            ("Fortran", "fortran/index.html", "from the comments of `fortran/weft.f90`"),
            ("Python", "python.md", "from the docstrings of package weft"),
            ("Options", "options.md", "how to compute: the same names in every language and in the command"),
            ("Command", "command.md", "what `weft --help` says")]
    there = [row for row in rows if row[1].endswith(".md") or (pages / row[1]).exists()]
    return "# Reference\n\n| | |\n| --- | --- |\n" + "".join(f"| [{name}]({at}) | {what} |\n" for name, at, what in there)


def python():
    return "# Python\n\n" + "".join(f"::: {name}\n\n" for name in PYTHON)


def description(member):
    """The docstring of something in Doxygen's XML, its code in backquotes."""
    for code in member.iter("computeroutput"):
        code.text, code.tail = "`" + (code.text or ""), "`" + (code.tail or "")
    parts = [" ".join("".join(member.find(kind).itertext()).split()) for kind in ("briefdescription", "detaileddescription")]
    text = " ".join(filter(None, parts))
    return text[:1].upper() + text[1:].removesuffix(".") + "."


def values(name):
    """Those that the command lists when it is given a wrong one."""
    valid = re.search(r"valid (?:is|are) (.*)", said_by("describe", "8x8x8", "--ranks", "1", "--options", f"{name}=?"))
    if not valid:
        sys.exit(f"{sys.argv[0]}: {weft} does not say which values of {name} are valid")
    return valid[1].split(", ")


def default(member):
    value = (member.findtext("initializer") or "none").removeprefix("= ").split("::")[-1].strip('"').rstrip("_")
    return {"automatic": "auto", "false": "0"}.get(value, value)


def options():
    members = ElementTree.parse(made / "xml/structweft_1_1Options.xml").iterfind(".//memberdef[@kind='variable']")
    enums = {enum.get("id"): enum
             for enum in ElementTree.parse(made / "xml/namespaceweft.xml").iterfind(".//memberdef[@kind='enum']")}
    text = """# Options

How to compute: members of `weft::Options` in C++, settings in the texts that C, Fortran and Python take, arguments of
`weft bench --options` and of `WEFT_OPTIONS`. What to compute is said in [From C](../docs/c.md#choices).
"""
    for member in members:
        name, reference = member.findtext("name"), member.find("type/ref")
        kind = enums.get(reference.get("refid")) if reference is not None else None
        explained = description(member if kind is None else kind)
        listed = ", ".join(f"`{value}`" if re.fullmatch(r"\w+", value) else value for value in values(name))
        text += f"\n## {name}\n{explained}\n\nValues: {listed}. Default: `{default(member)}`.\n"
    return text


def command():
    subcommands = re.findall(r"^  (\w+) ", said_by("--help").split("Subcommands:")[1], re.MULTILINE)
    helps = [["--help"], *([name, "--help"] for name in subcommands)]
    return "# The weft command\n" + "".join(
        f"\n## weft {' '.join(arguments[:-1])}\n```text\n{said_by(*arguments)}```\n" for arguments in helps)


def mend_fortran_pages(folder):
    """FORD's pages fetch scripts from the network, which they can do without; they link to a list of files, which FORD
    does not make of a single one; and they have a link within a link."""
    for page in folder.rglob("*.html"):
        text = re.sub(r'<script[^>]*src="https?://[^>]*></script>', "", page.read_text(encoding="utf-8"))
        if not (folder / "lists/files.html").exists():
            text = text.replace("/lists/files.html", "/sourcefile/weft.f90.html")
        text = re.sub(r"""href='<a href=("[^"]*")>[^<]*</a>'""", r"href=\1", text)
        page.write_text(text, encoding="utf-8")


mend_fortran_pages(made / "fortran")
pages.mkdir(parents=True, exist_ok=True)
for name, folder in (("cpp", "html"), ("fortran", "fortran")):
    (pages / name).unlink(missing_ok=True)
    if (made / folder).exists():
        (pages / name).symlink_to(made / folder)
for page in (index, python, options, command):
    (pages / f"{page.__name__}.md").write_text(page(), encoding="utf-8")
