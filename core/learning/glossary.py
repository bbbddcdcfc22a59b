"""Words of the field, each explained in a sentence or two, and found again in what stands on screen."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import cache

from core import paths

FILE = "learning/glossary.json"


@dataclass(frozen=True, slots=True)
class Term:
    """A word, what else it is called, and what it means."""

    term: str
    also: tuple[str, ...]
    words: str


@cache
def glossary() -> tuple[Term, ...]:
    """All terms, in the order of their names. Raises ValueError where two of them share a name."""
    rows = json.loads((paths.resources() / FILE).read_text(encoding="utf-8"))["terms"]
    terms = tuple(Term(row["term"], tuple(row["also"]), row["words"]) for row in rows)
    names = [name.lower() for one in terms for name in (one.term, *one.also)]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise ValueError(f"{FILE}: {', '.join(twice)} stand for two terms")
    return tuple(sorted(terms, key=lambda one: one.term.lower()))


@cache
def term_in(title: str) -> Term | None:
    """The term that a title speaks of: that with the longest name which stands in it as whole words; None for none."""
    found = list(_pattern().finditer(title.lower()))
    return _by_name()[max(found, key=lambda match: len(match[0]))[0]] if found else None


def meaning_of(title: str) -> str:
    """``Regret: what ...``: the term in a title with what it means; empty where there is none."""
    found = term_in(title)
    return f"{found.term}: {found.words}" if found else ""


def glossary_text() -> str:
    """The glossary as a page in Markdown."""
    lines = [f"**{one.term}**{_also(one)}. {one.words}" for one in glossary()]
    return "\n\n".join(["# Glossary", *lines])


def _also(term: Term) -> str:
    return f" ({', '.join(term.also)})" if term.also else ""


@cache
def _by_name() -> dict[str, Term]:
    return {name.lower(): one for one in glossary() for name in (one.term, *one.also)}


@cache
def _pattern() -> re.Pattern[str]:
    names = sorted(map(re.escape, _by_name()), key=len, reverse=True)
    return re.compile(rf"(?<!\w)({'|'.join(names)})(?!\w)")
