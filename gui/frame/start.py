"""The start page: the sample, a new plan from a shipped workload, recent files, and copies kept against loss."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QScrollArea, QVBoxLayout, QWidget

from core.plan.recovery import Snapshot
from core.workload.profile import Profile
from gui.theme.naming import named
from gui.theme.plain import Label, as_text, caption, tip

COLUMN_PX = 380
MOST_LISTED = 8


@dataclass(frozen=True, slots=True)
class StartOffer:
    """What can be started from: shipped workloads by id, the first and further ones, plan files, and recovery copies,
    newest first."""

    profiles: Mapping[str, Profile]
    more: Mapping[str, Profile]
    recent: Sequence[Path]
    snapshots: Sequence[Snapshot]


class StartPage(QScrollArea):
    """Shown while no plan is open. It only says what the user asked for."""

    sample_wanted = Signal()
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
        left, right = _column(), _column()
        self._fill_left(left, offer)
        self._fill_right(right, offer)
        both = QHBoxLayout()
        both.setSpacing(48)
        for column in (left, right):
            column.addStretch(1)
            holder = QWidget()
            holder.setFixedWidth(COLUMN_PX)
            holder.setLayout(column)
            both.addWidget(holder)
        inside = QWidget()
        whole = QVBoxLayout(inside)
        whole.setContentsMargins(48, 40, 48, 24)
        whole.setSpacing(24)
        whole.addLayout(_head())
        whole.addLayout(both)
        whole.addStretch(1)
        both.addStretch(1)
        self.setWidget(inside)

    def _fill_left(self, column: QVBoxLayout, offer: StartOffer) -> None:
        column.addWidget(_title("Try it"))
        sample = named(QPushButton("Open the sample plan"), "start-sample", "Open the sample plan", "primary")
        sample.clicked.connect(self.sample_wanted)
        column.addWidget(sample, 0, Qt.AlignmentFlag.AlignLeft)
        column.addWidget(_note("Pre-training and chat serving of a 70B model, on GPU or on TPU. Nothing to type."))
        column.addSpacing(16)
        column.addWidget(_title("New plan"))
        have = named(QPushButton("I have chips…"), "start-have", "I have chips", "link")
        have.setFixedHeight(24)
        have.clicked.connect(self.have_wanted)
        column.addWidget(have, 0, Qt.AlignmentFlag.AlignLeft)
        column.addWidget(_note("See what they do, and what better ones would save", indent_px=4))
        for name, profile in offer.profiles.items():
            self._add(column, f"start-new-{name}", profile.name, profile.note, name, self._on_new)
        self._add(column, "start-new-", "Empty workload", "Every field at its default", "", self._on_new)
        column.addSpacing(16)
        column.addWidget(_title("More workloads"))
        for name, profile in offer.more.items():
            self._add(column, f"start-new-{name}", profile.name, profile.note, name, self._on_new)

    def _fill_right(self, column: QVBoxLayout, offer: StartOffer) -> None:
        column.addWidget(_title("Open"))
        button = named(QPushButton("Open a file…"), "start-open", "Open a file")
        button.clicked.connect(self.open_wanted)
        column.addWidget(button, 0, Qt.AlignmentFlag.AlignLeft)
        for number, path in enumerate(offer.recent[:MOST_LISTED]):
            self._add(column, f"start-recent-{number}", path.stem, str(path.parent), str(path), self._on_recent)
        if offer.snapshots:
            column.addSpacing(16)
            column.addWidget(_title("Recover"))
            column.addWidget(_note("Copies of plans from the last seven days"))
        for number, one in enumerate(offer.snapshots[:MOST_LISTED]):
            taken = f"{one.taken_at.astimezone():%d %b, %H:%M}"
            self._add(column, f"start-recover-{number}", one.plan_name, taken, str(one.path), self._on_recovery)

    def _add(self, column: QVBoxLayout, name: str, words: str, note: str, key: str, slot: object) -> None:
        button = named(QPushButton(caption(words)), name, as_text(words), "link")
        button.setProperty("key", key)
        button.setToolTip(tip(note))
        button.setFixedHeight(24)
        button.clicked.connect(slot)
        column.addWidget(button, 0, Qt.AlignmentFlag.AlignLeft)
        if note:
            column.addWidget(_note(note, indent_px=4))

    def _on_new(self) -> None:
        self.new_wanted.emit(self._key())

    def _on_recent(self) -> None:
        self.recent_wanted.emit(Path(self._key()))

    def _on_recovery(self) -> None:
        self.recovery_wanted.emit(Path(self._key()))

    def _key(self) -> str:
        sender = self.sender()
        return str(sender.property("key")) if sender is not None else ""


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
