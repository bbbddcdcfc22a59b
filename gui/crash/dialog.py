"""The one dialog about faults of the program: what happened to the plan, and a report that stays on this machine."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialog, QHBoxLayout, QPlainTextEdit, QPushButton, QVBoxLayout, QWidget

from core.crash.redaction import without_home
from core.units import counted
from gui.theme.naming import named
from gui.theme.plain import Label

NO_FILE = "The report could not be written to a file."
PROMISE = (
    "Nothing is sent anywhere. Words of yours, numbers and paths are left out of the report; read it before you pass "
    "it on."
)


class FaultDialog(QDialog):
    """Does not stop the work. Further faults are counted here while it is open, however many come."""

    def __init__(self, heading: str, report: str, file: Path | None, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        named(self, "fault", "A fault of the program")
        self.setWindowTitle("A fault of the program")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.resize(640, 420)
        self._n_more = 0
        self.heading = named(Label(heading), "fault-heading")
        self.more = named(Label(), "fault-more", kind="small")
        self.more.hide()
        self.report = named(QPlainTextEdit(), "fault-report", "Report")
        self.report.setReadOnly(True)
        self.report.setPlainText(report)
        where = without_home(f"It is in {file}") if file else NO_FILE
        promise = named(Label(f"{PROMISE} {where}"), "fault-promise", kind="small")
        for label in (self.heading, promise):
            label.setWordWrap(True)
        copy = named(QPushButton("Copy report"), "fault-copy", "Copy report")
        copy.clicked.connect(self.copy)
        go_on = named(QPushButton("Go on"), "fault-close", "Go on", "primary")
        go_on.clicked.connect(self.close)
        buttons = QHBoxLayout()
        buttons.addStretch(1)
        buttons.addWidget(copy)
        buttons.addWidget(go_on)
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 16, 20, 16)
        column.setSpacing(10)
        for widget in (self.heading, self.more, self.report, promise):
            column.addWidget(widget, 1 if widget is self.report else 0)
        column.addLayout(buttons)
        go_on.setDefault(True)
        go_on.setFocus()

    def add(self, report: str) -> None:
        """One more fault of another kind."""
        self._n_more += 1
        self.more.setText(f"{counted(self._n_more, 'further fault')} since, at the end of the report.")
        self.more.show()
        self.report.appendPlainText(f"\n{report}")

    def copy(self) -> None:
        """Puts the report on the clipboard; the user decides where it goes."""
        QGuiApplication.clipboard().setText(self.report.toPlainText())
