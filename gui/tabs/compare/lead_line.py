"""A lead as the row that tells it: what it saves, what to ask first, and up to which price it stays better."""

from __future__ import annotations

from dataclasses import dataclass

from core.amounts import PRICE_AT_MOST, Amount
from core.comparison.result import Lead, ResultSet
from core.report.having_words import ask_words, later_words, lead_line
from core.units import DASH, hundredth, usd
from gui.charts.figure.figure import Fill, Shape
from gui.charts.figure.shown import colour_key, fill_of, shape_of


@dataclass(frozen=True, slots=True)
class LeadLine:
    """One row; ``spoken`` is the whole of it as a sentence. Two of the same look are equal, whatever they stand for."""

    id: str
    name: str
    place: str
    mark: tuple[Shape, str, bool, Fill]
    saving: str
    later: str
    ask: str
    better_up_to: str
    best_then: str
    spoken: str


def lead_rows(results: ResultSet) -> tuple[LeadLine, ...]:
    """The leads of a result, best first."""
    told = (lead for lead in results.recommendation.leads if lead.id in results.row_of)
    return tuple(_line(results, lead) for lead in told)


def _line(results: ResultSet, lead: Lead) -> LeadLine:
    result, most = results.by_id[lead.id], lead.better_up_to_usd_per_chip_hour
    candidate, chip = result.candidate, result.candidate.accelerator
    return LeadLine(
        lead.id,
        candidate.name,
        candidate.place,
        (shape_of(chip), colour_key(chip), not result.feasible, fill_of(result)),
        usd(lead.saving_usd),
        later_words(lead),
        ask_words(result, lead),
        DASH if most is None else str(Amount(most, PRICE_AT_MOST)),
        hundredth(lead.best_then),
        lead_line(results, lead),
    )
