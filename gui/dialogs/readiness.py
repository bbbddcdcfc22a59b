"""Scans a folder of sources for what TPU and ROCm ask to be changed, and offers what it says of the workload."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QGridLayout,
    QHBoxLayout,
    QLineEdit,
    QProgressBar,
    QPushButton,
    QTabBar,
    QVBoxLayout,
    QWidget,
)

from core.errors import RoofplanError
from core.flexibility.porting import framework_weeks, port_of
from core.ranges import Range
from core.readiness.effort import KindEffort, efforts, total_weeks
from core.readiness.kinds import Side
from core.readiness.proposal import proposed
from core.readiness.scan import Scan, scan
from core.readiness.xla_report import report_findings
from core.units import counted, grouped, plain
from core.workload.profile import FRAMEWORK_WORDS, Profile
from core.workload.stack import Stack, span_of
from gui.session.plan_session import PlanSession
from gui.session.road import Work, stoppable
from gui.tables.text_table import TextColumn, TextRow, TextTable
from gui.theme.naming import named
from gui.theme.plain import Label, caption, tip
from gui.theme.removal import take_away
from gui.theme.screen_room import within_screen

_SIZE_PX = (980, 660)
_VALUE_PX = 240
_COLUMNS = (
    TextColumn("What", 260),
    TextColumn("Where", 210),
    TextColumn("Weeks", 110, True),
    TextColumn("What to do, and the code", 300),
)
_INTRO = "Sources are read as text: nothing of them is run, imported or sent. What is found becomes weeks of rewriting."
_FAMILY = {Side.TPU: "google_tpu", Side.ROCM: "amd_gpu"}
_WEEKS_FIELD = {Side.TPU: "tpu_port_weeks", Side.ROCM: "rocm_port_weeks"}
_TAB_TIP = (
    "Likely engineer-weeks of rewriting what was found here (low\u2013high), our estimate, without the framework's own "
    "move, which the weeks below add."
)
_WRONG_WEEKS = "Weeks are one number, or low, likely and high in this order, from 0 to 1,000, such as 2, 5, 12."
_NOTHING_READ = "{} has no sources that can be read: {}{} Choose the folder that holds the code of the workload."
_TABLE_SHARE = 100
"""The table takes the room, and the space above the buttons while there is no table."""
OWNER = "readiness"


@dataclass(frozen=True, slots=True)
class _Answer:
    """One line of what would change: its box, the field, and its value or where it is typed."""

    box: QCheckBox
    field: str
    value: Any
    typed: QLineEdit | None = None

    @property
    def chosen(self) -> Any:
        """What stands there now."""
        return self.typed.text().strip() if self.typed is not None else self.value


class ReadinessDialog(QDialog):
    """Chooses a folder, reads it on the road, lists findings by side, and changes the workload as one undo step."""

    def __init__(self, session: PlanSession, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        named(self, "readiness", "Scan source code")
        self.setWindowTitle("Scan source code")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        within_screen(self, *_SIZE_PX)
        self._session = session
        self._work: Work | None = None
        self._bare: Scan | None = None
        self.read: Scan | None = None
        self.answers: list[_Answer] = []
        self._build()
        self._show_state()

    def ask_folder(self) -> None:
        """Asks for the folder of the sources."""
        name = QFileDialog.getExistingDirectory(self, "Folder of the sources")
        if name:
            self.begin(Path(name))

    def ask_report(self) -> None:
        """Asks for a metrics report of PyTorch/XLA."""
        name, _ = QFileDialog.getOpenFileName(
            self, "Metrics report of PyTorch/XLA", "", "Text (*.txt *.log);;All files (*)"
        )
        if name:
            self.add_report(Path(name))

    def begin(self, folder: Path) -> None:
        """Reads a folder off the GUI thread; what another one said goes at once, lest it is applied for this one."""
        self._forget()
        self._work = self._session.road.start(OWNER, stoppable(partial(scan, folder)), f"Reading {folder.name}")
        self._work.progressed.connect(lambda share: self.progress.setValue(round(100 * share)))
        self._session.hear(self._work, self._on_read, self._on_failed)
        self._work.ended.connect(self._on_ended)
        self._show_state()

    def _forget(self) -> None:
        self._bare = self.read = None
        self._say("")
        self._show_answers([])

    def add_report(self, path: Path) -> None:
        """Adds what a report says to what the sources do, in place of an earlier one."""
        if self._bare is None:
            return
        try:
            self.read = replace(self._bare, findings=(*self._bare.findings, *report_findings(path)))
        except RoofplanError as error:
            self._say(str(error))
            return
        self._say("")
        self._show_read()

    def stop(self) -> None:
        """Ends the reading."""
        if self._work is not None:
            self._work = None
            self._session.road.cancel(OWNER)
        self._show_state()

    def accept(self) -> None:
        """Changes the ticked fields of the workload's stack as one undo step."""
        changes = {one.field: one.chosen for one in self.answers if one.box.isChecked()}
        if any(field in _WEEKS_FIELD.values() and span_of(text) is None for field, text in changes.items()):
            self._say(_WRONG_WEEKS)
            return
        if changes:
            self._session.end_step()
            stack = Stack(**{**self._stack.model_dump(), **changes})
            refused = self._session.edit(self._session.path("stack"), stack, "Software from the source scan")
            self._session.end_step()
            if refused:
                self._say(refused)
                return
        super().accept()

    def done(self, result: int) -> None:
        """Leaves; a reading under way ends."""
        self.stop()
        super().done(result)

    @property
    def side(self) -> Side:
        """The side whose findings are listed."""
        return tuple(Side)[self.sides.currentIndex()]

    @property
    def _profile(self) -> Profile:
        return self._session.profile or Profile()

    @property
    def _stack(self) -> Stack:
        return self._profile.stack

    @property
    def _read(self) -> Profile:
        """The workload with what the sources say of its software."""
        said = proposed(self.read, self._stack) if self.read else ()
        stack = self._stack.model_copy(update={one.field: one.value for one in said})
        return self._profile.model_copy(update={"stack": stack})

    def _on_read(self, read: Scan) -> None:
        """A folder without any source says nothing of the workload, not that nothing has to change."""
        if not read.n_files:
            why = "".join(f" {file}: {reason}." for file, reason in read.skipped[:1])
            self._say(_NOTHING_READ.format(Path(read.folder).name, _summary(read), why))
            return
        self._bare = self.read = read
        self._show_read()
        self.table.setFocus()

    def _on_failed(self, error: RoofplanError) -> None:
        self._say(f"The folder was not read: {error}")

    def _on_ended(self) -> None:
        self._work = None
        self._show_state()

    def _show_read(self) -> None:
        if self.read is None:
            return
        self.summary.setText(f"{Path(self.read.folder).name}: {_summary(self.read)}")
        for number, side in enumerate(Side):
            weeks = total_weeks(efforts(self.read.findings, side))
            self.sides.setTabText(number, caption(f"{side.value}: {weeks_words(weeks)}"))
            self.sides.setTabToolTip(number, tip(_TAB_TIP))
        self._show_side()
        answers = [*self._field_answers(self.read), *(self._weeks_answer(self.read, side) for side in Side)]
        self._show_answers(answers)
        self._show_state()

    def _show_side(self) -> None:
        if self.read is not None:
            self.table.show_rows((*_rows(efforts(self.read.findings, self.side)), *_unread_rows(self.read)))

    def _show_answers(self, answers: list[_Answer]) -> None:
        while (item := self._grid.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                take_away(widget)
        self.answers = answers
        for row, one in enumerate(answers):
            self._grid.addWidget(one.box, row, 0)
            if one.typed is not None:
                self._grid.addWidget(one.typed, row, 1)
            else:
                self._grid.addWidget(Label(_value_words(one.field, one.value)), row, 1)

    def _field_answers(self, read: Scan) -> Iterator[_Answer]:
        for one in proposed(read, self._stack):
            info = Stack.model_fields[one.field]
            title = info.title or one.field
            box = _ticked(f"{title}: {one.why}", one.field)
            box.setToolTip(tip(f"{info.description or title}; Apply enters into Describe what the sources have"))
            yield _Answer(box, one.field, one.value)

    def _weeks_answer(self, read: Scan, side: Side) -> _Answer:
        """Rewriting and the framework's own port together; three numbers that may be changed."""
        chip = next(one for one in self._session.catalogue.accelerators if one.family == _FAMILY[side])
        rewriting, catalogue, profile = total_weeks(efforts(read.findings, side)), self._session.catalogue, self._read
        own, whole = framework_weeks(profile, catalogue, chip), port_of(profile, catalogue, chip, rewriting)
        framework = f"{FRAMEWORK_WORDS[profile.stack.framework]} on {side.value}"
        title, field = f"Weeks to port to {side.value}", _WEEKS_FIELD[side]
        typed = named(QLineEdit(_three(whole)), f"weeks-{side.name.lower()}", title)
        typed.setFixedWidth(_VALUE_PX)
        box = _ticked(f"{title}: low, likely, high (estimate){_parts_words(rewriting, own, framework)}", field)
        for widget in (box, typed):
            widget.setToolTip(tip(_parts_tip(rewriting, own, framework)))
        return _Answer(box, field, None, typed)

    def _build(self) -> None:
        intro = Label(_INTRO)
        self.summary = named(Label(), "readiness-summary", kind="strong")
        self.message = named(Label(), "readiness-message", kind="err")
        for label in (intro, self.summary, self.message):
            label.setWordWrap(True)
        self.table = TextTable("readiness-findings", "Findings", _COLUMNS)
        self.sides = named(QTabBar(), "readiness-sides", "Where the code shall run")
        for side in Side:
            self.sides.addTab(caption(side.value))
        self.sides.currentChanged.connect(self._show_side)
        self._grid = QGridLayout()
        self._grid.setVerticalSpacing(4)
        self._grid.setColumnStretch(0, 1)
        self.proposals = named(Label("What it says of this workload"), "readiness-proposals", kind="strong")
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 16, 20, 16)
        column.setSpacing(10)
        for widget in (intro, *self._top(), self.summary, self.message, self.sides):
            column.addWidget(widget)
        column.addWidget(self.table, _TABLE_SHARE)
        column.addWidget(self.proposals)
        column.addLayout(self._grid)
        column.addStretch(1)
        column.addWidget(self._buttons())
        self.buttons.button(QDialogButtonBox.StandardButton.Apply).setDefault(True)  # else Enter asks for a folder

    def _top(self) -> tuple[QWidget, ...]:
        self.choose = named(QPushButton("Choose a folder…"), "readiness-folder")
        self.report = named(QPushButton("Add a PyTorch/XLA report…"), "readiness-report")
        self.stopper = named(QPushButton("Stop"), "readiness-stop")
        self.progress = named(QProgressBar(), "readiness-progress", "Share that is read")
        self.choose.clicked.connect(self.ask_folder)
        self.report.clicked.connect(self.ask_report)
        self.stopper.clicked.connect(self.stop)
        holder = QWidget()
        row = QHBoxLayout(holder)
        row.setContentsMargins(0, 0, 0, 0)
        for widget in (self.choose, self.report, self.progress, self.stopper):
            row.addWidget(widget)
        row.addStretch(1)
        return (holder,)

    def _buttons(self) -> QDialogButtonBox:
        kinds = QDialogButtonBox.StandardButton
        self.buttons = QDialogButtonBox(kinds.Apply | kinds.Close)
        self.buttons.button(kinds.Apply).setText("Apply to the workload")
        self.buttons.button(kinds.Apply).clicked.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        return self.buttons

    def _show_state(self) -> None:
        is_reading, is_read = self._work is not None, self.read is not None
        self.progress.setVisible(is_reading)
        self.stopper.setVisible(is_reading)
        self.choose.setEnabled(not is_reading)
        self.report.setVisible(is_read and not is_reading)
        for widget in (self.sides, self.table, self.summary, self.proposals):
            widget.setVisible(is_read)
        can_apply = is_read and not self._session.is_read_only
        self.buttons.button(QDialogButtonBox.StandardButton.Apply).setEnabled(can_apply)

    def _say(self, text: str) -> None:
        self.message.setText(text)
        self.message.setVisible(bool(text))


def weeks_words(weeks: Range) -> str:
    """``38 weeks (18–86)``, or that nothing has to change."""
    if weeks.high <= 0:
        return "nothing to change"
    return f"{counted(weeks.likely, 'week', digits=2)} ({plain(weeks.low, 2)}–{plain(weeks.high, 2)})"


def _parts_words(rewriting: Range, own: Range, framework: str) -> str:
    """``: 6.8 rewriting + 1.5 for PyTorch on TPU``, the likely weeks; nothing where nothing has to change."""
    told = ((rewriting, "rewriting"), (own, f"for {framework}"))
    parts = [f"{plain(weeks.likely, 2)} {words}" for weeks, words in told if weeks.high > 0]
    return f": {' + '.join(parts)}" if parts else ""


def _parts_tip(rewriting: Range, own: Range, framework: str) -> str:
    return (
        "Engineer-weeks of the whole port, our estimate.\n"
        f"Rewriting what was found: {weeks_words(rewriting)}\n"
        f"Moving {framework}: {weeks_words(own)}\n"
        "Apply puts them in place of the weeks that the comparison counts; type other ones if you know better."
    )


def _rows(listed: tuple[KindEffort, ...]) -> Iterator[TextRow]:
    """A row for each kind with its weeks, below it one for each place."""
    for one in listed:
        key = f"{one.kind.id} {one.name}"
        weeks = f"{plain(one.weeks.likely, 2)} ({plain(one.weeks.low, 2)}–{plain(one.weeks.high, 2)})"
        yield TextRow(key, (one.title, counted(len(one.findings), "place"), weeks, one.kind.instead))
        for finding in one.findings:
            where = f"{finding.file}:{finding.line}"
            yield TextRow(f"{key} {where}", ("", where, "", finding.code))


def _unread_rows(read: Scan) -> Iterator[TextRow]:
    """Files that the weeks know nothing of, and why, below what was found."""
    if read.skipped:
        yield TextRow("unread", ("Could not be read", counted(len(read.skipped), "file"), "", "Not in the weeks."))
    for file, reason in read.skipped:
        yield TextRow(f"unread {file}", ("", file, "", reason))


def _summary(read: Scan) -> str:
    tests = f", {counted(read.n_tests, 'test file')} left out" if read.n_tests else ""
    skipped = f", {counted(len(read.skipped), 'file')} could not be read" if read.skipped else ""
    return f"{counted(read.n_files, 'file')}, {grouped(read.n_lines)} lines{tests}{skipped}."


def _ticked(words: str, field: str) -> QCheckBox:
    box = named(QCheckBox(caption(words)), f"take-{field}", words)
    box.setCheckState(Qt.CheckState.Checked)
    return box


def _value_words(field: str, value: Any) -> str:
    """A value as the form shows it."""
    extra = Stack.model_fields[field].json_schema_extra
    choices: dict[str, str] = extra.get("choices", {}) if isinstance(extra, dict) else {}  # type: ignore[assignment]
    many = value if isinstance(value, tuple) else (value,)
    return ", ".join(choices.get(one, str(one)) for one in many)


def _three(weeks: Range) -> str:
    return ", ".join(plain(value, 2) for value in (weeks.low, weeks.likely, weeks.high))
