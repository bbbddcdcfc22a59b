"""What every criterion is asked and answers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from core.amounts import Text
from core.catalogue.catalogue import Catalogue
from core.catalogue.entries import Accelerator, Offer
from core.flexibility.porting import PortingEstimate
from core.flexibility.situation import Situation
from core.ranges import Range
from core.workload.freedom import EQUAL_WEIGHT

Array = NDArray[np.float64]
DependsOn = Literal["chip", "seller", "terms", "bill"]


@dataclass(frozen=True, slots=True)
class Subject:
    """One candidate as the criteria see it.

    ``running_usd`` is the bill of the ``months`` that the plan lasts without what is done once, ``exit_usd`` with
    ``exit_weeks`` of work the bill for leaving, ``waiting_days`` the time between ordering and having the chips.
    """

    profile: Situation
    catalogue: Catalogue
    accelerator: Accelerator
    offer: Offer
    porting: PortingEstimate
    running_usd: float
    months: float
    exit_weeks: float
    exit_usd: float
    waiting_days: Range


@dataclass(frozen=True, slots=True)
class Finding:
    """A value in 0..1 with its interval, the inputs it came from, and how well it is known."""

    value: Range
    inputs: tuple[tuple[str, Text], ...]
    evidence: str
    source: str
    estimate: bool


@dataclass(frozen=True)
class Bills:
    """The bills of many candidates as the criteria see them, shapes (n,); names as those of :class:`Subject`."""

    running_usd: Array
    months: Array
    exit_usd: Array


@dataclass(frozen=True)
class Criterion:
    """One criterion: id of the product's table, title, formula in words, weights, and its function.

    ``value`` is asked of all candidates; ``judge``, which words the same value, where somebody looks. ``depends_on``
    tells how often: once a chip, once for a chip at a provider, once for that under a way to pay and a wait, or for
    every bill. One that reads the bill gives the values of all candidates at once in ``values``, shape (n, 3).
    ``weight_factor`` makes the weight follow what the user said of the work.
    """

    id: str
    title: str
    formula: str
    weight_exploring: float
    weight_standard: float
    value: Callable[[Subject], Range]
    judge: Callable[[Subject], Finding]
    depends_on: DependsOn = "chip"
    weight_factor: Callable[[Situation], float] | None = None
    values: Callable[[Bills], Array] | None = None

    def weight(self, profile: Situation) -> float:
        """The weight set for it, else that of the set of weights, which by itself goes by maturity."""
        own, preset = profile.freedom.weight_of(self.id), profile.freedom.preset
        if own is not None:
            return own
        if preset == "equal":
            return EQUAL_WEIGHT
        exploring = preset == "exploring" or (preset == "maturity" and profile.stack.maturity == "exploring")
        weight = self.weight_exploring if exploring else self.weight_standard
        return weight * (self.weight_factor(profile) if self.weight_factor else 1.0)


def sure(value: float) -> Range:
    """A value without an interval."""
    return Range(value, value, value)
