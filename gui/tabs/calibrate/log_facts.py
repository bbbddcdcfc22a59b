"""The row of facts above the log's charts: what was recognised, and the choices that tie it to a workload."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QComboBox, QGridLayout, QLabel, QLineEdit, QWidget

from core.catalogue.catalogue import Catalogue
from core.errors import InputError
from core.logs.registry import format_name
from core.plan.plan import ImportedLog
from core.units import duration, grouped, parse_number
from core.workload.profile import Profile
from gui.theme.naming import named
from gui.theme.plain import Label, as_text, tip
from gui.widgets.elided import ElidedLabel


class CalibrateFacts(QWidget):
    """Shows a log's facts; ``changed`` when chip, count, workload or typed speed change."""

    changed = Signal()

    def __init__(self, catalogue: Catalogue, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._catalogue = catalogue
        self.file = named(ElidedLabel(Qt.TextElideMode.ElideMiddle), "fact-file")
        self.format = _value("fact-format")
        self.rows = _value("fact-rows")
        self.chip = _combo("Chip that the log was made on", "fact-chip", 144)
        self.count = named(QLineEdit(), "fact-count", "Number of chips")
        self.workload = _combo("Workload that ran", "fact-workload", 152)
        self.speed = named(QLineEdit(), "fact-speed", "Tokens per second of all chips")
        self._lay_out()
        self._fill_chips()
        self.chip.currentIndexChanged.connect(self._on_change)
        self.count.textChanged.connect(self._on_change)
        self.workload.currentIndexChanged.connect(self._on_change)
        self.speed.textChanged.connect(self._on_change)

    def show_log(self, log: ImportedLog, profiles: tuple[Profile, ...], profile_index: int) -> None:
        """Fills the row for another log."""
        self.blockSignals(True)
        self.file.setText(log.file_name)
        self.format.setText(f"{format_name(log.format)}, {duration(log.duration_s / 3600)}")
        self.rows.setText(f"{grouped(log.n_lines)}, {grouped(log.n_skipped)} skipped")
        self.rows.setToolTip(tip("\n".join(f"{grouped(n)}: {why}" for why, n in log.skipped_reasons.items())))
        self.chip.setCurrentIndex(max(0, self.chip.findData(log.accelerator)))
        self.count.setText(str(log.n_accelerators or 1))
        self.workload.clear()
        for profile in profiles:
            self.workload.addItem(as_text(profile.name), profile.id)
        self.workload.setCurrentIndex(profile_index)
        self.speed.clear()
        self.speed.setPlaceholderText("from the log" if "tokens_per_s_per_chip" in log.quantities else "if you know it")
        self.blockSignals(False)

    @property
    def accelerator_id(self) -> str:
        """The chip chosen."""
        return str(self.chip.currentData() or "")

    @property
    def n_chips(self) -> int:
        """Chips that the log speaks for. Raises InputError when it is no whole number from 1 up."""
        return round(_positive(self.count.text(), "Chips", "a whole number from 1 up"))

    @property
    def typed_tokens_per_s(self) -> float | None:
        """The speed typed, if any. Raises InputError when it is no number above 0."""
        text = self.speed.text().strip()
        return _positive(text, "Tokens/s", "a number above 0, or nothing") if text else None

    def _on_change(self, *_: object) -> None:
        self.changed.emit()

    def _fill_chips(self) -> None:
        self.chip.addItem("Choose the chip", "")
        for chip in self._catalogue.accelerators:
            if not chip.announced:
                self.chip.addItem(as_text(chip.short_name), chip.id)

    def _lay_out(self) -> None:
        grid = QGridLayout(self)
        grid.setContentsMargins(20, 8, 20, 8)
        grid.setHorizontalSpacing(16)
        grid.setVerticalSpacing(2)
        titles = ("File", "Recognised as", "Rows read", "Chip", "Chips", "Workload", "Tokens/s, all chips")
        fields = (self.file, self.format, self.rows, self.chip, self.count, self.workload, self.speed)
        for column, (title, field) in enumerate(zip(titles, fields, strict=True)):
            caption = named(Label(title), f"{field.objectName()}-caption", kind="small")
            caption.setBuddy(field)
            grid.addWidget(caption, 0, column)
            grid.addWidget(field, 1, column)
        self.count.setFixedWidth(64)
        self.speed.setFixedWidth(104)
        grid.setColumnStretch(len(fields), 1)


def _positive(text: str, where: str, expected: str) -> float:
    try:
        value = parse_number(text)
    except ValueError:
        value = 0.0
    if value <= 0:
        raise InputError(where, f"'{text}'", expected)
    return value


def _value(name: str) -> QLabel:
    return named(Label(), name)


def _combo(accessible_name: str, name: str, width_px: int) -> QComboBox:
    combo = named(QComboBox(), name, accessible_name)
    combo.setFixedWidth(width_px)
    return combo
