"""What could move the total: scenarios in one table, sensitivity in one table."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from core.amounts import PRICE_PER_CHIP_HOUR, USD, Amount, Counted, Text
from core.comparison.recommendation.confidence import hundredth
from core.comparison.result import ResultSet
from core.comparison.together.due import has_term
from core.comparison.together.plan_answer import PlanAnswer, as_printed
from core.comparison.together.ways import Picked
from core.cost.registry import component_by_part, rent_parts
from core.flexibility.porting import porting_weeks
from core.plan.plan import Plan
from core.ranges import Range
from core.report.asked_again import ScenarioTold, scenarios_told
from core.report.blocks import Block, Cell, Column, Paragraph, Table
from core.report.ledger import GROUPS, STAFF, Ledger, units_text
from core.units import DASH, THIN, scaled, shown_money, span

A_FIFTH = 0.2
"""By how much an input that has no range of its own is moved, up and down."""
MOST_INPUTS = 10


@dataclass(frozen=True, slots=True)
class Swing:
    """One input at three values, and by how much the likely total moves at the first and the last, in USD."""

    name: str
    whose: str
    values: tuple[Text, Text, Text]
    less_usd: float
    more_usd: float
    changes: str

    @property
    def span_usd(self) -> float:
        """From the least to the most."""
        return abs(self.more_usd - self.less_usd)


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
        sum(answer.way.apart_each_usd),
        answer.way.chance_of("deadline"),
        answer.way.chance_of("budget"),
    )
    rows = [_scenario_row(base, ledger, len(answer.picks), tone="strong")]
    rows += [_scenario_row(one, ledger, len(answer.picks)) for one in told]
    return Paragraph("Scenarios", "heading"), Table(columns, tuple(rows))


def _scenario_row(told: ScenarioTold, ledger: Ledger, n_picks: int, tone: str = "") -> tuple[Cell, ...]:
    names = [name or "Nothing fits" for name, _ in told.picks][:n_picks]
    names += [DASH] * (n_picks - len(names))
    picks = tuple(Cell(name, tone="" if name != "Nothing fits" else "warn") for name in names)
    if told.total_usd is None:
        return Cell(told.name, tone=tone), *picks, *[Cell(DASH)] * 5
    total = ledger.total if tone else _total(told, ledger)
    against = DASH if tone else _signed(total - ledger.total)
    reach = span(units_text(_units(told.total_usd.low, ledger)), units_text(_units(told.total_usd.high, ledger)))
    chances = (DASH if one is None else hundredth(one) for one in (told.on_time, told.in_budget))
    figures = (Cell(units_text(total), tone="strong"), Cell(reach, tone="muted"), Cell(against))
    return Cell(told.name, tone=tone), *picks, *figures, *map(Cell, chances)


def _total(told: ScenarioTold, ledger: Ledger) -> int:
    """In whole units, by the rule of the ledger: each pick with the digits that it has everywhere."""
    costs = [reach.likely for _, reach in told.picks if reach]
    return sum(_units(as_printed(usd), ledger) for usd in (*costs, told.apart_usd))


def _units(usd: float, ledger: Ledger) -> int:
    return round(usd * shown_money().per_usd / ledger.scale)


def _signed(units: int) -> str:
    return f"+{units_text(units)}" if units > 0 else units_text(units)


def sensitivity_blocks(results: Mapping[str, ResultSet], answer: PlanAnswer, ledger: Ledger) -> tuple[Block, ...]:
    """One input at a time, the widest swing first; those that move nothing say so."""
    swings = [swing for one in answer.picks for swing in _swings(one, results[one.profile.id])]
    listed = sorted([*swings, *_staff(answer)], key=lambda swing: -swing.span_usd)[:MOST_INPUTS]
    if not listed:
        return ()
    most = max(max(abs(_units(one.less_usd, ledger)), abs(_units(one.more_usd, ledger))) for one in listed) or 1
    columns = (
        Column("Input", weight=2.7),
        Column("Low", "right", 0.8),
        Column("Now", "right", 0.8),
        Column("High", "right", 0.8),
        Column("Total at low", "right", 0.8),
        Column("Total at high", "right", 0.8),
        Column("Total against base", weight=1.8),
        Column("Changes the pick at", weight=2.2),
    )
    rows = tuple(_swing_row(one, ledger, most) for one in listed)
    note = (
        f"Totals in {ledger.unit}, base {units_text(ledger.total)}. One input at a time: prices, speed and porting "
        f"over their own 80{THIN}% range; work and staff rate, which have none, a fifth down and up. A dash: not asked."
    )
    return Paragraph("Sensitivity", "heading"), Table(columns, rows), Paragraph(note, "note")


def _swing_row(swing: Swing, ledger: Ledger, most: int) -> tuple[Cell, ...]:
    less, more = _units(swing.less_usd, ledger), _units(swing.more_usd, ledger)
    bar = (min(less, more, 0) / most, max(less, more, 0) / most)
    totals = (Cell(units_text(ledger.total + one)) for one in (less, more))
    values = (Cell(str(value)) for value in swing.values)
    return Cell(swing.name, swing.whose, below=True), *values, *totals, Cell("", swing=bar), Cell(swing.changes)


def _swings(one: Picked, results: ResultSet) -> Iterator[Swing]:
    pick, job = one.pick, one.profile.job
    rent = _rent_usd(one)
    flips = {point.input_name: point for point in results.recommendation.would_change_it}

    def changes(name: str) -> str:
        point = flips.get(name)
        return DASH if point is None else str(point.flips_at or "Never")

    chip, price = pick.candidate.accelerator.short_name, pick.candidate.price.of(pick.candidate.offer)
    if price.likely > 0 and rent:
        name = f"{chip} price per chip hour"
        values = _three(price, lambda usd: Amount(usd, PRICE_PER_CHIP_HOUR))
        yield Swing(name, one.name, values, *_shares(rent, price), changes(name))
    if job.training and not has_term(one) and rent and pick.run_h.likely > 0:
        speed = pick.throughput.tokens_per_s
        slow, fast = (pick.run_h.high / pick.run_h.likely - 1, pick.run_h.low / pick.run_h.likely - 1)
        values = _three(speed, lambda value: Amount(value / pick.candidate.n_chips))
        unit = one.profile.unit_word
        yield Swing(f"Speed, {unit}/s a chip", one.name, values, rent * slow, rent * fast, DASH)
        work = job.training.n_tokens
        values = _three(_fifth(work), scaled)
        yield Swing(unit.capitalize(), one.name, values, -A_FIFTH * rent, A_FIFTH * rent, DASH)
    porting, basis = pick.cost.part("porting"), results.basis
    if porting and basis:
        weeks = porting_weeks(one.profile, basis.catalogue, pick.candidate.accelerator)
        name = f"Time to port to {chip}"
        values = _three(weeks, lambda value: Counted(value, "week", digits=2))
        yield Swing(name, one.name, values, *_shares(porting, weeks), changes(name))


def _rent_usd(one: Picked) -> float:
    """What follows the price of a chip hour: rent and what is counted of it."""
    of_rent = [part for part, component in component_by_part().items() if component.count_of_rent]
    return sum(one.pick.cost.part(part) for part in (*rent_parts(), *of_rent))


def _staff(answer: PlanAnswer) -> Iterator[Swing]:
    """All hours of people at one rate; a plan of several rates has no row."""
    rates = {one.profile.team.engineer_usd_per_week for one in answer.picks}
    usd = sum(one.pick.cost.part(part) for one in answer.picks for part in GROUPS[STAFF])
    if len(rates) == 1 and usd and (rate := rates.pop()):
        values = _three(_fifth(rate), lambda value: Amount(value, USD))
        yield Swing("Staff rate per week", "all workloads", values, -A_FIFTH * usd, A_FIFTH * usd, DASH)


def _fifth(value: float) -> Range:
    return Range((1 - A_FIFTH) * value, value, (1 + A_FIFTH) * value)


def _shares(usd: float, value: Range) -> tuple[float, float]:
    """By how much an amount that follows a value moves at its ends."""
    return usd * (value.low / value.likely - 1), usd * (value.high / value.likely - 1)


def _three(value: Range, words: Callable[[float], Text]) -> tuple[Text, Text, Text]:
    return words(value.low), words(value.likely), words(value.high)
