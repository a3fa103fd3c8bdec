"""Checks that libweft.so exports exactly the declarations that the public headers mark with WEFT_API, those of C with a
version. Arguments: the library and the folder of headers."""
import pathlib
import re
import subprocess
import sys

library, headers = sys.argv[1:]

declared, unmarked = set(), []
for header in sorted(pathlib.Path(headers).glob("*.hpp")):
    text = header.read_text()
    declared |= set(re.findall(r"^(?:class|struct) WEFT_API (\w+)", text, re.MULTILINE))
    declared |= set(re.findall(r"^WEFT_API [\w:<> ]*?(\w+)\(", text, re.MULTILINE))
    # Functions declared at the left margin that are neither templates nor marked.
    unmarked += [f"{header.name}: {name} has no WEFT_API"
                 for before, name in re.findall(r"^(.*)\n(?!WEFT_API)[\w:<>]+ (\w+)\(.*", text, re.MULTILINE)
                 if not before.startswith("template")]

# Extracts the class or function in namespace weft from a mangled name, such as _ZNK4weft4Plan6engineB5cxx11Ev.
exported = {}
table = subprocess.run(["nm", "-D", "--defined-only", library], check=True, capture_output=True, text=True)
for symbol in table.stdout.split():
    found = re.match(r"_Z(?:T[ISTV]|GV)?NK?4weft(\d+)(.*)", symbol)
    if found:
        exported.setdefault(found[2][:int(found[1])], symbol)

# C: what weft.h declares, and what module weft calls besides.
in_c = set(re.findall(r"^WEFT_API [\w* ]*?(weft_\w+)\(", (pathlib.Path(headers) / "weft.h").read_text(), re.MULTILINE))
exported_c = {symbol.split("@")[0]: symbol for symbol in table.stdout.split() if symbol.startswith("weft_")}
public_c = {name for name in exported_c if not name.startswith("weft_fortran_")}
unmarked += [f"exported, but not in weft.h: {name}" for name in public_c - in_c]
unmarked += [f"in weft.h, but not in the library: {name}" for name in in_c - public_c]
unmarked += [f"{symbol}: has no version" for symbol in exported_c.values() if "@@WEFT_" not in symbol]

wrong = unmarked + [f"exported, but no WEFT_API: {name}, as in {exported[name]}" for name in exported.keys() - declared]
wrong += [f"WEFT_API, but not in the library: {name}" for name in declared - exported.keys()]
print("\n".join(sorted(wrong)) or
      f"{len(exported)} classes and functions and {len(exported_c)} functions of C exported, all of them public")
sys.exit(bool(wrong) or not exported or not in_c)
