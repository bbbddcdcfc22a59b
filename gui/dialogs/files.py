"""Opening and saving as the user meets it: file choosers, "Save changes?", and clear words when a file refuses."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Literal

from PySide6.QtWidgets import QFileDialog, QMessageBox, QWidget

from core.errors import InputError, RoofplanError
from core.plan import recovery
from core.plan.sample_plan import sample_plan
from core.plan.store import load
from core.workload.profile import Profile
from gui.session.file_session import SUFFIX, FileSession
from gui.theme.plain import Question

PLANS = "Roofplan plans (*.roofplan);;All files (*)"
Say = Callable[[str], None]
UnsavedAnswer = Literal["save", "discard", "cancel"]


class FileDialogs:
    """Everything a file command needs to ask. ``say`` shows a message that does not stop the work."""

    def __init__(self, window: QWidget, files: FileSession, say: Say) -> None:
        self._window, self._files, self._say = window, files, say

    def may_leave(self) -> bool:
        """True when the plan on screen may go: nothing unsaved, saved now, or let go on purpose."""
        if not self._files.is_dirty:
            return True
        question = f"Save changes to {self._files.session.plan.name}?"
        answer = ask_unsaved(self._window, question, "Without saving, what changed since the last save is lost.")
        return self.save() if answer == "save" else answer == "discard"

    def new(self, profile: Profile | None = None) -> bool:
        """A new plan in place of the one on screen; False when that one stays."""
        may_leave = self.may_leave()
        if may_leave:
            self._files.new(profile)
        return may_leave

    def open_sample(self) -> None:
        """The sample plan, as an unsaved copy."""
        if self.may_leave():
            self._try(lambda: self._files.open_copy(sample_plan()))

    def ask_open(self) -> None:
        """Asks for a plan file and opens it."""
        name, _ = QFileDialog.getOpenFileName(self._window, "Open plan", self._files.settings.last_folder, PLANS)
        if name:
            self.open(Path(name))

    def open(self, path: Path) -> None:
        """Opens a plan file in place of the plan on screen."""
        if self.may_leave() and not self._try(lambda: self._files.open(path)):
            self._files.settings.forget_recent(path)

    def recover(self, path: Path) -> bool:
        """Opens a recovery copy as an unsaved plan."""
        return self.may_leave() and self._try(lambda: self._files.open_copy(load(path), is_unsaved=True))

    def save(self) -> bool:
        """Saves; asks for a name where there is none yet. False when nothing was saved."""
        return self.save_as() if self._files.path is None else self._try(self._files.save)

    def save_as(self) -> bool:
        """Asks for a file and saves to it."""
        start = str(Path(self._files.settings.last_folder) / f"{_file_name(self._files.session.plan.name)}{SUFFIX}")
        name, _ = QFileDialog.getSaveFileName(self._window, "Save plan", start, PLANS)
        return bool(name) and self._try(lambda: self._files.save_as(Path(name)))

    def snapshots(self) -> list[recovery.Snapshot]:
        """Recovery copies, newest first; none when they cannot be read."""
        try:
            return recovery.snapshots()
        except OSError as error:
            self._say(f"Recovery copies cannot be listed: {error.strerror}")
            return []

    def _try(self, act: Callable[[], None]) -> bool:
        try:
            act()
        except RoofplanError as error:
            self._say(_words(error))
            return False
        return True


def _words(error: RoofplanError) -> str:
    if isinstance(error, InputError):
        return f"{Path(error.where).name}: {error.found}. Expected {error.expected}."
    return f"Could not {error}. The plan on screen is unchanged."


def _file_name(plan_name: str) -> str:
    kept = "".join(letter if letter.isalnum() or letter in " -_" else "-" for letter in plan_name)
    return kept.strip() or "plan"


def ask_unsaved(parent: QWidget, question: str, warning: str) -> UnsavedAnswer:
    """Asks before unsaved work goes: save it, discard it on purpose, or cancel."""
    box = Question(parent)
    box.setObjectName("save-changes")
    box.setWindowTitle("Roofplan")
    box.setText(question)
    box.setInformativeText(warning)
    save = box.addButton("Save", QMessageBox.ButtonRole.AcceptRole)
    discard = box.addButton("Don't save", QMessageBox.ButtonRole.DestructiveRole)
    box.addButton("Cancel", QMessageBox.ButtonRole.RejectRole)
    box.setDefaultButton(save)
    box.exec()
    clicked = box.clickedButton()
    box.deleteLater()
    return "save" if clicked is save else "discard" if clicked is discard else "cancel"
