"""A plan's few figures with its cash beside them, and what the draws say of each limit."""

from __future__ import annotations

from collections.abc import Sequence

from core.comparison.together.plan_answer import PlanAnswer
from core.months import Month, month_name, quarter_name, quarter_of
from core.report.blocks import Bar, Block, Fact, KeyFigures
from core.report.ledger import Ledger, ledger_of, units_text
from core.report.plan_words import cost_note
from core.units import date_text, in_hundred, usd

MOST_BARS = 6
"""So many quarters stand as bars; in place of more of them their years, the last of many years in one."""
_LEAST_QUARTERS = 2
"""Cash of fewer quarters is told by the month."""
LIMITS = {
    "deadline": "Dates held", "budget": "Budget held", "latency": "Latency held", "peak": "Peak held",
    "window": "Window held",
}  # fmt: skip


def key_figures(answer: PlanAnswer) -> tuple[Block, ...]:
    """Total, chances of the limits that are set, and cash by quarter, or by month where it is due within one."""
    ledger = ledger_of(answer)
    due = cash_told(ledger)
    facts = (Fact("Total cost", usd(answer.printed_usd), str(cost_note(answer))), *_limits(answer))
    if len(due) == 1:
        (only,) = due
        return (KeyFigures((*facts, Fact("Cash due", only[0], "all of it")), "", ()),)
    most = max((units for _, units in due), default=0) or 1
    bars = tuple(Bar(name, units_text(units), max(units, 0) / most) for name, units in due)
    return (KeyFigures(facts, due_heading(ledger), bars),)


def due_heading(ledger: Ledger) -> str:
    """What heads the bars: all that is due, and the most that is out at one time where more is than all costs."""
    out = ""
    if ledger.most_out:
        month, units = ledger.most_out
        out = f", at most {units_text(units)} out, {month_name(month)}"
    return f"When the cash is due, {ledger.unit}, {units_text(ledger.total_due)} in all{out}"


def cash_told(ledger: Ledger) -> tuple[tuple[str, int], ...]:
    """Names of quarters, or of months where there are few, or of years where there are many, with what is due in
    each."""
    quarters = ledger.quarters
    if len(quarters) < _LEAST_QUARTERS:
        return tuple((month_name(month), ledger.due([month])) for month in ledger.months)
    if len(quarters) <= MOST_BARS:
        return tuple((quarter_name(quarter_of(months[0])), ledger.due(months)) for months in quarters)
    spans = by_year(ledger.months, MOST_BARS)
    return tuple((name, ledger.due(months)) for name, months in spans)


def by_year(months: Sequence[Month], most: int) -> list[tuple[str, list[Month]]]:
    """Names of years with their months; of more than so many years the last ones in one, ``Later``."""
    years: dict[str, list[Month]] = {}
    for month in months:
        years.setdefault(str(month[0]), []).append(month)
    listed = list(years.items())
    if len(listed) <= most:
        return listed
    later = [month for _, of_year in listed[most - 1 :] for month in of_year]
    return [*listed[: most - 1], ("Later", later)]


def _limits(answer: PlanAnswer) -> tuple[Fact, ...]:
    """How often each limit that is set is kept; without any, when all is ready."""
    chances = [(title, answer.way.chance_of(limit)) for limit, title in LIMITS.items()]
    told = [Fact(title, _of_100(chance), "of 100 draws") for title, chance in chances if chance is not None]
    return tuple(told) or (Fact("Done" if answer.all_end else "All ready", date_text(answer.done), "no limit is set"),)


def _of_100(chance: float) -> str:
    """``91``, ``over 99``."""
    return in_hundred(chance).partition(" of ")[0]
