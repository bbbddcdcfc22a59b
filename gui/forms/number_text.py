"""Numbers of a form: the text in the field and the unit at its right, and back."""

from __future__ import annotations

import re
from dataclasses import dataclass

from core.plan.fields import OR_NOTHING, YEAR, FieldInfo
from core.units import grouped, parse_number, plain, rounded, shown_money, unit_of

_SCALES = ((1e12, "trillion"), (1e9, "billion"), (1e6, "million"))
_OWN_SCALE = re.compile(r"[a-z]", re.IGNORECASE)
_EXPONENT = re.compile(r"^[+-]?[\d.,\s_]+e[+-]?\d+$", re.IGNORECASE)
_DIGITS = 12
_SCALED_DIGITS = 6
LEAST_SCALED = 1e6
"""A bare number from here on is taken as it stands, whatever scale was shown."""
_WHICH_ONE = (YEAR, "month")
"""Units of what is numbered rather than counted: they stand behind no number."""
_MOST_HALVED = 200
_MANY, _MUCH_USD = 12, 120_000
"""Examples for a field that has no value of its own and no narrow bounds."""


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
    value = info.in_unit(value)
    is_round = rounded(value, _SCALED_DIGITS) == value
    scale, word = next(((f, w) for f, w in _SCALES if is_round and abs(value) >= f), (1.0, ""))
    shown = value / scale
    text = grouped(shown) if float(shown).is_integer() else plain(shown, _DIGITS)
    return ShownNumber(text, f"{word} {unit}".strip() if word else unit_of(text, unit), scale)


def typed_number(info: FieldInfo, text: str, scale: float) -> float | int | None:
    """What was typed as a value of the field; ``scale`` is that of the suffix shown beside it.

    A bare number counts in the suffix's scale (``1.5`` or ``1,500`` beside ``trillion tokens``); one with a scale of
    its own (``15T``, ``1.2 million``) or from a million on is taken as it stands. The field's own unit may be typed
    behind it.
    Raises ValueError in plain words, with an example that fits the field.
    """
    if not text.strip():
        if info.optional:
            return None
        raise ValueError(f"Enter {info.expected}")
    try:
        value = parse_number(_without_unit(info, text), has_decimal_comma=scale > 1)
    except ValueError:
        wanted = info.expected.removesuffix(OR_NOTHING)
        raise ValueError(f"'{text.strip()}' is not {wanted}, such as {example(info)}") from None
    if scale > 1 and not has_own_scale(text) and abs(value) < LEAST_SCALED:
        value = rounded(value * scale, _DIGITS)
    if info.type == "whole":
        if not float(value).is_integer():
            raise ValueError(f"'{text.strip()}' is not a whole number")
        return int(value)
    return info.as_stored(value)


def example(info: FieldInfo) -> str:
    """A value that the field could hold, as it may be typed: ``60 days``, ``2 billion tokens``, ``50`` for a weight."""
    value = _example_value(info)
    shown = shown_number(info, int(value) if info.type == "whole" else value)
    return shown.text if info.unit in _WHICH_ONE else f"{shown.text} {shown.suffix}".strip()


def _example_value(info: FieldInfo) -> float:
    """The usual value where there is one; else the middle of narrow bounds."""
    if info.default:
        return float(info.default)
    low, high = info.bounds.ge or info.bounds.gt or 0.0, info.bounds.le or info.bounds.lt
    if high is not None and high <= _MOST_HALVED:
        return rounded((low + high) / 2, 1)
    return _MUCH_USD if info.unit == "USD" else _MANY


def _without_unit(info: FieldInfo, text: str) -> str:
    """What was typed without the field's own unit, which stands beside it anyway: ``60 days``, ``50%``, ``3 M$``."""
    typed = text.strip()
    own = info.unit, unit_of("1", info.unit), shown_number(info, None).suffix
    unit = next((one for one in own if one and typed.lower().endswith(one.lower())), "")
    return typed[: len(typed) - len(unit)]


def has_own_scale(text: str) -> bool:
    """True for ``15T``, ``1.2 million`` and ``1e12``, whose scale is typed."""
    return bool(_OWN_SCALE.search(text)) or bool(_EXPONENT.match(text.strip()))
