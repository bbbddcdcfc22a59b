"""Records how busy the chips of this machine are, for a chosen time, and hands the log over."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QGridLayout,
    QHBoxLayout,
    QProgressBar,
    QPushButton,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from core.constants import SECONDS_PER_HOUR
from core.logs.recorder import TOOLS, Tool, recording_path, tools_here
from core.units import duration
from gui.forms.choice_editors import NoWheelComboBox
from gui.session.recording import Recording
from gui.theme.naming import named
from gui.theme.plain import Label

USUAL_MINUTES, MOST_MINUTES = 10, 24 * 60
_EVERY_S = 1
_WIDTH_PX = 460
_INTRO = (
    "Start your job first, then record: at least some minutes of steady work, with what comes between, such as "
    "checkpoints. Only the maker's own tool is run; the log stays on this machine."
)
_NONE = (
    "None of {} was found on this machine. On the machine with the chips run the line below while the job works, then "
    "import the file."
)


class RecordDialog(QDialog):
    """Asks for a tool and a time, shows how far it is. ``recorded`` brings the file; it may be stopped early."""

    recorded = Signal(object)

    def __init__(self, tools: list[Tool] | None = None, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        named(self, "record-dialog", "Record on this machine")
        self.setWindowTitle("Record on this machine")
        self._tools = tools_here() if tools is None else tools
        self._recording: Recording | None = None
        self._build()
        self._connect()
        self._show_state()

    def begin(self) -> None:
        """Starts to record with what is chosen."""
        tool = self._tools[self.tool.currentIndex()]
        try:
            path = recording_path(tool, datetime.now())
        except OSError as error:
            self._say(f"The recording cannot be written: {error}.")
            return
        self._say("")
        self._recording = Recording(tool, path, _EVERY_S, self.minutes.value() * 60.0, self)
        self._recording.told.connect(self._on_told)
        self._recording.ended.connect(self._on_ended)
        self._recording.failed.connect(self._on_failed)
        self._on_told(0.0)
        self._show_state()
        self._recording.start()

    def stop(self) -> None:
        """Ends the recording; what is there is handed over."""
        if self._recording is not None:
            self._recording.stop()

    def done(self, result: int) -> None:
        """Closing ends a recording, and closes once it is handed over."""
        if self._recording is None:
            super().done(result)
        else:
            self.stop()

    def _build(self) -> None:
        self.tool = named(NoWheelComboBox(self), "record-tool", "Tool")
        self.tool.addItems([f"{tool.program} ({tool.maker})" for tool in self._tools])
        self.minutes = named(QSpinBox(self), "record-minutes", "Minutes")
        self.minutes.setRange(1, MOST_MINUTES)
        self.minutes.setValue(USUAL_MINUTES)
        self.minutes.setSuffix(" min")
        self.minutes.lineEdit().setTextMargins(6, 0, 6, 0)
        self.line = named(NoWheelComboBox(self), "record-line", "Command")
        self.line.addItems([tool.line(_EVERY_S) for tool in TOOLS])
        self.line.setMinimumContentsLength(20)
        self.line.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.progress = named(QProgressBar(self), "record-progress", "Recorded so far")
        self.left = named(Label(), "record-left", kind="small")
        self._message = named(Label(), "record-message", kind="err")
        self._message.setWordWrap(True)
        self._message.setFixedWidth(_WIDTH_PX)
        self._message.hide()
        self.start_button = named(QPushButton("Record"), "record-start", kind="primary")
        self.stop_button = named(QPushButton("Stop and import"), "record-stop")
        self.copy_button = named(QPushButton("Copy the command"), "record-copy")
        self.close_button = named(QPushButton("Close"), "record-close")
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 16, 20, 16)
        column.setSpacing(12)
        column.addLayout(self._page())
        column.addWidget(self.progress)
        column.addWidget(self.left)
        column.addWidget(self._message)
        column.addLayout(self._buttons())

    def _page(self) -> QGridLayout:
        """What to record, or how to do it elsewhere."""
        words = _INTRO if self._tools else _NONE.format(", ".join(tool.program for tool in TOOLS))
        rows = (("Tool", self.tool), ("For", self.minutes)) if self._tools else (("Command", self.line),)
        intro = Label(words)
        intro.setWordWrap(True)
        intro.setFixedWidth(_WIDTH_PX)  # its height follows
        grid = QGridLayout()
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(8)
        grid.addWidget(intro, 0, 0, 1, 2)
        for number, (title, field) in enumerate(rows, 1):
            label = Label(title)
            label.setBuddy(field)
            grid.addWidget(label, number, 0)
            grid.addWidget(field, number, 1)
        grid.setColumnStretch(1, 1)
        return grid

    def _buttons(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.addStretch(1)
        for button in (self.close_button, self.copy_button, self.stop_button, self.start_button):
            row.addWidget(button)
        return row

    def _connect(self) -> None:
        self.start_button.clicked.connect(self.begin)
        self.stop_button.clicked.connect(self.stop)
        self.close_button.clicked.connect(self.reject)
        self.copy_button.clicked.connect(lambda: QGuiApplication.clipboard().setText(self.line.currentText()))

    def _show_state(self) -> None:
        is_recording, has_tools = self._recording is not None, bool(self._tools)
        self.start_button.setVisible(has_tools and not is_recording)
        self.stop_button.setVisible(is_recording)
        self.copy_button.setVisible(not has_tools)
        for shown in (self.progress, self.left):
            shown.setVisible(is_recording)
        self.close_button.setVisible(not is_recording)
        for field in (self.tool, self.minutes):
            field.setVisible(has_tools)
            field.setEnabled(not is_recording)
        self.line.setVisible(not has_tools)
        self.adjustSize()

    def _on_told(self, seconds: float) -> None:
        whole_s = self.minutes.value() * 60
        self.progress.setRange(0, whole_s)
        self.progress.setValue(round(seconds))
        left = duration((whole_s - seconds) / SECONDS_PER_HOUR)
        self.left.setText(f"{left} left")

    def _on_ended(self, path: Path) -> None:
        """Closes, unless there is something to say: the tool ended before the time was over."""
        too_early = self._recording.too_early if self._recording is not None else ""
        passed = self.left.text()
        self._forget()
        self.recorded.emit(path)
        if not too_early:
            self.accept()
            return
        self._say(f"{too_early} It ended with {passed}; what it had printed by then is imported.")

    def _on_failed(self, why: str) -> None:
        self._forget()
        self._say(why)

    def _say(self, words: str) -> None:
        self._message.setText(words)
        self._message.setVisible(bool(words))
        self.adjustSize()

    def _forget(self) -> None:
        if self._recording is not None:
            self._recording.deleteLater()
        self._recording = None
        self._show_state()


def record_here(window: QWidget) -> RecordDialog:
    """Opens the dialog beside the work; connect its ``recorded``."""
    dialog = RecordDialog(parent=window)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.show()
    return dialog
