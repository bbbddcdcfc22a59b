"""What the Calibrate tab shows before there is a log."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from core.logs.registry import formats
from core.units import counted
from gui.theme.naming import named
from gui.theme.plain import Label, caption, tip

_MESSAGE_PX = (560, 72)


class CalibrateStart(QWidget):
    """Says what may be dropped here and offers to choose a file; while one is read, to stop reading it."""

    import_wanted = Signal()
    stop_wanted = Signal()
    recording_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("calibrate-start")
        title = Label("Drop a log of your own hardware here")
        title.setProperty("kind", "headline")
        # Lines of their own: a wrapping label in a centred column is given too little height.
        text = Label(
            f"{counted(len(formats()), 'kind')} of log are read: of GPUs and TPUs, training runs, servers, links;\n"
            "several files at once too, a folder or a zip.\n"
            "Predictions of that model on that chip move to what was measured, their range shrinks;\n"
            "other models there move a tenth as far, chips of the same architecture halfway.\n"
            "Every step can be undone, and nothing leaves this machine."
        )
        text.setToolTip(tip("\n".join(log_format.title for log_format in formats())))
        text.setProperty("kind", "ink2")
        text.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self.button = named(QPushButton("Import log…"), "import-log", "Import log")
        self.button.clicked.connect(self._on_click)
        self.record = named(QPushButton("Record here…"), "record-here", "Record on this machine")
        self.record.clicked.connect(self.recording_wanted)
        buttons = QHBoxLayout()
        buttons.addWidget(self.button)
        buttons.addWidget(self.record)
        self._file_name = ""
        self.message = named(Label(), "calibrate-message", kind="err")
        self.message.setWordWrap(True)
        self.message.setAlignment(Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop)
        self.message.setFixedSize(*_MESSAGE_PX)
        column = QVBoxLayout(self)
        column.setSpacing(12)
        column.addStretch(2)
        for widget in (title, text):
            column.addWidget(widget, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addLayout(buttons)
        column.setAlignment(buttons, Qt.AlignmentFlag.AlignHCenter)
        column.addWidget(self.message, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addStretch(3)

    def say(self, text: str) -> None:
        """Shows why a file could not be read, all of it."""
        self.message.setText(text)
        width, least = _MESSAGE_PX
        self.message.setFixedHeight(max(least, self.message.heightForWidth(width)))

    def set_busy(self, file_name: str) -> None:
        """Shows that a file is being read; no name ends it."""
        self._file_name = file_name
        self.button.setText(caption(f"Stop reading {file_name}") if file_name else "Import log…")

    def show_share(self, share: float) -> None:
        """Shows how much of the file is read, from 0 to 1."""
        if self._file_name:
            self.button.setText(caption(f"Stop reading {self._file_name}, {share:.0%} done"))

    def _on_click(self) -> None:
        (self.stop_wanted if self._file_name else self.import_wanted).emit()
