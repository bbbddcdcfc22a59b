"""``roofplan catalogue import``: what a list of prices would change, and a copy of the catalogue with it."""

from __future__ import annotations

import argparse
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path
from typing import Any

from core.catalogue.catalogue import Catalogue
from core.catalogue.entries import Offer
from core.catalogue.loading import load_catalogue
from core.catalogue.price_lists.changes import Changes, changes, read_price_book, summaries, taken_over
from core.catalogue.price_lists.doubtful_prices import price_flags
from core.catalogue.price_lists.files import file_day, is_price_list
from core.catalogue.price_lists.hosts import UNKNOWN_CHIP
from core.catalogue.price_lists.price_list import Flag, PriceList, by_reason
from core.catalogue.price_lists.read import read_price_list
from core.catalogue.prices.dates import UNDATED
from core.catalogue.saving import write_catalogue
from core.cli.output import print_json

FILE_DAY = "file"
"""Word for the day on which the file was written, in place of a day."""


def add_import_arguments(parser: argparse.ArgumentParser) -> None:
    """The words of the ``import`` action."""
    parser.add_argument("file", type=Path, metavar="FILE")
    parser.add_argument("--into", type=Path, metavar="FOLDER", help="write a checked copy with the new prices")
    parser.add_argument("--provider", default="", help="whose prices a SkyPilot or gpuhunt FILE holds, such as aws")
    words = "day of the prices of such a FILE, such as 2026-11-20, or 'file' for the day of the file"
    parser.add_argument("--as-of", default="", metavar="DAY", help=words)
    parser.add_argument("--replace", action="store_true", help="remove offers of the same providers that FILE lacks")
    parser.add_argument("--older", action="store_true", help="also take prices older than those in the catalogue")
    parser.add_argument("--all", action="store_true", help="print every price, not only the biggest moves")


def import_prices(arguments: argparse.Namespace) -> int:
    """Prints what would change, and writes a copy when asked to; 0. Raises InputError for a file that is wrong."""
    catalogue = load_catalogue(arguments.catalogue)
    price_list, day = _read(arguments, catalogue)
    moves = changes(catalogue, price_list.offers, replace_providers=arguments.replace, flags=price_list.flags)
    leave = frozenset() if arguments.older else moves.older
    if arguments.into:
        write_catalogue(taken_over(catalogue, moves, arguments.file.name, price_list.hosts, leave), arguments.into)
    if arguments.json:
        print_json(_record(moves, price_list, day, arguments.into, leave))
        return 0
    print(_day_words(day, arguments.file))
    _print_changes(moves, None if arguments.all else _N_MOVES, leave)
    _print_feed(price_list, moves)
    _print_counts(moves, arguments.into, leave)
    return 0


_N_MOVES = 20
_N_THINGS = 3


def _read(arguments: argparse.Namespace, catalogue: Catalogue) -> tuple[PriceList, str]:
    """The list, and the day that its prices carry, "" when each row has its own."""
    if not is_price_list(arguments.file):
        offers = read_price_book(arguments.file, catalogue)
        return PriceList(offers, flags=price_flags(offers, catalogue), n_rows=len(offers)), ""
    day = file_day(arguments.file) if arguments.as_of == FILE_DAY else arguments.as_of
    return read_price_list(arguments.file, arguments.provider, day, catalogue), day or UNDATED


def _day_words(day: str, file: Path) -> str:
    if day == UNDATED:
        offered = file_day(file)
        return (
            f"The file has no date: its prices are marked undated. Give --as-of DAY, or --as-of file for {offered}, "
            "the day on which the file was written."
        )
    return f"Prices as of {day}." if day else "Each row has its own date."


def _print_changes(moves: Changes, n_most: int | None, leave: Collection[str]) -> None:
    changed = [
        f"{'older   ' if one.new.id in leave else 'changed '} {one.new.id}  {_usd(one.now)} -> {_usd(one.new)} "
        f"USD/chip h ({one.percent:+.1f} %)"
        for one in moves.changed
    ]
    _print_some(changed, n_most)
    _print_some([f"new      {offer.id}  {_usd(offer)} USD/chip h" for offer in moves.new], n_most)
    _print_some([f"removed  {offer.id}  {_usd(offer)} USD/chip h" for offer in moves.removed], n_most)


def _print_feed(price_list: PriceList, moves: Changes) -> None:
    for host in price_list.hosts:
        guess = ", the form of its accelerator is a guess" if host.estimated_fields else ""
        print(f"host     {host.provider} {host.instance}: {host.n_chips} x {host.accelerator_id}{guess}")
    for kind, flags in _by_kind(moves.flagged):
        first = flags[0]
        words = f"{first.offer_id}: {first.reason}" if first.rule else first.offer_id
        print(f"look at  {len(flags)}: {kind} ({_listed((words,), len(flags))})")
    for word, rows in (("skipped ", price_list.skipped), ("left out", price_list.left_out)):
        for reason, n, things in by_reason(rows, n_examples=len(rows)):
            shown = things if reason == UNKNOWN_CHIP else things[:_N_THINGS]
            print(f"{word} {n}: {reason} ({_listed(shown, len(things))})")


def _print_counts(moves: Changes, into: Path | None, leave: Collection[str]) -> None:
    for row in summaries(moves):
        middle = "" if row.median_percent is None else f", middle move {row.median_percent:+.1f} %"
        counts = f"{row.n_new} new, {row.n_changed} changed, {row.n_removed} removed, {row.n_same} same"
        print(f"{row.provider}: {counts}, {row.n_flagged} to look at{middle}")
    changed = f"{len(moves.changed)} changed{f' ({len(leave)} older, left out: --older takes them)' if leave else ''}"
    counts = f"{len(moves.new)} new, {changed}, {len(moves.removed)} removed, {moves.n_same} same"
    print(f"{counts}; {f'written to {into}' if into else 'nothing written (use --into FOLDER)'}")


def _print_some(lines: Sequence[str], n_most: int | None) -> None:
    for line in lines[:n_most]:
        print(line)
    if n_most is not None and len(lines) > n_most:
        print(f"         and {len(lines) - n_most} more (--all prints them)")


def _by_kind(flags: Iterable[Flag]) -> list[tuple[str, list[Flag]]]:
    """Flags of each kind, most of them first."""
    flags_by_kind: dict[str, list[Flag]] = {}
    for flag in flags:
        flags_by_kind.setdefault(flag.kind, []).append(flag)
    return sorted(flags_by_kind.items(), key=lambda one: -len(one[1]))


def _listed(things: Sequence[str], n: int) -> str:
    return ", ".join(things) + (" ..." if n > len(things) else "")


def _usd(offer: Offer) -> str:
    return f"{offer.usd_per_chip_hour:.4f}"


def _record(
    moves: Changes, price_list: PriceList, day: str, into: Path | None, leave: Collection[str]
) -> dict[str, Any]:
    return {
        "as_of": day,
        "new": [offer.model_dump(mode="json") for offer in moves.new],
        "changed": [
            {
                "now": one.now.model_dump(mode="json"),
                "new": one.new.model_dump(mode="json"),
                "percent": round(one.percent, 3),
            }
            for one in moves.changed
        ],
        "removed": [offer.model_dump(mode="json") for offer in moves.removed],
        "same": moves.n_same,
        "refreshed": len(moves.refreshed),
        "left_as_older": sorted(leave),
        "hosts": [host.model_dump(mode="json") for host in price_list.hosts],
        "flags": [{"offer": flag.offer_id, "reason": flag.reason, "kind": flag.kind} for flag in moves.flagged],
        "rows": price_list.n_rows,
        "rows_taken": price_list.n_taken,
        "skipped": [row._asdict() for row in price_list.skipped],
        "left_out": [row._asdict() for row in price_list.left_out],
        "written_to": str(into) if into else None,
    }
