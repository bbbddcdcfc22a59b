"""What differs between the own entries of two plans: one line an entry, or one a kind when there are many."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from core.catalogue.entries import Entry, Offer, Server
from core.catalogue.own import KEYS, OwnEntries
from core.catalogue.own_checks import NAMES
from core.units import grouped

MOST_LINES = 12
"""Entries of a kind told one by one; a price file brings hundreds."""

ABSENT, PRESENT, CORRECTED = "\u2013", "entered", "changed"


def own_differences(old: OwnEntries, new: OwnEntries) -> list[tuple[str, str, str]]:
    """Title, what it reads in the old plan, and in the new one."""
    return [line for table in KEYS for line in _of_table(table, getattr(old, table), getattr(new, table))]


def _of_table(table: str, old: tuple[Entry, ...], new: tuple[Entry, ...]) -> list[tuple[str, str, str]]:
    key, (word, name) = KEYS[table], NAMES[table]
    before, after = ({key(entry): entry for entry in entries} for entries in (old, new))
    changed = [one for one in {**before, **after} if before.get(one) != after.get(one)]
    if len(changed) > MOST_LINES:
        return [_counted(word, len(changed), before, after)]
    entries = [(before.get(one), after.get(one)) for one in changed]
    return [(f"Own {word} {name(b or a)}", _reading(b), _reading(a, b)) for b, a in entries]


def _counted(
    word: str, n_changed: int, before: Mapping[Any, Entry], after: Mapping[Any, Entry]
) -> tuple[str, str, str]:
    return f"Own {word}s, {grouped(n_changed)} of them different", grouped(len(before)), grouped(len(after))


def _reading(entry: Entry | None, other: Entry | None = None) -> str:
    """The price where the entry is one; else whether it is there."""
    if entry is None:
        return ABSENT
    if isinstance(entry, Offer):
        return f"{entry.usd_per_host_hour:.6g} USD per host and hour"
    if isinstance(entry, Server):
        return f"{grouped(entry.typical_usd)} USD"
    return CORRECTED if other is not None else PRESENT
