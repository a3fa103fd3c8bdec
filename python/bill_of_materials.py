"""Writes into an unpacked wheel the licences and an SPDX document of the libraries that its extensions contain.

    python3 python/bill_of_materials.py TREE LIBRARIES

TREE is an unpacked wheel, LIBRARIES the folder that python/wheel_libraries made. Versions and licences are taken from the
Debian packages and from PyPI's nanobind that the wheel was built with, so that nothing is stated twice.
"""

import hashlib
import importlib.metadata
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time
import uuid
from dataclasses import dataclass

GCC_LICENCE = "GPL-3.0-or-later WITH GCC-exception-3.1"


@dataclass
class Component:
    """A library in the extensions. text: the file with its licence; origin: a package URL."""

    name: str
    version: str
    licence: str
    text: pathlib.Path
    origin: str


def of_package(name: str, licence: str, package: str) -> Component:
    """A library of an installed Debian package."""
    query = ["dpkg-query", "-W", "-f", "${Version}", package]
    version = subprocess.run(query, check=True, capture_output=True, text=True).stdout
    text = pathlib.Path("/usr/share/doc", package, "copyright")
    return Component(name, version, licence, text, f"pkg:deb/debian/{package}@{version}")


def of_source(name: str, licence: str, sources: pathlib.Path) -> Component:
    """A library that was compiled from a Debian source package."""
    (description,) = sources.glob(f"{name}_*.dsc")
    version = description.stem.split("_", 1)[1]
    text = sources / name / "debian" / "copyright"
    return Component(name, version, licence, text, f"pkg:deb/debian/{name}@{version}?arch=source")


def of_pypi(name: str, licence: str) -> Component:
    """A library of an installed distribution of PyPI."""
    distribution = importlib.metadata.distribution(name)
    (text,) = [file for file in distribution.files or () if file.name == "LICENSE"]
    origin = f"pkg:pypi/{name}@{distribution.version}"
    return Component(name, distribution.version, licence, pathlib.Path(str(text.locate())), origin)


def components(libraries: pathlib.Path) -> list[Component]:
    (gcc,) = libraries.glob("sources/gcc-*-source_*.deb")
    gcc_base = gcc.name.split("-source")[0] + "-base"
    sources = libraries / "sources"
    return [
        of_source("fmtlib", "MIT", sources),
        of_source("highway", "Apache-2.0", sources),
        of_source("hwloc", "BSD-3-Clause", sources),
        of_package("libgomp", GCC_LICENCE, gcc_base),
        of_package("libstdc++", GCC_LICENCE, gcc_base),
        of_package("CLI11", "BSD-3-Clause", "libcli11-dev"),
        of_package("nlohmann-json", "MIT", "nlohmann-json3-dev"),
        of_pypi("nanobind", "BSD-3-Clause"),
    ]


def is_linked(part: Component, into_shared: bool) -> bool:
    """Whether a library is linked into libweft_local, or into the extensions, which share it."""
    if part.name in ("highway", "hwloc", "libgomp"):
        return into_shared
    return part.name in ("fmtlib", "libstdc++") or not into_shared


def write_licences(metadata: pathlib.Path, parts: list[Component]) -> None:
    """The texts, and the metadata that name them."""
    folder = metadata / "licenses" / "bundled"
    folder.mkdir(parents=True, exist_ok=True)
    file = metadata / "METADATA"
    text = file.read_text(encoding="utf-8")
    names = [f"License-File: bundled/{part.name}.txt" for part in parts]
    for part in parts:
        shutil.copyfile(part.text, folder / f"{part.name}.txt")
    expression = " AND ".join(
        ["Apache-2.0", *sorted({part.licence for part in parts} - {"Apache-2.0"})]
    )
    text = re.sub(r"(?m)^License-Expression: .*$", f"License-Expression: {expression}", text)
    text = re.sub(r"(?m)^(License-File: .*)$", "\n".join([r"\1", *names]), text, count=1)
    file.write_text(text, encoding="utf-8")


def spdx(tree: pathlib.Path, version: str, parts: list[Component]) -> dict:
    """SPDX 2.3 (https://spdx.github.io/spdx-spec/v2.3): the wheel, its extensions, and what they contain."""
    created = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(int(os.environ["SOURCE_DATE_EPOCH"])))
    files = [
        {
            "SPDXID": f"SPDXRef-File-{re.sub('[^A-Za-z0-9.-]', '-', file.name)}",
            "fileName": f"./{file.relative_to(tree)}",
            "checksums": [
                {
                    "algorithm": name,
                    "checksumValue": hashlib.new(name, file.read_bytes()).hexdigest(),
                }
                for name in ("SHA1", "SHA256")
            ],
            "licenseConcluded": "NOASSERTION",
            "copyrightText": "NOASSERTION",
        }
        for file in sorted(tree.glob("weft/*.so"))
    ]
    contents = json.dumps([file["checksums"] for file in files])
    packages = [
        Component("weft-fft", version, "Apache-2.0", tree, f"pkg:pypi/weft-fft@{version}"),
        *parts,
    ]

    def identity(part: Component) -> str:
        return "SPDXRef-Package-" + re.sub(r"[^A-Za-z0-9.-]", "-", part.name)

    def relation(one: str, kind: str, other: str) -> dict:
        return {"spdxElementId": one, "relationshipType": kind, "relatedSpdxElement": other}

    return {
        "spdxVersion": "SPDX-2.3",
        "dataLicense": "CC0-1.0",
        "SPDXID": "SPDXRef-DOCUMENT",
        "name": f"weft-fft-{version}",
        "documentNamespace": f"https://spdx.org/spdxdocs/weft-fft-{version}-{uuid.uuid5(uuid.NAMESPACE_OID, contents)}",
        "creationInfo": {"created": created, "creators": ["Organization: The developers of Weft"]},
        "packages": [
            {
                "SPDXID": identity(part),
                "name": part.name,
                "versionInfo": part.version,
                "downloadLocation": "NOASSERTION",
                "filesAnalyzed": False,
                "licenseConcluded": part.licence,
                "licenseDeclared": part.licence,
                "copyrightText": "NOASSERTION",
                "externalRefs": [
                    {
                        "referenceCategory": "PACKAGE-MANAGER",
                        "referenceType": "purl",
                        "referenceLocator": part.origin,
                    }
                ],
            }
            for part in packages
        ],
        "files": files,
        "relationships": [
            relation("SPDXRef-DOCUMENT", "DESCRIBES", identity(packages[0])),
            *(relation("SPDXRef-DOCUMENT", "DESCRIBES", file["SPDXID"]) for file in files),
            *(
                relation(file["SPDXID"], "STATIC_LINK", identity(part))
                for file in files
                for part in parts
                if is_linked(part, "libweft_local" in file["fileName"])
            ),
        ],
    }


def main(tree: pathlib.Path, libraries: pathlib.Path) -> None:
    (metadata,) = tree.glob("*.dist-info")
    version = metadata.name.removesuffix(".dist-info").split("-")[1]
    parts = components(libraries)
    write_licences(metadata, parts)
    (metadata / "sboms").mkdir(exist_ok=True)
    document = json.dumps(spdx(tree, version, parts), indent=1) + "\n"
    (metadata / "sboms" / "weft-fft.spdx.json").write_text(document, encoding="utf-8")


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]))
