"""What pydantic refuses, said in plain words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from core.units import grouped
from core.workload.jobs.kinds import JOB_WORDS
from core.workload.models.kind_of_model import MODEL_WORDS

_LONGEST_STEP = 60
"""Of a path; a file may name a field that we do not have, as long as it likes."""

Context = Mapping[str, Any]
_KINDS = (*JOB_WORDS, *MODEL_WORDS)


def field_path(steps: Iterable[object]) -> str:
    """The dotted path of a refused field as the file spells it: pydantic also names the kind that it tried."""
    return ".".join(str(step)[:_LONGEST_STEP] for step in steps if step not in _KINDS)


def expectation(kind: str, context: Context, message: str) -> str:
    """What was expected, in words, for one pydantic error.

    ``kind``, ``context`` and ``message`` are its ``type``, ``ctx`` and ``msg``; a kind without words of its own keeps
    pydantic's message.
    """
    say = _WORDS.get(kind)
    return say(context) if say else message.removeprefix("Value error, ")


def number(value: object) -> str:
    """A bound as read: ``8192`` -> ``8 192``; whole floats without decimals."""
    if isinstance(value, float) and not value.is_integer():
        return f"{value:g}"
    return grouped(float(value)) if isinstance(value, int | float) else str(value)


def _fixed(words: str) -> Callable[[Context], str]:
    return lambda context: words


def _bound(words: str, key: str) -> Callable[[Context], str]:
    return lambda context: f"{words} {number(context[key])}"


def _choices(context: Context) -> str:
    return f"one of {context.get('expected') or context.get('expected_tags')}"


_WORDS: dict[str, Callable[[Context], str]] = {
    "missing": _fixed("a value"),
    "extra_forbidden": _fixed("no such field here"),
    "float_parsing": _fixed("a number"),
    "float_type": _fixed("a number"),
    "finite_number": _fixed("a finite number"),
    "int_parsing": _fixed("a whole number"),
    "int_type": _fixed("a whole number"),
    "int_from_float": _fixed("a whole number"),
    "bool_parsing": _fixed("yes or no"),
    "bool_type": _fixed("yes or no"),
    "string_type": _fixed("text"),
    "tuple_type": _fixed("a list"),
    "dict_type": _fixed("names with values"),
    "model_type": _fixed("a group of fields"),
    "date_from_datetime_parsing": _fixed("a date such as 2026-12-01"),
    "date_parsing": _fixed("a date such as 2026-12-01"),
    "date_type": _fixed("a date such as 2026-12-01"),
    "literal_error": _choices,
    "union_tag_invalid": _choices,
    "union_tag_not_found": _fixed("a kind"),
    "greater_than": _bound("a number above", "gt"),
    "greater_than_equal": _bound("a number of at least", "ge"),
    "less_than": _bound("a number below", "lt"),
    "less_than_equal": _bound("a number of at most", "le"),
    "string_too_short": _bound("text with a length of at least", "min_length"),
    "string_too_long": _bound("text with a length of at most", "max_length"),
    "string_pattern_mismatch": _bound("text of the form", "pattern"),
}
