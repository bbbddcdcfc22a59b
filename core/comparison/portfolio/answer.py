"""The answer for a portfolio: the shared chip, its pools, what each way to run it costs, and which one is best."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from core.amounts import Sentence, Text
from core.comparison.portfolio.at_place import AtPlace
from core.comparison.portfolio.result import PortfolioAnswer
from core.comparison.portfolio.sites import places_tried
from core.comparison.result import ResultSet
from core.errors import InputError
from core.workload.phases import Phase
from core.workload.portfolio import Portfolio

FEWEST = 2


def portfolio_answer(
    settings: Portfolio | None, results: Mapping[str, ResultSet], phases: Sequence[Phase] = ()
) -> PortfolioAnswer | None:
    """The answer for the workloads that take part, by their results; None below two of them with a pick.

    The shared chip and seller are those of the settings, else those on which one pool costs least among a few tried.
    Raises InputError where two workloads run on none that the settings admit.
    """
    if settings is None:
        return None
    taking = [one for one in results.values() if settings.member(one.profile.id).takes_part]
    picked = [one for one in taking if one.choice is not None and one.basis is not None]
    if len(picked) < FEWEST:
        return None
    best = _cheapest(settings, picked)
    if best is None:
        raise InputError(
            "Portfolio", "no way to pay that the limits of all its workloads admit", "another chip or seller"
        )
    unanswered = tuple((one.profile.name, _why_none(one)) for one in taking if one not in picked)
    return best.answer(unanswered, phases)


def _cheapest(settings: Portfolio, results: Sequence[ResultSet]) -> AtPlace | None:
    """The place whose one pool costs least, one that can be signed before others; the arrays of others go at once.

    A base or a model that is moved by hand does not move the pool to another place.
    """
    best: tuple[tuple[bool, float], AtPlace] | None = None
    as_found = settings.model_copy(update={"base_chips": None, "pins": ()})
    for place, rows in places_tried(settings, results):
        one = AtPlace(as_found, results, place, rows)
        if not one.offers:
            continue
        key = not one.base.can_be_signed, one.base.total.likely
        if best is None or key < best[0]:
            best = key, one
    return replace(best[1], settings=settings) if best else None


def _why_none(results: ResultSet) -> Text:
    if results.missing:
        return Sentence("still needed: {}", ", ".join(results.missing))
    return results.recommendation.headline
