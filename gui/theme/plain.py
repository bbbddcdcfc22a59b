"""Texts of users shown as texts: never HTML, never a mnemonic, never able to rearrange the words around them."""

from __future__ import annotations

import re
from html import escape

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QImage, QTextBlockFormat, QTextCursor, QTextDocument
from PySide6.QtGui import Qt as GuiQt
from PySide6.QtWidgets import QLabel, QMessageBox, QTextBrowser, QWidget

_RIGHT_TO_LEFT = "\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff"
_RUN = re.compile(rf"[{_RIGHT_TO_LEFT}]+(?:[ \d'\"._\u00a0\u202f-]*[{_RIGHT_TO_LEFT}]+)*")
_STEERING = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]")
"""Marks that turn the direction of what follows."""
_UNPRINTED = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
_MARKDOWN = re.compile(r"([\\`*_{}\[\]()#+\-.!|<>&~])")
_PARAGRAPH_GAP_PX, _ITEM_GAP_PX = 9, 3


def as_text(text: str) -> str:
    """The text as it may stand among other words: without marks that steer the direction or cannot be printed, what is
    written from right to left kept to itself. Nothing changes in most texts; doing it twice changes nothing either."""
    if text.isascii() and text.isprintable():
        return text
    calm = _UNPRINTED.sub(" ", _STEERING.sub("", text))
    return _RUN.sub("\u2067\\g<0>\u2069", calm)


def tip(text: str) -> str:
    """A tooltip, in which Qt would read HTML wherever it thinks that it sees some."""
    words = as_text(text)
    return f'<p style="white-space:pre-wrap">{as_html(text)}</p>' if GuiQt.mightBeRichText(words) else words


def as_html(text: str) -> str:
    """A text of the user within HTML of ours, in an attribute too."""
    return escape(as_text(text))


def caption(text: str) -> str:
    """The words of a button, a tab or a menu entry, where a single ``&`` would mark a key."""
    return as_text(text).replace("&", "&&")


def markdown(text: str) -> str:
    """A text of the user within Markdown of ours."""
    return _MARKDOWN.sub(r"\\\1", as_text(text))


class Label(QLabel):
    """A text, whatever stands in it. One that mixes in marks of ours says so by ``setTextFormat``, and escapes."""

    def __init__(self, text: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setText(text)

    def setText(self, text: str) -> None:
        """Shows a text."""
        super().setText(as_text(text))


class Question(QMessageBox):
    """A message box whose words are text."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setTextFormat(Qt.TextFormat.PlainText)

    def setText(self, text: str) -> None:
        """Asks."""
        super().setText(as_text(text))

    def setInformativeText(self, text: str) -> None:
        """Says what else there is to know."""
        super().setInformativeText(as_text(text))


class Reader(QTextBrowser):
    """Reads texts of ours, with words of users escaped in them. It opens no file and follows no link by itself."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setOpenLinks(False)

    def show_markdown(self, text: str) -> None:
        """Shows Markdown; HTML in it is text."""
        features = QTextDocument.MarkdownFeature
        self.document().setMarkdown(text, features.MarkdownDialectGitHub | features.MarkdownNoHTML)
        self._space_out()

    def _space_out(self) -> None:
        """Room below paragraphs, headings and items, which Qt gives to typefaces sized in points only."""
        block = self.document().begin()
        while block.isValid():
            cursor = QTextCursor(block)
            if cursor.currentTable() is None:
                form = QTextBlockFormat()
                goes_on = block.textList() is not None and block.next().textList() is not None
                form.setBottomMargin(_ITEM_GAP_PX if goes_on else _PARAGRAPH_GAP_PX)
                cursor.mergeBlockFormat(form)
            block = block.next()
        self.moveCursor(QTextCursor.MoveOperation.Start)

    def loadResource(self, kind: int, name: QUrl | str) -> object:
        """Nothing that a text asks for; an empty picture, since Qt opens the file itself where there is none."""
        nothing = QImage(1, 1, QImage.Format.Format_ARGB32)
        nothing.fill(Qt.GlobalColor.transparent)
        return nothing if kind == QTextDocument.ResourceType.ImageResource.value else b""
