"""The log over time, or its totals where it has no readings over time; over it the card of a refused log."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QStackedWidget, QVBoxLayout, QWidget

from core.calibration.own_logs.bands import Band
from core.calibration.own_logs.parts import Parts, Span, seconds_in, whole_of, without
from core.calibration.own_logs.stretches import Stage, Stretch, window_of, with_window
from core.calibration.own_logs.use import Throttled
from core.catalogue.entries import Accelerator
from core.logs.facts import FACTS
from core.logs.record import LogRecord, figures_of
from core.logs.registry import quantity_kinds
from core.units import counted, plain, span
from gui.charts.figure.shown import colour_key
from gui.charts.kinds.log_timeline import LogRow, TimeScale, time_scale, timeline_rows
from gui.charts.view.plot_menu import PlotMenu
from gui.tables.text_table import TextColumn, TextRow, TextTable
from gui.tabs.calibrate.log_plots import LogPlots
from gui.tabs.calibrate.refusal import CalibrateRefusal
from gui.theme.manager import ThemeManager
from gui.theme.naming import named
from gui.theme.plain import Label
from gui.widgets.elided import ElidedLabel

_COLUMNS = (
    TextColumn("Quantity", 262),
    TextColumn("Unit", 84),
    TextColumn("Mean", 70, True),
    TextColumn("Median", 70, True),
    TextColumn("99 of 100", 74, True),
    TextColumn("Highest", 70, True),
)


class CalibrateTimeline(QWidget):
    """``changed`` gives the window and the cuts after an edge was dragged or a stretch kept or cut."""

    changed = Signal(object, object)

    def __init__(self, themes: ThemeManager, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._themes = themes
        self._drawn: LogRecord | None = None
        self._look = ("", "")
        self._stages: tuple[Stretch, ...] = ()
        self._window_s: Span = (0.0, 0.0)
        self._cuts_s: Parts = ()
        self.rows: list[LogRow] = []
        title = named(Label("Timeline"), "timeline-title", kind="section")
        self.caption = named(ElidedLabel(), "steady-window", kind="ink2")
        self.legend = named(Label(), "timeline-legend", kind="small")
        head = QHBoxLayout()
        head.setSpacing(12)
        head.addWidget(title)
        head.addWidget(self.caption, 1)
        head.addWidget(self.legend)
        self.plots = LogPlots(self)
        PlotMenu(self.plots, "Timeline", lambda: True)  # a log holds no prices
        self.totals = TextTable("log-totals", "What the log gives", _COLUMNS, self)
        self.totals.horizontalHeader().setStretchLastSection(False)
        self._pages = QStackedWidget(self)
        self._scrolled = QScrollArea(self)
        self._scrolled.setWidget(self.plots)
        self._scrolled.setWidgetResizable(True)
        self._scrolled.setFrameShape(QFrame.Shape.NoFrame)
        self._scrolled.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._scrolled.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._pages.addWidget(self._scrolled)
        self._pages.addWidget(self.totals)
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 10, 12, 4)
        column.setSpacing(4)
        column.addLayout(head)
        column.addWidget(self._pages, 1)
        self.card = CalibrateRefusal(self)
        self.card.hide()
        self.plots.window_moved.connect(self._on_window)
        self.plots.part_chosen.connect(self._on_part)

    def show_record(
        self, record: LogRecord, bands: Mapping[str, Band], stages: Sequence[Stretch], window_s: Span, cuts_s: Parts,
        throttled: Sequence[Throttled], chip: Accelerator | None,
    ) -> None:  # fmt: skip
        """Draws the log with the window and its cuts; a chip gives the colour of its lines."""
        self._stages, self._window_s, self._cuts_s = tuple(stages), window_s, cuts_s
        has_time = len(record.time_s) > 0
        self._pages.setCurrentWidget(self._scrolled if has_time else self.totals)
        if not has_time:
            self._show_totals(record)
            return
        parts = without(window_s, cuts_s)
        self.rows = timeline_rows(record, parts, bands)
        colour, scale = colour_key(chip) if chip else "ink2", time_scale(record.duration_s)
        look = (self._themes.theme.name, colour)
        if record is not self._drawn or look != self._look:
            self._drawn, self._look = record, look
            self.plots.show_rows(self.rows, scale, whole_of(record), self._themes.theme, colour)
        self.plots.show_statistics(self.rows)
        self.plots.show_stages(with_window(stages, window_s, cuts_s), window_s, throttled)
        self.caption.setText(_caption(self._stages, window_s, cuts_s, scale))
        n_chips = len(record.chips)
        self.legend.setText(f"line median, band {counted(n_chips, 'chip')}" if record.by_chip and n_chips > 1 else "")

    def show_refused(self, is_refused: bool) -> None:
        """Puts the card over the plots, which are hatched throughout, or takes it away."""
        self.card.setVisible(is_refused)
        if is_refused:
            cut = tuple(Stretch(one.stage, one.start_s, one.end_s, False) for one in self._stages)
            if self._pages.currentWidget() is self._scrolled:
                self.plots.show_stages(cut, self._window_s)
                self.plots.show_statistics([])
            self.caption.setText("")
            self._place_card()

    def show_predicted(self, values: Mapping[str, float]) -> None:
        """Dashed lines of what was predicted before calibration."""
        for name, value in values.items():
            self.plots.show_predicted(name, value)

    def show_chip(self, chip: str) -> None:
        """Draws one chip's own readings over the band of all; no name takes them away."""
        record = self._drawn
        if record is None:
            return
        columns = {name: grid[:, record.chips.index(chip)] for name, grid in record.by_chip.items()} if chip else {}
        self.plots.show_chip({name: (record.time_s, np.asarray(one, float)) for name, one in columns.items()})

    def _show_totals(self, record: LogRecord) -> None:
        kinds = quantity_kinds()
        self._drawn = None
        self.caption.setText("Totals only: this log has no readings over time")
        self.legend.setText("")
        rows = []
        for name, quantity in record.quantities.items():
            figures = figures_of(quantity)
            known = (plain(figures[one]) if one in figures else "" for one in ("mean", "p50", "p99", "max"))
            title = kinds[name].title if name in kinds else name
            rows.append(TextRow(name, (title, quantity.unit, *known)))
        for name, value in record.facts.items():
            title, number = FACTS.get(name, name), plain(value) if isinstance(value, int | float) else ""
            rows.append(TextRow(name, (title if number else f"{title}: {value}", "", number, "", "", "")))
        self.totals.show_rows(rows)

    def _on_window(self, start_s: float, end_s: float) -> None:
        first_s, last_s = self._stages[0].start_s, self._stages[-1].end_s
        window_s = (max(min(start_s, end_s), first_s), min(max(start_s, end_s), last_s))
        cuts_s = tuple((a, b) for a, b in self._cuts_s if a < window_s[1] and b > window_s[0])
        self.changed.emit(window_s, cuts_s)

    def _on_part(self, at_s: float) -> None:
        """Keeps the stretch at a time where it is cut, cuts it where it is kept."""
        now = with_window(self._stages, self._window_s, self._cuts_s)
        turned = [
            Stretch(one.stage, one.start_s, one.end_s, one.is_kept != (one.start_s <= at_s < one.end_s)) for one in now
        ]
        if any(one.is_kept for one in turned):
            self.changed.emit(*window_of(turned))

    def _place_card(self) -> None:
        self.card.adjustSize()
        self.card.move((self.width() - self.card.width()) // 2, max(40, (self.height() - self.card.height()) // 2))
        self.card.raise_()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The card stays in the middle."""
        super().resizeEvent(event)
        self._place_card()


def _caption(stages: Sequence[Stretch], window_s: Span, cuts_s: Parts, scale: TimeScale) -> str:
    """``Steady 18–112 min proposed, 2 checkpoints cut: 88 min kept``."""
    ends = span(*(plain(edge / scale.seconds) for edge in window_s))
    is_proposed = (window_s, cuts_s) == window_of(stages)
    n_saves = sum(1 for one in stages if one.stage is Stage.CHECKPOINT and (one.start_s, one.end_s) in cuts_s)
    others = len(cuts_s) - n_saves
    cut = [
        words for n, words in ((n_saves, counted(n_saves, "checkpoint")), (others, counted(others, "other part"))) if n
    ]
    kept = plain(seconds_in(without(window_s, cuts_s)) / scale.seconds)
    listed = f", {' and '.join(cut)} cut" if cut else ""
    return f"Steady {ends} {scale.unit} {'proposed' if is_proposed else 'chosen'}{listed}: {kept} {scale.unit} kept"
