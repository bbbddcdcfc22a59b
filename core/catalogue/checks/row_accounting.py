"""How the tables add up: rows of the lists that were read, and where each of them went."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from core.catalogue.catalogue import Catalogue
from core.catalogue.entries import OWN, Entry, Offer, PartPrice, PricePoint
from core.catalogue.tables import read_rows

Counts = dict[str, dict[str, int]]


def reconciled(catalogue: Catalogue, folder: Path) -> Counts:
    """Counts by subject. ``listed`` counts rows of the lists, and is the sum of what became of them.

    Prices, for one: ``listed = rentable + parts + history + left_out``; ``derived`` ones were worked out and come on
    top.
    """
    left_out = _left_out(folder)
    return {
        "chips": _chips(catalogue),
        "hosts": _hosts(catalogue),
        "prices": _prices(catalogue, left_out["offers"]),
        "tpu_prices": _tpu_prices(catalogue),
        "price_months": _used_and_added(
            (point for point in catalogue.price_history if point.seller_class), left_out["price_history"]
        ),
        "slices": {"listed": len(catalogue.slices)},
        "regions": {"listed": len(catalogue.regions)},
        "frameworks": _used_and_added(catalogue.frameworks, left_out["frameworks"]),
        "cost_inputs": _used_and_added(catalogue.cost_inputs, left_out["cost_inputs"]),
        "servers": {"all": len(catalogue.servers)},
        "conflicts": {"all": len(catalogue.conflicts)},
        "formats": _used_and_added(catalogue.formats, left_out["formats"]),
        "sellers": {"all": len(catalogue.sellers)},
        "waits": _used_and_added(catalogue.waits, left_out["waits"]),
    }


def reconciled_words(counts: Counts) -> tuple[str, ...]:
    """The counts as sentences, one a subject."""
    chips, hosts, prices, tpu = (counts[name] for name in ("chips", "hosts", "prices", "tpu_prices"))
    costs, software, waits = counts["cost_inputs"], counts["frameworks"], counts["waits"]
    months = counts["price_months"]
    return (
        f"Chips: {chips['listed']} listed ({chips['available']} available, {chips['announced']} announced) + "
        f"{chips['measured']} from measured tables = {chips['all']}",
        f"Hosts: {hosts['described']} described + {hosts['price_only']} known by price only = {hosts['all']}",
        f"Prices: {prices['listed']} listed = {prices['rentable']} rentable + {prices['parts']} of parts + "
        f"{prices['history']} of the past + {prices['left_out']} left out; "
        f"{prices['derived']} more worked out; {prices['providers']} providers",
        f"TPU prices: {tpu['listed']} listed, {tpu['generations']} generations, {tpu['regions']} regions",
        f"Medians of prices by month: {months['listed']} listed = {months['used']} used + "
        f"{months['left_out']} left out",
        f"TPU slices: {counts['slices']['listed']}",
        f"Regions: {counts['regions']['listed']}",
        f"Framework support: {software['listed']} listed + {software['added']} added",
        f"Cost inputs: {costs['listed']} listed = {costs['used']} used + {costs['left_out']} without a figure; "
        f"{costs['added']} added",
        f"Servers to buy: {counts['servers']['all']}",
        f"Sellers: {counts['sellers']['all']}",
        f"Waits for capacity: {waits['listed']} listed = {waits['used']} used + {waits['left_out']} left out; "
        f"{waits['added']} added",
        f"Conflicts between sources, both values kept: {counts['conflicts']['all']}",
        f"Number formats: {counts['formats']['listed']} listed = {counts['formats']['used']} used + "
        f"{counts['formats']['left_out']} left out; {counts['formats']['added']} added",
    )


def _chips(catalogue: Catalogue) -> dict[str, int]:
    origins = Counter(chip.origin for chip in catalogue.accelerators)
    announced = sum(chip.announced for chip in catalogue.accelerators if chip.origin == "listed")
    return {
        "listed": origins["listed"],
        "available": origins["listed"] - announced,
        "announced": announced,
        "measured": origins["measured"],
        "all": len(catalogue.accelerators),
    }


def _hosts(catalogue: Catalogue) -> dict[str, int]:
    origins = Counter(host.origin for host in catalogue.rented_hosts)
    return {
        "described": origins["listed"],
        "price_only": origins["priced"],
        "all": len(catalogue.rented_hosts),
    }


def _prices(catalogue: Catalogue, n_left_out: int) -> dict[str, int]:
    offers = [offer for offer in catalogue.offers if offer.provider != OWN]
    past = _of_hosts(catalogue)
    rentable, parts, history = _listed(offers), _listed(catalogue.parts), _listed(past)
    every: list[Offer | PartPrice | PricePoint] = [*offers, *catalogue.parts, *past]
    return {
        "listed": rentable + parts + history + n_left_out,
        "rentable": rentable,
        "parts": parts,
        "history": history,
        "left_out": n_left_out,
        "derived": len(offers) - rentable,
        "providers": len({row.provider for row in every}),
    }


def _tpu_prices(catalogue: Catalogue) -> dict[str, int]:
    every: list[Offer | PricePoint] = [*catalogue.offers, *_of_hosts(catalogue)]
    rows = [row for row in every if row.origin == "listed"]
    kinds = {chip.id: chip.kind for chip in catalogue.accelerators}
    tpu = [row for row in rows if kinds[row.accelerator_id] == "tpu"]
    return {
        "listed": len(tpu),
        "generations": len({row.accelerator_id for row in tpu}),
        "regions": len({row.region for row in tpu}),
    }


def _of_hosts(catalogue: Catalogue) -> list[PricePoint]:
    """The history without its medians of months, which are no prices that anybody asks."""
    return [point for point in catalogue.price_history if point.seller_class is None]


def _used_and_added(entries: Iterable[Entry], n_left_out: int) -> dict[str, int]:
    rows = list(entries)
    used = _listed(rows)
    return {"listed": used + n_left_out, "used": used, "left_out": n_left_out, "added": len(rows) - used}


def _listed(entries: Iterable[Entry]) -> int:
    return sum(entry.origin == "listed" for entry in entries)


def _left_out(folder: Path) -> Counter[str]:
    """Rows of the lists that are in no table, by the table where they would stand; none without such a list."""
    path = folder / "left_out.csv"
    return Counter(row[0] for row in read_rows(path)[1:] if row) if path.exists() else Counter()
