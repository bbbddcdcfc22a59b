"""The Why dock: what the selected candidate's time and cost are made of, what speaks for and against it, and whence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from functools import partial

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QFrame, QScrollArea, QVBoxLayout, QWidget

from core.comparison.over_time.words import Story
from core.comparison.result import CandidateResult, ResultSet
from core.report.having_words import having_line, lead_lines, sources_line, wait_line
from core.units import counted
from gui.charts.figure.shown import WAITING, fill_of, subject
from gui.frame.why.breakdown import Chain, ChainLine
from gui.frame.why.explained import explained
from gui.frame.why.having import having_sections, lead_sections
from gui.frame.why.plan import plan_sections
from gui.frame.why.section import RIGHT, TOP, Put, Rule, Section, SectionBox, Title, Value, Words
from gui.frame.why.sources import SourceLine, arguments, cautions, first_words, sources
from gui.frame.why.steps import step_chain
from gui.frame.why.story import story_sections
from gui.frame.why.time_and_cost import PairLine, cost_chain, paired, time_chain
from gui.session.plan_session import PlanSession
from gui.theme.manager import ThemeManager
from gui.theme.naming import named
from gui.theme.removal import take_away
from gui.widgets.glyph import Mark
from gui.widgets.live import LivePanel

SIDE_PX = 16
OPERATOR_PX = 16
PAIR = 2
EXPLAINED = "explained"


class WhyPanel(LivePanel):
    """Follows the selection; with A and B pinned it shows both and their difference."""

    answer_wanted = Signal(str)

    def __init__(self, session: PlanSession, themes: ThemeManager, parent: QWidget | None = None) -> None:
        super().__init__(session, themes, parent)
        self.setObjectName("panel-why")
        self._open: set[str] = set()
        self._explained, self._shows_plan = "", False
        self._story: Story | None = None
        self._shown_ids: tuple[str, ...] = ()
        self._boxes: dict[str, SectionBox] = {}
        self._in_its_turn = QTimer(self, singleShot=True, interval=0)
        self._in_its_turn.timeout.connect(self.mark_dirty)
        inside = QWidget()
        self._column = QVBoxLayout(inside)
        self._column.setContentsMargins(SIDE_PX, 12, SIDE_PX, 12)
        self._column.setSpacing(14)
        self._column.addStretch(1)
        self._area = named(QScrollArea(), "why-scroll", "Why")
        self._area.setWidgetResizable(True)
        self._area.setFrameShape(QFrame.Shape.NoFrame)
        self._area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._area.setWidget(inside)
        self.body.addWidget(self._area)
        session.whole_plan.changed.connect(self._on_whole_plan)
        session.selection_changed.connect(self._close_plan)
        session.selection_changed.connect(self._close_story)

    def on_results(self) -> None:
        """The verdict and the tab are painted first: a key that comes meanwhile waits for one of them, not for all."""
        self._in_its_turn.start()

    def show_nothing(self) -> None:
        """Before there are results."""
        self._put({"empty": _empty(WAITING)})

    def show_results(self, results: ResultSet) -> None:
        """The selected candidate, or the pinned pair."""
        if self._story is not None:
            self._put(story_sections(self._story, self._close_story), (self._story.key,))
            return
        if self._shows_plan:
            whole = self.session.whole_plan
            self._put(plan_sections(whole.answer, whole.is_working, self._close_plan), ("whole plan",))
            return
        pinned = [results.by_id[one] for one in self.session.pinned if one in results.by_id]
        shown = subject(results, self.session.selected_id)
        if len(pinned) == PAIR:
            asked = explained(results, shown, self._explained, self._close_explained) if shown else None
            sections = {EXPLAINED: asked} if asked else {}
            self._put({**sections, **self._pair(results, pinned[0], pinned[1])}, tuple(one.id for one in pinned))
        elif shown is None:
            self._put({"empty": _empty(str(results.recommendation.headline) or WAITING)})
        else:
            self._put(self._sections(results, shown), (shown.id,))

    def explain(self, key: str) -> None:
        """Opens the formula of a figure of the selected candidate, told on top; an empty key closes it."""
        self._explained, self._shows_plan, self._story = key, False, None
        self._area.verticalScrollBar().setValue(0)
        self.mark_dirty()

    def explain_plan(self) -> None:
        """Shows what the plan's workloads come to together, until a candidate is chosen."""
        self._shows_plan, self._story = True, None
        self.mark_dirty()

    def tell(self, story: Story | None) -> None:
        """Shows what a tab tells of something that is no candidate, until one is chosen; None: no longer."""
        if story != self._story:
            self._story = story
            self.mark_dirty()

    def _on_whole_plan(self) -> None:
        if self._shows_plan:
            self.mark_dirty()

    def _close_plan(self) -> None:
        if self._shows_plan:
            self._shows_plan = False
            self.mark_dirty()

    def _close_story(self) -> None:
        self.tell(None)

    def _ask_for_answer(self) -> None:
        for shown_id in self._shown_ids:
            self.answer_wanted.emit(shown_id)

    def _close_explained(self) -> None:
        self.explain("")

    def _put(self, sections: Mapping[str, Section], shown_ids: tuple[str, ...] = ()) -> None:
        """Shows the sections: other candidates from the top, the same ones where they were."""
        self._column.setEnabled(False)  # laid out once, when all is told
        for key in [key for key in self._boxes if key not in sections]:
            self._column.removeWidget(self._boxes[key])
            if key == EXPLAINED:  # comes when it is asked for, the others with each other result
                take_away(self._boxes.pop(key))
            else:
                self._boxes[key].hide()
        for number, (key, section) in enumerate(sections.items()):
            self._box(key, number).show_section(section)
        self._column.setEnabled(True)
        self._column.activate()
        if shown_ids != self._shown_ids:
            self._shown_ids = shown_ids
            self._area.verticalScrollBar().setValue(0)

    def _box(self, key: str, number: int) -> SectionBox:
        """The box of a section at its turn in the column; one without a section waits out of sight."""
        if key not in self._boxes:
            self._boxes[key] = SectionBox()
        box = self._boxes[key]
        if self._column.indexOf(box) != number:
            self._column.insertWidget(number, box)
            box.show()  # in the same frame as the others
        return box

    def _sections(self, results: ResultSet, shown: CandidateResult) -> dict[str, Section]:
        told = {"head": self._head(shown)}
        lead = next((one for one in results.recommendation.leads if one.id == shown.id), None)
        if asked := explained(results, shown, self._explained, self._close_explained):
            told[EXPLAINED] = asked
        if lead is not None:
            told |= lead_sections(results, shown, lead, self._ask_for_answer)
        told |= having_sections(results, shown)
        if shown.throughput.fits:
            told["time"] = self._chain(time_chain(results.profile, shown))
            if step := step_chain(results.profile, shown):
                told["step"] = self._chain(step)
        if shown.throughput.runs:
            told["cost"] = self._chain(cost_chain(results.profile, shown, self.session.catalogue.sources))
        old_days = self.session.plan.old_price_days
        told |= _judgement(results, shown, old_days)
        told["sources"] = _source_list(sources(self.session.catalogue, shown, date.today(), old_days))
        return told

    def _head(self, shown: CandidateResult, letter: str = "") -> Section:
        candidate = shown.candidate
        per_host = -(-candidate.n_chips // max(candidate.n_hosts, 1))
        place = f"{candidate.place}, {counted(candidate.n_hosts, 'host')} of {per_host}"
        name = Words(f"{letter} {candidate.name}".strip(), "headline", f"why-name{letter}", wraps=True)
        mark = Mark(candidate.accelerator, self.theme, not shown.feasible, fill_of(shown))
        where = Words(place, "small", f"why-place{letter}", wraps=True, tip="\n".join(candidate.region_lines))
        puts = [Put(mark, 0), Put(name, 0, 1), Put(where, 1, 0, 2)]
        if letter:  # two beside each other have no section of their own for it
            kind = "warn" if shown.obtainable.status == "on paper" else "small"
            tip = "\n".join(line for line in (sources_line(shown), wait_line(shown)) if line)
            puts.append(Put(Words(having_line(shown), kind, f"why-having{letter}", wraps=True, tip=tip), 2, 0, 2))
        return Section(tuple(puts), stretch=1)

    def _chain(self, chain: Chain) -> Section:
        puts = [Put(Title(chain.title, chain.note), 0, 0, 3)]
        row = 1
        for line in chain.lines:
            if line.is_total:
                puts.append(Put(Rule(), row, 0, 3))
                row += 1
            puts += self._line(row, chain, line)
            row += 2
        return Section(tuple(puts), stretch=1, first_px=OPERATOR_PX)

    def _line(self, row: int, chain: Chain, line: ChainLine) -> list[Put]:
        key = f"{chain.title.lower()}-{line.key}"
        is_open = key in self._open and bool(line.formula)
        formula = Words(line.formula, "small", f"formula-{key}", wraps=True, can_select=True, is_open=is_open)
        return [
            Put(Words(line.operator, "small"), row, 0, align=TOP),
            Put(Words(line.words, "strong" if line.is_total else "", wraps=True), row, 1),
            Put(self._value(key, line), row, 2, align=RIGHT),
            Put(formula, row + 1, 1, 2),
        ]

    def _value(self, key: str, line: ChainLine) -> Value:
        kind = "figure-total" if line.is_total else "figure"
        click = partial(self._toggle_formula, key)
        return Value(line.text, f"value-{key}", f"{line.words}: {line.text}", kind, bool(line.formula), click)

    def _toggle_formula(self, key: str) -> None:
        self._open ^= {key}
        self.mark_dirty()

    def _pair(self, results: ResultSet, first: CandidateResult, second: CandidateResult) -> dict[str, Section]:
        profile = results.profile
        time = paired(time_chain(profile, first), time_chain(profile, second))
        cost = paired(cost_chain(profile, first), cost_chain(profile, second))
        title = time_chain(profile, first).title
        tables = {"time A and B": _pair_table(title, time), "cost A and B": _pair_table("Cost", cost)}
        return {"A": self._head(first, "A"), "B": self._head(second, "B"), **tables}


def _empty(words: str) -> Section:
    return Section((Put(Words(words, "small", "why-empty", wraps=True), 0),), stretch=0)


def _judgement(results: ResultSet, shown: CandidateResult, old_price_days: int) -> dict[str, Section]:
    """What speaks for it and against it, and what to check, each said once."""
    speaks_for, speaks_against = arguments(results, shown)
    warned = cautions(results, shown, date.today(), old_price_days)
    told = {first_words(line) for line in warned}
    speaks_against = tuple(line for line in speaks_against if first_words(line) not in told)
    lists = (
        ("For", "+", "good", speaks_for),
        ("Against", "\u2212", "err", speaks_against),
        ("Check", "\u26a0", "warn", warned),
        ("Leads", "?", "small", lead_lines(results) if shown.id == results.recommendation.choice else ()),
    )
    return {title: _argument_list(title, sign, kind, lines) for title, sign, kind, lines in lists if lines}


def _argument_list(title: str, sign: str, kind: str, lines: Sequence[str]) -> Section:
    puts = [Put(Words(title, "section"), 0, 0, 2)]
    for number, text in enumerate(lines, start=1):
        words = Words(text, "", f"why-{title.lower()}-{number}", wraps=True)
        puts += [Put(Words(sign, kind), number, 0, align=TOP), Put(words, number, 1)]
    return Section(tuple(puts), stretch=1, first_px=OPERATOR_PX)


def _source_list(lines: Sequence[SourceLine]) -> Section:
    puts = [Put(Title("Sources", str(len(lines))), 0, 0, 2)]
    for number, line in enumerate(lines, start=1):
        words = Words(line.words, "small", f"why-source-{number}", wraps=True, tip=line.detail)
        tip = f"{line.flag.capitalize()}: confirm the price before signing" if line.is_old else line.detail
        when = Words(f"\u26a0 {line.when}" if line.is_old else line.when, "warn" if line.is_old else "small", tip=tip)
        puts += [Put(words, number), Put(when, number, 1, align=RIGHT)]
    return Section(tuple(puts), stretch=0)


def _pair_table(title: str, lines: Sequence[PairLine]) -> Section:
    puts = [Put(Words(title, "section"), 0)]
    puts += [Put(Words(text, "small"), 0, n, align=RIGHT) for n, text in enumerate(("A", "B", "B \u2212 A"), start=1)]
    for row, line in enumerate(lines, start=1):
        kind = "strong" if line.is_total else ""
        puts.append(Put(Words(line.words, kind, wraps=True), row))
        values = ((line.first, kind), (line.second, kind), (line.difference, kind or "small"))
        puts += [Put(Words(text, look), row, n, align=RIGHT) for n, (text, look) in enumerate(values, start=1)]
    return Section(tuple(puts), stretch=0)
