"""The Debian package that is made around a built app."""

from __future__ import annotations

import gzip
import re
import subprocess
from pathlib import Path
from xml.etree import ElementTree

import pytest

from core.version import VERSION
from tests.repository_files import ROOT, text_of

SCRIPT = ROOT / "packaging" / "build_deb.sh"


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Made around a stand-in for the app, which is all the script looks at."""
    dist = tmp_path_factory.mktemp("dist")
    program = dist / "roofplan" / "roofplan"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\n", encoding="utf-8")
    program.chmod(0o755)
    subprocess.run([str(SCRIPT), str(dist)], check=True, capture_output=True)
    [made] = dist.glob("*.deb")
    return made


def ask(package: Path, *words: str) -> str:
    command = ["dpkg-deb", words[0], str(package), *words[1:]]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def test_it_is_named_and_numbered_as_the_program(package: Path) -> None:
    assert ask(package, "--field", "Package", "Version") == f"Package: roofplan\nVersion: {VERSION}\n"
    assert package.name.startswith(f"roofplan_{VERSION}_")


@pytest.mark.parametrize(
    "path",
    [
        "./usr/lib/roofplan/roofplan",
        "./usr/bin/roofplan -> ../lib/roofplan/roofplan",
        "./usr/share/applications/roofplan.desktop",
        "./usr/share/mime/packages/roofplan.xml",
        "./usr/share/icons/hicolor/256x256/apps/roofplan.png",
        "./usr/share/icons/hicolor/scalable/apps/roofplan.svg",
        "./usr/share/doc/roofplan/copyright",
        "./usr/share/doc/roofplan/changelog.gz",
        "./usr/share/man/man1/roofplan.1.gz",
        "./usr/share/metainfo/app.roofplan.roofplan.metainfo.xml",
    ],
)
def test_it_holds_what_a_desktop_looks_for(package: Path, path: str) -> None:
    assert any(line.endswith(f" {path}") for line in ask(package, "--contents").splitlines())


def test_everything_belongs_to_root_and_the_program_can_be_run(package: Path) -> None:
    lines = ask(package, "--contents").splitlines()
    assert {line.split()[1] for line in lines} == {"root/root"}
    assert [line[:10] for line in lines if line.endswith("./usr/lib/roofplan/roofplan")] == ["-rwxr-xr-x"]


def test_all_lies_below_usr_so_that_removal_takes_no_folder_of_the_system(package: Path) -> None:
    """Debian's own packages hold those folders; /opt belongs to none and went with the package when it was empty."""
    places = {line.split(" ./")[1].split("/")[0] for line in ask(package, "--contents").splitlines()}
    assert places == {"", "usr"}


def test_the_libraries_it_needs_are_those_the_checker_knows(package: Path) -> None:
    """One list for ``make run`` and one for the package: they may not drift apart."""
    checker = (SCRIPT.parent / "system_libraries.sh").read_text(encoding="utf-8")
    wanted = {
        word
        for line in checker.splitlines()
        if line.startswith(("offscreen=", "window="))
        for word in line.split('"')[1].split()
    }
    depends = ask(package, "--field", "Depends")
    assert {word for word in wanted if word not in depends} == set()


def test_it_tells_the_desktop_when_it_comes_and_when_it_goes(package: Path, tmp_path: Path) -> None:
    subprocess.run(["dpkg-deb", "--control", str(package), str(tmp_path)], check=True, capture_output=True)
    for name in ("postinst", "postrm"):
        script = tmp_path / name
        assert subprocess.run(["sh", "-n", str(script)], check=False).returncode == 0
        text = script.read_text(encoding="utf-8")
        assert all(word in text for word in ("update-mime-database /usr/share/mime", "update-desktop-database"))
        assert script.stat().st_mode & 0o111 == 0o111


def test_nothing_is_left_to_fill_in(package: Path, tmp_path: Path) -> None:
    subprocess.run(["dpkg-deb", "--raw-extract", str(package), str(tmp_path)], check=True, capture_output=True)
    page = gzip.decompress((tmp_path / "usr/share/man/man1/roofplan.1.gz").read_bytes()).decode()
    about = (tmp_path / "usr/share/metainfo/app.roofplan.roofplan.metainfo.xml").read_text(encoding="utf-8")
    assert f'"Roofplan {VERSION}"' in page and "@" not in page + about
    release = ElementTree.fromstring(about).find("releases/release")
    assert release is not None and release.get("version") == VERSION
    newest = re.search(rf"^## {re.escape(VERSION)} - (.+)$", text_of("CHANGELOG.md"), re.MULTILINE)
    assert newest is not None and release.get("date") == newest[1]
