"""The Why dock: what the selected candidate's time and cost are made of, what speaks for and against it, and whence."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QPushButton, QScrollArea, QVBoxLayout, QWidget

from core.catalogue.entries import Accelerator
from core.comparison.result import CandidateResult, ResultSet
from core.units import counted
from gui.charts.figure.shown import WAITING, colour_key, shape_of, subject
from gui.charts.paint.brush import Ink
from gui.frame.why.breakdown import Chain, ChainLine
from gui.frame.why.explained import explained
from gui.frame.why.sources import SourceLine, arguments, cautions, first_words, sources
from gui.frame.why.time_and_cost import PairLine, cost_chain, paired, time_chain
from gui.session.plan_session import PlanSession
from gui.theme.manager import ThemeManager
from gui.theme.naming import named
from gui.theme.theme import Theme
from gui.widgets.live import LivePanel, label
from gui.widgets.rule import rule

SIDE_PX = 16
OPERATOR_PX = 16
PAIR = 2


class Glyph(QWidget):
    """The candidate's mark, as on the charts."""

    def __init__(self, chip: Accelerator, theme: Theme, hollow: bool) -> None:
        super().__init__()
        self._chip, self._theme, self._hollow = chip, theme, hollow
        self.setFixedSize(QSize(14, 20))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Circle or square in the chip's colour."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        Ink(painter, self._theme).glyph(7, 10, 5.5, shape_of(self._chip), colour_key(self._chip), self._hollow)


class WhyPanel(LivePanel):
    """Follows the selection; with A and B pinned it shows both and their difference."""

    def __init__(self, session: PlanSession, themes: ThemeManager, parent: QWidget | None = None) -> None:
        super().__init__(session, themes, parent)
        self.setObjectName("panel-why")
        self._open: set[str] = set()
        self._explained = ""
        self._shown_ids: tuple[str, ...] = ()
        self._area = named(QScrollArea(), "why-scroll", "Why")
        self._area.setWidgetResizable(True)
        self._area.setFrameShape(QFrame.Shape.NoFrame)
        self._area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.body.addWidget(self._area)

    def show_nothing(self) -> None:
        """Before there are results."""
        self._put([label(WAITING, "small", "why-empty", wraps=True)])

    def show_results(self, results: ResultSet) -> None:
        """The selected candidate, or the pinned pair."""
        pinned = [results.by_id[one] for one in self.session.pinned if one in results.by_id]
        shown = subject(results, self.session.selected_id)
        if len(pinned) == PAIR:
            asked = explained(results, shown, self._explained, self._close_explained) if shown else None
            parts = [*([asked] if asked else []), *self._pair_parts(results, pinned[0], pinned[1])]
            self._put(parts, tuple(one.id for one in pinned))
        elif shown is None:
            self._put([label(str(results.recommendation.headline) or WAITING, "small", "why-empty", wraps=True)])
        else:
            self._put(self._parts(results, shown), (shown.id,))

    def explain(self, key: str) -> None:
        """Opens the formula of a figure of the selected candidate, told on top; an empty key closes it."""
        self._explained = key
        self._area.verticalScrollBar().setValue(0)
        self.mark_dirty()

    def _close_explained(self) -> None:
        self.explain("")

    def _put(self, parts: Sequence[QWidget], shown_ids: tuple[str, ...] = ()) -> None:
        """Shows the parts: other candidates from the top, the same ones where they were."""
        at = self._area.verticalScrollBar().value() if shown_ids == self._shown_ids else 0
        self._shown_ids = shown_ids
        inside = QWidget()
        column = QVBoxLayout(inside)
        column.setContentsMargins(SIDE_PX, 12, SIDE_PX, 12)
        column.setSpacing(14)
        for part in parts:
            column.addWidget(part)
        column.addStretch(1)
        self._area.setWidget(inside)
        self._area.verticalScrollBar().setValue(at)

    def _parts(self, results: ResultSet, shown: CandidateResult) -> list[QWidget]:
        parts = [self._head(shown)]
        if section := explained(results, shown, self._explained, self._close_explained):
            parts.append(section)
        if shown.throughput.fits:
            parts.append(self._chain(time_chain(results.profile, shown)))
        if shown.cost.total.likely > 0:
            parts.append(self._chain(cost_chain(shown, self.session.catalogue.sources)))
        speaks_for, speaks_against = arguments(results, shown)
        old_days = self.session.plan.old_price_days
        warned = cautions(results, shown, date.today(), old_days)
        told = {first_words(line) for line in warned}
        speaks_against = tuple(line for line in speaks_against if first_words(line) not in told)
        parts += [_argument_list("For", "+", "good", speaks_for)] if speaks_for else []
        parts += [_argument_list("Against", "\u2212", "err", speaks_against)] if speaks_against else []
        parts += [_argument_list("Check", "\u26a0", "warn", warned)] if warned else []
        return [*parts, _source_list(sources(self.session.catalogue, shown, date.today(), old_days))]

    def _head(self, shown: CandidateResult, letter: str = "") -> QWidget:
        box, grid = _section()
        candidate = shown.candidate
        grid.addWidget(Glyph(candidate.accelerator, self.theme, not shown.feasible), 0, 0)
        grid.addWidget(label(f"{letter} {candidate.name}".strip(), "headline", f"why-name{letter}"), 0, 1)
        per_host = -(-candidate.n_chips // max(candidate.n_hosts, 1))
        place = f"{candidate.place}, {counted(candidate.n_hosts, 'host')} of {per_host}"
        grid.addWidget(label(place, "small", f"why-place{letter}", wraps=True), 1, 0, 1, 2)
        grid.setColumnStretch(1, 1)
        return box

    def _chain(self, chain: Chain) -> QWidget:
        box, grid = _section()
        grid.addLayout(_title_row(chain.title, chain.note), 0, 0, 1, 3)
        row = 1
        for line in chain.lines:
            if line.is_total:
                grid.addWidget(rule(), row, 0, 1, 3)
                row += 1
            row = self._add_line(grid, row, chain, line)
        grid.setColumnMinimumWidth(0, OPERATOR_PX)
        grid.setColumnStretch(1, 1)
        return box

    def _add_line(self, grid: QGridLayout, row: int, chain: Chain, line: ChainLine) -> int:
        kind = "strong" if line.is_total else ""
        key = f"{chain.title.lower()}-{line.key}"
        grid.addWidget(label(line.operator, "small"), row, 0, Qt.AlignmentFlag.AlignTop)
        grid.addWidget(label(line.words, kind, wraps=True), row, 1)
        grid.addWidget(self._value(key, line), row, 2, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop)
        formula = label(line.formula, "small", f"formula-{key}", wraps=True)
        formula.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        formula.setVisible(key in self._open and bool(line.formula))
        grid.addWidget(formula, row + 1, 1, 1, 2)
        return row + 2

    def _value(self, key: str, line: ChainLine) -> QPushButton:
        button = named(QPushButton(line.text), f"value-{key}", f"{line.words}: {line.text}")
        button.setFlat(True)
        button.setCursor(Qt.CursorShape.PointingHandCursor)
        weight = "600" if line.is_total else "400"
        button.setStyleSheet(
            "QPushButton { border: none; background: transparent; padding: 0; min-height: 18px;"
            f" font-weight: {weight}; }}"
            "QPushButton:hover { text-decoration: underline; }"
            f"QPushButton:focus {{ border: 2px solid {self.theme.colours['accent']}; border-radius: 3px; }}"
        )
        button.setEnabled(bool(line.formula))
        button.clicked.connect(self._toggle_formula)
        return button

    def _toggle_formula(self) -> None:
        button = self.sender()
        if not isinstance(button, QPushButton):
            return
        key = button.objectName().removeprefix("value-")
        self._open ^= {key}
        inside = self._area.widget()
        formula = inside.findChild(QWidget, f"formula-{key}") if inside else None
        if isinstance(formula, QWidget):
            formula.setVisible(key in self._open)

    def _pair_parts(self, results: ResultSet, first: CandidateResult, second: CandidateResult) -> list[QWidget]:
        profile = results.profile
        time = paired(time_chain(profile, first), time_chain(profile, second))
        cost = paired(cost_chain(first), cost_chain(second))
        titles = (time_chain(profile, first).title, "Cost")
        tables = [_pair_table(title, lines) for title, lines in zip(titles, (time, cost), strict=True)]
        return [self._head(first, "A"), self._head(second, "B"), *tables]


def _section() -> tuple[QWidget, QGridLayout]:
    box = QWidget()
    grid = QGridLayout(box)
    grid.setContentsMargins(0, 0, 0, 0)
    grid.setHorizontalSpacing(6)
    grid.setVerticalSpacing(3)
    return box, grid


def _title_row(title: str, note: str) -> QHBoxLayout:
    row = QHBoxLayout()
    row.addWidget(label(title, "section"))
    row.addStretch(1)
    row.addWidget(label(note, "small"))
    return row


def _argument_list(title: str, sign: str, kind: str, lines: Sequence[str]) -> QWidget:
    box, grid = _section()
    grid.addWidget(label(title, "section"), 0, 0, 1, 2)
    for number, text in enumerate(lines, start=1):
        grid.addWidget(label(sign, kind), number, 0, Qt.AlignmentFlag.AlignTop)
        grid.addWidget(label(text, "", f"why-{title.lower()}-{number}", wraps=True), number, 1)
    grid.setColumnMinimumWidth(0, OPERATOR_PX)
    grid.setColumnStretch(1, 1)
    return box


def _source_list(lines: Sequence[SourceLine]) -> QWidget:
    box, grid = _section()
    grid.addLayout(_title_row("Sources", str(len(lines))), 0, 0, 1, 2)
    for number, line in enumerate(lines, start=1):
        words = label(line.words, "small", f"why-source-{number}", wraps=True)
        words.setToolTip(line.detail)
        when = label(f"\u26a0 {line.when}" if line.is_old else line.when, "warn" if line.is_old else "small")
        when.setToolTip(f"{line.flag.capitalize()}: confirm the price before signing" if line.is_old else line.detail)
        grid.addWidget(words, number, 0)
        grid.addWidget(when, number, 1, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop)
    grid.setColumnStretch(0, 1)
    return box


def _pair_table(title: str, lines: Sequence[PairLine]) -> QWidget:
    box, grid = _section()
    right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop
    grid.addWidget(label(title, "section"), 0, 0)
    for column, text in enumerate(("A", "B", "B \u2212 A"), start=1):
        grid.addWidget(label(text, "small"), 0, column, right)
    for number, line in enumerate(lines, start=1):
        kind = "strong" if line.is_total else ""
        grid.addWidget(label(line.words, kind, wraps=True), number, 0)
        for column, text in enumerate((line.first, line.second, line.difference), start=1):
            grid.addWidget(
                label(text, kind or ("small" if column == len(("A", "B", "gap")) else "")), number, column, right
            )
    grid.setColumnStretch(0, 1)
    return box
