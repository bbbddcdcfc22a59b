"""How the outcomes of A and B lie: a sample of the draws of each, outlines that hold 80 % of them, and the limits."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QGridLayout, QVBoxLayout, QWidget

from core.comparison.result import ResultSet
from core.comparison.time_measure import time_measure
from core.comparison.what_if.cloud import Cloud, Dots, OfHundred
from core.report.having_words import caution_words
from core.units import date_text, day_after, usd
from core.workload.profile import Profile
from gui.charts.figure.texts import money_scale
from gui.charts.view.graphs import pg
from gui.tabs.what_if.gap_rows import Picked
from gui.tabs.what_if.plots import PlotHolder, span_of
from gui.theme.naming import named
from gui.theme.plain import Label
from gui.theme.removal import take_away
from gui.theme.theme import Theme
from gui.widgets.live import label

DOT_PX, MEAN_PX = 3.5, 11
DOTS_OPACITY = 0.5
BEYOND = 0.25
"""How far beyond the outlines the plot shows draws, as a share of them: the few further out would leave no room."""
NEAR = 1.5
"""Limits further beyond what is shown have no place in the plot."""
SYMBOLS = {"square": "s", "circle": "o"}
TITLES = {"cheaper": "Cheaper", "sooner": "Sooner", "latency": "Keeps latency", "peak": "Carries the peak",
          "window": "Keeps the window", "all limits": "Keeps all limits", "better": "Better for you"}  # fmt: skip


class CloudView(PlotHolder):
    """The plot."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("what-if-draws", "The draws", parent)

    def show_cloud(
        self, cloud: Cloud | None, sides: tuple[Picked, Picked | None], results: ResultSet, theme: Theme
    ) -> None:
        """The draws of both; nothing without B."""
        self.clear()
        self.colour(theme)
        if cloud is None or sides[1] is None:
            self.setAccessibleDescription("")
            return
        for letter, dots, side, is_second in (("A", cloud.a, sides[0], False), ("B", cloud.b, sides[1], True)):
            is_alike = is_second and side.colour == sides[0].colour
            self._draw_side(letter, dots, side, theme, is_alike)
        self._draw_limits(cloud, results, theme)
        rows = ", ".join(f"{title_of_row(row, results.profile)} {row.a:.0f} and {row.b:.0f}" for row in cloud.rows)
        self.setAccessibleDescription(f"Of 100 draws A and B: {rows}")

    def _draw_side(self, letter: str, dots: Dots, side: Picked, theme: Theme, is_alike: bool) -> None:
        colour = theme.color(side.colour)
        faint = QColor(colour)
        faint.setAlphaF(DOTS_OPACITY * (0.5 if is_alike else 1.0))
        self.add(pg.ScatterPlotItem(dots.cost_usd, dots.time, size=DOT_PX, pen=None, brush=faint), 0.0)
        style = Qt.PenStyle.DotLine if is_alike else Qt.PenStyle.SolidLine
        line = pg.mkPen(colour, width=1.5, style=style)
        self.add(pg.PlotDataItem(dots.outline[:, 0], dots.outline[:, 1], pen=line), 10.0)
        mean = pg.ScatterPlotItem(
            [dots.mean_cost_usd], [dots.mean_time], size=MEAN_PX, symbol=SYMBOLS[side.shape],
            pen=pg.mkPen(theme.color("bg"), width=1), brush=colour,
        )  # fmt: skip
        self.add(mean, 20.0)
        top = dots.outline[int(np.argmax(dots.outline[:, 1]))]
        self.add_words(letter, float(top[0]), float(top[1]), theme, (0.5, 1.0))

    def _draw_limits(self, cloud: Cloud, results: ResultSet, theme: Theme) -> None:
        measure, budget, both = time_measure(results.profile), results.profile.limits.budget_usd, (cloud.a, cloud.b)
        costs, times = ([float(end) for one in both for end in _ends(one.outline[:, axis])] for axis in (0, 1))
        is_near = budget is not None and budget < NEAR * max(costs)
        low, high = span_of([*costs, *([budget] if budget is not None and is_near else [])])
        due = measure.limit if measure.limit is not None and measure.limit < NEAR * max(times) else None
        bottom, top = span_of([*times, *([due] if due is not None else [])])
        dashed = pg.mkPen(theme.color("ink2"), width=1.25, style=Qt.PenStyle.DashLine)
        if budget is not None and low < budget < high:
            self.add(pg.InfiniteLine(budget, angle=90, pen=dashed), 8.0)
            self.add_words("Budget", budget, bottom, theme, (0.5, 1.0))
        if due is not None and bottom < due < top:
            self.add(pg.InfiniteLine(due, angle=0, pen=dashed), 8.0)
            self.add_words("Deadline" if measure.kind == "days" else "Limit", high, due, theme, (1.0, 0.5))
        scale = money_scale(high)
        self.plot.setXRange(low, high, padding=0)
        self.plot.setYRange(bottom, top, padding=0)
        self.tick("bottom", low, high, scale.divisor)
        title, divisor = measure.on_axis(top)
        self.tick("left", bottom, top, divisor)
        self.name_axes(f"Total cost, {scale.words}", title, theme)


class HundredTable(QWidget):
    """A and B of 100 draws."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        named(self, "what-if-hundred", "Of 100 draws, A and B")
        self.setFixedWidth(208)  # "Keeps 27 Oct 2027" and two numbers
        self._lines: list[Label] = []
        self.texts: list[list[str]] = []
        self._grid = QGridLayout()
        self._grid.setHorizontalSpacing(10)
        self._grid.setVerticalSpacing(7)
        self._grid.setColumnStretch(0, 1)
        self._note = label("", "small", "what-if-hundred-note", wraps=True)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addLayout(self._grid)
        column.addWidget(self._note)
        column.addStretch(1)

    def show_rows(self, cloud: Cloud | None, profile: Profile) -> None:
        """Another table; the same one stays."""
        rows = cloud.rows if cloud else ()
        texts = [["Of 100 draws", "A", "B"]] if cloud else []
        texts += [[title_of_row(row, profile), f"{row.a:.0f}", f"{row.b:.0f}"] for row in rows]
        self._note.setText(f"Better: your weights on {caution_words(profile.weights.worst_pct)}" if cloud else "")
        if texts == self.texts:
            return
        for one in self._lines:
            take_away(one)
        self._lines, self.texts = [], texts
        for number, line in enumerate(texts):
            for column, words in enumerate(line):
                self._add(words, number, column, is_strong=number == len(texts) - 1)

    def _add(self, words: str, row: int, column: int, is_strong: bool) -> None:
        made = Label(words)
        made.setProperty("kind", "strong" if is_strong else "ink2" if not row else "")
        self._grid.addWidget(made, row, column, Qt.AlignmentFlag.AlignRight if column else Qt.AlignmentFlag.AlignLeft)
        self._lines.append(made)


def _ends(values: NDArray[np.float64]) -> tuple[float, float]:
    low, high = float(values.min()), float(values.max())
    return max(low - BEYOND * (high - low), 0.0), high + BEYOND * (high - low)


def title_of_row(row: OfHundred, profile: Profile) -> str:
    """``Keeps 30 Jan 2027``, ``Keeps $3 M``, ``Better for you``."""
    limits = profile.limits
    if row.id == "budget" and limits.budget_usd is not None:
        return f"Keeps {usd(limits.budget_usd)}"
    if row.id == "deadline" and limits.deadline_days is not None:
        day = day_after(limits.start_date, limits.deadline_days)
        return f"Keeps {date_text(day)}" if day else "Keeps the deadline"
    if row.id == "sooner" and not profile.job.ends:
        return "Faster"
    return TITLES.get(row.id, row.id.capitalize())
