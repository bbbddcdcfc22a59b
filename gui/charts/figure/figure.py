"""A chart as plain data, free of Qt: what a chart file makes from results and what the view draws.

Positions are plot coordinates: on a log axis they are log10 of the value. Theme are keys that the theme resolves
(``nvidia_gpu``, ``google_tpu``, ``ink3``, ``part:storage``). Sizes in px are logical pixels.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

Shape = Literal["circle", "square"]
Fill = Literal["full", "half", "dashed"]
"""How a mark is filled: for what is attested, what is plausible, and, with a broken outline, what is on paper."""


@dataclass(frozen=True, slots=True)
class Axis:
    """One axis: title with unit, the range first shown, and how a value is written.

    ``scale`` divides the value before it is written (1e6 for "million $"). ``names`` fixes the ticks. ``money`` says
    that values are USD.
    """

    title: str = ""
    low: float = 0.0
    high: float = 1.0
    log: bool = False
    scale: float = 1.0
    shown: bool = True
    names: tuple[tuple[float, str], ...] = ()
    money: bool = False

    def place(self, value: float) -> float:
        """Plot coordinate of a value."""
        return log10_of(value) if self.log else value

    def value_at(self, place: float) -> float:
        """Value of a plot coordinate."""
        return float(10**place) if self.log else place


@dataclass(frozen=True, slots=True)
class Mark:
    """A point with its ranges; hollow when it misses a limit. ``value`` is the second label line.

    ``explains`` is the key of the figure that a click explains in Why, as with bars and curves; empty without one.
    ``drag`` says which way a hand may move it: not at all, up and down, or anywhere.
    """

    id: str
    x: float
    y: float
    x_range: tuple[float, float] | None
    y_range: tuple[float, float] | None
    radius_px: float
    shape: Shape
    colour: str
    hollow: bool
    name: str
    value: str
    tip: str
    show_value: bool = False
    show_name: bool = True
    explains: str = ""
    fill: Fill = "full"
    drag: Literal["", "y", "both"] = ""


@dataclass(frozen=True, slots=True)
class Bar:
    """A horizontal segment of a row, hatched when it is paid for but unused or rests on estimates."""

    row: int
    start: float
    end: float
    colour: str
    tip: str
    hatched: bool = False
    part: str = ""
    explains: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    """A line of a bar chart: glyph and name at left, texts at right, whisker below or on the bar."""

    id: str
    name: str
    shape: Shape | None = None
    colour: str = "ink"
    hollow: bool = False
    right: tuple[tuple[str, str], ...] = ()
    note: str = ""
    note_at: float = 0.0
    range: tuple[float, float] | None = None
    ticks: tuple[float, ...] = ()
    tip: str = ""


@dataclass(frozen=True, slots=True)
class Curve:
    """A line through points, with an optional band.

    ``labels`` stand at its right end, ``name`` along it where nothing else does, ``tip`` names it otherwise.
    """

    xs: tuple[float, ...]
    ys: tuple[float, ...]
    colour: str
    id: str = ""
    dashed: bool = False
    low: tuple[float, ...] = ()
    high: tuple[float, ...] = ()
    labels: tuple[str, ...] = ()
    width_px: float = 2.0
    tip: str = ""
    explains: str = ""
    name: str = ""


@dataclass(frozen=True, slots=True)
class Limit:
    """A dashed line that may be dragged; ``id`` says which field it edits.

    ``side`` is the end of a level line over which its label stands, where curves are furthest from it. With a ``step``
    it goes by multiples of that (its axis is linear), under the hand and by Shift and the arrows.
    """

    id: str
    axis: Literal["x", "y"]
    at: float
    label: str
    draggable: bool = False
    solid: bool = False
    past: bool = True
    side: Literal["left", "right"] = "right"
    step: float = 0.0

    def near(self, value: float) -> float:
        """The value that the line may stand at nearest to one: never below 0 where it goes by steps."""
        return max(round(value / self.step), 0) * self.step if self.step else value


@dataclass(frozen=True, slots=True)
class Step:
    """A rectangle of an area, with what it is in words."""

    start: float
    end: float
    low: float
    high: float
    tip: str = ""


@dataclass(frozen=True, slots=True)
class Area:
    """Steps one after the other: demand by month, or bars that stand upright. Steps that touch are one shape.

    ``shade`` is how much of the colour there is on the ground. One with ``stripes`` is thin lines alone, or the colour
    with stripes of the ground. ``labels`` stand at the right in the order of the areas, from the last one down.
    """

    id: str
    steps: tuple[Step, ...]
    colour: str
    shade: float = 1.0
    stripes: Literal["", "thin", "thick"] = ""
    labels: tuple[str, ...] = ()
    explains: str = ""


@dataclass(frozen=True, slots=True)
class Note:
    """A text tied to a point of the plot, shifted by pixels."""

    x: float
    y: float
    text: str
    colour: str = "ink2"
    align: Literal["left", "centre", "right"] = "left"
    dx_px: float = 0.0
    dy_px: float = 0.0
    strong: bool = False
    dot: bool = False


Swatch = Literal["circle", "square", "hollow", "half", "dashed", "box", "hatch", "line", "dash", "tick"]


@dataclass(frozen=True, slots=True)
class LegendEntry:
    """A swatch and its word; no colour means words only. A box may be a ``shade`` of its colour."""

    text: str
    colour: str = ""
    swatch: Swatch = "box"
    shade: float = 1.0


@dataclass(frozen=True, slots=True)
class Figure:
    """Everything a view draws, says to a screen reader and writes to CSV. ``empty`` replaces the axes by a sentence.

    ``gives_px``: what the last column of text at the right gives to the bars of a narrow picture, by cutting its texts.
    """

    title: str
    summary: str = ""
    subtitle: str = ""
    x: Axis = Axis()
    y: Axis = Axis()
    marks: tuple[Mark, ...] = ()
    rows: tuple[Row, ...] = ()
    bars: tuple[Bar, ...] = ()
    areas: tuple[Area, ...] = ()
    curves: tuple[Curve, ...] = ()
    limits: tuple[Limit, ...] = ()
    notes: tuple[Note, ...] = ()
    legend: tuple[LegendEntry, ...] = ()
    table: tuple[tuple[str, ...], ...] = ()
    empty: str = ""
    left_px: int = 48
    right_px: int = 12
    gives_px: int = 0
    row_px: int = 30
    bar_px: int = 14
    whisker_below: bool = False
    names_above: bool = False

    @property
    def ids(self) -> tuple[str, ...]:
        """Ids that can be picked, in the order in which arrow keys walk them."""
        shown: tuple[Mark | Row | Area | Curve, ...] = (*self.marks, *self.rows, *self.areas, *self.curves)
        return tuple(dict.fromkeys(one.id for one in shown if one.id))


def still(figure: Figure) -> Figure:
    """The figure without handles, for paper and files: nobody drags a line there."""
    return replace(figure, limits=tuple(replace(limit, draggable=False) for limit in figure.limits))


@dataclass(frozen=True, slots=True)
class Mapping:
    """Plot coordinates to pixels and back for one view: ``x_view`` over the plot's left to right, y bottom to top."""

    left: float
    top: float
    width: float
    height: float
    x_view: tuple[float, float]
    y_view: tuple[float, float]

    def px(self, x: float) -> float:
        """Pixel of a plot x; infinities land outside the plot."""
        share = (x - self.x_view[0]) / (self.x_view[1] - self.x_view[0])
        return self.left + min(max(share, -50.0), 50.0) * self.width

    def py(self, y: float) -> float:
        """Pixel of a plot y."""
        share = (y - self.y_view[0]) / (self.y_view[1] - self.y_view[0])
        return self.top + (1 - min(max(share, -50.0), 50.0)) * self.height

    def x_at(self, px: float) -> float:
        """Plot x of a pixel."""
        return self.x_view[0] + (px - self.left) / self.width * (self.x_view[1] - self.x_view[0])

    def y_at(self, py: float) -> float:
        """Plot y of a pixel."""
        return self.y_view[0] + (1 - (py - self.top) / self.height) * (self.y_view[1] - self.y_view[0])


def log10_of(value: float, floor: float = 1e-12) -> float:
    """log10, with values at or below the floor held at it."""
    return math.log10(max(value, floor))


def padded(low: float, high: float, share: float = 0.06) -> tuple[float, float]:
    """A range with some air at both ends, never empty."""
    air = (high - low) * share or max(abs(high) * share, 0.1)
    return low - air, high + air


def step_line(points: list[tuple[float, float]], x_end: float) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """A staircase through points sorted by x: level until the next point, then down, and level to ``x_end``."""
    xs: list[float] = []
    ys: list[float] = []
    for x, y in sorted(points):
        if ys:
            xs.append(x)
            ys.append(ys[-1])
        xs.append(x)
        ys.append(y)
    if xs and x_end > xs[-1]:
        xs.append(x_end)
        ys.append(ys[-1])
    return tuple(xs), tuple(ys)


LETTER_PX = 7
"""Room for a letter, wider than most."""


def left_room(rows: Sequence[Row]) -> int:
    """Pixels for glyph and names at the left of a bar chart, by their number of letters."""
    glyph = 34 if any(row.shape for row in rows) else 24
    return glyph + min(max((len(row.name) for row in rows), default=0) * LETTER_PX + 10, 230)


def right_room(rows: Sequence[Row]) -> int:
    """Pixels for the columns of text at the right of a bar chart."""
    n_columns = max((len(row.right) for row in rows), default=0)
    widths = [
        max(len(row.right[c][0]) for row in rows if len(row.right) > c) * LETTER_PX + 12 for c in range(n_columns)
    ]
    return sum(widths) + 24
