"""Rules that every test runs under: own user folder, no network, no logged error, nothing left open."""

from __future__ import annotations

import gc
import logging
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, settings
from PySide6.QtCore import QEvent, QThread, QThreadPool
from PySide6.QtWidgets import QApplication
from shiboken6 import getCppPointer

from core.units import Money, money_in

settings.register_profile(
    "test", derandomize=True, database=None, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("mutants", settings.get_profile("test"), phases=(Phase.explicit, Phase.generate))
settings.register_profile("fuzz", deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True)
settings.load_profile("test")  # the same on every run and however slow the machine; ``make fuzz`` draws afresh


BETWEEN_TESTS = 100_000_000
"""So many objects no test makes: Python itself does not collect in the middle of one."""
WHOLE_EVERY = 250
"""Tests after which everything since the last time is looked through, not only what is young."""
_n_run = 0


def pytest_collection_finish() -> None:
    """What is imported stays: the collector passes over it. A tenth of the suite's time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(BETWEEN_TESTS)


def _collect() -> None:
    """Between two tests, as the app does in quiet moments: Qt asks Python while it holds a lock for an object that
    goes, and where Python collects just then another object, which may need the same lock, the test stands still."""
    global _n_run
    _n_run += 1
    if _n_run % WHOLE_EVERY:
        gc.collect(1)
    else:
        gc.collect()
        gc.freeze()  # what caches hold by now stays, too


_connect = socket.socket.connect


def _connect_locally(self: socket.socket, address: Any) -> None:
    """Connects within the machine only: Roofplan may never reach a network."""
    if self.family != socket.AF_UNIX:
        raise AssertionError(f"a test tried to reach the network: {address!r}")
    _connect(self, address)


@pytest.fixture(autouse=True)
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """A connection that leaves the machine fails the test."""
    monkeypatch.setattr(socket.socket, "connect", _connect_locally)


@pytest.fixture(autouse=True)
def us_dollars() -> Iterator[None]:
    """Money is shown in US dollars at the beginning of every test, whatever the one before did."""
    with money_in(Money()):
        yield


@pytest.fixture(autouse=True)
def own_user_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Settings, recovery copies and log files of a test lie in its own folder."""
    folder = tmp_path / "roofplan-home"
    monkeypatch.setenv("ROOFPLAN_HOME", str(folder))
    return folder


@pytest.fixture(autouse=True)
def no_logged_errors(request: pytest.FixtureRequest, caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """An error that is only logged fails the test, unless it is marked ``logs_errors``."""
    yield
    if request.node.get_closest_marker("logs_errors"):
        return
    errors = [
        r.getMessage() for phase in ("setup", "call") for r in caplog.get_records(phase) if r.levelno >= logging.ERROR
    ]
    assert not errors, f"errors were logged: {errors}"


@pytest.hookimpl(wrapper=True, trylast=True)
def pytest_runtest_teardown(item: pytest.Item) -> Iterator[None]:
    """After the fixtures are gone, no window and no thread of the test may be left."""
    result = yield
    _collect()
    if isinstance(QApplication.instance(), QApplication):
        _settle()
        assert QThreadPool.globalInstance().waitForDone(5000), "a background job did not end"
        left = _left_anew()
        assert not left, f"{item.nodeid} left windows behind: {left}"
        running = [t for t in QApplication.instance().findChildren(QThread) if t.isRunning()]
        assert not running, f"{item.nodeid} left threads running: {running}"
    return result


def _settle() -> None:
    """Lets widgets that asked to be deleted go."""
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    QApplication.processEvents()


_known_left: set[int] = set()


def _left_anew() -> list[str]:
    """Windows that were not there after the test before. Hidden ones too: each change of a style visits them, and a
    whole window left behind made every later test five times slower."""
    left = {getCppPointer(widget)[0]: widget for widget in QApplication.topLevelWidgets() if widget.parent() is None}
    anew = [f"{type(w).__name__} {w.objectName()!r}" for number, w in left.items() if number not in _known_left]
    _known_left.clear()
    _known_left.update(left)
    return anew
