"""A figure on any painter: screen, picture file or PDF page. Pure painting, vectors all the way."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter

from gui.charts.figure.figure import Axis, Figure, Mapping, log10_of
from gui.charts.figure.ticks import linear_ticks, log_ticks, tick_text
from gui.charts.paint.areas import paint_areas
from gui.charts.paint.brush import Ink, text_width
from gui.charts.paint.notes import paint_notes
from gui.charts.paint.points import (
    Highlights,
    label_places,
    name_places,
    paint_back,
    paint_curves,
    paint_labels,
    paint_limits,
    paint_marks,
    paint_names,
    paint_whiskers,
    plot_rect,
)
from gui.charts.paint.rows import header_height, paint_header, paint_rows
from gui.theme.theme import Theme

AXIS_BOTTOM_PX = 44.0
TICKS_BOTTOM_PX = 24.0
HEADER_GAP_PX = 6.0
STALE_OPACITY = 0.45
MOST_TICKS = 10
Y_PITCH_PX = 44.0
TICK_GAP_PX = 8.0
TITLE_PX = 18.0
"""Distance of ticks on an upright axis, of their texts from it, and the width of its title."""

TICKS_APART_PX = 4.0
"""Between the texts of two ticks of a level axis."""

LEAST_ROW_PX = 18.0
"""The least height of a row: its text and a little air."""

LEAST_BARS_PX = 240.0
"""Width of the bars below which the last column of text gives way."""
View = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Margins:
    """Space around the plot, in px."""

    left: float
    top: float
    right: float
    bottom: float


def margins(figure: Figure, width: float) -> Margins:
    """Room for header, names, axis and right-hand texts."""
    bottom = 6.0 if not figure.x.shown else AXIS_BOTTOM_PX if figure.x.title else TICKS_BOTTOM_PX
    left = figure.left_px if figure.rows else max(figure.left_px, y_axis_px(figure.y))
    lacking = min(max(LEAST_BARS_PX - (width - left - figure.right_px), 0.0), figure.gives_px)
    return Margins(left, header_height(figure, width) + HEADER_GAP_PX, figure.right_px - lacking, bottom)


@lru_cache(maxsize=256)
def y_axis_px(axis: Axis) -> float:
    """Room for the widest tick text of an axis, unzoomed and in whatever height, beside its upright title."""
    view = axis.low, axis.high
    heights = [n_ticks * Y_PITCH_PX for n_ticks in range(2, MOST_TICKS + 1)]
    texts = {text for height in heights for _, text in axis_ticks(axis, view, height, Y_PITCH_PX)}
    return max(map(text_width, texts), default=0.0) + TICK_GAP_PX + (TITLE_PX if axis.title else 4.0)


def mapping(figure: Figure, width: float, height: float, x_view: View, y_view: View) -> Mapping:
    """Where plot coordinates land in a picture of this size. Rows keep their height and stand at the top."""
    edge = margins(figure, width)
    inner_width = max(width - edge.left - edge.right, 10.0)
    inner_height = max(height - edge.top - edge.bottom, 10.0)
    if figure.rows:
        inner_height = min(inner_height, len(figure.rows) * figure.row_px)
        y_view = (0.5 - len(figure.rows), 0.5)
    return Mapping(edge.left, edge.top, inner_width, inner_height, x_view, y_view)


def natural_height(figure: Figure, width: float) -> float:
    """Height at which every row of a bar chart has its full size."""
    edge = margins(figure, width)
    return edge.top + edge.bottom + len(figure.rows) * figure.row_px


def axis_ticks(axis: Axis, view: View, length_px: float, pitch_px: float) -> list[tuple[float, str]]:
    """Tick positions in plot coordinates with their texts."""
    if axis.names:
        return [(at, text) for at, text in axis.names if view[0] <= at <= view[1]]
    n_wanted = min(max(2, round(length_px / pitch_px)), MOST_TICKS)
    if axis.log:
        by = log10_of(axis.scale)
        return [(tick + by, tick_text(10**tick)) for tick in log_ticks(view[0] - by, view[1] - by, n_wanted)]
    values = linear_ticks(view[0] / axis.scale, view[1] / axis.scale, n_wanted)
    step = values[1] - values[0] if len(values) > 1 else 0.0
    return [(value * axis.scale, tick_text(value, step)) for value in values]


def _apart(edges: Sequence[tuple[float, float]]) -> list[int]:
    """Of texts from left to right, px, those that stand apart; the last one before those at its left, as an axis
    without its end tells least."""
    kept: list[int] = []
    for number, (left, _) in enumerate(edges):
        while len(kept) > 1 and number == len(edges) - 1 and left < edges[kept[-1]][1] + TICKS_APART_PX:
            kept.pop()
        if not kept or left >= edges[kept[-1]][1] + TICKS_APART_PX:
            kept.append(number)
    return kept


def least_height(figure: Figure, width: float) -> float:
    """Height at which the rows of a bar chart stand as close as their texts allow."""
    spare_px = max(figure.row_px - LEAST_ROW_PX, 0.0) * len(figure.rows)
    return natural_height(figure, width) - spare_px


@dataclass(frozen=True)
class Picture:
    """One figure laid out for one size and view. ``has_rows``: the chart has, whenever it is not empty."""

    figure: Figure
    theme: Theme
    width: float
    height: float
    view: Mapping
    stale: bool = False
    has_rows: bool = False

    @classmethod
    def laid_out(
        cls,
        figure: Figure,
        theme: Theme,
        width: float,
        height: float,
        x_view: View,
        y_view: View,
        stale: bool = False,
        has_rows: bool = False,
    ) -> Picture:
        """The picture of a figure at a size, showing part of its axes."""
        return cls(figure, theme, width, height, mapping(figure, width, height, x_view, y_view), stale, has_rows)

    def x_ticks(self) -> list[tuple[float, str]]:
        """Ticks of the x axis whose texts do not touch."""
        px, ticks = self.view.px, axis_ticks(self.figure.x, self.view.x_view, self.view.width, 96.0)
        ticks.sort(key=lambda one: px(one[0]))
        edges = [(px(at) - text_width(text) / 2, px(at) + text_width(text) / 2) for at, text in ticks]
        return [ticks[number] for number in _apart(edges)]

    def y_ticks(self) -> list[tuple[float, str]]:
        """Ticks of the y axis; none where rows stand."""
        return [] if self.figure.rows else axis_ticks(self.figure.y, self.view.y_view, self.view.height, Y_PITCH_PX)

    def paint_below(self, painter: QPainter) -> None:
        """Background, header, grid and axes."""
        ink = Ink(painter, self.theme)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        ink.fill(QRectF(0, 0, self.width, self.height), "bg")
        paint_header(ink, self.figure, self.width, title_left(self.figure, self.has_rows))
        if self.figure.empty:
            return
        x_ticks, y_ticks = self.x_ticks(), self.y_ticks()
        paint_back(ink, self.figure, self.view, [at for at, _ in x_ticks], [at for at, _ in y_ticks])
        self._paint_axes(ink, x_ticks, y_ticks)

    def _paint_axes(self, ink: Ink, x_ticks: list[tuple[float, str]], y_ticks: list[tuple[float, str]]) -> None:
        area = plot_rect(self.view)
        if self.figure.x.shown:
            if not self.figure.rows:
                ink.line(area.left(), area.bottom(), area.right(), area.bottom(), ink.pen("line2"))
            for at, text in x_ticks:
                ink.text(self.view.px(at), area.bottom() + 13, text, "ink3", "centre")
            ink.text(self.title_places()[0], area.bottom() + 33, self.figure.x.title, "ink2", "centre")
        for at, text in y_ticks:
            ink.text(area.left() - TICK_GAP_PX, self.view.py(at), text, "ink3", "right")
        if not self.figure.rows:
            ink.upright_text(8, self.title_places()[1], self.figure.y.title)

    def title_places(self) -> tuple[float, float]:
        """Middles of the axes' titles, px from the left and from the top: the plot's, or as near as fits."""
        area, figure = plot_rect(self.view), self.figure
        across = _inside(area.center().x(), text_width(figure.x.title), self.width)
        return across, _inside(area.center().y(), text_width(figure.y.title), self.height)

    def paint_data(self, painter: QPainter, lit: Highlights) -> None:
        """Everything that shows results, faded when they are stale."""
        if self.figure.empty:
            return
        ink = Ink(painter, self.theme)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setOpacity(STALE_OPACITY if self.stale else 1.0)
        if self.figure.rows:
            paint_rows(ink, self.figure, self.view, lit.selected, lit.hovered, self.width, lit.part)
        paint_areas(ink, self.figure, self.view)
        paint_curves(ink, self.figure.curves, self.view, lit.selected)
        paint_whiskers(ink, self.figure.marks, self.view)
        paint_limits(ink, self.figure, self.view)
        paint_marks(ink, self.figure.marks, self.view, lit)
        labels = label_places(self.figure, self.view, lit)
        paint_names(ink, name_places(self.figure, self.view, labels))
        paint_labels(ink, labels, lit.selected)
        paint_notes(ink, self.figure, self.view)
        painter.setOpacity(1.0)

    def paint_empty(self, painter: QPainter) -> None:
        """The sentence that stands in place of the axes."""
        Ink(painter, self.theme).text(self.width / 2, self.height / 2, self.figure.empty, "ink2", "centre")


def title_left(figure: Figure, has_rows: bool = False) -> float:
    """Where the title begins, px: over the names of rows, and there too while a chart that ``has_rows`` has none."""
    return 20.0 if (has_rows or figure.rows) and not figure.names_above else 4.0


def _inside(middle: float, length_px: float, room_px: float) -> float:
    """The middle of a text, moved as far as it takes for both its ends to lie in the picture."""
    half = min(length_px, room_px) / 2
    return min(max(middle, half), room_px - half)


def paint_figure(painter: QPainter, rect: QRectF, figure: Figure, theme: Theme, selected: str | None = None) -> None:
    """A whole figure into a rectangle of any painter, for the PDF and picture files."""
    painter.save()
    painter.translate(rect.topLeft())
    painter.setClipRect(QRectF(0, 0, rect.width(), rect.height()))
    views = (figure.x.low, figure.x.high), (figure.y.low, figure.y.high)
    picture = Picture.laid_out(figure, theme, rect.width(), rect.height(), *views)
    picture.paint_below(painter)
    picture.paint_data(painter, Highlights(selected=selected))
    picture.paint_empty(painter)
    painter.restore()
