"""The part of the page about small models: what they need, the chips, what a move by hand would do, and pins."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from core.amounts import Sentence
from core.comparison.portfolio.packing import Packing
from gui.tabs.portfolio.packing_view import PackingView
from gui.theme.theme import Theme
from gui.widgets.live import label

TITLE = "Small models on chips"
HOW = "Drag a model to another chip, or carry it with Shift and the arrows and put it down with Enter."


NOTHING = "Services that need less than a chip would share chips here; this plan has none."


class PackingPanel(QWidget):
    """``put`` and ``freed`` are those of the view."""

    put = Signal(str, int)
    freed = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.view = PackingView()
        self.words = label("", "small", "packing-words", wraps=True)
        self.told = label(HOW, "small", "packing-told", wraps=True)
        self.refused = label("", "warn", "packing-refused", wraps=True)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addWidget(label(TITLE, "section"))
        for widget in (self.words, self.refused, self.view, self.told):
            column.addWidget(widget)
        column.addStretch(1)
        self.view.put.connect(self.put)
        self.view.freed.connect(self.freed)
        self.view.told.connect(self._tell)

    def show_packing(self, packing: Packing | None, words: str, colour: str, theme: Theme, can_edit: bool) -> None:
        """Other chips, or words alone where nothing is packed."""
        has_any = packing is not None and bool(packing.chips)
        self.words.setText(words or ("" if has_any else NOTHING))
        for widget in (self.view, self.told):
            widget.setVisible(has_any)
        refused = refused_words(packing)
        self.refused.setText(refused)
        self.refused.setVisible(bool(refused))
        if packing is not None:
            self.view.show_packing(packing, colour, theme, can_edit)
            self._tell("", False)

    def _tell(self, words: str, is_refused: bool) -> None:
        self.told.setText(words or (HOW if self.view.can_edit else ""))
        self.told.setProperty("kind", "err" if is_refused else "small")
        self.told.style().polish(self.told)


def refused_words(packing: Packing | None) -> str:
    """What was put by hand where it does not fit."""
    lines = packing.pins_refused if packing else ()
    return " ".join(
        str(Sentence("{} was put on chip {} by hand and does not fit there: {}.", one.name, str(one.chip), one.why))
        for one in lines
    )
