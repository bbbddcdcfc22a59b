"""The scenarios of the plan side by side, for the workload on screen: evaluated on the road, edited in place."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any

from PySide6.QtCore import QPoint, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QGuiApplication, QHideEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QInputDialog,
    QMenu,
    QPushButton,
    QScrollArea,
    QScrollBar,
    QWidget,
)

from core.comparison.result import ResultSet
from core.errors import InputError, RoofplanError
from core.plan.plan import Plan
from core.plan.scenario import (
    BASE,
    add_scenario,
    edit_in,
    make_base,
    move_scenario,
    remove_scenario,
    rename_scenario,
    scenario,
)
from core.report.scenarios.answers import ScenarioAnswer
from core.report.scenarios.inputs import differing_inputs
from gui.forms.choice_editors import NoWheelComboBox
from gui.forms.known_values import known_values
from gui.session.plan_session import PlanSession
from gui.session.road import Work
from gui.tabs.what_if.cell_editor import CellEditor
from gui.tabs.what_if.sheet import Sheet
from gui.tabs.what_if.sheet_view import SheetView
from gui.theme.manager import ThemeManager
from gui.theme.naming import named
from gui.theme.plain import as_html, as_text, caption
from gui.theme.removal import take_away
from gui.widgets.live import LivePanel, label

TITLE = "Comparing scenarios"


class ScenariosPage(LivePanel):
    """Asks only while it is seen; what was answered before is there at once. ``settled``: nothing is on its way."""

    settled = Signal()
    tab_requested = Signal(str)

    def __init__(self, session: PlanSession, themes: ThemeManager, parent: QWidget | None = None) -> None:
        super().__init__(session, themes, parent)
        self.setObjectName("what-if-scenarios")
        self._last: dict[str, tuple[Hashable, ResultSet]] = {}
        self._problems: dict[str, str] = {}
        self._about = ""
        self._waits_for: dict[str, Hashable] = {}
        self._work: Work | None = None
        self._unknown: frozenset[str] = frozenset()
        self._reference = BASE
        self._editor: CellEditor | None = None
        self._build()
        self._connect()

    def refresh(self) -> None:
        """What is known at once; the rest is asked for."""
        self._is_dirty = False
        self._show_bar()
        plan, profile = self.session.plan, self.session.profile
        self.area.setVisible(profile is not None)
        if profile is None:
            self.stop()
            return
        if self._about != f"{plan.id} {profile.id}":
            self._about, self._last = f"{plan.id} {profile.id}", {}
        self._problems = {}
        unknown = self._take_known()
        self._show_references()
        self._show_sheet()
        self._ask_for(unknown)

    def show_nothing(self) -> None:
        """The inputs that differ stand there before there are answers."""
        self.refresh()

    def stop(self) -> None:
        """Asks nothing any more; what is known stays."""
        self.session.road.cancel(self)
        self._waits_for = {}
        self._tell_progress(None)

    def hideEvent(self, event: QHideEvent) -> None:
        """Nothing is worked out for a page that nobody sees."""
        super().hideEvent(event)
        self._close_editor()
        if self._waits_for:
            self.stop()
            self._is_dirty = True

    @property
    def is_settled(self) -> bool:
        """True while no answer is on its way."""
        return not self._waits_for and not (self._unknown and self.session.is_busy)

    def _take_known(self) -> dict[str, Hashable]:
        """Takes what is known; scenarios of which nothing is, each with its question."""
        unknown: dict[str, Hashable] = {}
        for one in self.session.plan.scenarios:
            question = self.session.question_in(one.id)
            before, known = self._last.get(one.id), self.session.evaluations.known.get(question)
            if known is not None:
                self._last[one.id] = question, known
            elif before is None or before[0] != question:
                unknown[one.id] = question
        self._unknown = frozenset(unknown)
        return unknown

    def _show_sheet(self) -> None:
        plan = self.session.plan
        ids = [one.id for one in plan.scenarios]
        answers = tuple(
            ScenarioAnswer(one.id, one.name, self._last.get(one.id, (None, None))[1], self._problems.get(one.id, ""))
            for one in plan.scenarios
        )
        faded = (
            frozenset(range(len(ids)))
            if self.session.stale
            else frozenset(number for number, one in enumerate(ids) if one in self._unknown and one in self._last)
        )
        reference = ids.index(self._reference) if self._reference in ids else 0
        inputs = differing_inputs(plan, self.session.profile_index, ids)
        self.view.show_sheet(Sheet(answers, inputs, reference, faded))

    def _ask_for(self, unknown: dict[str, Hashable]) -> None:
        """Asks for all but the scenario on screen, whose answer comes to every tab. What is asked already goes on."""
        asked = {one: question for one, question in unknown.items() if one != self.session.scenario_id}
        if asked == self._waits_for and asked:
            return
        if self._waits_for:
            self.stop()
        if asked and self.isVisible():
            self._start(asked)
        if self.is_settled:
            self.settled.emit()

    def _start(self, asked: dict[str, Hashable]) -> None:
        self._waits_for = asked
        self._work = work = self.session.evaluate_in(self, list(asked), TITLE)
        work.done.connect(self._on_answer)
        work.refused.connect(self._on_stopped)
        work.crashed.connect(self._on_crashed)
        work.progressed.connect(lambda _: self._tell_progress(self._work))  # it would never go if it held itself
        work.ended.connect(self._on_ended)
        self._tell_progress(work)

    def _on_answer(self, told: tuple[str, ResultSet | RoofplanError]) -> None:
        """Each column as soon as it is known."""
        scenario_id, answer = told
        self._unknown -= {scenario_id}
        if isinstance(answer, ResultSet):
            self._last[scenario_id] = self._waits_for[scenario_id], answer
        else:
            self._last.pop(scenario_id, None)
            self._problems[scenario_id] = str(answer)
        self._show_sheet()

    def _on_ended(self, _: object) -> None:
        self._waits_for, self._work = {}, None
        self._tell_progress(None)
        if self.is_settled:
            self.settled.emit()

    def _on_stopped(self, _: object) -> None:
        self._waits_for = {}
        self._tell_progress(None)
        self.progress.setText("Stopped")
        self.progress.show()
        self.again.show()

    def _on_crashed(self, error: BaseException) -> None:
        self._on_stopped(error)
        self.session.crashed.emit(error)

    def _tell_progress(self, work: Work | None) -> None:
        self.progress.setVisible(work is not None)
        self.cancel.setVisible(work is not None)
        self.again.hide()
        if work is not None:
            self.progress.setText(f"Scenario {work.words}" if work.words else "Working out")

    def _give_up(self) -> None:
        """As from the list of jobs."""
        for work in self.session.road.listed:
            if work.owner is self:
                self.session.road.give_up(work.number)

    def _build(self) -> None:
        self.view = SheetView(self.themes)
        self.area = QScrollArea()
        self.area.setFrameShape(QFrame.Shape.NoFrame)
        self.area.setWidgetResizable(True)
        self.area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.area.setWidget(self.view)
        self.sideways = named(QScrollBar(Qt.Orientation.Horizontal), "scenario-sideways", "More scenarios")
        self.body.addWidget(self.area, 1)
        self.body.addWidget(self.sideways)
        self.controls = QWidget()
        row = QHBoxLayout(self.controls)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        row.addStretch(1)
        self.progress = label("", "small", "scenario-progress")
        self.cancel = named(QPushButton("Stop"), "scenario-cancel", "Stop comparing scenarios", "link")
        self.again = named(QPushButton("Go on"), "scenario-again", "Compare the other scenarios", "link")
        self.differences = named(NoWheelComboBox(), "scenario-reference", "Differences to")
        self.differences.setFixedSize(116, 28)
        self.add = named(QPushButton("Add a scenario…"), "scenario-add", "Add a scenario")
        for widget in (self.progress, self.cancel, self.again, label("Differences to", "small"), self.differences):
            row.addWidget(widget)
        row.addWidget(self.add)
        for widget in (self.progress, self.cancel, self.again):
            widget.hide()

    def _connect(self) -> None:
        self.session.plan_changed.connect(self.mark_dirty)
        self.session.profile_changed.connect(self.mark_dirty)
        self.themes.changed.connect(self.view.refresh_colours)
        self.view.edit_wanted.connect(self._edit)
        self.view.reset_wanted.connect(self._reset)
        self.view.menu_wanted.connect(self._open_menu)
        self.view.picked.connect(self._on_picked_in)
        self.view.opened.connect(self._open_scenario)
        self.view.moved.connect(self._on_moved)
        self.view.copied.connect(self._copy)
        self.view.scrolled.connect(self._show_scroll)
        self.sideways.valueChanged.connect(lambda value: self.view.scroll_to(float(value)))
        self.differences.activated.connect(self._on_reference)
        self.add.clicked.connect(self._add)
        self.cancel.clicked.connect(self._give_up)
        self.again.clicked.connect(self.mark_dirty)

    def _show_scroll(self) -> None:
        """The bar comes where there are more scenarios than room."""
        most = round(self.view.columns.scroll_px)
        with QSignalBlocker(self.sideways):
            self.sideways.setRange(0, most)
            self.sideways.setPageStep(round(self.view.columns.column_px))
            self.sideways.setSingleStep(round(self.view.columns.column_px / 4))
            self.sideways.setValue(round(self.view.columns.offset))
        self.sideways.setVisible(most > 0)

    def _show_references(self) -> None:
        listed = [(as_text(one.name), one.id) for one in self.session.plan.scenarios]
        combo = self.differences
        if listed != [(combo.itemText(n), combo.itemData(n)) for n in range(combo.count())]:
            with QSignalBlocker(combo):
                combo.clear()
                for name, scenario_id in listed:
                    combo.addItem(as_text(name), scenario_id)
        combo.setCurrentIndex(max(combo.findData(self._reference), 0))
        self.add.setEnabled(not self.session.is_read_only)

    def _on_reference(self, _: int) -> None:
        self._reference = str(self.differences.currentData())
        self._show_sheet()

    def _id_of(self, column: int) -> str:
        return self.session.plan.scenarios[column].id

    def _edit(self, number: int, column: int) -> None:
        """Opens the form's editor over the cell."""
        sheet = self.view.sheet
        if sheet is None or self.session.is_read_only:
            return
        row = sheet.inputs.rows[number]
        cell, name = row.cells[column], sheet.answers[column].name
        if not cell.is_there:
            return
        self._close_editor()
        title = as_text(f"{row.info.title}, {name}")
        self._editor = CellEditor(row.info, cell.value, known_values(self.session.catalogue), title, self.view)
        scenario_id, path = self._id_of(column), self.session.path(row.info.path)
        self._editor.taken.connect(lambda value: self._change(scenario_id, path, value, row.info.title))
        self._editor.left.connect(self._close_editor)
        self._editor.open_at(*self.view.place_of(number, column))

    def _change(self, scenario_id: str, path: str, value: Any, title: str) -> None:
        self._close_editor()
        name = scenario(self.session.plan, scenario_id).name
        self._replace(lambda plan: edit_in(plan, scenario_id, path, value), f"{title} in {name}")

    def _reset(self, number: int, column: int) -> None:
        """The base's value again; where the base has no such input, the scenario says nothing of it."""
        sheet = self.view.sheet
        if sheet is None:
            return
        row, scenario_id = sheet.inputs.rows[number], self._id_of(column)
        path, base = self.session.path(row.info.path), row.cells[0]
        title = f"Reset {row.info.title.lower()} in {sheet.answers[column].name}"
        if base.is_there and row.cells[column].is_there:
            self._replace(lambda plan: edit_in(plan, scenario_id, path, base.value), title)

    def _close_editor(self) -> None:
        if self._editor is not None:
            editor, self._editor = self._editor, None
            take_away(editor)
            self.view.setFocus(Qt.FocusReason.OtherFocusReason)

    def _replace(self, change: Callable[[Plan], Plan], title: str) -> None:
        """One undo step; what cannot be is told in the bar of problems."""
        try:
            self.session.replace_plan(change(self.session.plan), title)
        except InputError as error:
            self._bar.setText(as_html(f"{error.where}: expected {error.expected}"))
            self._bar.show()

    def menu(self, column: int) -> QMenu:
        """What can be done with a scenario."""
        scenario_id, menu, last = self._id_of(column), QMenu(self), len(self.session.plan.scenarios) - 1
        entries = (
            ("Show", True, lambda: self.session.set_scenario(scenario_id)),
            ("Rename…", self._can_edit, lambda: self._rename(scenario_id)),
            ("Duplicate", self._can_edit, lambda: self._duplicate(scenario_id)),
            ("Make base", self._can_edit, lambda: self._make_base(scenario_id)),
            ("Move left", self._can_edit and column > 1, lambda: self._on_moved(column, column - 1)),
            ("Move right", self._can_edit and column < last, lambda: self._on_moved(column, column + 1)),
            ("Delete", self._can_edit, lambda: self._delete(scenario_id)),
        )
        for words, is_enabled, act in entries:
            action = menu.addAction(caption(words))
            action.setEnabled(is_enabled)
            action.triggered.connect(act)
        return menu

    @property
    def _can_edit(self) -> bool:
        return not self.session.is_read_only

    def _open_menu(self, column: int, button: QWidget) -> None:
        menu = self.menu(column)
        menu.exec(button.mapToGlobal(QPoint(0, button.height())))
        menu.deleteLater()

    def _rename(self, scenario_id: str) -> None:
        before = scenario(self.session.plan, scenario_id).name
        name, is_chosen = QInputDialog.getText(self, "Rename scenario", "Name", text=before)
        if is_chosen and name.strip():
            self._replace(lambda plan: rename_scenario(plan, scenario_id, name.strip()), f"Rename {before}")

    def _duplicate(self, scenario_id: str) -> None:
        name = f"{scenario(self.session.plan, scenario_id).name} (copy)"
        self._replace(lambda plan: add_scenario(plan, name, scenario_id), f"Add scenario {name}")

    def _make_base(self, scenario_id: str) -> None:
        name = scenario(self.session.plan, scenario_id).name
        self._replace(lambda plan: make_base(plan, scenario_id), f"Make {name} the base")

    def _delete(self, scenario_id: str) -> None:
        name = scenario(self.session.plan, scenario_id).name
        self._replace(lambda plan: remove_scenario(plan, scenario_id), f"Delete scenario {name}")

    def _on_moved(self, column: int, to: int) -> None:
        scenario_id = self._id_of(column)
        self._replace(lambda plan: move_scenario(plan, scenario_id, to), "Move scenario")

    def _add(self) -> None:
        """Asks for a name; the scenario begins as the base. Its first difference is typed in the form."""
        name, is_chosen = QInputDialog.getText(self, "Add a scenario", "Name, such as: 60 % use")
        if is_chosen and name.strip():
            self._replace(lambda plan: add_scenario(plan, name.strip()), f"Add scenario {name.strip()}")
            self._open_scenario(len(self.session.plan.scenarios) - 1)

    def _open_scenario(self, column: int) -> None:
        self.session.set_scenario(self._id_of(column))
        self.tab_requested.emit("describe")

    def _on_picked_in(self, column: int, candidate_id: str) -> None:
        """Shows the scenario with the option selected, so that Why explains it."""
        self.session.set_scenario(self._id_of(column))
        self.session.select(candidate_id)

    def _copy(self, words: str) -> None:
        """A share of a private price would give it away."""
        if words and self.session.may_leave():
            QGuiApplication.clipboard().setText(words)
