"""Hardware of one's own among what was paid: which bills hold it, and what of it is still to be paid."""

from __future__ import annotations

from core.workload.actuals import Baseline, OwnHardware

LEAST_INVOICE = 0.1
"""A bill above the running cost of its days by so much of what hardware was planned to cost holds an invoice for it
(our choice): deposits and instalments do, a dear month does not."""
MOSTLY = 0.8
"""With so much of it paid, hardware counts as paid whole (our choice): it came cheaper than planned."""


def invoiced_usd(base: Baseline, spend_usd: float, days: float, before_usd: float) -> float:
    """What of a bill over so many days is for hardware, ``spend - days x running cost``, where it is an invoice for it;
    0 else, and once bills ``before`` have paid all of it."""
    above = spend_usd - days * base.usd_per_day
    is_invoice = before_usd < base.hardware.bought_usd and above >= LEAST_INVOICE * base.hardware.bought_usd
    return above if is_invoice else 0.0


def still_due_share(hardware: OwnHardware, invoiced_usd: float) -> float:
    """Share of the hardware that is still to be paid, 0..1, after invoices of so much; 0 where none is bought."""
    if invoiced_usd >= MOSTLY * hardware.bought_usd:
        return 0.0
    return 1.0 - invoiced_usd / hardware.bought_usd
