"""The whole plan in Why: what its workloads come to, when it is due, and other ways to run all of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from core.comparison.together.plan_answer import PlanAnswer, as_printed
from core.comparison.together.ways import Beside, Picked
from core.report.plan_words import (
    LEAST_TOLD_USD,
    NOBODY,
    answered_words,
    apart_lines,
    capital_words,
    cost_note,
    draws_words,
    lacking_lines,
    more_words,
    option_words,
    others_words,
    quarters_of,
    ready_words,
    verdict_words,
)
from core.units import date_text, in_hundred, usd
from gui.frame.why.section import RIGHT, Put, Rule, Section, Title, Words

WORKING = "Working out the other workloads\u2026"


def plan_sections(answer: PlanAnswer | None, is_working: bool, close: Callable[[], None]) -> dict[str, Section]:
    """The sections, the plan's figures first."""
    if answer is None:
        return {"plan": _head(WORKING if is_working else NOBODY, (), close)}
    told = {
        "plan": _head(usd(answer.printed_usd), _figures(answer, is_working), close),
        "plan workloads": _workloads(answer),
        "plan cash": _cash(answer),
    }
    if answer.others:
        told["plan ways"] = _ways(answer)
    notes = (f"{draws_words(answer)}.", *apart_lines(answer), *lacking_lines(answer))
    told["plan notes"] = _notes(notes)
    return told


def _head(value: str, lines: Sequence[str], close: Callable[[], None]) -> Section:
    puts = [
        Put(Title("Whole plan", name="why-plan-title", close=close), 0),
        Put(Words(value, "kpi" if lines else "small", "why-plan-value", wraps=True), 1),
    ]
    puts += [Put(Words(line, "small", f"why-plan-{n}", wraps=True), 1 + n) for n, line in enumerate(lines, start=1)]
    return Section(tuple(puts), stretch=0, spoken=f"Whole plan: {value}")


def _figures(answer: PlanAnswer, is_working: bool) -> list[str]:
    ready, kept = ready_words(answer), answer.chance_in_limits
    lines = [str(cost_note(answer)), f"{ready[:1].upper()}{ready[1:]}"]
    lines += [f"{usd(answer.per_month_usd)} a month in service"] if answer.per_month_usd else []
    lines += [f"All limits kept in {in_hundred(kept)} draws"] if kept is not None else ["No workload sets a limit"]
    lines += [f"{answered_words(answer)}"] if answer.unanswered else []
    return [*lines, WORKING] if is_working else lines


def _workloads(answer: PlanAnswer) -> Section:
    """A workload a row, its pick below; costs add up to the total as printed."""
    puts = [Put(Title("Pick per workload", "cost, ready"), 0, 0, 2)]
    for number, one in enumerate(answer.picks):
        puts += _pair(1 + 2 * number, f"pick-{number}", *_pick_words(one))
    row = 1 + 2 * len(answer.picks)
    for title, costs in (
        ("Moving weights", [one.usd for one in answer.moving]),
        ("Further software", [one.usd for one in answer.upkeep]),
    ):
        amount = sum(map(as_printed, costs))
        if amount >= LEAST_TOLD_USD:
            puts += [Put(Words(title, wraps=True), row), Put(Words(usd(amount)), row, 1, align=RIGHT)]
            row += 1
    puts.append(Put(Rule(), row, 0, 2))
    total = Words(usd(answer.printed_usd), "strong", "why-plan-total")
    puts += [Put(Words("Whole plan", "strong"), row + 1), Put(total, row + 1, 1, align=RIGHT)]
    for number, (name, _) in enumerate(answer.unanswered, start=row + 2):
        puts += [Put(Words(name, "ink2", wraps=True), number), Put(Words("no answer", "warn"), number, 1, align=RIGHT)]
    return Section(tuple(puts), stretch=0)


def _pick_words(one: Picked) -> tuple[str, str, str, str]:
    return one.name, usd(one.pick.cost.total.likely), option_words(one.pick), date_text(one.ready)


def _pair(row: int, name: str, first: str, value: str, second: str, note: str) -> list[Put]:
    return [
        Put(Words(first, "", f"why-{name}", wraps=True), row),
        Put(Words(value, "", f"why-{name}-value"), row, 1, align=RIGHT),
        Put(Words(second, "small", f"why-{name}-what", wraps=True), row + 1),
        Put(Words(note, "small", f"why-{name}-when"), row + 1, 1, align=RIGHT),
    ]


def _cash(answer: PlanAnswer) -> Section:
    quarters = quarters_of(answer)
    puts = [Put(Title("Cash by quarter", usd(sum(amount for _, amount in quarters))), 0, 0, 2)]
    for row, (name, amount) in enumerate(quarters, start=1):
        puts += [Put(Words(name), row), Put(Words(usd(amount), "", f"why-cash-{row}"), row, 1, align=RIGHT)]
    if answer.capital_usd:
        words = Words(capital_words(answer), "small", "why-cash-capital", wraps=True)
        puts.append(Put(words, len(quarters) + 1, 0, 2))
    return Section(tuple(puts), stretch=0)


def _ways(answer: PlanAnswer) -> Section:
    puts = [Put(Title("Other ways for all", "cost"), 0, 0, 2)]
    puts.append(Put(Words(verdict_words(answer), "", "why-plan-verdict", wraps=True), 1, 0, 2))
    for number, one in enumerate(answer.others):
        row, name = 2 + 2 * number, f"why-way-{number}"
        puts += [
            Put(Words(one.way.title, "", name, wraps=True), row),
            Put(Words(usd(one.way.likely_usd), "", f"{name}-value"), row, 1, align=RIGHT),
            Put(Words(_way_words(answer, one), "small", f"{name}-what", wraps=True), row + 1, 0, 2),
        ]
    return Section(tuple(puts), stretch=0)


def _way_words(answer: PlanAnswer, one: Beside) -> str:
    told = [more_words(one.more_usd), f"ready {date_text(one.way.ready)}", others_words(answer, one)]
    return "; ".join([*told, *([] if one.way.is_proved else ["lacks proof"])])


def _notes(lines: Sequence[str]) -> Section:
    puts = [Put(Words("Notes", "section"), 0)]
    puts += [Put(Words(line, "small", f"why-plan-note-{n}", wraps=True), n) for n, line in enumerate(lines, start=1)]
    return Section(tuple(puts), stretch=0)
