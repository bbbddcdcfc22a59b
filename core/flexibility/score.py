"""The score: 100 x weighted mean of the criteria, with its interval and the exit bill beside it."""

from __future__ import annotations

from collections.abc import Sequence
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
    """One candidate to score: chip, offer, its whole bill and unused commitment in USD, months that the plan lasts."""

    accelerator: Accelerator
    offer: Offer
    total_usd: float
    waste_usd: float
    months: float


def score_candidates(profile: Profile, catalogue: Catalogue, candidates: Sequence[Scorable]) -> list[Flexibility]:
    """Scores candidates, in order. Criteria that depend only on the chip are judged once a chip.

    The bill is read for the exit cost and never changed.
    """
    portings: dict[str, PortingEstimate] = {}
    shared: dict[str, list[CriterionScore]] = {}
    found = []
    for one in candidates:
        chip = one.accelerator
        if chip.id not in portings:
            portings[chip.id] = porting_estimate(profile, catalogue, chip)
        subject = Subject(
            profile, catalogue, chip, one.offer, portings[chip.id], one.total_usd, one.waste_usd, one.months
        )
        if chip.id not in shared:
            shared[chip.id] = [_scored(criterion, subject) for criterion in criteria() if not criterion.per_offer]
        own = [_scored(criterion, subject) for criterion in criteria() if criterion.per_offer]
        scores = tuple(sorted((*shared[chip.id], *own), key=_id))
        found.append(Flexibility(total(scores), scores, exit_bill_usd(subject), exit_weeks(subject)))
    return found


def _id(score: CriterionScore) -> str:
    return score.id


def total(scores: Sequence[CriterionScore]) -> Range:
    """``100 x sum(weight x value) / sum(weight)``, 0..100, with the criteria's intervals at their ends."""
    weight = sum(score.weight for score in scores)
    if weight <= 0:
        return Range(0.0, 0.0, 0.0)

    low = sum(score.weight * score.value.low for score in scores)
    likely = sum(score.weight * score.value.likely for score in scores)
    high = sum(score.weight * score.value.high for score in scores)
    return Range(low, likely, high).scaled(100.0 / weight)


def weight_of(criterion: Criterion, profile: Profile) -> float:
    """The criterion's weight: exploring work weighs freedom of code higher, settled work freedom of supply."""
    exploring = profile.stack.maturity == "exploring"
    return criterion.weight_exploring if exploring else criterion.weight_standard


def _scored(criterion: Criterion, subject: Subject) -> CriterionScore:
    finding: Finding = criterion.judge(subject)
    return CriterionScore(
        id=criterion.id,
        title=criterion.title,
        value=finding.value,
        weight=weight_of(criterion, subject.profile),
        formula=criterion.formula,
        inputs=finding.inputs,
        evidence=finding.evidence,
        source=finding.source,
        estimate=finding.estimate,
    )
