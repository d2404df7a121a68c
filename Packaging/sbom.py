#!/usr/bin/env python3
"""Writes the bill of materials of the built programs, CycloneDX 1.6: sbom.py PORTABLE [--bundled FILE…] [--licences FOLDER]

PORTABLE is what portable.sh made: holdfast, holdfast-wake and holdfast-push, each with the linker's map beside it.

What is in them is read from the build, not from a list: archives from the linker's map, shared libraries from a program's header,
libraries that it loads by name from its texts. Debian's dpkg says whose they are. FOLDER gets the licences of what is linked in or bundled.
"""

from __future__ import annotations

import argparse
import datetime
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import uuid
from dataclasses import dataclass
from pathlib import Path

PROGRAMS = ["holdfast", "holdfast-wake", "holdfast-push"]
LICENCES = {
    "Expat": "MIT",
    "public-domain": None,
    "LGPL-2.1+": "LGPL-2.1-or-later",
    "BSD-2-clause": "BSD-2-Clause",
    "BSD-3-clause": "BSD-3-Clause",
}
"""Debian's short names whose SPDX name is another; None if SPDX has no name for it."""

SPDX = {"Apache-2.0", "ISC", "MIT", "Zlib", "CC0-1.0"} | {name for name in LICENCES.values() if name}
SWIFT = {"expression": "Apache-2.0 WITH Swift-exception"}
ARCHIVE = re.compile(r"(/[^\s():]+\.a)\b")
BY_NAME = re.compile(rb"\0(lib[a-z0-9+-]+(?:-[0-9.]+)?\.so(?:\.[0-9]+)?)(?=\0)")
USES = ["linked in", "bundled", "shared library", "loaded by name if it is there"]
"""How a package is used. Of several uses the first one counts."""


@dataclass(frozen=True)
class Package:
    """An installed Debian package."""

    name: str
    version: str
    architecture: str
    source: str

    @property
    def purl(self) -> str:
        return f"pkg:deb/debian/{quoted(self.name)}@{quoted(self.version)}?arch={self.architecture}&distro=debian-12"

    def licence(self) -> dict | None:
        """What most of its files are under, if the package says so in a form that a program can read."""
        copyright_file = Path(f"/usr/share/doc/{self.name}/copyright")
        text = copyright_file.read_text(errors="replace") if copyright_file.exists() else ""
        if not re.match(r"Format: *https?://www\.debian\.org/doc/packaging-manuals/copyright-format", text):
            return None
        # The first paragraph about files is about all of them, or about the library's own sources.
        named = re.search(r"^Files:.*\n(?:(?!License:).+\n)*License: *(\S.*)$", text, re.MULTILINE)
        name = named.group(1).strip() if named else None
        spdx = LICENCES.get(name, name)
        return {"license": {"id": spdx} if spdx in SPDX else {"name": name}} if name else None


def quoted(text: str) -> str:
    return "".join(letter if letter.isalnum() or letter in ".-_~" else f"%{ord(letter):02X}" for letter in text)


def output(*command: str) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def owner(path: str) -> Package | None:
    """The package that a file is of; None if it is of none."""
    for candidate in dict.fromkeys([path, os.path.realpath(path), "/usr" + path]):
        found = subprocess.run(["dpkg-query", "-S", candidate], capture_output=True, text=True).stdout
        if found:
            name = found.split(": ")[0].split(",")[0]
            return Package(
                *output("dpkg-query", "-W", "-f", "${Package}\t${Version}\t${Architecture}\t${source:Package}", name).split("\t")
            )
    return None


def shared(binary: Path) -> list[str]:
    """The files of the shared libraries that the program's own header asks for."""
    asked = re.findall(r"NEEDED\s+(\S+)", output("objdump", "-p", str(binary)))
    known = installed()
    return [known[name] for name in asked if name in known]


def loaded(binary: Path) -> list[str]:
    """The files of the libraries that the program names in itself, as far as this machine has them."""
    known = installed()
    return [known[name] for name in sorted({one.decode() for one in BY_NAME.findall(binary.read_bytes())}) if name in known]


def installed() -> dict[str, str]:
    lines = re.findall(r"^\s+(\S+) \([^)]*x86-64[^)]*\) => (\S+)$", output("/sbin/ldconfig", "-p"), re.MULTILINE)
    return dict(reversed(lines))


def component(package: Package, use: str) -> dict:
    licence = package.licence()
    return {
        "type": "library",
        "bom-ref": package.purl,
        "name": package.name,
        "version": package.version,
        "scope": "optional" if use == USES[3] else "required",
        **({"licenses": [licence]} if licence else {}),
        "purl": package.purl,
        "properties": [
            {"name": "holdfast:use", "value": use},
            {"name": "holdfast:debian-source", "value": package.source},
            *([] if licence else [{"name": "holdfast:licence", "value": f"see /usr/share/doc/{package.name}/copyright in Debian"}]),
        ],
    }


def swift() -> dict:
    said = output(os.environ.get("SWIFT", "swift"), "--version")
    version = re.search(r"Swift version (\S+)", said).group(1)
    return {
        "type": "framework",
        "bom-ref": f"swift-{version}",
        "name": "Swift runtime and standard library",
        "version": version,
        "scope": "required",
        "licenses": [SWIFT],
        "properties": [{"name": "holdfast:use", "value": USES[0]}],
    }


def application(program: Path, version: str) -> dict:
    return {
        "type": "application",
        "bom-ref": program.name,
        "name": program.name,
        "version": version,
        "hashes": [{"alg": "SHA-256", "content": hashlib.sha256(program.read_bytes()).hexdigest()}],
        "licenses": [{"license": {"id": "MIT"}}],
    }


def copy_licences(folder: Path, packages: list[Package]) -> None:
    """The texts that must go with what is linked in or bundled."""
    folder.mkdir(parents=True)
    for package in packages:
        shutil.copyfile(f"/usr/share/doc/{package.name}/copyright", folder / package.source)
    compiler = Path(os.path.realpath(shutil.which(os.environ.get("SWIFT", "swift"))))
    shutil.copyfile(compiler.parent.parent / "share/swift/LICENSE.txt", folder / "swift")


def main() -> int:
    reader = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    reader.add_argument("portable", type=Path)
    reader.add_argument("--bundled", nargs="*", default=[])
    reader.add_argument("--licences", type=Path)
    line = reader.parse_args()

    programs = [line.portable / name for name in PROGRAMS]
    maps = [program.with_name(f"{program.name}.map").read_text(errors="replace") for program in programs]
    archives = sorted({archive for text in maps for archive in ARCHIVE.findall(text)})
    bundled = [installed()[Path(file).name] for file in line.bundled]
    asked, named = (sorted({file for program in programs for file in read(program)}) for read in (shared, loaded))
    uses: dict[Package, str] = {}
    for use, files in zip(USES, [archives, bundled, asked, named], strict=True):
        for file in files:
            if package := owner(file):
                uses.setdefault(package, use)
    if line.licences:
        copy_licences(line.licences, [package for package, use in uses.items() if use in USES[:2]])
    parts = [swift(), *(component(package, use) for package, use in sorted(uses.items(), key=lambda one: one[0].name))]

    version = output(str(programs[0]), "--version").split()[1]
    made = datetime.datetime.fromtimestamp(int(os.environ.get("SOURCE_DATE_EPOCH", "0")), datetime.UTC)
    program, *others = (application(program, version) for program in programs)
    program["components"] = others
    bill = {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, json.dumps([program, parts]))}",
        "version": 1,
        "metadata": {"timestamp": made.strftime("%Y-%m-%dT%H:%M:%SZ"), "component": program},
        "components": parts,
        "dependencies": [{"ref": "holdfast", "dependsOn": [part["bom-ref"] for part in parts]}],
    }
    print(json.dumps(bill, indent=2))
    return 0


if __name__ == "__main__":
    sys.exit(main())
