"""Numbers of a form: the text in the field and the unit at its right, and back."""

from __future__ import annotations

import re
from dataclasses import dataclass

from core.plan.fields import YEAR, FieldInfo
from core.units import grouped, parse_number, plain, rounded, shown_money, unit_of

_SCALES = ((1e12, "trillion"), (1e9, "billion"), (1e6, "million"))
_OWN_SCALE = re.compile(r"[a-z]", re.IGNORECASE)
_EXPONENT = re.compile(r"^[+-]?[\d.,\s_]+e[+-]?\d+$", re.IGNORECASE)
_DIGITS = 12
_SCALED_DIGITS = 6
LEAST_SCALED = 1e6
"""A bare number from here on is taken as it stands, whatever scale was shown."""


@dataclass(frozen=True, slots=True)
class ShownNumber:
    """A number as the field shows it: ``1.2`` with the suffix ``trillion tokens``; ``scale`` is the suffix's factor."""

    text: str
    suffix: str
    scale: float = 1.0


def shown_number(info: FieldInfo, value: float | None) -> ShownNumber:
    """A value of a number field; an empty text for None. Numbers with many digits are written out without a scale."""
    unit = "$" if info.unit == "USD" and shown_money().is_usd else info.unit
    if value is None:
        return ShownNumber("", unit)
    if info.unit == YEAR:
        return ShownNumber(f"{value:.0f}", unit)
    is_round = rounded(value, _SCALED_DIGITS) == value
    scale, word = next(((f, w) for f, w in _SCALES if is_round and abs(value) >= f), (1.0, ""))
    shown = value / scale
    text = grouped(shown) if float(shown).is_integer() else plain(shown, _DIGITS)
    return ShownNumber(text, f"{word} {unit}".strip() if word else unit_of(text, unit), scale)


def typed_number(info: FieldInfo, text: str, scale: float) -> float | int | None:
    """What was typed as a value of the field; ``scale`` is that of the suffix shown beside it.

    A bare number counts in the suffix's scale (``1.5`` beside ``trillion tokens``); one with a scale of its own
    (``15T``, ``1.2 million``) or from a million on is taken as it stands. Raises ValueError in plain words.
    """
    if not text.strip():
        if info.optional:
            return None
        raise ValueError(f"Enter {info.expected}")
    value = parse_number(text)
    if scale > 1 and not has_own_scale(text) and abs(value) < LEAST_SCALED:
        value = rounded(value * scale, _DIGITS)
    if info.type == "whole":
        if not float(value).is_integer():
            raise ValueError(f"'{text.strip()}' is not a whole number")
        return int(value)
    return value


def has_own_scale(text: str) -> bool:
    """True for ``15T``, ``1.2 million`` and ``1e12``, whose scale is typed."""
    return bool(_OWN_SCALE.search(text)) or bool(_EXPONENT.match(text.strip()))
