"""What the two plots of the Inputs page share: a plot of pyqtgraph's own items in the colours of the theme."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QFont, QFontMetricsF
from PySide6.QtWidgets import QSizePolicy, QVBoxLayout, QWidget

from gui.charts.figure.ticks import linear_ticks, tick_text
from gui.charts.view.bare_plot import bare_plot
from gui.charts.view.graphs import pg
from gui.theme.fonts import font
from gui.theme.naming import named
from gui.theme.plain import as_html, as_text
from gui.theme.theme import Theme

FONT_PX = 12
N_TICKS = 5
FADED = 0.45
AXIS_PX, TOP_PX = 52, 6
LINE_PX = 16
"""What a second line of an axis title takes."""
SIDES = ("bottom", "left")


class PlotHolder(QWidget):
    """One plot without menus, zoom or pan. Subclasses put their items in with :meth:`add`."""

    def __init__(self, name: str, title: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        named(self, name, title)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.view = pg.GraphicsLayoutWidget()
        self.view.ci.layout.setContentsMargins(0, TOP_PX, 0, 0)
        self.view.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.view.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Ignored)
        self.plot = bare_plot(self)
        self.plot.setMouseEnabled(x=False, y=False)
        self.view.ci.addItem(self.plot, row=0, col=0)
        self.items: list[Any] = []
        self.titles: dict[str, list[str]] = {}
        self._named: dict[str, str] = {}
        self._words: list[Any] = []
        self.plot.getViewBox().sigResized.connect(self._fit)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.view)

    def fade(self, is_faded: bool) -> None:
        """What is seen is from before."""
        self.plot.setOpacity(FADED if is_faded else 1.0)

    def clear(self) -> None:
        """Takes out what was put in."""
        for item in self.items:
            self.plot.removeItem(item)
        self.items, self._words = [], []

    def add(self, item: Any, z: float) -> Any:
        """Puts an item in, at a height."""
        item.setZValue(z)
        self.plot.addItem(item, ignoreBounds=True)
        self.items.append(item)
        return item

    def add_words(self, words: str, x: float, y: float, theme: Theme, anchor: tuple[float, float]) -> None:
        """Words on a ground that parts them from what lies below; beside an edge of the plot they move inside."""
        ground = theme.color("bg")
        ground.setAlphaF(0.8)
        item = pg.TextItem(as_text(words), theme.color("ink"), anchor=anchor, fill=ground)
        item.setFont(small_font(QFont.Weight.DemiBold))
        item.setPos(x, y)
        self._words.append(self.add(item, 30.0))

    def colour(self, theme: Theme) -> None:
        """Axes and ground in the colours of a theme."""
        self.view.setBackground(theme.color("bg"))
        for side in SIDES:
            axis = self.plot.getAxis(side)
            axis.setPen(theme.color("line2"))
            axis.setTextPen(theme.color("ink2"))
            axis.setTickFont(small_font())

    def name_axes(self, across: str, up: str, theme: Theme) -> None:
        """What the axes are about: in two lines where one has no room."""
        self.titles, self._named = {}, dict(zip(SIDES, (across, up), strict=True))
        for side in SIDES:
            axis = self.plot.getAxis(side)
            axis.enableAutoSIPrefix(False)
            axis.setLabel("", color=theme.colours["ink2"], **{"font-size": f"{FONT_PX}px"})
        self._fit()

    def _fit(self) -> None:
        """Titles and words as the plot's size has room for them."""
        box = self.plot.getViewBox()
        for side, room_px in zip(SIDES, (box.width(), box.height()), strict=True):
            lines = in_lines(self._named.get(side, ""), room_px)
            if lines != self.titles.get(side):
                self._write_title(side, lines)
        for item in self._words:
            at, size = box.mapFromView(QPointF(item.pos())), item.boundingRect()
            anchor = item.anchor
            item.setAnchor((_inside(anchor[0], at.x(), size.width(), box.width()), anchor[1]))

    def _write_title(self, side: str, lines: list[str]) -> None:
        self.titles[side] = lines
        axis = self.plot.getAxis(side)
        axis.setLabel("<br>".join(map(as_html, lines)), **axis.labelStyle)
        if side == "left":
            axis.setWidth(AXIS_PX + LINE_PX * (len(lines) - 1))

    def tick(self, side: str, low: float, high: float, divisor: float = 1.0) -> None:
        """Round values along an axis, told in units of ``divisor``."""
        places = linear_ticks(low / divisor, high / divisor, N_TICKS)
        step = places[1] - places[0] if len(places) > 1 else 0.0
        self.plot.getAxis(side).setTicks([[(place * divisor, tick_text(place, step)) for place in places]])


def small_font(weight: QFont.Weight = QFont.Weight.Normal) -> QFont:
    """The font of ticks and words."""
    return font(FONT_PX, weight)


def in_lines(words: str, room_px: float) -> list[str]:
    """Words in one line, or where that is too long in two that are about as long; what has no room ends in dots."""
    width = QFontMetricsF(small_font()).horizontalAdvance
    parts = words.split(" ")
    if room_px <= 0 or width(words) <= room_px or len(parts) == 1:
        return [words]
    broken = [(" ".join(parts[:n]), " ".join(parts[n:])) for n in range(1, len(parts))]
    lines = min(broken, key=lambda two: max(map(width, two)))
    return [QFontMetricsF(small_font()).elidedText(line, Qt.TextElideMode.ElideRight, room_px) for line in lines]


def _inside(anchor: float, at_px: float, width_px: float, room_px: float) -> float:
    """The share of words that lies before their place, so that none of them lies outside."""
    if not 0 < width_px < room_px:
        return anchor
    left = min(max(at_px - anchor * width_px, 0.0), room_px - width_px)
    return (at_px - left) / width_px


def span_of(values: Sequence[float], pad: float = 0.05) -> tuple[float, float]:
    """The ends of some values with room around them."""
    low, high = min(values), max(values)
    room = pad * (high - low) or abs(high) * pad or 1.0
    return low - room, high + room
