"""The one owner of plan, undo stack, results and selection. Passed to every panel; never global."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from datetime import date
from typing import Any, TypeVar

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QUndoStack

from core.calibration.speed_factors import corrections
from core.catalogue.catalogue import Catalogue
from core.catalogue.own.layers import PriceBook
from core.comparison.result import ResultSet
from core.errors import InputError, RoofplanError
from core.plan.plan import Plan
from core.plan.scenario import BASE, edit_in, resolve, resolved
from core.report.masking import keeps_secrets
from core.throughput.correction import NO_CORRECTIONS
from core.units import show_money_in, shown_money
from core.workload.profile import Profile
from gui.session.answers import Answers
from gui.session.commands import PlanCommand, edit_label, unanswered
from gui.session.evaluations import Evaluations, Grounds
from gui.session.layers import Layers
from gui.session.paper import Evaluate, LastMasked, Paper
from gui.session.problem import Problem
from gui.session.road import Priority, Road, StoppedError, Work
from gui.session.whole_plan import PartStep, WholePlan

T = TypeVar("T")
SHOWN = "results on screen"
"""Owner of the evaluation that the user waits for."""

MOST_STEPS = 500
"""Steps that can be undone; each keeps a plan of some 5 kB, which shares with its neighbours what did not change."""

FROM_BEFORE = "the results shown are from before"


class PlanSession(QObject):
    """One open plan with everything the window shows of it.

    ``plan`` is the document, ``shown_plan`` the document as the active scenario sees it. Results belong to the
    profile at ``profile_index`` of the shown plan; ``stale`` says that they are from before an input went wrong.
    All work off the GUI thread takes ``road``.
    """

    plan_opened = Signal()
    plan_changed = Signal()
    profile_changed = Signal()
    scenario_changed = Signal()
    results_changed = Signal()
    selection_changed = Signal()
    problems_changed = Signal()
    busy_changed = Signal(bool)
    answers_changed = Signal()
    edit_refused = Signal()
    crashed = Signal(object)

    def __init__(
        self,
        plan: Plan,
        catalogue: Catalogue,
        evaluate: Evaluate | None = None,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self.layers = Layers(catalogue)
        self.undo_stack = QUndoStack(self)
        self.undo_stack.setUndoLimit(MOST_STEPS)
        self.profile_index, self.scenario_id = 0, BASE
        self.selected_id: str | None = None
        self.pinned: tuple[str, ...] = ()
        self.results: ResultSet | None = None
        self.stale = False
        self.is_read_only = False
        self._field_problems: dict[str, Problem] = {}
        self._masked = LastMasked()
        self._step = 0
        self._evaluation_problems: tuple[Problem, ...] = ()
        self._was_busy = False
        self.road = Road(self)
        self.road.changed.connect(self._tell_busy)
        self.evaluations = Evaluations(self.road, evaluate)
        self._answers = Answers(self.road, self)
        self._answers.changed.connect(self.answers_changed)
        self._answers.refused.connect(self._on_unanswered)
        self._answers.crashed.connect(self.crashed)
        self.whole_plan = WholePlan(self.road, self._part_steps, self)
        for signal in (self.plan_changed, self.profile_changed, self.results_changed):
            signal.connect(self.whole_plan.follow)
        self.whole_plan.crashed.connect(self.crashed)
        self._plan = plan
        self._look_up()
        self._told = self.problems

    @property
    def plan(self) -> Plan:
        """The document."""
        return self._plan

    @property
    def profile(self) -> Profile | None:
        """The workload on screen, as the active scenario sees it; None in an empty plan."""
        profiles = self.shown_plan.profiles
        return profiles[self.profile_index] if profiles else None

    @property
    def has_plan(self) -> bool:
        """False before anything was opened, and for a plan without a workload."""
        return bool(self._plan.profiles)

    @property
    def catalogue(self) -> Catalogue:
        """Shipped catalogue with the price book and the plan's own entries laid over it."""
        return self.layers.catalogue(self._plan)

    def may_leave(self) -> bool:
        """False where what is on screen must not be copied or saved as it is: the plan masks its private prices."""
        return not keeps_secrets(self.shown_plan, self.catalogue, self.layers.shipped)

    @property
    def is_busy(self) -> bool:
        """True while results are being made."""
        return self.road.is_busy(SHOWN)

    @property
    def problems(self) -> tuple[Problem, ...]:
        """Problems of fields, of the scenario's overrides, of own entries and of the last evaluation."""
        own = self.layers.problems(self._plan)
        return (*self._field_problems.values(), *self._override_problems, *own, *self._evaluation_problems)

    def path(self, field: str) -> str:
        """The path of a field of the workload on screen: ``job.n_tokens`` -> ``profiles.0.job.n_tokens``."""
        return f"profiles.{self.profile_index}.{field}"

    def edit(self, path: str, value: Any, label: str | None = None) -> str | None:
        """Changes one field in the active scenario as an undo step. Returns None, or what is wrong with the value."""
        try:
            plan = edit_in(self._plan, self.scenario_id, path, value)
        except InputError as error:
            self.report(path, f"{error.where}: expected {error.expected}")
            return f"Expected {error.expected}"
        self.settle(path)
        self._push(plan, label or edit_label(self.shown_plan, path), self._merge_key(path))
        return None

    def edit_together(self, values: Mapping[str, Any], label: str) -> str | None:
        """Changes several fields in the active scenario as one undo step. Returns None, or what is wrong with one."""
        plan = self._plan
        for path, value in values.items():
            try:
                plan = edit_in(plan, self.scenario_id, path, value)
            except InputError as error:
                return f"Expected {error.expected}"
        self._push(plan, label, "")
        return None

    def take_back(self, path: str) -> None:
        """What was typed into a field became no value: the plan is again as before this step, which leaves no undo."""
        last = self.undo_stack.command(self.undo_stack.index() - 1)
        if isinstance(last, PlanCommand) and last.merge_key == self._merge_key(path):
            self._push(last.before, last.text(), last.merge_key)

    def end_step(self) -> None:
        """The focus left a field: what is typed from now on is a step of its own, even in the same field."""
        self._step += 1

    def open_plan(self, plan: Plan) -> None:
        """Shows another document; undo begins anew, and nothing of the old one is left on screen."""
        self.undo_stack.clear()
        self.profile_index, self.scenario_id = 0, BASE
        self.results, self.stale = None, False
        self._field_problems.clear()
        self._evaluation_problems = ()
        self._masked.forget()
        self._forget_selection()
        self._plan = plan
        self._look_up()
        self.whole_plan.forget()
        self.plan_opened.emit()
        self.plan_changed.emit()
        self.profile_changed.emit()
        self.scenario_changed.emit()
        self.results_changed.emit()
        self._tell_problems()
        self._request(at_once=True)

    def replace_plan(self, plan: Plan, label: str) -> None:
        """Another whole plan as one undo step (a workload added, a log imported, a calibration accepted)."""
        self._push(plan, label, "")

    def set_book(self, book: PriceBook | None) -> None:
        """Lays another price book over the catalogue, or none."""
        self.layers.book = book
        self.plan_changed.emit()
        self._tell_problems()
        self._request(at_once=True)

    def start(self) -> None:
        """Begins evaluating; call it once the window is up."""
        self._request(at_once=True)

    def report(self, path: str, text: str, severity: str = "error") -> None:
        """Notes a problem of one field; results on screen are from before it."""
        self._field_problems[path] = Problem(path, text, severity)
        self._set_stale(self._has_field_error())
        self._tell_problems()

    def settle(self, path: str) -> None:
        """Takes a field's problem away."""
        if self._field_problems.pop(path, None):
            self._set_stale(self._has_field_error())
            self._tell_problems()

    def select(self, candidate_id: str | None) -> None:
        """Selects a candidate in table, charts and Why."""
        if candidate_id != self.selected_id:
            self.selected_id = candidate_id
            self.selection_changed.emit()

    def pin(self, candidate_id: str) -> None:
        """Pins a candidate as A or B, or takes the pin away; a third pin replaces B."""
        if candidate_id in self.pinned:
            self.pinned = tuple(one for one in self.pinned if one != candidate_id)
        else:
            self.pinned = (*self.pinned[:1], candidate_id)
        self.selection_changed.emit()

    def show_profile(self, index: int) -> None:
        """Shows another workload; its results come at once when nothing changed since."""
        if index != self.profile_index and 0 <= index < len(self._plan.profiles):
            self.profile_index = index
            self._forget_selection()
            self.profile_changed.emit()
            self._request(at_once=True)

    def set_scenario(self, scenario_id: str) -> None:
        """Shows the plan under another scenario."""
        if scenario_id != self.scenario_id:
            self.scenario_id = scenario_id
            self._look_up()
            self.scenario_changed.emit()
            self.plan_changed.emit()
            self._tell_problems()
            self._request(at_once=True)

    def ask(self, kind: str, about: Hashable, answer: Callable[[], T]) -> T | None:
        """A question about the results on screen that takes the engine: what ``answer`` gives, which is never None.

        None while it is worked out on the road; ``answers_changed`` says that it is there. A newer question of the same
        kind takes the place of an older one.
        """
        return self._answers.ask(self.results, kind, about, answer) if self.results else None

    def gather(self, owner: Hashable, title: str, finishes: bool = False) -> Work:
        """Results of every workload of the shown plan on the road, a step each: known ones are answered at once.

        ``ended`` brings the results; each belongs to its ``profile``. A workload that cannot be evaluated is missing.
        """
        last = self.profile  # on its way anyway, so that it is most likely known when its turn comes
        profiles = sorted(self.shown_plan.profiles, key=lambda profile: profile is last)
        return self.evaluations.gather(owner, self._grounds, profiles, title, finishes)

    def hear(self, work: Work, done: Callable[[Any], object], failed: Callable[[RoofplanError], object]) -> None:
        """Has a work told to whoever waits for it, whatever comes of it: its answers, or why there is none.

        A fault of our own is a failure like others to who waits; what it was is reported (:attr:`crashed`).
        """
        work.done.connect(done)
        work.failed.connect(failed)
        work.crashed.connect(self.crashed)

    def question_in(self, scenario_id: str) -> Hashable:
        """What is asked of the workload on screen as a scenario sees it: equal questions have equal answers."""
        profile = self._seen_in(scenario_id)
        return None if profile is None else self._grounds.question(profile)

    def evaluate_in(self, owner: Hashable, scenario_ids: Sequence[str], title: str) -> Work:
        """Results of the workload on screen as scenarios see it, as :meth:`evaluate_aside` brings them."""
        seen = {one: profile for one in scenario_ids if (profile := self._seen_in(one)) is not None}
        return self.evaluate_aside(owner, seen, title)

    def evaluate_aside(self, owner: Hashable, profiles: Mapping[str, Profile], title: str) -> Work:
        """Results of workloads by labels of theirs, such as one as it would be with other fields, a step each, on the
        road.

        ``done`` brings a label with its results, or with the RoofplanError that says why there are none.
        """
        return self.evaluations.aside(owner, self._grounds, profiles, title)

    def _seen_in(self, scenario_id: str) -> Profile | None:
        profiles = resolve(self._plan, scenario_id).profiles
        return profiles[self.profile_index] if profiles else None

    def paper(self, pages: Sequence[str] | None = None) -> Paper:
        """What the comparison plan of the shown plan is made of now."""
        plan, pages = self.shown_plan, pages or self._plan.report_pages or None
        shipped, today, masked, evaluate = self.layers.shipped, date.today(), self._masked, self.evaluations.evaluate
        if self.may_leave():
            masked.forget()
        return Paper(plan, self.scenario_id, self.catalogue, shipped, self.corrections, pages, today, evaluate, masked)

    def paper_of(self, plan: Plan, scenario_id: str) -> Paper:
        """What another plan, or this one in another scenario, comes to; evaluated by whoever asks."""
        factors = corrections(plan.calibrations, plan.lessons)
        layers, evaluate = (self.layers.catalogue(plan), self.layers.shipped), self.evaluations.evaluate_aside
        return Paper(resolve(plan, scenario_id), scenario_id, *layers, factors, None, date.today(), evaluate)

    def close(self) -> None:
        """Waits for the road; the session is not used afterwards."""
        self.whole_plan.stop()
        self.road.stop()
        self.undo_stack.blockSignals(True)  # nobody may listen to its end any more
        self.undo_stack.clear()  # here and not in the collector, which may take steps before the stack that owns them

    def _merge_key(self, path: str) -> str:
        return f"{self._step}:{self.scenario_id}:{path}"

    def _push(self, plan: Plan, label: str, merge_key: str) -> None:
        if self.is_read_only:
            self.edit_refused.emit()
            self.plan_changed.emit()  # what was typed gives way to what the plan says
            return
        if plan == self._plan and unanswered(plan) == unanswered(self._plan):
            return
        if not self._goes_on_with_last_step(plan, merge_key):
            self.undo_stack.push(PlanCommand(self._show_plan, self._plan, plan, label, merge_key))

    def _goes_on_with_last_step(self, plan: Plan, merge_key: str) -> bool:
        """Takes a later edit of the same field into the last step, as pushing it would: but what Qt merges PySide keeps
        for ever, a little object a letter, which holds its page of memory. Typed back to where it was, or after an
        undo, the step is Qt's to take away."""
        stack = self.undo_stack
        last = None if stack.canRedo() or stack.isClean() else stack.command(stack.index() - 1)
        if not isinstance(last, PlanCommand) or not merge_key or last.merge_key != merge_key or last.before == plan:
            return False
        last.after = plan
        self._show_plan(plan)
        stack.indexChanged.emit(stack.index())
        return True

    def _show_plan(self, plan: Plan) -> None:
        self._follow_workload(plan)
        self._plan = plan
        if all(scenario.id != self.scenario_id for scenario in plan.scenarios):
            self.scenario_id = BASE
        money = shown_money()
        self._look_up()
        self.plan_changed.emit()
        if shown_money() != money:
            self.results_changed.emit()  # the same figures, worded anew
        self._tell_problems()
        self._request()

    def _follow_workload(self, plan: Plan) -> None:
        """The workload on screen stays there wherever it stands now; where it is gone, the one in its place comes."""
        before, now = ([profile.id for profile in one.profiles] for one in (self._plan, plan))
        if before == now:
            return
        self._field_problems = {at: one for at, one in self._field_problems.items() if not at.startswith("profiles.")}
        shown = before[self.profile_index] if before else ""
        if shown in now:
            self.profile_index = now.index(shown)
        else:
            self.profile_index = min(self.profile_index, max(len(now) - 1, 0))
            self._forget_selection()

    def _look_up(self) -> None:
        scenario = resolved(self._plan, self.scenario_id)
        self.shown_plan = scenario.plan
        show_money_in(self._plan.currency.money)
        accepted, lessons = self._plan.calibrations, self._plan.lessons
        self.corrections = corrections(accepted, lessons) if accepted or lessons else NO_CORRECTIONS
        self._override_problems = tuple(Problem(p.path, p.text, "warning") for p in scenario.problems)

    @property
    def _grounds(self) -> Grounds:
        return Grounds(self.catalogue, self.corrections, self.layers.number(self._plan))

    def _request(self, at_once: bool = False) -> None:
        profile = self.profile
        if profile is None:
            self.road.cancel(SHOWN)
            self.results = None
            self.results_changed.emit()
            return
        step, title = self.evaluations.step(self._grounds, profile), f"Comparing options for {profile.name}"
        work = self.road.start(SHOWN, step, title, Priority.NOW, after_paint=not at_once)
        work.done.connect(self._on_results)
        work.refused.connect(self._on_refused)
        work.crashed.connect(self._on_crashed)

    def _part_steps(self) -> dict[Hashable, PartStep] | None:
        """What brings the part of each workload of the shown plan, by what it asks; None while results are made."""
        return None if self.is_busy else self.evaluations.part_steps(self._grounds, self.shown_plan.profiles)

    def _tell_busy(self) -> None:
        if self.is_busy != self._was_busy:
            self._was_busy = self.is_busy
            self.busy_changed.emit(self._was_busy)

    def _on_results(self, results: ResultSet) -> None:
        self.evaluations.known.put(self._grounds.question(results.profile), results)
        follows_pick = self.results is not None and self.selected_id == self.results.recommendation.choice
        self.results, self._evaluation_problems = results, ()
        if follows_pick or self.selected_id not in results.by_id:
            self.selected_id = results.recommendation.choice
        self.pinned = tuple(one for one in self.pinned if one in results.by_id)
        self.stale = self._has_field_error()
        self.results_changed.emit()
        self._tell_problems()

    def _on_refused(self, error: RoofplanError) -> None:
        self._tell_failure(
            f"The comparison was stopped; {FROM_BEFORE}" if isinstance(error, StoppedError) else str(error)
        )

    def _on_unanswered(self, error: RoofplanError) -> None:
        """A question about the results has no answer; the results stand."""
        self._evaluation_problems = (*self._evaluation_problems, Problem("", str(error), "warning"))
        self._tell_problems()

    def _on_crashed(self, error: BaseException) -> None:
        self._tell_failure(f"The evaluation failed because of a fault in Roofplan; {FROM_BEFORE}")
        self.crashed.emit(error)

    def _tell_failure(self, reason: str) -> None:
        self._evaluation_problems = (Problem("", reason),)
        self._set_stale(True)
        self._tell_problems()

    def _has_field_error(self) -> bool:
        return any(problem.severity == "error" for problem in self._field_problems.values())

    def _tell_problems(self) -> None:
        """Only when they changed: every panel redraws at this signal."""
        if self.problems != self._told:
            self._told = self.problems
            self.problems_changed.emit()

    def _set_stale(self, stale: bool) -> None:
        if stale != self.stale:
            self.stale = stale
            self.results_changed.emit()

    def _forget_selection(self) -> None:
        self.selected_id, self.pinned = None, ()
