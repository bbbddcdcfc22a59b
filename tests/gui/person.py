"""Acting like a person where a dialog waits for an answer."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QDialog, QMessageBox, QWidget


def answer(act: Callable[[QWidget], None]) -> None:
    """Deals with the next modal dialog as a person would, once it is up."""

    def soon() -> None:
        dialog = QApplication.activeModalWidget() or QApplication.activePopupWidget()
        if dialog is None:
            QTimer.singleShot(10, soon)
        else:
            act(dialog)

    QTimer.singleShot(0, soon)


def press(text: str) -> Callable[[QWidget], None]:
    """Presses the button with these words in a message box."""

    def act(dialog: QWidget) -> None:
        assert isinstance(dialog, QMessageBox)
        next(button for button in dialog.buttons() if button.text() == text).click()

    return act


def reject(dialog: QWidget) -> None:
    """Leaves a dialog with Esc."""
    assert isinstance(dialog, QDialog)
    dialog.reject()
