"""The kinds of entries that can be typed, under one door: begin, ask, check, make the entries."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from core.catalogue.catalogue import Catalogue
from core.catalogue.conflicts import ROW_KEYS
from core.catalogue.entries import Entry
from core.catalogue.own.checks import doubts, faults
from core.catalogue.own.layers import KEYS, OwnEntries, layered
from core.plan.drafts.base import Draft
from core.plan.drafts.chip import ChipDraft, chip_draft, chip_entries, chip_fields
from core.plan.drafts.have import have_draft, have_entries, have_fields, have_words, new_have
from core.plan.drafts.host import HostDraft, host_draft, host_entries, host_fields
from core.plan.drafts.offer import OfferDraft, offer_draft, offer_entries, offer_fields, price_words, settled
from core.plan.drafts.sellers import seller_words
from core.plan.drafts.server import ServerDraft, server_doubt, server_draft, server_entries, server_fields, server_words
from core.plan.fields import FieldInfo

_FIELD_OF = {
    "usd_per_chip_hour": "amount_usd",
    "usd_per_host_hour": "amount_usd",
    "chips_per_host": "n_chips",
    "low_usd": "typical_usd",
}


@dataclass(frozen=True, slots=True)
class Kind:
    """One table of the catalogue that a person can add to. ``hints`` gives help texts that depend on the draft."""

    table: str
    word: str
    article: str
    begin: Callable[[date], Draft]
    correct: Callable[[Any, date], Draft]
    ask: Callable[[Any, Catalogue], list[FieldInfo]]
    entries: Callable[[Any, Catalogue], OwnEntries]
    hints: Callable[[Any, Catalogue], Mapping[str, str]] = lambda _draft, _catalogue: {}
    settle: Callable[[Any, Catalogue], Any] = lambda draft, _catalogue: draft


@dataclass(frozen=True, slots=True)
class Verdict:
    """What stands against a draft: sentences by field (``""`` for none in particular), and what only looks odd."""

    errors: Mapping[str, str] = field(default_factory=dict)
    odd: tuple[str, ...] = ()


def _offer_hints(draft: OfferDraft, catalogue: Catalogue) -> Mapping[str, str]:
    return {
        "amount_usd": price_words(draft, catalogue),
        "provider": seller_words(catalogue, draft.provider),
    }


KINDS = {
    "offers": Kind(
        "offers", "offer", "an", lambda day: OfferDraft(as_of=day), offer_draft, offer_fields, offer_entries,
        _offer_hints, settled,
    ),
    "hosts": Kind(
        "hosts", "host", "a", lambda day: HostDraft(as_of=day), host_draft, host_fields, host_entries,
        lambda draft, catalogue: {"provider": seller_words(catalogue, draft.provider)},
    ),
    "accelerators": Kind(
        "accelerators", "chip", "a", lambda day: ChipDraft(as_of=day), chip_draft, chip_fields, chip_entries
    ),
    "servers": Kind(
        "servers", "server", "a", lambda day: ServerDraft(as_of=day), server_draft, server_fields, server_entries,
        lambda draft, catalogue: {"typical_usd": server_words(draft, catalogue)},
    ),
}  # fmt: skip

HAVE = Kind(
    "have", "stock", "a", new_have, have_draft, have_fields, have_entries,
    lambda draft, catalogue: {"n_chips": have_words(draft, catalogue)},
)  # fmt: skip
"""What the user has, which adds to several tables."""


def entry_of(catalogue: Catalogue, table: str, key: object) -> Entry | None:
    """The entry of a table by its key, as :data:`KEYS` or :data:`ROW_KEYS` makes it; None where there is none."""
    wanted = tuple(key) if isinstance(key, list) else key
    entries = getattr(catalogue, table)
    return next((one for one in entries if wanted in (KEYS[table](one), ROW_KEYS[table](one))), None)


def judged(kind: Kind, draft: Draft, catalogue: Catalogue, today: date | None = None) -> Verdict:
    """What the catalogue says against a draft. ``catalogue`` is the one on screen, with every layer; ``today`` is the
    clock's without one."""
    missing = dict.fromkeys(draft.missing(), "Still needed")
    if missing:
        return Verdict(missing)
    made = kind.entries(draft, catalogue)
    problems = draft.faults_of_day(catalogue.date, today)
    for fault in faults(made, layered(catalogue, made), "own"):
        name = fault.error.where.rsplit(", ", 1)[-1]
        problems.setdefault(_FIELD_OF.get(name, name), f"Found {fault.error.found}. Expected {fault.error.expected}.")
    return Verdict(problems, tuple(_odd(kind, draft, made, catalogue)))


def _odd(kind: Kind, draft: Draft, made: OwnEntries, catalogue: Catalogue) -> list[str]:
    told = [f"{reason[:1].upper()}{reason[1:]}." for _, reason in doubts(made, catalogue)]
    if kind.table not in KEYS:
        return told
    entry = getattr(made, kind.table)[0]
    known = entry_of(catalogue, kind.table, KEYS[kind.table](entry))
    if known is not None and ROW_KEYS[kind.table](known) != draft.based_on:
        told.append(f"There is such {kind.article} {kind.word} already; this one takes its place.")
    if isinstance(draft, ServerDraft) and (words := server_doubt(draft)):
        told.append(f"{words}")
    return told
