"""How long chips are waited for, and how many independent sellers can really sell them to the job."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.amounts import Amount, Counted, Sentence, whole
from core.catalogue.catalogue import Catalogue
from core.catalogue.details.source_names import cited
from core.catalogue.entries import OWN, Offer
from core.catalogue.providers import provider_name
from core.catalogue.sellers.papers import kind_of_seller
from core.catalogue.sellers.waits import Wait
from core.throughput.types import Reason
from core.units import rounded_up
from core.workload.profile import Profile

_RESELLERS = ("broker",)


@dataclass(frozen=True, slots=True)
class Supply:
    """Likely days of waiting for a candidate's chips, whence that is known, and who can really sell the chip."""

    wait_days: float
    wait_origin: str
    chip: str
    sellers: tuple[str, ...]


def supply_of(catalogue: Catalogue, wait_days: float, wait: Wait, chip: str, sellers: frozenset[str]) -> Supply:
    """The supply of one candidate in words."""
    told = f"{wait.source}, {wait.as_of}" if wait.source else ""
    names = tuple(sorted(provider_name(one) for one in sellers))
    return Supply(wait_days, cited(told, catalogue.sources), chip, names)


def independent_sellers(
    catalogue: Catalogue, chip_ids: Sequence[str], offers: Sequence[Offer], can_sell: NDArray[np.bool_]
) -> dict[str, frozenset[str]]:
    """Sellers of each chip with a candidate that ``can_sell`` marks, shape (n,).

    A broker resells what others have and counts as nobody of his own, and neither does own hardware.
    """
    sellers: dict[str, set[str]] = {}
    for row in np.flatnonzero(can_sell).tolist():
        sellers.setdefault(chip_ids[row], set()).add(offers[row].provider)
    return {chip: frozenset(one for one in of_chip if _is_independent(catalogue, one)) for chip, of_chip in
            sellers.items()}  # fmt: skip


def _is_independent(catalogue: Catalogue, provider: str) -> bool:
    return provider != OWN and kind_of_seller(catalogue, provider) not in _RESELLERS


def supply_limits(profile: Profile, supply: Supply, n_chips: int) -> tuple[Reason, ...]:
    """Whether the wait is too long, and whether too few sell the chip."""
    return *_long_wait(profile, supply, n_chips), *_few_sellers(profile, supply)


def _long_wait(profile: Profile, supply: Supply, n_chips: int) -> tuple[Reason, ...]:
    limit = profile.limits.max_wait_days
    if limit is None or supply.wait_days <= limit:
        return ()
    days = Amount(supply.wait_days, "d", 2)
    origin = f" ({supply.wait_origin})" if supply.wait_origin else ""
    text = Sentence(
        "{} are waited for about {}, over the {} allowed{}.",
        Counted(n_chips, "chip"), days, Amount(limit, "d", 2), origin,
    )  # fmt: skip
    enough = Amount(rounded_up(supply.wait_days, 2), "d", 2)
    return (Reason("max_wait", text, Sentence("Fits with a wait of {} allowed", enough)),)


def _few_sellers(profile: Profile, supply: Supply) -> tuple[Reason, ...]:
    least, told = profile.places.min_sellers, len(supply.sellers)
    if told >= least or least == 1:
        return ()
    names = f": {', '.join(supply.sellers)}" if supply.sellers else ""
    text = Sentence(
        "{} can really sell {} to this job{}; {} are asked.",
        Counted(told, "independent seller"), supply.chip, names, whole(least),
    )  # fmt: skip
    change = f"Fits with {told} asked" if told else "Take a chip that more of them sell"
    return (Reason("min_sellers", text, change),)
