"""Phases as bars over days, and below them, on the same days, what each way has cost so far.

pyqtgraph's own plots, bars, curves, bands and lines; nothing is painted by hand.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

import numpy as np
from PySide6.QtCore import QPointF, Qt, Signal
from PySide6.QtGui import QBrush, QColor, QFont, QKeyEvent, QMouseEvent, QResizeEvent
from PySide6.QtWidgets import QGraphicsRectItem

from core.comparison.over_time.answer import OverTime
from core.comparison.over_time.runs import Run
from core.comparison.over_time.way import Way
from core.comparison.over_time.words import bar_words, day_words
from gui.charts.figure.shown import colour_key
from gui.charts.figure.texts import MoneyScale, money_scale
from gui.charts.figure.ticks import month_ticks
from gui.charts.view.bare_plot import bare_plot
from gui.charts.view.graphs import pg
from gui.tabs.over_time.following import following
from gui.theme.fonts import elided, font, width_px
from gui.theme.plain import as_text, tip
from gui.theme.theme import Theme

ROW_PX, BAR_SHARE, TOTAL_PX, CASH_PX, AXIS_PX, LEFT_PX, FONT_PX = 36, 14 / 36, 24, 124, 22, 48, 12
GRAB_PX = 6
WORDS_AIR_PX = GRAB_PX + 8.5
"""What words take beside their letters: the distance from their place, and the margins of such an item."""
PORTING_COLOUR = "porting"
LABEL_PX = 100
"""Room at the right for names of curves."""
MONTH_PX = 52
"""Name of a month with its year below the axis; one that would not stand there whole is left out."""
_SYMBOLS = {"All-TPU": "s"}
"""Square for TPU; all others have a circle."""

_KEYS = {"Mixed": "ink", "All-TPU": "google_tpu", "All-GPU": "nvidia_gpu"}

pg.setConfigOptions(antialias=True)


@dataclass(frozen=True, slots=True)
class Grab:
    """What is under the pointer: an ``end`` or the ``body`` of a phase's bar, or the ``deadline``."""

    part: str
    phase_id: str = ""
    offset: float = 0.0


class PhasePlots(pg.GraphicsLayoutWidget):
    """Ends, bodies and the deadline are dragged with the mouse, or moved by Shift, Ctrl and arrow keys; days are those
    of the plan. With Alt the phases that follow keep their starts, as ``end_moved`` and ``start_moved`` say last.
    Nothing moves while ``can_edit`` is False."""

    chosen = Signal(str)
    why_wanted = Signal(str)
    edit_wanted = Signal(str)
    end_moved = Signal(str, float, bool)
    start_moved = Signal(str, float, bool)
    deadline_moved = Signal(float)
    remove_wanted = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("phase-plots")
        self.setAccessibleName("Phases over time")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.viewport().setMouseTracking(True)
        self.can_edit = True
        self.way: Way | None = None
        self.selected = ""
        self._grab: Grab | None = None
        self._ghost: pg.InfiniteLine | None = None
        self.followers: list[pg.BarGraphItem] = []
        self._shown: tuple[OverTime, int, str, Theme] | None = None
        self._ground: QGraphicsRectItem | None = None
        self.ci.layout.setContentsMargins(0, 0, 0, 0)
        self.ci.layout.setSpacing(0)
        self.bars = self._new_plot(0)
        self.cash = self._new_plot(1)
        self.cash.setXLink(self.bars)
        self.cash.setFixedHeight(CASH_PX + AXIS_PX)

    def show_way(self, answer: OverTime, place: int, selected: str, theme: Theme) -> MoneyScale:
        """Draws one of the ways, the others as lines of money; the scale that money is shown in."""
        way = answer.ways[place]
        self.way, self.selected, self._theme = way, selected, theme
        self._shown = answer, place, selected, theme
        self.setBackground(theme.color("bg"))
        self.bars.clear()
        self.cash.clear()
        self._ghost, self.followers = None, []
        if self._ground is not None:
            self.scene().removeItem(self._ground)
            self._ground = None
        n_rows = len(way.runs)
        self.bars.setFixedHeight(ROW_PX * n_rows + TOTAL_PX)
        self.setFixedHeight(ROW_PX * n_rows + TOTAL_PX + CASH_PX + AXIS_PX)
        last = max(float(run.end[0]) for one in answer.ways for run in one.runs)
        last = max(last, way.deadline or 0.0, float(way.cash.days[-1]))
        self._a_px = last / max(self.width() - LEFT_PX - LABEL_PX, LABEL_PX)
        right = last + LABEL_PX * self._a_px
        self.bars.setXRange(0.0, right, padding=0)
        self.bars.setYRange(0.0, n_rows + TOTAL_PX / ROW_PX, padding=0)
        self.bars.getViewBox().invertY(True)
        for row, run in enumerate(way.runs):
            self._draw_run(way, row, run, right)
        self._draw_whiskers(way)
        scale = self._draw_cash(answer, place)
        self._draw_deadline(way)
        self._show_months(way.first_day, right - MONTH_PX / 2 * self._a_px)
        self._tell(way)
        return scale

    def _new_plot(self, row: int) -> pg.PlotItem:
        plot = bare_plot(self)
        self.ci.addItem(plot, row=row, col=0)
        plot.setMouseEnabled(x=False, y=False)
        plot.getAxis("left").setWidth(LEFT_PX)
        plot.hideAxis("bottom")
        return plot

    def _draw_run(self, way: Way, row: int, run: Run, right: float) -> None:
        middle = row + 0.5
        if run.phase.id == self.selected:
            self._add_bar(0.0, right, middle, self._theme.color("sel"), 1.0).setZValue(-30)
            self._tint_axis(row)
        begin, there, works, end = _edges(run)
        colour = self._theme.color(colour_key(run.held.result.candidate.accelerator))
        self._add_bar(begin, there, middle, _hatch(self._theme.color("ctl")))
        self._add_bar(there, works, middle, _hatch(self._porting()))
        is_port = not run.phase.works_on_chips
        self._add_bar(works, end, middle, _hatch(self._porting()) if is_port else QBrush(colour))
        if any(gate.run is run for gate in way.gates):
            half = 2.0 * self._a_px
            self._add_bar(end - half, end + half, middle, self._theme.color("ink"), 18 / ROW_PX)
        self._draw_words(way, run, middle, right)

    def _tint_axis(self, row: int) -> None:
        """The row that is selected goes through to the names at the left."""
        self._ground = self.scene().addRect(
            0.0, ROW_PX * row, LEFT_PX, ROW_PX, Qt.PenStyle.NoPen, self._theme.color("sel")
        )
        self._ground.setZValue(-100)

    def _draw_whiskers(self, way: Way) -> None:
        """The 80 % range of each end: light within the bar, dark beyond it."""
        for key, is_inside in (("bg", True), ("ink2", False)):
            pairs: list[tuple[float, float]] = []
            for row, run in enumerate(way.runs):
                ends = run.ends
                low = max(ends.low, float(run.work_begins[0])) if is_inside else ends.likely
                high = ends.likely if is_inside else ends.high
                pairs += [(low, row + 0.5), (high, row + 0.5)] if high > low else []
            days, rows = np.array(pairs).reshape(-1, 2).T
            pen = pg.mkPen(self._theme.color(key), width=1.25)
            _put(self.bars, pg.PlotDataItem(days, rows, pen=pen, connect="pairs"))

    def _draw_words(self, way: Way, run: Run, middle: float, right: float) -> None:
        """At the right of the bar and its whisker, at its left where there is no room, else over the whisker and, for
        the last letters, over the bar's end; where that takes half of it, cut."""
        told = as_text(bar_words(way, run))
        is_chosen, is_strong = run.phase.id == self.selected, run is way.deciding
        lacks_measures = any(gate.run is run and not gate.measures for gate in way.gates)
        begin, high = float(run.begin[0]), max(run.ends.likely, run.ends.high)
        needs = (width_px(told, FONT_PX, is_strong) + 3 * GRAB_PX) * self._a_px
        is_left = high + needs > right and begin > needs
        is_whole = right - needs >= (begin + run.ends.likely) / 2
        over = min(run.ends.likely, right - needs) if is_whole else run.ends.likely
        at = begin if is_left else high if high + needs <= right else over
        shown = told if is_left else elided(told, (right - at) / self._a_px - WORDS_AIR_PX, FONT_PX, is_strong)
        colour = self._theme.color("warn" if lacks_measures else "ink2")
        words = pg.TextItem(shown, colour, fill=self._theme.color("sel" if is_chosen else "bg"))
        words.setFont(_font(is_strong))
        words.setToolTip(tip(told))
        words.setAnchor((1.0, 0.5) if is_left else (0.0, 0.5))
        words.setPos(at - GRAB_PX * self._a_px if is_left else at + GRAB_PX * self._a_px, middle)
        words.setZValue(5)
        _put(self.bars, words)

    def _add_bar(self, x0: float, x1: float, middle: float, brush: Any, share: float = BAR_SHARE) -> pg.BarGraphItem:
        is_hatched = isinstance(brush, QBrush) and brush.style() == Qt.BrushStyle.BDiagPattern
        pen = pg.mkPen(brush.color(), width=1) if is_hatched else None
        bar = pg.BarGraphItem(x0=[x0], x1=[x1], y0=[middle - share / 2], height=[share], brush=brush, pen=pen)
        if x1 > x0:
            _put(self.bars, bar)
        return bar

    def _draw_cash(self, answer: OverTime, place: int) -> MoneyScale:
        way = answer.ways[place]
        curves = [one.cash for one in answer.ways]
        largest = max(float(way.cash.high_usd.max()), *(float(one.likely_usd.max()) for one in curves))
        scale = money_scale(largest)
        cash = way.cash
        edges = [pg.PlotCurveItem(cash.days, usd, pen=None) for usd in (cash.low_usd, cash.high_usd)]
        fill = QColor(self._theme.color("ink3"))
        fill.setAlphaF(0.18)
        for edge in edges:
            _put(self.cash, edge)
        _put(self.cash, pg.FillBetweenItem(*edges, brush=fill))
        for number, one in enumerate(answer.ways):
            self._draw_curve(one, number == place)
        if way.fallback is not None:
            path = way.fallback.way.cash
            pen = pg.mkPen(self._theme.color("ink2"), width=1, style=Qt.PenStyle.DotLine)
            _put(self.cash, _curve(path.days, path.likely_usd, pen))
        self._place_names(answer, largest, scale)
        self.cash.setYRange(0.0, 1.08 * largest, padding=0)
        left = self.cash.getAxis("left")
        left.setTicks([[(usd, scale.text(usd)) for usd in money_ticks(largest, scale.divisor)]])
        return scale

    def _draw_curve(self, way: Way, is_shown: bool) -> None:
        colour = self._theme.color(_KEYS.get(way.title, "ink"))
        _put(self.cash, _curve(way.cash.days, way.cash.likely_usd, pg.mkPen(colour, width=2.0 if is_shown else 1.25)))
        symbol = _SYMBOLS.get(way.title, "o")
        x, y = [float(way.cash.days[-1])], [float(way.cash.likely_usd[-1])]
        _put(self.cash, pg.ScatterPlotItem(x, y, size=7, symbol=symbol, brush=colour, pen=None))

    def _place_names(self, answer: OverTime, largest: float, scale: MoneyScale) -> None:
        """Names at the ends of their curves, from the top down, none over another."""
        step = 15.0 / CASH_PX * 1.08 * largest
        below, last = 2.0 * largest, max(float(way.cash.days[-1]) for way in answer.ways)
        for way in sorted(answer.ways, key=lambda one: -one.total.likely):
            at = min(float(way.cash.likely_usd[-1]), below - step)
            below = at
            told = f"{way.title} {scale.text(way.total.likely)}"
            words = pg.TextItem(told, self._theme.color(_KEYS[way.title]), fill=self._theme.color("bg"))
            words.textItem.document().setDocumentMargin(0.0)  # or its ground would cover the name above it
            words.setFont(_font(is_strong=True))
            words.setAnchor((0.0, 0.5))
            own = float(way.cash.days[-1])
            beside = last if last - own < LABEL_PX * self._a_px else own
            words.setPos(beside + GRAB_PX * self._a_px, at)
            _put(self.cash, words)

    def _draw_deadline(self, way: Way) -> None:
        if way.deadline is None:
            return
        pen = pg.mkPen(self._theme.color("ink"), width=1, dash=[5, 4])
        for plot in (self.bars, self.cash):
            line = pg.InfiniteLine(way.deadline, pen=pen)
            line.setZValue(-10)
            _put(plot, line)
        words = pg.TextItem(f"Deadline {day_words(way, way.deadline)}", self._theme.color("ink2"), anchor=(0.0, 0.0))
        words.setFont(_font())
        words.setPos(way.deadline, float(len(way.runs)))
        _put(self.bars, words)
        handle = pg.ScatterPlotItem([way.deadline], [0.0], size=9, symbol="s", brush=self._theme.color("ink"), pen=None)
        _put(self.cash, handle)

    def _show_months(self, first_day: date, last: float) -> None:
        self.cash.showAxis("bottom")
        axis = self.cash.getAxis("bottom")
        axis.setHeight(AXIS_PX)
        axis.setStyle(hideOverlappingLabels=LEFT_PX)  # the first month stands half below the other axis
        axis.setTicks([month_ticks(first_day, last)])
        for plot in (self.bars, self.cash):
            for side in ("left", "bottom"):
                plot.getAxis(side).setPen(self._theme.color("line"))
                plot.getAxis(side).setTextPen(self._theme.color("ink2"))
                plot.getAxis(side).setTickFont(_font())
        self.bars.getAxis("left").setTicks([[]])
        self.bars.getAxis("left").setPen(None)

    def _tell(self, way: Way) -> None:
        told = [f"{run.phase.name}: {bar_words(way, run)}" for run in way.runs]
        self.setAccessibleDescription(". ".join(told))

    def _porting(self) -> QColor:
        return QColor(self._theme.part_colour(PORTING_COLOUR))

    def place_of(self, row: int, day: float) -> QPointF:
        """Where a day of a row stands in the widget, for whoever points there."""
        scene = self.bars.getViewBox().mapViewToScene(QPointF(day, row + 0.5))
        return QPointF(self.mapFromScene(scene))

    def grab_at(self, at: QPointF) -> Grab | None:
        """What could be dragged at a place of the widget."""
        if self.way is None:
            return None
        scene = self.mapToScene(at.toPoint())
        day = float(self.bars.getViewBox().mapSceneToView(scene).x())
        a_px = float(self.bars.getViewBox().viewPixelSize()[0])
        row = int(np.floor(self.bars.getViewBox().mapSceneToView(scene).y()))
        if self.bars.sceneBoundingRect().contains(scene) and 0 <= row < len(self.way.runs):
            run = self.way.runs[row]
            begin, _, _, end = _edges(run)
            if abs(day - end) <= GRAB_PX * a_px:
                return Grab("end", run.phase.id, day - end)
            if begin <= day <= end:
                return Grab("body", run.phase.id, day - begin)
        if self.way.deadline is not None and abs(day - self.way.deadline) <= GRAB_PX * a_px:
            return Grab("deadline", "", day - self.way.deadline)
        return None

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Words stand where there is room for them."""
        super().resizeEvent(event)
        shown = getattr(self, "_shown", None)  # pyqtgraph sizes itself before there is anything
        if shown is not None and event.size().width() != event.oldSize().width():
            self.show_way(*shown)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Chooses a phase, and takes hold of what can be dragged."""
        self.setFocus()
        self._grab = self.grab_at(event.position()) if event.button() == Qt.MouseButton.LeftButton else None
        row = self._row_at(event.position())
        if row is not None:
            self.chosen.emit(row)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """A violet line follows what is dragged."""
        if self._grab is not None and event.buttons() & Qt.MouseButton.LeftButton and self.can_edit:
            self._show_ghost(self._day_at(event.position()) - self._grab.offset, _is_alone(event))
        else:
            self.setCursor(_cursor(self.grab_at(event.position()) if self.can_edit else None))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """What was dragged stays where it was let go: one change."""
        grab, ghost = self._grab, self._ghost
        self._grab = None
        if ghost is None or grab is None:
            return
        self._drop_ghost()
        day = self._day_at(event.position()) - grab.offset
        if grab.part == "deadline":
            self.deadline_moved.emit(day)
        else:
            moved = self.end_moved if grab.part == "end" else self.start_moved
            moved.emit(grab.phase_id, day, _is_alone(event))

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """A phase as text."""
        row = self._row_at(event.position())
        if row is not None:
            self.edit_wanted.emit(row)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Up and down walk the phases; Shift and arrows move an end by a day, Ctrl and arrows a start; Enter opens Why,
        F2 the phase as text, Delete takes it out. With Alt those that follow stay."""
        run = next((one for one in self.way.runs if one.phase.id == self.selected), None) if self.way else None
        step = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}.get(Qt.Key(event.key()), 0)
        walk = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}.get(Qt.Key(event.key()), 0)
        keys = {
            Qt.Key.Key_Return: self.why_wanted,
            Qt.Key.Key_F2: self.edit_wanted,
            Qt.Key.Key_Delete: self.remove_wanted,
        }
        if walk and self.way is not None:
            self._walk(walk)
        elif run is not None and step and event.modifiers() & Qt.KeyboardModifier.ShiftModifier and self.can_edit:
            self.end_moved.emit(run.phase.id, float(run.end[0]) + step, _is_alone(event))
        elif run is not None and step and event.modifiers() & Qt.KeyboardModifier.ControlModifier and self.can_edit:
            self.start_moved.emit(run.phase.id, float(run.begin[0]) + step, _is_alone(event))
        elif run is not None and Qt.Key(event.key()) in keys:
            keys[Qt.Key(event.key())].emit(run.phase.id)
        else:
            super().keyPressEvent(event)

    def _walk(self, step: int) -> None:
        ids = [run.phase.id for run in self.way.runs] if self.way else []
        if ids:
            at = ids.index(self.selected) if self.selected in ids else (-1 if step > 0 else len(ids))
            self.chosen.emit(ids[min(max(at + step, 0), len(ids) - 1)])

    def _day_at(self, at: QPointF) -> float:
        return float(self.bars.getViewBox().mapSceneToView(self.mapToScene(at.toPoint())).x())

    def _row_at(self, at: QPointF) -> str | None:
        scene = self.mapToScene(at.toPoint())
        if self.way is None or not self.bars.sceneBoundingRect().contains(scene):
            return None
        row = int(np.floor(self.bars.getViewBox().mapSceneToView(scene).y()))
        return self.way.runs[row].phase.id if 0 <= row < len(self.way.runs) else None

    def _show_ghost(self, day: float, alone: bool) -> None:
        if self._ghost is None:
            self._ghost = pg.InfiniteLine(day, pen=pg.mkPen(self._theme.color("accent"), width=2))
            _put(self.bars, self._ghost)
        self._ghost.setValue(day)
        self._show_followers(day, alone)

    def _show_followers(self, day: float, alone: bool) -> None:
        """Outlines of the phases that move with an end, while it is dragged."""
        self._drop_followers()
        if self.way is None or self._grab is None or self._grab.part != "end":
            return
        moved = following(self.way.runs, self.way.first_day, self._grab.phase_id, day, alone)
        pen = pg.mkPen(self._theme.color("accent"), width=1.5)
        for row, run in enumerate(self.way.runs):
            if run.phase.id in moved:
                begin, end = moved[run.phase.id]
                y0 = row + 0.5 - BAR_SHARE / 2
                bar = pg.BarGraphItem(x0=[begin], x1=[end], y0=[y0], height=[BAR_SHARE], brush=None, pen=pen)
                _put(self.bars, bar)
                self.followers.append(bar)

    def _drop_followers(self) -> None:
        for bar in self.followers:
            self.bars.removeItem(bar)
        self.followers = []

    def _drop_ghost(self) -> None:
        self._drop_followers()
        if self._ghost is not None:
            self.bars.removeItem(self._ghost)
        self._ghost = None


def money_ticks(largest_usd: float, divisor: float, most: int = 4) -> list[float]:
    """Round amounts from 0 up to the largest."""
    top = max(largest_usd / divisor, 1e-9)
    power = 10.0 ** np.floor(np.log10(top))
    step = next(power * part for part in (0.1, 0.2, 0.5, 1.0, 2.0, 5.0) if top / (power * part) <= most)
    return [float(number * step * divisor) for number in range(int(top / step) + 1)]


def _edges(run: Run) -> tuple[float, float, float, float]:
    """Likely days on which a phase begins, has its chips, works, and ends."""
    begin, waiting = float(run.begin[0]), float(run.waiting[0])
    return begin, begin + waiting, float(run.work_begins[0]), float(run.end[0])


def _curve(days: Sequence[float] | Any, usd: Any, pen: Any) -> pg.PlotDataItem:
    return pg.PlotDataItem(np.asarray(days), np.asarray(usd), pen=pen)


def _put(plot: pg.PlotItem, item: Any) -> None:
    """What is drawn never changes the days or the money in view."""
    plot.addItem(item, ignoreBounds=True)


def _hatch(colour: QColor) -> QBrush:
    return QBrush(colour, Qt.BrushStyle.BDiagPattern)


def _is_alone(event: QMouseEvent | QKeyEvent) -> bool:
    return bool(event.modifiers() & Qt.KeyboardModifier.AltModifier)


def _cursor(grab: Grab | None) -> Qt.CursorShape:
    if grab is None:
        return Qt.CursorShape.ArrowCursor
    return Qt.CursorShape.OpenHandCursor if grab.part == "body" else Qt.CursorShape.SizeHorCursor


def _font(is_strong: bool = False) -> QFont:
    return font(FONT_PX, QFont.Weight.DemiBold if is_strong else QFont.Weight.Normal)
