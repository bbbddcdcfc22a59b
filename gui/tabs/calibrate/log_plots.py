"""A log over time: the strip of its stretches above plots that share one time axis, with the window through all.

pyqtgraph's own plots, curves, bands, axes and region items; nothing is painted by hand.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QBrush, QColor, QFont, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QWidget

from core.calibration.own_logs.parts import Span
from core.calibration.own_logs.stretches import Stage, Stretch
from core.calibration.own_logs.use import Throttled
from core.logs.record import Series
from core.units import plain, span
from gui.charts.kinds.log_timeline import LogRow, TimeScale
from gui.charts.view.bare_plot import bare_plot
from gui.charts.view.graphs import pg
from gui.theme.plain import as_html, as_text
from gui.theme.theme import Theme

STRIP_PX, AXIS_PX, STATISTICS_PX, FONT_PX = 18, 48, 136, 11
ROW_GAP_PX = 14
LEAST_ROW_PX, TIME_PX = 46, 38
"""The least height of a plot, that of the three lines beside it, and what the axis of time takes below the last one."""

_LETTER_PX = 7
_NUDGE_SHARE = 0.01


pg.setConfigOptions(antialias=True)


class LogPlots(pg.GraphicsLayoutWidget):
    """``window_moved`` gives the window's ends in seconds when an edge is let go; ``part_chosen`` the time of a stretch
    of the strip that was clicked, or chosen by arrow keys and the space bar."""

    window_moved = Signal(float, float)
    part_chosen = Signal(float)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("Log over time")
        self.setObjectName("log-plots")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.plots: list[pg.PlotItem] = []
        self._drawn: list[_DrawnRow] = []
        self._made = ""
        self.strip: pg.PlotItem | None = None
        self.stages: tuple[Stretch, ...] = ()
        self.current = 0
        self._regions: list[pg.LinearRegionItem] = []
        self._marks: list[tuple[pg.PlotItem, Any]] = []
        self._labels: list[tuple[pg.TextItem, float]] = []
        self._statistics: list[pg.LabelItem] = []
        self.chip_curves: list[tuple[pg.PlotItem, pg.PlotDataItem]] = []
        self._is_syncing = False
        self.ci.layout.setContentsMargins(0, 0, 0, 0)
        self.ci.layout.setHorizontalSpacing(6)
        self.ci.layout.setVerticalSpacing(ROW_GAP_PX)
        self.scene().sigMouseClicked.connect(self._on_click)

    def show_rows(self, rows: Sequence[LogRow], scale: TimeScale, whole_s: Span, theme: Theme, colour: str) -> None:
        """Draws other readings, seen whole; plots are made anew where there are more or fewer, or in another theme."""
        self._scale = scale
        self.prepare(len(rows), theme)
        self.show_chip({})
        for drawn, row in zip(self._drawn, rows, strict=True):
            drawn.show(row, theme.color(colour))
        if self.plots:
            self._show_time(self.plots[-1])
        if self.strip is not None:
            self.strip.setXRange(*(whole_s if whole_s[1] > whole_s[0] else (whole_s[0], whole_s[0] + 1.0)), padding=0)
        self.setAccessibleDescription(". ".join(row.summary for row in rows))

    def prepare(self, n_rows: int, theme: Theme) -> None:
        """Makes what plots are missing, which takes longer than to draw them; those that are there stay."""
        if theme.name != self._made:
            self._theme, self._made = theme, theme.name
            self._make_strip()
        for place in range(len(self.plots) - 1, n_rows - 1, -1):
            self._drop_row(place)
        for place in range(len(self.plots), n_rows):
            self._add_row(place)
        for place, plot in enumerate(self.plots):
            is_last = place == n_rows - 1
            plot.showAxis("bottom", is_last)  # one for all: each would be drawn anew with every frame
            self.ci.layout.setRowMinimumHeight(place + 1, LEAST_ROW_PX + (TIME_PX if is_last else 0))
        self.setMinimumHeight(STRIP_PX + n_rows * (ROW_GAP_PX + LEAST_ROW_PX) + TIME_PX)

    def _make_strip(self) -> None:
        self._forget()
        self.setBackground(self._theme.color("bg"))
        self.strip = self._new_plot(0)
        self.strip.setFixedHeight(STRIP_PX)
        self.strip.setYRange(0.0, 1.0, padding=0)
        self.strip.getAxis("left").setStyle(showValues=False, tickLength=0)

    def _drop_row(self, place: int) -> None:
        plot, label = self.plots.pop(place), self._statistics.pop(place)
        self._drawn.pop(place)
        self._regions.pop(place)
        self._marks = [(other, item) for other, item in self._marks if other is not plot]
        plot.close()
        for item in (plot, label):
            self.ci.removeItem(item)

    def show_statistics(self, rows: Sequence[LogRow]) -> None:
        """Other figures beside the same rows."""
        for label in self._statistics[len(rows) :]:
            label.setText("")
        for label, row in zip(self._statistics, rows, strict=False):
            first, *others = row.lines
            ink, faint = self._theme.colours["ink"], self._theme.colours["ink3"]
            small = "".join(f"<br><span style='color:{faint}'>{as_html(one)}</span>" for one in others)
            title = f"<span style='font-weight:600'>{as_html(row.title)}</span>"
            label.setText(f"{title}<br>{as_html(first)}{small}", color=ink, size="12px")
        self.setAccessibleDescription(". ".join(row.summary for row in rows))

    def show_stages(self, stages: Sequence[Stretch], window_s: Span, throttled: Sequence[Throttled] = ()) -> None:
        """Draws what counts and what is cut, and the window through all plots."""
        self.stages = tuple(stages)
        self.current = min(self.current, max(len(self.stages) - 1, 0))
        for plot, item in self._marks:
            plot.removeItem(item)
        self._marks, self._labels = [], []
        if self.strip is not None:
            self._draw_strip(self.strip)
            for plot in self.plots:
                self._mark(plot, self._bars([one for one in self.stages if not one.is_kept], plot))
            self._draw_throttled(throttled)
        self._set_windows(window_s)
        for region in self._regions:
            region.setVisible(any(one.is_kept for one in self.stages))
        self._place_labels()

    def show_predicted(self, name: str, value: float) -> None:
        """A dashed line of what was predicted, in the plot of a quantity."""
        for plot in self.plots:
            if plot.titled == name:
                pen = pg.mkPen(self._theme.color("ink2"), width=1, style=Qt.PenStyle.DashLine)
                line = pg.InfiniteLine(value, angle=0, pen=pen)
                self._mark(plot, line)
                words = pg.TextItem(f"dashed: predicted {plain(value)}, before calibration", self._theme.color("ink2"))
                words.setFont(_font())
                words.setPos(self._regions[0].getRegion()[0] if self._regions else 0.0, value * 0.95)
                self._mark(plot, words)
                plot.setYRange(0.0, max(plot.viewRange()[1][1], value * 1.05), padding=0)

    def show_chip(self, readings: Mapping[str, tuple[Series, Series]]) -> None:
        """Times and readings of one chip by quantity, as a line of its own in each plot; none takes them away."""
        for plot, curve in self.chip_curves:
            plot.removeItem(curve)
        pen = pg.mkPen(self._theme.color("warn"), width=1.5) if readings else None
        drawn = [(plot, _curve(*readings[plot.titled], pen)) for plot in self.plots if plot.titled in readings]
        for plot, curve in drawn:
            plot.addItem(curve)
        self.chip_curves = drawn

    def _forget(self) -> None:
        for plot in [*self.plots, *([self.strip] if self.strip is not None else [])]:
            plot.close()
        self.ci.clear()
        self.plots, self._drawn, self._regions, self._statistics = [], [], [], []
        self._marks, self._labels, self.chip_curves = [], [], []

    def _new_plot(self, row: int) -> pg.PlotItem:
        plot = bare_plot(self)
        self.ci.addItem(plot, row=row, col=0)
        plot.setMouseEnabled(x=True, y=False)
        plot.titled = ""
        left = plot.getAxis("left")
        left.setWidth(AXIS_PX)
        plot.hideAxis("bottom")
        for side in ("left", "bottom"):
            plot.getAxis(side).setPen(self._theme.color("line"))
            plot.getAxis(side).setTextPen(self._theme.color("ink2"))
            plot.getAxis(side).setTickFont(_font())
        if self.strip is not None and row:
            plot.setXLink(self.strip)
        return plot

    def _add_row(self, number: int) -> None:
        plot = self._new_plot(number + 1)
        plot.setDownsampling(auto=True, mode="peak")
        plot.setClipToView(True)
        self._drawn.append(_DrawnRow(plot))
        self._add_window(plot)
        label = pg.LabelItem("", justify="left")
        label.setFixedWidth(STATISTICS_PX)
        label.item.setTextWidth(STATISTICS_PX)  # a long title goes on below
        self.ci.addItem(label, row=number + 1, col=1)
        self._statistics.append(label)
        self.plots.append(plot)

    def _show_time(self, plot: pg.PlotItem) -> None:
        axis = plot.getAxis("bottom")
        axis.setStyle(tickLength=-4)
        axis.setScale(1.0 / self._scale.seconds)
        axis.setSIPrefixEnableRanges(())  # else an axis drawn anew, of 0 to 1, keeps a prefix of thousands
        axis.enableAutoSIPrefix(False)
        axis.setLabel(self._scale.title, color=self._theme.colours["ink2"], **{"font-size": f"{FONT_PX}px"})

    def _add_window(self, plot: pg.PlotItem) -> None:
        tint = self._theme.color("sel")
        tint.setAlphaF(0.55)
        region = pg.LinearRegionItem(brush=tint, pen=pg.mkPen(self._theme.color("ink"), width=1.25), hoverBrush=tint)
        region.setZValue(-20)
        for line in region.lines:
            line.setZValue(20)
            line.setHoverPen(pg.mkPen(self._theme.color("accent"), width=2.5))
        region.sigRegionChanged.connect(partial(self._follow, region))
        region.sigRegionChangeFinished.connect(self._on_window)
        plot.addItem(region)
        self._regions.append(region)

    def _follow(self, moved: pg.LinearRegionItem, _: object = None) -> None:
        if not self._is_syncing:
            self._set_windows(moved.getRegion())

    def _set_windows(self, window_s: Span) -> None:
        self._is_syncing = True
        for region in self._regions:
            region.setRegion(window_s)
        self._is_syncing = False

    def _on_window(self, moved: pg.LinearRegionItem) -> None:
        if not self._is_syncing:
            start_s, end_s = moved.getRegion()
            self.window_moved.emit(float(start_s), float(end_s))

    def _mark(self, plot: pg.PlotItem, item: Any) -> None:
        plot.addItem(item, ignoreBounds=True)
        self._marks.append((plot, item))

    def _bars(self, stages: Sequence[Stretch], plot: pg.PlotItem) -> pg.BarGraphItem:
        """Hatched where cut, filled where kept."""
        (_, right), (_, top) = plot.viewRange()
        is_moment = self.stages[-1].end_s <= self.stages[0].start_s if self.stages else False
        return pg.BarGraphItem(
            x0=[one.start_s for one in stages],
            x1=[right if is_moment else one.end_s for one in stages],
            y0=[0.0] * len(stages),
            height=[float(top)] * len(stages),
            brushes=[self._brush(one) for one in stages],
            pen=None,
        )

    def _brush(self, stage: Stretch) -> QBrush:
        if not stage.is_kept:
            return QBrush(self._theme.color("line"), Qt.BrushStyle.BDiagPattern)
        colour = self._theme.color("nvidia_gpu")
        colour.setAlphaF(0.28)
        return QBrush(colour)

    def _draw_strip(self, strip: pg.PlotItem) -> None:
        self._mark(strip, self._bars(self.stages, strip))
        for one in self.stages:
            self._add_label(strip, one, 0.5, 0)
            if one.stage is Stage.CHECKPOINT and self.plots:
                self._add_label(self.plots[0], one, float(self.plots[0].viewRange()[1][1]) / 2.0, 90)

    def _add_label(self, plot: pg.PlotItem, stage: Stretch, y: float, angle: int) -> None:
        ground = self._theme.color("bg") if angle else None  # curves would strike the words through
        label = pg.TextItem(stage.stage.value, self._theme.color("ink2"), anchor=(0.5, 0.5), angle=angle, fill=ground)
        label.setFont(_font(is_strong=stage.is_kept))
        label.setPos((stage.start_s + stage.end_s) / 2.0, y)
        self._mark(plot, label)
        self._labels.append((label, stage.seconds if not angle else -stage.seconds))

    def _place_labels(self) -> None:
        """Words only where they have room: along their stretch, or up through the plot."""
        if self.strip is None:
            return
        s_a_px = self.strip.getViewBox().viewPixelSize()[0]
        for label, seconds in self._labels:
            width_px = abs(seconds) / s_a_px if s_a_px else 0.0
            words_px = _LETTER_PX * len(label.toPlainText()) + 4
            label.setVisible(width_px >= words_px if seconds > 0 else FONT_PX - 2 <= width_px < words_px)

    def _draw_throttled(self, throttled: Sequence[Throttled]) -> None:
        """Amber at the foot of the plot of power, with words: colour alone tells nobody."""
        plot = next((one for one in self.plots if one.titled == "power_w"), self.plots[0] if self.plots else None)
        if plot is None or not throttled:
            return
        top = float(plot.viewRange()[1][1])
        spans = [one for chip in throttled for one in chip.spans_s]
        x0, x1 = [a for a, _ in spans], [b for _, b in spans]
        self._mark(
            plot, pg.BarGraphItem(x0=x0, x1=x1, y0=0.0, height=0.07 * top, brush=self._theme.color("warn"), pen=None)
        )
        longest = max(throttled, key=lambda one: one.seconds)
        ends = (plain(end / self._scale.seconds) for end in (longest.spans_s[0][0], longest.spans_s[-1][1]))
        chip = f"Chip {longest.chip}" if longest.chip else "Chips"
        others = f" and {len(throttled) - 1} more" if len(throttled) > 1 else ""
        words = f"\u26a0 {as_text(chip)}{others} throttled, {span(*ends)} {self._scale.unit}"
        label = pg.TextItem(words, self._theme.color("warn"), anchor=(0.0, 1.0))
        label.setFont(_font())
        label.setPos(longest.spans_s[0][0], 0.06 * top)
        self._mark(plot, label)

    def _on_click(self, event: Any) -> None:
        if self.strip is not None and self.strip.sceneBoundingRect().contains(event.scenePos()):
            at = self.strip.getViewBox().mapSceneToView(event.scenePos()).x()
            self.part_chosen.emit(float(at))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Arrows walk the stretches, the space bar keeps or cuts one, Shift and arrows move the window's end."""
        step = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}.get(Qt.Key(event.key()), 0)
        if event.key() == Qt.Key.Key_Space and self.stages:
            one = self.stages[self.current]
            self.part_chosen.emit((one.start_s + one.end_s) / 2.0)
        elif step and event.modifiers() & Qt.KeyboardModifier.ShiftModifier and self._regions:
            start_s, end_s = self._regions[0].getRegion()
            whole_s = self.stages[-1].end_s - self.stages[0].start_s
            self.window_moved.emit(
                start_s, min(max(end_s + step * _NUDGE_SHARE * whole_s, start_s), self.stages[-1].end_s)
            )
        elif step and self.stages:
            self.current = (self.current + step) % len(self.stages)
            one = self.stages[self.current]
            ends = span(*(plain(end / self._scale.seconds) for end in (one.start_s, one.end_s)))
            state = "kept" if one.is_kept else "cut"
            self.setAccessibleDescription(f"{one.stage.value}, {ends} {self._scale.unit}, {state}")
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Words have other room."""
        super().resizeEvent(event)
        if hasattr(self, "_labels"):
            self._place_labels()


class _DrawnRow:
    """The curves of one plot, which take other readings: the band between two edges, and the median."""

    def __init__(self, plot: pg.PlotItem) -> None:
        self._plot = plot
        nothing = np.array([])
        self._edges = [_curve(nothing, nothing, None) for _ in range(2)]
        self._fill = pg.FillBetweenItem(*self._edges)
        self._median = _curve(nothing, nothing, None)
        for item in (*self._edges, self._fill, self._median):
            plot.addItem(item)

    def show(self, row: LogRow, colour: QColor) -> None:
        """Draws a quantity."""
        plot, fill = self._plot, QColor(colour)
        plot.titled = row.name
        plot.setYRange(0.0, row.top, padding=0)
        outer, middle = [(tick, plain(tick)) for tick in (0.0, row.top)], (row.top / 2, plain(row.top / 2))
        plot.getAxis("left").setTicks([outer, [middle]])  # the middle one goes where there is little height
        ends = (row.band.low, row.band.high) if row.band.has_width else (row.time_s[:0], row.time_s[:0])
        for edge, values in zip(self._edges, ends, strict=True):
            edge.setData(row.time_s[: len(values)], values)
        fill.setAlphaF(0.3)
        self._fill.setBrush(fill)
        self._fill.setVisible(row.band.has_width)
        self._median.setPen(pg.mkPen(colour, width=1))
        self._median.setData(row.time_s, row.band.median)


def _curve(time_s: Any, values: Any, pen: Any) -> pg.PlotDataItem:
    """Thinned to a lowest and a highest point a pixel: more would cost time that nobody sees."""
    return pg.PlotDataItem(
        np.asarray(time_s), np.asarray(values), pen=pen, connect="finite", autoDownsampleFactor=1.0, antialias=True
    )


def _font(is_strong: bool = False) -> QFont:
    font = QFont("Inter")
    font.setPixelSize(FONT_PX)
    font.setWeight(QFont.Weight.DemiBold if is_strong else QFont.Weight.Normal)  # there is no bolder letter
    return font
