"""F7: what leaving would cost against a year of the plan."""

from __future__ import annotations

import math

from core.catalogue.tco import cost_input
from core.flexibility.criterion import Criterion, Finding, Subject
from core.flexibility.porting import EXPERIENCE
from core.ranges import Range
from core.units import plain, usd

SHARE_SCALE = 0.25
"""Exit bill over a year's cost at which the score has fallen to 37 % (our proposal)."""


def exit_weeks(subject: Subject) -> float:
    """Engineer-weeks to move off the chip: a model's port away from TPU and cloud vendors' own chips, else none.

    Code for NVIDIA or AMD GPU runs at other sellers of the same chip as it is.
    """
    if subject.accelerator.kind == "gpu":
        return 0.0
    row = cost_input(subject.catalogue, "porting_effort", "model")
    portable = 0.5 if subject.profile.stack.framework == "jax" else 1.0
    return (row.typical or 0.0) * portable * EXPERIENCE[subject.profile.team.xla_experience]


def exit_bill_usd(subject: Subject) -> float:
    """``weeks x engineer's week + data set x egress + unused commitment``, in USD."""
    profile = subject.profile
    out = cost_input(subject.catalogue, "egress_internet", subject.offer.provider).typical or 0.0
    labour = exit_weeks(subject) * profile.team.engineer_usd_per_week
    return labour + profile.job.dataset_gb * out + subject.waste_usd


def exit_cost(subject: Subject) -> Finding:
    """``exp(-x / 0.25)`` with x the exit bill over twelve months of the plan (the whole plan when it is shorter)."""
    bill = exit_bill_usd(subject)
    year = subject.total_usd * min(1.0, 12.0 / max(subject.months, 1e-6))
    share = bill / year if year > 0 else 0.0
    value = math.exp(-share / SHARE_SCALE)
    return Finding(
        value=Range(math.exp(-1.5 * share / SHARE_SCALE), value, math.exp(-0.5 * share / SHARE_SCALE)),
        inputs=(
            ("Exit bill", usd(bill)),
            ("Weeks to port away", plain(exit_weeks(subject), 2)),
            ("Twelve months of the plan", usd(year)),
        ),
        evidence=f"Leaving costs {usd(bill)}, {plain(100 * share, 2)} % of a year",
        source="porting effort and egress of the catalogue; the bill",
        estimate=True,
    )


CRITERION = Criterion("F7", "Exit cost", "exp(−(exit bill / 12-month cost) / 0.25)", 8, 20, exit_cost, per_offer=True)
