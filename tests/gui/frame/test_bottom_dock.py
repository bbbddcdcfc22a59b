"""The Jobs page: a line for each work on the road, how far it is, and the way to stop it."""

from __future__ import annotations

import threading

from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from gui.frame.bottom_dock import JobList
from gui.session.road import Cancelled, Progress, StoppedError, whole
from tests.gui.sample_results import sample_results
from tests.gui.sample_session import sample_session


def test_a_line_for_each_work_and_a_button_to_stop_it(qtbot: QtBot) -> None:
    session = sample_session(qtbot, sample_results())
    jobs = JobList(session)
    qtbot.addWidget(jobs)
    jobs.show()
    qtbot.waitUntil(lambda: jobs.last.isVisible())
    assert jobs.last.text().startswith("No jobs. Last: compared ")
    gate = threading.Semaphore(0)

    def step(_: Cancelled, __: Progress) -> None:
        assert gate.acquire(timeout=10)

    batch = session.road.start_batch("draws", [step] * 4, 4, "Drawing")
    file = session.road.start(None, whole(int), "Writing plan.pdf")
    session.road.start("short", whole(int))
    told: list[object] = []
    batch.refused.connect(told.append)
    row = jobs.rows[batch.number]
    assert [one.title.text() for one in jobs.rows.values()] == ["Drawing, 1 of 4", "Writing plan.pdf…"]
    assert not jobs.last.isVisible() and not jobs.rows[file.number].bar.isVisible()
    gate.release()
    qtbot.waitUntil(lambda: row.title.text() == "Drawing, 2 of 4")
    assert row.bar.value() == 25
    qtbot.mouseClick(row.cancel, Qt.MouseButton.LeftButton)
    assert [type(one) for one in told] == [StoppedError]
    assert batch.number not in jobs.rows and not row.isVisible(), "gone before the dock is painted anew"
    gate.release()
    session.close()
