"""The start page: examples, a new plan from a shipped workload, recent files, and copies kept against loss."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import Qt, Signal, SignalInstance
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QScrollArea, QVBoxLayout, QWidget

from core.plan.recovery import Snapshot
from core.workload.jobs.kinds import JOB_WORDS
from core.workload.profile import Profile
from gui.theme.naming import named
from gui.theme.plain import Label, as_text, caption, tip
from gui.widgets.blocks_in_columns import BlocksInColumns

FILES_PX = 260
SIDE_PX, TOP_PX = 48, 32
"""Room around the page."""
MOST_LISTED = 8
_EIGHT_MODELS = "One pool or several, how much to commit, what would idle"
_CLAUSE_END = re.compile(r"[.:;] | \(")


@dataclass(frozen=True, slots=True)
class StartOffer:
    """What can be started from: shipped workloads by id, plan files, and recovery copies, newest first."""

    profiles: Mapping[str, Profile]
    recent: Sequence[Path]
    snapshots: Sequence[Snapshot]


class StartPage(QScrollArea):
    """Shown while no plan is open. It only says what the user asked for."""

    sample_wanted = Signal()
    eight_models_wanted = Signal()
    open_wanted = Signal()
    new_wanted = Signal(str)
    have_wanted = Signal()
    recent_wanted = Signal(Path)
    recovery_wanted = Signal(Path)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        named(self, "start-page", "Start")
        self.setWidgetResizable(True)

    def show_offer(self, offer: StartOffer) -> None:
        """Lists what there is now."""
        files = _column()
        self._fill_files(files, offer)
        files.addStretch(1)
        beside = QWidget()
        beside.setFixedWidth(FILES_PX)
        beside.setLayout(files)
        both = QHBoxLayout()
        both.setSpacing(SIDE_PX)
        both.addWidget(BlocksInColumns([self._examples(), self._from_nothing(), *self._templates(offer)]), 1)
        both.addWidget(beside)
        inside = QWidget()
        whole = QVBoxLayout(inside)
        whole.setContentsMargins(SIDE_PX, TOP_PX, SIDE_PX, TOP_PX)
        whole.setSpacing(24)
        whole.addLayout(_head())
        whole.addLayout(both)
        whole.addStretch(1)
        self.setWidget(inside)

    def _examples(self) -> QWidget:
        block, column = _block("Try it")
        sample = named(QPushButton("Open the sample plan"), "start-sample", "Open the sample plan", "primary")
        sample.clicked.connect(self.sample_wanted)
        column.addWidget(sample, 0, Qt.AlignmentFlag.AlignLeft)
        column.addWidget(_note("Pre-training and chat serving of a 70B model, on GPU or on TPU. Nothing to type."))
        pool = self._add(column, "start-eight-models", "Eight models on one pool", _EIGHT_MODELS)
        pool.clicked.connect(self.eight_models_wanted)
        return block

    def _from_nothing(self) -> QWidget:
        block, column = _block("New plan")
        have = self._add(column, "start-have", "I have chips…", "What they do, and what better ones would save")
        have.clicked.connect(self.have_wanted)
        empty = self._add(column, "start-new-", "Empty workload", "Every field at its default")
        _tells(empty, self.new_wanted, "")
        return block

    def _templates(self, offer: StartOffer) -> list[QWidget]:
        """A block of shipped workloads for each kind of job, the longest first, so that columns end about level."""
        of_kinds = [[one for one in offer.profiles.values() if one.job.kind == kind] for kind in JOB_WORDS]
        return [self._alike(profiles) for profiles in sorted(of_kinds, key=len, reverse=True) if profiles]

    def _alike(self, profiles: Sequence[Profile]) -> QWidget:
        block, column = _block(profiles[0].job.words.kind)
        for profile in profiles:
            button = self._add(column, f"start-new-{profile.id}", profile.name, first_clause(profile.note))
            button.setToolTip(tip(profile.note))
            _tells(button, self.new_wanted, profile.id)
        return block

    def _fill_files(self, column: QVBoxLayout, offer: StartOffer) -> None:
        column.addWidget(_title("Open"))
        column.addSpacing(4)
        button = named(QPushButton("Open a file…"), "start-open", "Open a file")
        button.clicked.connect(self.open_wanted)
        column.addWidget(button, 0, Qt.AlignmentFlag.AlignLeft)
        for number, path in enumerate(offer.recent[:MOST_LISTED]):
            recent = self._add(column, f"start-recent-{number}", path.stem, str(path.parent))
            _tells(recent, self.recent_wanted, path)
        if offer.snapshots:
            column.addSpacing(16)
            column.addWidget(_title("Recover"))
            column.addWidget(_note("Copies of plans from the last seven days"))
        for number, one in enumerate(offer.snapshots[:MOST_LISTED]):
            taken = f"{one.taken_at.astimezone():%d %b, %H:%M}"
            copy = self._add(column, f"start-recover-{number}", one.plan_name, taken)
            _tells(copy, self.recovery_wanted, one.path)

    def _add(self, column: QVBoxLayout, name: str, words: str, note: str) -> QPushButton:
        """What can be clicked, over what there is to say of it."""
        button = named(QPushButton(caption(words)), name, as_text(words), "link")
        button.setToolTip(tip(note))
        button.setFixedHeight(24)
        column.addWidget(button, 0, Qt.AlignmentFlag.AlignLeft)
        if note:
            column.addWidget(_note(note, indent_px=4))
        return button


def first_clause(note: str) -> str:
    """A note up to its first full stop, colon, semicolon or bracket, without it: what fits under a name."""
    return _CLAUSE_END.split(note, maxsplit=1)[0].removesuffix(".")


def _tells(button: QPushButton, signal: SignalInstance, value: str | Path) -> None:
    """A click on the button is the signal with the value."""
    button.clicked.connect(lambda: signal.emit(value))


def _block(title: str) -> tuple[QWidget, QVBoxLayout]:
    block = QWidget()
    column = _column()
    block.setLayout(column)
    column.addWidget(_title(title))
    column.addSpacing(4)
    return block, column


def _column() -> QVBoxLayout:
    column = QVBoxLayout()
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(2)
    return column


def _head() -> QVBoxLayout:
    head = _column()
    title = named(Label("GPU or TPU, for your job"), "start-title", kind="title")
    text = "Describe a workload, see every option in days, dollars and lock-in, and hand over the plan. Offline."
    head.addWidget(title)
    head.addWidget(named(Label(text), "start-text", kind="ink2"))
    return head


def _title(text: str) -> QLabel:
    return named(Label(text), f"start-title-{text.lower().replace(' ', '-')}", kind="section")


def _note(text: str, indent_px: int = 0) -> QLabel:
    label = named(Label(text), "start-note", kind="small")
    label.setWordWrap(True)
    label.setContentsMargins(indent_px, 0, 0, 4)
    return label
