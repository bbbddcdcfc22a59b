"""The plan's file: which one it is, whether there is something unsaved, and the copies kept against loss."""

from __future__ import annotations

import time
from datetime import date
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal

from core.errors import MachineError
from core.plan import recovery
from core.plan.plan import Plan
from core.plan.store import load, save
from core.workload.profile import Profile
from gui.session.commands import BookCommand
from gui.session.plan_session import PlanSession
from gui.session.working_copy import WorkingCopy
from gui.settings import Settings

SNAPSHOT_MS = 5 * 60_000
WORKING_COPY_MS = 2_000
SUFFIX = ".roofplan"


class FileSession(QObject):
    """Opens and saves the session's plan. It shows nothing; questions to the user are asked by the dialogs."""

    changed = Signal()
    opened = Signal()
    kept = Signal()
    failed = Signal(str)

    def __init__(self, session: PlanSession, settings: Settings, path: Path | None = None) -> None:
        super().__init__(session)
        self.session = session
        self.settings = settings
        self.path = path
        self.kept_at_s: float | None = None
        self._copy = WorkingCopy()
        self._copy_timer = QTimer(self, singleShot=True, interval=WORKING_COPY_MS)
        self._copy_timer.timeout.connect(self.keep_working_copy)
        self._snapshot_timer = QTimer(self, interval=SNAPSHOT_MS)
        self._snapshot_timer.timeout.connect(self.take_snapshot)
        self._snapshot_timer.start()
        session.undo_stack.cleanChanged.connect(self._on_clean)
        session.undo_stack.indexChanged.connect(self._on_step)

    @property
    def is_dirty(self) -> bool:
        """True when there is something that no file holds. The price book has a file of its own, always up to date."""
        stack = self.session.undo_stack
        if stack.isClean() or stack.cleanIndex() < 0:
            return not stack.isClean()
        first, last = sorted((stack.cleanIndex(), stack.index()))
        return any(not isinstance(stack.command(step), BookCommand) for step in range(first, last))

    @property
    def title(self) -> str:
        """The window's title; Qt puts a star where ``[*]`` stands when something is unsaved."""
        if not self.session.has_plan:
            return "Roofplan"
        name = self.path.stem if self.path else self.session.plan.name
        return f"{name.replace('[*]', '[*][*]')}[*] - Roofplan"

    def new(self, profile: Profile | None = None) -> None:
        """An untitled plan with one workload."""
        profile = profile or Profile()
        today = date.today()
        self._show(Plan(id=f"plan-{today:%Y%m%d}-{time.time_ns() % 10**6:06d}", profiles=(profile,)), None)

    def open(self, path: Path) -> None:
        """Opens a plan file. Raises InputError or MachineError with the plan on screen untouched."""
        plan = load(path)
        self._show(plan, path.resolve())
        self.settings.add_recent(path)
        self.take_snapshot()

    def open_copy(self, plan: Plan, is_unsaved: bool = False) -> None:
        """Shows a plan that has no file yet: the sample, or a recovered one, which counts as unsaved."""
        self._show(plan, None)
        if is_unsaved:
            self.session.undo_stack.resetClean()
            self.keep_working_copy()

    def save(self) -> None:
        """Saves to the plan's file. Raises MachineError when the disk refuses; nothing is lost then."""
        if self.path is None:
            raise MachineError("save the plan", "it has no file yet")
        self.save_as(self.path)

    def save_as(self, path: Path) -> None:
        """Saves to a file, which becomes the plan's own. Raises MachineError when the disk refuses."""
        path = path if path.suffix else path.with_suffix(SUFFIX)
        save(self._as_saved(), path)
        self.path = path.resolve()
        self.session.undo_stack.setClean()
        self._copy.drop()
        self._copy_timer.stop()
        self.settings.add_recent(path)
        self.take_snapshot()
        self.changed.emit()

    def keep_working_copy(self) -> None:
        """Writes the unsaved plan aside."""
        if not self.is_dirty:
            return
        try:
            self._copy.write(self.session.plan)
        except MachineError as error:
            self.failed.emit(f"Autosave does not work: {error}")
            return
        self.kept_at_s = time.monotonic()
        self.kept.emit()

    def take_snapshot(self) -> None:
        """Keeps a copy for a week."""
        if not self.session.has_plan:
            return
        try:
            recovery.take(self.session.plan)
        except MachineError as error:
            self.failed.emit(f"Recovery copies cannot be written: {error}")

    def close(self) -> None:
        """The window closes with everything saved or let go."""
        self._copy_timer.stop()
        self._snapshot_timer.stop()
        self.session.undo_stack.cleanChanged.disconnect(self._on_clean)
        self.session.undo_stack.indexChanged.disconnect(self._on_step)
        self._copy.close()

    def _as_saved(self) -> Plan:
        """The plan with a mark that a private price book was in use; none of its prices are in it."""
        plan = self.session.plan
        has_book = plan.uses_price_book and self.session.layers.book is not None
        return plan.model_copy(update={"had_price_book": True}) if has_book else plan

    def _show(self, plan: Plan, path: Path | None) -> None:
        self._copy.drop()
        self._copy_timer.stop()
        self.path = path
        self.kept_at_s = None
        self.session.open_plan(plan)
        self.changed.emit()
        self.opened.emit()

    def _on_clean(self, is_clean: bool) -> None:
        if is_clean:
            self._copy.drop()
        self.changed.emit()

    def _on_step(self, _: int) -> None:
        """Heard from the stack and not from the plan, since the plan changes before the stack counts the step."""
        if self.is_dirty:
            self._copy_timer.start()
