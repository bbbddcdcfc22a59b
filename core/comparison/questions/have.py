"""What the hardware does that the user has, beside what better one would save."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.amounts import USD, Amount, Sentence, Text, days, lower_first, whole, without_stop
from core.catalogue.entries import OWN
from core.catalogue.providers import provider_name
from core.comparison.columns import Columns
from core.comparison.result import CandidateResult, name_of

LEAST_DAYS = 0.5
"""Sooner by less is no reason to rent (our limit)."""


@dataclass(frozen=True, slots=True)
class Have:
    """One stock of chips at its fastest, and the cheapest option that can be had and is sooner, None without one.

    For work that never ends: its use that ranks first, and the option to rent or buy that does.
    """

    own: CandidateResult
    other: CandidateResult | None

    @property
    def extra_usd(self) -> float | None:
        """What the other costs more; below 0 where it costs less."""
        return None if self.other is None else self.other.cost.total.likely - self.own.cost.total.likely

    @property
    def sooner_days(self) -> float | None:
        """Days by which the other is done sooner; None where nothing ends."""
        own, other = self.own.days_to_finish, self.other.days_to_finish if self.other else None
        return own.likely - other.likely if own and other else None

    @property
    def sentence(self) -> Text:
        """``Your 64 × H100: 41 days, $12 k; 64 × B200 at Lambda would be 19 days sooner for $84 k more.``"""
        return Sentence("{}; {}.", _own_words(self.own), self._beside())

    def _beside(self) -> Text:
        if self.other is None or self.extra_usd is None:
            return "nothing else that can be had " + ("meets the limits" if self._never_ends else "is sooner")
        offer = self.other.candidate.offer
        name, place = self.other.candidate.name, _from(offer.provider)
        more = Sentence("{} {}", Amount(abs(self.extra_usd), USD, 2), "more" if self.extra_usd >= 0 else "less")
        if self.sooner_days is None:
            return Sentence("{} {} would cost {}", name, place, more)
        return Sentence("{} {} would be {} sooner for {}", name, place, days(self.sooner_days), more)

    @property
    def _never_ends(self) -> bool:
        return self.own.days_to_finish is None


def have(columns: Columns, results: Sequence[CandidateResult]) -> tuple[Have, ...]:
    """Each stock of chips that the user has and that runs the work, in the order of the ranking; () without any."""
    rows = [row for row, offer in enumerate(columns.offers) if offer.held_chips is not None]
    stocks: dict[str, list[int]] = {}
    for row in rows:
        if columns.throughputs[row].fits:
            stocks.setdefault(columns.offers[row].id, []).append(row)
    owns = [min(stock, key=lambda row: _order(columns, row)) for stock in stocks.values()]
    return tuple(Have(results[row], _other(columns, results, row)) for row in owns)


def _order(columns: Columns, row: int) -> tuple[bool, float, float]:
    """Within the limits first, then the soonest, then the cheapest; of what never ends the one that ranks first, which
    has the room for a slow outcome that is worth its price."""
    days = float(columns.days[row])
    return not columns.feasible[row], days, float(columns.cost_usd[row]) if np.isfinite(days) else float(row)


def _other(columns: Columns, results: Sequence[CandidateResult], own: int) -> CandidateResult | None:
    """The option that meets the limits and can be had at a proved price: the cheapest that is sooner where work ends,
    else the one that ranks first."""
    ends, is_held = np.isfinite(columns.days[own]), [offer.held_chips is not None for offer in columns.offers]
    good = columns.feasible & columns.is_firm & ~np.array(is_held, dtype=bool)
    if ends:
        good &= columns.days < columns.days[own] - LEAST_DAYS
    rows = np.flatnonzero(good)
    if not len(rows):
        return None
    return results[int(rows[np.argmin(columns.cost_usd[rows])] if ends else rows[0])]


def _from(provider: str) -> str:
    return "to be bought" if provider == OWN else f"at {provider_name(provider)}"


def _own_words(own: CandidateResult) -> Text:
    """What they do, or why they do not."""
    held = own.candidate.offer.held_chips or 0
    if own.candidate.n_chips > held:
        name = name_of(own.candidate.accelerator, held)
        return Sentence("Your {} are too few, {} needed", name, whole(own.candidate.n_chips))
    total = Amount(own.cost.total.likely, USD, 2)
    took = Sentence("{}, {}", days(own.days_to_finish.likely), total) if own.days_to_finish else total
    told = Sentence("Your {}: {}", own.candidate.name, took)
    return told if own.feasible else Sentence("{}, but {}", told, lower_first(without_stop(own.reasons[0].text)))
