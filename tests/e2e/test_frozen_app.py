"""The packaged app, as a user without Python has it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from core.catalogue.loading import load_catalogue
from core.comparison.evaluate import evaluate
from core.paths import profiles
from core.plan.sample_plan import sample_plan
from core.plan.store import save
from core.version import VERSION
from core.workload.library import load_profiles

if TYPE_CHECKING:
    from conftest import ReadyPipe

pytestmark = pytest.mark.timeout(600)
Environment = Callable[..., dict[str, str]]


def run(program: Path, environment: dict[str, str], *words: str) -> subprocess.CompletedProcess[str]:
    command = [str(program), *words]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=120)


def test_it_holds_everything_and_works(frozen_app: Path, bare_environment: Environment) -> None:
    done = run(frozen_app, bare_environment(), "selftest")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "FAIL" not in done.stdout
    assert done.stdout.count("ok  ") >= 6
    assert done.stderr == ""


def test_it_notices_a_missing_part(frozen_app: Path, bare_environment: Environment, tmp_path: Path) -> None:
    """The self-test can fail: a manifest that expects one more chart is not met."""
    copy = Path(shutil.copytree(frozen_app.parent, tmp_path / "app", symlinks=True, copy_function=os.link))
    manifest = copy / "_internal" / "counts.json"
    expected = json.loads(manifest.read_text(encoding="utf-8"))
    manifest.unlink()  # else the app that all tests share would change with its copy
    manifest.write_text(json.dumps(expected | {"charts": expected["charts"] + 1}), encoding="utf-8")
    done = run(copy / frozen_app.name, bare_environment(), "selftest")
    assert done.returncode == 3
    assert f"charts {expected['charts']} instead of {expected['charts'] + 1}" in done.stdout


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


def test_it_opens_a_plan_on_a_bare_screen(
    frozen_app: Path, bare_environment: Environment, display: str, ready_pipe: ReadyPipe, tmp_path: Path
) -> None:
    plan = sample_plan().model_copy(update={"name": "Opened from the desktop"})
    save(plan, tmp_path / "opened.roofplan")
    environment = bare_environment(DISPLAY=display, QT_QPA_PLATFORM="xcb", ROOFPLAN_READY_FILE=str(ready_pipe.path))
    program = subprocess.Popen(
        [str(frozen_app), str(tmp_path / "opened.roofplan")], env=environment, stderr=subprocess.PIPE, text=True
    )
    try:
        title = ready_pipe.wait_for("window")
        n_candidates = int(ready_pipe.wait_for("results"))
    finally:
        program.terminate()
        _, errors = program.communicate(timeout=20)
    assert "opened" in title.lower()
    assert n_candidates == len(evaluate(plan.profiles[0], load_catalogue()).results)
    assert "Traceback" not in errors
