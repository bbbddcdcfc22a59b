"""Two plans, or two scenarios of one, held against each other: inputs that differ, and what both come to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from core.comparison.json_values import cents, cents_range
from core.comparison.result import CandidateResult, ResultSet
from core.comparison.together.plan_answer import PlanAnswer, answer_of, as_printed
from core.plan.difference import Difference, differences
from core.plan.plan import Plan
from core.plan.scenario import BASE
from core.report.blocks import Cell, Column, Document, Paragraph, Section, Table
from core.report.currency import currency_json, currency_words, rate_note
from core.report.masking import HandedOut, marked
from core.report.pages.context import day_text, usd_range
from core.report.pages.side_by_side import figures_beside, later_words
from core.report.plan_hash import plan_hash
from core.report.plan_words import chance_fact, cost_note
from core.report.time_words import with_days
from core.units import DASH, MINUS, THIN, counted, date_text, day_after, in_hundred, plain, usd
from core.version import VERSION

MOST_INPUTS = 30
"""Inputs told one by one on the first page; all of them stand in the JSON."""
FULL_PAGE = 12
"""From so many inputs on they have a page of their own."""
NO_PICK = "no pick"


@dataclass(frozen=True)
class Side:
    """One of the two: its plan as the scenario shows it, its results by workload, and what the reader calls it."""

    label: str
    plan: Plan
    results: Mapping[str, ResultSet]

    @property
    def answer(self) -> PlanAnswer | None:
        """What its picks come to together."""
        return answer_of(tuple(self.results.values()))


def side_of(out: HandedOut, scenario_id: str) -> Side:
    """What of a plan may leave, by its name and that of the scenario it was evaluated in."""
    plan = out.plan
    named = next((one.name for one in plan.scenarios if one.id == scenario_id), scenario_id)
    return Side(plan.name if scenario_id == BASE else f"{plan.name}, {named}", plan, out.results)


def told_apart(old: Side, new: Side) -> tuple[Side, Side]:
    """Both by names of their own: a plan and its copy mostly have the same."""
    if old.label != new.label:
        return old, new
    return replace(old, label=f"{old.label} (first)"), replace(new, label=f"{new.label} (second)")


Line = tuple[str, str, str]
"""What is told, and how it reads in the first and in the second."""


def diff_json(old: Side, new: Side) -> dict[str, Any]:
    """Everything as plain values; costs in USD, chances as shares of 1, times in days."""
    return {
        "before": _plan_json(old),
        "after": _plan_json(new),
        "inputs": [
            {"workload": one.workload, "field": one.path, "title": one.title, "before": one.before, "after": one.after}
            for one in differences(old.plan, new.plan)
        ],
        "workloads": {
            name: {"before": _pick_json(old.results.get(name)), "after": _pick_json(new.results.get(name))}
            for name in _workloads(old, new)
        },
        "total_usd": {"before": _total(old), "after": _total(new)},
    }


def _plan_json(side: Side) -> dict[str, Any]:
    return {"name": side.label, "plan": plan_hash(side.plan), "currency": currency_json(side.plan)}


def diff_document(old: Side, new: Side, today: date, is_masked: bool = False) -> Document:
    """Two sections: inputs that differ, and results side by side."""
    document = Document(
        title=f"Roofplan difference: {old.label} and {new.label}",
        header=("Roofplan difference", f"{old.label} and {new.label}"),
        footer=(
            old.plan.name,
            f"{rate_note(old.plan)}{today.day} {today:%b %Y}, plans {plan_hash(old.plan)} and {plan_hash(new.plan)}",
        ),
        sections=(_results_page(old, new), _inputs_page(old, new)),
        keywords=(old.plan.name, new.plan.name, f"Roofplan {VERSION}"),
    )
    return marked(document) if is_masked else document


def result_lines(old: Side, new: Side) -> Iterator[tuple[str, Line]]:
    """A line a figure, each with the workload's name, the whole plan's first."""
    yield from (("Whole plan", line) for line in _paired(_plan_words(old.answer), _plan_words(new.answer)))
    for name in _workloads(old, new):
        sets = old.results.get(name), new.results.get(name)
        workload = next(one.profile.name for one in sets if one)
        yield from ((workload, line) for line in _paired(*(_pick_words(one) for one in sets)))


def _workloads(old: Side, new: Side) -> list[str]:
    return list(dict.fromkeys([*old.results, *new.results]))


def _paired(before: Mapping[str, str], after: Mapping[str, str]) -> list[Line]:
    return [(title, before.get(title, DASH), after.get(title, DASH)) for title in {**before, **after}]


def _plan_words(answer: PlanAnswer | None) -> dict[str, str]:
    if answer is None:
        return {"Total cost": NO_PICK}
    chance, note = chance_fact(answer)
    return {
        "Total cost": usd(answer.printed_usd),
        "Its range": str(cost_note(answer)),
        "All ready": date_text(answer.done),
        "Limits kept": f"{chance} {note}",
    }


def _pick_words(results: ResultSet | None) -> dict[str, str]:
    if results is None:
        return {}
    pick = results.choice
    if pick is None:
        return {"Pick": NO_PICK}
    days, chance = pick.days_to_finish, pick.chance
    return {
        "Pick": f"{pick.candidate.name}, {pick.candidate.place}",
        "Cost": usd(pick.cost.total.likely),
        f"Its range, 80{THIN}%": usd_range(pick.cost.total),
        **({"Finish": day_text(results.profile, days.likely)} if days else {}),
        **({"Limits kept": in_hundred(chance.in_limits)} if chance and chance.has_limits else {}),
        **({"Chance best": in_hundred(chance.best)} if chance and chance.best is not None else {}),
        "Flexibility": f"{plain(pick.flexibility.score.likely, 2)} of 100",
    }


def _results_page(old: Side, new: Side) -> Section:
    columns = (
        Column("Workload", weight=1.6),
        Column("What"),
        Column(old.label, weight=2.4),
        Column(new.label, weight=2.4),
        Column("Difference", "right", 1.1),
    )
    more = _more(old, new)
    rows = tuple(
        (
            Cell(workload, tone="muted"),
            Cell(title),
            Cell(before),
            Cell(after, tone="" if before == after else "strong"),
            Cell(more.get((workload, title), "")),
        )
        for workload, (title, before, after) in result_lines(old, new)
    )
    figures = figures_beside([(side.label, side.answer) for side in (old, new)])
    lead = [Paragraph(words, "lead") for words in (_ready_words(old, new), *unlike_words(old, new)) if words]
    return Section("diff-results", _headline(old, new), (*lead, *figures, Table(columns, rows, is_small=True)))


def _more(old: Side, new: Side) -> dict[tuple[str, str], str]:
    """By how much the costs and the days of the plan and of each workload differ, by the names in
    :func:`result_lines`: what a reader gets who takes what is printed from each other."""
    alike = _picked(old) == _picked(new)
    listed = {("Whole plan", "Total cost"): (_printed(old), _printed(new))} if alike else {}
    for name in _workloads(old, new):
        before, after = old.results.get(name), new.results.get(name)
        if before and after:
            listed[before.profile.name, "Cost"] = _cost(before), _cost(after)
    costs = {key: _signed(end - start) for key, (start, end) in listed.items() if start is not None and end is not None}
    return costs | _days_more(old, new)


def _days_more(old: Side, new: Side) -> dict[tuple[str, str], str]:
    """By how much the days differ on which the plan is ready and each run is done."""
    before, after = old.answer, new.answer
    days = {("Whole plan", "All ready"): later_words(before.done, after.done)} if before and after else {}
    for name in _workloads(old, new):
        one, other = old.results.get(name), new.results.get(name)
        ends = [_finish(results) for results in (one, other)]
        if one and ends[0] and ends[1]:
            days[one.profile.name, "Finish"] = later_words(ends[0], ends[1])
    return days


def _finish(results: ResultSet | None) -> date | None:
    """The day on which a run is likely done; None for a service, without a pick, and beyond a century."""
    days = results.choice.days_to_finish if results and results.choice else None
    return day_after(results.profile.limits.start_date, days.likely) if results and days else None


def _ready_words(old: Side, new: Side) -> str:
    """``All is ready on 3 Jan 2027 instead of 31 Dec 2026, 3 days later.``; empty where one has no answer."""
    before, after = old.answer, new.answer
    if before is None or after is None:
        return ""
    day = date_text(after.done)
    if before.done == after.done:
        return f"All is ready on {day} in both."
    return f"All is ready on {day} instead of {date_text(before.done)}, {later_words(before.done, after.done)}."


def _cost(results: ResultSet) -> float | None:
    pick = results.choice
    return as_printed(pick.cost.total.likely) if pick else None


def _signed(more_usd: float) -> str:
    return f"{'+' if more_usd > 0 else MINUS}{usd(abs(more_usd))}" if more_usd else "none"


def _headline(old: Side, new: Side) -> str:
    before, after = _printed(old), _printed(new)
    if before is None or after is None:
        return "One of the two has no pick"
    for side, other in ((old, new), (new, old)):
        if lost := [one for one in side.results if one in _picked(other) - _picked(side)]:
            return f"{side.label} has no pick for {side.results[lost[0]].profile.name}"
    more = after - before
    of_others = ", for other workloads" if _picked(old) != _picked(new) else ""
    if not more:
        return f"Both cost {usd(before)}{of_others}"
    return f"{new.label} costs {usd(abs(more))} {'more' if more > 0 else 'less'}{of_others}"


def _picked(side: Side) -> set[str]:
    """Workloads that its total counts."""
    return {name for name, results in side.results.items() if results.choice}


def unlike_words(old: Side, new: Side) -> Iterator[str]:
    """What only one of the two totals counts, so that nobody takes what is left out for a saving, and that one of them
    is read in another currency elsewhere."""
    first, second = old.plan.currency.money, new.plan.currency.money
    if (first.code, first.per_usd) != (second.code, second.per_usd):
        yield f"Amounts of both are shown in {currency_words(first)}; {new.label} is kept in {currency_words(second)}."
    for side, other in ((old, new), (new, old)):
        names = [side.results[one].profile.name for one in side.results if one in _picked(side) - _picked(other)]
        if names:
            yield f"The total of {side.label} alone counts {', '.join(names)}."


def _printed(side: Side) -> float | None:
    """The total in USD, as it reads."""
    answer = side.answer
    return None if answer is None else answer.printed_usd


def _inputs_page(old: Side, new: Side) -> Section:
    listed = differences(old.plan, new.plan)
    if not listed:
        return Section("diff-inputs", "No input differs", (Paragraph("Both plans ask the same."),))
    columns = (
        Column("Workload", weight=1.6),
        Column("Input", weight=2),
        Column(old.label, weight=2),
        Column(new.label, weight=2),
    )
    rest = len(listed) - MOST_INPUTS
    note = f"{counted(rest, 'further input')} in the JSON of this difference." if rest > 0 else ""
    title = f"{counted(len(listed), 'input')} {'differs' if len(listed) == 1 else 'differ'}"
    own_page = (Paragraph(title, "eyebrow"),) if len(listed) >= FULL_PAGE else ()
    table = Table(columns, tuple(map(_input_row, listed[:MOST_INPUTS])), note)
    return Section("diff-inputs", "What the two ask differently" if own_page else title, (*own_page, table))


def _input_row(one: Difference) -> tuple[Cell, ...]:
    return (
        Cell(one.workload or "Plan", tone="muted"),
        Cell(one.title),
        Cell(with_days(one.before)),
        Cell(with_days(one.after)),
    )


def _pick_json(results: ResultSet | None) -> dict[str, Any] | None:
    pick = results.choice if results else None
    return _figures(pick) if pick else None


def _figures(pick: CandidateResult) -> dict[str, Any]:
    days, chance = pick.days_to_finish, pick.chance
    return {
        "choice": pick.id,
        "cost_usd": cents_range(pick.cost.total),
        "days_to_finish": round(days.likely, 3) if days else None,
        "chance_in_limits": round(chance.in_limits, 6) if chance else None,
        "flexibility_of_100": round(pick.flexibility.score.likely, 3),
    }


def _total(side: Side) -> float | None:
    answer = side.answer
    return None if answer is None else cents(answer.way.likely_usd)
