"""What on screen would read a user's text as more than text."""

from __future__ import annotations

import re
from collections.abc import Iterator

from PySide6.QtCore import QAbstractItemModel, QAbstractListModel, QModelIndex, Qt
from PySide6.QtGui import Qt as QtGuiWords
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QComboBox,
    QLabel,
    QMenu,
    QTabBar,
    QTextEdit,
    QWidget,
)

from tests.gui.hostile.hostile_plan import HEBREW, MARKUP

CONTROLS = re.compile("[\u202a-\u202e\u200e\u200f\u061c\x00-\x08\x0b-\x1f]")
ISOLATED = re.compile(f"\u2067{HEBREW}\u2069")
_ROOT = QModelIndex()
_MOST_ROWS = 400


def misread() -> list[str]:
    """Everything in view that takes a user's text for HTML, for a mnemonic, or lets it rearrange other words."""
    wrong: list[str] = []
    for widget in QApplication.allWidgets():
        if widget.isVisible():
            where = f"{type(widget).__name__} {widget.objectName()!r}"
            wrong += [f"{where}: {what}" for what in _misread_by(widget)]
    return wrong


def _misread_by(widget: QWidget) -> Iterator[str]:
    yield from _of_tip(widget.toolTip())
    yield from _of_words(widget.windowTitle())
    if isinstance(widget, QLabel):
        yield from _of_label(widget)
    elif isinstance(widget, QAbstractButton):
        yield from _of_caption(widget.text())
    elif isinstance(widget, QTabBar):
        for number in range(widget.count()):
            yield from _of_caption(widget.tabText(number))
    elif isinstance(widget, QTextEdit):
        if "\ufffc" in widget.toPlainText():
            yield "a picture in a text"
        yield from _of_words(widget.toPlainText())
    elif isinstance(widget, QComboBox):
        for number in range(widget.count()):
            yield from _of_words(widget.itemText(number))
    elif isinstance(widget, QMenu):
        for action in widget.actions():
            yield from _of_caption(action.text())
    elif isinstance(widget, QAbstractItemView) and (model := widget.model()):
        yield from _of_model(model)


def _of_label(label: QLabel) -> Iterator[str]:
    is_plain = label.textFormat() == Qt.TextFormat.PlainText
    if MARKUP in label.text() and not is_plain:
        yield f"HTML in {label.text()!r}"
    yield from _of_words(label.text())


def _of_tip(tip: str) -> Iterator[str]:
    if MARKUP in tip and QtGuiWords.mightBeRichText(tip):
        yield f"HTML in the tip {tip!r}"
    yield from _of_words(tip)


def _of_caption(text: str) -> Iterator[str]:
    if "R&D" in text:
        yield f"a mnemonic in {text!r}"
    yield from _of_words(text)


def _of_words(text: str) -> Iterator[str]:
    if CONTROLS.search(text):
        yield f"controls in {text!r}"
    elif HEBREW in ISOLATED.sub("", text):
        yield f"a name from right to left among other words in {text!r}"


def _of_model(model: QAbstractItemModel) -> Iterator[str]:
    columns = range(1 if isinstance(model, QAbstractListModel) else model.columnCount(_ROOT))
    for row in range(min(model.rowCount(_ROOT), _MOST_ROWS)):
        for column in columns:
            index = model.index(row, column)
            yield from _of_tip(str(index.data(Qt.ItemDataRole.ToolTipRole) or ""))
