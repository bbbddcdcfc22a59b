"""What people call countries and sellers, so that a name that no table knows is answered with the one that is meant."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from difflib import get_close_matches

from core.catalogue.providers import provider_name

COUNTRIES = {
    "ae": ("united-arab-emirates", "emirates", "uae"),
    "au": ("australia",),
    "be": ("belgium",),
    "br": ("brazil", "brasil"),
    "ca": ("canada",),
    "ch": ("switzerland", "schweiz", "suisse"),
    "cl": ("chile",),
    "cn": ("china",),
    "de": ("germany", "deutschland"),
    "es": ("spain", "espana"),
    "fi": ("finland", "suomi"),
    "fr": ("france",),
    "gb": ("united-kingdom", "uk", "great-britain", "britain", "england"),
    "hk": ("hong-kong", "hongkong"),
    "id": ("indonesia",),
    "ie": ("ireland",),
    "il": ("israel",),
    "in": ("india",),
    "is": ("iceland",),
    "it": ("italy", "italia"),
    "jp": ("japan",),
    "kr": ("south-korea", "korea"),
    "mx": ("mexico",),
    "nl": ("netherlands", "the-netherlands", "holland"),
    "pl": ("poland",),
    "qa": ("qatar",),
    "ro": ("romania",),
    "sa": ("saudi-arabia",),
    "se": ("sweden",),
    "sg": ("singapore",),
    "tw": ("taiwan",),
    "us": ("united-states", "usa", "america", "united-states-of-america"),
    "za": ("south-africa",),
}
"""English names of countries, and how else they are called, by their code."""

AREAS = {
    "europe": ("eu", "european-union", "emea"),
    "asia": ("apac", "asia-pacific"),
    "north-america": ("na",),
    "south-america": ("latin-america", "latam"),
    "middle-east": ("gulf",),
}
SELLERS = {
    "aws": ("amazon", "amazon-web-services", "ec2"),
    "azure": ("microsoft",),
    "gcp": ("google", "google-cloud", "gce"),
    "oci": ("oracle", "oracle-cloud"),
    "verda": ("datacrunch",),
}
_OTHERS = AREAS | SELLERS

_EXAMPLES = 3
_LIKENESS = 0.6
"""Share of letters in common from which a name may be what was meant."""


def near(name: str, known: Iterable[str], country_of: dict[str, str]) -> str:
    """Those of the ``known`` that are called so, else the nearest spellings, else a few of them.

    A known name goes by itself, by its last part (``london`` of ``europe/gb/london``), by the names of its country or
    area or seller, and, where ``country_of`` tells its country, by the names of that.
    """
    ordered = sorted(known)
    words: dict[str, list[str]] = {}
    for one in ordered:
        for word in dict.fromkeys(_called(one, country_of.get(one, ""))):
            words.setdefault(word, []).append(one)
    asked = spelt(name.rpartition("/")[2])
    meant = words.get(asked) or _alike(name, words, ordered) or ordered
    return ", ".join(meant[:_EXAMPLES])


def _alike(name: str, words: dict[str, list[str]], ordered: list[str]) -> list[str]:
    """By the whole name as it stands first, then by how it may be called."""
    whole = get_close_matches(name, ordered, n=_EXAMPLES, cutoff=_LIKENESS)
    called = get_close_matches(spelt(name.rpartition("/")[2]), words, n=1, cutoff=0.75)
    return [*words[called[0]], *whole] if called and not whole else whole


def _called(known: str, country: str) -> list[str]:
    """What a known name goes by, in plain letters."""
    last = spelt(known.rpartition("/")[2])
    code = country.lower() or (last if "/" in known else "")
    return [last, spelt(provider_name(known)), *_OTHERS.get(known, ()), *COUNTRIES.get(code, ())]


def spelt(text: str) -> str:
    """``São Paulo`` -> ``sao-paulo``."""
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")
