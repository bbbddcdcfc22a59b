"""A person's way through the real window: open, type, import, save, close, reopen, export. From source and packaged."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from pypdf import PdfReader

from core.plan.sample_plan import sample_plan
from core.plan.store import load
from tests.repository_files import ROOT

if TYPE_CHECKING:
    from conftest import ReadyPipe


LOG = ROOT / "tests" / "data" / "logs" / "h100-node07.csv"
WINDOW = "Roofplan$"

pytestmark = pytest.mark.timeout(600)
Environment = Callable[..., dict[str, str]]


class Person:
    """Uses the program on a virtual desktop by its keyboard; waits for what it tells, never for time."""

    def __init__(self, command: list[str], environment: dict[str, str], told: ReadyPipe) -> None:
        self._command, self._environment, self.told = command, environment, told
        self._program: subprocess.Popen[str] | None = None

    def start(self, *words: str) -> str:
        """Starts the program, waits for its results and gives it the keyboard; returns the window's title."""
        self._program = subprocess.Popen(
            [*self._command, *words], env=self._environment, cwd=ROOT, stderr=subprocess.PIPE, text=True
        )
        title = self.told.wait_for("window")
        self.told.wait_for("results")
        self._do("search", "--sync", "--onlyvisible", "--name", WINDOW, "windowactivate", "--sync")
        return title

    def key(self, *names: str) -> None:
        """Presses keys, one after the other."""
        self._do("key", "--clearmodifiers", *names)

    def type(self, text: str) -> None:
        """Types a text."""
        self._do("type", "--clearmodifiers", text)

    def answer_file_dialog(self, shortcut: str, path: Path) -> None:
        """Opens a file dialog by its shortcut and types a path."""
        self.key(shortcut)
        self.told.wait_for("focus fileNameEdit")
        self.key("ctrl+a")
        self.type(str(path))
        self.key("Return")

    def quit(self) -> None:
        """Leaves the program, which must end well and say nothing."""
        assert self._program is not None
        self.key("ctrl+q")
        _, errors = self._program.communicate(timeout=60)
        assert (self._program.returncode, errors) == (0, "")

    def end(self) -> None:
        """Stops a program that is still there."""
        if self._program is not None and self._program.poll() is None:
            self._program.kill()
            self._program.communicate()

    def _do(self, *words: str) -> None:
        subprocess.run(["xdotool", *words], env=self._environment, check=True, timeout=60, capture_output=True)


def _environment(display: str, told: ReadyPipe, bare: Environment) -> dict[str, str]:
    return bare(DISPLAY=display, QT_QPA_PLATFORM="xcb", ROOFPLAN_READY_FILE=str(told.path))


@pytest.fixture(params=["source", "packaged"])
def person(
    request: pytest.FixtureRequest, desktop: str, ready_pipe: ReadyPipe, bare_environment: Environment
) -> Iterator[Person]:
    packaged = request.param == "packaged"
    command = [str(request.getfixturevalue("frozen_app"))] if packaged else [sys.executable, "-m", "gui.entry"]
    made = Person(command, _environment(desktop, ready_pipe, bare_environment), ready_pipe)
    yield made
    made.end()


def test_a_plan_is_changed_saved_reopened_and_exported(person: Person, tmp_path: Path) -> None:
    plan_file, pdf_file = tmp_path / "mine.roofplan", tmp_path / "mine.pdf"

    person.start("--sample")
    person.key("ctrl+k")
    person.type("Tokens")
    person.key("Return")
    person.told.wait_for("focus field-job.n_tokens")
    person.key("ctrl+a")
    person.type("2 trillion")
    person.told.wait_for("results")
    person.answer_file_dialog("ctrl+i", LOG)
    person.told.wait_for(f"step Import {LOG.name}")
    person.answer_file_dialog("ctrl+s", plan_file)
    person.told.wait_for("saved")
    person.quit()

    saved = load(plan_file)
    assert saved.profiles[0].job.n_tokens == 2e12
    assert saved.logs[0].file_name == LOG.name
    assert saved.profiles[1:] == sample_plan().profiles[1:]

    assert plan_file.stem in person.start(str(plan_file))
    person.answer_file_dialog("ctrl+e", pdf_file)
    person.told.wait_for(f"message Exported {pdf_file.name}")
    person.quit()

    assert load(plan_file) == saved
    text = " ".join(" ".join(page.extract_text() for page in PdfReader(pdf_file).pages).split())
    assert "on 2 trillion tokens" in text
