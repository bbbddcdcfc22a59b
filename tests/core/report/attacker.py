"""Plays somebody who holds a masked paper, the shipped catalogue and this program, and wants a private price."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, is_dataclass

from core.comparison.result import CandidateResult, ResultSet
from core.cost.registry import title_of
from core.report.blocks import Document, Figure, Table

_NUMBER = re.compile(r"([-−]?\d[\d.,]*)\s*([kMBT%]?)")
_SCALES = {"": 1.0, "%": 1.0, "k": 1e3, "M": 1e6, "B": 1e9, "T": 1e12}


def texts_of(value: object) -> Iterator[str]:
    """Every text of a document, those within charts aside."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, tuple):
        for one in value:
            yield from texts_of(one)
    elif isinstance(value, Figure):
        yield from (value.caption, value.alt)
    elif is_dataclass(value):
        for one in fields(value):
            yield from texts_of(getattr(value, one.name))


def read_amount(text: str) -> float:
    """``$1.2 M``, ``118 %``, ``<0.01 %`` as a number without its unit."""
    match = _NUMBER.search(text.replace("\u202f", " ").replace(" ", ""))
    return float(match[1].replace(",", "").replace("−", "-")) * _SCALES[match[2]] if match else 0.0


def table(document: Document, first: str, last: str) -> Table | None:
    """The table with these first and last columns."""
    tables = (block for section in document.sections for block in section.blocks if isinstance(block, Table))
    return next((t for t in tables if (t.columns[0].title, t.columns[-1].title) == (first, last)), None)


def from_bill(document: Document, own: CandidateResult) -> list[float]:
    """USD per chip hour by each other part of the pick's bill, which is public: people, porting, storage.

    ``own`` is the same candidate evaluated by the attacker at a price of his own guess.
    """
    bill = table(document, "Part", "Source")
    amounts = {row[0].text: read_amount(row[1].text) for row in bill.rows} if bill else {}
    parts = {title_of(part.id): part.usd for part in own.cost.parts}
    chips, guess = title_of("compute"), own.candidate.usd_per_chip_hour
    public = [name for name in amounts if name != chips and parts.get(name) and amounts[name]]
    hours = parts[chips] / guess
    return [amounts[chips] * parts[name] / amounts[name] / hours for name in public if chips in amounts]


def rates_from_bill(document: Document, own: CandidateResult, guess: float) -> dict[str, float]:
    """A rate by each part of the pick's bill that may be worked out with it, as a multiple of the attacker's guess."""
    bill = table(document, "Part", "Source")
    amounts = {row[0].text: read_amount(row[1].text) for row in bill.rows} if bill else {}
    parts = {title_of(part.id): part.usd for part in own.cost.parts}
    return {name: guess * amounts[name] / parts[name] for name in amounts if parts.get(name) and amounts[name]}


def from_totals(document: Document, own: CandidateResult, public: Mapping[str, CandidateResult]) -> list[float]:
    """USD per chip hour by the totals of public candidates in the same table, whose dollars are known."""
    shown = table(document, "Candidate", "Evidence")
    amounts = {row[0].text: read_amount(row[2].text) for row in shown.rows} if shown else {}
    name, guess = own.candidate.name, own.candidate.usd_per_chip_hour
    others = [n for n in amounts if n in public and n != name and amounts[n]]
    total, chips = own.cost.total.likely, own.cost.part("compute")
    return [
        (amounts[name] / amounts[n] * public[n].cost.total.likely - (total - chips)) / (chips / guess) for n in others
    ]


def consistent(guesses: Mapping[float, ResultSet], outcome: Callable[[float], object], seen: object) -> list[float]:
    """Prices at which the program gives the attacker the very paper that he holds."""
    return [guess for guess in guesses if outcome(guess) == seen]
