"""Where a pool may stand: a kind of chip at a seller in a region, on which the workloads run, and its prices."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from core.amounts import Sentence, Text
from core.catalogue.catalogue import Catalogue
from core.catalogue.per_catalogue import per_catalogue
from core.catalogue.providers import provider_name
from core.comparison.judge.durations import slow_shares
from core.comparison.obtain.obtainable import obtainable
from core.comparison.portfolio.result import Rate, Site
from core.comparison.result import ResultSet
from core.comparison.search.options import Option, options
from core.errors import InputError
from core.flexibility.limits import place_limits
from core.workload.portfolio import Portfolio
from core.workload.profile import PURCHASE_WORDS, Profile, PurchaseModel

Place = tuple[str, str, str]
"""Chip, seller, region, by their ids."""

WAYS: tuple[PurchaseModel, ...] = ("on_demand", "commit_1y", "commit_3y", "dedicated_monthly", "spot")
"""Ways to pay for a pool: what is bought outright or by the block is no pool that grows and shrinks."""
TERMS: tuple[PurchaseModel, ...] = ("commit_1y", "commit_3y", "dedicated_monthly")
_ROW_WAYS = WAYS[:4]
TRIED = 4
"""Places whose pools are worked out to the end: the cheapest by a first estimate."""


def rows_by_place(results: ResultSet) -> dict[Place, int]:
    """The row of each place on which the workload meets all its limits: firm before others, then on demand before
    terms, then as the comparison ranks them, which prefers room for a slow outcome where that is worth its price."""
    best: dict[Place, tuple[bool, bool, int]] = {}
    columns = results.columns
    for row in range(results.n_feasible):
        offer = columns.offers[row]
        if offer.purchase_model not in _ROW_WAYS or offer.held_chips is not None:
            continue
        order = not columns.is_firm[row], offer.purchase_model in TERMS, row
        for region in columns.regions[row] or (offer.region,):
            place = offer.accelerator_id, offer.provider, region
            best[place] = min(best.get(place, order), order)
    return {place: row for place, (_, _, row) in best.items()}


def places_tried(settings: Portfolio, results: Sequence[ResultSet]) -> tuple[tuple[Place, Mapping[str, int]], ...]:
    """Places that hold most of the workloads, one of each chip and seller, the cheapest first by a first estimate, each
    with the row of every workload there.

    Workloads run there at proved prices and speeds, in numbers of chips that can be had, as long as there is a place
    where two do; otherwise proof is not asked for. Raises InputError where two workloads run on none.
    """
    sets = {one.profile.id: one for one in results}
    rows = {name: rows_by_place(one) for name, one in sets.items()}
    firm = {
        name: {place: row for place, row in own.items() if sets[name].columns.is_firm[row]}
        for name, own in rows.items()
    }
    shared = _shared(settings, firm) or _shared(settings, rows)
    if not shared:
        found = f"{_asked_words(settings)} for rent on which two workloads meet their limits"
        raise InputError("Portfolio", found, "a chip and seller that two of them admit; each stays on its own pick")
    most = [place for place, own in shared.items() if 2 * len(own) > len(results)] or list(shared)
    apart_usd = {name: one.choice.cost.total.likely if one.choice else 0.0 for name, one in sets.items()}
    usd = {place: _estimate(sets, shared[place], apart_usd) for place in most}
    firsts: dict[tuple[str, str], Place] = {}
    for place in sorted(most, key=lambda one: (usd[one], one)):
        firsts.setdefault(place[:2], place)
    return tuple((place, shared[place]) for place in list(firsts.values())[:TRIED])


def _shared(settings: Portfolio, rows: Mapping[str, Mapping[Place, int]]) -> dict[Place, dict[str, int]]:
    """Places that the settings admit, with the rows of those workloads, two at least, that run there."""
    held: dict[Place, dict[str, int]] = {}
    for name, own in rows.items():
        for place, row in own.items():
            if _is_asked(settings, place):
                held.setdefault(place, {})[name] = row
    return {place: own for place, own in held.items() if len(own) > 1}


def _is_asked(settings: Portfolio, place: Place) -> bool:
    wanted = (settings.chip, settings.provider, settings.region)
    return all(not asked or asked == own for asked, own in zip(wanted, place, strict=True))


def _asked_words(settings: Portfolio) -> str:
    asked = [one for one in (settings.chip, settings.provider, settings.region) if one]
    return f"no option of {', '.join(asked)}" if asked else "no option"


def _estimate(sets: Mapping[str, ResultSet], rows: Mapping[str, int], apart_usd: Mapping[str, float]) -> float:
    """A first guess at one pool, in USD: of services the chips that their busiest hour takes with room, of other work
    its bill, and of workloads that do not run there their own picks."""
    inside = sum(_estimated_usd(sets[name], row) for name, row in rows.items())
    return inside + sum(usd for name, usd in apart_usd.items() if name not in rows)


def _estimated_usd(results: ResultSet, row: int) -> float:
    columns, service = results.columns, results.profile.job.service
    usd, load = float(columns.cost_usd[row]), columns.throughputs[row].load
    if service is None or load is None or load.max_requests_per_s <= 0:
        return usd
    rent = columns.offers[row].usd_per_chip_hour * float(columns.n_chips[row]) * float(columns.run_h[row])
    slow_per_s = load.max_requests_per_s * float(slow_shares(service, [columns.throughputs[row]])[0])
    return usd - min(rent, usd) * (1.0 - min(service.peak_requests_per_s / slow_per_s, 1.0))


def site_of(place: Place, catalogue: Catalogue, profiles: Sequence[Profile], n_chips: int, settings: Portfolio) -> Site:
    """The place with its prices today: of each way to pay the cheapest offer that all workloads' limits admit."""
    chip, provider, region = place
    rates: dict[PurchaseModel, Rate] = {}
    lacking: list[Text] = []
    offered = _offered(catalogue).get(place, ())
    for way in WAYS:
        own = [one for one in offered if one.offer.purchase_model == way]
        allowed = [one for one in own if not _barred(profiles, catalogue, one)]
        if allowed:
            cheapest = min(allowed, key=lambda one: (one.usd_per_chip_hour, one.chips_per_host, one.offer.id))
            rates[way] = rate_of(cheapest, catalogue, n_chips)
        elif _is_wanted(way, settings):
            lacking.append(_why_lacking(way, place, own, profiles, catalogue))
    cheapest_host = min((one.chips_per_host for one in offered if _is_rated(one, rates)), default=1)
    return Site(catalogue.accelerator_by_id[chip], provider, region, cheapest_host, rates, tuple(lacking))


def rate_of(option: Option, catalogue: Catalogue, n_chips: int) -> Rate:
    """What so many chips of an option cost, and whether they can be had: machines that need not be joined."""
    having = obtainable(option, catalogue, n_chips, max(-(-n_chips // option.chips_per_host), 1))
    price = option.price.of(option.offer)
    return Rate(option.offer, price, having.status, having.why, having.price)


def _is_rated(option: Option, rates: Mapping[PurchaseModel, Rate]) -> bool:
    rate = rates.get(option.offer.purchase_model)
    return rate is not None and rate.offer.id == option.offer.id


@per_catalogue
def _offered(catalogue: Catalogue) -> dict[Place, list[Option]]:
    """Options of each place."""
    places: dict[Place, list[Option]] = {}
    for option in options(catalogue):
        if option.offer.held_chips is None:
            place = option.accelerator.id, option.offer.provider, option.offer.region
            places.setdefault(place, []).append(option)
    return places


def _barred(profiles: Iterable[Profile], catalogue: Catalogue, option: Option) -> list[Profile]:
    """Workloads whose limits do not admit an offer."""
    return [one for one in profiles if place_limits(one, catalogue, option.offer)]


def _is_wanted(way: PurchaseModel, settings: Portfolio) -> bool:
    wanted = {settings.burst, *(TERMS[:2] if settings.term == "best" else (settings.term,))}
    return way in wanted


def _why_lacking(
    way: PurchaseModel, place: Place, own: Sequence[Option], profiles: Sequence[Profile], catalogue: Catalogue
) -> Text:
    words = PURCHASE_WORDS[way]
    if not own:
        chip = catalogue.accelerator_by_id[place[0]].short_name
        return Sentence("The catalogue has no {} price of {} at {}", words, chip, provider_name(place[1]))
    return Sentence("Limits of {} do not admit {}", _barred(profiles, catalogue, own[0])[0].name, words)
