"""One sentence on what the calibration does, with Discard and Accept."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QSizePolicy, QWidget

from core.calibration.accepted import AcceptedCalibration
from core.catalogue.entries import Accelerator
from core.units import THIN, plain, span
from gui.theme.naming import named


class CalibrateFooter(QWidget):
    """Says the speed factor and its range; accepting is an undo step of the panel's."""

    accepted = Signal()
    discarded = Signal()
    another_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFixedHeight(56)
        self.factor = named(QLabel(), "calibration-factor", kind="strong")
        self.detail = named(QLabel(), "calibration-detail", kind="small")
        self.detail.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.another = _button("Import another…", "import-another", "")
        self.discard = _button("Discard", "discard-calibration", "")
        self.accept = _button("Accept", "accept-calibration", "primary")
        self.another.clicked.connect(self.another_wanted)
        self.discard.clicked.connect(self.discarded)
        self.accept.clicked.connect(self.accepted)
        row = QHBoxLayout(self)
        row.setContentsMargins(20, 0, 20, 0)
        row.setSpacing(12)
        row.addWidget(self.factor)
        row.addWidget(self.detail, 1)
        for button in (self.another, self.discard, self.accept):
            row.addWidget(button)

    def show_proposal(self, found: AcceptedCalibration, chip: Accelerator | None, is_accepted: bool) -> None:
        """Says what accepting would change, or that it is accepted."""
        name = chip.short_name if chip else found.accelerator_id
        low, high = found.factor * (1 - found.spread), found.factor * (1 + found.spread)
        self.factor.setText(f"Speed factor for {name}: {plain(found.factor)}")
        state = "In use. " if is_accepted else ""
        text = f"{state}{span(plain(low), plain(high))} (±{plain(100 * found.spread, 2)}{THIN}%), {found.how}"
        self.detail.setText(text)
        self.detail.setToolTip(text)
        self.accept.setEnabled(not is_accepted)
        self.accept.setText("Accepted" if is_accepted else "Accept")

    def show_problem(self, text: str) -> None:
        """Says why there is no factor."""
        self.factor.setText("No calibration yet")
        self.detail.setText(text)
        self.detail.setToolTip(text)
        self.accept.setText("Accept")
        self.accept.setEnabled(False)


def _button(text: str, name: str, kind: str) -> QPushButton:
    return named(QPushButton(text), name, text.rstrip("…"), kind)
