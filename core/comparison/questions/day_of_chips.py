"""What a day more of a candidate's chips costs: their rent, or what servers of one's own cost while they are held."""

from __future__ import annotations

import numpy as np

from core.comparison.result import CandidateResult
from core.constants import HOURS_PER_DAY, HOURS_PER_MONTH
from core.cost.parts.commitment import TERM_H, committed_h
from core.cost.parts.hardware import hardware_split
from core.workload.profile import Profile


def is_bought(result: CandidateResult) -> bool:
    """True for chips whose servers the bill buys."""
    return hardware_split(result.cost.parts).bought_usd > 0


def term_h(result: CandidateResult) -> float:
    """Hours of the terms that chips are paid by; 0 for chips that are paid by use."""
    return TERM_H.get(result.candidate.offer.purchase_model, 0.0)


def held_hours(profile: Profile, result: CandidateResult) -> float:
    """Likely hours for which the bill has the chips, of all batches or the months in service, with those before each
    start."""
    return result.run_h.likely * profile.job.times_paid + profile.job.set_up_h * profile.job.n_rounds


def billed_hours(profile: Profile, result: CandidateResult, held_h: float) -> float:
    """Hours of a chip that are paid where it is held for so many: whole terms, less what other work takes over of the
    rest; the hours held without a term."""
    rest_h = float(committed_h(np.array(held_h), np.array(term_h(result)))) - held_h
    return held_h + rest_h * (1.0 - profile.places.commitment_reuse_pct / 100.0)


def further_usd(profile: Profile, result: CandidateResult, days: float = 1.0) -> float:
    """USD of so many further days: a day's rent each, or of chips that are paid by the term ``chips x hours more that
    are paid x price``, which is nothing until the term ends."""
    if not term_h(result):
        return days * day_usd(result)
    held_h, candidate = held_hours(profile, result), result.candidate
    now, then = (billed_hours(profile, result, held_h + more) for more in (0.0, days * HOURS_PER_DAY))
    return candidate.n_chips * (then - now) * candidate.usd_per_chip_hour


def day_usd(result: CandidateResult) -> float:
    """USD of a day in which chips are held: ``chips x 24 h x price``; of servers that are bought what they lose in
    worth, capital, maintenance, rooms and power in a mean day of the plan, installing not counted."""
    if not is_bought(result):
        candidate = result.candidate
        return candidate.n_chips * HOURS_PER_DAY * candidate.usd_per_chip_hour
    split, cost = hardware_split(result.cost.parts), result.cost
    held_usd = sum(cost.part(part) for part in ("owning", "colocation", "energy")) - split.installing_usd
    return held_usd / (split.months * HOURS_PER_MONTH / HOURS_PER_DAY)
