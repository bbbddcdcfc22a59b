"""F7: what leaving would cost against a year of the plan."""

from __future__ import annotations

import math

from core.catalogue.catalogue import Catalogue
from core.catalogue.entries import Accelerator, Offer
from core.catalogue.tco import cost_input
from core.flexibility.criterion import Criterion, Finding, Subject, Written
from core.flexibility.porting import EXPERIENCE
from core.ranges import Range
from core.units import plain, usd
from core.workload.profile import Profile

SHARE_SCALE = 0.25
"""Exit bill over a year's cost at which the score has fallen to 37 % (our proposal)."""

JAX_SHARE = 0.5
"""Share of the effort that JAX code leaves, as it runs on GPU too (our estimate)."""


def exit_weeks(profile: Profile, catalogue: Catalogue, accelerator: Accelerator) -> float:
    """Engineer-weeks to move off the chip: a model's port away from TPU and cloud vendors' own chips, else none.

    Code for NVIDIA or AMD GPU runs at other sellers of the same chip as it is.
    """
    if accelerator.kind == "gpu":
        return 0.0
    row = cost_input(catalogue, "porting_effort", "model")
    portable = JAX_SHARE if profile.stack.framework == "jax" else 1.0
    return (row.typical or 0.0) * portable * EXPERIENCE[profile.team.xla_experience]


def exit_bill_usd(profile: Profile, catalogue: Catalogue, offer: Offer, weeks: float, waste_usd: float) -> float:
    """``weeks x engineer's week + data set x egress + unused commitment``, in USD."""
    out = cost_input(catalogue, "egress_internet", offer.provider).typical or 0.0
    return weeks * profile.team.engineer_usd_per_week + profile.job.dataset_gb * out + waste_usd


def exit_cost(subject: Subject) -> Finding:
    """``exp(-x / 0.25)`` with x the exit bill over twelve months of the plan (the whole plan when it is shorter).

    The interval is that of a bill half as large or half as large again, as its effort is an estimate.
    """
    year = subject.total_usd * min(1.0, 12.0 / max(subject.months, 1e-6))
    share = subject.exit_usd / year if year > 0 else 0.0
    return Finding(
        value=Range(*(exit_score(factor * share) for factor in (1.5, 1.0, 0.5))),
        inputs=Written(
            ("Exit bill", subject.exit_usd, usd),
            ("Weeks to port away", subject.exit_weeks, plain),
            ("Twelve months of the plan", year, usd),
        ),
        evidence=f"Exit bill {100 * share:.0f} % of a year" if share >= 0.005 else "Leaving costs little",
        source="porting effort and egress of the catalogue; the bill",
        estimate=True,
    )


def exit_score(share: float) -> float:
    """1 for leaving free of charge, falling with the share of a year that it costs."""
    return math.exp(-share / SHARE_SCALE)


CRITERION = Criterion(
    "F7", "Exit cost", "exp(−(exit bill / 12-month cost) / 0.25)", 8, 20, exit_cost, depends_on="bill"
)
