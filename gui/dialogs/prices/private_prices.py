"""Before a PDF with private prices leaves the house: what is in it, and whether it shall be masked."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QCheckBox, QDialog, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from core.catalogue.entries import LAYER_WORDS
from core.catalogue.providers import provider_name
from core.comparison.result import CandidateResult
from gui.session.plan_session import PlanSession
from gui.theme.naming import named
from gui.theme.plain import Label

WIDTH_PX = 520
_EDGE_PX, _MOST_NAMES = 20, 4
HOW = (
    "A public price then stands in for each of them, in papers, tables and JSON, and the usual rate for what you typed "
    "of your team's, rooms' and money's costs: recommendation, days and flexibility stay, totals and chances are those "
    "at the stand-ins. Notes are left out. Of a price nobody learns more than that it is low enough to be picked, or "
    "not."
)


class PrivatePricesDialog(QDialog):
    """The tick is kept in the plan, as an undo step."""

    def __init__(self, session: PlanSession, private: Sequence[CandidateResult], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        named(self, "private-prices", "Private prices in the PDF")
        self.setWindowTitle("Private prices in the PDF")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setFixedWidth(WIDTH_PX)
        self.masks = named(QCheckBox("Mask private prices"), "mask-private")
        self.masks.setChecked(session.plan.masks_private_prices)
        column = QVBoxLayout(self)
        column.setContentsMargins(_EDGE_PX, 16, _EDGE_PX, 14)
        column.setSpacing(12)
        for text, kind in ((private_words(private), ""), (HOW, "small")):
            label = Label(text)
            label.setWordWrap(True)
            label.setProperty("kind", kind)
            label.setFixedWidth(WIDTH_PX - 2 * _EDGE_PX)  # its height follows
            column.addWidget(label)
            if not kind:
                column.addWidget(self.masks)
        column.addLayout(self._buttons())

    def accept(self) -> None:
        """Keeps the answer and goes on to the file."""
        plan = self._session.plan
        update = {"masks_private_prices": self.masks.isChecked()}
        words = "Mask private prices" if self.masks.isChecked() else "Show private prices"
        self._session.replace_plan(plan.model_copy(update=update), words)
        super().accept()

    def _buttons(self) -> QHBoxLayout:
        self.cancel = named(QPushButton("Cancel"), "private-cancel", "Cancel")
        self.cancel.setAutoDefault(False)
        self.cancel.clicked.connect(self.reject)
        self.go_on = named(QPushButton("Choose a file…"), "private-go-on", "Choose a file", "primary")
        self.go_on.setDefault(True)
        self.go_on.clicked.connect(self.accept)
        row = QHBoxLayout()
        row.addStretch(1)
        row.addWidget(self.cancel)
        row.addWidget(self.go_on)
        return row


def private_words(private: Sequence[CandidateResult]) -> str:
    """How many options have prices of the user's own, whose they are, and where they were entered."""
    names = list(dict.fromkeys(provider_name(one.candidate.offer.provider) for one in private))
    shown = ", ".join(names[:_MOST_NAMES]) + (
        f" and {len(names) - _MOST_NAMES} more" if len(names) > _MOST_NAMES else ""
    )
    layers = " and ".join(sorted({LAYER_WORDS[one.candidate.offer.layer] for one in private}))
    count = len(private)
    return f"{count} option{'s have' if count != 1 else ' has'} prices of your own ({shown}; from {layers})."
