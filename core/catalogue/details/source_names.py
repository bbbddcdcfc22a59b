"""Source ids in a text, put as where they can be read: ids are for files and for the list of sources on paper."""

from __future__ import annotations

import re
from collections.abc import Mapping

from core.catalogue.details.facts import short_source

GUESS = "GUESS"
"""Id of figures from general knowledge."""

_ONE = r"[A-Z][A-Z0-9]*(?:-[A-Z0-9]+)*"
_IDS = re.compile(rf"\b{_ONE}(?:\+{_ONE})*\b")


def cited(text: str, sources: Mapping[str, str]) -> str:
    """``CLIFF, 2026-05-18`` -> the site, 2026-05-18; ids joined by ``+`` are listed, words that are no ids stay."""

    def words(match: re.Match[str]) -> str:
        ids = match[0].split("+")
        return ", ".join(_where(one, sources) for one in ids) if all(one in sources for one in ids) else match[0]

    return _IDS.sub(words, text)


def _where(source_id: str, sources: Mapping[str, str]) -> str:
    return "our estimate" if source_id == GUESS else short_source(sources[source_id])
