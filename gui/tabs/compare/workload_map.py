"""The Workload map: where the guides put each workload, what the numbers say there, and a hand on the dots."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtGui import QHideEvent, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QVBoxLayout, QWidget

from core.comparison.missing import missing_facts
from core.comparison.together.part import PlanPart, part_of
from core.comparison.together.workload_map import Placed, moved, placed, stability
from core.plan.edit import get_value, set_value
from core.units import counted, noun
from core.workload.profile import Profile
from gui.charts.figure.kind import ChartKind
from gui.charts.paint.picture import natural_height
from gui.charts.view.chart_view import ChartView
from gui.session.plan_session import PlanSession
from gui.tabs.compare.by_maturity import ToldByMaturity
from gui.tabs.compare.map_along import ALONG_TITLE, along
from gui.tabs.compare.map_figures import AT_WORK, GAPS_TITLE, MAP_TITLE, gap_rows, workload_map, worst_words
from gui.tabs.compare.map_story import map_story
from gui.theme.naming import named
from gui.theme.theme import Theme
from gui.widgets.live import PAGE_SIDE_PX, label
from gui.widgets.rule import rule

MAP_PX, MAP_MIN_PX = 560, 340
GAPS_MIN_PX = 330
NARROW_PX = 860
"""Below this width the costs stand below the map, whose bars would have no room beside it."""
ROOMY_PX = 1400
"""From this width on they have room beside the ranges in figures, too; below, ranges are drawn alone."""
MAP_NOTE = (
    "Advice and numbers part where a square lies in the workshop or a circle in the factory. The regions are a guess: "
    "the guides draw no lines. Cost only: the pick may differ by time or flexibility."
)


class WorkloadMap(QWidget):
    """Map at left, the costs behind it at right. ``counted`` tells how many workloads agree and disagree;
    ``story_told`` what Why shows of the workload that is chosen or held, None while the page is not seen."""

    counted = Signal(str)
    story_told = Signal(object, bool)

    def __init__(self, session: PlanSession) -> None:
        super().__init__()
        self._session = session
        self._placed: tuple[Placed, ...] = ()
        self._tells_ranges = False
        self.map = ChartView(ChartKind("workload-map", MAP_TITLE))
        self.gaps = ChartView(ChartKind("workload-gaps", GAPS_TITLE, has_rows=True))
        self.along = ChartView(ChartKind("workload-along", ALONG_TITLE, has_rows=True))
        self._told = ToldByMaturity(session)
        self._before: Profile | None = None
        self.worst = label("", "", "workload-map-worst", wraps=True)
        named(self, "workload-map-page", "Workload map")
        self._lay_out()
        for chart in self.charts():
            chart.may_leave = session.may_leave
        for chart in (self.map, self.gaps):
            chart.picked.connect(self._on_picked)
        self.map.mark_moved.connect(self._on_moved)
        self.map.mark_held.connect(self._on_held)
        self._told.changed.connect(self._draw_along)

    def _lay_out(self) -> None:
        self._sides = row = QHBoxLayout(self)
        left, right = QVBoxLayout(), QVBoxLayout()
        row.setContentsMargins(PAGE_SIDE_PX, 8, PAGE_SIDE_PX, 8)
        row.setSpacing(24)
        self.map.setMinimumSize(MAP_MIN_PX, 300)
        self.gaps.setMinimumWidth(GAPS_MIN_PX)
        left.addWidget(self.map, 1)
        left.addWidget(label(MAP_NOTE, "small", wraps=True))
        right.addWidget(self.gaps)
        right.addWidget(rule())
        right.addWidget(self.worst)
        right.addWidget(self.along)
        right.addStretch(1)
        row.addLayout(left, 6)
        row.addLayout(right, 5)

    def charts(self) -> tuple[ChartView, ...]:
        """All charts."""
        return self.map, self.gaps, self.along

    def show_plan(self, theme: Theme) -> None:
        """The workloads as they are now; their costs as far as they are known, which are from before after an edit."""
        self._placed = self._places()
        shown = self._session.profile
        selected = shown.id if shown else None
        self.map.show_figure(workload_map(self._placed), theme, selected)
        self._draw_gaps(theme)
        self.worst.setText(worst_words(self._placed))
        self.counted.emit(counted_words(self._placed))
        self._theme = theme
        self._told.follow()
        self._draw_along()
        self._tell(False)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Side by side where there is room."""
        super().resizeEvent(event)
        side = QBoxLayout.Direction
        self._sides.setDirection(side.TopToBottom if self.width() < NARROW_PX else side.LeftToRight)
        if self._placed and self._has_room != self._tells_ranges:
            self._draw_gaps(self._theme)

    @property
    def _has_room(self) -> bool:
        """True where bars have room beside their ranges in figures."""
        return self.width() >= ROOMY_PX or self.width() < NARROW_PX

    def _draw_gaps(self, theme: Theme) -> None:
        shown = self._session.profile
        self._tells_ranges = self._has_room
        gaps = gap_rows(self._placed, self._tells_ranges)
        self.gaps.setFixedHeight(round(natural_height(gaps, max(self.gaps.width(), GAPS_MIN_PX))) + 4)
        self.gaps.show_figure(gaps, theme, shown.id if shown else None)

    def hideEvent(self, event: QHideEvent) -> None:
        """Nothing is worked out for what nobody sees, and Why is about candidates again."""
        super().hideEvent(event)
        self._told.stop()
        self._before = None
        self.story_told.emit(None, False)

    @property
    def _shown(self) -> Placed | None:
        """The workload on screen as it is placed."""
        shown = self._session.profile
        return next((one for one in self._placed if shown and one.profile.id == shown.id), None)

    def _draw_along(self) -> None:
        """What follows the upright axis for the workload on screen."""
        one = self._shown
        is_described = one is not None and not missing_facts(one.profile)
        self.along.setVisible(is_described)
        if one is None or not is_described:
            return
        before = self._before
        was = stability(before).likely if before is not None and before.id == one.profile.id else None
        figure = along(one, self._told.told, was)
        self.along.setFixedHeight(round(natural_height(figure, max(self.along.width(), GAPS_MIN_PX))) + 4)
        self.along.show_figure(figure, self._theme)

    def _tell(self, opens: bool, held: Placed | None = None) -> None:
        """What a drag changes and changed; nothing before any."""
        before, one = self._before, held or self._shown
        if before is None or one is None or one.profile.id != before.id or one.profile.stack == before.stack:
            self.story_told.emit(None, False)
            return
        changes = {path: get_value(one.profile, path) for path in moved(one, 0.0, 0.0)}
        part = self._parts()[0].get(before.id)
        told = map_story(before, one, stability(before).likely, part, changes, held is not None)
        self.story_told.emit(told, opens)

    def _on_held(self, profile_id: str, matrix_pct: float, at: float) -> None:
        """While the hand has a dot: the fields that would say so, told in Why."""
        one = next((one for one in self._placed if one.profile.id == profile_id), None)
        if one is None:
            return
        fields = moved(one, matrix_pct, at)
        self._before = one.profile
        there = one.profile
        for path, value in fields.items():
            there = set_value(there, path, value)
        self._tell(False, placed(there, self._parts()[0].get(profile_id), one.why_not))

    def _places(self) -> tuple[Placed, ...]:
        parts, reasons = self._parts()
        return tuple(
            placed(profile, parts.get(profile.id), reasons.get(profile.name, AT_WORK))
            for profile in self._session.shown_plan.profiles
        )

    def _parts(self) -> tuple[dict[str, PlanPart], dict[str, str]]:
        """Parts by workload, and why others have none. That of an only workload is asked for here."""
        answer, results = self._session.whole_plan.answer, self._session.results
        if answer is not None:
            return {part.profile.id: part for part in answer.way.parts}, dict(answer.unanswered)
        if results is None or len(self._session.shown_plan.profiles) > 1:
            return {}, {}
        part = self._session.ask("workload map", results.profile.id, partial(part_of, results))
        return ({results.profile.id: part}, {}) if part else ({}, {})

    def _on_picked(self, profile_id: str) -> None:
        ids = [profile.id for profile in self._session.shown_plan.profiles]
        if profile_id in ids:
            self._session.show_profile(ids.index(profile_id))

    def _on_moved(self, profile_id: str, matrix_pct: float, height: float) -> None:
        """A dot was put somewhere: the fields that say so change as one step."""
        at = next((n for n, one in enumerate(self._placed) if one.profile.id == profile_id), None)
        if at is None:
            return
        self._before = self._placed[at].profile
        fields = moved(self._placed[at], matrix_pct, height)
        name = self._placed[at].profile.name
        self._session.edit_together(
            {f"profiles.{at}.{field}": value for field, value in fields.items()}, f"Move {name}"
        )
        self._tell(False)


def counted_words(rows: Sequence[Placed]) -> str:
    """``6 workloads, 3 agree, 1 disagrees``."""
    agree, apart = (sum(one.call == call for one in rows) for call in ("agree", "disagree"))
    verbs = noun(str(agree), "agrees", "agree"), noun(str(apart), "disagrees", "disagree")
    return f"{counted(len(rows), 'workload')}, {agree} {verbs[0]}, {apart} {verbs[1]}"
