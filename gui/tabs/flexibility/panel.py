"""The Flexibility tab: the score criterion by criterion, what leaving would cost, and the hard limits beside it."""

from __future__ import annotations

from collections import Counter
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from core.comparison.result import CandidateResult, ResultSet
from core.flexibility.types import CriterionScore
from core.ranges import Range
from core.units import counted, span
from gui.charts.figure.shown import rival, subject
from gui.charts.kinds.exit_bill import exit_money
from gui.charts.paint.picture import natural_height
from gui.charts.registry import pages_of
from gui.charts.view.chart_view import ChartView
from gui.session.plan_session import PlanSession
from gui.theme.manager import ThemeManager
from gui.theme.naming import named
from gui.widgets.live import PAGE_SIDE_PX, LivePanel, label
from gui.widgets.rule import rule

SIDE_PX = 300
WEIGHTS_NOTE = (
    "The score never flows into cost or time. Criteria, formulas and default weights are this program's proposal, "
    "not a standard; hatched bars rest on estimates only."
)


def formula_text(criterion: CriterionScore) -> str:
    """A criterion's formula with its live inputs and source, one a line."""
    value = criterion.value
    points = " ".join([f"{100 * value.likely:.0f}", f"{range_text(value.scaled(100))}of 100"])
    inputs = [f"{name}: {text}" for name, text in criterion.inputs]
    return "\n".join([f"{criterion.title}: {points}", f"= {criterion.formula}", *inputs, f"Source: {criterion.source}"])


def range_text(points: Range) -> str:
    """``64–77 `` with a space after it; empty where rounding leaves no range."""
    low, high = f"{points.low:.0f}", f"{points.high:.0f}"
    return f"{span(low, high)} " if low != high else ""


def hard_limit_lines(results: ResultSet) -> list[str]:
    """Each reason for which chips were ruled out, with how many candidates it took; most frequent first."""
    counts = Counter(words for codes in results.columns.codes for words in dict.fromkeys(map(_limit_words, codes)))
    return [f"{words}: {counted(n, 'candidate')}" for words, n in counts.most_common()]


def _limit_words(code: str) -> str:
    return code.replace("_", " ").replace("-", " ").capitalize()


def exit_text(result: CandidateResult) -> str:
    """What leaving costs in money and weeks."""
    free = result.flexibility
    weeks = counted(free.exit_weeks, "week", digits=2) if free.exit_weeks > 0 else "no weeks"
    return f"{exit_money(result)} and {weeks}"


class FlexibilityPanel(LivePanel):
    """Bars at left; score, exit bill, formula and hard limits at right."""

    def __init__(self, session: PlanSession, themes: ThemeManager, parent: QWidget | None = None) -> None:
        super().__init__(session, themes, parent)
        self.setObjectName("panel-flexibility")
        self.by_id = {kind.id: ChartView(kind) for page in pages_of("flexibility").values() for kind in page}
        self.bars = self.by_id["flexibility"]
        self._criterion_id = ""
        self._score = label("", "kpi", "flexibility-score")
        self._range = label("", "small", "flexibility-range")
        self._exit = label("", "kpi", "exit-bill")
        self._exit_note = label("", "small", "exit-bill-rival", wraps=True)
        self._formula = label("", "", "criterion-formula", wraps=True)
        self._formula.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._limits = label("", "", "hard-limits", wraps=True)
        row = QHBoxLayout()
        row.setContentsMargins(0, 8, 0, 8)
        row.setSpacing(0)
        row.addLayout(self._charts_column(), 1)
        row.addWidget(self._side())
        self.body.addLayout(row, 1)
        self.bars.picked.connect(self._show_formula)
        self.connect_charts(*self.charts())

    def _charts_column(self) -> QVBoxLayout:
        column = QVBoxLayout()
        column.setSpacing(8)
        for number, chart in enumerate(self.charts()):
            if number:
                column.addWidget(rule())
            chart.setMinimumSize(420, 160 if number else 240)
            column.addWidget(chart, 3 if number else 4)
        return column

    def _side(self) -> QScrollArea:
        inside = QWidget()
        column = QVBoxLayout(inside)
        column.setContentsMargins(PAGE_SIDE_PX, 2, PAGE_SIDE_PX, 8)
        column.setSpacing(4)
        for title, texts in (
            ("Score", (self._score, self._range)),
            ("Exit bill", (self._exit, self._exit_note)),
            ("Formula", (self._formula,)),
            ("Limits that ruled options out", (self._limits,)),
            ("Weights", (label(WEIGHTS_NOTE, "small", wraps=True),)),
        ):
            column.addWidget(label(title, "section"))
            for text in texts:
                column.addWidget(text)
            column.addSpacing(12)
        column.addStretch(1)
        area = named(QScrollArea(), "flexibility-side", "Score and exit bill")
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setFixedWidth(SIDE_PX)
        area.setWidget(inside)
        return area

    def charts(self) -> tuple[ChartView, ...]:
        """Criteria, exit bills, and whatever else declares to stand on this tab."""
        return tuple(self.by_id.values())

    def show_results(self, results: ResultSet) -> None:
        """Draw the bars and the bills of the selected candidate."""
        super().show_results(results)
        self.bars.setMaximumHeight(max(round(natural_height(self.bars.figure, self.bars.width())), 240))
        shown = subject(results, self.session.selected_id)
        if shown is not None:
            self._show_candidate(results, shown)

    def _show_candidate(self, results: ResultSet, shown: CandidateResult) -> None:
        score = shown.flexibility.score
        self._score.setText(f"{score.likely:.0f}")
        self._range.setText(f"{range_text(score)}of 100, {shown.candidate.name}")
        self._exit.setText(exit_text(shown))
        other = rival(results, shown)
        self._exit_note.setText(f"{other.candidate.name}: {exit_text(other)}" if other else "")
        self._show_formula(
            self._criterion_id or (shown.flexibility.criteria[0].id if shown.flexibility.criteria else "")
        )
        self._show_limits(results)

    def _show_limits(self, results: ResultSet) -> None:
        """All candidates are asked, which takes longer than all else here: what is shown is from before until then."""
        lines = self.session.ask("ruled out", "all candidates", partial(hard_limit_lines, results))
        if lines is not None:
            self._limits.setText("\n".join(lines) or "None: every candidate passes")

    def _on_answers(self) -> None:
        super()._on_answers()
        results = self.session.results
        if results is not None and self.isVisible():
            self._show_limits(results)

    def _show_formula(self, criterion_id: str) -> None:
        results = self.session.results
        shown = subject(results, self.session.selected_id) if results else None
        self._criterion_id = criterion_id
        criterion = next((c for c in shown.flexibility.criteria if c.id == criterion_id), None) if shown else None
        self._formula.setText(formula_text(criterion) if criterion else "")
        self.bars.show_figure(self.bars.figure, self.theme, criterion_id or None)
