"""The page of the portfolio: chips over the weeks, ways to hold them, cash by quarter, how much to commit, packing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from core.comparison.portfolio.result import PortfolioAnswer
from core.comparison.result import ResultSet
from core.errors import RoofplanError
from core.units import counted, usd
from core.workload.portfolio import Member
from gui.charts.figure.figure import Figure
from gui.charts.figure.kind import ChartKind
from gui.charts.view.chart_view import ChartView
from gui.forms.choice_editors import NoWheelComboBox
from gui.session.plan_session import PlanSession
from gui.tables.figure_table import FigureTable
from gui.tabs.portfolio.cash import CASH_TITLE
from gui.tabs.portfolio.drawing import Drawing, answered, drawing_of
from gui.tabs.portfolio.edits import edit_once, put_member, put_on_chip, settings_of
from gui.tabs.portfolio.figures import COMMIT_TITLE, DEMAND_TITLE, cost_at
from gui.tabs.portfolio.member_cells import Row, info_of
from gui.tabs.portfolio.member_table import MemberTable
from gui.tabs.portfolio.packing_panel import PackingPanel
from gui.tabs.portfolio.settings_form import SettingsForm
from gui.theme.manager import ThemeManager
from gui.theme.naming import named
from gui.theme.plain import Label, as_text
from gui.theme.removal import take_away
from gui.widgets.empty_page import empty_page
from gui.widgets.live import label, padded
from gui.widgets.plan_page import Ask, PlanPage
from gui.widgets.rule import rule

FEWEST = 2
TOO_FEW = (
    "A portfolio needs two workloads. Add another one; then read here what they need together week by week, how much "
    "to commit, what idles, and when the cash goes."
)
TOO_FEW_TAKE_PART = "Fewer than two workloads take part. Tick at least two of them above."
NO_ANSWERS = "Fewer than two workloads have an answer yet. Open each of them and fill in what it asks for."
AT_WORK = "Comparing the options of every workload\u2026"
DEMAND_PX, CHART_PX, QUARTER_PX, QUARTER_TITLE_PX, HEAD_PX = 292, 262, 76, 204, 44
OF_SEVERAL_PX = 240, 152
"""The first of several charts, and the others: the ways to hold the chips begin above the fold."""
WIDE_PX, MOST_BESIDE = 900, 3
"""From this width on, and up to so many chips with small models, three parts stand beside each other."""


class PortfolioPage(PlanPage):
    """Follows the plan while it is seen. Why shows the story of a scheme; the verdict is the answer."""

    workload_wanted = Signal()

    def __init__(self, session: PlanSession, themes: ThemeManager) -> None:
        super().__init__(session, themes, "portfolio")
        named(self, "portfolio-page", "Portfolio")
        self.drawing: Drawing | None = None
        self.shown = ""
        self.settings, self.members = SettingsForm(session), MemberTable()
        self.demand: list[ChartView] = []
        self.ways = FigureTable("portfolio-ways", "Ways to hold the chips", head_px=HEAD_PX)
        self.quarters = FigureTable("portfolio-quarters", CASH_TITLE, QUARTER_PX, title_px=QUARTER_TITLE_PX)
        self.cash = ChartView(ChartKind("portfolio-cash", CASH_TITLE))
        self.commit = ChartView(ChartKind("portfolio-commit", COMMIT_TITLE))
        self.packing = PackingPanel()
        self._build()
        self._connect()

    @property
    def answer(self) -> PortfolioAnswer | None:
        """The answer on screen."""
        return self.drawing.answer if self.drawing else None

    @property
    def controls(self) -> tuple[QWidget, ...]:
        """What stands beside the titles of the pages."""
        return self._show_label, self.show_box, self.settings_button

    def follow(self) -> None:
        """Asks for the answer of the plan as it is now; the last picture stays until it is there."""
        self._show_settings()
        profiles, settings = self._session.shown_plan.profiles, settings_of(self._session)
        n_taking = sum(settings.member(one.id).takes_part for one in profiles)
        if n_taking < FEWEST:
            self.stop()
            self._say(TOO_FEW if len(profiles) < FEWEST else TOO_FEW_TAKE_PART, needs_more=len(profiles) < FEWEST)
            return
        if self.drawing is None:
            self._say(AT_WORK)
        self.gather()

    def show_scheme(self, scheme_id: str, opens_why: bool = False) -> None:
        """Draws another way to hold the chips."""
        self.shown = scheme_id
        if self.answer is not None:
            draw = partial(drawing_of, self.answer, scheme_id, not self._session.is_read_only)
            self.start(draw, partial(self._show_drawing, opens_why))

    def show_settings(self, is_shown: bool) -> None:
        """Settings and workloads above the pictures, or the pictures alone."""
        self.settings_button.setChecked(is_shown)
        self._panel.setVisible(is_shown)
        self._show_settings()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Parts go below each other where it is narrow."""
        super().resizeEvent(event)
        self._arrange()

    def ask_of(self, results: Mapping[str, ResultSet]) -> Ask:
        """What the workloads need together, and its pictures."""
        can_edit, phases = not self._session.is_read_only, self._session.shown_plan.phases
        return partial(answered, settings_of(self._session), results, phases, self.shown, can_edit)

    def show_answer(self, answer: Drawing | None) -> None:
        """Draws it; Why tells of its scheme where it is open."""
        if answer is None:
            self._say(NO_ANSWERS)
        else:
            self._show_drawing(False, answer)

    def _show_drawing(self, opens_why: bool, drawing: Drawing) -> None:
        self.drawing = drawing
        self._draw()
        if self.isVisible():
            self.story_told.emit(drawing.story, opens_why)
            self.verdict_told.emit(drawing.answer)

    def say_failed(self, error: RoofplanError) -> None:
        """In the place of the pictures."""
        self._say(f"The portfolio was not worked out: {error}", kind="err")

    def _say(self, words: str, kind: str = "ink2", needs_more: bool = False) -> None:
        """A sentence in the place of the pictures."""
        self.drawing = None
        self.empty.setText(words)
        self.empty.setProperty("kind", kind)
        self.empty.style().polish(self.empty)
        self.add.setVisible(needs_more)
        self.add.setEnabled(not self._session.is_read_only)
        self._show_content(False)
        self.show_box.clear()
        self.show_box.setEnabled(False)
        self.tell_nothing()

    def _show_content(self, is_shown: bool) -> None:
        """The pictures, or the sentence in their place, which stands where there is room in view."""
        self._content_box.setVisible(is_shown)
        self._empty_box.setVisible(not is_shown)

    def _draw(self) -> None:
        drawing = self.drawing
        if drawing is None:
            return
        answer, theme, can_edit = drawing.answer, self._themes.theme, not self._session.is_read_only
        self._list_schemes(answer, drawing.scheme.id)
        self.headline.setText(drawing.headline)
        self._draw_demand(drawing.demand)
        self.ways.show_sheet(drawing.ways, theme)
        self.cash.show_figure(drawing.cash, theme)
        self.commit.show_figure(drawing.commit, theme)
        self.cash_words.setText(drawing.cash_words)
        self.commit_words.setText(drawing.commit_words)
        self.sure.setText(drawing.sure)
        self.least.setVisible(can_edit and settings_of(self._session).base_chips is not None)
        self.quarters.show_sheet(drawing.quarters, theme)
        self.packing.show_packing(answer.packing, drawing.packing_words, drawing.packing_colour, theme, can_edit)
        self.notes.setText(drawing.notes)
        self.notes.setVisible(bool(drawing.notes))
        self._arrange()
        self._show_content(True)

    def _draw_demand(self, figures: Sequence[Figure]) -> None:
        """A chart a kind of chip."""
        while len(self.demand) < len(figures):
            self._add_chart()
        while len(self.demand) > max(len(figures), 1):
            take_away(self.demand.pop())
        for number, (chart, figure) in enumerate(zip(self.demand, figures, strict=True)):
            chart.setFixedHeight(OF_SEVERAL_PX[min(number, 1)] if len(figures) > 1 else DEMAND_PX)
            chart.show_figure(figure, self._themes.theme)

    def _add_chart(self) -> None:
        chart = ChartView(ChartKind(f"portfolio-demand-{len(self.demand)}", DEMAND_TITLE))
        self._connect_chart(chart)
        chart.picked.connect(self._on_layer)
        self.demand.append(chart)
        self._charts.addWidget(chart)

    def _list_schemes(self, answer: PortfolioAnswer, shown: str) -> None:
        self.show_box.clear()
        for one in answer.schemes:
            self.show_box.addItem(as_text(one.title), one.id)
        self.show_box.setCurrentIndex(self.show_box.findData(shown))
        self.show_box.setEnabled(True)

    def _show_settings(self) -> None:
        if self._panel.isHidden():
            return
        plan, settings = self._session.shown_plan, settings_of(self._session)
        self.settings.refresh()
        rows = [Row(one, settings.member(one.id)) for one in plan.profiles]
        self.members.show_rows(rows, settings.pooling == "split", not self._session.is_read_only)

    def _on_member(self, workload: str, field: str, value: object) -> None:
        member = settings_of(self._session).member(workload)
        name = next((one.name for one in self._session.shown_plan.profiles if one.id == workload), workload)
        new = Member.model_validate({**member.model_dump(), field: value})
        self._tell_wrong(put_member(self._session, new, f"{info_of(field).title} of {name}"))

    def _on_base(self, _: str, chips: float) -> None:
        self._tell_wrong(edit_once(self._session, "base_chips", round(chips), "Committed base"))
        self._draw()

    def _on_held(self, _: str, chips: float) -> None:
        """What the base would cost where the line is held."""
        cost = cost_at(self.answer.curve, chips) if self.answer else None
        told = f", {usd(cost)}" if cost is not None else ""
        self.commit_words.setText(f"{counted(round(chips), 'chip')} committed{told}")

    def _on_layer(self, workload: str) -> None:
        """A layer of the chips needed opens its workload; that of the packed ones, or of several, is none."""
        ids = [one.id for one in self._session.shown_plan.profiles]
        if workload in ids:
            self._session.show_profile(ids.index(workload))

    def _on_least(self) -> None:
        self._tell_wrong(edit_once(self._session, "base_chips", None, "Committed base"))

    def _on_put(self, workload: str, chip: int) -> None:
        self._tell_wrong(put_on_chip(self._session, workload, chip, f"Put {self._name(workload)} on chip {chip}"))

    def _on_freed(self, workload: str) -> None:
        self._tell_wrong(put_on_chip(self._session, workload, None, f"Take {self._name(workload)} off by hand"))

    def _name(self, workload: str) -> str:
        return next((one.name for one in self._session.shown_plan.profiles if one.id == workload), workload)

    def _tell_wrong(self, words: str | None) -> None:
        self.message.setText(words or "")
        self.message.setVisible(bool(words))
        if words:
            self.show_settings(True)
            self.message.setVisible(True)

    def _build(self) -> None:
        self._build_controls()
        self.message = label("", "err", "portfolio-message", wraps=True)
        self.message.hide()
        self._panel = QWidget()
        column = QVBoxLayout(self._panel)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        for part in (self.settings, self.members, self.message):
            column.addLayout(padded(part, 8, 0))
        column.addLayout(padded(rule(), 8, 0))
        self._panel.hide()
        self._empty_box, self._content_box = self._empty(), self._content()
        inside = QWidget()
        whole = QVBoxLayout(inside)
        whole.setContentsMargins(0, 0, 0, 8)
        whole.setSpacing(0)
        whole.addWidget(self._panel)
        for shown in (self._empty_box, self._content_box):
            whole.addWidget(shown, 1)
        self._content_box.hide()
        area = named(QScrollArea(), "portfolio-scroll", "Portfolio")
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setWidget(inside)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.addWidget(area)

    def _build_controls(self) -> None:
        """Beside the titles of the pages, so without a parent of their own yet."""
        self._show_label = label("Show", "ink2")
        self.show_box = named(NoWheelComboBox(), "portfolio-show", "Way to hold the chips that is shown")
        self.show_box.setMinimumWidth(228)
        self.show_box.setEnabled(False)
        self.settings_button = named(
            QPushButton("Settings"), "portfolio-settings-button", "Settings of the portfolio", "choice"
        )
        self.settings_button.setCheckable(True)

    def _empty(self) -> QWidget:
        self.empty = named(Label(""), "portfolio-empty", kind="ink2")
        self.add = named(QPushButton("Add workload"), "portfolio-add", "Add workload")
        return empty_page(self.empty, self.add)

    def _content(self) -> QWidget:
        self.headline = label("", "section", "portfolio-headline", wraps=True)
        self.notes = label("", "small", "portfolio-notes", wraps=True)
        self._charts = QVBoxLayout()
        self._charts.setSpacing(8)
        parts = QWidget()
        self._parts = QGridLayout(parts)
        self._parts.setContentsMargins(0, 0, 0, 0)
        self._parts.setHorizontalSpacing(28)
        self._parts.setVerticalSpacing(12)
        box = QWidget()
        column = QVBoxLayout(box)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(padded(self.headline, 10, 4))
        column.addLayout(padded(self._charts, 4, 4))
        column.addLayout(padded(rule(), 4, 0))
        column.addLayout(padded(self._ways_head(), 8, 0))
        column.addLayout(padded(self.ways, 0, 4))
        column.addLayout(padded(rule(), 4, 0))
        column.addLayout(padded(parts, 8, 4))
        column.addLayout(padded(self.quarters, 0, 4))
        column.addLayout(padded(self.notes, 4, 0))
        column.addStretch(1)
        self._cash, self._commit = self._cash_part(), self._commit_part()
        self._n_across = 0
        self._arrange()
        return box

    def _ways_head(self) -> QHBoxLayout:
        self.sure = label("", "ink2", "portfolio-sure")
        row = QHBoxLayout()
        row.setSpacing(12)
        row.addWidget(label("Ways to hold the chips", "section"))
        row.addWidget(self.sure, 1)
        return row

    def _cash_part(self) -> QWidget:
        self.cash_words = label("", "small", "portfolio-cash-words", wraps=True)
        return _below(self.cash, self.cash_words)

    def _commit_part(self) -> QWidget:
        self.commit_words = label("", "small", "portfolio-commit-words", wraps=True)
        self.least = named(QPushButton("Commit what costs least"), "portfolio-least", "Commit what costs least", "link")
        return _below(self.commit, self.commit_words, self.least)

    def _arrange(self) -> None:
        """Three parts beside each other, or the chips with small models below where there is little room or many."""
        packing = self.answer.packing if self.answer else None
        has_room = self.width() >= WIDE_PX and (packing is None or packing.n_chips <= MOST_BESIDE)
        n_across = 3 if has_room else 2
        if n_across == self._n_across:
            return
        self._n_across = n_across
        top = Qt.AlignmentFlag.AlignTop
        self._parts.addWidget(self._cash, 0, 0, top)
        self._parts.addWidget(self._commit, 0, 1, top)
        at = (0, 2, 1, 1) if n_across == 3 else (1, 0, 1, 2)
        self._parts.addWidget(self.packing, *at)
        for column in range(3):
            self._parts.setColumnStretch(column, 1 if column < n_across else 0)

    def _connect(self) -> None:
        for chart in (self.cash, self.commit):
            self._connect_chart(chart)
        for table in (self.ways, self.quarters, self.members, self.packing.view):
            table.may_leave = self._session.may_leave
        self.add.clicked.connect(self.workload_wanted)
        self.least.clicked.connect(self._on_least)
        self.settings_button.toggled.connect(self.show_settings)
        self.show_box.activated.connect(lambda at: self.show_scheme(str(self.show_box.itemData(at))))
        self.ways.chosen.connect(self._on_column)
        self.members.members.edited.connect(self._on_member, Qt.ConnectionType.QueuedConnection)
        self.members.members.refused.connect(self._tell_wrong)
        self.packing.put.connect(self._on_put)
        self.packing.freed.connect(self._on_freed)

    def _connect_chart(self, chart: ChartView) -> None:
        chart.may_leave = self._session.may_leave
        chart.limit_moved.connect(self._on_held)
        chart.limit_dropped.connect(self._on_base)

    def _on_column(self, place: int) -> None:
        if self.answer is not None:
            self.show_scheme(self.answer.schemes[place].id, opens_why=True)


def _below(chart: ChartView, *others: QWidget) -> QWidget:
    """A chart with words and buttons below it."""
    chart.setFixedHeight(CHART_PX)
    box = QWidget()
    column = QVBoxLayout(box)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(2)
    column.addWidget(chart)
    for one in others:
        column.addWidget(one, 0, Qt.AlignmentFlag.AlignLeft if isinstance(one, QPushButton) else Qt.AlignmentFlag(0))
    column.addStretch(1)
    return box
