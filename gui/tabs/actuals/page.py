"""The page of actuals: the sentence that answers, two pictures, the entries, and what to do where it slips."""

from __future__ import annotations

from datetime import date
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QHideEvent, QResizeEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QFrame,
    QHBoxLayout,
    QMenu,
    QPushButton,
    QScrollArea,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from core.comparison.actuals.answer import ActualsAnswer, actuals_answer
from core.comparison.actuals.baseline import frozen
from core.comparison.actuals.from_log import taken_from
from core.comparison.actuals.words import CHARTS, as_of_words, headline, notes, options_line
from core.errors import RoofplanError
from core.plan import actuals_edits as edits
from core.plan.imports import record_of
from core.plan.plan import ImportedLog
from core.workload.actuals import Tracked, with_entries
from gui.charts.answers.actuals import done_figure, spend_figure
from gui.charts.figure.figure import Figure
from gui.charts.figure.kind import ChartKind
from gui.charts.view.chart_view import ChartView
from gui.session.plan_session import PlanSession
from gui.session.road import Priority, stoppable
from gui.tabs.actuals.cells import pasted, titles
from gui.tabs.actuals.entry_table import EntryTable
from gui.tabs.actuals.figure_rows import FigureRows
from gui.tabs.actuals.option_rows import OptionRows
from gui.theme.manager import ThemeManager
from gui.theme.naming import named
from gui.theme.plain import Label, caption
from gui.widgets.busy_line import PageBusyLine
from gui.widgets.empty_page import empty_page
from gui.widgets.live import label, padded
from gui.widgets.rule import rule

ANSWER = "actuals: answer"
NOT_TRACKED = (
    "Nothing is tracked yet. Start tracking freezes the pick of {} with its rate, cost and dates; then enter what was "
    "done and spent, and read where that leads and what helps."
)
MADE = "Scenario \u201c{}\u201d was made and is on screen; the bar above brings back {}."
NO_RESULTS = "This workload has no answer yet."
NARROW_PX = 900
"""Below this width pictures and tables stand below each other."""
CHART_PX, TABLE_PX, TALL = 214, 178, 1.6
"""Least heights, and how much higher where there is room."""
MOST_BAD = 4


class ActualsPage(QWidget):
    """Of the workload on screen, while it is seen. ``today`` is asked for the line in the pictures."""

    def __init__(self, session: PlanSession, themes: ThemeManager) -> None:
        super().__init__()
        named(self, "actuals-page", "Actuals")
        self._session, self._themes = session, themes
        self.today = date.today
        self.answer: ActualsAnswer | None = None
        self.done, self.spend = (ChartView(ChartKind(*one)) for one in CHARTS.items())
        self.table, self.figures, self.options = EntryTable(), FigureRows(), OptionRows()
        self.busy = PageBusyLine(themes, self, session.road, ANSWER)
        self._trouble = ""
        self._build()
        self._connect()

    @property
    def tracked(self) -> Tracked | None:
        """What is tracked of the workload on screen."""
        profile = self._session.profile
        return edits.tracked_of(self._session.plan, profile.id) if profile else None

    @property
    def _phases(self) -> dict[str, str]:
        """Names of the phases that are of the workload on screen; those of no workload are of the first."""
        plan, profile = self._session.shown_plan, self._session.profile
        first = plan.profiles[0].id if plan.profiles else ""
        return {one.id: one.name for one in plan.phases if profile and (one.workload or first) == profile.id}

    def follow(self) -> None:
        """Shows the entries as they are now and asks where they lead; the last pictures stay until that is there."""
        tracked, results = self.tracked, self._session.results
        self.start.setEnabled(results is not None and results.choice is not None and not self._session.is_read_only)
        if tracked is None or results is None or results.profile.id != tracked.workload:
            self._session.road.cancel(ANSWER)
            name = self._session.profile.name if self._session.profile else "a workload"
            self.empty.setText(NOT_TRACKED.format(name) if tracked is None else NO_RESULTS)
            self._pages.setCurrentIndex(0)
            return
        self._pages.setCurrentIndex(1)
        self.table.entries.can_edit = not self._session.is_read_only
        self.table.show_entries(tracked.entries, titles(tracked.baseline), self._phases)
        self._show_none("One moment")
        ask = stoppable(partial(actuals_answer, tracked, results, self._session.shown_plan.phases))
        work = self._session.road.start(ANSWER, ask, priority=Priority.SOON)
        self._session.hear(work, self._on_answer, self._on_failed)

    def start_tracking(self) -> None:
        """Freezes the plan as the comparison has it now; entries that there are stay."""
        results, before = self._session.results, self.tracked
        if results is None:
            return
        try:
            base = frozen(results, self.today())
        except RoofplanError as error:
            self._tell(str(error))
            return
        entries = before.entries if before else ()
        new = Tracked(workload=results.profile.id, baseline=base, entries=entries)
        self._session.replace_plan(edits.tracking(self._session.plan, new), "Freeze the plan")

    def stop_tracking(self) -> None:
        """Takes plan and entries of the workload away: one undo step."""
        if self.tracked is not None:
            self._session.replace_plan(edits.untracked(self._session.plan, self.tracked.workload), "Stop tracking")

    def add_entry(self) -> None:
        """One more entry, a week on, whose work is typed next."""
        tracked = self.tracked
        if tracked is None:
            return
        self._put(with_entries(tracked, (*tracked.entries, edits.next_entry(tracked))), "Add entry")
        last = self.table.entries.index(self.table.entries.rowCount() - 1, 1)
        self.table.setCurrentIndex(last)
        self.table.setFocus()

    def remove_rows(self, rows: tuple[int, ...]) -> None:
        """Takes entries out."""
        if self.tracked is not None and rows:
            self._put(edits.without_rows(self.tracked, rows), "Delete entries" if len(rows) > 1 else "Delete entry")

    def paste(self, text: str) -> None:
        """Entries from a spreadsheet, all of them or none."""
        tracked = self.tracked
        if tracked is None:
            return
        entries, bad = pasted(text, titles(tracked.baseline), self._phases)
        if bad:
            more = f" And {len(bad) - MOST_BAD} more." if len(bad) > MOST_BAD else ""
            self._tell(f"Nothing was pasted. {'. '.join(map(str, bad[:MOST_BAD]))}.{more}")
        elif entries:
            self._put(with_entries(tracked, (*tracked.entries, *entries)), "Paste entries")
        else:
            self._tell("Nothing to paste: copy lines of day, work, spend, chip hours and phase from a spreadsheet.")

    def take_log(self, log: ImportedLog) -> None:
        """An entry from a log of the plan; what it cannot give is told."""
        tracked = self.tracked
        if tracked is None:
            return
        record = record_of(log, frozenset(one.id for one in self._session.catalogue.accelerators))
        try:
            taken = taken_from(record, log.sha256, tracked.baseline, edits.next_entry(tracked).day)
        except RoofplanError as error:
            self._tell(str(error))
            return
        entry = taken.entry.model_copy(update={"phase": edits.next_entry(tracked).phase})
        self._put(with_entries(tracked, (*tracked.entries, entry)), f"Entry from {log.file_name}")
        self._tell(f"From {log.file_name}: {taken.how}. {' '.join(taken.lacking)}")

    def apply(self, place: int) -> None:
        """A scenario that holds a way on, and it is shown: one undo step."""
        if self.answer is None or place >= len(self.answer.options):
            return
        option, session = self.answer.options[place], self._session
        try:
            plan = edits.with_scenario(session.plan, session.scenario_id, session.profile_index, option)
        except RoofplanError as error:
            self._tell(str(error))
            return
        before = next(one.name for one in session.plan.scenarios if one.id == session.scenario_id)
        session.replace_plan(plan, f"Scenario {option.title}")
        session.set_scenario(plan.scenarios[-1].id)
        self._tell(MADE.format(option.title, before))

    def hideEvent(self, event: QHideEvent) -> None:
        """Nothing is worked out for what nobody sees."""
        super().hideEvent(event)
        self._session.road.cancel(ANSWER)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Parts go below each other where it is narrow."""
        super().resizeEvent(event)
        side = QBoxLayout.Direction
        for pair in self._pairs:
            pair.setDirection(side.TopToBottom if self.width() < NARROW_PX else side.LeftToRight)

    def _put(self, tracked: Tracked, words: str) -> None:
        self._tell("")
        self._session.replace_plan(edits.tracking(self._session.plan, tracked), words)

    def _on_edit(self, row: int, column: str, value: object) -> None:
        if self.tracked is not None:
            self._put(edits.changed(self.tracked, row, column, value), "Change entry")

    def _on_answer(self, answer: ActualsAnswer) -> None:
        if self.message.text() == self._trouble:  # what else was told meanwhile stays
            self._tell("")
        self.answer = answer
        self._draw()

    def _on_failed(self, error: RoofplanError) -> None:
        before = "" if self.answer is None else ". What is shown is from before"
        self._trouble = f"Where this leads was not worked out: {error}{before}"
        self._tell(self._trouble)
        self._show_none("Nothing to show")

    def _show_none(self, words: str) -> None:
        """In the place of pictures, until there were any."""
        if self.answer is None:
            for chart, title in zip((self.done, self.spend), CHARTS.values(), strict=True):
                chart.show_figure(Figure(title, empty=words), self._themes.theme)

    def _draw(self) -> None:
        answer = self.answer
        if answer is None:
            return
        one, theme = answer.standing, self._themes.theme
        self.headline.setText(str(headline(one)))
        self.as_of.setText(as_of_words(one))
        self.done.show_figure(done_figure(one, self.today()), theme)
        self.spend.show_figure(spend_figure(one, self.today()), theme)
        self.figures.show_figures(answer)
        self.ways.setText(str(options_line(one, answer.options)))
        self.options.show_options(answer.options, not self._session.is_read_only)
        self.notes.setText(" ".join(str(line) for line in notes(one, answer.drift)))

    def _tell(self, words: str) -> None:
        self.message.setText(words)
        self.message.setVisible(bool(words))

    def _build(self) -> None:
        inside = QWidget()
        column = QVBoxLayout(inside)
        column.setContentsMargins(0, 0, 0, 8)
        column.setSpacing(0)
        column.addLayout(padded(self._head(), 10, 4))
        self._pairs = self._charts(), self._entries()
        for part in self._pairs:
            column.addLayout(padded(part, 4, 4), 8)
        self.message = label("", "warn", "actuals-message", wraps=True)
        column.addLayout(padded(self.message, 0, 4))
        self.message.hide()
        column.addLayout(padded(rule(), 4, 0))
        self.ways = label("", "ink2", "actuals-ways", wraps=True)
        column.addLayout(padded(_titled("What to do", self.ways), 8, 4))
        column.addWidget(self.options)
        self.notes = label("", "small", "actuals-notes", wraps=True)
        column.addLayout(padded(self.notes, 8, 0))
        column.addStretch(1)
        area = named(QScrollArea(), "actuals-scroll", "Actuals")
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setWidget(inside)
        self._pages = QStackedWidget()
        self._pages.addWidget(self._empty())
        self._pages.addWidget(area)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(self._pages)

    def _empty(self) -> QWidget:
        self.empty = named(Label(""), "actuals-empty", kind="ink2")
        self.start = named(QPushButton("Start tracking"), "actuals-start", "Start tracking")
        return empty_page(self.empty, self.start)

    def _head(self) -> QHBoxLayout:
        self.headline = label("", "section", "actuals-headline", wraps=True)
        self.as_of = label("", "small", "actuals-as-of")
        self.plan_menu = QMenu(self)
        button = named(QPushButton("Tracking"), "actuals-tracking", "Tracking")
        self.plan_menu.addAction("Freeze the plan anew", self.start_tracking)
        self.plan_menu.addAction("Stop tracking", self.stop_tracking)
        button.setMenu(self.plan_menu)
        row = QHBoxLayout()
        row.setSpacing(12)
        row.addWidget(self.headline, 1)
        row.addWidget(self.as_of)
        row.addWidget(button)
        return row

    def _charts(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(24)
        for chart in (self.done, self.spend):
            chart.setMinimumHeight(CHART_PX)
            chart.setMaximumHeight(round(TALL * CHART_PX))
            chart.may_leave = self._session.may_leave
            row.addWidget(chart, 1)
        return row

    def _entries(self) -> QHBoxLayout:
        self.table.setMinimumHeight(TABLE_PX)
        self.table.setMaximumHeight(round(TALL * TABLE_PX))
        self.table.may_leave = self._session.may_leave
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        buttons.addWidget(label("Entries", "section"))
        buttons.addStretch(1)
        self.add = _button("Add entry", "actuals-add")
        self.delete = _button("Delete", "actuals-delete")
        self.paste_button = _button("Paste", "actuals-paste")
        self.from_log = _button("Take from a log\u2026", "actuals-log")
        self.log_menu = QMenu(self)
        self.from_log.setMenu(self.log_menu)
        for button in (self.add, self.delete, self.paste_button, self.from_log):
            buttons.addWidget(button)
        left = QVBoxLayout()
        left.setSpacing(4)
        left.addLayout(buttons)
        left.addWidget(self.table)
        right = QVBoxLayout()
        right.setSpacing(4)
        right.addWidget(label("Against the plan", "section"))
        right.addWidget(self.figures)
        right.addStretch(1)
        row = QHBoxLayout()
        row.setSpacing(24)
        row.addLayout(left, 1)
        row.addLayout(right, 1)
        return row

    def _connect(self) -> None:
        self.start.clicked.connect(self.start_tracking)
        self.add.clicked.connect(self.add_entry)
        self.delete.clicked.connect(lambda: self.remove_rows(self.table.rows))
        self.paste_button.clicked.connect(lambda: self.paste(QGuiApplication.clipboard().text()))
        self.log_menu.aboutToShow.connect(self._list_logs)
        self.table.entries.edited.connect(self._on_edit, Qt.ConnectionType.QueuedConnection)
        self.table.entries.refused.connect(self._tell)
        self.table.pasted.connect(self.paste)
        self.table.removed.connect(self.remove_rows)
        self.options.applied.connect(self.apply)

    def _list_logs(self) -> None:
        self.log_menu.clear()
        for log in self._session.plan.logs:
            self.log_menu.addAction(caption(log.file_name), partial(self.take_log, log))
        if not self._session.plan.logs:
            self.log_menu.addAction("No logs yet: the Calibrate tab reads them").setEnabled(False)


def _button(title: str, name: str) -> QPushButton:
    return named(QPushButton(caption(title)), name, title)


def _titled(title: str, beside: QWidget) -> QHBoxLayout:
    row = QHBoxLayout()
    row.setSpacing(12)
    row.addWidget(label(title, "section"))
    row.addWidget(beside, 1)
    return row
