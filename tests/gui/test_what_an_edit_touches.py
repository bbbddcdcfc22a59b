"""What an edit cannot have changed is left alone: no widget is made anew, no row listed, no chart painted for it."""

from __future__ import annotations

import re
from collections import Counter
from typing import cast

import pytest
from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QGraphicsView, QLabel, QLineEdit, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from core.plan.plan import Plan
from core.workload.profile import Profile
from gui.charts.view.chart_view import ChartView
from gui.forms.field_row import FieldRow
from gui.forms.known_values import known_values
from gui.forms.workload_form import WorkloadForm
from gui.session.plan_session import PlanSession
from gui.tabs.compare.panel import ComparePanel
from gui.tabs.describe.field_hints import hints
from gui.window.main_window import MainWindow
from tests.gui.sample_results import sample_results
from tests.gui.sample_session import sample_session, themes

DEADLINE = "profiles.0.limits.deadline_days"


class Painted(QObject):
    """Counts the paint events of a widget."""

    def __init__(self, widget: QWidget) -> None:
        super().__init__()
        self.count = 0
        widget.installEventFilter(self)

    def eventFilter(self, _: QObject, event: QEvent) -> bool:
        self.count += event.type() == QEvent.Type.Paint
        return False


@pytest.fixture
def form(qtbot: QtBot) -> WorkloadForm:
    session = sample_session(qtbot, sample_results())
    made = WorkloadForm(session, themes(), known_values(session.catalogue), hints)
    qtbot.addWidget(made)
    made.resize(620, 900)
    return made


def session_of(form: WorkloadForm) -> PlanSession:
    return form._session


def told_rest(form: WorkloadForm) -> tuple[int, int]:
    """How many further fields there are, and how many of them are changed, as the line between the two says."""
    lines = [label.text() for label in form.findChildren(QLabel)]
    words = next(text for text in lines if re.fullmatch(r"\d+, (all at their defaults|\d+ changed)", text))
    count, rest = words.split(", ")
    return int(count), 0 if rest.startswith("all") else int(rest.split()[0])


def settle() -> None:
    QApplication.processEvents()
    QApplication.processEvents()


def edited(qtbot: QtBot, window: MainWindow, days: float) -> None:
    with qtbot.waitSignal(window.session.results_changed):
        window.session.edit(DEADLINE, days)
    settle()


def test_the_verdict_and_the_project_keep_their_parts(qtbot: QtBot, window: MainWindow) -> None:
    facts = [label for label in window.verdict.findChildren(QLabel) if label.property("kind") == "fact"]
    listed = Counter[str]()
    window.project.view.model().layoutChanged.connect(lambda: listed.update(["rows"]))
    window.session.edit(DEADLINE, 61.0)
    assert [label for label in window.verdict.findChildren(QLabel) if label.property("kind") == "fact"] == facts
    assert not listed
    window.session.replace_plan(window.session.plan.model_copy(update={"name": "Other"}), "Rename")
    assert not listed
    profiles = window.session.plan.profiles
    renamed = profiles[0].model_copy(update={"name": "Another name"})
    window.session.replace_plan(
        window.session.plan.model_copy(update={"profiles": (renamed, *profiles[1:])}), "Rename workload"
    )
    assert listed["rows"]


def test_an_equal_figure_is_not_painted_again(qtbot: QtBot, window: MainWindow) -> None:
    window.tabs.show_tab("compare")
    panel = cast(ComparePanel, window.tabs.panel("compare"))
    qtbot.waitUntil(lambda: bool(panel.map.figure.marks))
    settle()
    painted = Painted(cast(QWidget, panel.map.findChild(QGraphicsView)).viewport())
    chart: ChartView = panel.map
    chart.show_figure(chart.figure, panel.theme, window.session.selected_id)
    settle()
    assert painted.count == 0
    others = [one for one in chart.figure.ids if one != window.session.selected_id]
    chart.show_figure(chart.figure, panel.theme, others[0])
    settle()
    assert painted.count > 0, "another selection is another picture"


def test_a_form_that_nobody_sees_waits_but_tells_its_doubts(qtbot: QtBot, form: WorkloadForm) -> None:
    session = session_of(form)
    line = cast(QLineEdit, form.findChild(QLineEdit, "field-job.sequence_length"))
    before = line.text()
    session.edit("profiles.0.job.sequence_length", 5000)
    assert line.text() == before
    assert any("multiple of 128" in problem.text for problem in session.problems)
    form.show()
    qtbot.waitExposed(form)
    assert line.text() == "5\u202f000"
    session.close()


def test_rows_under_more_fields_are_made_when_they_are_wanted(qtbot: QtBot, form: WorkloadForm) -> None:
    def n_rows() -> int:
        return len(form.findChildren(FieldRow))

    form.show()
    n_essential = n_rows()
    n_told = told_rest(form)[0]
    button = cast(QPushButton, form.findChild(QPushButton, "more-fields"))
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert n_rows() == n_essential + n_told > n_essential
    session_of(form).close()


def test_a_change_in_a_row_that_is_not_made_yet_is_counted(form: WorkloadForm) -> None:
    session = session_of(form)
    form.show()
    n_changed = told_rest(form)[1]
    assert form.findChild(FieldRow, "row-owning.resale_pct") is None
    session.edit(session.path("owning.resale_pct"), 33.0)
    assert told_rest(form)[1] == n_changed + 1
    session.close()


def test_a_field_under_more_is_found_without_opening_it_first(qtbot: QtBot, form: WorkloadForm) -> None:
    form.show()
    path = form._in_more[-1]
    row = form.open_at(path)
    assert row is not None
    assert row.isVisible()
    session_of(form).close()


def test_the_letter_of_a_key_is_painted_before_results_that_are_known(qtbot: QtBot, window: MainWindow) -> None:
    window.tabs.show_field(DEADLINE)
    edited(qtbot, window, 61.0)
    edited(qtbot, window, 62.0)
    field = cast(QLineEdit, window.findChild(QLineEdit, "field-limits.deadline_days"))
    field.setFocus()
    settle()
    field.setSelection(1, 1)
    painted, seen = Painted(field), list[int]()
    window.session.results_changed.connect(lambda: seen.append(painted.count))
    with qtbot.waitSignal(window.session.results_changed):
        QTest.keyClick(field, Qt.Key.Key_1)
    assert field.text() == "61"
    assert seen and seen[0] > 0


def test_the_letter_of_a_key_is_painted_before_the_plan_hears_of_it(qtbot: QtBot, window: MainWindow) -> None:
    window.tabs.show_field(DEADLINE)
    edited(qtbot, window, 61.0)
    field = cast(QLineEdit, window.findChild(QLineEdit, "field-limits.deadline_days"))
    field.setFocus()
    field.setSelection(1, 1)
    settle()
    painted, others, seen = Painted(field), Painted(window.verdict), list[tuple[int, int]]()
    window.session.plan_changed.connect(lambda: seen.append((painted.count, others.count)))
    with qtbot.waitSignal(window.session.results_changed):
        QTest.keyClick(field, Qt.Key.Key_2)
    assert seen == [(1, 0)], "the field alone, once"


def test_a_plan_that_says_nothing_new_to_the_verdict_is_not_told_there(
    qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    edited(qtbot, window, 61.0)
    told = Counter[str]()
    monkeypatch.setattr(window.verdict, "_show_headline", lambda _: told.update(["told"]))
    with qtbot.waitSignal(window.session.results_changed):
        window.session.edit(DEADLINE, 62.0)
        assert not told
    assert told["told"] == 1
    window.session.edit("old_price_days", 7)
    assert told["told"] == 2


def test_a_problem_concerns_the_bar_alone(qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    window.tabs.show_tab("compare")
    panel = cast(ComparePanel, window.tabs.panel("compare"))
    qtbot.waitUntil(lambda: bool(panel.map.figure.marks))
    shown = Counter[str]()
    monkeypatch.setattr(panel, "show_results", lambda _: shown.update(["drawn"]))
    window.session.report("", "A remark", "warning")
    assert not shown


def test_a_plan_without_workloads_has_no_form_to_refresh(qtbot: QtBot) -> None:
    session = sample_session(qtbot, sample_results())
    form = WorkloadForm(session, themes(), known_values(session.catalogue), hints)
    qtbot.addWidget(form)
    session.open_plan(Plan(id="empty"))
    assert session.profile is None
    session.open_plan(Plan(id="one", profiles=(Profile(),)))
    assert form.link("model") is not None
    session.close()
