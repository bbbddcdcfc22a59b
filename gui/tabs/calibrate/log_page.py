"""One log of the plan: what it says, what ran, which part counts, and what accepting it would change."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from functools import partial
from typing import TypeVar

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from core.calibration.accepted import AcceptedCalibration, AcceptedLesson, are_same, is_same
from core.calibration.lessons import NOTHING_TAUGHT, Asked
from core.calibration.measured.system import measured_system
from core.calibration.own_logs.evidence import read_all_the_same, reasons_against, seen_words
from core.calibration.own_logs.joined import Joined
from core.calibration.own_logs.load import load_of
from core.calibration.own_logs.parts import Parts, Span, seconds_in, without
from core.calibration.own_logs.stretches import Stretch, stretches, window_of, with_window
from core.calibration.own_logs.use import bill_of, use_of
from core.calibration.own_logs.what_ran import likely_speed, likely_workload
from core.calibration.speed_factors import corrections, propose
from core.catalogue.entries import Accelerator
from core.comparison.evaluate import evaluate
from core.comparison.questions.calibration_effect import effect_words
from core.cost.bill.power import watts
from core.errors import InputError
from core.logs.record import LogRecord
from core.plan.imports import log_names, record_of, without_log
from core.plan.joined_logs import joined_log, shown_bands, with_chips
from core.plan.plan import ImportedLog
from core.units import counted
from gui.session.plan_session import PlanSession
from gui.session.road import Cancelled, Priority, Progress, whole
from gui.tabs.calibrate.answer import Answer, answer, problem_words
from gui.tabs.calibrate.footer import CalibrateFooter
from gui.tabs.calibrate.join_row import JoinRow
from gui.tabs.calibrate.log_facts import CalibrateFacts, LogForm
from gui.tabs.calibrate.summary import CalibrateSummary
from gui.tabs.calibrate.timeline import CalibrateTimeline
from gui.theme.manager import ThemeManager
from gui.widgets.message_bar import MessageBar
from gui.widgets.overlay import AtLowerEdge
from gui.widgets.rule import rule

Accepted = TypeVar("Accepted", AcceptedCalibration, AcceptedLesson)


_USUAL_PLOTS = 3


class LogPage(QWidget):
    """``show_log`` chooses which of the plan's logs; one with a log of its chips is shown with that.

    ``proposal`` is the calibration that the choices on screen give, None until it is there. ``proposed``: it is, or
    it is told why there is none. ``taught``: what a log without a speed says is shown.
    ``weighed``: what accepting it would change is told.
    """

    proposed = Signal()
    taught = Signal()
    weighed = Signal()

    def __init__(self, session: PlanSession, themes: ThemeManager, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._themes = themes
        self.log: ImportedLog | None = None
        self._record: LogRecord | None = None
        self._both: Joined | None = None
        self._stages: tuple[Stretch, ...] = ()
        self._window_s: Span = (0.0, 0.0)
        self._cuts_s: Parts = ()
        self._effect = ("calibrate-effect", id(self))
        self.proposal: AcceptedCalibration | None = None
        self._why_no_speed = ""
        self._build()
        self._connect()

    def prepare(self) -> None:
        """Makes the usual plots while the first log is read, so that it is shown quickly."""
        if self.log is None:
            self.timeline.plots.prepare(_USUAL_PLOTS, self._themes.theme)

    def show_log(self, log: ImportedLog | None) -> None:
        """Shows a log with the window and choices that it was calibrated with, if it was."""
        self.problem.hide()
        self.log = log
        if log is None:
            return
        self.summary.straggler.setChecked(False)
        known = frozenset(self._session.catalogue.accelerator_by_id)
        self._both = joined_log(self._session.plan, log, known)
        self._record = self._both.record if self._both else record_of(log, known)
        self._stages = stretches(self._record)
        accepted = self._accepted()
        self._window_s, self._cuts_s = window_of(self._stages)
        if accepted:
            self._window_s, self._cuts_s = accepted.window_s, accepted.cuts_s
        profiles = self._session.shown_plan.profiles
        likely = accepted.profile_id if accepted else likely_workload(log.subject, profiles, self._session.profile)
        self.form.show_log(log, self._record, profiles, likely)
        self.join.show_log(self._session.plan, log, self._both)
        profile = next((one for one in profiles if one.id == self.form.profile_id), None)
        if speed := likely_speed(self._record, profile, without(self._window_s, self._cuts_s)):
            self.form.suggest(speed)
        self._show_form(self.form.is_lacking)
        self.footer.show_wait()
        self.refresh()

    def on_plan(self, log: ImportedLog) -> None:
        """The plan changed, perhaps by undo, and still holds the log, perhaps with another one beside it now."""
        if log != self.log:
            self.show_log(log)
            return
        self.join.show_log(self._session.plan, log, self._both)
        self.form.show_workloads(self._session.shown_plan.profiles, self.form.profile_id)
        self.refresh()

    def accept(self) -> None:
        """Takes the proposal and what else is ticked into the plan: predictions of that chip move. One undo step."""
        plan, today = self._session.plan, {"accepted_on": date.today().isoformat()}
        if not self.footer.accept.isEnabled():
            return
        taken = [one.model_copy(update=today) for one in self._proposals]
        lessons = [one.model_copy(update=today) for one in self.summary.also.chosen]
        changed = {
            "calibrations": (*self._others(plan.calibrations), *taken),
            "lessons": (*self._others(plan.lessons), *lessons),
        }
        self._session.replace_plan(plan.model_copy(update=changed), f"Accept calibration from {self._log_name()}")

    def discard(self) -> None:
        """Takes the log and what came from it out of the plan, one undo step; one that is refused goes alike."""
        if self.log is not None:
            self._session.replace_plan(without_log(self._session.plan, self.log.id), f"Discard {self._log_name()}")

    def close_page(self) -> None:
        """Wants no answer any more."""
        self._session.road.cancel(self)
        self._session.road.cancel(self._effect)

    def _build(self) -> None:
        self.facts = CalibrateFacts(self._session.catalogue, self)
        self.form = LogForm(self._session.catalogue, self)
        self.join = JoinRow(self)
        self.timeline = CalibrateTimeline(self._themes, self)
        self.summary = CalibrateSummary(self)
        self.footer = CalibrateFooter(self)
        self.problem = MessageBar(self._themes)
        AtLowerEdge(self.problem, self.timeline)
        middle = QHBoxLayout()
        middle.setSpacing(0)
        middle.addWidget(self.timeline, 1)
        middle.addWidget(rule(vertical=True))
        middle.addWidget(self.summary)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        for widget in (self.facts, self.form, self.join, rule()):
            column.addWidget(widget)
        column.addLayout(middle, 1)
        column.addWidget(rule())
        column.addWidget(self.footer)

    def _connect(self) -> None:
        self.facts.asked.connect(lambda: self._show_form(not self.form.isVisible()))
        self.form.changed.connect(self.refresh)
        self.join.chosen.connect(self._on_join)
        self.timeline.changed.connect(self._on_window)
        self.summary.chip_wanted.connect(self.timeline.show_chip)
        self.summary.also.changed.connect(self._tell_proposal)
        self.summary.load.wanted.connect(self._on_load)
        self.footer.accepted.connect(self.accept)
        self.footer.discarded.connect(self.discard)
        self._themes.changed.connect(self.refresh)

    def _on_join(self, chips_id: str, begins_s: float) -> None:
        """Reads a log of the chips with this one from now on, or no more: one undo step."""
        if self.log is not None:
            plan = with_chips(self._session.plan, self.log.id, chips_id, begins_s)
            words = f"Read {self._log_name()} with a log of its chips" if chips_id else f"Read {self._log_name()} alone"
            self._session.replace_plan(plan, words)

    def _show_form(self, is_open: bool) -> None:
        self.form.setVisible(is_open)
        self.facts.button.setChecked(is_open)

    def _on_window(self, window_s: Span, cuts_s: Parts) -> None:
        self._window_s, self._cuts_s = window_s, cuts_s
        self.refresh()

    def refresh(self) -> None:
        """Shows the log at once; the proposal follows from the road, and the one before can be taken no more."""
        self._session.road.cancel(self)
        self._session.road.cancel(self._effect)
        self.proposal = None
        if self.log is None or self._record is None:
            return
        self.footer.accept.setEnabled(False)
        self._show_record(self.log, self._record)
        reasons = self._refusal(self._record)
        try:
            ask = self._question(self.log, self._record, has_speed=not reasons)
        except InputError as error:
            self._on_answer(Answer(None, NOTHING_TAUGHT, error), reasons)
            return
        work = self._session.road.start(self, whole(ask), priority=Priority.NOW)
        told = partial(self._on_answer, reasons=reasons)
        self._session.hear(work, told, lambda error: told(Answer(None, NOTHING_TAUGHT, error)))

    def _show_record(self, log: ImportedLog, record: LogRecord) -> None:
        parts, n_chips, chip = without(self._window_s, self._cuts_s), self._n_chips, self._chip
        use = use_of(record, parts, n_chips)
        bands = shown_bands(log, record)
        self.timeline.show_record(record, bands, self._stages, self._window_s, self._cuts_s, use.throttled, chip)
        counted_chips = f"{n_chips} × {chip.short_name}" if chip else counted(n_chips, "chip")
        names = log_names(self._session.plan)
        name = " + ".join(names[one] for one in (log.id, log.chips_log_id) if one in names)
        self.facts.show_log(log, record, name, counted_chips)
        self.summary.show_use(use, n_chips, seconds_in(parts))
        price = self._usd_per_chip_hour
        self.summary.load.show_load(load_of(record), self._entered_load_pct)
        self.summary.show_bill(bill_of(with_window(self._stages, self._window_s, self._cuts_s), n_chips, price), price)

    def _refusal(self, record: LogRecord) -> tuple[str, ...]:
        """Shows the card where even what is proposed of a log carries no speed, and gives the reasons."""
        parts = without(*window_of(self._stages))
        try:
            reasons = reasons_against(record, parts, self.form.typed_tokens_per_s)
        except InputError:
            reasons = ()
        self.timeline.show_refused(bool(reasons))
        self.summary.setVisible(not reasons)
        self.footer.accept.setVisible(not reasons)
        self.footer.discard.setText("Close" if reasons else "Discard")
        if reasons:
            self.facts.show_refused(seen_words(record), self._themes.theme.color("warn"))
            self.timeline.card.show_reasons(reasons, read_all_the_same(record), record)
            if not reasons_against(record, parts, typed_tokens_per_s=1.0):
                self._show_form(True)  # a typed speed is all that lacks
            self.footer.show_refused()
            self.proposed.emit()
        return reasons

    def _question(self, log: ImportedLog, record: LogRecord, has_speed: bool) -> Callable[[], Answer]:
        """What the choices on screen ask of the engine. Raises InputError when they ask for nothing."""
        if not self.form.accelerator_id:
            seen = "none chosen" if record.accelerator_id else record.accelerator
            found = seen if not seen or record.accelerator_id else f"{seen} is not in the catalogue"
            raise InputError("Chip", found or "none named in the log", "the chip that the log was made on")
        profiles = {profile.id: profile for profile in self._session.shown_plan.profiles}
        if self.form.profile_id not in profiles:
            raise InputError("Workload", "none in the plan", "the workload that ran")
        system = measured_system(self._session.catalogue, self.form.accelerator_id, self.form.n_chips)
        parts = without(self._window_s, self._cuts_s)
        watt, profile = watts(system.accelerator)[1], profiles[self.form.profile_id]
        asked = Asked(record, log.id, log.sha256, profile, system, self._stages, parts, watt)
        speed = partial(
            propose, record, log.id, profile, system, self._window_s, self._cuts_s, self.form.typed_tokens_per_s, watt
        )
        return partial(answer, asked, speed if has_speed else None)

    def _on_answer(self, told: Answer, reasons: tuple[str, ...]) -> None:
        """Shows what the log proposes: a speed, other figures, both, or why there is neither."""
        accepted = {one.term for one in self._accepted_lessons}
        self.summary.also.show_taught(told.taught, accepted if accepted or self._accepted() else None)
        self.proposal, self._why_no_speed = told.speed, "; ".join(reasons) or problem_words(told.problem)
        if told.speed is not None:
            self._show_speed(told.speed)
        elif reasons:
            self._show_taught(bool(told.taught.lessons))
        else:
            self.summary.show_checks((), self._themes.theme)
            self.footer.show_problem(self._why_no_speed)
            self._show_form(True)
        self._tell_proposal()
        (self.taught if reasons else self.proposed).emit()

    def _show_taught(self, has_lessons: bool) -> None:
        """A log without a speed: what it teaches takes the card's place."""
        self.summary.show_checks((), self._themes.theme)
        self.summary.setVisible(has_lessons)
        self.timeline.card.setVisible(not has_lessons)
        self.footer.discard.setText("Discard" if has_lessons else "Close")

    def _show_speed(self, proposal: AcceptedCalibration) -> None:
        self.summary.show_checks(proposal.checks, self._themes.theme, proposal.work)
        self.timeline.show_predicted(
            {
                "tokens_per_s_per_chip": proposal.predicted_tokens_per_s / proposal.n_chips,
                "tokens_per_s": proposal.predicted_tokens_per_s,
                "output_tokens_per_s": proposal.predicted_tokens_per_s,
            }
        )

    def _tell_proposal(self) -> None:
        """Says what accepting what is ticked would make of the chip; it changes with every box."""
        self._session.road.cancel(self._effect)
        proposal, chosen = self.proposal, self.summary.also.chosen
        lessons = self._accepted_lessons
        if proposal is None and not chosen and not lessons:
            return
        is_accepted = are_same(chosen, lessons)
        if proposal is not None:
            accepted = self._accepted()
            is_accepted = is_accepted and accepted is not None and is_same(proposal, accepted)
            factors = corrections([*self._others(self._session.plan.calibrations), proposal])
            factor = factors.find(proposal.accelerator_id, proposal.work, proposal.n_params)
            assert factor is not None
            name = self._chip.short_name if self._chip else proposal.accelerator_id
            self.footer.show_proposal(proposal, factor, name, is_accepted)
        else:
            self.footer.show_lessons(self._why_no_speed, len(chosen), is_accepted)
        if not is_accepted:
            self._weigh()

    def _weigh(self) -> None:
        """Asks what the workload would look like with the calibration, and without where that is not on screen."""
        plan, results, catalogue = self._session.plan, self._session.results, self._session.catalogue
        profile_id, chip_id = self.form.profile_id, self.form.accelerator_id
        profile = next((one for one in self._session.shown_plan.profiles if one.id == profile_id), None)
        if results is None or profile is None:
            self.footer.show_effect("")
            return
        known = (
            results if results.profile == profile and not self._session.is_busy else None
        )  # else from before an undo
        speeds, lessons = self._others(plan.calibrations), self._others(plan.lessons)
        without_it = corrections(speeds, lessons)
        with_it = corrections((*speeds, *self._proposals), (*lessons, *self.summary.also.chosen))
        if len(speeds) < len(plan.calibrations) or len(lessons) < len(plan.lessons):
            known = None  # the answer on screen knows what is accepted of this log

        def step(cancelled: Cancelled, _: Progress) -> str:
            before = known or evaluate(profile, catalogue, without_it, cancelled)
            return effect_words(before, evaluate(profile, catalogue, with_it, cancelled), chip_id)

        work = self._session.road.start(self._effect, step)
        self._session.hear(work, self._on_weighed, lambda _: self.footer.show_effect(""))

    def _on_weighed(self, words: str) -> None:
        self.footer.show_effect(words)
        self.weighed.emit()

    @property
    def _entered_load_pct(self) -> float | None:
        """The mean load of the workload chosen; None where it is not served online."""
        profiles = {one.id: one for one in self._session.shown_plan.profiles}
        job = profiles[self.form.profile_id].job if self.form.profile_id in profiles else None
        return getattr(job, "mean_load_pct", None)

    def _on_load(self, mean_pct: float) -> None:
        """The mean load of the log becomes the workload's: one undo step."""
        ids = [one.id for one in self._session.shown_plan.profiles]
        place = ids.index(self.form.profile_id)
        self._session.edit(f"profiles.{place}.job.mean_load_pct", mean_pct, f"Mean load from {self._log_name()}")

    @property
    def _chip(self) -> Accelerator | None:
        return self._session.catalogue.accelerator_by_id.get(self.form.accelerator_id)

    @property
    def _n_chips(self) -> int:
        """Chips that the log itself saw, be they one node of a larger job; those typed where it does not tell."""
        if self._record and self._record.n_accelerators:
            return self._record.n_accelerators
        try:
            return self.form.n_chips
        except InputError:
            return 1

    @property
    def _usd_per_chip_hour(self) -> float | None:
        """Today's price of the best option of the chip in the answer on screen; None where it has none."""
        results = self._session.results
        every = results.best_per_accelerator if results else ()
        best = (one.candidate for one in every if one.candidate.accelerator.id == self.form.accelerator_id)
        return next((one.usd_per_chip_hour for one in best), None)

    def _accepted(self) -> AcceptedCalibration | None:
        log_id = self.log.id if self.log else ""
        return next((c for c in self._session.plan.calibrations if c.log_id == log_id), None)

    @property
    def _proposals(self) -> tuple[AcceptedCalibration, ...]:
        return (self.proposal,) if self.proposal else ()

    @property
    def _key(self) -> tuple[str, str]:
        """The log and the workload on screen."""
        return self.log.id if self.log else "", self.form.profile_id

    @property
    def _accepted_lessons(self) -> tuple[AcceptedLesson, ...]:
        return tuple(one for one in self._session.plan.lessons if (one.log_id, one.profile_id) == self._key)

    def _others(self, every: tuple[Accepted, ...]) -> tuple[Accepted, ...]:
        """What the plan holds of other logs or workloads."""
        return tuple(one for one in every if (one.log_id, one.profile_id) != self._key)

    def _log_name(self) -> str:
        return self.log.file_name if self.log else "log"
