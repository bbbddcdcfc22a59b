"""Chips paid by the term: what a plan commits to, what of it is due by a day, and which bills pay it."""

from __future__ import annotations

from datetime import date

import numpy as np

from core.comparison.actuals.invoices import LEAST_INVOICE, MOSTLY
from core.comparison.questions.day_of_chips import billed_hours, held_hours, term_h
from core.comparison.result import CandidateResult
from core.comparison.together.due import COMMITTED
from core.constants import HOURS_PER_DAY, HOURS_PER_MONTH
from core.cost.parts.commitment import committed_h
from core.months import months_after
from core.workload.actuals import Baseline, Commitment
from core.workload.profile import Profile


def commitment_of(profile: Profile, result: CandidateResult) -> Commitment | None:
    """The terms of an option by its bill; None for chips that are paid by use, or whose rest other work takes over.

    The bill has ``held hours + share not taken over x rest of the terms``, all at one price: of it so much is owed
    whatever the work does, ``share not taken over x terms``, and the share of it that other work would take over runs
    with the days of work. The support plan is a share of the rent of each month of the terms.
    """
    whole_h, held_h = term_h(result), held_hours(profile, result)
    kept = 1.0 - profile.places.commitment_reuse_pct / 100.0
    rent_usd = sum(result.cost.part(part) for part in (*COMMITTED, "support"))
    if not whole_h or kept * rent_usd <= 0:
        return None
    n_terms = round(float(committed_h(np.array(held_h), np.array(whole_h))) / whole_h)
    term_usd = rent_usd * kept * whole_h / billed_hours(profile, result, held_h)
    return Commitment(months=round(whole_h / HOURS_PER_MONTH), term_usd=term_usd, n_terms=n_terms)


def term_days(months: int) -> float:
    """Days of a term as the bill has them, 730 hours a month."""
    return months * HOURS_PER_MONTH / HOURS_PER_DAY


def last_day(base: Baseline, n_terms: int) -> date:
    """The day on which so many terms are over, by the calendar; that on which work begins where none is owed."""
    months = base.commitment.months if base.commitment else 0
    return months_after(base.work_begins, n_terms * months) or date.max


def due_usd(base: Baseline, day: date) -> float:
    """Rent of terms that is due by a day: evenly over the days of the planned ones, and so on for as long as work goes
    on; 0 where chips are paid by use."""
    if base.commitment is None:
        return 0.0
    over = last_day(base, base.commitment.n_terms)
    days, passed = (over - base.work_begins).days, max((day - base.work_begins).days, 0)
    return base.committed_usd * passed / max(days, 1)


def settled_usd(base: Baseline, spend_usd: float, day: date, days: float, before_usd: float) -> float:
    """What of the terms is settled after a bill over ``days`` up to a day, where ``before_usd`` was before it.

    A bill of most of the rent that is due by then pays it, whatever the rest of it is for; of a smaller one so much
    counts as is above the running cost of its days. What :func:`ahead_usd` says is paid ahead; with most of all terms
    paid, all of them are.
    """
    due, ahead = _still_due(base, day, before_usd), ahead_usd(base, spend_usd, day, days, before_usd)
    if not ahead:
        is_paid = spend_usd >= MOSTLY * due
        return before_usd + (due if is_paid else max(spend_usd - days * base.usd_per_day, 0.0))
    settled = before_usd + due + ahead
    return base.committed_usd if settled >= MOSTLY * base.committed_usd else settled


def ahead_usd(base: Baseline, spend_usd: float, day: date, days: float, before_usd: float) -> float:
    """What a bill pays of terms before it is due: what it is above the rent that is due and the running cost of its
    days, where that is an invoice for it and not a dear month; 0 else."""
    above = spend_usd - _still_due(base, day, before_usd) - days * base.usd_per_day
    is_ahead = before_usd < base.committed_usd and above >= LEAST_INVOICE * base.committed_usd
    return above if is_ahead else 0.0


def _still_due(base: Baseline, day: date, before_usd: float) -> float:
    return max(due_usd(base, day) - before_usd, 0.0)
