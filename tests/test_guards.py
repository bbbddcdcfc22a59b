"""The rules that every test runs under still bite when tests are spread over processes, as ``make test`` does it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

from tests.repository_files import ROOT

FAULTS = """
import logging
import os
import threading
import warnings

import pytest
from PySide6.QtCore import QObject, QThread, Signal, qWarning
from PySide6.QtWidgets import QApplication, QWidget

left = []


@pytest.fixture(autouse=True)
def nothing_left_of_the_test_before():
    while left:
        left.pop()()


class Bell(QObject):
    rung = Signal()

    def fails(self):
        raise ValueError("in a slot")


class Broken:
    def __del__(self):
        raise ValueError("while it is let go")


def test_a_window_is_left(qtbot):
    window = QWidget()
    window.show()
    left.append(window.close)


def test_a_thread_is_left(qtbot):
    thread = QThread(QApplication.instance())
    thread.start()
    left.extend([thread.wait, thread.quit])


def test_good(qtbot): ...


def test_a_slot_fails(qtbot):
    bell = Bell()
    bell.rung.connect(bell.fails)
    bell.rung.emit()


def test_qt_warns(qtbot):
    qWarning("something is odd")


def test_a_warning(): warnings.warn("soon gone", DeprecationWarning)


def test_an_error_is_logged(): logging.getLogger("any").error("bad")


def test_a_destructor_fails(): Broken()


def test_a_plain_thread_fails():
    thread = threading.Thread(target=Bell().fails)
    thread.start()
    thread.join()


def test_the_process_dies(): os._exit(3)
"""


def test_a_fault_fails_its_test_in_every_process(tmp_path: Path) -> None:
    file = tmp_path / "test_faults.py"
    file.write_text(FAULTS, encoding="utf-8")
    words = ["-q", "-rA", "-n", "2", "--dist", "worksteal", "-p", "tests.conftest", "-p", "no:cacheprovider"]
    places = ["--rootdir", str(ROOT), "-c", str(ROOT / "pyproject.toml"), "--confcutdir", str(tmp_path)]
    environment = os.environ | {"QT_QPA_PLATFORM": "offscreen"}
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *words, *places, str(file)],
        cwd=ROOT, env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    told = set(re.findall(r"^(PASSED|FAILED|ERROR) \S*::test_(\w+)", done.stdout, re.M))
    tests = set(re.findall(r"^def test_(\w+)", FAULTS, re.M))
    assert done.returncode == 1, done.stdout + done.stderr
    assert tests - {name for word, name in told if word != "PASSED"} == {"good"}, done.stdout
    assert ("PASSED", "good") in told
