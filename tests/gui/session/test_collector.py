"""Memory is looked through in quiet moments only."""

from __future__ import annotations

import gc
import subprocess
import sys
import threading
import weakref
from collections.abc import Iterator

import pytest
from pytestqt.qtbot import QtBot

from gui.session import collector as room
from gui.session.collector import Collector, share_memory
from gui.session.road import Road, whole
from tests.bench.native_memory import needs_mallinfo
from tests.repository_files import ROOT


class Ring:
    """Holds itself: only the collector finds it."""

    def __init__(self) -> None:
        self.me = self


@pytest.fixture
def road(by_hand: None, qtbot: QtBot) -> Iterator[Road]:
    made = Road()
    yield made
    made.stop()


def test_what_holds_itself_goes_in_a_quiet_moment(qtbot: QtBot, road: Road, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "FIRST_MS", 1)
    monkeypatch.setattr(room, "EVERY_MS", 1)
    ring = weakref.ref(Ring())
    assert ring() is not None
    Collector(road)
    qtbot.waitUntil(lambda: ring() is None)


def test_it_waits_while_something_is_under_way(qtbot: QtBot, road: Road, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "FIRST_MS", 1)
    monkeypatch.setattr(room, "EVERY_MS", 1)
    monkeypatch.setattr(room, "SOON_MS", 1)
    gate, asked = threading.Event(), list[bool]()
    monkeypatch.setattr(Collector, "collect", lambda _: asked.append(road.is_idle))
    work = road.start("any", whole(gate.wait))
    one = Collector(road)
    for _ in range(3):
        with qtbot.waitSignal(one._timer.timeout):
            pass
    assert not asked
    with qtbot.waitSignal(work.ended):
        gate.set()
    qtbot.waitUntil(lambda: bool(asked))
    assert all(asked)


def test_what_is_young_is_looked_through_at_a_rest(qtbot: QtBot, road: Road, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "REST_MS", 1)
    Collector(road)
    ring = weakref.ref(Ring())
    assert ring() is not None
    road.start("any", whole(int))
    qtbot.waitUntil(lambda: ring() is None)


def test_everything_waits_for_a_rest(qtbot: QtBot, road: Road, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "FIRST_MS", 1)
    monkeypatch.setattr(room, "EVERY_MS", 1)
    monkeypatch.setattr(room, "SOON_MS", 1)
    monkeypatch.setattr(room, "REST_MS", 60_000)
    asked = list[bool]()
    monkeypatch.setattr(Collector, "collect", lambda _: asked.append(True))
    one = Collector(road)
    with qtbot.waitSignal(road.start("any", whole(int)).ended):
        pass
    for _ in range(3):
        with qtbot.waitSignal(one._timer.timeout):
            pass
    assert not asked, "somebody may be typing"


def test_too_much_that_is_young_is_looked_through_without_a_rest(
    qtbot: QtBot, road: Road, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(room, "YOUNG_MS", 1)
    monkeypatch.setattr(room, "MOST_YOUNG", gc.get_count()[0] + 2_000)
    gate = threading.Event()
    work = road.start("any", whole(gate.wait))
    one, ring = Collector(road), weakref.ref(Ring())
    with qtbot.waitSignal(one._young.timeout):
        pass
    assert ring() is not None, "there is little"
    kept = [[number] for number in range(4_000)]
    qtbot.waitUntil(lambda: ring() is None)
    assert len(kept) == 4_000 and not road.is_idle
    with qtbot.waitSignal(work.ended):
        gate.set()


def test_python_never_looks_by_itself(road: Road, qtbot: QtBot) -> None:
    """It would in the middle of what Qt does; a worker that ends after the start changes nothing."""
    gc.enable()
    gate = threading.Event()
    work = road.start("any", whole(gate.wait))
    room.calm_collector()
    with qtbot.waitSignal(work.ended):
        gate.set()
    road.stop()
    assert not gc.isenabled()


PICTURES = """
import numpy as np
from gui.session import collector
from tests.bench.native_memory import MIB, apart_mib

collector.M_ARENA_MAX = 0  # an option that no library knows
collector.share_memory()
large = np.zeros(16 * MIB, dtype=np.uint8)
del large  # by itself the library would put pieces of this size into the pool from now on
before = apart_mib()
picture = np.zeros(4 * MIB, dtype=np.uint8)
assert apart_mib() - before >= picture.nbytes / MIB
"""


@needs_mallinfo
def test_what_is_as_large_as_a_picture_lies_apart() -> None:
    """In a process of its own: tests before leave gaps in the pool, and what fits into one is taken from there."""
    done = subprocess.run([sys.executable, "-c", PICTURES], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_the_c_library_is_told_only_where_it_understands(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "M_ARENA_MAX", 0)  # an option that no library knows
    share_memory()
    monkeypatch.setattr("sys.platform", "other")
    monkeypatch.setattr("ctypes.CDLL", None)
    share_memory()
