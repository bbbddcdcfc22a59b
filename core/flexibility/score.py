"""The score: 100 x weighted mean of the criteria, with its interval and the exit bill beside it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.catalogue.catalogue import Catalogue
from core.flexibility.criterion import Array, Bills
from core.flexibility.exit_cost import leaving_usd
from core.flexibility.judgements import Scorable, SituationOf, TeamOf, judgements_of, scored
from core.flexibility.registry import criteria, criteria_in
from core.flexibility.types import CriterionScore, Flexibility
from core.lazy_sequence import LazySequence
from core.ranges import Range
from core.workload.profile import Profile


@dataclass(frozen=True)
class Scored:
    """Scores of many candidates, shape (n, 3): low, likely, high; ``found`` writes one out when somebody looks."""

    spans: Array
    found: Sequence[Flexibility]


def score_all(
    profile: Profile,
    catalogue: Catalogue,
    candidate: Callable[[int], Scorable],
    running_usd: Array,
    waste_usd: Array,
    months: Array,
    terms_of: NDArray[np.intp],
) -> Scored:
    """Scores all candidates. What depends only on the chip, or on the offer's terms, is judged once for them.

    ``candidate`` gives one with all its facts; ``terms_of``, shape (n,), is the same number for candidates whose chip
    and offer are of the same terms. The bill, ``running_usd`` without what is done once, is read for the exit cost and
    never changed.
    """
    team = TeamOf(profile.team.xla_experience, profile.team.debug_need)
    asked = criteria_in(profile.freedom, catalogue)
    judgements = judgements_of(catalogue)(asked, SituationOf(profile.stack, team, profile.places, profile.freedom))
    firsts, of_row = np.unique(terms_of, return_index=True, return_inverse=True)[1:]
    examples = [candidate(first) for first in firsts.tolist()]
    shared = [judgements.of(one) for one in examples]
    weeks = [one.of_chip.exit_weeks for one in shared]
    leaving = [leaving_usd(profile, catalogue, one.offer, own) for one, own in zip(examples, weeks, strict=True)]
    exit_usd = np.array(leaving)[of_row] + waste_usd
    bills = Bills(running_usd, months, exit_usd)
    chips = np.array([one.accelerator.id for one in examples])[of_row] if profile.freedom.overrides else np.array([])
    values = {one.id: _typed(profile, one.id, chips, one.values(bills)) for one in asked if one.values}
    spans = _totals(profile, np.array([one.sums for one in shared]).reshape(-1, 4)[of_row], values)

    def written(row: int) -> Flexibility:
        own = shared[int(of_row[row])]
        chip, own_usd = own.of_chip, float(exit_usd[row])

        def score(number: int) -> CriterionScore:
            if asked[number].values is None:
                return own.scores[number]
            subject = judgements.subject(candidate(row), chip.porting, chip.exit_weeks, own_usd)
            return scored(asked[number], subject)

        return Flexibility(Range(*spans[row].tolist()), LazySequence(len(asked), score), own_usd, chip.exit_weeks)

    return Scored(spans, LazySequence(len(running_usd), written))


def _typed(profile: Profile, criterion_id: str, chips: NDArray[np.str_], values: Array) -> Array:
    """Values of a criterion, shape (n, 3), with those that the user set for their chips, shape (n,), in their place."""
    for one in profile.freedom.overrides:
        if one.criterion_id == criterion_id:
            values[chips == one.accelerator_id] = one.points / 100
    return values


def _totals(profile: Profile, sums: Array, values: dict[str, Array]) -> Array:
    """``100 x sum(weight x value) / sum(weight)`` of the shared sums, shape (n, 4), and the values of the bills."""
    weight, spans = sums[:, :1], sums[:, 1:]
    for criterion in criteria():
        if criterion.id in values:
            weight = weight + criterion.weight(profile)
            spans = spans + criterion.weight(profile) * values[criterion.id]
    return np.minimum(100.0, np.where(weight > 0, 100.0 / np.where(weight > 0, weight, 1.0), 0.0) * spans)
