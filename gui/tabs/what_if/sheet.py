"""Scenarios side by side as plain data with places in pixels: which bands there are, and where their cells stand."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from core.report.scenarios.answers import AnswerRow, ScenarioAnswer, answer_rows
from core.report.scenarios.head import head_words
from core.report.scenarios.inputs import InputRow, Inputs
from core.report.scenarios.options import OptionRow, same_options
from gui.charts.figure.texts import MoneyScale, money_scale
from gui.charts.figure.ticks import linear_ticks, log_ticks

LABEL_PX, LEAST_COLUMN_PX, MOST_COLUMN_PX, RIGHT_PX = 240, 244, 300, 20
TEXT_PX, LIKELY_PX, REACH_PX, RIGHT_TEXT_PX = 12, 82, 90, 22
"""Where a cell's texts stand: from its left edge, the likely value's right end, what stands beside it; and what is left
free at its right."""
HEAD_PX, TITLE_PX, LINE_PX, TALL_PX, OPTION_PX, AXIS_PX = 54, 34, 25, 41, 23, 30
PLOT_LEFT_PX, PLOT_RIGHT_PX = 20, 104
MOST_LINEAR = 4.0
"""Costs further apart than so many times stand on a logarithmic scale."""
MOST_IN_LINE = 28
"""Letters of an input that surely stand in one line of the narrowest column."""
BandKind = Literal["head", "inputs", "input", "answers", "answer", "options", "option", "axis"]


@dataclass(frozen=True, slots=True)
class Band:
    """A line across the sheet. ``number`` is that of its row among its like."""

    kind: BandKind
    number: int
    top: float
    height: float

    @property
    def middle(self) -> float:
        """Where its text stands."""
        return self.top + self.height / 2


@dataclass(frozen=True)
class Sheet:
    """What the sheet says. ``faded`` are columns whose answers are from before."""

    answers: tuple[ScenarioAnswer, ...]
    inputs: Inputs
    reference: int = 0
    faded: frozenset[int] = frozenset()
    head: str = field(init=False)
    rows: tuple[AnswerRow, ...] = field(init=False)
    options: tuple[OptionRow, ...] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "head", head_words(self.answers))
        object.__setattr__(self, "rows", answer_rows(self.answers, self.reference))
        object.__setattr__(self, "options", same_options(self.answers))

    @property
    def n_columns(self) -> int:
        """Scenarios, the base among them."""
        return len(self.answers)

    @cached_property
    def bands(self) -> tuple[Band, ...]:
        """All lines from the top."""
        heights: list[tuple[BandKind, int, float]] = [("head", 0, HEAD_PX), ("inputs", 0, TITLE_PX)]
        heights += [("input", number, _height_of_input(row)) for number, row in enumerate(self.inputs.rows)]
        if self.rows:
            heights += [("answers", 0, TITLE_PX)]
            heights += [("answer", number, _height_of(row)) for number, row in enumerate(self.rows)]
        if self.options:
            heights += [("options", 0, TITLE_PX + 4)]
            heights += [("option", number, OPTION_PX) for number in range(len(self.options))]
            heights += [("axis", 0, AXIS_PX)]
        return tuple(_stacked(heights))

    @property
    def height(self) -> float:
        """Px of all lines together."""
        return self.bands[-1].top + self.bands[-1].height

    @cached_property
    def scale(self) -> CostScale | None:
        """The one scale of all panels; None without options."""
        points = [point for row in self.options for point in row.points if point]
        return _scale_of([(point.usd.low, point.usd.likely, point.usd.high) for point in points]) if points else None

    def texts(self, band: Band, column: int) -> tuple[str, ...]:
        """What a cell says, as it is copied and read out."""
        if band.kind == "head":
            return (self.answers[column].name,)
        if band.kind == "input":
            return (self.inputs.rows[band.number].cells[column].text,)
        if band.kind == "answer":
            cell = self.rows[band.number].cells[column]
            return tuple(words for words in (cell.text, cell.second, cell.difference) if words)
        point = self.options[band.number].points[column] if band.kind == "option" else None
        return tuple(words for words in (point.n_words, point.words) if words) if point else ()

    def title(self, band: Band) -> str:
        """What a line is about."""
        if band.kind == "input":
            return self.inputs.rows[band.number].info.title
        if band.kind == "answer":
            return self.rows[band.number].title
        return self.options[band.number].first.candidate.name if band.kind == "option" else ""

    def grid(self) -> list[list[str]]:
        """The whole sheet as a table of texts."""
        told = [band for band in self.bands if band.kind in ("head", "input", "answer", "option")]
        return [
            [self.title(band), *(", ".join(self.texts(band, column)) for column in range(self.n_columns))]
            for band in told
        ]


@dataclass(frozen=True)
class CostScale:
    """One axis for all panels, linear or logarithmic, from ``low`` to ``high`` USD."""

    low: float
    high: float
    is_log: bool
    money: MoneyScale

    def share(self, usd: float) -> float:
        """Where an amount lies, 0 at the left end, 1 at the right one; beyond them it stays at the end."""
        if self.is_log:
            lies = math.log(max(usd, 1e-9) / self.low) / math.log(self.high / self.low)
        else:
            lies = (usd - self.low) / (self.high - self.low)
        return min(max(lies, 0.0), 1.0)

    @property
    def ticks(self) -> list[float]:
        """Round amounts, in USD."""
        divisor = self.money.divisor
        if self.is_log:
            ends = math.log10(self.low / divisor), math.log10(self.high / divisor)
            return [10**tick * divisor for tick in log_ticks(*ends, 3)]
        return [tick * divisor for tick in linear_ticks(self.low / divisor, self.high / divisor, 3)]


@dataclass(frozen=True, slots=True)
class Columns:
    """Where the columns stand in a sheet of some width, the others than the base scrolled sideways by ``offset`` px."""

    width: float
    n: int
    offset: float = 0.0

    @property
    def column_px(self) -> float:
        """Width of a column."""
        room = (self.width - LABEL_PX - RIGHT_PX) / max(self.n, 1)
        return min(max(room, LEAST_COLUMN_PX), MOST_COLUMN_PX)

    @property
    def scroll_px(self) -> float:
        """By how much the columns can be scrolled."""
        return max(0.0, LABEL_PX + self.n * self.column_px + RIGHT_PX - self.width)

    def left(self, column: int) -> float:
        """Left edge of a column."""
        return LABEL_PX + column * self.column_px - (self.offset if column else 0.0)

    @property
    def free_left(self) -> float:
        """Where the columns that scroll begin."""
        return LABEL_PX + self.column_px

    def at(self, x: float) -> int | None:
        """The column at a place."""
        if LABEL_PX <= x < self.free_left:
            return 0
        column = int((x + self.offset - LABEL_PX) // self.column_px)
        return column if x >= self.free_left and 0 < column < self.n else None

    def plot(self, column: int) -> tuple[float, float]:
        """Left and right end of a column's chart."""
        return self.left(column) + PLOT_LEFT_PX, self.left(column) + self.column_px - PLOT_RIGHT_PX


def _height_of_input(row: InputRow) -> float:
    return TALL_PX if any(len(cell.text) > MOST_IN_LINE for cell in row.cells) else LINE_PX


def _height_of(row: AnswerRow) -> float:
    return TALL_PX if not row.is_figure and row.id != "having" else LINE_PX


def _stacked(heights: Sequence[tuple[BandKind, int, float]]) -> list[Band]:
    bands, top = [], 0.0
    for kind, number, height in heights:
        bands.append(Band(kind, number, top, height))
        top += height
    return bands


def _scale_of(amounts: Sequence[tuple[float, float, float]]) -> CostScale:
    low, high = min(one[0] for one in amounts), max(max(one) for one in amounts)
    low, high = max(low, 1e-6), max(high, low * 1.01, 1e-5)
    is_log = high / low > MOST_LINEAR
    pad = 0.0 if is_log else 0.03 * (high - low)
    return CostScale(max(low - pad, 1e-6), high + pad, is_log, money_scale(max(one[1] for one in amounts)))
