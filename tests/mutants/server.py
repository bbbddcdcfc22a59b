"""A process in a copy of the tree that has the libraries in memory and runs tests in children of its own.

A test of a millisecond would otherwise wait a second for Python, pytest and Qt to start. Nothing of the project is in
memory, so that a child reads the mutant. A request is a line of JSON on standard input, its answer one on standard
output.
"""

from __future__ import annotations

import importlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

LIBRARIES = (
    "hypothesis", "numpy", "pydantic.main", "pydantic.type_adapter", "pydantic._internal._validators", "PySide6.QtTest",
    "PySide6.QtWidgets", "pyqtgraph", "pytest", "pytestqt.plugin",
)  # fmt: skip
"""In this order: once Qt's are there, the parts of pydantic no longer find each other."""
ALREADY_THERE = "ignore::pytest.PytestAssertRewriteWarning"
"""Plugins are among the libraries in memory."""
WORDS = ("-x", "-q", "-p", "no:xdist", "-W", ALREADY_THERE, "--hypothesis-profile=mutants")
LOOK_AGAIN_S = 0.01


@dataclass(frozen=True)
class Answer:
    """How tests ended: status of pytest, 0 when all pass; None when they took longer than they may. ``lines`` has for
    each file of the project the lines that ran, as the bits of a number; empty unless asked for."""

    status: int | None
    seconds: float
    lines: dict[str, int]


class Server:
    """The process of one copy of the tree, as seen from the outside."""

    def __init__(self, tree: Path) -> None:
        self.tree = tree
        environment = {
            **os.environ, "PYTHONPATH": os.pathsep.join((str(tree), os.environ.get("PYTHONPATH", ""))),
            "OMP_NUM_THREADS": "1", "QT_QPA_PLATFORM": "offscreen",
        }  # fmt: skip
        command = [sys.executable, "-m", "tests.mutants.server"]
        self._process = subprocess.Popen(
            command, cwd=tree, env=environment, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )

    def run(self, tests: Sequence[str], limit_s: float, record: bool = False) -> Answer:
        """Runs test files in their order until one fails. Raises RuntimeError when the process is gone."""
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.write(json.dumps([list(tests), limit_s, record]) + "\n")
        self._process.stdin.flush()
        answer = self._process.stdout.readline()
        if not answer:
            raise RuntimeError("The process that runs the tests has ended")
        return Answer(**json.loads(answer))

    def close(self) -> None:
        """Ends the process."""
        self._process.communicate()


def main() -> None:
    """Answers requests until standard input ends."""
    for name in LIBRARIES:
        importlib.import_module(name)
    for line in sys.stdin:
        print(json.dumps(_answer(*json.loads(line))), flush=True)


def _answer(tests: list[str], limit_s: float, record: bool) -> dict[str, object]:
    with tempfile.TemporaryDirectory(prefix="mutant-") as folder:
        start, lines = time.monotonic(), Path(folder, "lines.json")
        child = os.fork()
        if not child:
            own = (f"--basetemp={folder}/tests", f"--override-ini=cache_dir={folder}/cache")
            _be_the_child([*WORDS, *own, *tests], lines if record else None)
        status = _status(child, start + limit_s)
        ran = json.loads(lines.read_text()) if lines.exists() else {}
        return {"status": status, "seconds": time.monotonic() - start, "lines": ran}


def _status(child: int, until: float) -> int | None:
    """How the child ended; killed with all it started, and None, when it had not by then."""
    while time.monotonic() < until:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            return os.waitstatus_to_exitcode(status)
        time.sleep(LOOK_AGAIN_S)
    with suppress(ProcessLookupError):
        os.killpg(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return None


def _be_the_child(words: list[str], lines: Path | None) -> None:
    """Runs pytest and ends the process without a word."""
    status = 70
    try:
        os.setsid()
        nothing = os.open(os.devnull, os.O_RDWR)
        for stream in range(3):
            os.dup2(nothing, stream)
        status = int(_recorded(words, lines) if lines else _pytest(words))
    finally:
        os._exit(status)


def _pytest(words: list[str]) -> int:
    import pytest

    return int(pytest.main(words))


def _recorded(words: list[str], lines: Path) -> int:
    """Runs pytest and writes which lines of the project ran."""
    from coverage import Coverage

    coverage = Coverage(data_file=None, include=["core/*", "gui/charts/*"])
    coverage.start()
    status = _pytest(words)
    coverage.stop()
    data, root = coverage.get_data(), Path.cwd()
    ran = {str(Path(name).relative_to(root)): data.lines(name) or [] for name in data.measured_files()}
    lines.write_text(json.dumps({name: sum(1 << number for number in set(found)) for name, found in ran.items()}))
    return status


if __name__ == "__main__":
    main()
