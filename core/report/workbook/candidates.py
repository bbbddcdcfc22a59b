"""Every candidate of every workload in one table, best first; money of written-out bills follows these."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import date

from core.catalogue.prices.dates import is_exact, parse_as_of
from core.comparison.result import CandidateResult, ResultSet
from core.cost.registry import part_ids
from core.report.tabular import candidate_row, first_candidates, headers
from core.report.workbook.bills import Bills
from core.report.workbook.sheet import COUNT, DAY, NUMBER, PRICE, SHARE, TEXT, USD, Head, Sheet, Shown
from core.units import grouped

_HEADERS = headers("work")
_TOTAL, _AS_OF = _HEADERS.index("cost_usd"), _HEADERS.index("price_as_of")
_PARTS = {_HEADERS.index(f"cost_{part}_usd"): part for part in part_ids()}
_FROZEN = 5

_UNITS = (
    ("_usd_per_chip_hour", "USD per chip hour", PRICE),
    ("_per_s", "units of work per s", NUMBER),
    ("_usd", "USD", USD),
    ("_ms", "ms", NUMBER),
    ("_h", "h", NUMBER),
    ("_kwh", "kWh", NUMBER),
    ("_kg", "kg", NUMBER),
    ("_share", "share of 1", SHARE),
    ("_of_100", "of 100", NUMBER),
)
_FORMATS = {"rank": COUNT, "n_chips": COUNT, "n_hosts": COUNT, "price_as_of": DAY, "days_to_finish": NUMBER,
            "days_low": NUMBER, "days_high": NUMBER}  # fmt: skip
_SHORT = {"id": "Id", "n": "Number of", "work": "speed", "mfu": "MFU", "ttft": "TTFT", "tpot": "TPOT"}


MOST_ROWS = 300
"""Candidates of a workload that stand in a workbook unless more are asked for: the rest takes seconds to write, and
nobody reads on."""


TITLE = "Candidates"


def candidates_sheet(
    result_sets: Sequence[ResultSet], bills: Bills, top: int | None = None, title: str = TITLE
) -> Sheet:
    """The first ``top`` candidates of each workload, or :data:`MOST_ROWS` and how many more there are; columns as in
    the CSV, named for people."""
    most = MOST_ROWS if top is None else top
    heads = [Head("Workload"), *map(head_of, _HEADERS), Head("Unit of work")]
    sheet = Sheet(title, heads, [], frozen=_FROZEN, wraps=False)
    for results in result_sets:
        for result in first_candidates(results, most):
            own = _linked(results.profile.id, result, candidate_row(result), bills)
            sheet.rows.append((results.profile.name, *own, results.profile.unit_word))
    if top is None:
        sheet.below = [line for results in result_sets for line in _left_out(results)]
    return sheet


def _left_out(results: ResultSet) -> Iterator[Sequence[Shown]]:
    rest = len(results.results) - MOST_ROWS
    if rest > 0:
        n_good = max(0, results.n_feasible - MOST_ROWS)
        told = f"{grouped(rest)} further candidates ({grouped(n_good)} keep all limits) stand in the CSV and JSON."
        yield results.profile.name, None, told


def head_of(header: str) -> Head:
    """``Cost low (USD)`` for ``cost_low_usd``."""
    if header.startswith("usd_per_"):
        return Head(f"Cost per {header.removeprefix('usd_per_')}", "USD", PRICE)
    for sign, unit, number_format in _UNITS:
        if re.search(rf"{sign}(?=_|$)", header):
            return Head(_words(re.sub(rf"{sign}(?=_|$)", "", header, count=1)), unit, number_format)
    return Head(_words(header), "", _FORMATS.get(header, TEXT))


def _words(header: str) -> str:
    words = [_SHORT.get(word, word) for word in header.strip("_").split("_")]
    text = " ".join(words)
    return text[:1].upper() + text[1:]


def _linked(workload: str, result: CandidateResult, row: Sequence[Shown], bills: Bills) -> list[Shown]:
    """The row with its total and parts as formulas where the bill is written out, and its date as a day."""
    shown = list(row)
    if (workload, result.id) in bills.totals:
        shown[_TOTAL] = bills.total(workload, result)
        for column, part in _PARTS.items():
            shown[column] = bills.part(workload, result, part)
    shown[_AS_OF] = day_or_words(result.candidate.offer.as_of)
    return shown


def day_or_words(as_of: str) -> date | str:
    """A real date where the source names a day; else its own words, which say no more than it knew."""
    return parse_as_of(as_of) or as_of if is_exact(as_of) else as_of
