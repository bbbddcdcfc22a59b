"""The files that make a program an application: desktop entry, file type, icons, installers agree with the code."""

from __future__ import annotations

import configparser
import plistlib
import re
import struct
from pathlib import Path
from xml.etree import ElementTree

import pytest
from PySide6.QtGui import QImage

from core.cli.program import COMMANDS
from core.plan.plan import Plan
from core.plan.schema import APPLICATION_ID
from core.plan.store import save
from tests.repository_files import ROOT

PACKAGING = ROOT / "packaging"
SPACE = {"m": "http://www.freedesktop.org/standards/shared-mime-info"}


@pytest.fixture(scope="module")
def mime() -> ElementTree.Element:
    found = ElementTree.parse(PACKAGING / "linux" / "roofplan-mime.xml").find("m:mime-type", SPACE)
    assert found is not None
    return found


def test_the_desktop_entry_opens_the_file_type(mime: ElementTree.Element) -> None:
    entry = configparser.ConfigParser(interpolation=None, strict=True)
    entry.read(PACKAGING / "linux" / "roofplan.desktop", encoding="utf-8")
    assert entry["Desktop Entry"]["MimeType"] == f"{mime.get('type')};"
    assert entry["Desktop Entry"]["Exec"].endswith("roofplan %f")


def test_a_saved_plan_carries_the_magic_of_its_file_type(mime: ElementTree.Element, tmp_path: Path) -> None:
    save(Plan(id="p"), tmp_path / "plan")
    data = (tmp_path / "plan").read_bytes()
    outer = mime.find("m:magic/m:match", SPACE)
    assert outer is not None
    inner = outer.find("m:match", SPACE)
    assert inner is not None
    magic = str(inner.get("value")).encode()
    offset = int(str(inner.get("offset")))
    assert data[offset : offset + len(magic)] == magic == struct.pack(">I", APPLICATION_ID)
    assert data.startswith(str(outer.get("value")).encode().decode("unicode_escape").encode())


@pytest.mark.parametrize("size_px", [16, 32, 48, 64, 128, 256, 512])
def test_icons_have_the_size_they_are_named_for(size_px: int) -> None:
    picture = QImage(str(PACKAGING / "icons" / f"roofplan-{size_px}.png"))
    assert (picture.width(), picture.height()) == (size_px, size_px)
    assert picture.pixelColor(0, 0).alpha() == 0
    assert picture.pixelColor(size_px // 2, size_px // 6).alpha() == 255


def test_the_windows_and_macos_icons_hold_their_pictures() -> None:
    ico = (PACKAGING / "icons" / "roofplan.ico").read_bytes()
    _, kind, n = struct.unpack_from("<HHH", ico)
    assert (kind, n) == (1, 6)
    for i in range(n):
        length, offset = struct.unpack_from("<II", ico, 6 + 16 * i + 8)
        assert ico[offset : offset + 4] == b"\x89PNG"
        assert offset + length <= len(ico)
    icns = (PACKAGING / "icons" / "roofplan.icns").read_bytes()
    assert struct.unpack_from(">4sI", icns) == (b"icns", len(icns))


def test_the_windows_installer_registers_the_extension() -> None:
    script = (PACKAGING / "windows" / "roofplan.iss").read_text(encoding="utf-8")
    assert r'Subkey: "Software\Classes\.roofplan"' in script
    assert [p for p in re.findall(r"=\.\.\\\.\.\\([\w.\\]+)", script) if p == "LICENSE"] == ["LICENSE"]


def test_the_windows_installer_is_whole() -> None:
    """Every line of a section is of its form, and what is named of the project is there."""
    lines = (PACKAGING / "windows" / "roofplan.iss").read_text(encoding="utf-8").splitlines()
    sections = [line for line in lines if line.startswith("[")]
    assert sections == ["[Setup]", "[Files]", "[Icons]", "[Registry]", "[Run]"]
    setup = dict(line.split("=", 1) for line in lines[lines.index("[Setup]") + 1 : lines.index("[Files]")] if line)
    assert (setup["PrivilegesRequired"], setup["ChangesAssociations"]) == ("lowest", "yes")
    named = [setup["LicenseFile"], setup["SetupIconFile"]]
    assert [name for name in named if not (PACKAGING / "windows" / name.replace("\\", "/")).is_file()] == []
    for line in lines[lines.index("[Files]") :]:
        assert not line or line.startswith("[") or re.fullmatch(r'(\w+: ("([^"]|"")*"|[^";]+)(; |$))+', line), line


def test_the_macos_bundle_opens_the_file_type(mime: ElementTree.Element) -> None:
    entry = plistlib.loads((PACKAGING / "macos" / "Info.plist").read_bytes())
    [document], [kind] = entry["CFBundleDocumentTypes"], entry["UTExportedTypeDeclarations"]
    assert document["LSItemContentTypes"] == [kind["UTTypeIdentifier"]]
    tags = kind["UTTypeTagSpecification"]
    assert (tags["public.filename-extension"], tags["public.mime-type"]) == (["roofplan"], mime.get("type"))


def test_the_software_centre_knows_the_program(mime: ElementTree.Element) -> None:
    about = ElementTree.parse(PACKAGING / "linux" / "roofplan.metainfo.xml").getroot()
    assert about.findtext("launchable") == "roofplan.desktop"
    assert about.findtext("provides/mediatype") == mime.get("type")
    assert about.findtext("project_license") == "Apache-2.0"


def test_the_man_page_knows_every_command() -> None:
    page = (PACKAGING / "linux" / "roofplan.1").read_text(encoding="utf-8")
    assert set(re.findall(r"^\.B ([a-z]+)$", page, re.MULTILINE)) - {"roofplan"} == {*COMMANDS, "selftest"}
    assert all(f"\n.SH {section}\n" in page for section in ("NAME", "SYNOPSIS", "OPTIONS", "EXIT STATUS", "FILES"))


def test_every_make_target_is_described() -> None:
    makefile = (PACKAGING.parent / "Makefile").read_text(encoding="utf-8")
    phony = re.search(r"^\.PHONY: (.+)$", makefile, re.MULTILINE)
    assert phony is not None
    described = set(re.findall(r'"make ([\w-]+) ', makefile))
    assert described == set(phony[1].split()) - {"help"}
