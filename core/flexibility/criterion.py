"""What every criterion is asked and answers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from core.catalogue.catalogue import Catalogue
from core.catalogue.entries import Accelerator, Offer
from core.flexibility.porting import PortingEstimate
from core.ranges import Range
from core.workload.profile import Profile


@dataclass(frozen=True, slots=True)
class Subject:
    """One candidate as the criteria see it.

    ``total_usd`` and ``waste_usd`` are the whole bill and its unused commitment; ``months`` is how long the plan lasts.
    """

    profile: Profile
    catalogue: Catalogue
    accelerator: Accelerator
    offer: Offer
    porting: PortingEstimate
    total_usd: float
    waste_usd: float
    months: float


@dataclass(frozen=True, slots=True)
class Finding:
    """A value in 0..1 with its interval, the inputs it came from, and how well it is known."""

    value: Range
    inputs: tuple[tuple[str, str], ...]
    evidence: str
    source: str
    estimate: bool


@dataclass(frozen=True)
class Criterion:
    """One criterion: id of the product's table, title, formula in words, weights, and its function.

    ``per_offer`` criteria depend on the bill; the others only on chip and provider, and are counted once for both.
    """

    id: str
    title: str
    formula: str
    weight_exploring: float
    weight_standard: float
    judge: Callable[[Subject], Finding]
    per_offer: bool = False


def sure(value: float) -> Range:
    """A value without an interval."""
    return Range(value, value, value)
