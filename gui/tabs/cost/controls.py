"""Handles below the charts of the Cost tab: cash over time."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from core.comparison.questions.cash import cash_plan
from core.comparison.result import CandidateResult, ResultSet
from core.units import THIN, plain
from gui.forms.choice_editors import NoWheelSlider
from gui.theme.naming import named
from gui.widgets.live import PAGE_SIDE_PX, label

SLIDER_PX = 144
VALUE_PX = 52
ENTERED = (("outlook", "horizon_months"), ("outlook", "use_pct"), ("owning", "resale_pct"))
"""Fields of the profile that the handles move: section and name."""


class PercentSlider(QWidget):
    """A share with its value as text. ``moved`` tells the percent while it is dragged."""

    moved = Signal(float)
    finished = Signal()

    def __init__(self, slider_id: str, title: str, least: int, most: int) -> None:
        super().__init__()
        self._title = title
        self.slider = named(NoWheelSlider(Qt.Orientation.Horizontal), slider_id, title)
        self.slider.setRange(least, most)
        self.slider.setPageStep(10)
        self.slider.setFixedWidth(SLIDER_PX)
        self._value = label("", "", f"{slider_id}-value")
        self._value.setFixedWidth(VALUE_PX)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        row.addWidget(label(title, "ink2"))
        row.addWidget(self.slider)
        row.addWidget(self._value)
        self.slider.valueChanged.connect(self._on_moved)
        self.slider.sliderReleased.connect(self.finished)

    def show_percent(self, percent: float) -> None:
        """Moves the slider without telling anybody."""
        with QSignalBlocker(self.slider):
            self.slider.setValue(round(percent))
        self._write(percent)

    def _on_moved(self, percent: int) -> None:
        self._write(percent)
        self.moved.emit(float(percent))

    def _write(self, percent: float) -> None:
        text = f"{plain(percent)}{THIN}%"  # as typed: the slider itself stands at whole percent
        self._value.setText(text)
        self.slider.setAccessibleDescription(f"{self._title}: {text}")


class CashTools(QWidget):
    """The sliders in one row, with a way back to what is usual."""

    reset = Signal()

    def __init__(self) -> None:
        super().__init__()
        named(self, "cash-tools", "Rent or buy")
        self.use = PercentSlider("cash-use", "Chips needed", 1, 100)
        self.resale = PercentSlider("cash-resale", "Resale after its life", 0, 100)
        self.back = named(QPushButton("Usual"), "cash-usual", "Back to what is usual")
        self.back.setProperty("kind", "link")
        row = QHBoxLayout(self)
        row.setContentsMargins(PAGE_SIDE_PX, 0, PAGE_SIDE_PX, 0)
        row.setSpacing(28)
        row.addWidget(self.use)
        row.addWidget(self.resale)
        row.addWidget(self.back)
        row.addStretch(1)
        self.back.clicked.connect(self.reset)

    def show_terms(self, results: ResultSet, shown: CandidateResult | None) -> None:
        """Stands at the use that the lines are drawn at; hidden where there are no lines."""
        plan = cash_plan(results, shown) if shown else None
        self.setVisible(plan is not None and bool(plan.lines))
        if plan is not None and not self.use.slider.isSliderDown():
            self.use.show_percent(100 * plan.terms.use)
        bought = plan.buy.terms if plan and plan.buy else None
        self.resale.setVisible(bought is not None)
        if bought is not None and not self.resale.slider.isSliderDown():
            self.resale.show_percent(100 * bought.resale_share)
        profile = results.profile
        self.back.setVisible(any(getattr(getattr(profile, part), name) is not None for part, name in ENTERED))
