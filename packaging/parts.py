"""The parts that are bundled with the app, told from the files that PyInstaller collected; their licences and SBOM."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib.metadata import Distribution, distributions
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
LICENCE_TEXTS = ROOT / "packaging" / "licences"
TYPEFACES = (
    ("Inter", "3.19", "OFL-1.1", "resources/fonts/OFL.txt"),
    ("Noto Sans", "2020-12-25", "OFL-1.1", "resources/fonts/OFL.txt"),
    ("Noto Emoji", "3.006", "OFL-1.1", "resources/fonts/OFL.txt"),
    ("DejaVu Sans", "2.37", "Bitstream-Vera", "resources/fonts/further/DejaVu-LICENSE.txt"),
    ("Droid Sans Fallback", "2.55b", "Apache-2.0", "LICENSE"),
)
"""Name, version, licence and the file of its text."""
LICENCE_FILE = re.compile(r"(LICEN[CS]E|COPYING|NOTICE|OFL)", re.IGNORECASE)
QT_PARTS = {"pyside6-essentials", "shiboken6"}
"""Their packages name the licence but hold no text; Qt itself comes with the first of them."""

NO_PARTS = {"roofplan", "pyinstaller"}
"""Ourselves, and the builder, of which only the bootloader is passed on."""


@dataclass(frozen=True, order=True)
class Part:
    """A bundled piece of software: where it is from (package URL), and under which terms it is passed on."""

    name: str
    version: str
    licence: str
    purl: str
    text: str

    @property
    def ref(self) -> str:
        return self.purl or f"{self.name}@{self.version}"


def bundled_parts(files: Iterable[str], modules: Iterable[str]) -> list[Part]:
    """The parts to which some source files and some collected modules belong, by name."""
    owners = _owners()
    resolved = {Path(name).resolve().as_posix() for name in (*files, *modules)}
    python = {owners[name] for name in resolved if name in owners}
    packages = _debian_packages([name for name in resolved if name not in owners])
    inside = [part for name in sorted(python) for part in _compiled_in(name)]
    parts = [_python(), _bootloader(), *_typefaces(), *map(_wheel, python), *inside, *map(_debian, packages)]
    return sorted(set(parts), key=lambda part: (part.name.lower(), part))


@cache
def _owners() -> dict[str, str]:
    """File -> name of the installed distribution that brought it."""
    owners: dict[str, str] = {}
    for dist in distributions():
        name = dist.name  # each time read anew
        if name not in NO_PARTS:
            root = Path(str(dist.locate_file(""))).resolve().as_posix()
            rows = (dist.read_text("RECORD") or "").splitlines()
            owners |= {f"{root}/{row.rsplit(',', 2)[0]}": name for row in rows}
    return owners


def _debian_packages(files: Iterable[str]) -> set[str]:
    """The Debian packages of system libraries; none elsewhere. /usr/lib is also known as /lib."""
    names = [name for name in files if re.match(r"(/usr)?/lib", name)]
    if not names or not shutil.which("dpkg-query"):
        return set()
    asked = ["dpkg-query", "-S", *names, *(name.removeprefix("/usr") for name in names)]
    done = subprocess.run(asked, capture_output=True, text=True, check=False)
    return {line.split(":")[0] for line in done.stdout.splitlines()}


def _wheel(name: str) -> Part:
    dist = Distribution.from_name(name)
    about = dist.metadata
    stated = about.get("License-Expression") or about.get("License") or ""
    classified = [line.split(" :: ")[-1] for line in about.get_all("Classifier", []) if line.startswith("License ::")]
    licence = stated if 0 < len(stated) < 80 else ", ".join(classified) or "see its text"
    key = name.lower().replace("_", "-")
    text = _shipped("LGPL-3.0", "GPL-3.0") if key in QT_PARTS else "\n\n".join(_texts(dist))
    return Part(name, dist.version, licence, f"pkg:pypi/{key}@{dist.version}", text)


def _compiled_in(name: str) -> Iterator[Part]:
    """What a wheel has compiled in, of the bill of materials that it brings (PEP 770): name, version and licence."""
    dist = Distribution.from_name(name)
    for file in dist.files or ():
        if file.parent.name == "sboms" and file.name.endswith(".json"):
            bill = json.loads(Path(str(dist.locate_file(file))).read_text(encoding="utf-8"))
            yield from (_component_part(dist.name, one) for one in bill.get("components", []))


def _component_part(wheel: str, told: dict[str, Any]) -> Part:
    licence = _licence_of(told.get("licenses", [])) or "not named"
    text = f"{licence}\n\nCompiled into {wheel}, whose bill of materials names this licence and brings no text of it."
    return Part(told["name"], told.get("version", ""), licence, told.get("purl", ""), text)


def _licence_of(listed: list[dict[str, Any]]) -> str:
    """``MIT OR Apache-2.0``: an expression, or names of licences."""
    named = [one.get("license", {}) for one in listed]
    words = [one.get("expression") or own.get("id") or own.get("name") for one, own in zip(listed, named, strict=True)]
    return " AND ".join(filter(None, words))


def _texts(dist: Distribution) -> Iterator[str]:
    for file in dist.files or ():
        if LICENCE_FILE.search(file.name) and file.suffix not in (".py", ".pyc"):
            yield Path(str(dist.locate_file(file))).read_text(encoding="utf-8", errors="replace").strip()


def _debian(name: str) -> Part:
    shown = subprocess.run(["dpkg-query", "-W", "-f", "${Version}", name], capture_output=True, text=True, check=True)
    version = shown.stdout.split("\n")[0]
    copyright_file = Path("/usr/share/doc") / name / "copyright"
    text = copyright_file.read_text(encoding="utf-8", errors="replace").strip() if copyright_file.exists() else ""
    licences = dict.fromkeys(re.findall(r"^License: *(\S.*)$", text, re.MULTILINE))
    licence = ", ".join(licences) if 0 < len(licences) <= 6 else "see its text"
    return Part(name, version, licence, f"pkg:deb/debian/{name}@{version}", text)


def _python() -> Part:
    """Python's licence is the one that typing_extensions, once a part of Python, passes on."""
    [text, *_] = _texts(Distribution.from_name("typing_extensions"))
    version = sys.version.split()[0]
    return Part("Python", version, "PSF-2.0", f"pkg:generic/python@{version}", text)


def _bootloader() -> Part:
    dist = Distribution.from_name("pyinstaller")
    licence = "GPL-2.0-or-later WITH Bootloader-exception"
    purl = f"pkg:pypi/pyinstaller@{dist.version}"
    return Part("PyInstaller bootloader", dist.version, licence, purl, "\n\n".join(_texts(dist)))


def _typefaces() -> Iterator[Part]:
    """Those of the window and, besides, of the paper."""
    for name, version, licence, text in TYPEFACES:
        yield Part(name, version, licence, "", (ROOT / text).read_text(encoding="utf-8").strip())


def _shipped(*names: str) -> str:
    return "\n\n".join((LICENCE_TEXTS / f"{name}.txt").read_text(encoding="utf-8").strip() for name in names)


def notices(parts: list[Part], version: str) -> str:
    """One text: a line for each part, then every licence once with the parts it stands for."""
    head = f"Roofplan {version} is free software under the Apache License 2.0 (file LICENSE). It is passed on with:\n"
    lines = [f"{part.name} {part.version}: {part.licence}" for part in parts]
    by_text: dict[str, list[str]] = {}
    for part in parts:
        by_text.setdefault(part.text or "No licence text comes with this part.", []).append(part.name)
    texts = [f"{'=' * 100}\n{', '.join(names)}\n{'=' * 100}\n\n{text}\n" for text, names in by_text.items()]
    return "\n".join([head, *lines, "", *texts])


def sbom(parts: list[Part], version: str) -> dict[str, Any]:
    """The parts as a CycloneDX 1.6 bill of materials; without a time, so that equal builds have equal bills."""
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {
            "component": {"type": "application", "bom-ref": "roofplan", "name": "roofplan", "version": version}
        },
        "components": [_component(part) for part in parts],
        "dependencies": [{"ref": "roofplan", "dependsOn": [part.ref for part in parts]}],
    }


def _component(part: Part) -> dict[str, Any]:
    made = {"type": "library", "bom-ref": part.ref, "name": part.name, "version": part.version}
    made |= {"purl": part.purl} if part.purl else {}
    return made | {"licenses": [{"license": {"name": part.licence}}]}
