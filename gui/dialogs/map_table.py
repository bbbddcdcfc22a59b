"""Asks what the columns of a table mean that no reader of logs knows: proposed, changed by hand, and remembered."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QGridLayout,
    QHBoxLayout,
    QLineEdit,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from core.logs.mapping.head import Table
from core.logs.mapping.model import IGNORED, MappedColumn, TableMapping, faults, gaps, has_time, meanings, units_for
from core.units import counted, parse_number
from gui.forms.choice_editors import NoWheelComboBox
from gui.theme.naming import named
from gui.theme.plain import Label, as_text, tip
from gui.theme.screen_room import within_screen

_SIZE_PX = (760, 520)
_MEANING_PX, _UNIT_PX, _SECONDS_PX = 230, 128, 80
_MOST_ROWS = 120
_SHOWN_VALUES = 3
_MOST_CHARS = 26
_INTRO = "No log that Roofplan knows, but a table. Say what its columns are; the plan remembers it for the next file."


@dataclass(frozen=True, slots=True)
class _Row:
    """The two questions about one column."""

    name: str
    meaning: QComboBox
    unit: QComboBox

    @property
    def answer(self) -> MappedColumn:
        """What is chosen."""
        return MappedColumn(name=self.name, meaning=self.meaning.currentData(), unit=self.unit.currentText())


class MapTableDialog(QDialog):
    """``mapped`` brings the mapping when it is accepted; nothing can be accepted that could not be read."""

    mapped = Signal(object)

    def __init__(self, table: Table, start: TableMapping, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        named(self, "map-table", "Columns of a table")
        self.setWindowTitle(as_text(f"Columns of {table.file}"))
        within_screen(self, *_SIZE_PX)
        self._start = start
        self._table = table
        self._build()
        self._show()

    @property
    def mapping(self) -> TableMapping:
        """What is chosen now; columns beyond those shown stay as they were proposed."""
        answers = {row.name: row.answer for row in self.rows}
        columns = tuple(answers.get(column.name, column) for column in self._start.columns)
        return self._start.model_copy(update={"columns": columns, "seconds_a_row": self._seconds})

    def accept(self) -> None:
        """Hands the mapping over."""
        self.mapped.emit(self.mapping)
        super().accept()

    @property
    def _seconds(self) -> float | None:
        """The seconds typed; None where nothing, or nothing that can be used, stands there."""
        try:
            value = parse_number(self.seconds.text())
        except ValueError:
            return None
        return value if 0 < value <= 1e6 else None

    def _build(self) -> None:
        intro = Label(_INTRO)
        intro.setWordWrap(True)
        self._message = named(Label(), "map-message", kind="err")
        self._gaps = named(Label(), "map-gaps", kind="small")
        for label in (self._message, self._gaps):
            label.setWordWrap(True)
        kinds = QDialogButtonBox.StandardButton
        self.buttons = QDialogButtonBox(kinds.Ok | kinds.Cancel)
        self.buttons.button(kinds.Ok).setText("Import")
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 16, 20, 16)
        column.setSpacing(12)
        column.addWidget(intro)
        column.addWidget(self._questions(), 1)
        column.addLayout(self._seconds_row())
        for widget in (self._message, self._gaps, self.buttons):
            column.addWidget(widget)

    def _questions(self) -> QScrollArea:
        area = named(QScrollArea(), "map-columns", "Columns")
        area.setWidgetResizable(True)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        page = QWidget()
        grid = QGridLayout(page)
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(6)
        for place, title in enumerate(("Column", "First values", "Is", "Unit")):
            grid.addWidget(named(Label(title), f"map-head-{place}", kind="small"), 0, place)
        self.rows = [self._row(grid, number) for number in range(min(len(self._table.columns), _MOST_ROWS))]
        n_more = len(self._table.columns) - len(self.rows)
        if n_more:
            grid.addWidget(Label(f"and {counted(n_more, 'more column')}, not used"), len(self.rows) + 1, 0, 1, 4)
        grid.setColumnStretch(0, 1)
        grid.setColumnStretch(1, 1)
        grid.setRowStretch(len(self.rows) + 2, 1)
        area.setWidget(page)
        return area

    def _row(self, grid: QGridLayout, number: int) -> _Row:
        column, proposed = self._table.columns[number], self._start.columns[number]
        meaning = named(NoWheelComboBox(), f"map-meaning-{number}", f"What {column.name} is")
        for name, words in meanings().items():
            meaning.addItem(as_text(words), name)
        meaning.setCurrentIndex(meaning.findData(proposed.meaning if proposed.meaning in meanings() else IGNORED))
        meaning.setFixedWidth(_MEANING_PX)
        unit = named(NoWheelComboBox(), f"map-unit-{number}", f"Unit of {column.name}")
        unit.setFixedWidth(_UNIT_PX)
        row = _Row(column.name, meaning, unit)
        self._fill_units(row, proposed.unit)
        meaning.currentIndexChanged.connect(lambda: self._on_meaning(row))
        unit.currentIndexChanged.connect(self._show)
        values = ", ".join(column.values[:_SHOWN_VALUES])
        for place, widget in enumerate((_cut(column.name), _cut(values), meaning, unit)):
            grid.addWidget(widget, number + 1, place)
        return row

    def _seconds_row(self) -> QHBoxLayout:
        self.seconds = named(QLineEdit(), "map-seconds", "Seconds between rows")
        self.seconds.setFixedWidth(_SECONDS_PX)
        self.seconds.textChanged.connect(self._show)
        self._seconds_label = Label("Seconds between rows, if you know them")
        self._seconds_label.setBuddy(self.seconds)
        row = QHBoxLayout()
        row.addWidget(self._seconds_label)
        row.addWidget(self.seconds)
        row.addStretch(1)
        return row

    def _on_meaning(self, row: _Row) -> None:
        self._fill_units(row, row.unit.currentText())
        self._show()

    def _fill_units(self, row: _Row, unit: str) -> None:
        """The units of what the column is now; the one that was chosen stays where it is among them."""
        known = units_for(row.meaning.currentData())
        with QSignalBlocker(row.unit):
            row.unit.clear()
            row.unit.addItems([as_text(one) for one in known])
            row.unit.setCurrentIndex(max(row.unit.findText(unit, Qt.MatchFlag.MatchExactly), 0 if known else -1))
        row.unit.setVisible(bool(known))

    def _show(self) -> None:
        mapping = self.mapping
        wrong = faults(mapping)
        untimed = not has_time(mapping.model_copy(update={"seconds_a_row": None}))
        for widget in (self.seconds, self._seconds_label):
            widget.setVisible(untimed)
        self._message.setText("\n".join(f"{one[:1].upper()}{one[1:]}." for one in wrong))
        self._message.setVisible(bool(wrong))
        self._gaps.setText("\n".join(gaps(mapping)))
        self.buttons.button(QDialogButtonBox.StandardButton.Ok).setEnabled(not wrong)


def _cut(text: str) -> Label:
    """A cell as long as there is room for, whole in its tooltip."""
    label = Label(text if len(text) <= _MOST_CHARS else f"{text[: _MOST_CHARS - 1]}…")
    label.setToolTip(tip(text))
    return label
