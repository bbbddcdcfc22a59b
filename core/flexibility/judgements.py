"""What the criteria say of chips and of terms of sale, whatever the bill: judged once, and kept for the next edit.

Criteria see no more of a profile than a :class:`core.flexibility.situation.Situation`, so that an edit of anything
else changes no judgement.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache, partial
from typing import NamedTuple

from core.breath import breathe
from core.catalogue.catalogue import Catalogue
from core.catalogue.entries import Accelerator, Offer
from core.catalogue.per_catalogue import per_catalogue
from core.flexibility.criterion import Criterion, DependsOn, Finding, Subject, sure
from core.flexibility.exit_cost import exit_weeks
from core.flexibility.porting import PortingEstimate, porting_estimate
from core.flexibility.types import CriterionScore
from core.lazy_sequence import LazySequence
from core.ranges import Range
from core.workload.freedom import Freedom
from core.workload.profile import Places, Stack

MOST_KEPT = 4
"""Situations whose judgements are kept for a catalogue: of the workload on screen, the last one, before an edit."""

TYPED = "typed by the user"
"""Source of a value that was set by hand."""

Values = tuple[Range | None, ...]
"""Of the criteria; None for those that nobody was asked about yet."""

Sums = tuple[float, float, float, float]
"""Sum of weights, and weighted sums of the low, likely and high values."""


@dataclass(frozen=True, slots=True)
class Scorable:
    """One candidate to score: chip, offer, its bill without what is done once and unused commitment in USD, months that
    the plan lasts, days until the chips are there."""

    accelerator: Accelerator
    offer: Offer
    running_usd: float
    waste_usd: float
    months: float
    waiting_days: Range


class TeamOf(NamedTuple):
    """What judgements rest on of a team."""

    xla_experience: str
    debug_need: str


class SituationOf(NamedTuple):
    """What judgements rest on of a profile. It holds no judgement: those that hold it then go when nobody has them."""

    stack: Stack
    team: TeamOf
    places: Places
    freedom: Freedom = Freedom()


@dataclass(frozen=True, slots=True)
class OfChip:
    """What all candidates on a chip share: values of the criteria that it decides, None for the others."""

    accelerator: Accelerator
    porting: PortingEstimate
    exit_weeks: float
    values: Values


@dataclass(frozen=True, slots=True)
class OfTerms:
    """What all candidates on the same terms share: weighted sums, and words, of all criteria but those of the bill."""

    of_chip: OfChip
    sums: Sums
    scores: Sequence[CriterionScore]


@dataclass(frozen=True)
class Judgements:
    """Of all chips and terms of a catalogue in one situation, each worked out when it is first asked for."""

    catalogue: Catalogue
    criteria: tuple[Criterion, ...]
    situation: SituationOf
    _of_chips: dict[int, OfChip] = field(default_factory=dict)
    _of_sellers: dict[tuple[int, str], Values] = field(default_factory=dict)
    _of_terms: dict[Hashable, OfTerms] = field(default_factory=dict)

    def of(self, one: Scorable) -> OfTerms:
        """Of the terms of a candidate."""
        breathe()
        offer = one.offer
        terms = (
            id(one.accelerator), offer.provider, offer.purchase_model, offer.chips_per_host, one.waiting_days,
        )  # fmt: skip
        judged = self._of_terms.get(terms)
        return judged or self._of_terms.setdefault(terms, self._judged(one))

    def subject(self, one: Scorable, porting: PortingEstimate, weeks: float, exit_usd: float) -> Subject:
        """A candidate as the criteria see it."""
        return Subject(
            self.situation,
            self.catalogue,
            one.accelerator,
            one.offer,
            porting,
            one.running_usd,
            one.months,
            weeks,
            exit_usd,
            one.waiting_days,
        )

    def _judged(self, one: Scorable) -> OfTerms:
        number = id(one.accelerator)
        chip = self._of_chips.get(number) or self._of_chips.setdefault(number, self._chip(one))
        subject, seller = self.subject(one, chip.porting, chip.exit_weeks, 0.0), (number, one.offer.provider)
        of_seller = self._of_sellers.get(seller) or self._of_sellers.setdefault(
            seller, self._values("seller", subject, chip.values)
        )
        words = LazySequence(len(of_seller), partial(_worded, self.criteria, subject))
        return OfTerms(chip, _summed(self._values("terms", subject, of_seller), self._weights), words)

    @cached_property
    def _weights(self) -> tuple[float, ...]:
        return tuple(asked.weight(self.situation) for asked in self.criteria)

    def _chip(self, one: Scorable) -> OfChip:
        porting = porting_estimate(self.situation, self.catalogue, one.accelerator)
        weeks = exit_weeks(self.situation, self.catalogue, one.accelerator)
        subject = self.subject(one, porting, weeks, 0.0)
        values = self._values("chip", subject, (None,) * len(self.criteria))
        return OfChip(one.accelerator, porting, weeks, values)

    def _values(self, depending_on: DependsOn, subject: Subject, known: Values) -> Values:
        """What is known, and the values of the criteria that depend on something further."""
        return tuple(
            valued(asked, subject) if asked.depends_on == depending_on else value
            for asked, value in zip(self.criteria, known, strict=True)
        )


@per_catalogue
def judgements_of(catalogue: Catalogue) -> Callable[[tuple[Criterion, ...], SituationOf], Judgements]:
    """The judgements of the last few situations, by criteria and situation."""
    return lru_cache(maxsize=MOST_KEPT)(partial(Judgements, catalogue))


def valued(criterion: Criterion, subject: Subject) -> Range:
    """A criterion's value, or the one that the user set for the chip."""
    typed = subject.profile.freedom.override(subject.accelerator.id, criterion.id)
    return sure(typed.points / 100) if typed else criterion.value(subject)


def scored(criterion: Criterion, subject: Subject) -> CriterionScore:
    """A criterion in words; one that the user set is marked by the reason given."""
    finding: Finding = criterion.judge(subject)
    typed = subject.profile.freedom.override(subject.accelerator.id, criterion.id)
    if typed:
        finding = Finding(sure(typed.points / 100), finding.inputs, f"Set by hand: {typed.note}", TYPED, False)
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
        note=typed.note if typed else "",
    )


def _worded(criteria: tuple[Criterion, ...], subject: Subject, number: int) -> CriterionScore:
    return scored(criteria[number], subject)


def _summed(values: Values, weights: Sequence[float]) -> Sums:
    total = low = likely = high = 0.0
    for value, weight in zip(values, weights, strict=True):
        if value is not None:
            total += weight
            low += weight * value.low
            likely += weight * value.likely
            high += weight * value.high
    return total, low, likely, high
