"""A paper is laid out by a process of its own, which leaves nothing behind: no memory, no process, no doubt."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from core.breath import breathing
from core.errors import MachineError
from core.report.blocks import Cell, Column, Table
from gui.pdf import layout_process
from gui.pdf.layout_process import laid_out
from gui.pdf.layout_program import ASKED_BY, Order
from gui.pdf.typeset import PAPER, order, sheets, words_of
from gui.session.road import Road, StoppedError, stoppable
from tests.bench.native_memory import MIB
from tests.gui.pdf.read_pdf import one_page, said
from tests.repository_files import ROOT

MOST_MIB = 20
"""One page took 45 MiB and more when it was laid out within."""

LONG = 4_000
"""Rows, for a table that takes seconds."""

posix = pytest.mark.skipif(sys.platform == "win32", reason="signals")


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[subprocess.Popen[bytes]]:
    """Every process that is started to lay out."""
    processes: list[subprocess.Popen[bytes]] = []
    popen = subprocess.Popen

    def noted(*args: Any, **kwargs: Any) -> subprocess.Popen[bytes]:
        processes.append(popen(*args, **kwargs))
        return processes[-1]

    monkeypatch.setattr(layout_process.subprocess, "Popen", noted)
    return processes


def long_words() -> str:
    rows = tuple((Cell(f"row {n}"), Cell(str(n))) for n in range(LONG))
    return words_of(one_page(Table((Column("A"), Column("B")), rows)))


def dying(monkeypatch: pytest.MonkeyPatch, code: str) -> None:
    """In place of the process comes one that does something else."""
    monkeypatch.setattr(layout_process, "command", lambda: [sys.executable, "-I", "-c", code])


@pytest.mark.skipif(sys.platform != "linux", reason="/proc")
def test_what_a_paper_took_of_memory_is_not_this_process_s(qapp: object) -> None:
    def resident_mib() -> float:
        return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1]) * 4096 / MIB

    document = one_page(said("Heading", "heading"), said("Text"))
    words_of(document)
    before = resident_mib()
    assert sheets(document).n_pages == 1
    assert resident_mib() - before < MOST_MIB


def test_it_ends_at_once_when_the_paper_is_no_longer_wanted(
    qapp: object, started: list[subprocess.Popen[bytes]]
) -> None:
    def breath() -> None:
        if started:
            raise StoppedError

    with breathing(breath), pytest.raises(StoppedError):
        laid_out(order(PAPER, "svg"), long_words)
    [process] = started
    assert process.returncode not in (None, 0), "ended, and not by itself"


def test_closing_the_program_ends_it(qtbot: QtBot, started: list[subprocess.Popen[bytes]]) -> None:
    """As the report's pages are laid out when the window is closed."""
    words, road = long_words(), Road()
    road.start("report", stoppable(lambda: laid_out(order(PAPER, "svg"), lambda: words)), "Laying out the report")
    qtbot.waitUntil(lambda: bool(started), timeout=10_000)
    road.stop()
    assert started[0].returncode not in (None, 0)


CRASHES: dict[str, tuple[str, str]] = {
    "signal": ("import os; os.abort()", f"was killed by signal {int(signal.SIGABRT)}"),
    "words": ("import sys; sys.exit('no more memory')", "ended with status 1 (no more memory)"),
    "cut off": ("print('{\"sizes\": [10]}\\n123', end='')", "ended with status 0"),
    "half a line": ("print('{\"sizes', end='')", "ended with status 0"),
    "nothing": ("pass", "ended with status 0"),
}


@posix
@pytest.mark.parametrize(("code", "said"), CRASHES.values(), ids=list(CRASHES))
def test_a_death_is_told_in_words(monkeypatch: pytest.MonkeyPatch, code: str, said: str) -> None:
    dying(monkeypatch, code)
    with pytest.raises(MachineError) as caught:
        laid_out(Order("", "", "", "svg"), str)
    assert str(caught.value) == f"lay out the paper: the process that lays it out {said}"


def test_one_that_cannot_be_started_is_told_in_words(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(layout_process, "command", lambda: [str(tmp_path / "gone")])
    with pytest.raises(MachineError, match="lay out the paper: No such file"):
        laid_out(Order("", "", "", "svg"), str)


def test_what_typst_says_is_told() -> None:
    with pytest.raises(MachineError, match="lay out the paper: dictionary does not contain key"):
        laid_out(order(PAPER, "svg"), lambda: "{}")


@pytest.fixture
def packaged(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[], list[str]]]:
    monkeypatch.setattr(layout_process, "is_packaged", lambda: True)
    yield layout_process.command


def test_the_packaged_program_becomes_it_and_loads_neither_window_nor_engine(
    packaged: Callable[[], list[str]],
) -> None:
    assert packaged() == [sys.executable, ASKED_BY]
    code = (
        f"import sys, runpy; sys.argv = ['roofplan', {ASKED_BY!r}]\n"
        "try: runpy.run_path('packaging/roofplan_start.py')\n"
        "finally: print(*(n for n in ('PySide6', 'numpy', 'gui.entry', 'core') if n in sys.modules), file=sys.stderr)"
    )
    asked = order(PAPER, "svg").line() + b"{}"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, input=asked, capture_output=True, check=False)
    assert (done.returncode, done.stderr.split()) == (1, [])
    assert "dictionary does not contain key" in json.loads(done.stdout)["trouble"]
