"""The packaged app, as a user without Python has it."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from core.catalogue.loading import load_catalogue
from core.comparison.evaluate import evaluate
from core.paths import BUNDLED_PARTS, LICENCE_NOTICES, profiles
from core.plan.sample_plan import sample_plan
from core.plan.store import save
from core.version import VERSION
from core.workload.library import load_profiles
from gui.selftest.run import CHECKS
from gui.selftest.stored import MANIFEST, counts
from tests.repository_files import ROOT

if TYPE_CHECKING:
    from conftest import ReadyPipe

MOST_BYTES = 260_000_000
"""Of which the library that lays out the paper takes 68 MB."""
DESKTOP_ENTRY = ROOT / "packaging" / "linux" / "roofplan.desktop"

pytestmark = pytest.mark.timeout(600)
Environment = Callable[..., dict[str, str]]


def run(program: Path, environment: dict[str, str], *words: str) -> subprocess.CompletedProcess[str]:
    command = [str(program), *words]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=120)


def test_it_holds_everything_and_works(frozen_app: Path, bare_environment: Environment) -> None:
    done = run(frozen_app, bare_environment(), "selftest", "--json")
    assert done.returncode == 0, done.stdout + done.stderr
    told = json.loads(done.stdout)
    assert [(check["check"], check["ok"]) for check in told["checks"]] == [(name, True) for name in CHECKS]
    assert told["counts"] == counts()
    assert [check["detail"] for check in told["checks"] if check["check"] == "picks"][0].endswith("as stored")
    assert done.stderr == ""


def test_it_notices_a_missing_part(frozen_app: Path, bare_environment: Environment, tmp_path: Path) -> None:
    """The self-test can fail: a manifest that expects one more chart is not met."""
    copy = Path(shutil.copytree(frozen_app.parent, tmp_path / "app", symlinks=True, copy_function=os.link))
    manifest = copy / "_internal" / MANIFEST
    expected = json.loads(manifest.read_text(encoding="utf-8"))
    n_charts = expected["counts"]["charts"]
    manifest.unlink()  # else the app that all tests share would change with its copy
    manifest.write_text(json.dumps({"counts": expected["counts"] | {"charts": n_charts + 1}}), encoding="utf-8")
    done = run(copy / frozen_app.name, bare_environment(), "selftest", "--only", "parts")
    assert done.returncode == 3
    assert done.stdout == f"FAIL  parts: charts {n_charts} instead of {n_charts + 1}\n"


def test_it_is_no_larger_than_it_was_made(frozen_app: Path) -> None:
    """And nothing in it dangles: a library that was left out leaves no link behind."""
    files = [path for path in frozen_app.parent.rglob("*") if not path.is_symlink() and path.is_file()]
    assert sum(path.stat().st_size for path in files) < MOST_BYTES
    assert [path.name for path in frozen_app.parent.rglob("*") if path.is_symlink() and not path.exists()] == []


def test_it_names_its_parts_and_their_licences(frozen_app: Path) -> None:
    inside = frozen_app.parent / "_internal"
    bill = json.loads((inside / BUNDLED_PARTS).read_text(encoding="utf-8"))
    parts = {part["name"]: part for part in bill["components"]}
    assert (bill["bomFormat"], bill["metadata"]["component"]["version"]) == ("CycloneDX", VERSION)
    assert {"Python", "numpy", "PySide6_Essentials", "pyqtgraph", "pydantic", "openpyxl", "Inter"} <= set(parts)
    assert {"pytest", "roofplan", "setuptools", "ruff"} & set(parts) == set()
    assert parts["numpy"]["version"] == np.__version__
    assert all(part["licenses"][0]["license"]["name"] for part in parts.values())
    text = (inside / LICENCE_NOTICES).read_text(encoding="utf-8")
    assert all(f"{part['name']} {part['version']}: " in text for part in parts.values())
    assert "GNU LESSER GENERAL PUBLIC LICENSE" in text and "SIL OPEN FONT LICENSE" in text and "OpenBLAS" in text


def test_it_tells_its_version(frozen_app: Path, bare_environment: Environment) -> None:
    assert run(frozen_app, bare_environment(), "--version").stdout.strip() == f"roofplan {VERSION}"


def test_it_compares_as_the_source_does(frozen_app: Path, bare_environment: Environment) -> None:
    name, profile = sorted(load_profiles().items())[0]
    done = run(frozen_app, bare_environment(), "compare", str(profiles() / f"{name}.json"), "--json")
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    here = evaluate(profile, load_catalogue())
    assert told["recommendation"]["choice"] == here.recommendation.choice


def test_it_writes_a_pdf_without_a_display(frozen_app: Path, bare_environment: Environment, tmp_path: Path) -> None:
    save(sample_plan(), tmp_path / "sample.roofplan")
    pdf = tmp_path / "plan.pdf"
    done = run(frozen_app, bare_environment(), "export", str(tmp_path / "sample.roofplan"), "--pdf", str(pdf))
    assert done.returncode == 0, done.stderr
    assert pdf.read_bytes().startswith(b"%PDF-")


def test_a_wrong_file_is_told_in_one_line(frozen_app: Path, bare_environment: Environment, tmp_path: Path) -> None:
    (tmp_path / "wrong.json").write_text("[]", encoding="utf-8")
    done = run(frozen_app, bare_environment(), "compare", str(tmp_path / "wrong.json"))
    assert (done.returncode, len(done.stderr.splitlines())) == (1, 1)


def started_by_the_desktop(program: Path, plan: Path) -> list[str]:
    """What a desktop runs when the plan is double-clicked: the entry's command, of the program as installed here."""
    [line] = [line for line in DESKTOP_ENTRY.read_text(encoding="utf-8").splitlines() if line.startswith("Exec=")]
    words = shlex.split(line.removeprefix("Exec="))
    return [{"/usr/bin/roofplan": str(program), "%f": str(plan)}[word] for word in words]


def test_it_opens_a_plan_on_a_bare_screen(
    frozen_app: Path, bare_environment: Environment, display: str, ready_pipe: ReadyPipe, tmp_path: Path
) -> None:
    plan = sample_plan().model_copy(update={"name": "Opened from the desktop"})
    save(plan, tmp_path / "opened.roofplan")
    environment = bare_environment(DISPLAY=display, QT_QPA_PLATFORM="xcb", ROOFPLAN_READY_FILE=str(ready_pipe.path))
    command = started_by_the_desktop(frozen_app, tmp_path / "opened.roofplan")
    program = subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True)
    try:
        title = ready_pipe.wait_for("window")
        n_candidates = int(ready_pipe.wait_for("results"))
    finally:
        program.terminate()
        _, errors = program.communicate(timeout=20)
    assert "opened" in title.lower()
    assert n_candidates == len(evaluate(plan.profiles[0], load_catalogue()).results)
    assert "Traceback" not in errors
