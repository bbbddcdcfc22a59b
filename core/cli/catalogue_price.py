"""``roofplan catalogue price``: what a host costs, or cost on a day."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from datetime import date
from typing import Any, get_args

from core.catalogue.catalogue import Catalogue
from core.catalogue.loading import load_catalogue
from core.catalogue.prices.history import ANY_REGION, PricePoint, price_on, price_points
from core.cli.output import print_json
from core.errors import InputError
from core.workload.profile import PURCHASE_WORDS, PurchaseModel


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The words of the ``price`` action."""
    parser.add_argument("provider", help="seller, such as aws")
    parser.add_argument("instance", help="host, such as p5.48xlarge")
    parser.add_argument("--on", type=_day, metavar="DAY", help="day such as 2025-05-01; today when left out")
    parser.add_argument("--region", default=ANY_REGION, help="region, such as us-east-1; the seller's first otherwise")
    parser.add_argument("--pay", default="on_demand", choices=get_args(PurchaseModel), help="way to pay")


def price(arguments: argparse.Namespace) -> int:
    """Prints the price of a day and what is known before and after; 0. Raises InputError for an unknown host."""
    catalogue = load_catalogue(arguments.catalogue)
    _check_host(catalogue, arguments.provider, arguments.instance)
    day = arguments.on or date.today()
    asked = arguments.provider, arguments.instance
    point = price_on(catalogue, *asked, day, arguments.region, arguments.pay)
    points = price_points(catalogue, *asked, arguments.pay)
    region = point.region if point else arguments.region
    points = tuple(point for point in points if region in (ANY_REGION, point.region))
    if arguments.json:
        print_json(_record(arguments, day, point, points))
    else:
        _print(arguments, day, point, points)
    return 0


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"'{text}' is no day such as 2025-05-01") from None


def _check_host(catalogue: Catalogue, provider: str, instance: str) -> None:
    if (provider, instance) in catalogue.host_by_instance:
        return
    mine = sorted(host.instance for host in catalogue.hosts if host.provider == provider)
    known = mine or sorted({host.provider for host in catalogue.hosts})
    words = f"one of {', '.join(known[:30])}{' ...' if len(known) > 30 else ''}"
    raise InputError("instance" if mine else "provider", f"'{instance if mine else provider}'", words)


def _record(
    arguments: argparse.Namespace, day: date, point: PricePoint | None, points: Sequence[PricePoint]
) -> dict[str, Any]:
    return {
        "provider": arguments.provider,
        "instance": arguments.instance,
        "purchase_model": arguments.pay,
        "on": day.isoformat(),
        "price": point.model_dump(mode="json") if point else None,
        "usd_per_chip_hour": point.usd_per_host_hour / point.n_chips if point else None,
        "points": [point.model_dump(mode="json") for point in points],
    }


def _print(arguments: argparse.Namespace, day: date, point: PricePoint | None, points: Sequence[PricePoint]) -> None:
    what = f"{arguments.provider} {arguments.instance}, {PURCHASE_WORDS[arguments.pay].lower()}"
    if point is None:
        print(f"{what}: no price known on {day}")
    else:
        per_chip = point.usd_per_host_hour / point.n_chips
        chips = f"{point.n_chips} chips at {per_chip:.4g}" if point.n_chips > 1 else "1 chip"
        words = f"{point.usd_per_host_hour:g} USD per host and hour on {day} ({chips}; read {point.as_of})"
        print(f"{what}, {point.region}: {words}")
    for point in points:
        mark = "  (estimate)" if point.estimate else ""
        print(f"  {_span(point):34}{point.usd_per_host_hour:>10g}  {point.region:16}{point.source}{mark}")


def _span(point: PricePoint) -> str:
    start = f"from {point.valid_from} " if point.valid_from else ""
    return f"{start}{f'until {point.valid_until}' if point.valid_until else 'on'}".strip()
