"""The row of answers on top of the Cost tab: the selected candidate's bill asked in the ways people ask."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from core.comparison.questions.cost_answers import Answer, answers
from core.comparison.questions.number_of_chips import CountCurve, chips_text, fewest_words, kept_in
from core.comparison.result import CandidateResult, ResultSet
from core.units import usd, usd_span
from gui.theme.fonts import font
from gui.theme.naming import named
from gui.theme.plain import tip
from gui.widgets.elided import ElidedLabel
from gui.widgets.live import PAGE_SIDE_PX, label
from gui.widgets.rule import rule

N_ANSWERS = 8
NAME_PX = (150, 210)
NARROW_PX = 1300
"""Below this width the name takes less room."""

CELL_PX = 120
"""An answer with its range needs so much, with the rule beside it."""

NO_ANSWER = "n/a"
GIVES_WAY = ("Per year", "Per epoch", "Per experiment", "Per month")
"""Answers that are left out first where it is narrow; the name tells them all on hovering."""


class AnswerCell(QWidget):
    """One answer: question, value, range; where there is none, why not."""

    def __init__(self, number: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(f"answer-{number}")
        self._title, self._note = "", ""
        self.title, self.value, self.note = (label("", kind) for kind in ("kpi-title", "headline", "small"))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(1)
        for text in (self.title, self.value, self.note):
            text.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
            column.addWidget(text)

    def say(self, title: str, value: str, note: str, hint: str = "") -> None:
        """Shows one answer; ``hint`` is told in full on hovering."""
        self.value.setText(value)
        self._title, self._note = title, note
        self._elide()
        self.setToolTip(tip(hint or f"{title}: {value}, {note}"))
        self.setAccessibleName(f"{title}: {value}, {note}")

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Cuts question and note to the room there is."""
        super().resizeEvent(event)
        self._elide()

    def _elide(self) -> None:
        metrics, width = QFontMetrics(font(12)), max(self.width(), 40)
        for text, words in ((self.title, self._title), (self.note, self._note)):
            text.setText(metrics.elidedText(words, Qt.TextElideMode.ElideRight, width))


class CostAnswers(QWidget):
    """Name of the candidate, then its answers, parted by thin rules."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        named(self, "cost-answers", "Cost of the selected candidate")
        self._name = ElidedLabel()
        self._name.setProperty("kind", "strong")
        self._name.setObjectName("cost-name")
        self._place = label("", "small", "cost-place")
        self._place_text = ""
        self.cells = [AnswerCell(number) for number in range(N_ANSWERS)]
        who = QVBoxLayout()
        who.setContentsMargins(0, 0, 0, 0)
        who.setSpacing(2)
        who.addStretch(1)
        who.addWidget(self._name)
        who.addWidget(self._place)
        who.addStretch(1)
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(PAGE_SIDE_PX, 8, PAGE_SIDE_PX, 8)
        self._row.setSpacing(12)
        self._row.addLayout(who)
        self._rules = [rule(vertical=True) for _ in self.cells]
        for line, cell in zip(self._rules, self.cells, strict=True):
            self._row.addWidget(line)
            self._row.addWidget(cell, 1)
        self.setFixedHeight(68)
        self._told: list[tuple[str, str, str, str]] = []

    def show_candidate(self, results: ResultSet, shown: CandidateResult | None, curve: CountCurve | None) -> None:
        """Shows the answers of a candidate, nothing without one; dots for its counts until their curve is known."""
        self._place_text = shown.candidate.place if shown else ""
        self._name.setText(shown.candidate.name if shown else "")
        self._told = _cells(results, shown, curve) if shown else []
        self._name.setToolTip(tip("\n".join(f"{title}: {value}, {note}" for title, value, note, _ in self._told)))
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The name takes less room in a narrow window, and answers give way."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        width = NAME_PX[self.width() >= NARROW_PX]
        for text in (self._name, self._place):
            text.setFixedWidth(width)
        metrics = QFontMetrics(font(12))
        self._place.setText(metrics.elidedText(self._place_text, Qt.TextElideMode.ElideRight, width))
        self._place.setToolTip(tip(self._place_text))
        self._tell(_fitting(self._told, (self.width() - width - 2 * PAGE_SIDE_PX) // (CELL_PX + self._row.spacing())))

    def _tell(self, told: Sequence[tuple[str, str, str, str]]) -> None:
        for number, cell in enumerate(self.cells):
            is_used = number < len(told)
            cell.setVisible(is_used)
            self._rules[number].setVisible(is_used)
            if is_used:
                cell.say(*told[number])


def _fitting(told: Sequence[tuple[str, str, str, str]], room: int) -> list[tuple[str, str, str, str]]:
    """The answers that there is room for."""
    spare = len(told) - max(room, 1)
    gives_way = [*GIVES_WAY, *(title for title, value, _, _ in told if value == NO_ANSWER)]
    left_out = [title for title in gives_way if any(one[0] == title for one in told)][: max(spare, 0)]
    return [one for one in told if one[0] not in left_out]


def _cells(results: ResultSet, shown: CandidateResult, curve: CountCurve | None) -> list[tuple[str, str, str, str]]:
    """Title, value, note and hint of each cell: what has an answer first, the counts, then what has none."""
    asked = answers(results.profile, shown)
    run = next((a.amount for a in asked if a.key == "run"), None)
    told = [_cell(a) for a in asked if a.amount and (a.key != "total" or a.amount != run)]
    return [*told, *_counts(results, curve), *_without([a for a in asked if a.amount is None])][:N_ANSWERS]


def _without(none: Sequence[Answer]) -> list[tuple[str, str, str, str]]:
    """What has no answer in one cell, each with its reason on hovering."""
    if not none:
        return []
    first = none[0].title if none[0].key != "total" else "Cost"
    reasons = "\n".join(f"{a.title}: {a.why_not}" for a in none)
    return [(f"{first} etc." if len(none) > 1 else first, NO_ANSWER, none[0].why_not, reasons)]


def _cell(answer: Answer) -> tuple[str, str, str, str]:
    amount = answer.amount
    ends = usd_span(amount.low, amount.high) if amount else ""
    return answer.title, answer.text, ends, f"{answer.title}: {answer.text}, 80 % range {ends}"


def _counts(results: ResultSet, curve: CountCurve | None) -> list[tuple[str, str, str, str]]:
    """The cheapest number of chips and the fewest that meet the limits."""
    if curve is None:
        return [(title, "…", "", "Being worked out") for title in ("Cheapest", fewest_words(results.profile))]
    if curve.cheapest is None:
        return []
    cheapest = _count("Cheapest", curve.cheapest)
    if curve.fewest is None:
        return [cheapest]
    return [cheapest, _fewest(results, curve.fewest, is_told=curve.fewest is curve.cheapest)]


def _fewest(results: ResultSet, point: CandidateResult, is_told: bool) -> tuple[str, str, str, str]:
    """With in how many draws so many chips keep the limits, and the cost unless it is told beside."""
    title, value, likely, hint = _count(fewest_words(results.profile), point)
    often = kept_in(results, point)
    if not often:
        return title, value, likely, hint
    note = f"in {often}" if is_told else f"{likely}, in {often}"
    return title, value, note, f"{hint}. All limits kept in {often} draws"


def _count(title: str, point: CandidateResult) -> tuple[str, str, str, str]:
    total = point.cost.total
    ends = usd_span(total.low, total.high)
    return title, chips_text(point), usd(total.likely), f"{title}: {chips_text(point)}, {usd(total.likely)}, {ends}"
