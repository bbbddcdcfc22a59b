"""What entries tell of work and of money."""

from __future__ import annotations

from collections.abc import Sequence

from core.workload.actuals import Baseline, Entry


def work_of(baseline: Baseline, entry: Entry) -> float:
    """What an entry did, in the plan's unit; steps count by what one of them takes."""
    if entry.done is not None:
        return entry.done
    return (entry.steps or 0.0) * (baseline.per_step or 0.0)


def knows_work(entry: Entry) -> bool:
    """True where an entry says what was done."""
    return entry.done is not None or entry.steps is not None


def is_told(entry: Entry) -> bool:
    """True where an entry says anything."""
    return knows_work(entry) or entry.spend_usd is not None or entry.chip_hours is not None


def knows_spend(baseline: Baseline, entry: Entry) -> bool:
    """True where an entry says what it cost: hours of chips that are one's own, or paid by the term, are no money."""
    return entry.spend_usd is not None or (entry.chip_hours is not None and baseline.bills_hours)


def spend_of(baseline: Baseline, entry: Entry) -> float:
    """What an entry says it cost: as typed, else hours of chips paid by use at the price as it was frozen; 0 where it
    does not say."""
    if entry.spend_usd is not None:
        return entry.spend_usd
    return (entry.chip_hours or 0.0) * baseline.usd_per_chip_hour if knows_spend(baseline, entry) else 0.0


def paid_at_first(baseline: Baseline, entries: Sequence[Entry]) -> float:
    """Paid as the work begins: porting, and hardware as planned where entries tell no payment at all; 0 without any."""
    if not entries:
        return 0.0
    has_bills = any(knows_spend(baseline, one) for one in entries)
    return baseline.upfront_usd + (0.0 if has_bills else baseline.hardware.bought_usd)
