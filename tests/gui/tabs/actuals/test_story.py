"""A plan in month three that slips, in a real window: frozen, entries pasted and mended, a way on made a scenario."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QScrollArea
from pytestqt.qtbot import QtBot

from core.logs.record import Subject
from core.plan.edit import set_value
from core.plan.plan import ImportedLog, Plan
from core.plan.sample_plan import sample_plan
from core.plan.scenario import BASE
from core.workload.actuals import Baseline
from gui.tabs.actuals.page import ActualsPage
from gui.tabs.over_time.panel import OverTimePanel
from gui.window.main_window import MainWindow
from tests.gui.whole_window import PATIENCE_MS, shown_window

TODAY = date(2027, 3, 3)
SHARES = (0.7, 0.75, 0.72, 0.68, 0.74, 0.7, 0.71, 0.73, 0.69, 0.7)


def _log() -> ImportedLog:
    """An hour at a rate, undated."""
    rate: dict[str, float | str] = {"unit": "tokens/s", "n": 3.0, "mean": 1e6}
    return ImportedLog(
        id="log-1", file_name="maxtext.log", format="maxtext", imported_at="2027-03-03T00:00:00", accelerator=None,
        n_accelerators=512, n_lines=3, n_skipped=0, duration_s=3600.0, quantities={"tokens_per_s": rate},
        series_s=(0.0, 3600.0), series={"tokens_per_s": (1e6, 1e6)}, subject=Subject.TRAINING, sha256="ab" * 32,
    )  # fmt: skip


@pytest.fixture
def window(qtbot: QtBot) -> Iterator[MainWindow]:
    plan: Plan = sample_plan()
    plan = plan.model_copy(update={"profiles": plan.profiles[:1], "logs": (_log(),)})
    for path, value in (("job.n_tokens", 6e12), ("limits.deadline_days", 120.0), ("limits.budget_usd", 9e6)):
        plan = set_value(plan, f"profiles.0.{path}", value)
    with shown_window(qtbot, plan, 1440, 900) as made:
        yield made


def _page(window: MainWindow) -> ActualsPage:
    window.tabs.show_tab("over_time")
    panel = window.tabs.panel("over_time")
    assert isinstance(panel, OverTimePanel)
    panel.views.setCurrentIndex(list(panel.pages).index("Actuals"))
    panel.actuals.today = lambda: TODAY
    return panel.actuals


def _answered(qtbot: QtBot, window: MainWindow, page: ActualsPage, n_entries: int) -> None:
    def is_there() -> bool:
        is_idle = window.session.road.is_idle
        return page.answer is not None and len(page.answer.standing.points) == n_entries and is_idle

    qtbot.waitUntil(is_there, timeout=PATIENCE_MS)


def _rows(base: Baseline) -> str:
    lines = ["Up to\tDone\tSpent"]
    for week, share in enumerate(SHARES, start=1):
        day = base.work_begins + timedelta(days=7 * week)
        lines.append(f"{day.isoformat()}\t{7 * base.rate * share:.0f}\t{7 * base.usd_per_day:.2f}")
    return "\n".join(lines)


def test_the_story_of_a_plan_in_month_three_that_slips(qtbot: QtBot, window: MainWindow) -> None:
    session, page = window.session, _page(window)
    stack = session.undo_stack
    assert page.empty.isVisible() and page.start.isEnabled()

    page.start.click()
    _answered(qtbot, window, page, 0)
    tracked = page.tracked
    assert tracked is not None and page.headline.text().startswith("No entries yet")
    assert stack.text(stack.count() - 1) == "Freeze the plan"

    QGuiApplication.clipboard().setText("2027-13-45\t5\n2027-01-01\tmany")
    page.paste_button.click()
    assert "Row 1, Up to: found '2027-13-45'" in page.message.text()
    assert "Row 2, Done, tokens: found 'many'" in page.message.text() and stack.count() == 1

    page.table.setFocus()
    QGuiApplication.clipboard().setText(_rows(tracked.baseline))
    QTest.keyClick(page.table, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    _answered(qtbot, window, page, len(SHARES))
    assert stack.count() == 2 and not page.message.isVisible()
    assert page.answer is not None
    one = page.answer.standing
    assert "days late at this rate" in page.headline.text() and one.forecast.end > one.target
    assert {limit.id for limit in page.done.figure.limits} == {"deadline", "today"}
    assert {limit.id for limit in page.spend.figure.limits} == {"budget", "deadline", "today"}
    assert page.done.figure.curves[-1].low and "days late" in page.done.summary()

    model = page.table.entries
    assert model.setData(model.index(0, 1), f"{2 * tracked.baseline.rate:.0f}")
    qtbot.waitUntil(lambda: stack.count() == 3, timeout=PATIENCE_MS)
    _answered(qtbot, window, page, len(SHARES))
    assert not model.setData(model.index(0, 2), "a lot")
    assert "Row 1, Spent, $: found 'a lot'" in page.message.text() and stack.count() == 3
    stack.undo()
    _answered(qtbot, window, page, len(SHARES))

    page.take_log(session.plan.logs[0])
    _answered(qtbot, window, page, len(SHARES) + 1)
    last = session.plan.actuals[0].entries[-1]
    assert (last.done, last.chip_hours, last.sha256) == (pytest.approx(3.6e9), 512.0, "ab" * 32)
    assert "nothing of money" in page.message.text()
    page.table.selectRow(len(SHARES))
    QTest.keyClick(page.table, Qt.Key.Key_Delete)
    _answered(qtbot, window, page, len(SHARES))

    assert page.answer is not None and page.options.buttons
    place = next(n for n, option in enumerate(page.answer.options) if option.kind == "longer")
    steps = stack.count()
    page.options.buttons[place].click()
    assert stack.count() == steps + 1
    made = session.plan.scenarios[-1]
    assert made.name.startswith("Give it until") and list(made.overrides) == ["profiles.0.limits.deadline_days"]
    assert session.scenario_id == made.id and "brings back Base" in page.message.text()
    _answered(qtbot, window, page, len(SHARES))
    stack.undo()
    assert session.scenario_id == BASE
    assert session.plan.scenarios[-1] != made and len(session.plan.actuals[0].entries) == len(SHARES)
    qtbot.waitUntil(lambda: session.road.is_idle, timeout=PATIENCE_MS)


def test_half_of_a_screen_has_room_for_every_column(qtbot: QtBot, window: MainWindow) -> None:
    page = _page(window)
    page.start.click()
    _answered(qtbot, window, page, 0)
    area = page.findChild(QScrollArea, "actuals-scroll")
    assert area is not None and page.done.geometry().top() == page.spend.geometry().top()
    window.resize(960, 900)
    qtbot.waitUntil(lambda: page.spend.geometry().top() > page.done.geometry().bottom(), timeout=PATIENCE_MS)
    inside = area.widget()
    assert inside is not None and inside.minimumSizeHint().width() <= area.viewport().width()
    assert page.figures.mapTo(inside, page.figures.rect().bottomRight()).x() < area.viewport().width()
