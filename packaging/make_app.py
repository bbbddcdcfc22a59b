"""Builds the packaged app and, when asked, what people install: ``python packaging/make_app.py DIST [--packages]``.

DIST/roofplan/ holds the program (on macOS DIST/Roofplan.app too). ``--packages`` adds beside it: on Linux a .tar.xz
and, where dpkg is, a .deb; on Windows the installer, where Inno Setup's ``iscc`` is; on macOS a .tar.xz of the bundle;
and everywhere the bill of materials, the licence notices and SHA256SUMS over all of them.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import platform
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
sys.path.insert(0, str(ROOT))  # so that it is this tree's app that is built, whatever is installed

from core.paths import BUNDLED_PARTS, LICENCE_NOTICES  # noqa: E402
from core.version import VERSION  # noqa: E402
from gui.selftest.stored import MANIFEST, found_here  # noqa: E402

SYSTEMS = {"linux": "linux", "darwin": "macos", "win32": "windows"}


def build(dist: Path) -> Path:
    """Builds into ``dist`` and returns the program."""
    with tempfile.TemporaryDirectory(prefix="roofplan-build-") as folder:
        work = Path(folder)
        (work / MANIFEST).write_text(json.dumps(found_here(), indent=1), encoding="utf-8")
        (work / "version.txt").write_text(windows_version(VERSION), encoding="utf-8")
        _run_pyinstaller(dist, work)
    return dist / "roofplan" / ("roofplan.exe" if sys.platform == "win32" else "roofplan")


def _run_pyinstaller(dist: Path, work: Path) -> None:
    command = [sys.executable, "-m", "PyInstaller", "--noconfirm", "--log-level", "ERROR"]
    folders = ["--distpath", str(dist), "--workpath", str(work / "work")]
    own = {"ROOFPLAN_WORK": str(work), "PYINSTALLER_CONFIG_DIR": str(work / "config")}
    subprocess.run([*command, *folders, str(HERE / "roofplan.spec")], cwd=ROOT, env={**os.environ, **own}, check=True)


def windows_version(version: str) -> str:
    """The version resource of the Windows program, as PyInstaller reads it."""
    numbers = tuple([*map(int, version.split(".")), 0, 0, 0][:4])
    words = {
        "CompanyName": "The Roofplan authors",
        "FileDescription": "Roofplan",
        "FileVersion": version,
        "InternalName": "roofplan",
        "LegalCopyright": "Apache License 2.0",
        "OriginalFilename": "roofplan.exe",
        "ProductName": "Roofplan",
        "ProductVersion": version,
    }
    table = ", ".join(f"StringStruct({name!r}, {value!r})" for name, value in words.items())
    return (
        f"VSVersionInfo(ffi=FixedFileInfo(filevers={numbers}, prodvers={numbers}, mask=0x3F, flags=0, OS=0x40004, "
        f"fileType=1, subtype=0, date=(0, 0)), kids=[StringFileInfo([StringTable('040904B0', [{table}])]), "
        "VarFileInfo([VarStruct('Translation', [1033, 1200])])])\n"
    )


def make_packages(dist: Path) -> list[Path]:
    """What this system installs, the papers beside it, and their checksums."""
    made = [*_installers(dist), *_papers(dist)]
    sums = dist / "SHA256SUMS"
    sums.write_text("".join(f"{checksum(path)}  {path.name}\n" for path in made), encoding="utf-8", newline="\n")
    return [*made, sums]


def _installers(dist: Path) -> list[Path]:
    if sys.platform == "win32":
        return [_windows_installer(dist)] if shutil.which("iscc") else []
    archive = pack(dist / ("Roofplan.app" if sys.platform == "darwin" else "roofplan"), dist / f"{_stem()}.tar.xz")
    if not shutil.which("dpkg-deb"):
        return [archive]
    subprocess.run([str(HERE / "build_deb.sh"), str(dist)], check=True)
    return [archive, *dist.glob(f"roofplan_{VERSION}_*.deb")]


def _windows_installer(dist: Path) -> Path:
    script = HERE / "windows" / "roofplan.iss"
    subprocess.run(["iscc", f"/DVersion={VERSION}", f"/DDist={dist}", str(script)], check=True)
    return dist / f"roofplan-{VERSION}-setup.exe"


def pack(folder: Path, archive: Path) -> Path:
    """A portable archive of the app: unpack it anywhere and start the program in it."""
    with tarfile.open(archive, "w:xz", preset=6) as packed:
        packed.add(folder, folder.name, filter=_nobodys)
    return archive


def _nobodys(entry: tarfile.TarInfo) -> tarfile.TarInfo:
    """Who built it is nobody's business."""
    return entry.replace(uid=0, gid=0, uname="", gname="", deep=False)


def _papers(dist: Path) -> list[Path]:
    inside = next(dist.glob(f"roofplan/**/{BUNDLED_PARTS}")).parent
    papers = {BUNDLED_PARTS: f"{_stem()}.cdx.json", LICENCE_NOTICES: f"{_stem()}-licences.txt"}
    return [Path(shutil.copyfile(inside / name, dist / target)) for name, target in papers.items()]


def _stem() -> str:
    return f"roofplan-{VERSION}-{SYSTEMS[sys.platform]}-{platform.machine().lower()}"


def checksum(path: Path) -> str:
    """SHA-256 as ``sha256sum -c`` expects it."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def main() -> None:
    parser = argparse.ArgumentParser(description="Build the packaged app.")
    parser.add_argument("dist", type=Path, help="folder that receives the folder 'roofplan'")
    parser.add_argument("--packages", action="store_true", help="make what this system installs too")
    parser.add_argument("--unchecked", action="store_true", help="leave out the self-test of what was built")
    arguments = parser.parse_args()
    program = build(arguments.dist.resolve())
    if not arguments.unchecked:
        subprocess.run([str(program), "selftest"], check=True)
    total = sum(file.stat().st_size for file in program.parent.rglob("*") if file.is_file() and not file.is_symlink())
    print(f"{program}: {total / 1e6:.0f} MB")
    for path in make_packages(arguments.dist.resolve()) if arguments.packages else ():
        print(f"{path}: {path.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
