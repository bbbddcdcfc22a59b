"""The log's quantities over time, one chart above the other, with the steady window drawn through all."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from core.catalogue.entries import Accelerator
from core.logs.record import LogRecord
from core.units import plain
from gui.charts.figure.shown import colour_key
from gui.charts.kinds.log_timeline import MOST_ROWS, time_scale, timeline_figures
from gui.charts.view.chart_view import ChartView
from gui.theme.manager import ThemeManager
from gui.theme.naming import named
from gui.theme.plain import Label

AXIS_PX = 44
"""The last chart also carries the time axis, so it is that much taller."""


class CalibrateTimeline(QWidget):
    """``window_moved`` gives the window's start and end in seconds while an edge is dragged."""

    window_moved = Signal(float, float)

    def __init__(self, themes: ThemeManager, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._themes = themes
        self._seconds = 1.0
        self._window_s = (0.0, 0.0)
        title = Label("Log timeline")
        title.setProperty("kind", "section")
        self.caption = named(Label(), "steady-window", kind="ink2")
        head = QHBoxLayout()
        head.addWidget(title)
        head.addStretch(1)
        head.addWidget(self.caption)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(20, 12, 12, 4)
        self._column.setSpacing(4)
        self._column.addLayout(head)
        self.charts = [ChartView(parent=self) for _ in range(MOST_ROWS)]
        for number, chart in enumerate(self.charts):
            chart.setObjectName(f"chart-log-{number}")
            chart.limit_moved.connect(self._on_edge)
            self._column.addWidget(chart, 1)

    def show_record(self, record: LogRecord, window_s: tuple[float, float], chip: Accelerator | None) -> None:
        """Draws the log; a chip gives the colour of its lines."""
        scale = time_scale(record.duration_s)
        self._seconds, self._window_s = scale.seconds, window_s
        start, end = (plain(edge / scale.seconds) for edge in window_s)
        unit = {1.0: "s", 60.0: "min", 3600.0: "h"}[scale.seconds]
        self.caption.setText(f"Steady window {start}–{end} {unit}; drag its edges")
        figures = timeline_figures(record, window_s, colour_key(chip) if chip else "ink2")
        for number, chart in enumerate(self.charts):
            chart.setVisible(number < len(figures))
            if number < len(figures):
                chart.show_figure(figures[number], self._themes.theme)
                chart.setMinimumHeight(90 + (AXIS_PX if figures[number].x.shown else 0))

    def _on_edge(self, limit_id: str, at: float) -> None:
        start_s, end_s = self._window_s
        moved_s = max(0.0, at * self._seconds)
        self.window_moved.emit(*((moved_s, end_s) if limit_id == "window-start" else (start_s, moved_s)))
