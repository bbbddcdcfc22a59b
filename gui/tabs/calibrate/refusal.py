"""The card over the plots of a log that cannot carry a calibration: why, and what was read all the same."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QApplication, QFrame, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from core.logs.record import LogRecord
from core.logs.recorder import TOOLS
from gui.theme.naming import named
from gui.theme.plain import Label, tip

_EVERY_S = 1


class CalibrateRefusal(QFrame):
    """``recording_wanted``: the user would rather record here."""

    recording_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        named(self, "log-refusal", "This log cannot carry a calibration", "card")
        self._command = ""
        title = named(Label("This log cannot carry a calibration"), "refusal-title", kind="headline")
        title.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self.reasons = named(Label(), "refusal-reasons", kind="err")
        self.kept = named(Label(), "refusal-kept", kind="good")
        for label in (self.reasons, self.kept):
            label.setWordWrap(True)
        self.copy = named(QPushButton("Copy the command that records it"), "copy-command", "Copy the command")
        self.copy.clicked.connect(self._on_copy)
        self.record = named(QPushButton("Record here…"), "record-instead", "Record on this machine")
        self.record.clicked.connect(self.recording_wanted)
        buttons = QHBoxLayout()
        buttons.addWidget(self.copy)
        buttons.addWidget(self.record)
        buttons.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 18, 24, 18)
        column.setSpacing(10)
        for widget in (title, self.reasons, self.kept):
            column.addWidget(widget)
        column.addLayout(buttons)
        self.setFixedWidth(460)

    def show_reasons(self, reasons: Sequence[str], read: Sequence[str], record: LogRecord) -> None:
        """Says why, and offers the command that records what is missing on such a chip."""
        self.reasons.setText("\n".join(f"\u2717 {reason}" for reason in reasons))
        self.kept.setText(f"\u2713 Read all the same: {', '.join(read)}" if read else "")
        self.kept.setVisible(bool(read))
        self._command = _command(record)
        self.copy.setToolTip(tip(self._command))
        self.adjustSize()

    def _on_copy(self) -> None:
        QApplication.clipboard().setText(self._command)


def _command(record: LogRecord) -> str:
    """The line that records chips of such a maker."""
    chip = f"{record.accelerator_id or ''} {record.accelerator or ''}".upper()
    words = {"AMD": ("AMD", "MI2", "MI3"), "Google TPU": ("TPU", "TRILLIUM")}
    maker = next((maker for maker, marks in words.items() if any(mark in chip for mark in marks)), TOOLS[0].maker)
    return next(tool for tool in TOOLS if tool.maker == maker).line(_EVERY_S)
