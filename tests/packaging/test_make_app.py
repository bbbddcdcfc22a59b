"""What goes into the packaged app, how its parts are told, and what is made of it."""

from __future__ import annotations

import ast
import importlib.util
import json
import subprocess
import sys
import tarfile
from importlib.metadata import distribution, version
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from core.paths import BUNDLED_PARTS, LICENCE_NOTICES
from core.version import VERSION
from gui.dialogs import help as help_dialogs
from tests.repository_files import ROOT

PACKAGING = ROOT / "packaging"


def script(name: str) -> ModuleType:
    """A script of the folder; it is no package, so that it hides no library."""
    spec = importlib.util.spec_from_file_location(f"packaging_{name}", PACKAGING / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def trim() -> ModuleType:
    return script("trim")


@pytest.fixture(scope="module")
def parts() -> ModuleType:
    return script("parts")


@pytest.fixture(scope="module")
def make_app() -> ModuleType:
    return script("make_app")


def test_only_libraries_that_something_needs_stay(trim: ModuleType) -> None:
    linked = {"core.so": {"libQt6Core.so.6"}, "libQt6Core.so.6": {"libicu.so"}, "gtk.so": {"libgtk.so"}}
    entries = [
        ("PySide6/QtCore.so", "core.so", "EXTENSION"),
        ("PySide6/Qt/lib/libQt6Core.so.6", "libQt6Core.so.6", "BINARY"),
        ("libQt6Core.so.6", "PySide6/Qt/lib/libQt6Core.so.6", "SYMLINK"),
        ("libicu.so", "libicu.so", "BINARY"),
        ("libgtk.so", "libgtk.so", "BINARY"),
        ("libpython3.11.so.1.0", "libpython3.11.so.1.0", "BINARY"),
        ("PySide6/Qt/plugins/platforms/libqxcb.so", "xcb.so", "BINARY"),
        ("PySide6/Qt/plugins/platforms/libqvnc.so", "vnc.so", "BINARY"),
        ("PySide6\\plugins\\platformthemes\\libqgtk3.so", "gtk.so", "BINARY"),
    ]
    kept = trim.trimmed(entries, lambda file: linked.get(file, set()))
    assert {entry[0] for entry in entries} - {entry[0] for entry in kept} == {
        "libgtk.so",
        "PySide6/Qt/plugins/platforms/libqvnc.so",
        "PySide6\\plugins\\platformthemes\\libqgtk3.so",
    }
    links = [("libQt6Core.so.6", "PySide6/Qt/lib/libQt6Core.so.6", "SYMLINK"), ("libgtk.so.0", "libgtk.so", "SYMLINK")]
    assert trim.without_dangling([*links, ("a", "b", "DATA")], kept) == [links[0], ("a", "b", "DATA")]


@pytest.mark.parametrize(
    ("name", "is_wanted"),
    [
        ("resources/catalogue/offers.csv", True),
        ("resources/screenshots/cost-dark.png", False),
        ("PySide6/Qt/translations/qt_de.qm", False),
        ("pyqtgraph/Qt/QtSvg.pyi", False),
        ("pyqtgraph\\icons\\peegee\\peegee.svg", False),
    ],
)
def test_only_data_that_is_read_stays(trim: ModuleType, name: str, is_wanted: bool) -> None:
    assert trim.wanted_data((name, "", "DATA")) is is_wanted


def test_a_file_tells_its_part(parts: ModuleType, tmp_path: Path) -> None:
    module = str(distribution("pydantic").locate_file("pydantic/main.py"))
    told = parts.bundled_parts([str(tmp_path / "ours.py")], [module, ast.__file__])
    typefaces = {name for name, *_ in parts.TYPEFACES}
    assert {part.name for part in told} == {*typefaces, "pydantic", "PyInstaller bootloader", "Python"}
    [pydantic] = [part for part in told if part.name == "pydantic"]
    assert (pydantic.version, pydantic.licence, pydantic.purl) == (
        version("pydantic"), "MIT", f"pkg:pypi/pydantic@{version('pydantic')}"
    )  # fmt: skip
    assert "The MIT License" in pydantic.text
    assert all(part.licence and part.text for part in told)


def test_every_typeface_that_is_passed_on_is_told_with_its_licence(parts: ModuleType) -> None:
    """A further file of letters needs a line of :data:`TYPEFACES`, and its name in the text of its licence."""
    told = {name: (ROOT / text).read_text(encoding="utf-8") for name, _, _, text in parts.TYPEFACES}
    for file in (*(ROOT / "resources" / "fonts").rglob("*.otf"), *(ROOT / "resources" / "fonts").rglob("*.ttf")):
        [name] = [name for name in told if file.name.startswith(name.replace(" ", ""))]
        assert name == "Droid Sans Fallback" or name in told[name]


def test_what_a_wheel_has_compiled_in_is_told(parts: ModuleType) -> None:
    """typst is made of some 300 crates; its wheel brings their bill of materials."""
    import typst

    told = parts.bundled_parts([typst._typst.__file__], [])
    crates = [part for part in told if part.purl.startswith("pkg:cargo/")]
    assert len(crates) > 200 and {"typst-pdf", "hayagriva"} <= {part.name for part in crates}
    assert all(part.version and part.licence != "not named" for part in crates)
    bill = parts.sbom(told, VERSION)
    refs = [one["bom-ref"] for one in bill["components"]]
    assert len(refs) == len(set(refs)) and {part.purl for part in crates} <= set(refs)
    text = parts.notices(told, VERSION)
    assert f"{crates[0].name} {crates[0].version}: {crates[0].licence}" in text
    assert text.count(f"{'=' * 100}\n\nMIT OR Apache-2.0\n\nCompiled into typst") == 1, "one text for all of a licence"


def _part(parts: ModuleType, name: str, text: str) -> Any:
    return parts.Part(name, "1.0", "MIT", f"pkg:pypi/{name}@1.0", text)


def test_a_licence_that_parts_share_is_printed_once(parts: ModuleType) -> None:
    told = [_part(parts, "one", "Be kind."), _part(parts, "two", "Be kind."), _part(parts, "three", "")]
    text = parts.notices(told, VERSION)
    assert text.count("Be kind.") == 1 and "\none, two\n" in text
    assert "three 1.0: MIT\n" in text and "No licence text comes with this part." in text


def test_the_bill_of_materials_names_each_part_once(parts: ModuleType) -> None:
    bill = parts.sbom([_part(parts, "one", ""), parts.Part("two", "2", "OFL-1.1", "", "")], VERSION)
    assert (bill["bomFormat"], bill["specVersion"], bill["metadata"]["component"]["version"]) == (
        "CycloneDX",
        "1.6",
        VERSION,
    )
    references = [part["bom-ref"] for part in bill["components"]]
    assert references == bill["dependencies"][0]["dependsOn"] == ["pkg:pypi/one@1.0", "two@2"]
    assert "purl" not in bill["components"][1]


def test_about_shows_the_parts_of_a_packaged_app(
    parts: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    assert help_dialogs.bundled_text() == ""
    monkeypatch.setattr(help_dialogs.paths, "program_root", lambda: tmp_path)
    (tmp_path / BUNDLED_PARTS).write_text(json.dumps(parts.sbom([_part(parts, "one", "")], VERSION)), encoding="utf-8")
    text = help_dialogs.bundled_text()
    assert "| one | 1.0 | MIT |" in text and str(tmp_path / LICENCE_NOTICES) in text


def test_an_archive_tells_nobody_who_built_it(make_app: ModuleType, tmp_path: Path) -> None:
    (tmp_path / "roofplan").mkdir()
    (tmp_path / "roofplan" / "roofplan").write_text("#!/bin/sh\n", encoding="utf-8")
    (tmp_path / "roofplan" / "roofplan").chmod(0o755)
    with tarfile.open(make_app.pack(tmp_path / "roofplan", tmp_path / "made.tar.xz")) as archive:
        told = [(entry.name, entry.uid, entry.uname, entry.mode & 0o111) for entry in archive]
    assert told == [("roofplan", 0, "", 0o111), ("roofplan/roofplan", 0, "", 0o111)]


def test_packages_papers_and_checksums(make_app: ModuleType, tmp_path: Path) -> None:
    inside = tmp_path / "roofplan" / "_internal"
    inside.mkdir(parents=True)
    (inside.parent / "roofplan").write_text("#!/bin/sh\n", encoding="utf-8")
    for name in (BUNDLED_PARTS, LICENCE_NOTICES):
        (inside / name).write_text("{}", encoding="utf-8")
    made = [path.name for path in make_app.make_packages(tmp_path)]
    assert [name.rpartition(".")[2] for name in made] == ["xz", "deb", "json", "txt", "SHA256SUMS"]
    assert all(VERSION in name for name in made[:-1])
    done = subprocess.run(
        ["sha256sum", "--check", "SHA256SUMS"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout.count(": OK")) == (0, 4)


def test_the_windows_program_carries_its_version(make_app: ModuleType) -> None:
    text = make_app.windows_version("1.2.3")
    ast.parse(text, mode="eval")
    assert "filevers=(1, 2, 3, 0)" in text and "StringStruct('ProductVersion', '1.2.3')" in text


def test_the_workflow_builds_on_all_three_systems() -> None:
    text = (ROOT / ".ci" / "packages.yml").read_text(encoding="utf-8")
    assert [name for name in ("ubuntu-", "windows-", "macos-") if f"- system: {name}" not in text] == []
    assert "packaging/make_app.py dist --packages" in text and "\t" not in text
