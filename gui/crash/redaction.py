"""Takes out of a fault what is nobody else's business: names, notes, sellers, prices, files of the user."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from core import paths
from core.catalogue.own.layers import PriceBook
from core.plan.plan import Plan

PRIVATE = "[private]"
LEAST_LETTERS = 2
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
    words = {plan.id, plan.name, plan.note, *_words(plan.scenarios), *_words(plan.logs), *_words(plan.choices)}
    for profile in plan.profiles:
        words |= {profile.id, profile.name, profile.note}
    words |= {*_words(plan.own), *_words(book)}
    words |= {str(file), file.name, file.stem, file.parent.name} if file else set()
    return frozenset(word for word in words if len(word.strip()) >= LEAST_LETTERS)


def _words(value: Any) -> Iterator[str]:
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
