"""The load of a server by its log, beside what the workload says, and a button that enters it there."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from core.calibration.own_logs.load import LEAST_H, Load
from core.units import THIN, duration, plain
from gui.theme.naming import named
from gui.theme.plain import Label, caption
from gui.widgets.rule import rule

_TITLE = "Load of the server"


class LoadRow(QWidget):
    """``wanted``: the mean load, in percent of the busiest hour, that is to be entered in the workload."""

    wanted = Signal(float)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._mean_pct = 0.0
        self.words = named(Label(), "load-words", kind="small")
        self.words.setWordWrap(True)
        self.button = named(QPushButton(), "enter-load", "Enter the mean load in the workload")
        self.button.clicked.connect(lambda: self.wanted.emit(self._mean_pct))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addWidget(named(Label(_TITLE), "load-title", kind="section"))
        column.addWidget(self.words)
        column.addWidget(self.button)
        column.addWidget(rule())

    def show_load(self, load: Load | None, entered_pct: float | None) -> None:
        """Shows it, hidden where a log tells none; ``entered_pct`` is the workload's own, None where it has none."""
        self.setVisible(load is not None)
        if load is None:
            return
        self._mean_pct = float(plain(load.mean_pct, 2))
        told = f"Mean {plain(load.mean_pct, 2)}{THIN}% of the busiest hour, idle {plain(load.idle_pct, 2)}{THIN}%"
        self.words.setText(f"{told} of {duration(load.hours)}.{_beside(load, entered_pct)}")
        is_other = entered_pct is not None and entered_pct != self._mean_pct
        self.button.setVisible(load.lasts and is_other)
        self.button.setText(caption(f"Enter {plain(load.mean_pct, 2)}{THIN}% as the workload's mean load"))


def _beside(load: Load, entered_pct: float | None) -> str:
    if not load.lasts:
        return f" The load of a day is told from {duration(LEAST_H)} on."
    return "" if entered_pct is None else f" The workload says {plain(entered_pct, 2)}{THIN}%."
