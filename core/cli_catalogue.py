"""``roofplan catalogue``: list, show, check the catalogue, or hold a price book against it."""

from __future__ import annotations

import argparse
import difflib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from core.catalogue.catalogue import Catalogue
from core.catalogue.conflicts import conflicts_of
from core.catalogue.entries import LAYER_WORDS, Accelerator, Conflict, Entry, Offer
from core.catalogue.load import load_catalogue
from core.catalogue.price_book import Changes, changes, read_price_book, taken_over
from core.catalogue.price_feeds import is_feed, read_feed
from core.catalogue.quality import quality_of
from core.catalogue.reconcile import reconciled_words
from core.catalogue.report import check_record
from core.catalogue.save import write_catalogue
from core.cli_catalogue_price import add_arguments, price
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
    book.add_argument("file", type=Path, metavar="FILE")
    book.add_argument("--into", type=Path, metavar="FOLDER", help="write a checked copy with the new prices")
    book.add_argument("--provider", default="", help="whose prices a SkyPilot or gpuhunt FILE holds, such as aws")
    book.add_argument("--as-of", default="undated", help="day on which such a FILE was made, such as 2026-11-20")
    book.add_argument("--replace", action="store_true", help="remove offers of the same providers that FILE lacks")
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
        names = ("accelerators", "hosts", "offers", "regions")
        tables = {name: _dump(getattr(catalogue, name)) for name in names}
        _print_json({"date": catalogue.date, **tables, "sources": catalogue.sources})
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
        _print_json({**shown, "conflicts": _dump(_conflicts(catalogue, chip, offers))})
        return 0
    for name, value in chip.model_dump().items():
        if value not in (None, "", ()):
            print(f"{name:26}{_words(value)}{'  (estimate)' if name in chip.estimated_fields else ''}")
    print()
    _print_table(_PRICE_HEADER, [_price_row(offer) for offer in offers])
    _print_conflicts(_conflicts(catalogue, chip, offers))
    return 0


def _conflicts(catalogue: Catalogue, chip: Accelerator, offers: Sequence[Offer]) -> list[Conflict]:
    """What sources disagree about: the chip's own figures, then its prices."""
    rows = [("accelerators", chip.id), *(("offers", offer.id) for offer in offers)]
    return [conflict for table, key in rows for conflict in conflicts_of(catalogue, table, key)]


def _print_conflicts(conflicts: Sequence[Conflict]) -> None:
    if not conflicts:
        return
    print("\nSources disagree:")
    rows = [(c.field if c.table == "accelerators" else c.row, c.used, c.other, c.source, c.note) for c in conflicts]
    _print_table(("figure", "used", "other", "source of the other", "note"), rows)


def _check(arguments: argparse.Namespace) -> int:
    record = check_record(arguments.catalogue)
    if arguments.json:
        _print_json(record)
    else:
        _print_check(record)
    return 1 if record["errors"] else 0


def _import(arguments: argparse.Namespace) -> int:
    catalogue = load_catalogue(arguments.catalogue)
    offers, skipped = _read_prices(arguments, catalogue)
    found = changes(catalogue, offers, replace_providers=arguments.replace)
    if arguments.into:
        write_catalogue(taken_over(catalogue, found, arguments.file.name), arguments.into)
    if arguments.json:
        _print_json({**_changes_json(found, arguments.into), "skipped": skipped})
    else:
        _print_changes(found, arguments.into)
        for reason, count in skipped.items():
            print(f"skipped  {count}: {reason}")
    return 0


def _read_prices(arguments: argparse.Namespace, catalogue: Catalogue) -> tuple[tuple[Offer, ...], dict[str, int]]:
    if not is_feed(arguments.file):
        return read_price_book(arguments.file, catalogue), {}
    feed = read_feed(arguments.file, arguments.provider, arguments.as_of, catalogue)
    return feed.offers, feed.skipped


_ACTIONS = {"list": _list, "show": _show, "price": price, "check": _check, "import": _import}


def _find(catalogue: Catalogue, text: str) -> Accelerator:
    names = {name.lower(): chip for chip in catalogue.accelerators for name in (chip.short_name, chip.id)}
    if text.lower() not in names:
        near = difflib.get_close_matches(text.lower(), names, n=3) or [chip.id for chip in catalogue.accelerators]
        raise InputError("accelerator", f"'{text}'", f"one of {', '.join(near)}")
    return names[text.lower()]


def _offers(catalogue: Catalogue, chip: Accelerator) -> list[Offer]:
    return [offer for offer in catalogue.offers if offer.accelerator_id == chip.id]


def _summary(chip: Accelerator, catalogue: Catalogue) -> tuple[str, ...]:
    prices = [offer.usd_per_chip_hour for offer in _offers(catalogue, chip)]
    peak = plain(chip.bf16_tflops, 4) if chip.bf16_tflops else "-"
    name = chip.short_name + (" (announced)" if chip.announced else "")
    cheapest = f"{min(prices):.2f}" if prices else "-"
    memory, speed = plain(chip.memory_gb), plain(chip.memory_bandwidth_gbps, 4)
    source = chip.source + (" *" if chip.estimate else "")
    return chip.id, name, chip.kind, peak, memory, speed, str(len(prices)), cheapest, chip.as_of, source


def _price_row(offer: Offer) -> tuple[str, ...]:
    host = f"{offer.provider} {offer.instance}"
    paid = PURCHASE_WORDS[offer.purchase_model]
    source = offer.source if offer.layer == "catalogue" else f"{offer.source} ({LAYER_WORDS[offer.layer]})"
    return f"{offer.usd_per_chip_hour:.3f}", host, offer.region, paid, offer.as_of, quality_of(offer).title, source


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


def _print_changes(found: Changes, into: Path | None) -> None:
    for offer in found.new:
        print(f"new      {offer.id}  {offer.usd_per_chip_hour:.4f} USD/chip h")
    for now, offer in found.changed:
        print(f"changed  {offer.id}  {now.usd_per_chip_hour:.4f} -> {offer.usd_per_chip_hour:.4f} USD/chip h")
    for offer in found.removed:
        print(f"removed  {offer.id}  {offer.usd_per_chip_hour:.4f} USD/chip h")
    counts = f"{len(found.new)} new, {len(found.changed)} changed, {len(found.removed)} removed, {found.n_same} same"
    print(f"{counts}; {f'written to {into}' if into else 'nothing written (use --into FOLDER)'}")


def _changes_json(found: Changes, into: Path | None) -> dict[str, Any]:
    changed = [{"now": now.model_dump(mode="json"), "new": new.model_dump(mode="json")} for now, new in found.changed]
    return {
        "new": _dump(found.new),
        "changed": changed,
        "removed": _dump(found.removed),
        "same": found.n_same,
        "written_to": str(into) if into else None,
    }


def _dump(entries: Sequence[Entry]) -> list[dict[str, Any]]:
    return [entry.model_dump(mode="json") for entry in entries]


def _words(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)


def _print_json(record: dict[str, Any]) -> None:
    print(json.dumps(record, indent=2, ensure_ascii=False))


def _print_table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    widths = [max(map(len, column)) for column in zip(header, *rows, strict=True)]
    for row in (header, *rows):
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())
