"""The score: 100 x weighted mean of the criteria, with its interval and the exit bill beside it."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass

from core.catalogue.catalogue import Catalogue
from core.catalogue.entries import Accelerator, Offer
from core.flexibility.criterion import Criterion, Finding, Subject
from core.flexibility.exit_cost import exit_bill_usd, exit_weeks
from core.flexibility.porting import PortingEstimate, porting_estimate
from core.flexibility.registry import criteria
from core.flexibility.types import CriterionScore, Flexibility
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


def score_candidates(profile: Profile, catalogue: Catalogue, candidates: Sequence[Scorable]) -> list[Flexibility]:
    """Scores candidates, in order. What depends only on the chip, or on the offer's terms, is judged once for them.

    The bill is read for the exit cost and never changed.
    """
    known: dict[Hashable, CriterionScore] = {}
    shared: dict[Hashable, _Shared] = {}
    chips = {one.accelerator.id: one.accelerator for one in candidates}
    ports = {key: porting_estimate(profile, catalogue, chip) for key, chip in chips.items()}
    weeks = {key: exit_weeks(profile, catalogue, chip) for key, chip in chips.items()}
    found = []
    for one in candidates:
        chip, terms = one.accelerator.id, _terms(one)
        subject = _subject(profile, catalogue, one, ports[chip], weeks[chip])
        if terms not in shared:
            shared[terms] = _Shared.of([_remembered(criterion, subject, terms, known) for criterion in criteria()])
        score, scores = shared[terms].completed(subject)
        found.append(Flexibility(score, scores, subject.exit_usd, subject.exit_weeks))
    return found


@dataclass(frozen=True, slots=True)
class _Shared:
    """Scores of the criteria that candidates share, None for those that read the bill, and their weighted sums."""

    scores: tuple[CriterionScore | None, ...]
    sums: _Sums
    billed: tuple[int, ...]

    @classmethod
    def of(cls, scores: Sequence[CriterionScore | None]) -> _Shared:
        """From the scores in order of the criteria."""
        known = [score for score in scores if score is not None]
        return cls(
            tuple(scores), _add((0.0, 0.0, 0.0, 0.0), known), tuple(n for n, s in enumerate(scores) if s is None)
        )

    def completed(self, subject: Subject) -> tuple[Range, tuple[CriterionScore, ...]]:
        """Total and all scores of one candidate."""
        own = {number: _scored(criteria()[number], subject) for number in self.billed}
        scores = tuple(score or own[number] for number, score in enumerate(self.scores))
        return _mean(_add(self.sums, own.values())), scores


def _terms(one: Scorable) -> tuple[Hashable, ...]:
    """What two candidates must share to be judged alike but for their bills."""
    return one.accelerator.id, one.offer.provider, one.offer.purchase_model, one.offer.chips_per_host


def _subject(profile: Profile, catalogue: Catalogue, one: Scorable, port: PortingEstimate, weeks: float) -> Subject:
    leaving_usd = exit_bill_usd(profile, catalogue, one.offer, weeks, one.waste_usd)
    return Subject(
        profile,
        catalogue,
        one.accelerator,
        one.offer,
        port,
        one.total_usd,
        one.months,
        weeks,
        leaving_usd,
        one.waiting_days,
    )


def _remembered(
    criterion: Criterion, subject: Subject, terms: tuple[Hashable, ...], known: dict[Hashable, CriterionScore]
) -> CriterionScore | None:
    """The score that candidates of these terms share; None for a criterion that reads the bill."""
    if criterion.depends_on == "bill":
        return None
    key = (criterion.id, *(terms if criterion.depends_on == "offer" else terms[:1]))
    if key not in known:
        known[key] = _scored(criterion, subject)
    return known[key]


def total(scores: Iterable[CriterionScore]) -> Range:
    """``100 x sum(weight x value) / sum(weight)``, 0..100, with the criteria's intervals at their ends."""
    return _mean(_add((0.0, 0.0, 0.0, 0.0), scores))


_Sums = tuple[float, float, float, float]
"""Sum of weights, and weighted sums of the low, likely and high values."""


def _add(sums: _Sums, scores: Iterable[CriterionScore]) -> _Sums:
    weight, low, likely, high = sums
    for score in scores:
        weight += score.weight
        low += score.weight * score.value.low
        likely += score.weight * score.value.likely
        high += score.weight * score.value.high
    return weight, low, likely, high


def _mean(sums: _Sums) -> Range:
    weight, low, likely, high = sums
    if weight <= 0:
        return Range(0.0, 0.0, 0.0)
    scale = 100.0 / weight
    return Range(min(100.0, scale * low), min(100.0, scale * likely), min(100.0, scale * high))


def _scored(criterion: Criterion, subject: Subject) -> CriterionScore:
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
