"""How many chips a scale phase takes: enough for its own dates, not for the deadline its workload has by itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from core.comparison.over_time.held import Held, other_counts
from core.comparison.rank.board import LEAST_DAYS
from core.comparison.result import ResultSet
from core.workload.phases import Phase


def is_sized(phase: Phase) -> bool:
    """True where neither chips nor an option nor a length are typed, so that the dates decide."""
    return phase.stage == "scale" and phase.chips is None and not phase.candidate and phase.days is None


def sized(
    results: ResultSet, phase: Phase, held: Held, work_begins: Callable[[Held], float], due: float | None
) -> Held:
    """The number of chips of the offer held that is best of those that are done by a day of the plan, ``due``: the
    cheapest where the phase ends on a typed day, else by the weights of the workload, ``w_cost x least / cost
    + w_time x fewest / days``.

    Those count whose run is done even if it takes as long as its 80 % range reaches, else those whose likely run is.
    As it was where none is, where no day is known, and of work that never ends. ``work_begins`` gives the likely day on
    which the work on some chips begins.
    """
    if due is None or not held.profile.job.ends or not is_sized(phase):
        return held
    share, counts = phase.share_pct / 100, other_counts(results, phase, held)
    ends = {one.n_chips: work_begins(one) + share * one.run_days.likely for one in counts}
    slack = {one.n_chips: share * (one.run_days.high - one.run_days.likely) for one in counts}
    sure = [one for one in counts if ends[one.n_chips] + slack[one.n_chips] <= due]
    in_time = sure or [one for one in counts if ends[one.n_chips] <= due]
    if not in_time:
        return held
    best = _cheapest(in_time) if phase.end is not None else _best(in_time, ends, work_begins(held))
    return held if best.n_chips == held.n_chips else replace(best, sized_for=due)


def _cheapest(counts: Sequence[Held]) -> Held:
    """Chips are paid for up to the typed day, however soon the work is done."""
    return min(counts, key=lambda one: (one.usd_per_day, one.n_chips))


def _best(counts: Sequence[Held], ends: Mapping[int, float], begins: float) -> Held:
    """Days count from when the work on the option itself would begin."""
    weights, first = counts[0].profile.weights, min(ends.values())
    usd = {one.n_chips: one.usd_per_day * one.run_days.likely for one in counts}
    least_usd, from_day = min(usd.values()), min(begins, first - LEAST_DAYS)

    def goodness(one: Held) -> float:
        days = ends[one.n_chips] - from_day
        cost = least_usd / max(usd[one.n_chips], 1e-9)
        return weights.cost * cost + weights.time * (first - from_day) / max(days, LEAST_DAYS)

    return max(counts, key=lambda one: (goodness(one), -one.n_chips))
