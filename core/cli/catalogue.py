"""``roofplan catalogue``: list, show, check the catalogue, or hold a price book against it."""

from __future__ import annotations

import argparse
import difflib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from core.catalogue.catalogue import Catalogue
from core.catalogue.check_record import check_record
from core.catalogue.checks.row_accounting import reconciled_words
from core.catalogue.conflicts import ROW_KEYS, conflicts_of
from core.catalogue.entries import LAYER_WORDS, Accelerator, Conflict, Entry, Host, Offer
from core.catalogue.loading import load_catalogue
from core.catalogue.prices.newest import newer_price
from core.catalogue.prices.quality import quality_of
from core.cli.catalogue_import import add_import_arguments, import_prices
from core.cli.catalogue_price import add_arguments, price
from core.cli.output import print_json
from core.errors import InputError
from core.units import grouped, plain
from core.workload.profile import PURCHASE_WORDS

_Parsers = argparse._SubParsersAction
_PRICE_HEADER = ("USD/chip h", "host", "region", "pay", "as of", "quality", "source")


def add_parser(commands: _Parsers[argparse.ArgumentParser]) -> None:
    """Adds the ``catalogue`` command with its actions."""
    parser = commands.add_parser("catalogue", help="list, show, check or import accelerators and prices")
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    listed = _action(actions, "list", "every accelerator with its cheapest price")
    show = _action(actions, "show", "one accelerator with its hosts, offers and conflicts between sources")
    for one in (listed, show):
        one.add_argument("--book", type=Path, metavar="FILE", help="lay a private price book over it")
        one.add_argument("--plan", type=Path, metavar="FILE", help="lay the own entries of a plan over it")
    show.add_argument("id", help="id or short name, such as h100-sxm")
    add_arguments(_action(actions, "price", "what a host costs, or cost on a day"))
    _action(actions, "check", "count the tables and report errors, estimates and the oldest price")
    book = _action(actions, "import", "hold prices (CSV as offers.csv, SkyPilot or gpuhunt) against the catalogue")
    add_import_arguments(book)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Runs one action; 1 when ``check`` found errors, else 0. Raises InputError for input that is wrong."""
    return _ACTIONS[arguments.action](arguments)


def _action(actions: _Parsers[argparse.ArgumentParser], name: str, words: str) -> argparse.ArgumentParser:
    parser = actions.add_parser(name, help=words)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--catalogue", type=Path, metavar="DIR", help="another catalogue folder")
    return parser


def _layered(arguments: argparse.Namespace) -> Catalogue:
    if arguments.book is None and arguments.plan is None:
        return load_catalogue(arguments.catalogue)
    from core.plan.layers import catalogue_from

    return catalogue_from(arguments.catalogue, arguments.book, arguments.plan)


def _list(arguments: argparse.Namespace) -> int:
    catalogue = _layered(arguments)
    if arguments.json:
        names = ("accelerators", "hosts", "offers", "regions", "servers", "price_history", "parts", "conflicts")
        tables = {name: _dump(getattr(catalogue, name)) for name in names}
        print_json({"date": catalogue.date, **tables, "sources": catalogue.sources})
    else:
        header = ("id", "name", "kind", "BF16 TFLOP/s", "GB", "GB/s", "offers", "from USD/h", "as of", "source")
        _print_table(header, [_summary(chip, catalogue) for chip in catalogue.accelerators])
        print("* holds estimates")
    return 0


def _show(arguments: argparse.Namespace) -> int:
    catalogue = _layered(arguments)
    chip = _find(catalogue, arguments.id)
    hosts = [host for host in catalogue.hosts if host.accelerator_id == chip.id]
    offers = sorted(_offers(catalogue, chip), key=lambda offer: offer.usd_per_chip_hour)
    if arguments.json:
        shown = {"accelerator": chip.model_dump(mode="json"), "hosts": _dump(hosts), "offers": _dump(offers)}
        print_json({**shown, "conflicts": _dump(_conflicts(catalogue, chip, hosts, offers))})
        return 0
    for name, value in chip.model_dump().items():
        if value not in (None, "", ()):
            print(f"{name:26}{_words(value)}{'  (estimate)' if name in chip.estimated_fields else ''}")
    print()
    _print_table(_PRICE_HEADER, [_price_row(offer, catalogue) for offer in offers])
    _print_conflicts(_conflicts(catalogue, chip, hosts, offers))
    return 0


def _conflicts(
    catalogue: Catalogue, chip: Accelerator, hosts: Sequence[Host], offers: Sequence[Offer]
) -> list[Conflict]:
    """What sources disagree about: the chip's own figures, then its hosts and prices."""
    rows = [
        ("accelerators", chip.id),
        *(("hosts", ROW_KEYS["hosts"](host)) for host in hosts),
        *(("offers", offer.id) for offer in offers),
    ]
    return [conflict for table, key in rows for conflict in conflicts_of(catalogue, table, key)]


def _print_conflicts(conflicts: Sequence[Conflict]) -> None:
    if not conflicts:
        return
    print("\nSources disagree:")
    rows = [
        (c.field if c.table == "accelerators" else f"{c.row}, {c.field}", c.used, c.other, c.source, c.note)
        for c in conflicts
    ]
    _print_table(("figure", "used", "other", "source of the other", "note"), rows)


def _check(arguments: argparse.Namespace) -> int:
    record = check_record(arguments.catalogue)
    if arguments.json:
        print_json(record)
    else:
        _print_check(record)
    return 1 if record["errors"] else 0


_ACTIONS = {"list": _list, "show": _show, "price": price, "check": _check, "import": import_prices}


def _find(catalogue: Catalogue, text: str) -> Accelerator:
    names = {name.lower(): chip for chip in catalogue.accelerators for name in (chip.short_name, chip.id)}
    if text.lower() not in names:
        raise InputError("accelerator", f"'{text}'", f"one of {', '.join(_near(names, text.lower()))}")
    return names[text.lower()]


def _near(names: Mapping[str, Accelerator], text: str) -> list[str]:
    """Ids of all chips whose name holds the text, else of those that are called nearly so, else of all."""
    near = [name for name in names if text in name] if text else []
    near = near or difflib.get_close_matches(text, names, n=6) or list(names)
    return list(dict.fromkeys(names[name].id for name in near))


def _offers(catalogue: Catalogue, chip: Accelerator) -> list[Offer]:
    return [offer for offer in catalogue.offers if offer.accelerator_id == chip.id]


def _summary(chip: Accelerator, catalogue: Catalogue) -> tuple[str, ...]:
    counting = [offer for offer in _offers(catalogue, chip) if newer_price(offer, catalogue) is None]
    prices = [offer.usd_per_chip_hour for offer in counting]
    peak = plain(chip.bf16_tflops, 4) if chip.bf16_tflops else "-"
    name = chip.short_name + (" (announced)" if chip.announced else "")
    cheapest = f"{min(prices):.2f}" if prices else "-"
    memory, speed = plain(chip.memory_gb), plain(chip.memory_bandwidth_gbps, 4)
    source = chip.source + (" *" if chip.estimate else "")
    return chip.id, name, chip.kind, peak, memory, speed, str(len(prices)), cheapest, chip.as_of, source


def _price_row(offer: Offer, catalogue: Catalogue) -> tuple[str, ...]:
    host = f"{offer.provider} {offer.instance}"
    paid = PURCHASE_WORDS[offer.purchase_model]
    known = quality_of(offer).title + (", superseded" if newer_price(offer, catalogue) else "")
    source = offer.source if offer.layer == "catalogue" else f"{offer.source} ({LAYER_WORDS[offer.layer]})"
    return f"{offer.usd_per_chip_hour:.3f}", host, offer.region, paid, offer.as_of, known, source


def _print_check(record: dict[str, Any]) -> None:
    print(f"Catalogue {record['date'] or 'that cannot be read'}")
    rows = [(name, grouped(t["entries"]), grouped(t["estimates"])) for name, t in record["tables"].items()]
    _print_table(("table", "entries", "estimates"), rows)
    for line in reconciled_words(record["reconciled"]) if record["reconciled"] else ():
        print(line)
    if record["oldest_price"]:
        print(f"Oldest price: {record['oldest_price']['as_of']}, {record['oldest_price']['id']}")
    print(f"Prices without a date: {record['undated_prices']}")
    for doubt in record["doubts"]:
        print(f"Look at {doubt['id']} ({doubt['rule']}): {doubt['reason']}")
    for error in record["errors"]:
        print(f"Error: {error}")
    print(f"Errors: {len(record['errors'])}")


def _dump(entries: Sequence[Entry]) -> list[dict[str, Any]]:
    return [entry.model_dump(mode="json") for entry in entries]


def _words(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)


def _print_table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    widths = [max(map(len, column)) for column in zip(header, *rows, strict=True)]
    for row in (header, *rows):
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())
