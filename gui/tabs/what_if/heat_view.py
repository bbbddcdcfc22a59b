"""Who is picked where two inputs move together: an image, lines where picks meet, and a ring that can be dragged."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QPen
from PySide6.QtWidgets import QWidget

from core.comparison.result import ResultSet
from core.comparison.what_if.heat_map import HeatMap
from core.comparison.what_if.inputs import Input, is_long_time
from core.comparison.what_if.words import title_of, value_words
from core.units import ms_unit, rounded
from gui.charts.figure.texts import money_scale
from gui.charts.view.graphs import pg
from gui.tabs.what_if.gap_rows import Picked, picked_in
from gui.tabs.what_if.plots import PlotHolder
from gui.theme.plain import as_text
from gui.theme.theme import Theme

Pixels = NDArray[np.uint8]
FAINTEST, STRONGEST = 0.12, 0.78
"""How much of a winner's colour stands where its lead is nothing, and where it is the largest."""
N_STEPS = 8
"""Shades that are told apart."""
NUDGE = 0.05
SMALL_SHARE = 0.02
"""Regions of less of the map have no name on it."""
RING_PX = 11


def shades(heat: HeatMap, picked: list[Picked], theme: Theme) -> Pixels:
    """The map's cells as colours, shape (n y, n x, 4): the winner's, the stronger the larger its lead."""
    largest = float(np.nanmax(np.abs(heat.lead_usd))) if np.isfinite(heat.lead_usd).any() else 1.0
    lead = np.nan_to_num(np.abs(heat.lead_usd) / (largest or 1.0), nan=0.5)
    strength = FAINTEST + (STRONGEST - FAINTEST) * np.ceil(lead * N_STEPS) / N_STEPS
    ground = _rgb(theme.color("bg"))
    colours = np.array([_rgb(theme.color(one.colour if one.fits else "ctl")) for one in picked])
    strength = np.where(np.array([one.fits for one in picked])[heat.winner], strength, 0.35)
    mixed = ground + strength[..., None] * (colours[heat.winner] - ground)
    return np.dstack((mixed, np.full(heat.winner.shape, 255.0))).round().astype(np.uint8)


def roomiest(heat: HeatMap, number: int) -> tuple[int, int]:
    """The cell of a region that lies farthest from other regions, from the edges and from the ring."""
    n_y, n_x = heat.winner.shape
    rows, columns = np.nonzero(heat.winner == number)
    places = np.column_stack((rows / n_y, columns / n_x))
    around = np.column_stack(np.nonzero(heat.winner != number)) / (n_y, n_x)
    ring = np.array([np.argmin(np.abs(heat.ys - heat.y.now)) / n_y, np.argmin(np.abs(heat.xs - heat.x.now)) / n_x])
    edge = np.minimum(places, 1.0 - places).min(axis=1)
    away = np.hypot(*(places - ring).T) - 0.08
    apart = np.hypot(*(places[:, None] - around).T).min(axis=0) if len(around) else np.full(len(places), 1.0)
    best = int(np.argmax(np.minimum(np.minimum(2 * edge, away), apart)))
    return int(rows[best]), int(columns[best])


def _rgb(colour: QColor) -> NDArray[np.float64]:
    return np.array([colour.red(), colour.green(), colour.blue()], dtype=np.float64)


class HeatView(PlotHolder):
    """``tried`` tells values of both inputs to which the ring came, ``moved`` those at which it was left; arrows with
    Shift move it, Home brings it back, Enter enters where it stands."""

    tried = Signal(object, float, object, float)
    moved = Signal(object, float, object, float)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("what-if-map", "Two inputs at once", parent)
        self.heat: HeatMap | None = None
        self.note = ""
        self._ring: Any = None

    def show_map(self, heat: HeatMap | None, results: ResultSet, theme: Theme) -> None:
        """Another map, or none yet."""
        self.clear()
        self.colour(theme)
        self.heat, self.note = heat, ""
        if heat is None:
            self.setAccessibleDescription("")
            return
        picked = [picked_in(results, one) for one in heat.winners]
        box = QRectF(*_corner(heat), *_size(heat))
        image = pg.ImageItem(shades(heat, picked, theme), axisOrder="row-major")
        image.setRect(box)
        self.add(image, -10.0)
        self._draw_lines(heat, theme)
        self._name_regions(heat, picked, theme)
        self._draw_ring(heat, theme)
        self._scale(heat, box, theme)
        self._tell(heat, picked)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Shift and arrows move the ring by a twentieth of the map."""
        steps = {
            Qt.Key.Key_Left: (-1, 0), Qt.Key.Key_Right: (1, 0), Qt.Key.Key_Down: (0, -1), Qt.Key.Key_Up: (0, 1)
        }  # fmt: skip
        key, heat = Qt.Key(event.key()), self.heat
        if heat is None or self._ring is None:
            super().keyPressEvent(event)
        elif key in steps and event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            width, height = _size(heat)
            at = self._ring.pos()
            self._ring.setPos(at.x() + steps[key][0] * NUDGE * width, at.y() + steps[key][1] * NUDGE * height)
            self._say_where(heat)
        elif key in (Qt.Key.Key_Home, Qt.Key.Key_Escape):
            self._ring.setPos(heat.x.now, heat.y.now)
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._on_left()
        else:
            super().keyPressEvent(event)

    def name_at(self, x: float, y: float) -> str:
        """The pick at a place of the map: the option where it is known, as it is for this plan, elsewhere its chip."""
        heat = self.heat
        if heat is None:
            return ""
        return heat.now.name if (x, y) == (heat.x.now, heat.y.now) else heat.winner_at(x, y).name

    def show_tried(self, x: float, y: float, name: str) -> None:
        """The option that is picked at two values, where the ring still stands there."""
        if self.heat is not None and self._place(self.heat) == (x, y):
            self._say(self.heat, name)

    def _draw_lines(self, heat: HeatMap, theme: Theme) -> None:
        for line in heat.borders:
            self.add(pg.PlotDataItem(line[:, 0], line[:, 1], pen=pg.mkPen(theme.color("ink"), width=1.5)), 5.0)
        left, bottom, right, top = heat.likely_box
        xs, ys = [left, right, right, left, left], [bottom, bottom, top, top, bottom]
        dashed = pg.mkPen(theme.color("ink"), width=1, style=Qt.PenStyle.DashLine)
        self.add(pg.PlotDataItem(xs, ys, pen=dashed), 6.0)

    def _name_regions(self, heat: HeatMap, picked: list[Picked], theme: Theme) -> None:
        for number, one in enumerate(picked):
            if (heat.winner == number).sum() > SMALL_SHARE * heat.winner.size:
                row, column = roomiest(heat, number)
                self.add_words(one.name, heat.xs[column], heat.ys[row], theme, (0.5, 0.5))

    def _draw_ring(self, heat: HeatMap, theme: Theme) -> None:
        pen: QPen = pg.mkPen(theme.color("ink"), width=1.5)
        self._ring = pg.TargetItem(
            (heat.x.now, heat.y.now), size=RING_PX, symbol="o", pen=pen, brush=theme.color("bg"),
            hoverPen=pg.mkPen(theme.color("accent"), width=2), movable=True, label="this plan",
            labelOpts={"color": theme.color("ink"), "offset": (10, -12), "fill": theme.color("bg")},
        )  # fmt: skip
        self._ring.sigPositionChanged.connect(self._on_moving)
        self._ring.sigPositionChangeFinished.connect(self._on_left)
        self.add(self._ring, 40.0)

    def _scale(self, heat: HeatMap, box: QRectF, theme: Theme) -> None:
        self.plot.setXRange(box.left(), box.right(), padding=0)
        self.plot.setYRange(box.top(), box.bottom(), padding=0)
        for side, one, low, high in (
            ("bottom", heat.x, box.left(), box.right()),
            ("left", heat.y, box.top(), box.bottom()),
        ):
            self.tick(side, low, high, _divisor(one, max(abs(low), abs(high))))
        self.name_axes(_axis_words(heat.x, box.right()), _axis_words(heat.y, box.bottom()), theme)

    def _tell(self, heat: HeatMap, picked: list[Picked]) -> None:
        if np.isfinite(heat.lead_usd).any():
            self.note = "darker: the pick leads by more"
        names = " and ".join(dict.fromkeys(one.name for one in picked))
        axes = f"{title_of(heat.x)} across, {title_of(heat.y)} up"
        self.setAccessibleDescription(as_text(f"{axes}: {names}. This plan: {heat.now.name}"))

    def _on_moving(self, _: object) -> None:
        if self.heat is not None:
            self._say_where(self.heat)

    def _say_where(self, heat: HeatMap) -> None:
        """The chip at once, and the option as soon as somebody who was told knows it."""
        x, y = self._place(heat)
        self._say(heat, self.name_at(x, y))
        if (x, y) != (heat.x.now, heat.y.now):
            self.tried.emit(heat.x, x, heat.y, y)

    def _say(self, heat: HeatMap, name: str) -> None:
        x, y = self._place(heat)
        label = self._ring.label()
        if label is not None:
            label.setPlainText(as_text(name))
        self.setAccessibleDescription(as_text(f"{value_words(heat.x, x)}, {value_words(heat.y, y)}: {name}"))

    def _place(self, heat: HeatMap) -> tuple[float, float]:
        """Where the ring stands, as round as a person would type it; as it is now to the last digit."""
        at, now = self._ring.pos(), (heat.x.now, heat.y.now)
        return now if (at.x(), at.y()) == now else (rounded(at.x()), rounded(at.y()))

    def _on_left(self, _: object = None) -> None:
        heat = self.heat
        if heat is not None and self._ring is not None:
            x, y = self._place(heat)
            self.moved.emit(heat.x, x, heat.y, y)


def _corner(heat: HeatMap) -> tuple[float, float]:
    return heat.xs[0] - _cell(heat.xs) / 2, heat.ys[0] - _cell(heat.ys) / 2


def _size(heat: HeatMap) -> tuple[float, float]:
    return _cell(heat.xs) * len(heat.xs), _cell(heat.ys) * len(heat.ys)


def _cell(middles: NDArray[np.float64]) -> float:
    return float(middles[1] - middles[0])


def _divisor(one: Input, largest: float) -> float:
    """Money in the scale and currency of the moment, large counts in millions and so on, long times in seconds."""
    if one.unit.startswith("USD"):
        return money_scale(largest).divisor
    if is_long_time(one):
        return ms_unit(one.now)[1]
    return next((size for size in (1e12, 1e9, 1e6) if largest >= size), 1.0)


def _axis_words(one: Input, largest: float) -> str:
    """``Price of B200 per chip hour, $``, ``Tokens, trillion``."""
    if one.unit.startswith("USD"):
        return f"{one.name}, {money_scale(abs(largest)).short}{one.unit.removeprefix('USD')}"
    if is_long_time(one):
        return f"{one.name}, {ms_unit(one.now)[0]}"
    scale = {1e12: "T", 1e9: "B", 1e6: "M"}.get(_divisor(one, abs(largest)), "")
    is_said = one.unit in str(one.name).lower()
    unit = f"{scale} {'' if is_said else one.unit}".strip()
    words = "% of the prediction" if one.unit == "%" and one.tilt else unit
    return f"{one.name}, {words}" if words else str(one.name)
