"""JSON from outside: what parses is of bounded depth and size, and its numbers are finite."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from core.errors import InputError
from core.reading.files import text_of
from core.reading.limits import MOST_DIGITS, MOST_JSON_BYTES, MOST_JSON_DEPTH, MOST_JSON_VALUES
from core.reading.pace import too_many
from core.units import grouped

_KIND_WORDS = {dict: "an object", list: "a list", str: "a text", int: "a number", float: "a number", bool: "yes or no"}
_LONGEST_STEP = 60
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")


def read_json(path: Path, expected: str) -> Any:
    """What a JSON file holds; ``expected`` says what it should be.

    Raises InputError naming the file, and the line where there is one: for text that is no JSON, nested too deep, with
    too many values, with numbers that are not finite or too long. Otherwise as :func:`core.reading.files.opened`.
    """
    return parsed(text_of(path, expected, MOST_JSON_BYTES), str(path), expected)


def kind_words(content: object) -> str:
    """What kind of JSON value it is, for one of another kind than expected: ``a list``."""
    return _KIND_WORDS.get(type(content), "nothing")


def parsed(text: str, where: str, expected: str, takes_odd_numbers: bool = False) -> Any:
    """The value of JSON text (see :func:`read_json`); ``where`` names it in errors.

    ``takes_odd_numbers``: what is not finite or too long becomes NaN instead of an error. Raises InputError for what
    is no JSON, TooMuchError for more values than the limit.
    """
    if not text.strip():
        raise InputError(where, "an empty file", expected)
    if text.count(",") + text.count("[") + text.count("{") > MOST_JSON_VALUES:
        raise too_many(where, MOST_JSON_VALUES, "values")
    numbers = _Numbers()
    content = _loaded(text, where, expected, numbers)
    if not _is_at_most(content, MOST_JSON_DEPTH):
        raise _too_deep(where, expected)
    if numbers.odd and not takes_odd_numbers:
        raise InputError(", ".join((where, *_place_of_odd(content))), *numbers.odd[0])
    if _SURROGATE.search(text):
        _check_characters(content, where)
    return content


class _Numbers:
    """Reads numbers; ``odd`` holds what was found and expected of those that no machine can hold, which become NaN."""

    def __init__(self) -> None:
        self.odd: list[tuple[str, str]] = []

    def constant(self, text: str) -> float:
        self.odd.append((text, "a finite number"))
        return math.nan

    def of_float(self, text: str) -> float:
        value = float(text)
        return value if math.isfinite(value) else self.constant(f"{text[:20]}{'...' * (len(text) > 20)}")

    def of_int(self, text: str) -> float:
        if len(text) <= MOST_DIGITS:
            return int(text)
        self.odd.append((f"a number of {grouped(len(text))} digits", f"at most {MOST_DIGITS}"))
        return math.nan


def _loaded(text: str, where: str, expected: str, numbers: _Numbers) -> Any:
    try:
        return json.loads(text, parse_constant=numbers.constant, parse_float=numbers.of_float, parse_int=numbers.of_int)
    except json.JSONDecodeError as error:
        place = f"{where}, line {error.lineno}, column {error.colno}"
        raise InputError(place, f"text that is no JSON ({error.msg.lower()})", expected) from None
    except RecursionError:
        raise _too_deep(where, expected) from None


def _place_of_odd(content: object) -> Iterator[str]:
    """The dotted path of the first number that is none; nothing where another value took its place."""
    paths = (path for path, value in _leaves(content, ()) if isinstance(value, float) and math.isnan(value))
    first = next(paths, ())
    if first:
        yield ".".join(step[:_LONGEST_STEP] for step in first)


def _leaves(value: object, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], object]]:
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, one in inside:
        yield from _leaves(one, (*path, str(name)))
    if not isinstance(value, dict | list):
        yield path, value


def _too_deep(where: str, expected: str) -> InputError:
    return InputError(where, f"values nested more than {MOST_JSON_DEPTH} deep", expected)


def _is_at_most(content: object, depth: int) -> bool:
    level = [content]
    for _ in range(depth + 1):
        level = [one for value in level for one in _inside(value)]
        if not level:
            return True
    return False


def _inside(value: object) -> list[object]:
    if isinstance(value, dict):
        return list(value.values())
    return value if isinstance(value, list) else []


def _check_characters(content: Any, where: str) -> None:
    try:
        json.dumps(content, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise InputError(where, "half a character (a lone surrogate)", "whole characters") from None
