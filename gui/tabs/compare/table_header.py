"""The line over the candidates table: what is listed, the weights, the filters, and the way to all candidates."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLineEdit, QPushButton, QWidget

from core.comparison.result import ResultSet
from core.report.having_words import caution_words
from gui.forms.choice_editors import NoWheelComboBox
from gui.tables.candidates.filters import Filters, choices, count_text
from gui.theme.naming import named
from gui.theme.plain import as_text, tip
from gui.widgets.elided import ElidedLabel
from gui.widgets.live import PAGE_SIDE_PX, label

HEAD_PX = 40
LEAST_PICK_PX = 62
"""A pick list gives way to this width, so that the line never asks for more than a narrow window has."""
_ALL = {"kind": "GPU and TPU", "provider": "All providers", "purchase_model": "All ways to pay"}
_NAMES = {"kind": "Kind of chip", "provider": "Provider", "purchase_model": "Way to pay"}


class TableHead(QWidget):
    """Title, counts and, once all candidates are shown, a filter field and three pick lists."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setFixedHeight(HEAD_PX)
        self._title = label("Best per accelerator", "strong", "table-title")
        self._count = named(ElidedLabel(), "table-count", kind="small")
        self._weights = named(ElidedLabel(), "table-weights", kind="small")
        self._text = named(QLineEdit(), "table-filter", "Filter candidates")
        self._text.setPlaceholderText("Filter by any word")
        self._text.setClearButtonEnabled(True)
        self._text.setMaximumWidth(190)
        self._text.textChanged.connect(self.changed)
        self._picks = {key: self._pick_list(key) for key in _ALL}
        self._button = named(QPushButton("Show all"), "show-all", "Show all candidates")
        self._button.setCheckable(True)
        self._button.setProperty("kind", "quiet")
        self._button.toggled.connect(self._on_toggle)
        self._build()
        self._on_toggle(False)

    def _pick_list(self, key: str) -> QComboBox:
        box = named(NoWheelComboBox(), f"filter-{key.replace('_', '-')}", _NAMES[key])
        box.addItem(as_text(_ALL[key]), "")
        box.setMinimumWidth(LEAST_PICK_PX)
        box.currentIndexChanged.connect(self.changed)
        return box

    def _build(self) -> None:
        row = QHBoxLayout(self)
        row.setContentsMargins(PAGE_SIDE_PX, 4, PAGE_SIDE_PX - 8, 4)
        row.setSpacing(10)
        row.addWidget(self._title)
        row.addWidget(self._count)
        row.addStretch(1)
        row.addWidget(self._text)
        for box in self._picks.values():
            row.addWidget(box)
        row.addWidget(self._weights)
        row.addWidget(self._button)

    def filters(self) -> Filters:
        """What the user asked to see."""
        if not self._button.isChecked():
            return Filters()
        picked = {key: str(box.currentData() or "") for key, box in self._picks.items()}
        return Filters(show_all=True, text=self._text.text().strip(), **picked)

    def show_counts(self, results: ResultSet, rows: Sequence[int]) -> None:
        """Say what is listed and by which weights it is ranked."""
        weights = results.profile.weights
        self._count.setText(count_text(results, rows))
        shares = ", ".join(f"{share:g}" for share in (weights.cost, weights.time, weights.flexibility))
        self._weights.setText(f"Ranked on {caution_words(weights.worst_pct)}, weights {shares}")
        self._weights.setToolTip(tip(f"{self._weights.text()}: those of cost, time and flexibility, as on Describe"))
        for key, values in choices(results).items():
            self._offer(self._picks[key], values)

    def _offer(self, box: QComboBox, values: list[tuple[str, str]]) -> None:
        """Offer the values there are, keeping the one picked if it is still among them."""
        if [box.itemData(i) for i in range(1, box.count())] == [value for value, _ in values]:
            return
        picked = box.currentData()
        box.blockSignals(True)
        while box.count() > 1:
            box.removeItem(1)
        for value, words in values:
            box.addItem(as_text(words), value)
        box.setCurrentIndex(max(box.findData(picked), 0))
        box.blockSignals(False)

    def _on_toggle(self, shows_all: bool) -> None:
        self._title.setText("All candidates" if shows_all else "Best per accelerator")
        self._button.setText("Show best" if shows_all else "Show all")
        filters, weights = (self._text, *self._picks.values()), (self._weights,)
        goes, comes = (weights, filters) if shows_all else (filters, weights)
        for part in goes:  # first: Qt lays the window out anew with each one that comes, and takes room from the docks
            part.hide()
        for part in comes:
            part.show()
        self.changed.emit()
