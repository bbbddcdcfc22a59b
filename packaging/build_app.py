"""Builds the packaged app: ``python packaging/build_app.py DIST_FOLDER``. The app lies in ``DIST_FOLDER/roofplan``."""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from gui.selftest import MANIFEST, counts

ROOT = Path(__file__).resolve().parent.parent


def build(dist: Path) -> Path:
    """Builds into ``dist`` and returns the program."""
    with tempfile.TemporaryDirectory(prefix="roofplan-build-") as work:
        manifest = Path(work) / MANIFEST
        manifest.write_text(json.dumps(counts(), indent=1), encoding="utf-8")
        _run_pyinstaller(dist, Path(work), manifest)
    return dist / "roofplan" / ("roofplan.exe" if sys.platform == "win32" else "roofplan")


def _run_pyinstaller(dist: Path, work: Path, manifest: Path) -> None:
    command = [sys.executable, "-m", "PyInstaller", "--noconfirm", "--log-level", "WARN"]
    folders = ["--distpath", str(dist), "--workpath", str(work / "work")]
    environment = {**os.environ, "ROOFPLAN_MANIFEST": str(manifest), "PYINSTALLER_CONFIG_DIR": str(work / "config")}
    spec = ROOT / "packaging" / "roofplan.spec"
    subprocess.run([*command, *folders, str(spec)], cwd=ROOT, env=environment, check=True)


def main() -> None:
    parser = argparse.ArgumentParser(description="Build the packaged app.")
    parser.add_argument("dist", type=Path, help="folder that receives the folder 'roofplan'")
    program = build(parser.parse_args().dist.resolve())
    subprocess.run([str(program), "selftest"], check=True)
    total = sum(file.stat().st_size for file in program.parent.rglob("*") if file.is_file() and not file.is_symlink())
    print(f"{program}: {total / 1e6:.0f} MB")


if __name__ == "__main__":
    main()
