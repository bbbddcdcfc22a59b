"""The other scenarios of the plan beside its base."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.comparison.result import ResultSet
from core.comparison.together.plan_answer import PlanAnswer, as_printed
from core.plan.plan import Plan
from core.report.asked_again import ScenarioTold, other_scenarios, scenarios_told, told_of
from core.report.blocks import Block, Cell, Column, Paragraph, Table
from core.report.ledger import Ledger, units_text
from core.report.pages.inputs import scenario_changes
from core.units import DASH, THIN, hundredth, span
from core.workload.profile import Profile


def scenario_blocks(
    plan: Plan, results: Mapping[str, ResultSet], shown: str, answer: PlanAnswer, ledger: Ledger
) -> tuple[Block, ...]:
    """The base and every other scenario, a row each; nothing where the plan has no other."""
    told = scenarios_told(plan, results, shown)
    if not told:
        return ()
    profiles = [one.profile for one in results.values()]
    columns = (
        Column(f"Scenario, {ledger.unit}", weight=1.9),
        *(Column(one.name, weight=2) for one in profiles),
        Column("Total", "right", 0.9),
        Column(f"80{THIN}% range", "right", 1.5),
        Column("Against base", "right", 1),
        Column("Dates held, of 100", "right", 0.9),
        Column("Budget held, of 100", "right", 0.9),
    )
    base = told_of("Base", answer)
    rows = [_row(one, base, [profile.id for profile in profiles], ledger) for one in (base, *told)]
    changes = " ".join(f"{one.name}: {scenario_changes(plan, one)}." for one in other_scenarios(plan))
    further = [line for one in told if (line := _further_words(one, base, profiles))]
    return Paragraph("Scenarios", "heading"), Table(columns, tuple(rows), " ".join((changes, *further)))


def _row(told: ScenarioTold, base: ScenarioTold, workloads: Sequence[str], ledger: Ledger) -> tuple[Cell, ...]:
    """The pick of each workload under its own heading, then figures; none of those where a pick of the base is gone, as
    the rest would look cheap."""
    tone = "strong" if told is base else ""
    names = [told.picks[one][0] if one in told.picks else "" for one in workloads]
    picks = [Cell(name) if name else Cell("Nothing fits", tone="warn") for name in names]
    if told.total_usd is None or not base.picks.keys() <= told.picks.keys():
        return Cell(told.name, tone=tone), *picks, *[Cell(DASH)] * 5
    total = ledger.total if told is base else _total(told, ledger)
    is_alike = told is not base and base.picks.keys() == told.picks.keys()
    against = _signed(total - ledger.total) if is_alike else DASH
    reach = span(units_text(ledger.in_units(told.total_usd.low)), units_text(ledger.in_units(told.total_usd.high)))
    chances = (DASH if one is None else hundredth(one) for one in (told.on_time, told.in_budget))
    figures = (Cell(units_text(total), tone="strong"), Cell(reach, tone="muted"), Cell(against))
    return Cell(told.name, tone=tone), *picks, *figures, *map(Cell, chances)


def _further_words(told: ScenarioTold, base: ScenarioTold, profiles: Sequence[Profile]) -> str:
    """Says why a total is not held against the base; empty where it is, or where there is none."""
    further = [one.name for one in profiles if one.id in told.picks and one.id not in base.picks]
    if not further or not base.picks.keys() <= told.picks.keys():
        return ""
    return f"{told.name}: its total also holds {' and '.join(further)}, without a pick in the base."


def _total(told: ScenarioTold, ledger: Ledger) -> int:
    """In whole units, by the rule of the ledger: each pick with the digits that it has everywhere."""
    costs = [reach.likely for _, reach in told.picks.values()]
    return sum(ledger.in_units(as_printed(usd)) for usd in (*costs, told.apart_usd))


def _signed(units: int) -> str:
    return f"+{units_text(units)}" if units > 0 else units_text(units)
