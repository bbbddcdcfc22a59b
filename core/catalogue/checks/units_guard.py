"""Units and prices that cannot be meant: cores taken for chips, hosts for chips, placeholders, spot above on demand.

A refusal means that the price must not be used; a flag means that a person should look at it. Each names its rule.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from core.catalogue.entries import Offer
from core.catalogue.prices.newest import newest_of_each
from core.errors import InputError
from core.workload.profile import PurchaseModel

MOST_USD_PER_CHIP_HOUR = 200.0
"""No accelerator is rented for more; above it the price is of a host or a placeholder."""

UNIT_TOLERANCE = 1e-3
"""Relative: prices are rounded to a hundredth of a cent."""

PLACEHOLDER_USD = {"tpu-v6e": 700.0}
"""Price that a widely used list writes, per chip or times the chips, where it knows none."""

HOST_FOR_CHIP = 4.0
"""Times the median of the same chip and way to pay: above it, a price per chip looks like one of a whole host."""

CHIP_FOR_HOST = 1.5
"""Over the number of chips, times the seller's other price at the place: below it, a host's looks like a chip's."""

LOWEST_SHARE = 0.5
"""Of the lowest price known anywhere: below it, the price of a host looks like that of a chip."""

FEWEST_KNOWN = 5
FAR_BELOW_KNOWN = 0.75
"""An on-demand price below this share of the one known is likely that of another way to pay."""

CORES_PER_CHIP = 2
_COUNTS_CORES = {"v2": "tpu-v2", "v3": "tpu-v3", "v4": "tpu-v4", "v5p": "tpu-v5p", "tpu7x": "tpu7x"}
_COUNTS_CHIPS = {"v5litepod": "tpu-v5e", "v5e": "tpu-v5e", "v6e": "tpu-v6e"}
_SLICE = re.compile(r"(?:tpu-)?(v\d+(?:litepod|[a-z])?|tpu7x)-(\d{1,6})")
_MACHINE = re.compile(r"(ct3p?|ct4p|ct5lp|ct5p|ct6e|tpu7x)-(?:hightpu|standard)-([1-9]\d{0,3})t")
_MACHINE_CHIPS = {
    "ct3": "tpu-v3", "ct3p": "tpu-v3", "ct4p": "tpu-v4", "ct5lp": "tpu-v5e", "ct5p": "tpu-v5p", "ct6e": "tpu-v6e",
    "tpu7x": "tpu7x",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class TpuName:
    """What a TPU's name says: the chip, and how many of them, whatever the name counts."""

    accelerator_id: str
    n_chips: int


@dataclass(frozen=True, slots=True)
class Suspicion:
    """An offer whose price or unit cannot be meant, the rule that says so, and the reason in words."""

    offer_id: str
    rule: str
    is_refused: bool
    reason: str


def read_tpu_name(text: str) -> TpuName | None:
    """Chip and number of chips in the name of a TPU slice or machine; None for any other name.

    The number counts chips in v5e (v5litepod), v6e and in machine names (``ct6e-standard-4t``), but cores, two a chip,
    in v2, v3, v4, v5p and tpu7x. Raises InputError for a number of cores that makes no whole chips.
    """
    name = text.strip().lower()
    if machine := _MACHINE.fullmatch(name):
        return TpuName(_MACHINE_CHIPS[machine[1]], int(machine[2]))
    match = _SLICE.fullmatch(name)
    if not match or match[1] not in (*_COUNTS_CORES, *_COUNTS_CHIPS):
        return None
    generation, number = match[1], int(match[2])
    if generation in _COUNTS_CHIPS:
        return TpuName(_COUNTS_CHIPS[generation], number)
    if number % CORES_PER_CHIP or not number:
        raise InputError(f"TPU name '{text}'", f"{number} cores", f"a multiple of {CORES_PER_CHIP}: two cores a chip")
    return TpuName(_COUNTS_CORES[generation], number // CORES_PER_CHIP)


def name_contradiction(instance: str, accelerator_id: str, n_chips: int) -> str | None:
    """What a TPU's name says against the chip or the number of chips given for it; None where it says nothing else."""
    try:
        named = read_tpu_name(instance)
    except InputError as error:
        return f"{instance} names {error.found}: two cores make a chip"
    if named is None or (named.accelerator_id, named.n_chips) == (accelerator_id, n_chips):
        return None
    if named.accelerator_id != accelerator_id:
        return f"{instance} names {named.accelerator_id}, not {accelerator_id}"
    counts = "cores, two a chip" if named.n_chips * CORES_PER_CHIP == n_chips else "chips"
    return f"{instance} is {named.n_chips} chips, not {n_chips}; the number in its name counts {counts}"


@dataclass(frozen=True, slots=True)
class Known:
    """Prices per chip and hour, USD, that others are held against."""

    median: Mapping[tuple[str, PurchaseModel], float]
    lowest: Mapping[tuple[str, PurchaseModel], float]
    nearby: Mapping[tuple[str, str, PurchaseModel, str], Sequence[Offer]]
    by_host: Mapping[tuple[str, str, str, PurchaseModel], Offer]


def known_prices(offers: Iterable[Offer]) -> Known:
    """What prices of each chip and way to pay are like, where there are enough to tell."""
    prices: dict[tuple[str, PurchaseModel], list[float]] = defaultdict(list)
    nearby: dict[tuple[str, str, PurchaseModel, str], list[Offer]] = defaultdict(list)
    by_host = {}
    for offer in offers:
        prices[offer.accelerator_id, offer.purchase_model].append(offer.usd_per_chip_hour)
        nearby[_near(offer)].append(offer)
        by_host[(*_place(offer), offer.purchase_model)] = offer
    enough = {key: usd for key, usd in prices.items() if len(usd) >= FEWEST_KNOWN}
    lowest = {key: min(usd) for key, usd in enough.items()}
    return Known({key: median(usd) for key, usd in enough.items()}, lowest, nearby, by_host)


def suspicions(offers: Sequence[Offer], known: Sequence[Offer] = ()) -> tuple[Suspicion, ...]:
    """What is wrong with the prices of ``offers``, held against each other and against the offers ``known`` already.

    Of several prices of one machine, place and way to pay only the newest is flagged and held against.

    ``offers`` may be shipped, entered or read from a file; the rules are those of :func:`refusals` and :func:`flags`.
    """
    if not offers:
        return ()
    counting, held_against = newest_of_each(offers), newest_of_each(known)
    against, ids = known_prices(held_against or counting), {offer.id for offer in counting}
    beside = known_prices([*held_against, *counting])
    suspicious: list[Suspicion] = []
    for offer in offers:
        refused = [Suspicion(offer.id, rule, True, reason) for rule, reason in refusals(offer)]
        on_demand = beside.by_host.get((*_place(offer), "on_demand"))
        flagged = flags(offer, against, on_demand) if offer.id in ids else ()
        suspicious += refused or [Suspicion(offer.id, rule, False, reason) for rule, reason in flagged]
    return tuple(suspicious)


def refusals(offer: Offer) -> Iterator[tuple[str, str]]:
    """Rule and reason of each contradiction within one offer: cores for chips, no price, chips that are no host."""
    if words := name_contradiction(offer.instance, offer.accelerator_id, offer.chips_per_host):
        yield "cores for chips", words
    per_chip, per_host = offer.usd_per_chip_hour, offer.usd_per_host_hour
    if is_placeholder(offer.accelerator_id, per_chip) or is_placeholder(offer.accelerator_id, per_host):
        yield "placeholder", f"{per_host:g} USD is what the list writes where it knows no price"
    elif not 0 < per_chip <= MOST_USD_PER_CHIP_HOUR:
        yield (
            "implausible",
            f"{per_chip:g} USD per chip and hour; above 0 and at most {MOST_USD_PER_CHIP_HOUR:g} can be",
        )
    if is_inconsistent(per_chip, per_host, offer.chips_per_host):
        whole = offer.chips_per_host * per_chip
        yield (
            "inconsistent",
            f"{per_host:g} USD per host is not {offer.chips_per_host} chips at {per_chip:g}, that is {whole:g}",
        )


def flags(offer: Offer, known: Known, on_demand: Offer | None) -> Iterator[tuple[str, str]]:
    """Rule and reason of each price that may be one of another unit or another way to pay.

    ``on_demand`` is the offer of the same host and place on demand, known or coming with this one.
    """
    typical = known.median.get((offer.accelerator_id, offer.purchase_model))
    if typical and offer.usd_per_chip_hour > HOST_FOR_CHIP * typical:
        words = f"{offer.usd_per_chip_hour:.4g} USD per chip, usually {typical:.4g}; is it of a whole host?"
        yield "host price for a chip?", words
    least = _least(offer, known)
    if least and offer.chips_per_host > 1 and offer.usd_per_chip_hour < least:
        yield "chip price for a host?", f"only {offer.usd_per_chip_hour:.4g} USD per chip; is it of one chip?"
    if offer.purchase_model == "spot" and on_demand and offer.usd_per_chip_hour > on_demand.usd_per_chip_hour:
        spot, whole = offer.usd_per_chip_hour, on_demand.usd_per_chip_hour
        yield "spot above on demand", f"spot {spot:.4g} is above on demand {whole:.4g} USD per chip"
    yield from _far_below(offer, known.by_host.get((*_place(offer), offer.purchase_model)))


def is_placeholder(accelerator_id: str, usd: float) -> bool:
    """True for the figure, or a multiple of it, that stands for an unknown price of this chip."""
    unit = PLACEHOLDER_USD.get(accelerator_id)
    return unit is not None and usd >= unit and abs(usd / unit - round(usd / unit)) < UNIT_TOLERANCE


def is_inconsistent(usd_per_chip: float, usd_per_host: float, n_chips: int) -> bool:
    """True when a host's price is not that of its chips together."""
    whole = n_chips * usd_per_chip
    return abs(usd_per_host - whole) > UNIT_TOLERANCE * abs(whole)


def _least(offer: Offer, known: Known) -> float | None:
    """Price per chip below which a host's price looks like a chip's: by the seller's other hosts there, else by all."""
    others = [one.usd_per_chip_hour for one in known.nearby.get(_near(offer), ()) if one.id != offer.id]
    if others:
        return min(LOWEST_SHARE, CHIP_FOR_HOST / offer.chips_per_host) * median(others)
    lowest = known.lowest.get((offer.accelerator_id, offer.purchase_model))
    return LOWEST_SHARE * lowest if lowest else None


def _far_below(offer: Offer, before: Offer | None) -> Iterator[tuple[str, str]]:
    if offer.purchase_model != "on_demand" or before is None or before.source == offer.source:
        return
    share = offer.usd_per_chip_hour / before.usd_per_chip_hour
    if share < FAR_BELOW_KNOWN:
        yield "far below known", f"{share:.0%} of the price known for the same host and place; another way to pay?"


def _near(offer: Offer) -> tuple[str, str, PurchaseModel, str]:
    return offer.provider, offer.accelerator_id, offer.purchase_model, offer.region


def _place(offer: Offer) -> tuple[str, str, str]:
    return offer.provider, offer.instance, offer.region
