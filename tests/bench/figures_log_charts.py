"""Speed of the charts of a log of a million readings, and how responsive the window stays while one is read."""

from __future__ import annotations

import time
from functools import cache

import numpy as np
from figures_fingers import BEAT_MS, _heart, shown_window
from figures_logs import _log
from PySide6.QtCore import QEventLoop

from core.calibration.own_logs.parts import whole_of, without
from core.calibration.own_logs.stretches import stretches, window_of
from core.logs.record import LogRecord, summarise_all
from gui.charts.kinds.log_timeline import time_scale, timeline_rows
from gui.headless import application
from gui.tabs.calibrate.log_plots import LogPlots
from gui.tabs.calibrate.panel import CalibratePanel
from gui.theme.manager import ThemeManager

N_TICKS, N_CHIPS, N_FRAMES = 250_000, 8, 60
"""Four rows of median and band: a million points of lines, two million of bands."""


def log_pan_frame_ms() -> float:
    """Median thread CPU time of one frame while a window of a tenth of the log is dragged along."""
    return _median_frame_ms(0.1, 0.1)


def log_zoom_frame_ms() -> float:
    """Median thread CPU time of one frame while the view goes from the whole log to a hundredth."""
    return _median_frame_ms(1.0, 0.01)


def _median_frame_ms(first_share: float, last_share: float) -> float:
    plots, end_s = _plots()
    times = []
    for frame in range(N_FRAMES):
        done = frame / (N_FRAMES - 1)
        width_s = end_s * first_share * (last_share / first_share) ** done
        start_s = (end_s - width_s) * done
        began = time.thread_time()
        assert plots.strip is not None
        plots.strip.setXRange(start_s, start_s + width_s, padding=0)
        plots.grab()
        times.append(time.thread_time() - began)
    return 1e3 * float(np.median(times))


@cache
def _plots() -> tuple[LogPlots, float]:
    app = application()
    themes = ThemeManager(app, "light")
    record = _record()
    stages = stretches(record)
    rows = timeline_rows(record, without(*window_of(stages)))
    plots = LogPlots()
    plots.resize(784, 440)
    plots.show_rows(rows, time_scale(record.duration_s), whole_of(record), themes.theme, "nvidia_gpu")
    plots.show_statistics(rows)
    plots.show_stages(stages, window_of(stages)[0])
    plots.grab()
    return plots, whole_of(record)[1]


def _record() -> LogRecord:
    random = np.random.default_rng(7)
    shape = (N_TICKS, N_CHIPS)
    grids = {
        "utilization_pct": 95.0 + random.normal(0.0, 2.0, shape),
        "memory_used_gib": 60.0 + random.normal(0.0, 0.1, shape),
        "power_w": 600.0 + random.normal(0.0, 15.0, shape),
        "tokens_per_s_per_chip": 800.0 + random.normal(0.0, 20.0, shape),
    }
    series = {name: grid.mean(axis=1) for name, grid in grids.items()}
    return LogRecord(
        "long.csv", "nvidia-smi-csv", N_TICKS, {}, None, None, N_CHIPS, None, np.arange(float(N_TICKS)), series,
        summarise_all(series), chips=tuple(map(str, range(N_CHIPS))),
        by_chip={name: grid.astype(np.float32) for name, grid in grids.items()},
    )  # fmt: skip


@cache
def _turns_ms() -> tuple[float, ...]:
    """How long the window answered to nothing, beat by beat, from the drop of the file to its proposal."""
    with _log() as path, shown_window("calibrate") as window:
        panel = window.findChild(CalibratePanel)
        assert panel is not None
        loop, beats = QEventLoop(), _heart()
        panel.proposed.connect(loop.quit)
        panel.importing.files([path])
        loop.exec()
        return tuple(1000 * np.diff(beats) - BEAT_MS)


def log_turn_p95_ms() -> float:
    """95th percentile of a turn of the event loop meanwhile."""
    return float(np.percentile(_turns_ms(), 95))


def log_longest_turn_ms() -> float:
    """The longest of them: the log is drawn for the first time."""
    return max(_turns_ms())


FIGURES = {
    "log_pan_frame_ms": (log_pan_frame_ms, "ms"),
    "log_zoom_frame_ms": (log_zoom_frame_ms, "ms"),
    "log_turn_p95_ms": (log_turn_p95_ms, "ms"),
    "log_longest_turn_ms": (log_longest_turn_ms, "ms"),
}
