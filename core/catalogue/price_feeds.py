"""Price files of other tools, read by column name: SkyPilot's ``vms.csv`` and gpuhunt's ``<provider>.csv``.

Neither names its provider or its date inside; both are told from outside. A row whose host the catalogue does not
know is counted with the reason, never guessed at.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from core.catalogue.catalogue import Catalogue
from core.catalogue.entries import Host, Offer
from core.catalogue.price_book import offer_id
from core.catalogue.tables import read_rows
from core.catalogue.units_guard import MOST_USD_PER_CHIP_HOUR
from core.errors import InputError
from core.workload.profile import PurchaseModel

_TPU = re.compile(r"(?:tpu-)?(v\d+(?:litepod|[a-z])?)-(\d+)")
_ZONE = re.compile(r"-[a-z]$")
_CHIP_OF_TPU = {"v5litepod": "tpu-v5e", "v5e": "tpu-v5e", "v6e": "tpu-v6e"}

Row = dict[str, str]


@dataclass(frozen=True, slots=True)
class Quote:
    """One price of a file: of a host, per hour, in a region; ``reason`` is why it cannot be used."""

    instance: str
    n_chips: str
    region: str
    purchase_model: PurchaseModel
    usd_per_host_hour: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Feed:
    """Offers found in a price file and the rows left out, counted by reason."""

    offers: tuple[Offer, ...]
    skipped: dict[str, int]


def is_feed(path: Path) -> bool:
    """True for a file with the columns of SkyPilot or gpuhunt. Raises as :func:`core.catalogue.tables.read_rows`."""
    return bool({"InstanceType", "instance_name"} & set(read_rows(path)[0]))


def read_feed(path: Path, provider: str, as_of: str, catalogue: Catalogue) -> Feed:
    """Offers of a price file at the hosts that the catalogue knows; zones of a region become their median.

    Raises InputError when the provider is unknown or the file has columns of neither tool.
    """
    known = sorted({host.provider for host in catalogue.hosts})
    if provider not in known:
        raise InputError("provider of the price file", f"'{provider}'", f"one of {', '.join(known)}")
    header, *cells = read_rows(path)
    rows = [dict(zip(header, row, strict=False)) for row in cells]
    quotes = _skypilot(rows) if "InstanceType" in header else _gpuhunt(rows)
    skipped: Counter[str] = Counter()
    prices: dict[tuple[str, str, PurchaseModel], list[float]] = {}
    for quote in quotes:
        host = _host(quote, provider, catalogue)
        reason = quote.reason or _refusal(quote, host)
        if reason or host is None:
            skipped[reason] += 1
            continue
        region = _ZONE.sub("", quote.region) if provider == "gcp" else quote.region
        prices.setdefault((host.instance, region, quote.purchase_model), []).append(float(quote.usd_per_host_hour))
    offers = tuple(
        _offer(catalogue.host_by_instance[provider, instance], region, paid, usd, as_of, path.name)
        for (instance, region, paid), usd in prices.items()
    )
    return Feed(offers, dict(skipped))


def _skypilot(rows: Iterable[Row]) -> Iterator[Quote]:
    for row in rows:
        instance, chip = row.get("InstanceType", ""), row.get("AcceleratorName", "")
        name = instance or chip
        reason = "" if chip else "no accelerator"
        if chip and not instance and not _TPU.fullmatch(chip):
            reason = "accelerator priced apart from its machine"
        for column, paid in (("Price", "on_demand"), ("SpotPrice", "spot")):
            if row.get(column):
                count = row.get("AcceleratorCount", "") if instance else ""
                yield Quote(name, count, row.get("Region", ""), _paid(paid), row[column], reason)


def _gpuhunt(rows: Iterable[Row]) -> Iterator[Quote]:
    for row in rows:
        tpu = _TPU.fullmatch(row["instance_name"]) is not None
        paid = _paid("spot" if row.get("spot") == "True" else "on_demand")
        reason = "" if row.get("gpu_name") else "no accelerator"
        count = "" if tpu else row.get("gpu_count", "")
        yield Quote(row["instance_name"], count, row.get("location", ""), paid, row.get("price", ""), reason)


def _paid(text: str) -> PurchaseModel:
    return "spot" if text == "spot" else "on_demand"


def _host(quote: Quote, provider: str, catalogue: Catalogue) -> Host | None:
    tpu = _TPU.fullmatch(quote.instance)
    if not tpu:
        return catalogue.host_by_instance.get((provider, quote.instance))
    chip, size = _CHIP_OF_TPU.get(tpu[1]), int(tpu[2])
    if chip is None:  # the number in older names counts cores, two a chip
        chip, size = f"tpu-{tpu[1]}", size // 2
    fitting = (h for h in catalogue.hosts if (h.provider, h.accelerator_id, h.n_chips) == (provider, chip, size))
    return next(fitting, None)


def _refusal(quote: Quote, host: Host | None) -> str:
    if host is None:
        return "host unknown to the catalogue"
    try:
        count, usd = float(quote.n_chips or host.n_chips), float(quote.usd_per_host_hour)
    except ValueError:
        return "price or count is no number"
    if count != host.n_chips:
        return "another number of chips than the host has"
    return "" if 0 < usd <= MOST_USD_PER_CHIP_HOUR * host.n_chips else "no plausible price"


def _offer(host: Host, region: str, paid: PurchaseModel, usd: Sequence[float], as_of: str, origin: str) -> Offer:
    price = median(usd)
    return Offer(
        id=offer_id(host.provider, host.instance, region, paid),
        provider=host.provider,
        instance=host.instance,
        accelerator_id=host.accelerator_id,
        chips_per_host=host.n_chips,
        region=region,
        purchase_model=paid,
        usd_per_chip_hour=price / host.n_chips,
        usd_per_host_hour=price,
        quality="spot moves" if paid == "spot" else "ok",
        source=f"file:{origin}",
        as_of=as_of,
        estimate=False,
        note=f"Median of {len(usd)} rows." if len(usd) > 1 else "",
    )
