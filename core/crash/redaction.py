"""Takes out of a fault what is nobody else's business: names, notes, sellers, prices, files of the user."""

from __future__ import annotations

import re
import traceback
from argparse import Namespace
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path

from pydantic import BaseModel

from core import paths
from core.catalogue.catalogue import Catalogue
from core.catalogue.entries import Entry
from core.catalogue.own.layers import KEYS as ENTRIES
from core.catalogue.own.layers import PriceBook
from core.plan.plan import Plan
from core.workload.profile import Profile

PRIVATE = "[private]"
LEAST_LETTERS = 2
MOST_ITEMS = 10_000
"""Of a collection that a call held: a fault must be told soon."""
_NUMBER = re.compile(r"\d[\d_]*(?:[.,]\d+)*(?:[eE][+-]?\d+)?")
_QUOTED = re.compile(r"""(['"])(.*?)\1""", re.DOTALL)
_KEY = re.compile(r"[a-z_][a-z_.\[\]]{0,40}")
"""What may stay in quotes: names of fields and keys, as the program's own code writes them."""
_PATH = re.compile(r"(?:[A-Za-z]:[\\/]|\\\\|~?/)[^\s'\",;:)]*")
_FIELDS = {
    "name", "short_name", "note", "source", "provider", "instance", "region", "place", "reason", "file_name", "how",
    "vendor", "family", "id",
}  # fmt: skip
"""Fields of plans and own entries that hold words of the user."""


def secrets_of(plan: Plan, book: PriceBook | None, file: Path | None) -> frozenset[str]:
    """Words of the user: of the plan, its own entries and logs, the price book, and the names of its file."""
    return _worth_hiding({*_words_of(plan), *_words_of(book), *_words_of(file)})


def secrets_in(error: BaseException) -> frozenset[str]:
    """Words of the user in what the calls that led to an error were given and had made, those of its causes too."""
    words: set[str] = set()
    for one in chain_of(error):
        for frame, _ in traceback.walk_tb(one.__traceback__):
            if frame.f_locals is not frame.f_globals:
                words.update(*map(_words_held, list(frame.f_locals.values())))
    return _worth_hiding(words)


def chain_of(error: BaseException) -> list[BaseException]:
    """An error after what brought it about, the first cause first."""
    chain: list[BaseException] = []
    now: BaseException | None = error
    while now is not None and now not in chain:
        chain.append(now)
        now = now.__cause__ or (None if now.__suppress_context__ else now.__context__)
    return chain[::-1]


def _worth_hiding(words: Iterable[str]) -> frozenset[str]:
    return frozenset(word for word in words if len(word.strip()) >= LEAST_LETTERS)


def _words_held(value: object) -> Iterator[str]:
    """Words of the user in a value, or in the first of a collection."""
    if isinstance(value, dict | Namespace):
        value = list((value if isinstance(value, dict) else vars(value)).values())
    if isinstance(value, list | tuple | set | frozenset):
        for one in islice(value, MOST_ITEMS):
            yield from _words_of(one)
    else:
        yield from _words_of(value)


def _words_of(value: object) -> Iterator[str]:
    """Words of the user in one value; none in what is shipped."""
    match value:
        case str() if not _KEY.fullmatch(value):
            yield value
        case Path() if not value.is_relative_to(paths.program_root()):
            yield from (str(value), value.name, value.stem, value.parent.name)
        case Plan():
            yield from (value.id, value.name, value.note)
            for part in (value.scenarios, value.logs, value.choices, value.own):
                yield from _words(part)
            for profile in value.profiles:
                yield from _words_of(profile)
        case Profile():
            yield from (value.id, value.name, value.note)
        case Catalogue():
            yield from _words(tuple(one for table in ENTRIES for one in getattr(value, table) if not _is_shipped(one)))
        case BaseModel() if not _is_shipped(value):
            yield from _words(value)


def _is_shipped(value: object) -> bool:
    return isinstance(value, Entry) and value.layer == "catalogue"


def _words(value: object) -> Iterator[str]:
    """Texts of such fields, however deep they lie."""
    if isinstance(value, BaseModel):
        for name in type(value).model_fields:
            one = getattr(value, name)
            if isinstance(one, str) and name in _FIELDS:
                yield one
            elif isinstance(one, dict) and name == "skipped_reasons":
                yield from one
            elif not isinstance(one, str):
                yield from _words(one)
    elif isinstance(value, tuple):
        for one in value:
            yield from _words(one)


def redacted(message: str, secrets: Iterable[str] = ()) -> str:
    """A message of an error without words of the user, numbers, paths, and quoted values that are no keys."""
    for secret in sorted(secrets, key=len, reverse=True):
        message = message.replace(secret, PRIVATE).replace(repr(secret)[1:-1], PRIVATE)
    message = _QUOTED.sub(_key_or_dots, message)
    return _NUMBER.sub("#", _PATH.sub("[path]", message))


def _key_or_dots(quoted: re.Match[str]) -> str:
    mark, inside = quoted[1], quoted[2]
    return quoted[0] if _KEY.fullmatch(inside) or inside == PRIVATE else f"{mark}…{mark}"


def place_of(file: str) -> str:
    """A file of code as everybody knows it: below the program, below installed packages, or by its name alone."""
    path = Path(file)
    if path.is_relative_to(paths.program_root()) and "site-packages" not in path.parts:
        return path.relative_to(paths.program_root()).as_posix()
    parts = path.parts
    start = next((n for n, part in enumerate(parts) if part == "site-packages"), len(parts) - 2)
    return "/".join(parts[start + 1 :]) or path.name


def without_home(text: str) -> str:
    """A text without where the user's folders lie."""
    try:
        return text.replace(str(Path.home()), "~")
    except RuntimeError:  # nobody knows a home
        return text
