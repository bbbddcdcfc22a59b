"""A catalogue of thousands of offers, as price feeds bring it: the known hosts in many more regions and ways to pay.

The same on every machine and at every run: all that looks random is drawn from a fixed seed.
"""

from __future__ import annotations

from dataclasses import replace
from random import Random
from statistics import median

from core.catalogue.catalogue import Catalogue
from core.catalogue.entries import OWN, Host, Offer
from core.workload.places import PurchaseModel

N_OFFERS = 5000
SEED = 20261121
SHARES = {"gcp": 0.38, "aws": 0.26, "azure": 0.16}
"""Of the added offers; smaller sellers share the rest."""
MODELS: dict[PurchaseModel, float] = {"on_demand": 1.0, "spot": 0.45, "commit_1y": 0.66, "commit_3y": 0.48}
"""Ways to pay with the usual price over that on demand."""
USD_PER_TFLOPS = 0.003
"""Price of a chip hour over the peak at 16 bit, of chips that nobody lists."""
OTHER_REGIONS = ("us-east", "us-west", "us-central", "eu-west", "eu-north", "eu-central", "ap-south", "ap-northeast")
"""Of sellers for whom the catalogue lists few."""

Place = tuple[Host, str, PurchaseModel]


def many_offers(catalogue: Catalogue, n_offers: int = N_OFFERS) -> Catalogue:
    """The catalogue with offers added until there are ``n_offers``."""
    return replace(catalogue, offers=(*catalogue.offers, *added_offers(catalogue, n_offers - len(catalogue.offers))))


def added_offers(catalogue: Catalogue, n: int) -> tuple[Offer, ...]:
    """``n`` offers that the catalogue does not have, each at a price of its own."""
    random = Random(SEED)
    known = {(o.provider, o.instance, o.region, o.purchase_model) for o in catalogue.offers}
    free = [place for place in _places(catalogue) if (place[0].provider, *_terms(place)) not in known]
    random.shuffle(free)
    wanted = {seller: round(n * share) for seller, share in SHARES.items()}
    chosen = [place for seller, count in wanted.items() for place in _of(free, seller)[:count]]
    small = [place for place in free if place[0].provider not in SHARES]
    chosen += small[: n - len(chosen)]
    taken = {id(place) for place in chosen}
    chosen += [place for place in free if id(place) not in taken][: n - len(chosen)]
    random.shuffle(chosen)
    return tuple(_offer(catalogue, place, random) for place in chosen)


def _places(catalogue: Catalogue) -> list[Place]:
    regions: dict[str, list[str]] = {}
    for region in catalogue.regions:
        regions.setdefault(region.provider, []).append(region.region)
    return [
        (host, region, model)
        for host in catalogue.hosts
        if host.provider != OWN
        for region in (regions.get(host.provider, []) if host.provider in SHARES else OTHER_REGIONS)
        for model in MODELS
    ]


def _of(places: list[Place], seller: str) -> list[Place]:
    return [place for place in places if place[0].provider == seller]


def _terms(place: Place) -> tuple[str, str, str]:
    host, region, model = place
    return host.instance, region, model


def _offer(catalogue: Catalogue, place: Place, random: Random) -> Offer:
    host, region, model = place
    usd = round(_usual_usd(catalogue, host) * MODELS[model] * random.uniform(0.85, 1.45), 4)
    return Offer(
        id=f"{host.provider}_{host.instance}_{region}_{model}",
        provider=host.provider,
        instance=host.instance,
        accelerator_id=host.accelerator_id,
        chips_per_host=host.n_chips,
        region=region,
        purchase_model=model,
        usd_per_chip_hour=usd,
        usd_per_host_hour=usd * host.n_chips,
        quality="ok",
        source="feed",
        as_of=f"2026-10-{random.randint(1, 28):02d}",
        estimate=False,
    )


def _usual_usd(catalogue: Catalogue, host: Host) -> float:
    """Median price on demand of the chip, per chip hour; by its peak where nobody lists it."""
    offers = catalogue.offers_by_accelerator.get(host.accelerator_id, ())
    listed = [offer.usd_per_chip_hour for offer in offers if offer.purchase_model == "on_demand"]
    peak_tflops = catalogue.accelerator_by_id[host.accelerator_id].bf16_tflops or 200.0
    return median(listed or [USD_PER_TFLOPS * peak_tflops])
