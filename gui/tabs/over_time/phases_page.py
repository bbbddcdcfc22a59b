"""The page of phases: bars over days, money on the same days, the ways beside each other, and the guides' advice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QSizePolicy, QStackedWidget, QVBoxLayout, QWidget

from core.comparison.over_time.answer import OverTime, over_time
from core.comparison.over_time.limits_words import limits_lines
from core.comparison.over_time.runs import Run
from core.comparison.over_time.way import Way
from core.comparison.over_time.words import advice_line, committed_words, headline, looked_at, owned_words, story
from core.comparison.result import ResultSet
from core.errors import RoofplanError
from core.units import day_after
from core.workload.phase_edits import days_until, new_phase, with_phase, without_phase
from core.workload.phase_templates import phases_from, template
from core.workload.phases import Phase
from gui.charts.view.plot_menu import PlotMenu
from gui.session.plan_session import PlanSession
from gui.tabs.over_time.following import follower
from gui.tabs.over_time.phase_dialog import PhaseDialog, ask_phase
from gui.tabs.over_time.phase_plots import PhasePlots
from gui.tabs.over_time.phase_rows import RIGHT, CostColumn, NameColumn
from gui.tabs.over_time.template_cards import TemplateCards
from gui.tabs.over_time.ways_table import WaysTable
from gui.theme.manager import ThemeManager
from gui.theme.naming import named
from gui.theme.plain import Label
from gui.widgets.elided import ElidedLabel
from gui.widgets.live import PAGE_SIDE_PX, label, padded
from gui.widgets.plan_page import Ask, PlanPage
from gui.widgets.rule import rule

READ_ONLY_WAY = "Another way is drawn: click the first one to change the phases."


class PhasesPage(PlanPage):
    """Follows the plan while it is seen. Why shows the story of a phase; the verdict is what the phases come to."""

    def __init__(self, session: PlanSession, themes: ThemeManager) -> None:
        super().__init__(session, themes, "phases")
        named(self, "phases-page", "Phases")
        self.answer: OverTime | None = None
        self.selected, self.place = "", 0
        self.plots, self.names, self.costs, self.ways = PhasePlots(), NameColumn(), CostColumn(), WaysTable()
        self.ways.may_leave = session.may_leave
        self._build()
        self._connect()

    @property
    def phases(self) -> tuple[Phase, ...]:
        """The phases as the active scenario sees them."""
        return self._session.shown_plan.phases

    def follow(self) -> None:
        """Asks for the answer of the plan as it is now; the last picture stays until it is there."""
        if not self.phases:
            self.stop()
            self.cards.show_for(self._session.shown_plan.profiles, not self._session.is_read_only)
            self._show_instead(self.cards)
            return
        self.gather()

    def use_template(self, template_id: str) -> None:
        """Phases of a template in the place of those there are: one undo step."""
        one = template(template_id)
        self._edit("phases", phases_from(one, self._session.shown_plan.profiles), f"Template {one.title}")

    def add_phase(self) -> PhaseDialog:
        """Asks for one more phase."""
        profile = self._session.profile
        return self._ask(new_phase(self.phases, profile.id if profile else ""))

    def edit_phase(self, phase_id: str) -> PhaseDialog | None:
        """Asks for a phase's dates, chips and measures as text."""
        phase = next((one for one in self.phases if one.id == phase_id), None)
        return self._ask(phase) if phase is not None else None

    def remove_phase(self, phase_id: str) -> None:
        """Takes a phase out of the plan: one undo step."""
        self._edit("phases", without_phase(self.phases, phase_id), "Remove phase")

    def choose(self, phase_id: str, opens_why: bool = False) -> None:
        """Selects a phase; Why tells what stands behind it."""
        self.selected = phase_id
        self._draw()
        self._tell(opens_why)

    def draw_way(self, place: int) -> None:
        """Draws another way; the others stay as lines of money."""
        self.place = place
        self._draw()
        self._tell(False)

    def ask_of(self, results: Mapping[str, ResultSet]) -> Ask:
        """What the phases of the shown plan come to."""
        plan = self._session.shown_plan
        return partial(_answered, plan.phases, results, plan.phases_deadline)

    def show_answer(self, answer: OverTime | None) -> None:
        """Draws it, with the way that was looked at before."""
        if answer is None:
            self._say("No workload has an answer yet")
            return
        self.answer = answer
        self.place = min(self.place, len(answer.ways) - 1)
        self._draw()
        self._tell(False)
        self.verdict_told.emit(answer if self.isVisible() else None)

    def say_failed(self, error: RoofplanError) -> None:
        """In the place of the picture."""
        self._say(f"The phases were not worked out: {error}")

    def _say(self, words: str) -> None:
        """A sentence in the place of the picture."""
        self.empty.setText(words)
        self._show_instead(self.empty)

    def _show_instead(self, page: QWidget) -> None:
        self.answer = None
        self._pages.setCurrentWidget(page)
        self.tell_nothing()

    def _draw(self) -> None:
        answer = self.answer
        if answer is None:
            return
        way, theme = answer.ways[self.place], self._themes.theme
        if all(run.phase.id != self.selected for run in way.runs):
            self.selected = ""
        self.plots.can_edit = self.place == 0 and not self._session.is_read_only
        scale = self.plots.show_way(answer, self.place, self.selected, theme)
        self.names.show_way(way, self.selected, scale, theme)
        self._unit.setText(f"Cost, {self.costs.show_way(way, self.selected, theme).words}")
        self._caption.setText(str(headline(answer)) if self.place == 0 else READ_ONLY_WAY)
        is_several = len(answer.ways) > 1 and len(way.runs) > 1
        for widget in (self.ways, self._ways_head):
            widget.setVisible(is_several)
        if is_several:
            self.ways.show_answer(answer, self.place, theme)
        lacking = "; ".join(f"{title}: {why}" for title, why in answer.lacking)
        self._ways_caption.setText(lacking or self._serving_words(answer))
        told = [f"{line}." for line in map(str, limits_lines(answer))]
        self.limits.setText("\n".join([*told, *filter(None, [owned_words(answer), _committed(way)])]))
        self.limits.setVisible(bool(self.limits.text()))
        run = self._run()
        self.advice.setText(str(advice_line(answer, run or way.deciding)))
        self._pages.setCurrentWidget(self._area)

    def _serving_words(self, answer: OverTime) -> str:
        served = [run for run in answer.own.runs if run.phase.stage == "serve"]
        days = sum(float(run.working[0]) for run in served)
        return f"Same phases, {days:.0f} days of serving in each" if served else "Same phases in each"

    def _run(self) -> Run | None:
        runs = self.answer.ways[self.place].runs if self.answer else ()
        return next((run for run in runs if run.phase.id == self.selected), None)

    def _tell(self, opens: bool) -> None:
        run = self._run()
        if self.answer is not None and run is not None and self.isVisible():
            self.story_told.emit(story(self.answer, self.answer.ways[self.place], run), opens)

    def _ask(self, phase: Phase) -> PhaseDialog:
        dialog = ask_phase(phase, self._session.shown_plan.profiles, self._options(phase), self._themes, self)
        dialog.answered.connect(self._on_phase)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.open()
        return dialog

    def _options(self, phase: Phase) -> dict[str, str]:
        """Options of the comparison on screen that are picked, selected or pinned, for a phase of its workload."""
        results = self._session.results
        if results is None or results.profile.id != phase.workload:
            return {}
        wanted = (results.recommendation.choice, self._session.selected_id, *self._session.pinned)
        known = (results.by_id[one].candidate for one in wanted if one is not None and one in results.by_id)
        return {one.id: f"{one.name}, {one.place}" for one in known}

    def _on_phase(self, phase: Phase) -> None:
        self.selected = phase.id
        self._edit("phases", with_phase(self.phases, phase), f"Change {phase.name}")

    def _on_end(self, phase_id: str, day: float, alone: bool) -> None:
        """A typed end moves; else the phase gets longer or shorter."""
        run = self._own_run(phase_id)
        if run is not None and run.phase.end is not None:
            self._change(run, f"End of {run.phase.name}", alone, end=self._date_of(day))
        elif run is not None:
            days = days_until(day, float(run.work_begins[0]))
            self._change(run, f"Length of {run.phase.name}", alone, days=days)

    def _on_start(self, phase_id: str, day: float, alone: bool) -> None:
        run = self._own_run(phase_id)
        if run is not None:
            self._change(run, f"Start of {run.phase.name}", alone, start=self._date_of(day))

    def _change(self, run: Run, words: str, alone: bool, **changes: object) -> None:
        """Of the whole list, so that a scenario's own phases never depend on the places of those of the base."""
        changed = {run.phase.id: changes}
        after = follower(self.answer.own.runs, run.phase.id) if alone and self.answer else None
        if after is not None:
            changed[after.phase.id] = {"start": self._date_of(float(after.begin[0]))}
            words = f"{words}, those after it stay"
        phases = tuple(one.model_copy(update=changed.get(one.id, {})) for one in self.phases)
        self._edit("phases", phases, words)

    def _date_of(self, day: float) -> date | None:
        return day_after(self.answer.own.first_day, day) if self.answer else None

    def _on_deadline(self, day: float) -> None:
        self._edit("phases_deadline", self._date_of(max(day, 1.0)), "Deadline of the phases")

    def _own_run(self, phase_id: str) -> Run | None:
        runs = self.answer.own.runs if self.answer else ()
        return next((run for run in runs if run.phase.id == phase_id), None)

    def _edit(self, path: str, value: object, words: str) -> None:
        """One undo step, apart from what comes before and after it."""
        self._session.end_step()
        self._session.edit(path, value, words)
        self._session.end_step()

    def _build(self) -> None:
        self.cards = TemplateCards()
        self.empty = named(Label(), "phases-problem", kind="ink2")
        self.empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.empty.setWordWrap(True)
        inside = QWidget()
        column = QVBoxLayout(inside)
        column.setContentsMargins(0, 0, 0, 8)
        column.setSpacing(0)
        column.addLayout(self._head())
        chart = named(QWidget(), "phases-chart")
        row = QHBoxLayout(chart)
        row.setContentsMargins(0, 0, PAGE_SIDE_PX, 0)
        row.setSpacing(0)
        for widget, stretch in ((self.names, 0), (self.plots, 1), (self.costs, 0)):
            row.addWidget(widget, stretch, Qt.AlignmentFlag.AlignTop if stretch == 0 else Qt.AlignmentFlag(0))
        column.addWidget(chart)
        PlotMenu(self.plots, "Plan over time", self._session.may_leave, chart)
        column.addSpacing(8)
        column.addLayout(padded(rule(), 0, 0))
        column.addWidget(self._ways_line())
        column.addWidget(self.ways)
        self.limits = label("", "small", "phases-limits", wraps=True)
        column.addLayout(padded(self.limits, 8, 0))
        self.advice = label("", "small", "phases-advice", wraps=True)
        column.addLayout(padded(self.advice, 8, 0))
        column.addStretch(1)
        self._area = area = named(QScrollArea(), "phases-scroll", "Phases")
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setWidget(inside)
        self._pages = QStackedWidget()
        for page in (self.cards, self.empty, area):
            self._pages.addWidget(page)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(self._pages)

    def _head(self) -> QHBoxLayout:
        self._caption = named(ElidedLabel(), "phases-caption", kind="ink2")
        self._unit = label("", "small", "phases-unit")
        row = QHBoxLayout()
        row.setContentsMargins(PAGE_SIDE_PX, 8, PAGE_SIDE_PX, 4)
        row.setSpacing(12)
        row.addWidget(label("Plan over time", "section"))
        row.addWidget(self._caption)
        legend = named(ElidedLabel(), "phases-legend", kind="small")
        legend.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)  # what fits best is told first
        legend.setAlignment(RIGHT)
        legend.setText("hatched: waiting for capacity, porting; whisker: 80 % range")
        row.addWidget(legend, 1)
        row.addWidget(self._unit)
        return row

    def _ways_line(self) -> QWidget:
        self._ways_head = QWidget()
        self._ways_caption = label("", "ink2", "ways-caption")
        row = QHBoxLayout(self._ways_head)
        row.setContentsMargins(PAGE_SIDE_PX, 8, PAGE_SIDE_PX, 2)
        row.setSpacing(12)
        row.addWidget(label("Ways to run it", "section"))
        row.addWidget(self._ways_caption, 1)
        return self._ways_head

    def _connect(self) -> None:
        self.plots.chosen.connect(self.choose)
        self.plots.why_wanted.connect(partial(self.choose, opens_why=True))
        self.plots.edit_wanted.connect(self.edit_phase)
        self.plots.remove_wanted.connect(self.remove_phase)
        self.plots.end_moved.connect(self._on_end)
        self.plots.start_moved.connect(self._on_start)
        self.plots.deadline_moved.connect(self._on_deadline)
        for column in (self.names, self.costs):
            column.chosen.connect(self.choose)
        self.ways.chosen.connect(self.draw_way)
        self.cards.wanted.connect(self.use_template)


def _committed(way: Way) -> str:
    return " ".join(map(str, committed_words(way)))


def _answered(phases: Sequence[Phase], results: Mapping[str, ResultSet], deadline: date | None) -> OverTime | None:
    """In the worker's thread."""
    answer = over_time(phases, results, deadline)
    return looked_at(answer) if answer is not None else None
