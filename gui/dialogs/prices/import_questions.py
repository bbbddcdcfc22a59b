"""What is asked about a list of prices: which table, whose prices, of which day, and where they go."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QGridLayout,
    QLineEdit,
    QWidget,
)

from core.catalogue.catalogue import Catalogue
from core.plan.drafts.sellers import provider_names
from core.plan.price_import import Recognised
from core.units import counted
from gui.forms.choice_editors import NoWheelComboBox, segmented_buttons
from gui.forms.typed_editors import typed_date
from gui.theme.naming import named
from gui.theme.plain import Label, as_text

_FIELD_PX = 220
WHERE = {"plan": "This plan", "book": "My price book"}
WHERE_HELP = {
    "plan": "Saved with the plan. One step back undoes it.",
    "book": "Kept on this machine, for all your plans, and out of the files you share.",
}


class PriceQuestions(QWidget):
    """``changed``: the list must be read anew."""

    changed = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._is_single, self._said = False, ""
        self._build()

    @property
    def provider(self) -> str:
        """The provider chosen or typed; empty where each table names its own, and while nobody has said it."""
        words = " ".join(self.providers.currentText().split())
        index = self.providers.findText(words)
        return str(self.providers.itemData(index) or "") if index >= 0 else words.lower().replace(" ", "-")

    @property
    def tables(self) -> tuple[str, ...]:
        """The table chosen among several; none means all."""
        name = self.sources.currentData()
        return (str(name),) if name else ()

    @property
    def day(self) -> str:
        """The day typed, as YYYY-MM-DD where it is one; empty where it is said to be unknown."""
        text = "" if self.is_unknown.isChecked() else self.day_line.text().strip()
        try:
            return typed_date(text).isoformat()
        except ValueError:
            return text

    @property
    def lacks_provider(self) -> bool:
        """True for one table of which nobody knows whose prices they are."""
        return self._is_single and not self.provider

    @property
    def goes_to_book(self) -> bool:
        """Where the prices go."""
        return self.places.checkedId() == 1

    def show_file(self, price_file: Recognised, catalogue: Catalogue) -> None:
        """Asks about a file: nothing that its rows say themselves."""
        self._is_single = len(price_file.sources) == 1 and not price_file.has_own_dates
        self._fill_sources(price_file)
        self._fill_providers(price_file, catalogue)
        with QSignalBlocker(self.is_unknown):
            self.is_unknown.setChecked(False)
        self.day_line.setEnabled(True)
        self.day_line.setText(price_file.file_day)
        written = f"The file was written on {price_file.file_day}; is that the day of the prices?"
        self.day_help.setText(written if price_file.file_day else "")
        for widget in self._questions:
            widget.setVisible(not price_file.has_own_dates)
        for widget in self._source_row:
            widget.setVisible(len(price_file.sources) > 1)
        self.show()

    def _fill_sources(self, price_file: Recognised) -> None:
        with QSignalBlocker(self.sources):
            self.sources.clear()
            self.sources.addItem("All of them", "")
            for one in price_file.sources:
                self.sources.addItem(as_text(f"{one.name} ({counted(one.n_rows, 'row')})"), one.name)

    def _fill_providers(self, price_file: Recognised, catalogue: Catalogue) -> None:
        names = provider_names(catalogue)
        guesses = {one.provider for one in price_file.sources}
        guess = guesses.pop() if len(guesses) == 1 else ""
        with QSignalBlocker(self.providers):
            self.providers.clear()
            if len(price_file.sources) > 1:
                self.providers.addItem("As each table says", "")
            for provider, name in names.items():
                self.providers.addItem(as_text(name), provider)
            if guess and guess not in names:
                self.providers.addItem(as_text(f"{guess} (new)"), guess)
            self.providers.setCurrentIndex(self.providers.findData(guess if len(price_file.sources) == 1 else ""))
            if not guess and len(price_file.sources) == 1:
                self.providers.setEditText("")
        self._said = self.provider
        has_guess = bool(guess) and len(price_file.sources) == 1
        self.provider_help.setText("Guessed from the name; change it if it is wrong." if has_guess else "")

    def _on_typed(self) -> None:
        """A seller that is not listed may be typed; leaving the field as it was asks for nothing."""
        if self.provider != self._said:
            self._said = self.provider
            self.changed.emit()

    def _on_unknown(self, is_unknown: bool) -> None:
        self.day_line.setEnabled(not is_unknown)
        self.changed.emit()

    def _on_place(self) -> None:
        self.where_help.setText(WHERE_HELP["book" if self.goes_to_book else "plan"])

    def _build(self) -> None:
        self._make_fields()
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(6)
        grid.setColumnStretch(3, 1)
        titles = [Label("Table"), Label("Provider"), Label("Day of prices"), Label("Put them in")]
        self._source_row = [titles[0], self.sources]
        for number, title in enumerate(titles):
            grid.addWidget(title, number, 0)
        grid.addWidget(self.sources, 0, 1)
        grid.addWidget(self.providers, 1, 1)
        grid.addWidget(self.provider_help, 1, 2, 1, 2)
        grid.addWidget(self.day_line, 2, 1)
        grid.addWidget(self.is_unknown, 2, 2)
        grid.addWidget(self.day_help, 2, 3)
        grid.addLayout(self._place_row, 3, 1)
        grid.addWidget(self.where_help, 3, 2, 1, 2)
        self._questions: list[QWidget] = [
            titles[1], self.providers, self.provider_help, titles[2], self.day_line, self.is_unknown, self.day_help,
        ]  # fmt: skip
        self.hide()

    def _make_fields(self) -> None:
        self.sources = named(NoWheelComboBox(), "prices-source", "Table")
        self.sources.activated.connect(self.changed)
        self._make_provider()
        self.day_line = named(QLineEdit(), "prices-day", "Day of the prices")
        self.day_line.setPlaceholderText("2026-11-20")
        self.day_line.editingFinished.connect(self.changed)
        self.is_unknown = named(QCheckBox("Unknown"), "prices-undated", "Day unknown")
        self.is_unknown.toggled.connect(self._on_unknown)
        self.day_help = named(Label(), "prices-day-help", kind="small")
        for field in (self.sources, self.providers, self.day_line):
            field.setFixedWidth(_FIELD_PX)
        self.places, self._place_row = segmented_buttons(self, WHERE, "prices-to", "Put them in")
        self.places.button(0).setChecked(True)
        self.places.idClicked.connect(self._on_place)
        self.where_help = named(Label(WHERE_HELP["plan"]), "prices-where-help", kind="small")

    def _make_provider(self) -> None:
        self.providers = named(NoWheelComboBox(), "prices-provider", "Provider")
        self.providers.setEditable(True)
        self.providers.setInsertPolicy(NoWheelComboBox.InsertPolicy.NoInsert)
        typed = self.providers.lineEdit()
        assert typed is not None
        typed.setPlaceholderText("Whose prices?")
        typed.editingFinished.connect(self._on_typed)
        self.providers.activated.connect(self._on_typed)
        self.provider_help = named(Label(), "prices-provider-help", kind="small")
