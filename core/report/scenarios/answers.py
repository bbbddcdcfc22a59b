"""The answers of scenarios side by side, in the words that a screen and a paper share. Texts are made when read."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

from core.amounts import lower_first
from core.catalogue.providers import provider_name
from core.comparison.cost_words import REGRET_DIGITS, cost_told, over_term
from core.comparison.judge.tried import limit_words, together
from core.comparison.questions.whom_to_ask import asked_of
from core.comparison.rank.nearest import nearest_rows
from core.comparison.result import CandidateResult, Chance, ResultSet
from core.comparison.time_measure import TimeMeasure, time_measure
from core.ranges import Range
from core.report.having_words import saving_words
from core.units import (
    DASH,
    MINUS,
    OVER_A_CENTURY,
    THIN,
    day_after,
    days_text,
    hundredth,
    plain,
    rounded,
    rounded_usd,
    shown_money,
    span,
    usd,
)
from core.workload.profile import Profile

Tone = Literal["", "strong", "muted", "bad"]
SAFE = 0.7
"""Share of draws below which keeping the limits is told in red."""
NONE_FITS, WAITING = "None fits", "…"
NO_LEAD = "No better lead is known"


@dataclass(frozen=True)
class ScenarioAnswer:
    """A scenario with its answer for one workload; None until it is known, or with a ``problem`` in its place."""

    id: str
    name: str
    results: ResultSet | None = None
    problem: str = ""

    @property
    def pick(self) -> CandidateResult | None:
        """What it picks."""
        return self.results.choice if self.results else None

    @cached_property
    def nearest(self) -> CandidateResult | None:
        """Where nothing fits, the option that comes nearest; None where something fits, and before all is typed."""
        if self.results is None or self.results.choice is not None or not self.results.results:
            return None
        return self.results.results[int(nearest_rows(self.results.profile, self.results.columns)[0])]

    @property
    def shown(self) -> CandidateResult | None:
        """The option whose figures stand in its column."""
        return self.pick or self.nearest


@dataclass(frozen=True, slots=True)
class AnswerCell:
    """A figure with its range or a note, and the difference to another scenario; ``mark`` is the option it names."""

    text: str
    second: str = ""
    difference: str = ""
    tone: Tone = ""
    second_tone: Tone = "muted"
    difference_tone: Tone = ""
    mark: CandidateResult | None = None


@dataclass(frozen=True, slots=True)
class AnswerRow:
    """One question to all scenarios. ``is_figure``: its cells are numbers; others are words that may need two lines,
    and those ``below`` have their second text under the first."""

    id: str
    title: str
    cells: tuple[AnswerCell, ...]
    is_figure: bool = True
    below: bool = False


def answer_rows(answers: Sequence[ScenarioAnswer], reference: int = 0) -> tuple[AnswerRow, ...]:
    """What every scenario answers, with the differences to one of them. Rows that nothing is known of are left out."""
    profile = next((one.results.profile for one in answers if one.results), None)
    if profile is None:
        return ()
    rows = (
        _in_words("pick", "Pick", answers, _pick_cell, below=True),
        _in_words("having", "Can be had", answers, _having_cell),
        _money_row("cost", _cost_title(profile), answers, reference, _cost_of),
        *_time_rows(answers, reference),
        _kept_row(answers, reference),
        _row("best", "Best, of 100", answers, _best_cell),
        _money_row("regret", f"If wrong{over_term(profile)}", answers, reference, _regret_of),
        _in_words("confidence", "Confidence", answers, _confidence_cell),
        _in_words("better", "To make it fit, or better", answers, _better_cell),
    )
    return tuple(row for row in rows if any(cell.text not in ("", DASH) for cell in row.cells))


Figure = tuple[float, Range | None, str]
"""Likely value, its range, and a note where there is no range."""
FigureOf = Callable[[ScenarioAnswer], Figure | None]


def _row(
    row_id: str, title: str, answers: Sequence[ScenarioAnswer], cell: Callable[[ScenarioAnswer], AnswerCell]
) -> AnswerRow:
    return AnswerRow(row_id, title, tuple(cell(one) if one.results else _unknown(one) for one in answers))


def _in_words(
    row_id: str,
    title: str,
    answers: Sequence[ScenarioAnswer],
    cell: Callable[[ScenarioAnswer], AnswerCell],
    below: bool = False,
) -> AnswerRow:
    return replace(_row(row_id, title, answers, cell), is_figure=False, below=below)


def _unknown(answer: ScenarioAnswer) -> AnswerCell:
    return AnswerCell(answer.problem or WAITING, tone="bad" if answer.problem else "muted")


def _tone(answer: ScenarioAnswer, strong: bool = False) -> Tone:
    """Figures of an option that misses a limit stand back."""
    return "muted" if answer.pick is None else "strong" if strong else ""


def _pick_cell(answer: ScenarioAnswer) -> AnswerCell:
    pick, nearest = answer.pick, answer.nearest
    if pick is not None:
        return AnswerCell(pick.candidate.name, pick.candidate.place, tone="strong", mark=pick)
    if nearest is None or answer.results is None:
        return AnswerCell(DASH, tone="muted")
    words = f"nearest: {nearest.candidate.name}, {miss_words(answer.results.profile, nearest)}"
    return AnswerCell(NONE_FITS, words, tone="strong", second_tone="bad", mark=nearest)


def _having_cell(answer: ScenarioAnswer) -> AnswerCell:
    if answer.shown is None:
        return AnswerCell(DASH, tone="muted")
    status = answer.shown.obtainable.status
    return AnswerCell(f"{status[:1].upper()}{status[1:]}", tone=_tone(answer))


def _cost_title(profile: Profile) -> str:
    return "Total cost" if profile.job.months_in_service is None else "Cost per month"


def _cost_of(answer: ScenarioAnswer) -> Figure | None:
    if answer.results is None or answer.shown is None:
        return None
    cost = cost_told(answer.results.profile, answer.shown.cost)
    return cost.likely, cost, ""


def _regret_of(answer: ScenarioAnswer) -> Figure | None:
    chance = answer.pick.chance if answer.pick else None
    if chance is None or chance.regret_usd is None:
        return None
    return rounded_usd(chance.regret_usd, REGRET_DIGITS), None, "mean regret"


def _money_row(
    row_id: str, title: str, answers: Sequence[ScenarioAnswer], reference: int, figure: FigureOf
) -> AnswerRow:
    """Money in one scale over all scenarios, which the title names."""
    figures = [figure(one) for one in answers]
    usd_each, short, decimals = _scale(max((one[0] for one in figures if one), default=0.0))

    def text(value_usd: float) -> str:
        return f"{value_usd / usd_each:.{decimals}f}"

    def cell(answer: ScenarioAnswer) -> AnswerCell:
        own, base = figures[answers.index(answer)], figures[reference]
        if own is None:
            return AnswerCell(DASH, tone="muted")
        likely, reach, note = own
        second = span(text(reach.low), text(reach.high)) if reach else note
        difference = signed(likely - base[0], text) if base and answer is not answers[reference] else ""
        return AnswerCell(text(likely), second, difference, _tone(answer, strong=row_id == "cost"))

    return _row(row_id, f"{title}, {short}", answers, cell)


_STEPS = ((1e9, "B"), (1e6, "M"), (1e3, "k"))


def _scale(largest_usd: float) -> tuple[float, str, int]:
    """US dollars of a unit as it is written, the unit, and how many decimals tell three digits of the largest."""
    money = shown_money()
    largest = largest_usd * money.per_usd
    divisor, letter = next((step for step in _STEPS if rounded(largest) >= step[0]), (1.0, ""))
    size = rounded(largest / divisor)
    return divisor / money.per_usd, f"{money.sign}{letter}".strip(), 0 if size >= 100 else 1 if size >= 10 else 2


def signed(value: float, text: Callable[[float], str]) -> str:
    """A difference with its sign; empty where nothing of it is left when it is written."""
    words = text(abs(value))
    return "" if not any(digit in "123456789" for digit in words) else f"{MINUS if value < 0 else '+'}{words}"


def _time_rows(answers: Sequence[ScenarioAnswer], reference: int) -> Iterator[AnswerRow]:
    """What counts as time of the job; of each where a scenario has another kind of job."""
    measures = [time_measure(one.results.profile) for one in answers if one.results]
    for measure in {one.kind: one for one in measures}.values():
        if measure.kind == "days":
            yield _measured_row("days", "Days to ready", measure, answers, reference)
            yield _row("ready", "Ready", answers, _ready_cell)
        elif measure.kind == "latency":
            yield _row("speed", "Next token, ms (median)", answers, _token_cell)
        else:
            yield _measured_row(measure.kind, "", measure, answers, reference)


def _measured_row(
    row_id: str, title: str, measure: TimeMeasure, answers: Sequence[ScenarioAnswer], reference: int
) -> AnswerRow:
    """Times in one unit over all scenarios; the title is the measure's own where none is given."""
    times = [_time_in(measure, one) for one in answers]
    own_title, divisor = measure.on_axis(max((one.likely for one in times if one), default=0.0))

    def text(value: float) -> str:
        return measure.number(value, divisor)

    def cell(answer: ScenarioAnswer) -> AnswerCell:
        own, base = times[answers.index(answer)], times[reference]
        if own is None:
            return AnswerCell(DASH, tone="muted")
        difference = signed(own.likely - base.likely, text) if base and answer is not answers[reference] else ""
        ends = text(own.low), text(own.high)
        return AnswerCell(text(own.likely), ends[0] if ends[0] == ends[1] else span(*ends), difference, _tone(answer))

    return _row(row_id, title or own_title, answers, cell)


def _time_in(measure: TimeMeasure, answer: ScenarioAnswer) -> Range | None:
    """None also in a scenario whose kind of job counts another time."""
    if answer.results is None or answer.shown is None:
        return None
    return measure.value(answer.shown) if time_measure(answer.results.profile).kind == measure.kind else None


def _ready_cell(answer: ScenarioAnswer) -> AnswerCell:
    days = answer.shown.days_to_finish if answer.shown else None
    if answer.results is None or days is None:
        return AnswerCell(DASH, tone="muted")
    start = answer.results.profile.limits.start_date
    texts = []
    for value in (days.likely, days.low, days.high):
        day = day_after(start, value)
        texts.append(f"{day.day} {day:%b}" if day else OVER_A_CENTURY)
    return AnswerCell(texts[0], span(texts[1], texts[2]), tone=_tone(answer))


def _token_cell(answer: ScenarioAnswer) -> AnswerCell:
    latency = answer.shown.throughput.latency if answer.shown else None
    if latency is None:
        return AnswerCell(DASH, tone="muted")
    first = f"the first in {plain(latency.ttft_p50_ms, 2)}"
    return AnswerCell(plain(latency.tpot_p50_ms, 2), first, tone=_tone(answer))


def _kept_row(answers: Sequence[ScenarioAnswer], reference: int) -> AnswerRow:
    base = _chance(answers[reference])

    def cell(answer: ScenarioAnswer) -> AnswerCell:
        chance = _chance(answer)
        if chance is None or not chance.has_limits:
            return AnswerCell(DASH, tone="muted")
        is_other = base is not None and base.has_limits and answer is not answers[reference]
        more = chance.in_limits - base.in_limits if is_other and base else 0.0
        is_bad = chance.in_limits < SAFE
        words = signed(100 * more, lambda value: f"{value:.0f}")
        return AnswerCell(
            hundredth(chance.in_limits), _weaker(chance), words, _tone(answer), difference_tone="bad" if is_bad else ""
        )

    return _row("kept", "Keeps limits, of 100", answers, cell)


def _chance(answer: ScenarioAnswer) -> Chance | None:
    return answer.shown.chance if answer.shown else None


def _weaker(chance: Chance) -> str:
    """The limit that is missed most often: ``budget 98``."""
    alone = {
        "date": chance.deadline, "budget": chance.budget, "latency": chance.latency, "peak": chance.peak,
        "window": chance.window,
    }  # fmt: skip
    known = {name: share for name, share in alone.items() if share is not None}
    if not known:
        return ""
    name = min(known, key=lambda one: known[one])
    return f"{name} {hundredth(known[name])}"


def _best_cell(answer: ScenarioAnswer) -> AnswerCell:
    chance, results = _chance(answer), answer.results
    if results is None or answer.pick is None or chance is None or chance.best is None:
        return AnswerCell(DASH, "nothing to rank" if answer.nearest else "", tone="muted")
    rival = results.runner_up
    second = ""
    if rival is not None and rival.chance is not None and rival.chance.best is not None:
        second = f"{_told_apart(rival, answer.pick)} next, {hundredth(rival.chance.best)}"
    return AnswerCell(hundredth(chance.best), second, tone=_tone(answer))


def _told_apart(rival: CandidateResult, pick: CandidateResult) -> str:
    """The shortest name that is not the pick's."""
    one, other = rival.candidate, pick.candidate
    if one.accelerator.id != other.accelerator.id:
        return one.accelerator.short_name
    return one.name if one.name != other.name else provider_name(one.offer.provider)


def _confidence_cell(answer: ScenarioAnswer) -> AnswerCell:
    if answer.results is None or answer.pick is None:
        return AnswerCell(DASH, tone="muted")
    told = answer.results.recommendation
    why = str(lower_first(str(told.confidence_why).partition("; ")[0]))
    return AnswerCell(f"{told.confidence[:1].upper()}{told.confidence[1:]}: {why}")


def _better_cell(answer: ScenarioAnswer) -> AnswerCell:
    """All that the nearest option asks for, or the best lead; both were tried before they are said."""
    results, nearest = answer.results, answer.nearest
    if results is None:
        return AnswerCell(DASH, tone="muted")
    if nearest is not None:
        return AnswerCell(together(nearest.reasons) or DASH)
    lead = next((one for one in results.recommendation.leads if one.id in results.row_of), None)
    if answer.pick is None or lead is None:
        return AnswerCell(NO_LEAD if answer.pick else DASH, tone="muted")
    result, saving = results.by_id[lead.id], saving_words(lead, over_term(results.profile))
    return AnswerCell(f"Ask {asked_of(result)} for {result.candidate.name}: {saving}")


def miss_words(profile: Profile, result: CandidateResult) -> str:
    """By how much an option misses its first limit, briefly: ``$0.14 M over``, ``6 d late``."""
    code, limits = (result.reasons[0].code if result.reasons else ""), profile.limits
    days = result.days_to_finish
    if code == "budget" and limits.budget_usd:
        return f"{usd(result.cost.total.likely - limits.budget_usd, 2)} over"
    if code == "deadline" and days and limits.deadline_days:
        return f"{days_text(days.likely - limits.deadline_days)}{THIN}d late"
    return f"misses {limit_words(code).removeprefix('the ')}" if code else ""
