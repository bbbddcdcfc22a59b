"""Opening and saving as the user meets it: file choosers, "Save changes?", and clear words when a file refuses."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Literal, Protocol

from PySide6.QtWidgets import QFileDialog, QMessageBox, QWidget

from core.errors import InputError, RoofplanError
from core.plan import recovery
from core.plan.difference import difference_words
from core.plan.holder import holder
from core.plan.plan import Plan
from core.plan.store import load
from core.workload.profile import Profile
from gui.dialogs.versions import ConflictDialog, Version, VersionsDialog, VersionWords
from gui.dialogs.waiting import Waiting
from gui.session.calls import call
from gui.session.file_session import SUFFIX, FileChangedError, FileSession
from gui.session.working_copy import NEW, LeftOver, left_over
from gui.theme.plain import Question

PLANS = "Roofplan plans (*.roofplan);;All files (*)"
UnsavedAnswer = Literal["save", "discard", "cancel"]
READ_ONLY = "This plan is open read-only."
EARLIER = VersionWords(
    "earlier-versions",
    "Earlier versions",
    "Copies of this plan from the last seven days, taken when it was opened and saved and every five minutes. "
    "What differs is told against the plan on screen.",
    "Here",
    "Then",
    "Open as a copy",
)
DRAFTS = VersionWords(
    "unsaved-plans",
    "Unsaved plans",
    "Roofplan was not closed properly. These plans had changes that were not saved. "
    "What differs is told against the saved file.",
    "In the file",
    "Unsaved",
    "Recover",
    "Delete",
)


class Say(Protocol):
    """Shows a message that does not stop the work, with a button if there is something to do about it."""

    def __call__(self, text: str, button: str = "", handler: Callable[[], object] | None = None) -> None:
        """Shows it."""


class FileDialogs:
    """Everything a file command needs to ask. ``say`` shows a message that does not stop the work."""

    def __init__(self, window: QWidget, files: FileSession, say: Say) -> None:
        self._window, self._files, self._say = window, files, say
        self._waiting = Waiting(window)
        files.run = self._waiting
        files.changed_on_disk.connect(self._tell_changed)
        files.session.edit_refused.connect(self.tell_read_only)

    def may_leave(self) -> bool:
        """True when the plan on screen may go: nothing unsaved, saved now, or let go on purpose; not in mid-save."""
        if self._waiting.is_waiting:
            return False
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

    def open_example(self, read: Callable[[], Plan]) -> bool:
        """A shipped plan, as an unsaved copy; False where the one on screen stays."""
        return self.may_leave() and self._try(lambda: self._files.open_copy(read()))

    def ask_open(self) -> None:
        """Asks for a plan file and opens it."""
        name, _ = QFileDialog.getOpenFileName(self._window, "Open plan", self._files.settings.last_folder, PLANS)
        if name:
            self.open(Path(name))

    def ask_open_read_only(self) -> None:
        """Asks for a plan file and opens it to be looked at."""
        name, _ = QFileDialog.getOpenFileName(
            self._window, "Open plan read-only", self._files.settings.last_folder, PLANS
        )
        if name:
            self.open(Path(name), read_only=True)

    def open(self, path: Path, read_only: bool = False) -> None:
        """Opens a plan file in place of the plan on screen, or shows the window of this user that has it."""
        if self._is_shown_elsewhere(path):
            self._say(f"{path.name} is open in another window, which was asked to come to the front.")
            return
        if not self.may_leave():
            return
        if not self._try(lambda: self._files.open(path, read_only)):
            self._files.settings.forget_recent(path)
        elif self._files.read_only:
            self.tell_read_only()

    def _is_shown_elsewhere(self, path: Path) -> bool:
        try:
            return self._files.run(lambda: is_shown_elsewhere(path), f"look at {path}")
        except RoofplanError:
            return False  # Opening it says what is the matter.

    def recover(self, path: Path) -> bool:
        """Opens a recovery copy as an unsaved plan."""
        return self.may_leave() and self._try(lambda: self._files.open_copy(load(path), is_unsaved=True))

    def recover_draft(self, draft: LeftOver) -> None:
        """Opens an unsaved plan that a crash left, with the file that it belongs to."""
        if self.may_leave() and self._try(
            lambda: self._files.open_copy(draft.plan(), is_unsaved=True, belonging=draft.belonging)
        ):
            draft.forget()

    def earlier_versions(self) -> None:
        """Shows the copies of this plan and what differs; one can be opened as a copy."""
        plan = self._files.session.plan
        copies = [_earlier(one, plan) for one in self.snapshots(plan.id)]
        chosen = self._choose(EARLIER, copies)
        if chosen is not None:
            self.recover(chosen.path)

    def offer_drafts(self) -> None:
        """After a crash, says which unsaved plans can be had back."""
        lost = self.drafts()
        if lost:
            button = "Recover…" if len(lost) > 1 else "Recover"
            self._say(self._lost_words(lost), button, partial(self._recover, lost))

    def drafts(self) -> list[LeftOver]:
        """Unsaved plans that crashes left, newest first; none when they cannot be listed."""
        try:
            return self._files.run(left_over, "list unsaved plans")
        except (RoofplanError, OSError) as error:
            self._say(f"Unsaved plans of earlier crashes cannot be listed: {error}")
            return []

    def save(self) -> bool:
        """Saves; asks for a name where there is none yet, and what to do where somebody else saved the file meanwhile.

        False when nothing was saved.
        """
        if self._files.path is None or self._files.read_only:
            return self.save_as()
        return self._save_or_ask(self._files.save)

    def save_as(self) -> bool:
        """Asks for a file and saves to it."""
        start = str(Path(self._files.settings.last_folder) / f"{_file_name(self._files.session.plan.name)}{SUFFIX}")
        name, _ = QFileDialog.getSaveFileName(self._window, "Save plan", start, PLANS)
        return bool(name) and self._save_or_ask(lambda: self._files.save_as(Path(name)))

    def snapshots(self, plan_id: str | None = None, most: int | None = None) -> list[recovery.Snapshot]:
        """Recovery copies, of one plan or of all, newest first; none when they cannot be read."""
        try:
            return recovery.snapshots(plan_id, most)
        except (RoofplanError, OSError) as error:
            self._say(f"Recovery copies cannot be listed: {error}")
            return []

    def _lost_words(self, lost: list[LeftOver]) -> str:
        try:
            return self._files.run(lambda: lost_words(lost), "compare the unsaved plan with its file")
        except RoofplanError:
            return lost_words([replace(one, belonging=NEW) for one in lost])

    def _save_or_ask(self, act: Callable[[], None]) -> bool:
        try:
            return self._try(act, "Save as…", self.save_as)
        except FileChangedError as error:
            return self._ask_conflict(str(error))

    def _recover(self, lost: list[LeftOver]) -> None:
        self._say("")
        if len(lost) == 1:
            self.recover_draft(lost[0])
            return
        chosen = self._choose(DRAFTS, [_draft(one) for one in lost])
        for draft in lost:
            if chosen is not None and draft.path == chosen.path:
                self.recover_draft(draft)

    def _choose(self, words: VersionWords, versions: list[Version]) -> Version | None:
        """Shows versions until one is chosen or none."""
        dialog = VersionsDialog(words, versions, self._window)
        dialog.exec()
        dialog.deleteLater()
        return dialog.chosen

    def tell_read_only(self) -> None:
        """Says why the plan on screen may only be looked at, and what can be done about it."""
        reason = self._files.read_only
        if reason is not None:
            button, handler = ("Edit anyway", self._edit_anyway) if reason.can_end else ("Save as…", self.save_as)
            self._say(f"{READ_ONLY} {reason.words}", button, handler)

    def _edit_anyway(self) -> None:
        self._say("")
        self._files.edit_anyway()

    def _tell_changed(self) -> None:
        path = self._files.path
        if path is not None:
            text = f"{path.name} was changed by somebody else since it was opened here."
            self._say(text, "See what differs…", lambda: self._ask_conflict(text))

    def _ask_conflict(self, text: str) -> bool:
        """True when this window's plan was saved, here or elsewhere."""
        self._say("")
        files, theirs = self._files, self._theirs()
        dialog = ConflictDialog(f"{text.rstrip('.')}.", theirs, files.session.plan, self._window)
        dialog.exec()
        dialog.deleteLater()
        if dialog.answer == "both":
            return self.save_as()
        if dialog.answer == "replace":
            self._keep_copy(theirs)
            return self._try(lambda: files.save(over_theirs=True))
        if dialog.answer == "take" and files.path is not None:
            path = files.path
            self._keep_copy(files.session.plan)
            self._try(lambda: files.open(path))
        return False

    def _theirs(self) -> Plan | None:
        try:
            return self._files.theirs()
        except RoofplanError:
            return None

    def _keep_copy(self, plan: Plan | None) -> None:
        if plan is not None:
            self._try(lambda: recovery.take(plan))

    def _try(self, act: Callable[[], object], button: str = "", handler: Callable[[], object] | None = None) -> bool:
        try:
            act()
        except FileChangedError:
            raise
        except RoofplanError as error:
            self._say(_words(error), button, handler)
            return False
        return True


def is_shown_elsewhere(path: Path) -> bool:
    """True when another window of this user has the plan and was brought to the front."""
    other = holder(path)
    return other is not None and other.is_here and call(other.process)


def lost_words(lost: list[LeftOver]) -> str:
    """Which unsaved plans a crash left, and what differs from the saved file."""
    newest = lost[0]
    if len(lost) > 1:
        return f"Roofplan was not closed properly. Unsaved changes to {len(lost)} plans were kept."
    file = f" ({newest.belonging.file.name})" if newest.belonging.file else ""
    kept = f"Unsaved changes to {newest.plan_name}{file} from {_when(newest.written_at)} were kept"
    return f"Roofplan was not closed properly. {kept}{_differs(newest)}."


def _differs(draft: LeftOver) -> str:
    try:
        saved = _saved(draft)
        return f": {difference_words(saved, draft.plan())} from the saved file" if saved else ""
    except RoofplanError:
        return ""


def _saved(draft: LeftOver) -> Plan | None:
    file = draft.belonging.file
    return load(file) if file is not None else None


def _earlier(one: recovery.Snapshot, shown: Plan) -> Version:
    return Version(one.path, _when(one.taken_at), one.plan_name, "", partial(load, one.path), lambda: shown)


def _draft(one: LeftOver) -> Version:
    file = one.belonging.file
    note = str(file) if file else "It was never saved to a file."
    return Version(one.path, _when(one.written_at), one.plan_name, note, one.plan, partial(_saved, one))


def _when(moment: datetime) -> str:
    return f"{moment.astimezone():%d %b, %H:%M}"


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
