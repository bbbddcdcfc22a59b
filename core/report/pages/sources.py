"""Calibration, and the last page: assumptions, formulas, sources with dates, versions, hash, sign-off."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from string import ascii_lowercase

from core.calibration.accepted import AcceptedLesson
from core.catalogue.entries import STAND_IN, Accelerator, Offer
from core.catalogue.own.stand_ins import HOW
from core.catalogue.prices.age import price_age, price_marks
from core.comparison.chance.errors import N_DRAWS
from core.comparison.chance.errors import SEED as ERRORS_SEED
from core.comparison.judge.calendar import TimeInput, time_inputs
from core.comparison.rank.utility import N_WEIGHTINGS
from core.comparison.rank.utility import SEED as WEIGHTINGS_SEED
from core.comparison.result import CandidateResult
from core.report.blocks import Block, Cell, Column, Pair, Pairs, Paragraph, Section, Table
from core.report.pages.context import PageContext
from core.report.plan_hash import plan_hash
from core.report.time_words import with_days
from core.throughput.measured import TERM_WORDS
from core.units import THIN, grouped, plain, span, usd
from core.version import VERSION

_MOST = 8
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
    (
        "Draws",
        f"{grouped(N_DRAWS)} of each option that may be picked, each part of a normal error once, seed {ERRORS_SEED}",
    ),
    (
        "Stays first",
        f"share of {grouped(N_WEIGHTINGS)} random weightings in which the pick is first, seed {WEIGHTINGS_SEED}",
    ),
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


def sources_page(contexts: Sequence[PageContext]) -> Section:
    """How it was computed, from what, by which version: once for all workloads. Where nothing fits, no option is shown,
    and no prices and sources of any are told."""
    context = contexts[0]
    blocks: tuple[Block, ...] = (
        Paragraph(_made_by(context), "note"),
        Paragraph("How it is computed", "heading"),
        _methods(),
        *_under("Prices of the options shown", _prices(contexts)),
        _assumptions(),
        *_under("Sources", _sources(contexts)),
    )
    return Section("sources", "Assumptions and sources", blocks)


def _under(heading: str, table: Table) -> tuple[Block, ...]:
    return (Paragraph(heading, "heading"), table) if table.rows else ()


def _made_by(context: PageContext) -> str:
    """What made it of what, so that it can be made again."""
    made = f"Roofplan {VERSION}, catalogue {context.results.catalogue_date}, plan {plan_hash(context.plan)}"
    return f"{made}, scenario {context.scenario_name}. The same plan gives the same paper, but for its date."


def _methods() -> Table:
    rows = tuple((Cell(name), Cell(text)) for name, text in _METHODS)
    return Table((Column("What"), Column("How", weight=6)), rows, is_small=True, is_close=True)


def _shown(contexts: Sequence[PageContext]) -> list[CandidateResult]:
    """The options shown of all workloads, each offer once."""
    shown = [result for context in contexts for result in context.results.shown_feasible(_MOST)]
    return list({result.candidate.offer.id: result for result in reversed(shown)}.values())[::-1]


def _prices(contexts: Sequence[PageContext]) -> Table:
    columns = (
        Column("Offer", weight=3.4),
        Column("Chip hour, listed", "right", 1.3),
        Column("Today", "right", 0.8),
        Column("Read on", weight=1.3),
        Column("Source", weight=1.6),
        Column("Note", weight=1.6),
    )
    shown = _shown(contexts)
    how = [HOW] if any(result.candidate.offer.layer == STAND_IN for result in shown) else []
    bases = list(dict.fromkeys(result.candidate.price.basis for result in shown))
    letters = dict(zip(bases, ascii_lowercase, strict=False))
    rows = tuple(_price_row(contexts[0], result, letters.get(result.candidate.price.basis, "")) for result in shown)
    caption = " ".join([*(f"{letter}: {basis}." for basis, letter in letters.items()), *how])
    return Table(columns, rows, caption)


def _price_row(context: PageContext, result: CandidateResult, basis: str) -> tuple[Cell, ...]:
    """``basis``: the letter under which it is told how today's price is known."""
    offer = result.candidate.offer
    age = price_age(offer, context.today, context.plan.old_price_days)
    notes = [one for one in (*price_marks(offer, age), basis, _own_note(offer)) if one]
    return (
        Cell(f"{result.candidate.accelerator.short_name}, {result.candidate.place}"),
        Cell(usd(offer.usd_per_chip_hour)),
        Cell(usd(result.candidate.usd_per_chip_hour)),
        Cell(age.day_words, tone="warn" if age.needs_confirming else ""),
        Cell(offer.source),
        Cell("; ".join(notes), tone="muted"),
    )


def _own_note(offer: Offer) -> str:
    """What the author wrote beside a price; notes of the catalogue are for its keepers."""
    return "" if offer.layer == "catalogue" else offer.note


def _assumptions() -> Pairs:
    """What is assumed about time, in two columns."""
    rows = time_inputs().values()
    return Pairs("Assumptions about time", tuple(Pair(_name_of(row), _value_of(row)) for row in rows))


def _name_of(row: TimeInput) -> str:
    mark = ", estimate" if row.estimate else ""
    return f"{row.name.replace('_', ' ')}, {row.scope.replace('_', ' ')}{mark}".capitalize()


def _value_of(row: TimeInput) -> str:
    """``4 days, 2–7``."""
    low, likely, high = (plain(value) for value in (row.value.low, row.value.likely, row.value.high))
    reach = f", {span(low, high)}" if low != high else ""
    return f"{likely} {row.unit}{reach}"


def _sources(contexts: Sequence[PageContext]) -> Table:
    used = _ids(
        source
        for result in _shown(contexts)
        for source in (
            result.candidate.offer.source,
            result.candidate.accelerator.source,
            result.obtainable.source,
            result.obtainable.wait.source,
        )
        if source
    )
    where = contexts[0].catalogue.sources
    rows = tuple((Cell(name), Cell(_short(where.get(name, "estimated by us")))) for name in used)
    return Table((Column("Id"), Column("Where", weight=6)), rows, is_small=True, is_close=True)


_COMMIT = re.compile(r"\b([0-9a-f]{9})[0-9a-f]{31}\b")


def _short(where: str) -> str:
    """A source with its commits as short as they are told elsewhere, its days in words."""
    return with_days(_COMMIT.sub(r"\1", where))


def _ids(sources: Iterable[str]) -> list[str]:
    return sorted({one for source in sources for one in source.split("+")})


def _speed(tokens_per_s: float) -> str:
    return f"{plain(tokens_per_s, 4)} tok/s"
