"""The Flexibility tab: the score criterion by criterion, what leaving would cost, and the hard limits beside it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import date
from functools import partial
from math import ceil

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QScrollArea, QVBoxLayout, QWidget

from core.comparison.questions.freedom_order import N_WEIGHTS, FreedomOrder, freedom_order, worth
from core.comparison.questions.leaving import ANYWHERE, LAST_DAY, exit_to
from core.comparison.result import CandidateResult, ResultSet
from core.comparison.together.plan_answer import PlanAnswer
from core.comparison.together.workload_range import taken, with_range, workload_range
from core.flexibility.taken_range import ID as RANGE
from core.flexibility.taken_range import is_taken
from core.flexibility.types import CriterionScore, Flexibility
from core.ranges import Range
from core.units import THIN, counted, grouped, plain, span
from core.workload.freedom import ScoreOverride
from core.workload.profile import Profile
from gui.charts.figure.shown import rival, subject
from gui.charts.kinds.exit_bill import exit_bill, exit_money
from gui.charts.kinds.flexibility_bars import flexibility_bars
from gui.charts.paint.picture import least_height, natural_height
from gui.charts.registry import pages_of
from gui.charts.view.chart_view import ChartView
from gui.session.plan_session import PlanSession
from gui.tabs.flexibility.by_hand import ByHand
from gui.tabs.flexibility.weights import Weights, of_preset
from gui.theme.manager import ThemeManager
from gui.theme.naming import named
from gui.theme.plain import caption
from gui.widgets.exit_target import ExitTarget
from gui.widgets.live import PAGE_SIDE_PX, LivePanel, label
from gui.widgets.rule import rule

SIDE_PX = 300
LEAST_CHART_PX, LEAST_PX = 420, 160
TAKE_IN, TAKE_OUT = "Count it in the ranking", "Take it out of the ranking"
RANGE_TAKEN = "The workload range takes part as it was when it was taken, as scores by hand."
WEIGHTS_NOTE = (
    "The score never flows into cost or time. Criteria, formulas and default weights are this program's proposal, "
    "not a standard. No evidence, no claim: hatched bars rest on estimates only."
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


def exit_text(results: ResultSet, result: CandidateResult, target: str = ANYWHERE) -> str:
    """What leaving for a target costs in money and weeks."""
    bill = exit_to(results, result, target)
    weeks = counted(bill.weeks, "week", digits=2) if bill.weeks > 0 else "no weeks"
    return f"{exit_money(bill.usd)} and {weeks}"


def exit_note(results: ResultSet, shown: CandidateResult, other: CandidateResult | None, target: str) -> str:
    """What leaving its rival costs; before that, why an option that misses a limit has no bill."""
    told = [] if shown.feasible else [f"{shown.candidate.name} misses a limit, so there is nothing to leave"]
    if other is not None:
        told.append(f"{other.candidate.name}: {exit_text(results, other, target)}")
    return "\n".join(told)


def order_text(order: FreedomOrder, fits: bool) -> str:
    """How far the place of an option rests on the weights; whether it ``fits`` is told where it does not."""
    share = f"{100 * order.first_share:.0f}{THIN}%"
    words = f"First of {order.n_options} chips in {share} of {grouped(N_WEIGHTS)} random weights."
    if order.n_options == 1 or order.beside is None:
        return "The only chip that fits" if fits else "It misses a limit, and no chip fits"
    words = words if fits else f"It misses a limit. {words}"
    name = order.beside.candidate.name
    if order.flip is None:
        return f"{words} No change of one weight turns the order with {name}."
    flip, now = order.flip, plain(order.flip.weight, 3)
    return f"{words} {flip.title} at {plain(flip.flips_at, 3)}, not {now}, turns the order with {name}."


class FlexibilityPanel(LivePanel):
    """Bars at left; score, exit bill, formula and hard limits at right."""

    def __init__(self, session: PlanSession, themes: ThemeManager, parent: QWidget | None = None) -> None:
        super().__init__(session, themes, parent)
        self.setObjectName("panel-flexibility")
        self.by_id = {kind.id: ChartView(kind) for page in pages_of("flexibility").values() for kind in page}
        self.bars = self.by_id["flexibility"]
        self._criterion_id, self._target = "", ANYWHERE
        self._whole: PlanAnswer | None = None
        self._profile: Profile | None = None
        self.weights, self.by_hand, self.exit_target = Weights(), ByHand(), ExitTarget(0)
        self._score = label("", "kpi", "flexibility-score")
        self._range = label("", "small", "flexibility-range")
        self._ranged = label("", "small", "flexibility-with-range", wraps=True)
        self._take = named(QPushButton(), "flexibility-take-range", "Workload range in the ranking", "link")
        self._take.setStyleSheet("text-align: left")
        self.today = date.today
        self._order = label("", "small", "flexibility-order", wraps=True)
        self._worth = label("", "small", "flexibility-worth", wraps=True)
        self._exit = label("", "kpi", "exit-bill")
        self._exit_note = label("", "small", "exit-bill-rival", wraps=True)
        self._formula = label("", "", "criterion-formula", wraps=True)
        self._formula.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._limits = label("", "", "hard-limits", wraps=True)
        row = QHBoxLayout()
        row.setContentsMargins(0, 8, 0, 8)
        row.setSpacing(0)
        row.addWidget(self._charts_area(), 1)
        row.addWidget(self._side())
        self.body.addLayout(row, 1)
        self.bars.picked.connect(self._on_criterion)
        self.exit_target.chosen.connect(self._on_target)
        self.weights.edited.connect(self._on_weight)
        self.weights.refused.connect(self._on_refused)
        self.weights.preset_chosen.connect(self._on_preset)
        self.weights.finished.connect(session.end_step)
        self._take.clicked.connect(self._on_take)
        self.by_hand.set_by_hand.connect(self._on_by_hand)
        self.by_hand.taken_back.connect(self._on_taken_back)
        session.whole_plan.changed.connect(self.mark_dirty)
        self.connect_charts(*self.charts())

    def _charts_area(self) -> QScrollArea:
        """The charts below each other; what a low window has no room for scrolls."""
        inside = QWidget()
        column = QVBoxLayout(inside)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        for number, chart in enumerate(self.charts()):
            if number:
                column.addWidget(rule())
            chart.setMinimumWidth(LEAST_CHART_PX)
            column.addWidget(chart, 3 if number else 4)
        area = named(QScrollArea(), "flexibility-charts", "Criteria and exit bills")
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setWidget(inside)
        return area

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Rows of a narrower chart may take other room."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """No chart is so low that its rows lie on top of each other, nor bars higher than their rows."""
        for chart in self.charts():
            chart.setMinimumHeight(max(ceil(least_height(chart.figure, chart.width())), LEAST_PX))
        self.bars.setMaximumHeight(max(round(natural_height(self.bars.figure, self.bars.width())), LEAST_PX))

    def _side(self) -> QScrollArea:
        inside = QWidget()
        column = QVBoxLayout(inside)
        column.setContentsMargins(PAGE_SIDE_PX, 2, PAGE_SIDE_PX, 8)
        column.setSpacing(0)
        parts: tuple[tuple[str, tuple[QWidget, ...]], ...] = (
            ("Score", (self._score, self._range, self._ranged, self._take, self._order, self._worth)),
            ("Exit bill", (self._exit, self.exit_target, self._exit_note, label(LAST_DAY, "small", wraps=True))),
            ("Formula", (self._formula, self.by_hand)),
            ("Weights", (self.weights, label(WEIGHTS_NOTE, "small", wraps=True))),
            ("Limits that ruled options out", (self._limits,)),
        )
        sections = {title: _section(title, texts) for title, texts in parts}
        self._of_candidate = [section for title, section in sections.items() if title != "Weights"]
        for section in sections.values():
            column.addWidget(section)
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
        self._follow_plan(results)
        shown = subject(results, self.session.selected_id)
        self.exit_target.show_targets(results)
        self.weights.show_profile(results.profile)
        self._criterion_id = self._known_criterion(shown)
        self.bars.lights = self._criterion_id
        super().show_results(results)
        self._fit()
        self._show_sections(shown is not None)
        if shown is not None:
            self._show_candidate(results, shown)

    def show_nothing(self) -> None:
        """Only the weights are there without results."""
        super().show_nothing()
        self._show_sections(False)

    def _show_sections(self, has_candidate: bool) -> None:
        """Headings with nothing to say below them are left out."""
        for section in self._of_candidate:
            section.setVisible(has_candidate)

    def _follow_plan(self, results: ResultSet) -> None:
        """The workload range needs all workloads: the bars are drawn with it as soon as it is known."""
        whole = self.session.whole_plan.answer
        if whole is not self._whole or self._profile is not results.profile:
            self._whole, self._profile = whole, results.profile
            self.bars.draw = partial(flexibility_bars, criteria_of=self._criteria)

    def _judged(self, result: CandidateResult) -> Flexibility:
        """A candidate's flexibility with the workload range, once that is known."""
        if self._whole is None or self._profile is None or self._is_taken:
            return result.flexibility
        chip = result.candidate.accelerator.id
        judged = workload_range(self._whole, chip, self._profile.freedom)
        return with_range(result.flexibility, judged) if judged else result.flexibility

    @property
    def _is_taken(self) -> bool:
        """True where the workload range was taken into the ranking."""
        return self._profile is not None and is_taken(self._profile.freedom, self.session.catalogue)

    def _criteria(self, result: CandidateResult) -> Sequence[CriterionScore]:
        return self._judged(result).criteria

    def _known_criterion(self, shown: CandidateResult | None) -> str:
        ids = [one.id for one in self._criteria(shown)] if shown else []
        return self._criterion_id if self._criterion_id in ids else ids[0] if ids else ""

    def _show_candidate(self, results: ResultSet, shown: CandidateResult) -> None:
        score = shown.flexibility.score
        self._score.setText(f"{score.likely:.0f}")
        self._range.setText(f"{range_text(score)}of 100, {shown.candidate.name}")
        other = rival(results, shown)
        _tell(self._exit, exit_text(results, shown, self._target) if shown.feasible else "")
        _tell(self._exit_note, exit_note(results, shown, other, self._target))
        self._show_range(shown)
        _tell(self._worth, str((other and worth(results.profile.freedom, shown, other)) or ""))
        self._show_formula(shown)
        self._show_answers(results, shown)

    def _show_range(self, shown: CandidateResult) -> None:
        with_it = self._judged(shown)
        is_apart = with_it is not shown.flexibility
        told = f"{with_it.score.likely:.0f} with the workload range, which takes no part in the ranking"
        _tell(self._ranged, told if is_apart else RANGE_TAKEN if self._is_taken else "")
        self._take.setText(caption(TAKE_OUT if self._is_taken else TAKE_IN))
        self._take.setVisible((is_apart or self._is_taken) and not self.session.is_read_only)

    def _show_answers(self, results: ResultSet, shown: CandidateResult) -> None:
        order = self.session.ask("freedom order", shown.id, partial(freedom_order, results, shown))
        if order is not None:
            self._order.setText(order_text(order, shown.feasible))
        self._show_limits(results)

    def _show_limits(self, results: ResultSet) -> None:
        """All candidates are asked, which takes longer than all else here: what is shown is from before until then."""
        lines = self.session.ask("ruled out", "all candidates", partial(hard_limit_lines, results))
        if lines is not None:
            self._limits.setText("\n".join(lines) or "None: every candidate passes")

    def _on_answers(self) -> None:
        super()._on_answers()
        results = self.session.results
        shown = subject(results, self.session.selected_id) if results else None
        if results is not None and shown is not None and self.isVisible():
            self._show_answers(results, shown)

    def _show_formula(self, shown: CandidateResult) -> None:
        criterion = next((c for c in self._criteria(shown) if c.id == self._criterion_id), None)
        self._formula.setText(formula_text(criterion) if criterion else "")
        self.by_hand.setVisible(criterion is not None)
        if criterion is not None:
            chip = shown.candidate.accelerator
            self.by_hand.show_criterion(chip.id, chip.name, criterion)

    def _on_criterion(self, criterion_id: str) -> None:
        self._criterion_id = criterion_id
        self.mark_dirty()

    def _on_target(self, key: str) -> None:
        self._target = key
        self.by_id["exit-bill"].draw = partial(exit_bill, target=key)
        self.mark_dirty()

    def _on_weight(self, field: str, value: object, words: str) -> None:
        self.session.edit(self.session.path(f"freedom.{field}"), value, words)

    def _on_refused(self, field: str, error: str) -> None:
        """What the beginning of the text stood for is taken back."""
        self.session.take_back(self.session.path(f"freedom.{field}"))
        profile = self.session.profile
        self.weights.refuse(error, profile.freedom.ten_points_usd_per_month if profile else None)

    def _on_preset(self, preset: str) -> None:
        fields = {self.session.path(f"freedom.{name}"): value for name, value in of_preset(preset).items()}
        self.session.edit_together(fields, "Set of weights")

    def _on_take(self) -> None:
        """The workload range of every chip as it is now becomes a score by hand, so that no answer waits for others; or
        all of these are taken back."""
        profile = self.session.profile
        if profile is None or (self._whole is None and not self._is_taken):
            return
        if self._is_taken:
            self._set_overrides(profile.freedom.without_criterion(RANGE), "Workload range out of the ranking")
        elif self._whole is not None:
            chips = [chip.id for chip in self.session.catalogue.accelerators]
            self._set_overrides(
                taken(self._whole, profile.freedom, chips, self.today().isoformat()), "Workload range in the ranking"
            )

    def _on_by_hand(self, typed: ScoreOverride) -> None:
        if profile := self.session.profile:
            self._set_overrides(profile.freedom.with_override(typed), "Score by hand")

    def _on_taken_back(self, accelerator_id: str, criterion_id: str) -> None:
        if profile := self.session.profile:
            self._set_overrides(profile.freedom.without(accelerator_id, criterion_id), "Score by hand taken back")

    def _set_overrides(self, overrides: tuple[ScoreOverride, ...], words: str) -> None:
        listed = [one.model_dump() for one in overrides]
        self.session.edit_together({self.session.path("freedom.overrides"): listed}, words)


def _section(title: str, texts: Sequence[QWidget]) -> QWidget:
    """A heading over what stands below it."""
    section = QWidget()
    column = QVBoxLayout(section)
    column.setContentsMargins(0, 0, 0, 12)
    column.setSpacing(4)
    for widget in (label(title, "section", explains=True), *texts):
        column.addWidget(widget)
    return section


def _tell(told: QLabel, text: str) -> None:
    told.setText(text)
    told.setVisible(bool(text))
