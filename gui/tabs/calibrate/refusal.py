"""The card over the plots of a log that cannot carry a calibration: why, and what was read all the same."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QFrame, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from core.logs.record import LogRecord
from gui.theme.naming import named
from gui.theme.plain import Label, tip

NVIDIA = (
    "nvidia-smi --query-gpu=timestamp,index,name,uuid,utilization.gpu,memory.used,memory.total,power.draw,"
    "power.limit,clocks.sm,temperature.gpu --format=csv -l 1 > gpu.csv"
)
TPU = "tpu-info --streaming --rate 1 > tpu.log"
AMD = "amd-smi metric --usage --power --mem-usage --watch 1 --csv > gpu.csv"


class CalibrateRefusal(QFrame):
    """``recording_wanted``: the user would rather record here."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        named(self, "log-refusal", "This log cannot carry a calibration", "card")
        self._command = NVIDIA
        title = named(Label("This log cannot carry a calibration"), "refusal-title", kind="headline")
        title.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self.reasons = named(Label(), "refusal-reasons", kind="err")
        self.kept = named(Label(), "refusal-kept", kind="good")
        for label in (self.reasons, self.kept):
            label.setWordWrap(True)
        self.copy = named(QPushButton("Copy the command that records it"), "copy-command", "Copy the command")
        self.copy.clicked.connect(self._on_copy)
        self.extra = QHBoxLayout()
        self.extra.addWidget(self.copy)
        self.extra.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 18, 24, 18)
        column.setSpacing(10)
        for widget in (title, self.reasons, self.kept):
            column.addWidget(widget)
        column.addLayout(self.extra)
        self.setFixedWidth(460)

    def show_reasons(self, reasons: Sequence[str], read: Sequence[str], record: LogRecord) -> None:
        """Says why, and offers the command that records what is missing on such a chip."""
        self.reasons.setText("\n".join(f"\u2717 {reason}" for reason in reasons))
        self.kept.setText(f"\u2713 Read all the same: {', '.join(read)} (kept)" if read else "")
        self.kept.setVisible(bool(read))
        chip = f"{record.accelerator_id or ''} {record.accelerator or ''}".lower()
        self._command = TPU if "tpu" in chip else AMD if "mi3" in chip or "amd" in chip else NVIDIA
        self.copy.setToolTip(tip(self._command))
        self.adjustSize()

    def _on_copy(self) -> None:
        QApplication.clipboard().setText(self._command)
