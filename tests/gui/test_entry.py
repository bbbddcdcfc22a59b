"""The command ``roofplan``: what it forwards, and that Qt is only there when it is needed."""

from __future__ import annotations

import gc
import subprocess
import sys
from pathlib import Path

import pytest

from core.version import VERSION
from gui import entry


def test_commands_are_forwarded(capsys: pytest.CaptureFixture[str]) -> None:
    assert entry.main(["--version"]) == 0
    assert capsys.readouterr().out.strip() == f"roofplan {VERSION}"


def test_a_mistyped_command_is_a_usage_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert entry.main(["compair"]) == 2
    assert "'compair' is neither" in capsys.readouterr().err


@pytest.mark.parametrize(("words", "expected"), [([], (None, False)), (["--sample"], (None, True))])
def test_the_window_is_asked_for(
    words: list[str], expected: tuple[Path | None, bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[Path | None, bool]] = []

    def note(plan: Path | None, sample: bool = False) -> int:
        asked.append((plan, sample))
        return 0

    monkeypatch.setattr(entry, "open_window", note)
    assert entry.main(words) == 0
    assert asked == [expected]


def test_a_plan_is_opened_to_be_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[Path | None, bool]] = []

    def note(plan: Path | None, sample: bool = False, read_only: bool = False) -> int:
        asked.append((plan, read_only))
        return 0

    monkeypatch.setattr(entry, "open_window", note)
    assert entry.main(["--read-only", "p.roofplan"]) == 0
    assert asked == [(Path("p.roofplan"), True)]
    assert entry.main(["--read-only"]) == 2


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere there always is a display")
@pytest.mark.parametrize("words", [[], ["p.roofplan"], ["--sample"], ["--read-only", "p.roofplan"]])
def test_without_a_display_the_window_says_so(
    words: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Qt would end the whole program, with a trace in its own words."""
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(name, raising=False)
    assert entry.main(words) == 1
    told = capsys.readouterr().err
    assert told.startswith("roofplan: there is no display for the window") and told.count("\n") == 1


def test_a_plan_file_is_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Path | None] = []
    monkeypatch.setattr(entry, "open_window", lambda plan, sample=False: asked.append(plan) or 0)
    assert entry.main([str(tmp_path / "mine.roofplan")]) == 0
    assert asked == [tmp_path / "mine.roofplan"]


def test_listing_the_catalogue_loads_no_qt() -> None:
    code = (
        "import sys\nfrom gui.entry import main\n"
        "status = main(['catalogue', 'check'])\n"
        "sys.exit(status or any(name.startswith('PySide6') for name in sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_a_command_looks_for_cycles_rarely_and_a_caller_decides_for_itself(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked: list[int] = []
    monkeypatch.setattr(gc, "set_threshold", asked.append)
    assert entry.main(["--version"]) == 0 and asked == []
    monkeypatch.setattr(sys, "argv", ["roofplan", "--version"])
    assert entry.main() == 0 and asked == [entry.RARELY]
    assert capsys.readouterr().out.count("roofplan 0.") == 2
