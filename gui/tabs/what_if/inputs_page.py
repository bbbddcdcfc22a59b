"""What moves the answer between two options: inputs at their ends, where the pick changes, two at once, the draws."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Literal, cast

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtGui import QGuiApplication, QHideEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QScrollArea, QStackedWidget, QVBoxLayout, QWidget

from core.comparison.result import CandidateResult, ResultSet
from core.comparison.time_measure import time_measure
from core.comparison.what_if.goal_seek import Target
from core.comparison.what_if.inputs import SERVER_PRICE, Input
from core.comparison.what_if.rival import rival_of
from core.comparison.what_if.study import Move, Verdict
from core.comparison.what_if.tornado import GapIn
from core.comparison.what_if.words import title_of
from core.errors import InputError
from core.plan.plan import Plan
from core.plan.scenario import edit_in
from core.units import shown_money
from gui.charts.figure.shown import empty_sentence, shown_results
from gui.charts.view.plot_menu import PlotMenu
from gui.forms.choice_editors import NoWheelComboBox, segmented_buttons
from gui.session.plan_session import PlanSession
from gui.session.road import Work
from gui.tabs.what_if.cloud_view import CloudView, HundredTable
from gui.tabs.what_if.gap_rows import gap_table, picked_in, picked_of
from gui.tabs.what_if.gap_view import GapView
from gui.tabs.what_if.goal_line import GoalLine
from gui.tabs.what_if.heat_view import HeatView
from gui.tabs.what_if.studies import Axes, Studies, Told
from gui.theme.manager import ThemeManager
from gui.theme.naming import named
from gui.theme.plain import as_text, caption, tip
from gui.widgets.elided import ElidedLabel
from gui.widgets.live import PAGE_SIDE_PX, LivePanel, label
from gui.widgets.rule import rule

GAPS: dict[str, str] = {"regret": "Regret", "cost": "Cost", "time": "Days"}
TIME = list(GAPS).index("time")
TIMES = {"days": "Days", "hours": "Batch hours", "latency": "Token time", "answer": "Answer time"}
"""The name of the gap in time by the kind of its measure."""
NO_TIME = "A or B has no such time: it does not fit in memory, or never ends"
ONE_ONLY = "One option only: nothing to compare"
HEAD_PX, LOWER_PX = 28, 304
PICK_PX = (96, 164)
"""Width of the lists of options: at least, and where there is room."""
PLOT_PX = (224, 460)
"""Height of the plots: at least, and at most where the page is high."""
GAP_PX, GAP_SIDES_PX = 62, 28
"""Width of a choice of the gap, at least, and what it leaves free at both sides of its name together."""
CHOICE_PX, LEAST_CHOICE_PX = 46, 88
"""A combo box beside the text of its choice, and its least width."""
NARROW_PX = 1080
"""Below this width the table of one hundred draws gives way."""
MANY = 100
"""Whole numbers fewer than so many make a map of bands: they are no default."""


class InputsPage(LivePanel):
    """Two options, pinned or chosen, and all that moves the gap between them. Works only while it is seen."""

    def __init__(self, session: PlanSession, themes: ThemeManager, parent: QWidget | None = None) -> None:
        super().__init__(session, themes, parent)
        self.setObjectName("what-if-inputs")
        self.studies = Studies(session.road, self)
        self._chosen: dict[str, str] = {}
        self._axes: Axes | None = None
        self._about: Hashable = None
        self._drawn: tuple[object, ...] = ()
        self._mapped: tuple[object, ...] = ()
        self._build()
        self._connect()

    @property
    def gap_in(self) -> GapIn:
        """What the gap is told in."""
        return cast(GapIn, list(GAPS)[max(self.gaps.checkedId(), 0)])

    def show_results(self, results: ResultSet) -> None:
        """The two options of these results; what is known of them at once."""
        a, b = self._sides(results)
        self._show_pickers(results, a, b)
        words = empty_sentence(results) if not results.results else "" if results.choice else _nothing(results)
        if words or a is None or results.basis is None:
            self._say(words or "Nothing is known of what these results rest on")
            return
        about = self.session.profile.id if self.session.profile else ""
        if about != self._about:
            self._about, self._axes = about, None
        key = self.session.question_in(self.session.scenario_id), self.session.scenario_id
        if self.isVisible():
            before = self.studies.told
            self.studies.show(key, results, a.id, b.id if b else None)
            if self.studies.told is not before:
                self.goal.forget()
        self._draw()

    def show_nothing(self) -> None:
        """Before there are results."""
        self._say("Describe the workload to see what would change the answer")

    def stop(self) -> None:
        """Asks nothing any more; what is known stays."""
        self.studies.stop()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The table gives way to the plots in a narrow window."""
        super().resizeEvent(event)
        for widget in (self.hundred, self.gap_words):
            widget.setVisible(self.width() >= NARROW_PX)
        self.gap_view.make_room(self.height() - LOWER_PX)
        self._count_more()

    def hideEvent(self, event: QHideEvent) -> None:
        """Nothing is worked out for a page that nobody sees; it goes on when it is seen again."""
        super().hideEvent(event)
        if self.studies.is_working:
            self.studies.stop()
            self.goal.forget()
        self._is_dirty = True

    def _forget(self) -> None:
        """Of another document nothing is left, also while nobody looks: a study of a service takes tens of MB."""
        self._chosen, self._axes = {}, None
        self.studies.forget()

    def _say(self, words: str) -> None:
        self.studies.stop()
        self.sentence.setText(words)
        self.stack.setCurrentWidget(self.sentence)

    def _sides(self, results: ResultSet) -> tuple[CandidateResult | None, CandidateResult | None]:
        """What was chosen here, else the pins, else the pick and the best of the other kind of chip."""
        wanted = [self._chosen.get("a"), self._chosen.get("b")]
        pins = [*self.session.pinned, None, None]
        a = _known(results, wanted[0], pins[0]) or results.choice
        b = _known(results, wanted[1], pins[1])
        if b is None or (a is not None and b.id == a.id):
            b = rival_of(results, a) if a else None
        return a, b

    def _show_pickers(self, results: ResultSet, a: CandidateResult | None, b: CandidateResult | None) -> None:
        every = shown_results(results, None, [one.id for one in (a, b) if one]) if results.results else []
        for combo, shown in ((self.pick_a, a), (self.pick_b, b)):
            listed = [(as_text(one.candidate.name), one.id) for one in every]
            with QSignalBlocker(combo):
                if listed != [(combo.itemText(n), combo.itemData(n)) for n in range(combo.count())]:
                    combo.clear()
                    for number, (name, candidate_id) in enumerate(listed):
                        combo.addItem(as_text(name), candidate_id)
                        combo.setItemData(number, tip(every[number].candidate.place), Qt.ItemDataRole.ToolTipRole)
                combo.setCurrentIndex(combo.findData(shown.id) if shown else -1)
            combo.setEnabled(bool(listed))

    def _draw(self) -> None:
        """What is known so far."""
        told = self.studies.told
        if told is None:
            return
        if told.problem:
            self._say(told.problem)
            return
        if told.b is None:
            self._say(ONE_ONLY)
            return
        self._offer_time(told)
        self._fade(self.session.stale or not told.inputs)
        if not told.inputs:
            if self.gap_view.table is None:
                self.sentence.setText("Working out what moves the answer")
                self.stack.setCurrentWidget(self.sentence)
            return
        self.stack.setCurrentWidget(self.area)
        self._draw_rows(told)
        self._draw_map(told)
        self._draw_draws(told)

    def _offer_time(self, told: Told) -> None:
        """The gap in time has the name of the job's time; it is none to choose where A or B has no such time."""
        measure, button = time_measure(told.results.profile), self.gaps.button(TIME)
        button.setText(caption(TIMES[measure.kind]))
        button.setMinimumWidth(button.fontMetrics().horizontalAdvance(button.text()) + GAP_SIDES_PX)
        button.setAccessibleName(f"Gap in: {TIMES[measure.kind]}")
        is_known = not told.rows or any(row.now.time is not None for row in told.rows.values())
        button.setEnabled(is_known)
        button.setToolTip(tip(f"{measure.title}: what the ranking counts as time" if is_known else NO_TIME))
        if not is_known and button.isChecked():
            self.gaps.button(0).setChecked(True)

    def _fade(self, is_faded: bool) -> None:
        """The last picture stays until the next one comes."""
        for view in (self.gap_view, self.heat_view, self.cloud_view):
            view.fade(is_faded)

    def _draw_rows(self, told: Told) -> None:
        table = gap_table(told, self.gap_in)
        self.gap_view.show_table(table, f"A less B at each end: {table.title}")
        self._count_more()
        row = self.gap_view.current
        if row is not None and self.goal.input.text() != row.title:
            self.goal.show_input(row.input)

    def _count_more(self) -> None:
        table = self.gap_view.table
        n_more = max(len(table.rows) - self.gap_view.n_few, 0) if table else 0
        self.more.setText("Fewer" if self.more.isChecked() else f"{n_more} more inputs")
        self.more.setVisible(n_more > 0)

    def _draw_map(self, told: Told) -> None:
        axes = self._wanted_axes(told)
        self._show_axes(told, axes)
        heat = told.maps.get(axes) if axes else None
        if axes:
            self.studies.ask_map(axes)
        state = id(heat), self.theme.name, shown_money()
        if state != self._mapped or heat is None:
            self._mapped = state
            self.heat_view.show_map(heat, told.results, self.theme)
        self.map_note.setText(self.heat_view.note if heat else "being worked out" if axes else "")

    def _wanted_axes(self, told: Told) -> Axes | None:
        """What was chosen, else the input that moves the gap most, and the pick's price."""
        known = {one.id for one in told.inputs}
        if self._axes and known.issuperset(self._axes):
            return self._axes
        smooth = [one for one in told.widest(self.gap_in) if not one.is_whole or one.most - one.least > MANY]
        if len(told.rows) < len(told.inputs) or len(smooth) < 2:
            return None
        first, second, *_ = smooth
        price = next((one for one in told.inputs if one.id.startswith(("price ", SERVER_PRICE))), second)
        return first.id, price.id if price.id != first.id else second.id

    def _show_axes(self, told: Told, axes: Axes | None) -> None:
        listed = [(as_text(title_of(one)), one.id) for one in told.widest(self.gap_in)] if axes else []
        for combo, shown in zip((self.across, self.up), axes or ("", ""), strict=True):
            with QSignalBlocker(combo):
                if listed != [(combo.itemText(n), combo.itemData(n)) for n in range(combo.count())]:
                    combo.clear()
                    for number, (name, input_id) in enumerate(listed):
                        combo.addItem(as_text(name), input_id)
                        combo.setItemData(number, tip(name), Qt.ItemDataRole.ToolTipRole)
                combo.setCurrentIndex(combo.findData(shown))
            combo.setToolTip(tip(combo.currentText()))
            self._map_head.setStretchFactor(
                combo, combo.fontMetrics().horizontalAdvance(combo.currentText()) + CHOICE_PX
            )

    def _draw_draws(self, told: Told) -> None:
        sides = [picked_of(told.results.by_id[one]) for one in (told.a, told.b) if one]
        state = id(told.cloud), self.theme.name, told.a, told.b, shown_money()
        if state != self._drawn:
            self._drawn = state
            pair = sides[0], sides[1] if len(sides) > 1 else None
            self.cloud_view.show_cloud(told.cloud, pair, told.results, self.theme)
        self.hundred.show_rows(told.cloud, told.results.profile)

    def _build(self) -> None:
        self.stack = QStackedWidget()
        self.sentence = label("", "ink2", "what-if-sentence", wraps=True)
        self.sentence.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.area = QScrollArea()
        self.area.setFrameShape(QFrame.Shape.NoFrame)
        self.area.setWidgetResizable(True)
        self.area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.area.setWidget(self._page())
        self.stack.addWidget(self.sentence)
        self.stack.addWidget(self.area)
        self.body.addWidget(self.stack, 1)
        self.controls = self._controls()

    def _page(self) -> QWidget:
        self.gap_view, self.heat_view, self.cloud_view = GapView(self.themes), HeatView(), CloudView()
        named_plots = {"What moves the answer": self.gap_view, "Two inputs at once": self.heat_view}
        for title, plot in {**named_plots, "Draws": self.cloud_view}.items():
            PlotMenu(plot, title, self.session.may_leave)
        self.hundred, self.goal = HundredTable(), GoalLine()
        self.more = named(QPushButton(), "what-if-more", "Show all inputs", "link")
        self.more.setCheckable(True)
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(0, 0, 0, 6)
        column.setSpacing(0)
        column.addWidget(self.gap_view)
        row = QHBoxLayout()
        row.setSpacing(0)
        row.addWidget(self.goal, 1)
        row.addWidget(self.more)
        row.addSpacing(PAGE_SIDE_PX)
        column.addLayout(row)
        column.addWidget(rule())
        column.addLayout(self._lower(), 1)
        return page

    def _lower(self) -> QHBoxLayout:
        """The map at left, the draws and their table at right."""
        for view in (self.heat_view, self.cloud_view):
            view.setMinimumHeight(PLOT_PX[0])
            view.setMaximumHeight(PLOT_PX[1])
        both = QHBoxLayout()
        both.setContentsMargins(PAGE_SIDE_PX, 8, PAGE_SIDE_PX, 0)
        both.setSpacing(28)
        both.addLayout(self._map(), 1)
        both.addLayout(self._draws(), 1)
        return both

    def _map(self) -> QVBoxLayout:
        self.across = named(NoWheelComboBox(), "what-if-across", "Input across")
        self.up = named(NoWheelComboBox(), "what-if-up", "Input up")
        self.map_note = label("", "small", "what-if-map-note")
        self._map_head = heads = QHBoxLayout()
        heads.setSpacing(8)
        heads.addStrut(HEAD_PX)
        heads.addWidget(label("Two inputs", "strong"))
        for combo, words in ((self.across, "across"), (self.up, "up")):
            combo.setSizeAdjustPolicy(NoWheelComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
            combo.setMinimumWidth(LEAST_CHOICE_PX)
            heads.addWidget(combo, 1)
            heads.addWidget(label(words, "ink2"))
        left = QVBoxLayout()
        left.setSpacing(4)
        left.addLayout(heads)
        left.addWidget(self.heat_view, 1)
        left.addWidget(self.map_note)
        return left

    def _draws(self) -> QVBoxLayout:
        title = QHBoxLayout()
        title.setSpacing(10)
        title.addStrut(HEAD_PX)
        title.addWidget(label("The draws", "strong"))
        title.addWidget(label("500 of 10 000 each, with the 80 % outline", "small"))
        title.addStretch(1)
        inside = QHBoxLayout()
        inside.setSpacing(16)
        inside.addWidget(self.cloud_view, 1)
        inside.addWidget(self.hundred)
        right = QVBoxLayout()
        right.setSpacing(4)
        right.addLayout(title)
        right.addLayout(inside, 1)
        return right

    def _controls(self) -> QWidget:
        controls = QWidget()
        row = QHBoxLayout(controls)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        row.addStretch(1)
        self.progress = named(ElidedLabel(), "what-if-progress", kind="small")
        self.cancel = named(QPushButton("Stop"), "what-if-cancel", "Stop working out what moves the answer", "link")
        self.pick_a = named(NoWheelComboBox(), "what-if-a", "Option A")
        self.pick_b = named(NoWheelComboBox(), "what-if-b", "Option B")
        for widget in (self.progress, self.cancel):
            widget.hide()
            row.addWidget(widget)
        for letter, combo in (("A", self.pick_a), ("B", self.pick_b)):
            combo.setFixedHeight(28)
            combo.setMinimumWidth(PICK_PX[0])
            combo.setMaximumWidth(PICK_PX[1])
            combo.setEnabled(False)
            row.addWidget(label(letter, "strong"))
            row.addWidget(combo)
        self.gap_words = label("Gap in", "ink2")
        row.addWidget(self.gap_words)
        self.gaps, buttons = segmented_buttons(self, GAPS, "what-if-gap", "Gap in", GAP_PX)
        self.gaps.button(0).setChecked(True)
        row.addLayout(buttons)
        return controls

    def _connect(self) -> None:
        self.session.profile_changed.connect(self.mark_dirty)
        self.session.plan_opened.connect(self._forget)
        self.studies.changed.connect(self._on_piece)
        self.studies.progressed.connect(self._tell_progress)
        self.studies.stopped.connect(self._draw)
        self.studies.crashed.connect(self.session.crashed)
        self.studies.tried.connect(self._on_verdict)
        self.studies.sought.connect(self.goal.show_goal)
        self.gap_view.tried.connect(lambda *move: self.studies.try_values(move))
        self.gap_view.set_wanted.connect(self._set)
        self.gap_view.reset_wanted.connect(self._reset)
        self.gap_view.selected.connect(self.goal.show_input)
        self.gap_view.copied.connect(self._copy)
        self.heat_view.tried.connect(lambda x, at_x, y, at_y: self.studies.try_values((x, at_x), (y, at_y)))
        self.heat_view.moved.connect(self._set_both)
        self.goal.wanted.connect(self._seek)
        self.more.toggled.connect(self._on_more)
        self.cancel.clicked.connect(self.studies.give_up)
        self.gaps.idClicked.connect(lambda _: self._draw())
        for name, combo in (("a", self.pick_a), ("b", self.pick_b)):
            combo.activated.connect(lambda _, name=name, combo=combo: self._choose(name, str(combo.currentData())))
        for combo in (self.across, self.up):
            combo.activated.connect(self._on_axes)

    def _on_piece(self) -> None:
        if self.isVisible():
            self._draw()

    def _tell_progress(self, work: Work | None) -> None:
        self.progress.setVisible(work is not None and self.width() >= NARROW_PX)
        self.cancel.setVisible(work is not None)
        if work is not None:
            self.progress.setText(f"{100 * work.share:.0f} %" if work.n_steps > 1 else "Working out")

    def _choose(self, name: str, candidate_id: str) -> None:
        self._chosen[name] = candidate_id
        self.mark_dirty()

    def _on_axes(self, _: int) -> None:
        axes = str(self.across.currentData()), str(self.up.currentData())
        if axes[0] != axes[1]:
            self._axes = axes
        self._draw()

    def _on_more(self, shows_all: bool) -> None:
        self.gap_view.show_all(shows_all)
        self._draw()

    def _on_verdict(self, moves: Sequence[Move], verdict: Verdict) -> None:
        """One input was tried on its strip, two on the map."""
        if self.studies.told is None:
            return
        if len(moves) == 1:
            ((one, value),) = moves
            self.gap_view.show_tried(one.id, value, picked_in(self.studies.told.results, verdict))
        else:
            (_, x), (_, y) = moves
            self.heat_view.show_tried(x, y, verdict.name)

    def _seek(self, side: str, target: str, wanted: float) -> None:
        row = self.gap_view.current
        if row is not None:
            self.studies.seek(cast(Literal["a", "b"], side), cast(Target, target), wanted, row.input)

    def _set(self, one: Input, value: float) -> None:
        """Enters a value as one undo step; what only the engine knows cannot be entered."""
        self._enter([(one, value)], f"{one.name}")

    def _set_both(self, x: Input, x_value: float, y: Input, y_value: float) -> None:
        if not self._enter([(x, x_value), (y, y_value)], f"{x.name} and {y.name}"):
            self._mapped = ()
            self._draw()

    def _enter(self, moves: list[tuple[Input, float]], title: str) -> bool:
        profile = self.session.profile
        told = [(one, one.settled(value)) for one, value in moves if one.path is not None]
        if profile is None or not told:
            self.goal.say("What only the prediction knows cannot be entered; see Calibrate and Catalogue")
            return False
        plan: Plan = self.session.plan
        try:
            for one, value in told:
                path = self.session.path(str(one.path))
                plan = edit_in(plan, self.session.scenario_id, path, one.field_value(profile, value))
        except InputError as error:
            self.goal.say(f"{error.where}: expected {error.expected}")
            return False
        self.session.replace_plan(plan, title)
        return True

    def _reset(self, one: Input) -> None:
        """Del takes back what was entered last, if that was this input."""
        if one.path is not None and self.session.undo_stack.undoText() == str(one.name):
            self.session.undo_stack.undo()

    def _copy(self, words: str) -> None:
        """A share of a private price would give it away."""
        if words and self.session.may_leave():
            QGuiApplication.clipboard().setText(words)


def _nothing(results: ResultSet) -> str:
    return str(results.recommendation.headline)


def _known(results: ResultSet, *ids: str | None) -> CandidateResult | None:
    return next((results.by_id[one] for one in ids if one is not None and one in results.row_of), None)
