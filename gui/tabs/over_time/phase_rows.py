"""Beside the bars: names and chips of the phases at the left, what each costs at the right, in rows of one height."""

from __future__ import annotations

from dataclasses import replace
from math import log10

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QMouseEvent, QPalette
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from core.comparison.over_time.printed import printed_costs, printed_step
from core.comparison.over_time.runs import Run
from core.comparison.over_time.way import Way
from core.comparison.over_time.words import chips_words
from gui.charts.figure.texts import MoneyScale, money_scale
from gui.tabs.over_time.phase_plots import AXIS_PX, CASH_PX, ROW_PX, TOTAL_PX
from gui.theme.naming import named
from gui.theme.removal import take_away
from gui.theme.theme import Theme
from gui.widgets.elided import ElidedLabel
from gui.widgets.glyph import Mark
from gui.widgets.live import PAGE_SIDE_PX, label

NAMES_PX, COST_PX, RANGE_PX, GLYPH_PX = 216, 64, 92, 20
RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class RowColumn(QWidget):
    """Rows that are made anew for other phases; a click chooses one."""

    chosen = Signal(str)

    def __init__(self, name: str, title: str, width_px: int) -> None:
        super().__init__()
        named(self, name, title)
        self.setFixedWidth(width_px)
        self._rows: list[QWidget] = []
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)
        self._column.addStretch(1)

    def forget(self) -> None:
        """Takes all rows away."""
        for row in self._rows:
            self._column.removeWidget(row)
            take_away(row)
        self._rows = []

    def add(self, row: QWidget) -> None:
        """One more row below the others."""
        self._column.insertWidget(len(self._rows), row)
        self._rows.append(row)


class _Row(QWidget):
    """Tells which phase it is of when it is pressed."""

    def __init__(self, owner: RowColumn, phase_id: str, height_px: int, ground: str, theme: Theme) -> None:
        super().__init__()
        self._owner, self._phase_id = owner, phase_id
        self.setFixedHeight(height_px)
        if ground:
            palette = self.palette()
            palette.setColor(QPalette.ColorRole.Window, theme.color(ground))
            self.setPalette(palette)
            self.setAutoFillBackground(True)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Chooses the phase."""
        if self._phase_id:
            self._owner.chosen.emit(self._phase_id)


class NameColumn(RowColumn):
    """``1 Explore`` over ``16 × H100 SXM``."""

    def __init__(self) -> None:
        super().__init__("phase-names", "Names of the phases", NAMES_PX)

    def show_way(self, way: Way, selected: str, scale: MoneyScale, theme: Theme) -> None:
        """The phases of a way, the total, and what the curves are of."""
        self.forget()
        for number, run in enumerate(way.runs, start=1):
            self.add(self._named(number, run, selected, theme))
        dotted = f"dotted: the pilot fails,\n{scale.text(way.fallback.way.total.likely)} in all" if way.fallback else ""
        for texts, height_px in (
            (("Plan total",), TOTAL_PX),
            (("Spent so far", scale.words, dotted), CASH_PX + AXIS_PX),
        ):
            row = _Row(self, "", height_px, "", theme)
            column = QVBoxLayout(row)
            column.setContentsMargins(PAGE_SIDE_PX + GLYPH_PX, 2, 0, 0)
            column.setSpacing(0)
            for text, kind in zip(texts, ("strong", "small", "small"), strict=False):
                column.addWidget(label(text, kind))
            column.addStretch(1)
            self.add(row)

    def _named(self, number: int, run: Run, selected: str, theme: Theme) -> QWidget:
        row = _Row(self, run.phase.id, ROW_PX, "sel" if run.phase.id == selected else "", theme)
        line, column = QHBoxLayout(row), QVBoxLayout()
        line.setContentsMargins(PAGE_SIDE_PX, 1, 0, 1)
        line.setSpacing(6)
        column.setSpacing(0)
        mark = Mark(run.held.result.candidate.accelerator, theme, False, is_port=not run.phase.works_on_chips)
        glyph = mark.made()
        mark.tell(glyph)
        line.addWidget(glyph, 0, Qt.AlignmentFlag.AlignTop)
        line.addLayout(column, 1)
        title = ElidedLabel()
        title.setText(f"{number} {run.phase.name}")
        chips = ElidedLabel()
        chips.setText(chips_words(run))
        chips.setProperty("kind", "small")
        for one in (title, chips):
            column.addWidget(one)
        return row


class CostColumn(RowColumn):
    """The likely cost and its range."""

    def __init__(self) -> None:
        super().__init__("phase-costs", "Costs of the phases", COST_PX + RANGE_PX)

    def show_way(self, way: Way, selected: str, theme: Theme) -> MoneyScale:
        """The costs of a way's phases, and their total; the scale that they are shown in."""
        self.forget()
        *parts, total = printed_costs(way)
        scale = money_scale(total)
        fine = replace(scale, decimals=max(0, round(log10(scale.divisor / printed_step(way)))))
        for run, likely in zip(way.runs, parts, strict=True):
            ground = "sel" if run.phase.id == selected else ""
            texts = fine.text(likely), scale.range_text(run.cost)
            self.add(self._cost(texts, run.phase.id, ROW_PX, theme, ground))
        self.add(self._cost((fine.text(total), scale.range_text(way.total)), "", TOTAL_PX, theme, "", "strong"))
        return fine

    def _cost(
        self, texts: tuple[str, str], phase_id: str, height_px: int, theme: Theme, ground: str, kind: str = ""
    ) -> QWidget:
        row = _Row(self, phase_id, height_px, ground, theme)
        line = QHBoxLayout(row)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(8)
        likely, ends = label(texts[0], kind), label(texts[1], "small")
        for text, width_px in ((likely, COST_PX - 8), (ends, RANGE_PX)):
            text.setFixedWidth(width_px)
            text.setAlignment(RIGHT)
            line.addWidget(text)
        return row
