"""An entry as facts to be read: every figure with its unit, its mark, and what other sources say."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from typing import Any

from core.catalogue.catalogue import Catalogue
from core.catalogue.conflicts import ROW_KEYS, conflicts_of
from core.catalogue.details.field_words import FIELDS
from core.catalogue.details.names import SOFTWARE_WORDS, SUPPORT_WORDS, family_words, input_name, scope_words
from core.catalogue.entries import (
    CLASS_WORDS,
    Accelerator,
    Conflict,
    CostInput,
    Entry,
    FrameworkSupport,
    Host,
    Offer,
    Region,
    Server,
    SliceShape,
)
from core.catalogue.prices.quality import quality_of
from core.catalogue.providers import provider_name
from core.units import date_text, grouped, plain, shown_money
from core.workload.profile import PURCHASE_WORDS

TABLE_OF: dict[type[Entry], str] = {
    Accelerator: "accelerators",
    Host: "hosts",
    Offer: "offers",
    Region: "regions",
    Server: "servers",
    SliceShape: "slices",
    FrameworkSupport: "frameworks",
    CostInput: "cost_inputs",
}
KIND_WORDS = {"gpu": "GPU", "tpu": "TPU", "other": "Other accelerator"}
LAYER_WORDS = {"catalogue": "Shipped catalogue", "plan": "Yours, in this plan", "book": "Price book"}
MISSING = "not known"
_COUNTS = ("n_chips", "chips_per_host")


@dataclass(frozen=True, slots=True)
class Fact:
    """One figure of an entry as text; ``other`` is what another source says of it."""

    field: str
    title: str
    text: str
    unit: str = ""
    estimate: bool = False
    other: str = ""

    @property
    def words(self) -> str:
        """Figure and unit; an unknown figure has no unit."""
        return f"{self.text} {self.unit}".strip() if self.text != MISSING else self.text


def facts_of(entry: Entry, catalogue: Catalogue) -> tuple[Fact, ...]:
    """Every described field of an entry in a fixed order; unknown figures say so."""
    other: dict[str, list[str]] = {}
    for one in entry_conflicts(entry, catalogue):
        other.setdefault(one.field, []).append(_other(one, catalogue))
    estimated = estimated_figures(entry)
    return tuple(
        Fact(
            name,
            words.title,
            _text(entry, name, catalogue),
            words.unit,
            name in estimated,
            "; ".join(other.get(name, ())),
        )
        for name, words in FIELDS[type(entry)].items()
    )


def _text(entry: Entry, field: str, catalogue: Catalogue) -> str:
    """A field in words, where these turn on what else the catalogue holds."""
    if isinstance(entry, CostInput) and field == "scope":
        return scope_words(entry.scope, catalogue)
    if isinstance(entry, FrameworkSupport) and field == "chip_family":
        return family_words(entry.chip_family, catalogue)
    return value_text(entry, field)


def estimated_figures(entry: Entry) -> frozenset[str]:
    """Fields of an entry that are estimates: those it names, else every figure of an entry that is one."""
    named = set(getattr(entry, "estimated_fields", ()))
    if getattr(entry, "tdp_estimate", False):
        named.add("tdp_w")
    if named or not entry.estimate:
        return frozenset(named)
    return frozenset(name for name in FIELDS[type(entry)] if name not in _COUNTS and _is_figure(getattr(entry, name)))


def entry_key(entry: Entry) -> str:
    """The key under which conflicts and own entries name an entry; empty for one without."""
    table = TABLE_OF.get(type(entry))
    return ROW_KEYS[table](entry) if table else ""


def entry_conflicts(entry: Entry, catalogue: Catalogue) -> tuple[Conflict, ...]:
    """What other sources say of an entry's figures."""
    table = TABLE_OF.get(type(entry))
    return conflicts_of(catalogue, table, ROW_KEYS[table](entry)) if table else ()


def value_text(entry: Entry, field: str) -> str:
    """A field as people read it."""
    value = getattr(entry, field)
    if value is None or value == "":
        return "still so" if field == "valid_until" else MISSING
    if field == "quality" and isinstance(entry, Offer):
        return f"{quality_of(entry).title}: {quality_of(entry).meaning}"
    if field == "provider":
        return provider_name(str(value))
    if "usd" in field.split("_"):
        return _money_text(float(value))
    if field.endswith("_share"):
        return f"{plain(100 * float(value))} %"
    if isinstance(entry, CostInput) and field == "name":
        return input_name(str(value))
    return _WORDS[field].get(str(value), str(value)) if field in _WORDS else _plain_text(value)


def sources_of(entry: Entry, catalogue: Catalogue) -> tuple[str, ...]:
    """Where an entry's figures can be read, in words."""
    return tuple(_told(catalogue.sources.get(one, one)) for one in entry.source.split("+") if one)


_WORDS: dict[str, dict[str, str]] = {
    "purchase_model": dict(PURCHASE_WORDS),
    "seller_class": {str(one): words for one, words in CLASS_WORDS.items()},
    "kind": KIND_WORDS,
    "support": SUPPORT_WORDS,
    "framework": SOFTWARE_WORDS,
}


def _money_text(value_usd: float) -> str:
    """A price as exact as it was entered, and beside another currency the US dollars from which it comes."""
    money, text = shown_money(), plain(value_usd, 6)
    converted = f"{money.sign}{plain(value_usd * money.per_usd, 6)}"
    return converted if money.is_usd else f"{converted} ({text} USD)"


def _plain_text(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return (", " if isinstance(value[0], bool) else " × ").join(_plain_text(one) for one in value)
    if isinstance(value, date):
        return date_text(value)
    if isinstance(value, int):
        return grouped(value)
    return plain(value, 6) if isinstance(value, float) else str(value)


def _is_figure(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _other(conflict: Conflict, catalogue: Catalogue) -> str:
    where = ", ".join(short_source(catalogue.sources.get(one, one)) for one in conflict.source.split("+"))
    return f"{conflict.other} ({where})" if where else conflict.other


def _told(words: str) -> str:
    """A source with the name of its version cut to what tells it from others."""
    return re.sub(r"@([0-9a-f]{10})[0-9a-f]{30}\b", r"@\1", words)


def short_source(words: str) -> str:
    """A source without its version, date and path: what a reader needs to tell it from another."""
    return re.split(r"@| \(|;|:(?!//)", words)[0].strip()
