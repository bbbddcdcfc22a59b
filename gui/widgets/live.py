"""Base of panels that show results: redraws when it is seen, remembers that it must when it is not."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QBoxLayout, QLabel, QVBoxLayout, QWidget

from core.comparison.result import CandidateResult, ResultSet
from gui.charts.figure.figure import Figure
from gui.charts.figure.shown import WAITING, subject
from gui.session.plan_session import PlanSession
from gui.theme.manager import ThemeManager
from gui.theme.plain import Label, as_html
from gui.theme.term_label import TermLabel
from gui.theme.theme import Theme
from gui.widgets.overlay import AtLowerEdge

if TYPE_CHECKING:
    from gui.charts.view.chart_view import ChartView  # takes long to load, and the Why dock needs no chart

STALE = "Showing results from before"
PAGE_SIDE_PX = 20
CURVE_INSET_PX = 16
"""How far charts of curves stand in from the page's edge: those of rows bring their own left margin."""


class LivePanel(QWidget):
    """A tab over the session's results. Subclasses fill :attr:`body` and say how to :meth:`show_results`."""

    field_requested = Signal(str)
    explain_requested = Signal(str)
    tells_problem = True
    """False where what is wrong stands beside anyway, so that the bar below stays low."""

    def __init__(self, session: PlanSession, themes: ThemeManager, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.session = session
        self.themes = themes
        self._is_dirty = True
        self._bar = Label()
        self._bar.setTextFormat(Qt.TextFormat.RichText)
        self._bar.setObjectName("stale-bar")
        self._bar.setAccessibleName("About these results")
        self._bar.setContentsMargins(PAGE_SIDE_PX, 6, PAGE_SIDE_PX, 6)
        self._bar.setWordWrap(True)
        self._bar.setProperty("surface", "message")
        self._bar.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._bar.setProperty("kind", "warn")
        self._bar.setTextInteractionFlags(Qt.TextInteractionFlag.TextBrowserInteraction)
        self._bar.linkActivated.connect(self.field_requested)
        self._bar.hide()
        self._bar_place = AtLowerEdge(self._bar, self)
        self.body = QVBoxLayout(self)
        self.body.setContentsMargins(0, 0, 0, 0)
        self.body.setSpacing(0)
        session.results_changed.connect(self.on_results)
        session.answers_changed.connect(self._on_answers)
        session.selection_changed.connect(self.mark_dirty)
        session.problems_changed.connect(self._on_problems)
        themes.changed.connect(self.mark_dirty)

    @property
    def theme(self) -> Theme:
        """The theme on screen."""
        return self.themes.theme

    def charts(self) -> tuple[ChartView, ...]:
        """The panel's charts."""
        return ()

    def show_results(self, results: ResultSet) -> None:
        """Draw these results."""
        shown = subject(results, self.session.selected_id)
        for chart in self.charts():
            answer = self.answer_of(chart, results, shown)
            chart.set_stale(self.session.stale or chart.waits_for(answer, shown))
            chart.set_results(results, self.session.selected_id, self.theme, answer)

    def answer_of(self, chart: ChartView, results: ResultSet, shown: CandidateResult | None) -> Any:
        """What the engine says to the chart's question; None for charts without one, and until it is known."""
        question = chart.kind.question
        if question is None or shown is None:
            return None
        return self.session.ask(chart.kind.id, shown.id, partial(question.ask, results, shown))

    def show_nothing(self) -> None:
        """Draw the state without results."""
        for chart in self.charts():
            chart.show_figure(Figure("", empty=WAITING), self.theme)

    def connect_charts(self, *charts: ChartView) -> None:
        """Link charts to the session and to Why: what is picked, pinned, cleared, dragged, or to be explained."""
        for chart in charts:
            chart.may_leave = self.session.may_leave
            chart.picked.connect(self._on_picked)
            chart.pin_requested.connect(self._on_pin)
            chart.cleared.connect(self._clear)
            chart.explain_requested.connect(self.explain_requested)
            chart.edit_requested.connect(self._on_drag)

    def _on_picked(self, picked_id: str) -> None:
        """A criterion, a way to pay or a number of chips that the comparison did not keep is no candidate."""
        if self._is_candidate(picked_id):
            self.session.select(picked_id)

    def _on_drag(self, field: str, value: object, words: str) -> None:
        self.session.edit(self.session.path(field), value, words)

    def _on_pin(self, picked_id: str) -> None:
        if self._is_candidate(picked_id):
            self.session.pin(picked_id)

    def _is_candidate(self, picked_id: str) -> bool:
        return self.session.results is not None and picked_id in self.session.results.by_id

    def mark_dirty(self) -> None:
        """Something changed: redraw now if it can be seen."""
        self._is_dirty = True
        if self.isVisible():
            self.refresh()

    def on_results(self) -> None:
        """Other results are there."""
        self.mark_dirty()

    def _on_answers(self) -> None:
        if self.asks:
            self.mark_dirty()

    @property
    def asks(self) -> bool:
        """True for a panel that asks the engine something, and is drawn anew when an answer is there."""
        return any(chart.kind.question for chart in self.charts())

    def _on_problems(self) -> None:
        """Problems are told in the bar; results do not change with them."""
        if self.isVisible() and not self._is_dirty:
            self._show_bar()
        else:
            self.mark_dirty()

    def refresh(self) -> None:
        """Redraw from the session."""
        self._is_dirty = False
        self._show_bar()
        for chart in self.charts():
            chart.set_pinned(self.session.pinned)
            chart.set_stale(self.session.stale)
        if self.session.results is None:
            self.show_nothing()
        else:
            self.show_results(self.session.results)

    def showEvent(self, event: QShowEvent) -> None:
        """Catch up with what changed meanwhile."""
        super().showEvent(event)
        if self._is_dirty:
            self.refresh()

    def _show_bar(self) -> None:
        text = self._stale_text() if self.session.stale else self._missing_text()
        kind = "warn" if self.session.stale else "ink2"
        if self._bar.property("kind") != kind:
            self._bar.setProperty("kind", kind)
            self._bar.style().polish(self._bar)
        self._bar.setText(text)
        self._bar.setVisible(bool(text))

    def _stale_text(self) -> str:
        """That results are from before, where there are any, and what is wrong."""
        problem = next((p for p in self.session.problems if p.severity == "error"), None)
        told = [STALE] if self.session.results and self.session.results.results else []
        if problem is not None and (not told or self.tells_problem):
            told.append(as_html(problem.text.rstrip(".")))
        link = f" {self._link(problem.path, 'Go to field')}" if problem and problem.path else ""
        return f"{': '.join(told)}.{link}" if told else ""

    def _missing_text(self) -> str:
        """The facts without which nothing is ranked, as links to their fields."""
        results, profile = self.session.results, self.session.profile
        if results is None or profile is None or not results.missing:
            return ""
        paths = {"Model": self.session.path("model.name")}
        quantity = self.session.path(f"job.{profile.job.quantity_field}")
        links = [self._link(paths.get(title, quantity), title.lower()) for title in results.missing]
        return f"Fill in {' and '.join(links)} to see a ranking."

    def _link(self, path: str, words: str) -> str:
        colour = self.theme.colours["warn" if self.session.stale else "ink"]
        return f'<a href="{as_html(path)}" style="color:{colour}">{as_html(words)}</a>'

    def _clear(self) -> None:
        self.session.select(None)


def label(text: str = "", kind: str = "", name: str = "", wraps: bool = False, explains: bool = False) -> QLabel:
    """A text in one of the style sheet's kinds; ``explains``: a term of the glossary in it is told at a click."""
    made = TermLabel(text) if explains else Label(text)
    made.setWordWrap(wraps)
    if kind:
        made.setProperty("kind", kind)
    if name:
        made.setObjectName(name)
    return made


def padded(inside: QWidget | QBoxLayout, top: int = 8, bottom: int = 4) -> QVBoxLayout:
    """The same with the page's side margins."""
    box = QVBoxLayout()
    box.setContentsMargins(PAGE_SIDE_PX, top, PAGE_SIDE_PX, bottom)
    if isinstance(inside, QWidget):
        box.addWidget(inside)
    else:
        box.addLayout(inside)
    return box
