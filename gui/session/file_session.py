"""The plan's file: which one it is, who else has it, whether there is something unsaved, and copies against loss."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal

from core.errors import MachineError, RoofplanError
from core.plan import recovery
from core.plan.holder import Hold, Holder, holder, take_hold
from core.plan.plan import Plan
from core.plan.store import OpenedPlan, fingerprint, open_plan, save
from core.units import counted
from core.workload.profile import Profile
from core.writing.whole_file import Fingerprint, real
from gui.session.commands import BookCommand
from gui.session.disk import Job, Runner, at_once
from gui.session.plan_session import PlanSession
from gui.session.working_copy import NEW, Belonging, WorkingCopy
from gui.settings import Settings

SNAPSHOT_MS = 5 * 60_000
WORKING_COPY_MS = 120
"""An edit is on the disk 0.3 s later at the latest, on a drive that takes half of that."""

LOOK_MS = 10_000
SUFFIX = ".roofplan"


class FileChangedError(RoofplanError):
    """The file is not what it was when this window last read or wrote it: somebody else saved."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.path = path

    def __str__(self) -> str:
        return f"{self.path.name} was changed by somebody else since it was opened here"


@dataclass(frozen=True, slots=True)
class ReadOnly:
    """Why a plan may only be looked at; ``can_end`` where the user may decide to edit it all the same."""

    words: str
    can_end: bool = False


@dataclass(frozen=True, slots=True)
class Opened:
    """A plan file as it was opened: why it may only be looked at, this window's mark on it, what else went wrong."""

    file: OpenedPlan
    read_only: ReadOnly | None
    hold: Hold | None
    trouble: str


@dataclass(frozen=True, slots=True)
class _Saved:
    mark: Fingerprint
    hold: Hold | None
    trouble: str


class FileSession(QObject):
    """Opens and saves the session's plan. It shows nothing; questions to the user are asked by the dialogs.

    ``run`` runs what touches the plan's file; the window puts a runner there that keeps it alive meanwhile.
    """

    changed = Signal()
    opened = Signal()
    kept = Signal()
    failed = Signal(str)
    changed_on_disk = Signal()

    def __init__(
        self, session: PlanSession, settings: Settings, path: Path | None = None, opened: Opened | None = None
    ) -> None:
        super().__init__(session)
        self.session = session
        self.settings = settings
        self.path = real(path) if path else None
        self.run: Runner = at_once
        self.kept_at_s: float | None = None
        self._known = opened.file.fingerprint if opened else None
        self._hold = opened.hold if opened else None
        self._set_read_only(opened.read_only if opened else None)
        self._ours: set[str] = set()  # also what a drive wrote after nobody waited for it any more
        self._told, self._failure = "", ""
        self._copy = WorkingCopy()
        self._keeping: Job | None = None
        self._looking: Job | None = None
        self._copy_timer = QTimer(self, singleShot=True, interval=WORKING_COPY_MS)
        self._copy_timer.timeout.connect(self._keep_soon)
        self._snapshot_timer = QTimer(self, interval=SNAPSHOT_MS)
        self._snapshot_timer.timeout.connect(self._take_snapshot_aside)
        self._snapshot_timer.start()
        self._look_timer = QTimer(self, interval=LOOK_MS)
        self._look_timer.timeout.connect(self.look_at_file)
        self._look_timer.start()
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
        shown = name.replace("[*]", "[*][*]")
        return f"{shown}[*]{' (read-only)' if self.read_only else ''} - Roofplan"

    def new(self, profile: Profile | None = None) -> None:
        """An untitled plan with one workload."""
        profile = profile or Profile()
        today = date.today()
        self._show(Plan(id=f"plan-{today:%Y%m%d}-{time.time_ns() % 10**6:06d}", profiles=(profile,)))

    def open(self, path: Path, read_only: bool = False) -> None:
        """Opens a plan file; one that somebody else has, or that a newer Roofplan made, to be read only.

        Raises InputError or MachineError with the plan on screen untouched.
        """
        found = self.run(partial(open_file, path, read_only), f"open {path}")
        self._show(found.file.plan, real(path), found.file.fingerprint, found.hold, found.read_only)
        self.settings.add_recent(path)
        self._tell(found.trouble)

    def open_copy(self, plan: Plan, is_unsaved: bool = False, belonging: Belonging = NEW) -> None:
        """Shows a plan that has no file yet: the sample, or one that was had back, which counts as unsaved.

        ``belonging`` names the file it is to be saved to; another's change of that file is noticed then.
        """
        path = belonging.file
        hold = self.run(partial(_claim, path), f"look at {path}") if path else None
        known = Fingerprint(belonging.digest) if hold and belonging.digest else None
        self._show(plan, path if hold else None, known, hold)
        if is_unsaved:
            self.session.undo_stack.resetClean()
            self.keep_working_copy()

    def edit_anyway(self) -> None:
        """The user edits a plan that was opened read-only because somebody else has it."""
        if self.path and self.read_only and self.read_only.can_end:
            self._hold = self.run(partial(take_hold, self.path), f"mark {self.path} as open here")
            self._set_read_only(None)
            self.session.plan_changed.emit()
            self.changed.emit()

    def save(self, over_theirs: bool = False) -> None:
        """Saves to the plan's file. Raises MachineError when the disk refuses, and FileChangedError when somebody else
        saved there meanwhile, unless theirs may go; nothing is lost then."""
        if self.path is None:
            raise MachineError("save the plan", "it has no file yet")
        self.save_as(self.path, over_theirs)

    def save_as(self, path: Path, over_theirs: bool = False) -> None:
        """Saves to a file, which becomes the plan's own. Raises as :meth:`save`."""
        path = path if path.suffix else path.with_suffix(SUFFIX)
        target, shown = real(path), self.session.plan
        if self.read_only and target == self.path:
            raise MachineError(f"save {path}", "it is open read-only; choose another name")
        known = None if over_theirs or target != self.path else self._known
        act = partial(_save, self._as_saved(), target, known, target == self.path, self._ours)
        saved = self.run(act, f"save {path}")
        self._begin(target, saved.mark, saved.hold)
        if self.read_only:
            self._set_read_only(None)
            self.session.plan_changed.emit()  # what was locked may be typed into
        if self.session.plan is shown:
            self.session.undo_stack.setClean()
            self._drop_copy()
        self.settings.add_recent(path)
        self._tell(saved.trouble)
        self.changed.emit()

    def theirs(self) -> Plan:
        """What the file holds now. Raises InputError or MachineError."""
        if self.path is None:
            raise MachineError("open the plan", "it has no file yet")
        return self.run(partial(open_plan, self.path), f"open {self.path}").plan

    def keep_working_copy(self) -> None:
        """Writes the unsaved plan aside."""
        if self.is_dirty:
            self._kept(partial(self._copy.write, *self._to_keep()))

    def look_at_file(self) -> None:
        """Asks, without waiting, whether somebody else changed the file; ``changed_on_disk`` says so once."""
        if self.path and self._known and (self._looking is None or self._looking.is_ended):
            act, then = partial(fingerprint, self.path, self._known), partial(self._looked, self._known)
            self._looking = Job(act, then).start()

    def close(self) -> None:
        """The window closes with everything saved or let go."""
        for timer in (self._copy_timer, self._snapshot_timer, self._look_timer):
            timer.stop()
        self.session.undo_stack.cleanChanged.disconnect(self._on_clean)
        self.session.undo_stack.indexChanged.disconnect(self._on_step)
        self._looking = self._keeping = None
        self._copy.close()
        self._let_go()

    def _as_saved(self) -> Plan:
        """The plan with a mark that a private price book was in use; none of its prices are in it."""
        plan = self.session.plan
        has_book = plan.uses_price_book and self.session.layers.book is not None
        return plan.model_copy(update={"had_price_book": True}) if has_book else plan

    def _show(
        self,
        plan: Plan,
        path: Path | None = None,
        known: Fingerprint | None = None,
        hold: Hold | None = None,
        read_only: ReadOnly | None = None,
    ) -> None:
        self._drop_copy()
        self._begin(path, known, hold)
        self._set_read_only(read_only)
        self.session.open_plan(plan)
        self.changed.emit()
        self.opened.emit()

    def _begin(self, path: Path | None, known: Fingerprint | None, hold: Hold | None) -> None:
        """Another file, or the same one anew."""
        if path != self.path:
            self._let_go()
            self._ours = set()
        self.path, self._known, self._told = path, known, ""
        self._hold = hold or (self._hold if path else None)

    def _let_go(self) -> None:
        if self._hold is not None:
            with suppress(RoofplanError):
                self.run(self._hold.let_go, f"close {self.path}")
        self._hold = None

    def _set_read_only(self, read_only: ReadOnly | None) -> None:
        self.read_only = read_only
        self.session.is_read_only = read_only is not None

    def _drop_copy(self) -> None:
        self._copy.drop()
        self._copy_timer.stop()
        self.kept_at_s = None

    def _to_keep(self) -> tuple[Plan, Belonging, int]:
        return self.session.plan, Belonging(self.path, self._known.digest if self._known else ""), self._copy.number

    def _take_snapshot_aside(self) -> None:
        if self.session.has_plan:
            Job(partial(_snapshot, self.session.plan), lambda job: self._tell(job.result())).start()

    def _keep_soon(self) -> None:
        if self._keeping is not None and not self._keeping.is_ended:
            self._copy_timer.start()
        elif self.is_dirty:
            self._keeping = Job(partial(self._copy.write, *self._to_keep()), self._on_kept).start()

    def _on_kept(self, job: Job) -> None:
        if job is self._keeping:
            self._kept(job.result)

    def _kept(self, act: Callable[[], object]) -> None:
        try:
            act()
        except MachineError as error:
            self._tell(f"Autosave does not work: {error}")
            return
        self.kept_at_s, self._failure = time.monotonic(), ""
        self.kept.emit()

    def _looked(self, known: Fingerprint, job: Job) -> None:
        now: Fingerprint | None = job.result()
        if job is not self._looking or known is not self._known or now is None:
            return
        if now.digest == known.digest or now.digest in self._ours:
            self._known = now
        elif now.digest != self._told:
            self._told = now.digest
            self.changed_on_disk.emit()

    def _tell(self, trouble: str) -> None:
        """Once for the same trouble: edits follow each other in tenths of a second."""
        if trouble and trouble != self._failure:
            self._failure = trouble
            self.failed.emit(trouble)

    def _on_clean(self, is_clean: bool) -> None:
        if is_clean:
            self._copy.drop()
        self.changed.emit()

    def _on_step(self, _: int) -> None:
        """Heard from the stack and not from the plan, since the plan changes before the stack counts the step."""
        if self.is_dirty and not self._copy_timer.isActive():
            self._copy_timer.start()


def who_has_it(other: Holder) -> str:
    """Who has a plan open, in words."""
    return f"{other.user} on {other.machine} has had it open since {other.since.astimezone():%d %b, %H:%M}"


def open_file(path: Path, read_only: bool = False) -> Opened:
    """Reads a plan and marks it as open here; may take long. Raises InputError or MachineError."""
    file, other = open_plan(path), holder(path)
    reason = _why_read_only(file, other, read_only)
    return Opened(file, reason, None if reason else take_hold(path), _snapshot(file.plan))


def _claim(path: Path) -> Hold | None:
    """Marks a plan as open here unless somebody else has it, or it cannot be marked."""
    return None if holder(path) else take_hold(path)


def _why_read_only(file: OpenedPlan, other: Holder | None, is_wished: bool) -> ReadOnly | None:
    if file.is_newer:
        left_out = f"; {counted(file.n_left_out, 'part')} unknown here left out" if file.n_left_out else ""
        return ReadOnly(f"A newer Roofplan made it (format {file.version}){left_out}.")
    if is_wished:
        return ReadOnly("It was opened so on request.")
    return ReadOnly(f"{who_has_it(other)}.", can_end=True) if other else None


def _save(plan: Plan, path: Path, known: Fingerprint | None, is_own: bool, ours: set[str]) -> _Saved:
    """Off the GUI thread. ``ours`` are contents that this window wrote to the file."""
    now = fingerprint(path, known) if known else None
    if known and now and now.digest not in {known.digest, *ours}:
        raise FileChangedError(path)
    other = None if is_own else holder(path)
    if other:
        raise MachineError(f"save {path}", f"{who_has_it(other)}; choose another name")
    mark = save(plan, path)
    ours.add(mark.digest)
    return _Saved(mark, None if is_own else take_hold(path), _snapshot(plan))


def _snapshot(plan: Plan) -> str:
    """What went wrong while a copy was kept; empty when nothing did."""
    try:
        recovery.take(plan)
    except MachineError as error:
        return f"Recovery copies cannot be written: {error}"
    return ""
