"""The score: 100 x weighted mean of the criteria, with its interval and the exit bill beside it."""

from __future__ import annotations

from collections.abc import Sequence

from core.catalogue.catalogue import Catalogue
from core.catalogue.entries import Accelerator, Offer
from core.cost.types import Cost
from core.flexibility.criterion import Criterion, Finding, Subject
from core.flexibility.exit_cost import exit_bill_usd, exit_weeks
from core.flexibility.porting import PortingEstimate, porting_estimate
from core.flexibility.registry import criteria
from core.flexibility.types import CriterionScore, Flexibility
from core.ranges import Range
from core.workload.profile import Profile


def score_candidates(
    profile: Profile,
    catalogue: Catalogue,
    accelerators: Sequence[Accelerator],
    offers: Sequence[Offer],
    costs: Sequence[Cost],
    months: Sequence[float],
) -> list[Flexibility]:
    """Scores candidates side by side; all sequences have one entry a candidate.

    Criteria that depend only on the chip are judged once a chip. Cost is read for the exit bill and never changed.
    """
    portings: dict[str, PortingEstimate] = {}
    shared: dict[str, list[CriterionScore]] = {}
    found = []
    for chip, offer, cost, duration in zip(accelerators, offers, costs, months, strict=True):
        if chip.id not in portings:
            portings[chip.id] = porting_estimate(profile, catalogue, chip)
        subject = Subject(profile, catalogue, chip, offer, cost, portings[chip.id], duration)
        if chip.id not in shared:
            shared[chip.id] = [_scored(one, subject) for one in criteria() if not one.per_offer]
        own = [_scored(one, subject) for one in criteria() if one.per_offer]
        scores = tuple(sorted((*shared[chip.id], *own), key=lambda score: score.id))
        found.append(Flexibility(total(scores), scores, exit_bill_usd(subject), exit_weeks(subject)))
    return found


def total(scores: Sequence[CriterionScore]) -> Range:
    """``100 x sum(weight x value) / sum(weight)``, 0..100, with the criteria's intervals at their ends."""
    weight = sum(score.weight for score in scores)
    if weight <= 0:
        return Range(0.0, 0.0, 0.0)

    def mean(name: str) -> float:
        return 100.0 * sum(score.weight * getattr(score.value, name) for score in scores) / weight

    return Range(mean("low"), mean("likely"), mean("high"))


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
