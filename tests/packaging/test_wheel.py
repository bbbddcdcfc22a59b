"""The wheel: built without a network, installed where nothing else is, and started from another folder."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest

from core.catalogue.loading import load_catalogue
from core.comparison.evaluate import evaluate
from core.version import VERSION
from core.workload.library import load_profiles
from gui.selftest.stored import NOT_SHIPPED, counts
from tests.repository_files import ROOT, tracked

pytestmark = pytest.mark.timeout(600)
PROFILE = "llama3-8b-pretraining"
SHIPPED = ("core/", "gui/", "profiles/", "resources/")


def _run(*command: str | Path, cwd: Path) -> subprocess.CompletedProcess[str]:
    unwanted = ("PYTHONPATH", "QT_QPA_PLATFORM", "PYTHONWARNINGS")
    environment = {name: value for name, value in os.environ.items() if name not in unwanted}
    environment |= {"ROOFPLAN_HOME": str(cwd), "PIP_NO_INDEX": "1", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    words = [str(word) for word in command]
    return subprocess.run(words, cwd=cwd, env=environment, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built from what git tracks, so that nothing left behind in a checkout gets in."""
    folder = tmp_path_factory.mktemp("wheel")
    for name in tracked():
        if name.startswith(SHIPPED) or "/" not in name:
            target = folder / "source" / name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, target)
    options = ("--no-deps", "--no-build-isolation", "--wheel-dir", folder)
    done = _run(sys.executable, "-m", "pip", "wheel", *options, folder / "source", cwd=folder)
    assert done.returncode == 0, done.stdout + done.stderr
    [made] = folder.glob("*.whl")
    return made


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder of the programs of an environment that holds the wheel; the libraries are those of the tests."""
    home = tmp_path_factory.mktemp("installed") / "venv"
    venv.create(home, with_pip=False, symlinks=True)
    options = ("--no-deps", "--no-compile")
    done = _run(sys.executable, "-m", "pip", "--python", home / "bin/python", "install", *options, wheel, cwd=home)
    assert done.returncode == 0, done.stdout + done.stderr
    [packages] = home.glob("lib/*/site-packages")
    (packages / "libraries_of_the_tests.pth").write_text(sysconfig.get_path("purelib"), encoding="utf-8")
    return home / "bin"


def test_it_holds_every_file_of_the_program_and_nothing_else(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        held = {name for name in archive.namelist() if ".dist-info/" not in name}
    expected = {name for name in tracked() if name.startswith(SHIPPED) and NOT_SHIPPED not in name.split("/")}
    assert held == expected


def test_it_passes_its_self_test(installed: Path, tmp_path: Path) -> None:
    done = _run(installed / "roofplan", "selftest", "--json", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, ""), done.stdout + done.stderr
    told = json.loads(done.stdout)
    assert (told["ok"], told["version"], told["counts"]) == (True, VERSION, counts())
    assert {"picks", "catalogue", "window", "PDF", "XLSX"} <= {check["check"] for check in told["checks"]}


def test_it_answers_as_the_source_does(installed: Path, tmp_path: Path) -> None:
    [profile] = installed.parent.glob(f"lib/*/site-packages/profiles/{PROFILE}.json")
    done = _run(installed / "roofplan", "compare", profile, "--json", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    here = evaluate(load_profiles()[PROFILE], load_catalogue()).recommendation
    assert json.loads(done.stdout)["recommendation"]["choice"] == here.choice


def test_it_is_the_wheel_that_runs(installed: Path, tmp_path: Path) -> None:
    code = "import core.paths; print(core.paths.program_root())"
    root = Path(_run(installed / "python", "-c", code, cwd=tmp_path).stdout.strip())
    assert root.is_relative_to(installed.parent)
