"""The question before unsaved work goes."""

from __future__ import annotations

from typing import Literal

from PySide6.QtWidgets import QMessageBox, QWidget

Answer = Literal["save", "drop", "stay"]


def ask_unsaved(parent: QWidget, question: str, warning: str) -> Answer:
    """Asks whether to save, to let go on purpose, or to stay."""
    box = QMessageBox(parent)
    box.setObjectName("save-changes")
    box.setWindowTitle("Roofplan")
    box.setText(question)
    box.setInformativeText(warning)
    save = box.addButton("Save", QMessageBox.ButtonRole.AcceptRole)
    drop = box.addButton("Don't save", QMessageBox.ButtonRole.DestructiveRole)
    box.addButton("Cancel", QMessageBox.ButtonRole.RejectRole)
    box.setDefaultButton(save)
    box.exec()
    clicked = box.clickedButton()
    box.deleteLater()
    return "save" if clicked is save else "drop" if clicked is drop else "stay"
