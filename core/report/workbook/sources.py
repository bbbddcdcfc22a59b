"""Where the figures of the bills that are written out come from, each with its date."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from core.catalogue.catalogue import Catalogue
from core.comparison.result import CandidateResult, ResultSet
from core.report.workbook.bills import billed
from core.report.workbook.candidates import day_or_words
from core.report.workbook.sheet import DAY, PRICE, Head, Sheet, Shown

_HEADS = (
    Head("What"), Head("Of"), Head("Value", "in the unit beside it", PRICE), Head("Unit"), Head("Read on", "", DAY),
    Head("Date as the source gives it"), Head("Estimate"), Head("Source"), Head("Where"),
)  # fmt: skip


def sources_sheet(result_sets: Sequence[ResultSet], catalogue: Catalogue) -> Sheet:
    """Prices, chips, waits and what is known of sellers, each once."""
    shown = [result for results in result_sets for result in billed(results)]
    rows = dict.fromkeys(row for result in shown for row in _rows(result, catalogue))
    return Sheet("Sources", _HEADS, list(rows), frozen=2)


def _rows(result: CandidateResult, catalogue: Catalogue) -> Iterator[tuple[Shown, ...]]:
    offer, chip, having = result.candidate.offer, result.candidate.accelerator, result.obtainable
    name = f"{chip.short_name}, {result.candidate.place}"
    price = offer.usd_per_chip_hour, "USD per chip hour"
    yield "Price, listed", name, *price, *_dated(offer.as_of, offer.estimate), *_where(offer.source, catalogue)
    yield "Chip", chip.name, None, "", *_dated("", False), *_where(chip.source, catalogue)
    if having.wait.source:
        wait = having.wait
        days = wait.days.likely, "days"
        yield "Wait", name, *days, *_dated(wait.as_of, wait.estimate), *_where(wait.source, catalogue)
    if having.source:
        yield "Can be had", name, None, "", *_dated("", having.estimate), *_where(having.source, catalogue)


def _dated(as_of: str, is_estimate: bool) -> tuple[Shown, ...]:
    day = day_or_words(as_of)
    return None if isinstance(day, str) else day, as_of, "yes" if is_estimate else "no"


def _where(source: str, catalogue: Catalogue) -> tuple[str, str]:
    known = (catalogue.sources.get(one, "estimated by us") for one in source.split("+"))
    return source, "; ".join(dict.fromkeys(known))
