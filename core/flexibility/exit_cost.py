"""F7: what leaving would cost against a year of the plan.

The year is that of the running bill: work that is done once (porting, the data pipeline, setting up, waiting) is left
out, since with it a harder port onto a chip would make the same way off it look cheaper.
"""

from __future__ import annotations

import math

import numpy as np

from core.amounts import USD, Amount
from core.catalogue.catalogue import Catalogue
from core.catalogue.cost_inputs import cost_input
from core.catalogue.entries import Accelerator, Offer
from core.constants import MONTHS_PER_YEAR
from core.flexibility.criterion import Array, Bills, Criterion, Finding, Subject
from core.flexibility.porting import leaving_weeks
from core.flexibility.situation import Situation
from core.ranges import Range
from core.workload.profile import Profile, PurchaseModel

SHARE_SCALE = 0.25
"""Exit bill over a year's running bill at which the score has fallen to 37 % (our proposal)."""

USUAL_TARGET = "nvidia_gpu"
"""Family of chips that leaving is counted for where no target is named: what most sellers have."""

COMMITS: frozenset[PurchaseModel] = frozenset({"commit_1y", "commit_3y", "dedicated_monthly", "capacity_block"})
"""Ways to pay that owe something where work ends before the plan does."""


def exit_weeks(situation: Situation, catalogue: Catalogue, accelerator: Accelerator) -> float:
    """Engineer-weeks to move off the chip where no target is named: none off a GPU, else those to NVIDIA GPU.

    Code for a GPU runs at other sellers of the same chip as it is. See :func:`leaving_weeks`.
    """
    target = next((chip for chip in catalogue.accelerators if chip.family == USUAL_TARGET), None)
    if accelerator.kind == "gpu" or target is None:
        return 0.0
    return leaving_weeks(situation, catalogue, accelerator, target)


def leaving_usd(profile: Profile, catalogue: Catalogue, offer: Offer, weeks: float) -> float:
    """``weeks x engineer's week + data set x egress``, in USD; the unused commitment comes on top of it."""
    out = cost_input(catalogue, "egress_internet", offer.provider).typical or 0.0
    return weeks * profile.team.engineer_usd_per_week + profile.job.dataset_gb * out


def exit_value(subject: Subject) -> Range:
    """See :func:`exit_values`."""
    return Range(*exit_values(_bill(subject))[0].tolist())


def _bill(subject: Subject) -> Bills:
    return Bills(*(np.array([value]) for value in (subject.running_usd, subject.months, subject.exit_usd)))


def exit_cost(subject: Subject) -> Finding:
    """See :func:`exit_values`."""
    year_usd, share = (float(column[0]) for column in _year_and_share(_bill(subject)))
    return Finding(
        value=exit_value(subject),
        inputs=(
            ("Exit bill", Amount(subject.exit_usd, USD)),
            ("Weeks to port away", Amount(subject.exit_weeks)),
            ("Twelve months of the running bill", Amount(year_usd, USD)),
        ),
        evidence=_evidence(share, subject.offer.purchase_model),
        source="porting effort and egress of the catalogue; the bill",
        estimate=True,
    )


def _evidence(share: float, paid: PurchaseModel) -> str:
    """The bill is that of the end of the plan: where terms are owed, leaving sooner costs more."""
    much = f"Exit bill {100 * share:.0f} % of a year" if math.isfinite(share) else "Exit bill is all there is to pay"
    words = much if share >= 0.005 else "Leaving costs little"
    sooner = "; an earlier end also loses what is committed" if paid in COMMITS else ""
    return f"{words} on the last day{sooner}"


def exit_values(bills: Bills) -> Array:
    """``exp(-x / 0.25)`` with x the exit bill over twelve months of the running bill, shape (n, 3).

    The whole plan counts when it is shorter, and a bill beside a year that is free counts as all there is. The interval
    is that of a bill half as large or half as large again, as its effort is an estimate.
    """
    _, share = _year_and_share(bills)
    return np.column_stack([exit_score(factor * share) for factor in (1.5, 1.0, 0.5)])


def _year_and_share(bills: Bills) -> tuple[Array, Array]:
    year_usd = bills.running_usd * np.minimum(1.0, MONTHS_PER_YEAR / np.maximum(bills.months, 1e-6))
    with np.errstate(over="ignore"):  # a plan that costs next to nothing
        share = bills.exit_usd / np.where(year_usd > 0, year_usd, 1.0)
    return year_usd, np.where(year_usd > 0, share, np.where(bills.exit_usd > 0, np.inf, 0.0))


def exit_score(share: Array) -> Array:
    """1 for leaving free of charge, falling with the share of a year that it costs."""
    return np.asarray(np.exp(-np.asarray(share) / SHARE_SCALE))


CRITERION = Criterion(
    "F7",
    "Exit cost",
    "exp(−(exit bill / 12-month running bill) / 0.25)",
    8,
    20,
    exit_value,
    exit_cost,
    depends_on="bill",
    values=exit_values,
)
