"""Plans that can be had back, with what differs: earlier versions, unsaved plans after a crash, another's changes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from PySide6.QtWidgets import QDialog, QHBoxLayout, QPushButton, QVBoxLayout, QWidget
from shiboken6 import isValid

from core.errors import RoofplanError
from core.plan.difference import Difference, difference_words, differences
from core.plan.plan import Plan
from gui.session.disk import Job
from gui.tables.text_table import TextColumn, TextRow, TextTable
from gui.theme.naming import named
from gui.theme.plain import Label, as_text, caption
from gui.theme.screen_room import within_screen

WIDTH_PX, HEIGHT_PX, LIST_PX, EDGE_PX = 940, 460, 410, 20
CONFLICT_PX = 640
UNREADABLE, UNSAVED = "cannot be read", "never saved"
_FIELD_PX, _VALUE_PX, _WIDE_VALUE_PX = 210, 130, 180
_KEPT = (TextColumn("Kept", 110), TextColumn("Plan", 160), TextColumn("What differs", 130))


@dataclass(frozen=True, slots=True)
class Version:
    """A plan that can be had back: when it was kept, what it is, how it is read, and what it is held against."""

    path: Path
    when: str
    name: str
    note: str
    plan: Callable[[], Plan]
    other: Callable[[], Plan | None]


@dataclass(frozen=True, slots=True)
class Held:
    """A version once it was read: the plan, what it is held against, None where a file cannot be read, and in words."""

    plan: Plan | None
    other: Plan | None
    words: str


READING = "…"
NOT_READ = Held(None, None, READING)


@dataclass(frozen=True, slots=True)
class VersionWords:
    """What a dialog of versions is about: title, explanation, the two sides of a difference, what its button does."""

    name: str
    title: str
    text: str
    before: str
    after: str
    take: str
    remove: str = ""


class DifferenceTable(TextTable):
    """Fields that differ between two plans, as the form names them."""

    def __init__(self, before: str, after: str, value_px: int = _VALUE_PX) -> None:
        columns = [TextColumn("Field", _FIELD_PX), TextColumn(before, value_px), TextColumn(after, value_px)]
        super().__init__("differences", "What differs", columns)

    def show_plans(self, before: Plan, after: Plan) -> None:
        """Lists what the second plan says otherwise."""
        self.show_rows([_row(number, one) for number, one in enumerate(differences(before, after))])


class VersionsDialog(QDialog):
    """Versions at left, what differs at right. ``chosen`` is the one to take once accepted.

    What differs is worked out line by line off the GUI thread, what is selected first: every line is a file, or two,
    to be read, and a drive may stall.
    """

    def __init__(self, words: VersionWords, versions: Sequence[Version], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._words, self._versions = words, list(versions)
        self._known: dict[Path, Held] = {}
        self._is_reading = False
        self._trouble = ""
        self.chosen: Version | None = None
        named(self, words.name, words.title)
        self.setWindowTitle(as_text(words.title))
        within_screen(self, WIDTH_PX, HEIGHT_PX)
        self.list = TextTable("versions", words.title, _KEPT)
        self.list.setFixedWidth(LIST_PX)
        self.fields = DifferenceTable(words.before, words.after)
        self.note = _label("", "small")
        self._build()
        self.list.selectionModel().currentChanged.connect(self._on_chosen)
        self.list.doubleClicked.connect(self.accept)
        self._list()

    @property
    def current(self) -> Version | None:
        """The version that is selected."""
        key = self.list.selected_key
        return next((one for one in self._versions if str(one.path) == key), None)

    def accept(self) -> None:
        """Takes the selected version."""
        self.chosen = self.current
        if self.chosen is not None:
            super().accept()

    def _build(self) -> None:
        tables = QHBoxLayout()
        tables.setSpacing(12)
        tables.addWidget(self.list)
        tables.addWidget(self.fields, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(EDGE_PX, 16, EDGE_PX, 14)
        column.setSpacing(10)
        column.addWidget(_label(self._words.text))
        column.addLayout(tables, 1)
        column.addWidget(self.note)
        column.addLayout(self._buttons())

    def _buttons(self) -> QHBoxLayout:
        self.take = named(QPushButton(caption(self._words.take)), "versions-take", self._words.take, "primary")
        self.take.setDefault(True)
        self.take.clicked.connect(self.accept)
        self.remove = named(QPushButton(caption(self._words.remove)), "versions-remove", self._words.remove)
        self.remove.setVisible(bool(self._words.remove))
        self.remove.clicked.connect(self._remove)
        leave = named(QPushButton("Close"), "versions-close", "Close")
        leave.clicked.connect(self.reject)
        row = QHBoxLayout()
        row.addWidget(self.remove)
        row.addStretch(1)
        row.addWidget(leave)
        row.addWidget(self.take)
        return row

    def _list(self, at: int = 0) -> None:
        known = self._known
        words = [known[one.path].words if one.path in known else READING for one in self._versions]
        pairs = zip(self._versions, words, strict=True)
        rows = [TextRow(str(one.path), (one.when, one.name, differs)) for one, differs in pairs]
        self.list.show_rows(rows)
        if rows:
            self.list.selectRow(min(at, len(rows) - 1))
        self._on_chosen()

    def _read_next(self) -> None:
        """The one that is selected goes first; one file after the other."""
        wanted = [one for one in (self.current, *self._versions) if one and one.path not in self._known]
        if wanted and not self._is_reading:
            self._is_reading = True
            Job(partial(_held, wanted[0]), partial(self._on_read, wanted[0])).start()

    def _on_read(self, version: Version, job: Job) -> None:
        if not isValid(self):  # closed meanwhile
            return
        self._is_reading = False
        self._known[version.path] = job.result()
        self._list(max(0, self.list.currentIndex().row()))

    def _on_chosen(self) -> None:
        version = self.current
        held = self._known.get(version.path, NOT_READ) if version else NOT_READ
        self.take.setEnabled(held.plan is not None)
        self.remove.setEnabled(version is not None)
        self.note.setText(self._trouble or (version.note if version else "There is none."))
        if held.plan is not None and held.other is not None:
            self.fields.show_plans(held.other, held.plan)
        else:
            self.fields.show_rows([])
        self._read_next()

    def _remove(self) -> None:
        version, at = self.current, self.list.currentIndex().row()
        if version is not None:
            self._trouble = ""
            Job(partial(version.path.unlink, missing_ok=True), self._on_removed).start()
            self._versions.remove(version)
            self._list(at)

    def _on_removed(self, job: Job) -> None:
        """What cannot be deleted is offered again at the next start."""
        try:
            job.result()
        except OSError as error:
            self._trouble = f"It could not be deleted: {error.strerror or error}"
            if isValid(self):
                self._on_chosen()


class ConflictDialog(QDialog):
    """Somebody else saved the file meanwhile: what differs, and what shall be done. ``answer`` is empty for nothing."""

    def __init__(self, text: str, theirs: Plan | None, mine: Plan, parent: QWidget) -> None:
        super().__init__(parent)
        self.answer = ""
        named(self, "conflict", "The file was changed")
        self.setWindowTitle("The file was changed")
        within_screen(self, CONFLICT_PX, HEIGHT_PX)
        column = QVBoxLayout(self)
        column.setContentsMargins(EDGE_PX, 16, EDGE_PX, 14)
        column.setSpacing(10)
        column.addWidget(_label(text))
        self.fields = DifferenceTable("In the file", "Here", _WIDE_VALUE_PX)
        column.addWidget(self.fields, 1)
        told = (
            "The file cannot be read any more." if theirs is None else f"{difference_words(theirs, mine)}.".capitalize()
        )
        column.addWidget(_label(f"{told} Whichever you choose, the other is kept under Earlier versions.", "small"))
        column.addLayout(self._buttons(theirs is not None))
        if theirs is not None:
            self.fields.show_plans(theirs, mine)

    def _buttons(self, is_readable: bool) -> QHBoxLayout:
        row = QHBoxLayout()
        for name, text, kind in (
            ("replace", "Replace theirs", ""),
            ("", "Cancel", ""),
            ("take", "Take theirs", ""),
            ("both", "Keep both…", "primary"),
        ):
            button = named(QPushButton(caption(text)), f"conflict-{name or 'cancel'}", text.rstrip("…"), kind)
            button.setProperty("answer", name)
            button.setEnabled(is_readable or name != "take")
            button.setDefault(name == "both")
            button.clicked.connect(self._on_button)
            row.addWidget(button)
            if name == "replace":
                row.addStretch(1)
        return row

    def _on_button(self) -> None:
        sender = self.sender()
        self.answer = str(sender.property("answer")) if sender is not None else ""
        self.accept() if self.answer else self.reject()


def _held(version: Version) -> Held:
    """A version read from its file, in a thread that may wait for a drive."""
    try:
        plan = version.plan()
    except RoofplanError:
        return Held(None, None, UNREADABLE)
    try:
        other = version.other()
    except RoofplanError:
        other = None
    return Held(plan, other, UNSAVED if other is None else difference_words(other, plan))


def _row(number: int, one: Difference) -> TextRow:
    title = f"{one.title} ({one.workload})" if one.workload and one.path else one.title
    return TextRow(str(number), (title, one.before, one.after))


def _label(text: str, kind: str = "") -> Label:
    label = Label(text)
    label.setWordWrap(True)
    label.setProperty("kind", kind)
    return label
