"""The row of facts above the log's charts: what was read and where; and the form for what a log cannot tell."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLabel, QLineEdit, QPushButton, QWidget

from core.calibration.accepted import MOST_CHIPS
from core.calibration.own_logs.parts import whole_of
from core.catalogue.catalogue import Catalogue
from core.constants import SECONDS_PER_HOUR
from core.errors import InputError
from core.logs.record import LogRecord, Subject
from core.logs.registry import format_name
from core.plan.plan import ImportedLog
from core.units import THIN, TIMES, counted, duration, grouped, parse_number, plain
from core.workload.profile import Profile
from gui.forms.choice_editors import NoWheelComboBox
from gui.theme.icons import icon
from gui.theme.naming import named
from gui.theme.plain import Label, as_text, tip
from gui.widgets.elided import ElidedLabel

_SPEED = "Speed from"
TITLES = ("File", "Read as", _SPEED, "Chips", "Lines read")
_SIGN_PX = 14
SPEEDS = (
    "tokens_per_s_per_chip", "tokens_per_s", "output_tokens_per_s", "output_tokens_per_s_per_chip", "step_time_s",
)  # fmt: skip

_MOST_WAYS = 100_000
_MINUTE_S = 60.0


class CalibrateFacts(QWidget):
    """A label, a value and where it was read, for each fact; ``asked`` opens or closes the form."""

    asked = Signal()

    def __init__(self, catalogue: Catalogue, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFixedHeight(66)
        self._catalogue = catalogue
        self.sign = named(Label(), "fact-sign", "Not enough for a calibration")
        self.sign.hide()
        self.values: list[QLabel] = []
        self.places: list[QLabel] = []
        self.button = named(QPushButton("What ran…"), "log-form-button", "Chip, count, workload and speed of the log")
        self.button.setCheckable(True)
        self.button.clicked.connect(self.asked)
        grid = QGridLayout()
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(20)
        grid.setVerticalSpacing(1)
        for column, title in enumerate(TITLES):
            self._add_fact(grid, column, title)
        row = QHBoxLayout(self)
        row.setContentsMargins(20, 6, 20, 6)
        row.addLayout(grid, 1)
        row.addWidget(self.button)

    def show_log(self, log: ImportedLog, record: LogRecord, name: str, chips: str) -> None:
        """Shows the facts of another log, of which ``record`` knows the chips.

        ``chips`` is what it stands for now, such as ``8 × H100 SXM``.
        """
        facts = (
            (name, f"imported {log.imported_at[:10]}"),
            (", ".join((format_name(log.format), *_lasts(log, record))), _begin(log)),
            _speed(log),
            (chips, _chip_place(record)),
            (grouped(log.n_lines), _skipped(log)),
        )
        for value, place, (words, where) in zip(self.values, self.places, facts, strict=True):
            value.setText(words)
            place.setText(where)
        self.sign.hide()
        self.places[-1].setToolTip(tip("\n".join(f"{grouped(n)}: {why}" for why, n in log.skipped_reasons.items())))

    def show_refused(self, words: tuple[str, str], warn: QColor) -> None:
        """What of a log is too little, in place of where its speed is from, behind a warning."""
        place = TITLES.index(_SPEED)
        self.values[place].setText(words[0])
        self.places[place].setText(words[1])
        self.sign.setPixmap(icon("warning", warn, _SIGN_PX).pixmap(_SIGN_PX, _SIGN_PX))
        self.sign.show()

    def _add_fact(self, grid: QGridLayout, column: int, title: str) -> None:
        name = title.lower().replace(" ", "-")
        value = named(ElidedLabel(Qt.TextElideMode.ElideMiddle), f"fact-{name}", kind="strong")
        place = named(ElidedLabel(), f"place-{name}", kind="small")
        line = QHBoxLayout()
        line.setSpacing(4)
        if title == _SPEED:
            line.addWidget(self.sign)
        line.addWidget(value, 1)
        grid.addWidget(named(Label(title), f"title-{name}", kind="small"), 0, column)
        grid.addLayout(line, 1, column)
        grid.addWidget(place, 2, column)
        grid.setColumnStretch(column, 1)
        self.values.append(value)
        self.places.append(place)


class LogForm(QWidget):
    """What a log cannot tell, asked once, filled from the log and the plan. ``changed`` when an answer changes."""

    changed = Signal()

    def __init__(self, catalogue: Catalogue, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.chip = named(NoWheelComboBox(), "fact-chip", "Chip that the log was made on")
        self.count = named(QLineEdit(), "fact-count", "Number of chips that the log speaks for")
        self.workload = named(NoWheelComboBox(), "fact-workload", "Workload that ran")
        self.speed = named(QLineEdit(), "fact-speed", "Tokens per second of all chips in the window")
        self.missing = named(ElidedLabel(), "log-missing", kind="warn")
        row = QHBoxLayout(self)
        row.setContentsMargins(20, 4, 20, 4)
        row.setSpacing(8)
        fields = (("Chip", self.chip, 112, 156), ("Count", self.count, 56, 56), ("Workload", self.workload, 112, 152))
        for title, field, least_px, most_px in (*fields, ("Tokens/s, all chips", self.speed, 100, 100)):
            label = named(Label(title), f"{field.objectName()}-caption", kind="small")
            label.setBuddy(field)
            field.setMinimumWidth(least_px)
            field.setMaximumWidth(most_px)
            row.addWidget(label)
            row.addWidget(field)
        row.addWidget(self.missing, 1)
        self.chip.addItem("Choose the chip", "")
        for chip in catalogue.accelerators:
            if not chip.announced:
                self.chip.addItem(as_text(chip.short_name), chip.id)
        self.chip.currentIndexChanged.connect(self._on_change)
        self.workload.currentIndexChanged.connect(self._on_change)
        self.count.textChanged.connect(self._on_change)
        self.speed.textChanged.connect(self._on_change)

    def show_log(self, log: ImportedLog, record: LogRecord, profiles: Sequence[Profile], profile_id: str) -> None:
        """Fills the form for another log; ``record`` knows its chips, perhaps by another log of them."""
        self.blockSignals(True)
        self.chip.setCurrentIndex(max(0, self.chip.findData(record.accelerator_id)))
        self.count.setText(str(record.n_accelerators or chips_of_a_copy(log.facts)))
        self.speed.clear()
        self.speed.setPlaceholderText("from the log" if _has_speed(log) else "if you know it")
        self.missing.setText(_lacking(record, is_chip_known=self.chip.currentIndex() > 0))
        self.show_workloads(profiles, profile_id)
        self.blockSignals(False)

    def suggest(self, tokens_per_s: float) -> None:
        """Fills in a speed that the log does not tell, for the user to check."""
        self.blockSignals(True)
        self.speed.setText(f"{tokens_per_s:.4g}" if tokens_per_s < 1000 else f"{tokens_per_s:.0f}")
        self.missing.setText("Tokens/s: from the log's steps and the workload's batch. Check it.")
        self.blockSignals(False)

    def show_workloads(self, profiles: Sequence[Profile], profile_id: str) -> None:
        """Lists the plan's workloads as they are now, the one with this id chosen where it is still there."""
        self.workload.blockSignals(True)
        self.workload.clear()
        for profile in profiles:
            self.workload.addItem(as_text(profile.name), profile.id)
        self.workload.setCurrentIndex(max(0, self.workload.findData(profile_id)) if profiles else -1)
        self.workload.blockSignals(False)

    @property
    def is_lacking(self) -> bool:
        """True where the log left something to ask."""
        return bool(self.missing.text())

    @property
    def accelerator_id(self) -> str:
        """The chip chosen."""
        return str(self.chip.currentData() or "")

    @property
    def profile_id(self) -> str:
        """The workload chosen; empty where the plan has none."""
        return str(self.workload.currentData() or "")

    @property
    def n_chips(self) -> int:
        """Chips that the log speaks for. Raises InputError when it is no whole number from 1 to :data:`MOST_CHIPS`."""
        expected = f"a whole number from 1 to {grouped(MOST_CHIPS)}"
        value = _positive(self.count.text(), "Chips", expected)
        if value > MOST_CHIPS or value != int(value):
            raise InputError("Chips", f"'{self.count.text()}'", expected)
        return int(value)

    @property
    def typed_tokens_per_s(self) -> float | None:
        """The speed typed, if any. Raises InputError when it is no number above 0."""
        text = self.speed.text().strip()
        return _positive(text, "Tokens/s", "a number above 0, or nothing") if text else None

    def _on_change(self, *_: object) -> None:
        self.changed.emit()


def _lacking(record: LogRecord, is_chip_known: bool) -> str:
    """What the form asks because the log does not tell it, or tells a chip that is not in the catalogue."""
    is_other = bool(record.accelerator) and not is_chip_known
    lacks = [
        *(("the chip",) if not is_chip_known and not is_other else ()),
        *(("the number of chips",) if record.n_accelerators is None else ()),
    ]
    shared = record.n_accelerators is None and chips_of_a_copy(record.facts) > 1
    sentences = (
        f"The catalogue has no {record.accelerator}." if is_other else "",
        f"Not in the log: {' and '.join(lacks)}." if lacks else "",
        "Filled in: those that share a copy of the model." if shared else "",
    )
    return " ".join(one for one in sentences if one)


def chips_of_a_copy(facts: Mapping[str, str | float]) -> int:
    """Chips that share one copy of the model by what the log states, tensor times pipeline parallel; else 1."""
    stated = (facts.get(name) for name in ("tensor_parallel", "pipeline_parallel"))
    ways = [round(value) for value in stated if isinstance(value, int | float) and 1 <= value <= _MOST_WAYS]
    return math.prod(ways)


def _lasts(log: ImportedLog, record: LogRecord) -> tuple[str, ...]:
    """How long it lasts by its readings, the first step too, or as it states; nothing where neither tells."""
    told, (begins_s, ends_s) = log.facts.get("duration_s", 0.0), whole_of(record)
    seconds = ends_s - begins_s or (told if isinstance(told, int | float) else 0.0)
    if 0 < seconds < _MINUTE_S:
        return (f"{plain(seconds, 2)}{THIN}s",)
    return (duration(seconds / SECONDS_PER_HOUR),) if seconds > 0 else ()


def _begin(log: ImportedLog) -> str:
    n = sum(1 for name in log.quantities if name not in ("memory_total_gib", "power_limit_w"))
    return f"from line {grouped(log.first_line)}, {counted(n, 'quantity', 'quantities')}"


def _speed(log: ImportedLog) -> tuple[str, str]:
    """Where the speed comes from, and how much of it there is."""
    name = next((one for one in SPEEDS if one in log.quantities), None)
    if name is None:
        busy = "utilization_pct" in log.quantities
        return ("Share of time busy", "no tokens/s in this log") if busy else ("Nothing", "type it under What ran…")
    words = {"step_time_s": "Time of its steps"}.get(name, "Tokens/s of the log")
    n = log.quantities[name].get("n", 0.0)
    count = counted(float(n), "step" if log.subject is Subject.TRAINING else "reading")
    at_once = log.facts.get("concurrency")
    return words, f"{plain(at_once)} requests at once" if isinstance(at_once, int | float) else count


def _has_speed(log: ImportedLog) -> bool:
    return any(name in log.quantities for name in SPEEDS[:-1])


def _chip_place(record: LogRecord) -> str:
    printed, n_chips = record.accelerator or "no chip named", record.n_accelerators
    if not record.accelerator and n_chips is None:
        return "not named in the log"
    count = "count not in the log" if n_chips is None else f"{grouped(n_chips)} in the log"
    return f"{printed}, {count}"


def _skipped(log: ImportedLog) -> str:
    reasons = [f"{grouped(n)} {TIMES} {why}" for why, n in log.skipped_reasons.items()]
    return f"skipped {grouped(log.n_skipped)}: {'; '.join(reasons)}" if reasons else "nothing skipped"


def _positive(text: str, where: str, expected: str) -> float:
    try:
        value = parse_number(text)
    except ValueError:
        value = 0.0
    if value <= 0:
        raise InputError(where, f"'{text}'" if text.strip() else "nothing entered", expected)
    return value
