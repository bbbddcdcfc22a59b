"""What a candidate rests on: arguments for and against it, and its sources with their dates."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date

from core.amounts import Text
from core.catalogue.catalogue import Catalogue
from core.catalogue.details.facts import short_source, sources_of
from core.catalogue.entries import Offer
from core.catalogue.prices.age import price_age, price_badge
from core.catalogue.prices.dates import OLD_PRICE_DAYS, as_of_words
from core.catalogue.prices.quality import quality_of
from core.catalogue.providers import provider_name
from core.comparison.recommendation.arguments import reasons_against, reasons_for
from core.comparison.recommendation.warnings import warnings_on
from core.comparison.result import CandidateResult, ResultSet
from core.ranges import ESTIMATE
from core.units import usd

_PLAIN = ("ok", "list price")
"""Qualities of a price that need no word of caution."""


@dataclass(frozen=True, slots=True)
class SourceLine:
    """What is known from where and since when; ``is_old`` marks a price that should be confirmed, ``flag`` says why."""

    words: str
    when: str
    detail: str
    is_old: bool = False
    flag: str = ""


def arguments(results: ResultSet, result: CandidateResult) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """For and against: the recommendation's own for the pick, the same comparison for any other candidate."""
    advice = results.recommendation
    if result.id == advice.choice:
        return _worded(advice.reasons_for), _worded(advice.reasons_against)
    missed = tuple(reason.words for reason in result.reasons)
    others = [r for r in results.contenders if r.id != result.id]
    if not others or not result.throughput.fits:
        return (), missed
    ranked = [result, *others]
    against = reasons_against(results.profile, ranked)
    return _worded(reasons_for(results.profile, ranked)), (*missed, *_worded(against))


def _worded(texts: tuple[Text, ...]) -> tuple[str, ...]:
    return tuple(str(text) for text in texts)


def cautions(
    results: ResultSet, result: CandidateResult, today: date, old_price_days: int = OLD_PRICE_DAYS
) -> tuple[str, ...]:
    """What to know before taking a candidate, each with what would help."""
    return tuple(reason.words for reason in warnings_on(results, result, today, old_price_days))


def first_words(text: str) -> str:
    """A remark up to its advice, by which the same remark is known in another list."""
    return re.split(r"[.;](?:\s|$)", text)[0]


def sources(
    catalogue: Catalogue, result: CandidateResult, today: date, old_price_days: int = OLD_PRICE_DAYS
) -> list[SourceLine]:
    """Price, speed and chip with their dates; what is an estimate says so."""
    offer, chip = result.candidate.offer, result.candidate.accelerator
    age = price_age(offer, today, old_price_days)
    price = SourceLine(
        f"Price, {provider_name(offer.provider)}{_today_words(result)}{_quality_words(offer)}{_mark(offer.estimate)}"
        f"{_badge(offer)}",
        age.day_words,
        "; ".join([*sources_of(offer, catalogue), _basis_words(result, catalogue)]),
        is_old=age.needs_confirming,
        flag=age.flag,
    )
    sheet = SourceLine(
        f"Chip, data sheet{f', some figures {ESTIMATE}s' if chip.estimate else ''}",
        as_of_words(chip.as_of),
        "; ".join([*sources_of(chip, catalogue), *([chip.note] if chip.estimate and chip.note else [])]),
    )
    notes = " ".join(result.throughput.notes)
    speed = SourceLine(
        f"Speed, {result.evidence.value}", "", notes or "Predicted by this program from the chip's figures"
    )
    return [price, speed, sheet]


def _mark(is_estimate: bool) -> str:
    return f", {ESTIMATE}" if is_estimate else ""


def _badge(offer: Offer) -> str:
    return f", {price_badge(offer)}" if price_badge(offer) else ""


def _today_words(result: CandidateResult) -> str:
    """Listed and today's price a chip hour, where they differ."""
    candidate = result.candidate
    if not candidate.price.is_moved:
        return ""
    return f", {usd(candidate.offer.usd_per_chip_hour)} listed, {usd(candidate.usd_per_chip_hour)} today"


def _basis_words(result: CandidateResult, catalogue: Catalogue) -> str:
    """How today's price is known, with whose medians."""
    price = result.candidate.price
    whose = f" ({short_source(catalogue.sources.get(price.source, price.source))})" if price.source else ""
    return f"{price.basis}{whose}"


def _quality_words(offer: Offer) -> str:
    return "" if offer.quality in _PLAIN else f", {quality_of(offer).title.lower()}"
