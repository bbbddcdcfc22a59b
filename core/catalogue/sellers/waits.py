"""Days until capacity is there, by class of seller, way to pay, chips and size, from ``waits.csv``."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from core.catalogue.catalogue import Catalogue
from core.catalogue.cost_inputs import cost_input
from core.catalogue.entries import OWN, CapacityWait, Offer, Seller, SellerClass, Way
from core.catalogue.per_catalogue import per_catalogue
from core.constants import DAYS_PER_WEEK
from core.ranges import Range
from core.workload.profile import PurchaseModel

ANY = "any"
LIKE: dict[SellerClass, tuple[SellerClass, ...]] = {
    "hyperscaler": ("hyperscaler",),
    "ai_cloud_large": ("ai_cloud_large", "ai_cloud", "hyperscaler"),
    "ai_cloud": ("ai_cloud", "ai_cloud_large", "hyperscaler"),
    "marketplace": ("marketplace", "broker", "ai_cloud", "ai_cloud_large", "hyperscaler"),
    "broker": ("broker", "marketplace", "ai_cloud", "ai_cloud_large", "hyperscaler"),
    "community": ("community", "marketplace", "broker", "ai_cloud", "ai_cloud_large", "hyperscaler"),
    "own": ("own",),
}
"""Classes whose waits stand in where a class has no row of its own, the likest first (our order)."""

UNKNOWN_CLASS: SellerClass = "ai_cloud"
"""What a seller without a row counts as."""

_BY_CONTRACT: tuple[PurchaseModel, ...] = ("commit_1y", "commit_3y", "dedicated_monthly")


@dataclass(frozen=True, slots=True)
class Wait:
    """Days until the chips are there, and whence; ``estimate`` is true where no source backs the days."""

    days: Range
    source: str
    as_of: str
    estimate: bool


NO_WAIT = Wait(Range(0.0, 0.0, 0.0), "", "", False)
Waits = Sequence[tuple[int, Wait]]
AT_ONCE: Waits = ()


def seller_class(catalogue: Catalogue, provider: str) -> SellerClass:
    """Class of a provider; one without a row counts as a specialised cloud."""
    if provider == OWN:
        return "own"
    seller = catalogue.seller_by_provider.get(provider)
    return seller.seller_class if seller else UNKNOWN_CLASS


def wait_of(catalogue: Catalogue, offer: Offer, n_chips: int) -> Wait:
    """Days until so many chips of an offer are there; what is bought is delivered first, what the user has is there.

    Of a provider's chips the largest of the rows that hold up to this size, so that no larger order waits less; with
    the quota of a hyperscaler, which is asked for meanwhile, so that the longer of the two counts. Above what a seller
    lets without a contract, the wait is at least that of a contract, but for chips of which a row of his says that more
    are let on demand, and sooner. Servers that are bought by the rows of their chip,
    else the usual lead time; large orders are tested before they are handed over, which comes on top.
    """
    return _at(waits_of(catalogue, offer), n_chips)


def waits_of(catalogue: Catalogue, offer: Offer) -> Waits:
    """Sizes of an order from which on a wait holds, smallest first; the same object for offers that wait alike."""
    if offer.held_chips is not None:
        return AT_ONCE
    if offer.provider != OWN:
        return _rented(catalogue, offer.provider, offer.accelerator_id, offer.purchase_model)
    server = catalogue.server_by_instance.get(offer.instance)
    return AT_ONCE if server is None or server.in_house else _bought(catalogue, offer.accelerator_id)


def _at(waits: Waits, n_chips: int) -> Wait:
    return next((wait for start, wait in reversed(waits) if start <= n_chips), NO_WAIT)


def _rented(catalogue: Catalogue, provider: str, chip_id: str, way: PurchaseModel) -> Waits:
    steps, key = _steps(catalogue), (provider, chip_id, way)
    if key not in steps:
        steps[key] = _grown(catalogue, provider, chip_id, way)
    return steps[key]


def _bought(catalogue: Catalogue, chip_id: str) -> Waits:
    steps, key = _steps(catalogue), (OWN, chip_id, "owned")
    if key not in steps:
        steps[key] = _delivered(catalogue, chip_id)
    return steps[key]


def refused_from(catalogue: Catalogue, provider: str, chip_id: str, way: PurchaseModel) -> CapacityWait | None:
    """The row from whose size on a provider's chips are not to be had this way; None where no row says so."""
    own_class = seller_class(catalogue, provider)
    rows = [row for row in _by_way(catalogue)[own_class, way] if row.refused and _is_for(row, provider, chip_id)]
    return min(rows, key=_start, default=None)


def holds_for(chips: Iterable[str], chip_id: str) -> bool:
    """True where a list of beginnings of chip ids holds for a chip."""
    return any(beginning == ANY or chip_id.startswith(beginning) for beginning in chips)


@per_catalogue
def _steps(_: Catalogue) -> dict[tuple[str, str, str], Waits]:
    """Sizes and their waits already put together, by provider, chip and way to pay."""
    return {}


@per_catalogue
def _by_way(catalogue: Catalogue) -> defaultdict[tuple[SellerClass, Way], list[CapacityWait]]:
    rows: defaultdict[tuple[SellerClass, Way], list[CapacityWait]] = defaultdict(list)
    for row in catalogue.waits:
        rows[row.seller_class, row.way].append(row)
    return rows


def _grown(catalogue: Catalogue, provider: str, chip_id: str, way: PurchaseModel) -> list[tuple[int, Wait]]:
    """Sizes from which on a wait holds, smallest first; days never shrink from one to the next."""
    grown, longest = [], NO_WAIT
    for start, rows in rows_by_size(catalogue, provider, chip_id, way).items():
        for row in rows:
            longest = _longer(longest, row)
        grown.append((start, longest))
    return grown


def rows_by_size(
    catalogue: Catalogue, provider: str, chip_id: str, way: PurchaseModel
) -> dict[int, tuple[CapacityWait, ...]]:
    """All rows that count for a provider's chips paid so, by the size from which on they hold, smallest first: those of
    the capacity, of the quota that is asked for meanwhile, and of the contract that larger orders need."""
    capacity, quota = (_rows_by_size(catalogue, provider, chip_id, asked) for asked in (way, _quota(way)))
    kinds = capacity, quota, _contract_rows(catalogue, provider, chip_id, way, capacity)
    starts = sorted({start for of_kind in kinds for start in of_kind})
    return {start: tuple(row for of_kind in kinds for row in of_kind.get(start, ())) for start in starts}


def _contract_rows(
    catalogue: Catalogue,
    provider: str,
    chip_id: str,
    way: PurchaseModel,
    capacity: dict[int, tuple[CapacityWait, ...]],
) -> dict[int, tuple[CapacityWait, ...]]:
    """Waits of a one-year contract above what the seller lets without one, by the size from which on they hold."""
    seller = catalogue.seller_by_provider.get(provider)
    if way != "on_demand" or seller is None or seller.self_service_chips is None or seller.self_service_ways:
        return {}
    rows = _rows_by_size(catalogue, provider, chip_id, "commit_1y")
    least = _needs_contract_from(seller, chip_id, capacity, rows)
    if least is None:
        return {}
    reached = max((start for start in rows if start <= least), default=least)
    return {max(start, least): of_size for start, of_size in rows.items() if start >= reached}


def _needs_contract_from(
    seller: Seller,
    chip_id: str,
    capacity: dict[int, tuple[CapacityWait, ...]],
    contract: dict[int, tuple[CapacityWait, ...]],
) -> int | None:
    """The smallest order that a seller lets by contract only; None where he lets any without.

    What he lets at once is told of all his chips together. A row of his that names the chip in a larger size, with a
    shorter wait than a contract's, says more: so many of this chip, and fewer, are let without one.
    """
    least = (seller.self_service_chips or 0) + 1
    let = [
        start
        for start, rows in capacity.items()
        if start >= least and any(_names(row, seller, chip_id) for row in rows) and _is_shorter(rows, contract, start)
    ]
    if not let:
        return least
    return min((start for start in capacity if start > max(let)), default=None)


def _names(row: CapacityWait, seller: Seller, chip_id: str) -> bool:
    return row.provider == seller.provider and _chip_rank(row, chip_id) == 0


def _is_shorter(rows: tuple[CapacityWait, ...], contract: dict[int, tuple[CapacityWait, ...]], n_chips: int) -> bool:
    """True where the likely wait by some rows is shorter than that of a contract for so many chips."""
    of_contract = [row for start, listed in contract.items() if start <= n_chips for row in listed]
    return max(row.likely_days for row in rows) < max((row.likely_days for row in of_contract), default=0.0)


def _quota(way: PurchaseModel) -> Way | None:
    return None if way in _BY_CONTRACT else "quota"


def _rows_by_size(
    catalogue: Catalogue, provider: str, chip_id: str, way: Way | None
) -> dict[int, tuple[CapacityWait, ...]]:
    """The rows that count, by the size from which on they hold: those of the likest class that has any for the size.

    Of a class, rows of the provider come before those of all its sellers, rows that name the chip before others.
    """
    if way is None:
        return {}
    own_class, by_size = seller_class(catalogue, provider), dict[int, tuple[CapacityWait, ...]]()
    for like in LIKE[own_class] if way != "quota" else (own_class,):
        rows = [r for r in _by_way(catalogue)[like, way] if not r.refused and _chip_rank(r, chip_id) < 2]
        for start in sorted({row.from_chips for row in rows} - set(by_size)):
            here = [row for row in rows if row.from_chips == start]
            by_size[start] = _closest(here, provider, chip_id)
    return by_size


def _closest(rows: list[CapacityWait], provider: str, chip_id: str) -> tuple[CapacityWait, ...]:
    def rank(row: CapacityWait) -> tuple[int, int]:
        return _chip_rank(row, chip_id), 0 if row.provider == provider else 1 if row.provider == ANY else 2

    best = min(map(rank, rows))
    return tuple(row for row in rows if rank(row) == best)


def _chip_rank(row: CapacityWait, chip_id: str) -> int:
    """0 for a row that names the chip, 1 for one of any chip, 2 for one of others."""
    return 1 if ANY in row.chips else 0 if holds_for(row.chips, chip_id) else 2


def _is_for(row: CapacityWait, provider: str, chip_id: str) -> bool:
    return row.provider in (provider, ANY) and holds_for(row.chips, chip_id)


def _start(row: CapacityWait) -> int:
    return row.from_chips


def _longer(one: Wait, row: CapacityWait) -> Wait:
    """The longer of the two at each end; the source is that of the longer likely value."""
    days = one.days
    longest = Range(
        max(days.low, row.low_days), max(days.likely, row.likely_days), max(days.high, row.high_days)
    )  # fmt: skip
    if one.source and row.likely_days <= days.likely:
        return Wait(longest, one.source, one.as_of, one.estimate)
    return Wait(longest, row.source, row.as_of, row.estimate)


def _delivered(catalogue: Catalogue, chip_id: str) -> list[tuple[int, Wait]]:
    rows = [row for row in _by_way(catalogue)["own", "owned"] if holds_for(row.chips, chip_id)]
    starts = {row.from_chips for row in rows}
    tested = [row for row in _by_way(catalogue)["own", "burn_in"] if holds_for(row.chips, chip_id)]
    delivered, longest = [], NO_WAIT if 1 in starts else _lead_time(catalogue, chip_id)
    for start in sorted({1, *starts, *(row.from_chips for row in tested)}):
        for row in rows:
            longest = _longer(longest, row) if row.from_chips == start else longest
        delivered.append((start, _with_test(longest, [row for row in tested if row.from_chips <= start])))
    return delivered


def _with_test(wait: Wait, tested: list[CapacityWait]) -> Wait:
    for row in tested:
        days = wait.days
        later = Range(days.low + row.low_days, days.likely + row.likely_days, days.high + row.high_days)
        wait = Wait(later, f"{wait.source}+{row.source}", wait.as_of, wait.estimate or row.estimate)
    return wait


def _lead_time(catalogue: Catalogue, chip_id: str) -> Wait:
    """The lead time of a server among the cost inputs, in weeks there."""
    weeks = cost_input(catalogue, "lead_time", chip_id)
    typical = weeks.typical or 0.0
    low, high = (typical if end is None else end for end in (weeks.low, weeks.high))
    days = Range(DAYS_PER_WEEK * low, DAYS_PER_WEEK * typical, DAYS_PER_WEEK * high)
    return Wait(days, weeks.source, weeks.as_of, weeks.estimate)
