"""The plan over time on paper: its phases, the ways to run them, and what a pilot must show."""

from __future__ import annotations

from collections.abc import Sequence

from core.comparison.over_time.answer import OverTime, over_time
from core.comparison.over_time.gate import Gate, MeasureAnswer
from core.comparison.over_time.limits_words import limits_lines
from core.comparison.over_time.printed import cost_words, printed_costs
from core.comparison.over_time.runs import Run
from core.comparison.over_time.way import Way
from core.comparison.over_time.words import (
    advice_line,
    chance_words,
    chips_words,
    committed_words,
    day_words,
    days_words,
    headline,
    measure_words,
    owned_words,
    percent,
    table,
    too_late_words,
)
from core.errors import InputError
from core.ranges import Range
from core.report.blocks import Block, Cell, Column, Paragraph, Section, Table
from core.report.pages.context import PageContext
from core.units import DASH, usd, usd_span

TITLE = "Phases and migration"
_ABOUT = (
    "Ends and costs are likely values with 80 % ranges over the same draws as the comparison. Serving lasts equally "
    "long in every way. A measure without a predicted range has a typed chance, or stays open."
)


def phases_pages(contexts: Sequence[PageContext]) -> tuple[Section, ...]:
    """The page of a plan with phases; none without any, and a sentence where they cannot run."""
    plan = contexts[0].plan if contexts else None
    if plan is None or not plan.phases:
        return ()
    try:
        answer = over_time(plan.phases, {one.profile.id: one.results for one in contexts}, plan.phases_deadline)
    except InputError as error:
        return (Section("phases", TITLE, (Paragraph(str(error)),)),)
    return (Section("phases", TITLE, _blocks(answer)),) if answer is not None else ()


def _blocks(answer: OverTime) -> tuple[Block, ...]:
    own = answer.own
    ways = (_ways(answer),) if len(answer.ways) > 1 and len(own.runs) > 1 else ()
    gates = [block for gate in own.gates for block in _gate(own, gate)]
    limits = [Paragraph(f"{line}.") for line in limits_lines(answer)]
    advice = [Paragraph(str(line), "note") for run in own.runs if (line := advice_line(answer, run))]
    committed = " ".join(map(str, committed_words(own)))
    about = Paragraph(" ".join(filter(None, (_ABOUT, owned_words(answer), committed))), "note")
    return (Paragraph(str(headline(answer)), "lead"), _phases(own), *ways, *limits, *gates, *advice, about)


def _phases(way: Way) -> Table:
    columns = (
        Column("Phase", weight=1.2),
        Column("On", weight=2.0),
        Column("Begins", "right"),
        Column("Ends", "right", 1.8),
        Column("Cost", "right", 1.6),
    )
    *parts, whole = printed_costs(way)
    total = (Cell("All phases", tone="strong"), Cell(""), Cell(""), Cell(""), _cost(whole, way.total, "strong"))
    rows = (_phase(way, run, usd) for run, usd in zip(way.runs, parts, strict=True))
    return Table(columns, (*rows, total), "The plan as it stands")


def _phase(way: Way, run: Run, likely_usd: float) -> tuple[Cell, ...]:
    place = run.held.result.candidate.place if run.phase.works_on_chips else ""
    return (
        Cell(run.phase.name, tone="strong"),
        Cell(chips_words(run), place, below=True),
        Cell(day_words(way, float(run.begin[0]))),
        Cell(day_words(way, run.ends.likely), days_words(way, run.ends), below=True),
        _cost(likely_usd, run.cost),
    )


def _cost(likely_usd: float, cost: Range, tone: str = "") -> Cell:
    return Cell(cost_words(likely_usd), usd_span(cost.low, cost.high), below=True, tone=tone)


def _ways(answer: OverTime) -> Table:
    columns = (Column("", weight=1.5), *(Column(way.title, "right") for way in answer.ways))
    rows = [
        (Cell(title), *(Cell(str(one.likely), str(one.beside), tone=_TONES[one.tone]) for one in cells))
        for title, cells in table(answer)
    ]
    return Table(columns, tuple(rows), f"Ways to run it; {_best(answer)}")


def _best(answer: OverTime) -> str:
    return "none keeps all hard limits" if answer.best is None else f"{answer.ways[answer.best].title} fits best"


_TONES = {"": "", "err": "bad"}


def _gate(way: Way, gate: Gate) -> tuple[Block, ...]:
    """What the pilot must show, and what follows when it does not."""
    columns = (Column("The pilot must show", weight=2.2), Column("Chance", "right"), Column("Known by", weight=1.6))
    rows = [
        (Cell(measure_words(one.measure)), Cell(DASH if one.chance is None else str(percent(one.chance))), _basis(one))
        for one in gate.measures
    ]
    whole = Cell(DASH if gate.chance is None else str(percent(gate.chance)), tone="strong")
    rows.append((Cell("All measures", tone="strong"), whole, Cell(chance_words(gate))))
    measures = Table(columns, tuple(rows), f"Gate on {day_words(way, gate.run.ends.likely)}")
    failed = way.fallback
    if failed is None:
        return (measures,)
    by = f"; order by {day_words(way, failed.ask_by)}" if failed.ask_by is not None else ""
    by = f". {late}" if (late := str(too_late_words(way, failed))) else by
    total = usd(failed.way.total.likely)
    return measures, Paragraph(f"If it fails: {failed.way.deciding.held.name}, {total} in all{by}.")


def _basis(one: MeasureAnswer) -> Cell:
    if one.measure.is_drawn:
        return Cell("share of draws")
    return Cell("open" if one.chance is None else "typed")
