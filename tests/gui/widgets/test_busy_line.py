"""The line over a page: it runs as long as the road has anything of the page, whatever comes of that."""

from __future__ import annotations

from collections.abc import Iterator
from threading import Event

import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from core.errors import InputError
from gui.session.road import Cancelled, Progress, Road, Step
from gui.widgets.busy_line import LINE_PX, PageBusyLine
from tests.gui.sample_session import themes

MINE, ALSO_MINE, OTHERS = "results", "answer", "report"


@pytest.fixture
def may_end() -> Event:
    return Event()


@pytest.fixture
def road(may_end: Event) -> Iterator[Road]:
    """No work of it outlives its test."""
    made = Road()
    yield made
    may_end.set()
    made.stop()


@pytest.fixture
def line(qtbot: QtBot, road: Road) -> Iterator[PageBusyLine]:
    page = QWidget()
    qtbot.addWidget(page)
    page.resize(300, 200)
    page.show()
    yield PageBusyLine(themes(), page, road, MINE, ALSO_MINE)
    page.close()


def waiting(for_it: Event, then: Exception | None = None) -> Step:
    def step(_: Cancelled, __: Progress) -> None:
        for_it.wait()
        if then is not None:
            raise then

    return step


@pytest.mark.parametrize("end", [None, InputError("a", "b", "c"), ZeroDivisionError("ours")])
def test_it_runs_until_the_work_has_ended_in_whatever_way(
    qtbot: QtBot, road: Road, line: PageBusyLine, may_end: Event, end: Exception | None
) -> None:
    work = road.start(ALSO_MINE, waiting(may_end, end))
    assert line.is_busy
    with qtbot.waitSignal(work.ended):
        may_end.set()
    qtbot.waitUntil(lambda: road.is_idle and not line.is_busy)


def test_it_stops_when_nobody_wants_the_work_any_more(road: Road, line: PageBusyLine, may_end: Event) -> None:
    road.start(MINE, waiting(may_end))
    road.cancel(MINE)
    assert not line.is_busy


def test_it_goes_on_from_one_work_to_the_next(qtbot: QtBot, road: Road, line: PageBusyLine, may_end: Event) -> None:
    told = list[bool]()
    first = road.start(MINE, waiting(may_end))
    first.ended.connect(lambda _: road.start(ALSO_MINE, waiting(may_end)))
    road.changed.connect(lambda: told.append(line.is_busy))
    may_end.set()
    qtbot.waitUntil(lambda: road.is_idle)
    assert told[0] and told == sorted(told, reverse=True) and not told[-1]


def test_works_of_others_are_not_its_own(road: Road, line: PageBusyLine, may_end: Event) -> None:
    road.start(OTHERS, waiting(may_end))
    assert not line.is_busy


def test_it_lies_over_the_upper_edge_of_its_page(line: PageBusyLine) -> None:
    page = line.parentWidget()
    assert page is not None
    page.resize(420, 210)
    assert (line.x(), line.y(), line.width(), line.height()) == (0, 0, 420, LINE_PX)
