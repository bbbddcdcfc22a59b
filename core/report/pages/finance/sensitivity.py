"""What could move the total: each input at the ends of its range, as the What-if tab has them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from core.comparison.recommendation.flip_points import study_of
from core.comparison.result import ResultSet
from core.comparison.together.plan_answer import PlanAnswer
from core.comparison.together.ways import Picked
from core.comparison.what_if.inputs import Input, is_wish
from core.comparison.what_if.tornado import CostSwing, cost_swings
from core.comparison.what_if.words import title_of, value_words
from core.report.blocks import Block, Cell, Column, Paragraph, Table
from core.report.ledger import Ledger, units_text
from core.report.pages.flip_rows import changes_at
from core.units import DASH, NO_BREAK, THIN

MOST_INPUTS = 9
ESTIMATE = "estimate"
Swings = Mapping[str, tuple[CostSwing, ...]]
"""What each input does to the cost of a pick, by workload."""


@dataclass(frozen=True, slots=True)
class _Row:
    """By how many units of the ledger the total moves with one input of a workload."""

    swing: CostSwing
    whose: str
    at_low: int
    at_high: int
    changes: str

    @property
    def span(self) -> int:
        """From the least to the most, the total of now among them."""
        return max(self.at_low, self.at_high, 0) - min(self.at_low, self.at_high, 0)


def swings_of(results: Mapping[str, ResultSet], answer: PlanAnswer) -> Swings:
    """Of each pick what every input but weights and limits does to its cost, asked as the What-if tab asks."""
    return {one.profile.id: tuple(_swings(results[one.profile.id], one)) for one in answer.picks}


def _swings(results: ResultSet, one: Picked) -> Iterator[CostSwing]:
    study = study_of(results, one.pick.id, None)
    if study is not None:
        yield from cost_swings(study, filter(_is_asked, study.inputs))


def _is_asked(one: Input) -> bool:
    """Neither weights nor limits, which choose the option and leave its cost as it is."""
    return not is_wish(one) and not one.id.startswith("limits.") and one.low < one.high


def sensitivity_blocks(
    results: Mapping[str, ResultSet], answer: PlanAnswer, ledger: Ledger, swings: Swings
) -> tuple[Block, ...]:
    """One input at a time, the widest swing first, of those that move the total by a unit at least."""
    every = [row for one in answer.picks for row in _rows(one, results[one.profile.id], ledger, swings)]
    listed = sorted(every, key=lambda row: -row.span)[:MOST_INPUTS]
    if not listed:
        return ()
    most = max(max(abs(row.at_low), abs(row.at_high)) for row in listed)
    columns = (
        Column("Input", weight=3.6),
        Column("Low", "right", 0.8),
        Column("Now", "right", 0.8),
        Column("High", "right", 0.8),
        Column(f"Total at{NO_BREAK}low", "right", 0.8),
        Column(f"Total at{NO_BREAK}high", "right", 0.8),
        Column(f"Against{NO_BREAK}base", weight=1.2, keeps_width=True),
        Column(f"Changes the{NO_BREAK}pick{NO_BREAK}at", weight=1.4),
    )
    note = (
        f"Totals in {ledger.unit}, base {units_text(ledger.total)}; bars: light at low, dark at high. One input at a "
        f"time over its 80{THIN}% range, as on the What-if tab, the picks kept, with as many chips as their load then "
        "takes; of what is typed the range is an estimate of ours. A dash: not asked."
    )
    rows = tuple(_cells(row, ledger, most) for row in listed)
    return Paragraph("Sensitivity", "heading"), Table(columns, rows, is_small=True), Paragraph(note, "note")


def _rows(one: Picked, results: ResultSet, ledger: Ledger, swings: Swings) -> Iterator[_Row]:
    for swing in swings[one.profile.id]:
        ends = ledger.in_units(swing.at_low_usd), ledger.in_units(swing.at_high_usd)
        if any(ends):
            yield _Row(swing, one.name, *ends, _changes(one, results, swing.input))


def _changes(one: Picked, results: ResultSet, moved: Input) -> str:
    """A dash for an option that was chosen in the pick's place: what would change the pick is no matter of it."""
    is_picked = one.pick.id == results.recommendation.choice
    return (changes_at(results, moved.id) if is_picked else None) or DASH


def _cells(row: _Row, ledger: Ledger, most: int) -> tuple[Cell, ...]:
    one = row.swing.input
    bar = (row.at_low / most, row.at_high / most)
    totals = (Cell(units_text(ledger.total + moved)) for moved in (row.at_low, row.at_high))
    values = (Cell(str(value_words(one, value))) for value in (one.low, one.now, one.high))
    names = [row.whose] if len(ledger.picks) > 1 else []
    whose = ", ".join([*names, *([ESTIMATE] if one.is_estimate else [])])
    return Cell(title_of(one), whose, below=True), *values, *totals, Cell("", swing=bar), Cell(row.changes)
