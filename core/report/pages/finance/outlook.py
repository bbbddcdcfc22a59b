"""The other scenarios of the plan beside its base."""

from __future__ import annotations

from collections.abc import Mapping

from core.comparison.result import ResultSet
from core.comparison.together.plan_answer import PlanAnswer, as_printed
from core.plan.plan import Plan
from core.report.asked_again import ScenarioTold, other_scenarios, scenarios_told
from core.report.blocks import Block, Cell, Column, Paragraph, Table
from core.report.ledger import Ledger, units_text
from core.report.pages.inputs import scenario_changes
from core.units import DASH, THIN, hundredth, span


def scenario_blocks(
    plan: Plan, results: Mapping[str, ResultSet], shown: str, answer: PlanAnswer, ledger: Ledger
) -> tuple[Block, ...]:
    """The base and every other scenario, a row each; nothing where the plan has no other."""
    told = scenarios_told(plan, results, shown)
    if not told:
        return ()
    columns = (
        Column(f"Scenario, {ledger.unit}", weight=1.9),
        *(Column(one.name, weight=2) for one in answer.picks),
        Column("Total", "right", 0.9),
        Column(f"80{THIN}% range", "right", 1.5),
        Column("Against base", "right", 1),
        Column("Dates held, of 100", "right", 0.9),
        Column("Budget held, of 100", "right", 0.9),
    )
    base = ScenarioTold(
        "Base",
        tuple((one.pick.candidate.name, one.pick.cost.total) for one in answer.picks),
        answer.total_usd,
        answer.way.apart.likely_usd,
        answer.way.chance_of("deadline"),
        answer.way.chance_of("budget"),
    )
    rows = [_scenario_row(base, ledger, len(answer.picks), tone="strong")]
    rows += [_scenario_row(one, ledger, len(answer.picks)) for one in told]
    changes = " ".join(f"{one.name}: {scenario_changes(plan, one)}." for one in other_scenarios(plan))
    return Paragraph("Scenarios", "heading"), Table(columns, tuple(rows), changes)


def _scenario_row(told: ScenarioTold, ledger: Ledger, n_picks: int, tone: str = "") -> tuple[Cell, ...]:
    names = [name or "Nothing fits" for name, _ in told.picks][:n_picks]
    names += [DASH] * (n_picks - len(names))
    picks = tuple(Cell(name, tone="" if name != "Nothing fits" else "warn") for name in names)
    if told.total_usd is None:
        return Cell(told.name, tone=tone), *picks, *[Cell(DASH)] * 5
    total = ledger.total if tone else _total(told, ledger)
    against = DASH if tone else _signed(total - ledger.total)
    reach = span(units_text(ledger.in_units(told.total_usd.low)), units_text(ledger.in_units(told.total_usd.high)))
    chances = (DASH if one is None else hundredth(one) for one in (told.on_time, told.in_budget))
    figures = (Cell(units_text(total), tone="strong"), Cell(reach, tone="muted"), Cell(against))
    return Cell(told.name, tone=tone), *picks, *figures, *map(Cell, chances)


def _total(told: ScenarioTold, ledger: Ledger) -> int:
    """In whole units, by the rule of the ledger: each pick with the digits that it has everywhere."""
    costs = [reach.likely for _, reach in told.picks if reach]
    return sum(ledger.in_units(as_printed(usd)) for usd in (*costs, told.apart_usd))


def _signed(units: int) -> str:
    return f"+{units_text(units)}" if units > 0 else units_text(units)
