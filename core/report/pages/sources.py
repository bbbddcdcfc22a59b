"""Calibration, and the last page: assumptions, formulas, sources with dates, versions, hash, sign-off."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from core.calibration.accepted import AcceptedLesson
from core.catalogue.entries import STAND_IN, Accelerator
from core.catalogue.own.stand_ins import HOW
from core.catalogue.prices.age import price_age, price_marks
from core.comparison.judge.calendar import time_inputs
from core.comparison.recommendation.arguments import best_of_each
from core.comparison.result import CandidateResult
from core.report.blocks import Block, Cell, Column, Fact, Facts, Paragraph, Section, SignOff, Table
from core.report.pages.context import PageContext
from core.report.plan_hash import plan_hash
from core.throughput.measured import TERM_WORDS
from core.units import THIN, plain, usd
from core.version import VERSION

_MOST = 12
_ROLES = ("Prepared by", "Checked by", "Approved by")
_METHODS = (
    ("Time", "days to finish = porting + waiting for capacity + work / (speed × goodput), in tokens or samples"),
    (
        "Goodput",
        "I hours of work take (1/r + R)(exp(r(I + s)) − 1): r stops an hour, R restart, s save (Daly 2006)",
    ),
    ("Input", "step = the longest of the chips' own step, reading, preparing and copying a global batch"),
    (
        "Latency",
        "concurrency at a rate by Little's law; waits for prefills M/G/1, for a place M/G/c (Sakasegawa 1977)",
    ),
    ("Best interval", "√(2 s M) (1 + √(s / 2M) / 3 + s / 18M) − s between saved states, M = 1/r (Daly 2006)"),
    ("Ranges", "low and high hold 80 % of outcomes; a missing fact widens them"),
    ("Ranking", "weighted mean of best cost / cost, best time / time and flexibility / 100; used for the order alone"),
    ("Stays first", "share of 1 000 random weightings, evenly drawn with a fixed seed, in which the pick is first"),
    ("Regret", "extra cost over the cheapest option that the pick is taken from"),
)


def calibration_page(context: PageContext) -> Section | None:
    """What imported logs changed; none when none was accepted."""
    of_workload = [one for one in context.plan.calibrations if one.profile_id == context.profile.id]
    accepted = [one for one in of_workload if one.is_on]
    lessons = [one for one in context.plan.lessons if one.is_on]
    if not accepted and not lessons:
        return None
    columns = (
        Column("Accelerator", weight=1.4),
        Column("Chips", "right", 0.7),
        Column("Measured", "right", 1.2),
        Column("Predicted", "right", 1.2),
        Column("Factor", "right", 0.8),
        Column("Range left", "right", 0.9),
        Column("How", weight=3),
    )
    names = context.catalogue.accelerator_by_id
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (
            Cell(names[one.accelerator_id].short_name if one.accelerator_id in names else one.accelerator_id),
            Cell(str(one.n_chips)),
            Cell(_speed(one.measured_tokens_per_s)),
            Cell(_speed(one.predicted_tokens_per_s)),
            Cell(plain(one.factor)),
            Cell(f"±{plain(100 * one.spread, 2)}{THIN}%"),
            Cell(one.how),
        )
        for one in accepted
    )
    rows += tuple(_lesson_cells(one, names) for one in lessons)
    intro = f"Predictions rest on {context.results.calibration}. A factor is measured over predicted, of one log alone."
    return Section("calibration", "Calibration", (Paragraph(intro), Table(columns, rows)))


def _lesson_cells(one: AcceptedLesson, names: Mapping[str, Accelerator]) -> tuple[Cell, ...]:
    words = TERM_WORDS[one.term]
    chip = names[one.accelerator_id].short_name if one.accelerator_id in names else one.accelerator_id
    return (
        Cell(chip),
        Cell(str(one.n_chips)),
        Cell(words.amount(one.measured)),
        Cell(words.amount(one.predicted)),
        Cell(plain(one.factor)),
        Cell(f"±{plain(100 * one.spread, 2)}{THIN}%"),
        Cell(f"{words.title}: {one.how}"),
    )


def sources_page(context: PageContext) -> Section:
    """How it was computed, from what, by which version, and room to sign."""
    blocks: tuple[Block, ...] = (
        Paragraph("How it is computed", "heading"),
        Table(
            (Column("What", weight=1), Column("How", weight=6)),
            tuple((Cell(name), Cell(text)) for name, text in _METHODS),
        ),
        Paragraph("Prices of the options shown", "heading"),
        _prices(context),
        Paragraph("Assumptions about time", "heading"),
        _assumptions(),
        Paragraph("Sources", "heading"),
        _sources(context),
        Facts(
            (
                Fact("Program", f"Roofplan {VERSION}"),
                Fact("Catalogue", context.results.catalogue_date),
                Fact("Plan", plan_hash(context.plan), f"scenario {context.scenario_name}"),
            )
        ),
        SignOff(_ROLES),
    )
    return Section("sources", "Assumptions and sources", blocks)


def _shown(context: PageContext) -> list[CandidateResult]:
    return best_of_each(context.feasible)[:_MOST]


def _prices(context: PageContext) -> Table:
    columns = (
        Column("Offer", weight=3.2),
        Column("Chip hour, listed", "right", 1),
        Column("Today", "right", 0.8),
        Column("Read on", weight=1.3),
        Column("Source", weight=1.3),
        Column("Note", weight=2.2),
    )
    shown = _shown(context)
    how = HOW if any(result.candidate.offer.layer == STAND_IN for result in shown) else ""
    return Table(columns, tuple(_price_row(context, result) for result in shown), how)


def _price_row(context: PageContext, result: CandidateResult) -> tuple[Cell, ...]:
    offer = result.candidate.offer
    age = price_age(offer, context.today, context.plan.old_price_days)
    notes = [one for one in (*price_marks(offer, age), result.candidate.price.basis, offer.note) if one]
    return (
        Cell(f"{result.candidate.accelerator.short_name}, {result.candidate.place}"),
        Cell(usd(offer.usd_per_chip_hour)),
        Cell(usd(result.candidate.usd_per_chip_hour)),
        Cell(age.day_words, tone="warn" if age.needs_confirming else ""),
        Cell(offer.source),
        Cell("; ".join(notes), tone="muted"),
    )


def _assumptions() -> Table:
    columns = (
        Column("Assumption", weight=2),
        Column("Low", "right", 0.7),
        Column("Likely", "right", 0.7),
        Column("High", "right", 0.7),
        Column("Unit", weight=0.8),
        Column("Note", weight=3.5),
    )
    rows = tuple(
        (
            Cell(f"{row.name.replace('_', ' ')}, {row.scope.replace('_', ' ')}", "estimate" if row.estimate else ""),
            Cell(plain(row.value.low)),
            Cell(plain(row.value.likely)),
            Cell(plain(row.value.high)),
            Cell(row.unit),
            Cell(row.note, tone="muted"),
        )
        for row in time_inputs().values()
    )
    return Table(columns, rows)


def _sources(context: PageContext) -> Table:
    used = _ids(
        source
        for result in _shown(context)
        for source in (
            result.candidate.offer.source,
            result.candidate.accelerator.source,
            result.obtainable.source,
            result.obtainable.wait.source,
        )
        if source
    )
    rows = tuple((Cell(name), Cell(context.catalogue.sources.get(name, "estimated by us"))) for name in used)
    return Table((Column("Id", weight=1), Column("Where", weight=6)), rows)


def _ids(sources: Iterable[str]) -> list[str]:
    return sorted({one for source in sources for one in source.split("+")})


def _speed(tokens_per_s: float) -> str:
    return f"{plain(tokens_per_s, 4)} tok/s"
