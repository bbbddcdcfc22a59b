"""The score: 100 x weighted mean of the criteria, with its interval and the exit bill beside it."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from core.catalogue.catalogue import Catalogue
from core.catalogue.entries import Accelerator, Offer
from core.flexibility.criterion import Array, Bills, Finding, Subject
from core.flexibility.exit_cost import exit_weeks, leaving_usd
from core.flexibility.porting import PortingEstimate, porting_estimate
from core.flexibility.registry import criteria
from core.flexibility.types import CriterionScore, Flexibility
from core.lazy_sequence import LazySequence
from core.ranges import Range
from core.workload.profile import Profile


@dataclass(frozen=True, slots=True)
class Scorable:
    """One candidate to score: chip, offer, its whole bill and unused commitment in USD, months that the plan lasts,
    days until the chips are there."""

    accelerator: Accelerator
    offer: Offer
    total_usd: float
    waste_usd: float
    months: float
    waiting_days: Range


@dataclass(frozen=True)
class Scored:
    """Scores of many candidates, shape (n, 3): low, likely, high; ``found`` writes one out when somebody looks."""

    spans: Array
    found: Sequence[Flexibility]


def score_all(
    profile: Profile,
    catalogue: Catalogue,
    candidate: Callable[[int], Scorable],
    total_usd: Array,
    waste_usd: Array,
    months: Array,
    terms_of: NDArray[np.intp],
) -> Scored:
    """Scores all candidates. What depends only on the chip, or on the offer's terms, is judged once for them.

    ``candidate`` gives one with all its facts; ``terms_of``, shape (n,), is the same number for candidates whose chip
    and offer are of the same terms. The bill is read for the exit cost and never changed.
    """
    shared, of_row = _by_terms(profile, catalogue, candidate, terms_of)
    exit_usd = np.array([one.leaving_usd for one in shared])[of_row] + waste_usd
    bills = Bills(total_usd, months, exit_usd)
    values = {one.id: one.values(bills) for one in criteria() if one.values}
    spans = _totals(profile, np.array([one.sums for one in shared]).reshape(-1, 4)[of_row], values)

    def written(row: int) -> Flexibility:
        known, own_usd = shared[int(of_row[row])], float(exit_usd[row])

        def score(number: int) -> CriterionScore:
            if criteria()[number].values is None:
                return known.scores[number]
            return _scored(known.subject(candidate(row), own_usd), number)

        scores = LazySequence(len(criteria()), score)
        return Flexibility(Range(*spans[row].tolist()), scores, own_usd, known.exit_weeks)

    return Scored(spans, LazySequence(len(total_usd), written))


@dataclass(frozen=True, slots=True)
class _Shared:
    """What candidates of the same terms share: values of the criteria, None for those that it does not decide; their
    weighted sums and their words; porting, weeks to port away, and USD for leaving but for the unused commitment."""

    profile: Profile
    catalogue: Catalogue
    porting: PortingEstimate
    exit_weeks: float
    values: tuple[Range | None, ...] = ()
    leaving_usd: float = 0.0
    sums: _Sums = (0.0, 0.0, 0.0, 0.0)
    scores: Sequence[CriterionScore] = ()

    def subject(self, one: Scorable, exit_usd: float) -> Subject:
        """One of the candidates as the criteria see it."""
        return Subject(
            self.profile,
            self.catalogue,
            one.accelerator,
            one.offer,
            self.porting,
            one.total_usd,
            one.months,
            self.exit_weeks,
            exit_usd,
            one.waiting_days,
        )


def _by_terms(
    profile: Profile,
    catalogue: Catalogue,
    candidate: Callable[[int], Scorable],
    terms_of: NDArray[np.intp],
) -> tuple[list[_Shared], NDArray[np.intp]]:
    """What is shared, and which of it each candidate takes, shape (n,)."""
    firsts, of_row = np.unique(terms_of, return_index=True, return_inverse=True)[1:]
    numbers: dict[Hashable, int] = {}
    shared: list[_Shared] = []
    of_chips: dict[str, _Shared] = {}
    of_first = []
    weights = tuple(asked.weight(profile) for asked in criteria())
    for first in firsts.tolist():
        one = candidate(first)
        if one.accelerator.id not in of_chips:
            of_chips[one.accelerator.id] = _of_chip(profile, catalogue, one)
        number = numbers.setdefault(_terms(one), len(shared))
        if number == len(shared):
            shared.append(_of_terms(of_chips[one.accelerator.id], one, weights))
        of_first.append(number)
    return shared, np.array(of_first, dtype=np.intp)[of_row]


def _of_chip(profile: Profile, catalogue: Catalogue, one: Scorable) -> _Shared:
    """What all candidates on the chip of this one share."""
    port, weeks = porting_estimate(profile, catalogue, one.accelerator), exit_weeks(profile, catalogue, one.accelerator)
    shared = _Shared(profile, catalogue, port, weeks)
    subject = shared.subject(one, 0.0)
    return replace(
        shared, values=tuple(asked.value(subject) if asked.depends_on == "chip" else None for asked in criteria())
    )


def _of_terms(chip: _Shared, one: Scorable, weights: Sequence[float]) -> _Shared:
    """What all candidates on the terms of this one share."""
    usd = leaving_usd(chip.profile, chip.catalogue, one.offer, chip.exit_weeks)
    subject = chip.subject(one, usd + one.waste_usd)
    values = tuple(
        asked.value(subject) if asked.depends_on == "offer" else value
        for asked, value in zip(criteria(), chip.values, strict=True)
    )
    return replace(
        chip,
        values=values,
        leaving_usd=usd,
        sums=_summed(values, weights),
        scores=LazySequence(len(values), partial(_scored, subject)),
    )


def _terms(one: Scorable) -> tuple[Hashable, ...]:
    """What two candidates must share to be judged alike but for their bills."""
    return one.accelerator.id, one.offer.provider, one.offer.purchase_model, one.offer.chips_per_host


def _totals(profile: Profile, sums: Array, values: dict[str, Array]) -> Array:
    """``100 x sum(weight x value) / sum(weight)`` of the shared sums, shape (n, 4), and the values of the bills."""
    weight, spans = sums[:, :1], sums[:, 1:]
    for criterion in criteria():
        if criterion.id in values:
            weight = weight + criterion.weight(profile)
            spans = spans + criterion.weight(profile) * values[criterion.id]
    return np.minimum(100.0, np.where(weight > 0, 100.0 / np.where(weight > 0, weight, 1.0), 0.0) * spans)


_Sums = tuple[float, float, float, float]
"""Sum of weights, and weighted sums of the low, likely and high values."""


def _summed(values: Iterable[Range | None], weights: Iterable[float]) -> _Sums:
    total = low = likely = high = 0.0
    for value, weight in zip(values, weights, strict=True):
        if value is not None:
            total += weight
            low += weight * value.low
            likely += weight * value.likely
            high += weight * value.high
    return total, low, likely, high


def _scored(subject: Subject, number: int) -> CriterionScore:
    """A criterion in words."""
    criterion = criteria()[number]
    finding: Finding = criterion.judge(subject)
    return CriterionScore(
        id=criterion.id,
        title=criterion.title,
        value=finding.value,
        weight=criterion.weight(subject.profile),
        formula=criterion.formula,
        inputs=finding.inputs,
        evidence=finding.evidence,
        source=finding.source,
        estimate=finding.estimate,
    )
