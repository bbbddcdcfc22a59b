"""Numbers to text and back, the same on screen, in the report and on the command line.

Thousands are parted by a narrow no-break space, which also stands between a number and its unit.
"""

from __future__ import annotations

import math
import re

THIN = "\u202f"
MINUS = "\u2212"
TIMES = "\u00d7"
DASH = "\u2013"

GIB = 2**30
HOURS_PER_MONTH = 730.0

_SCALES = ((1e12, "T"), (1e9, "B"), (1e6, "M"), (1e3, "k"))
_WORDS = {
    "k": 1e3,
    "thousand": 1e3,
    "m": 1e6,
    "million": 1e6,
    "b": 1e9,
    "billion": 1e9,
    "bn": 1e9,
    "g": 1e9,
    "t": 1e12,
    "trillion": 1e12,
    "q": 1e15,
    "quadrillion": 1e15,
}
_NUMBER = re.compile(r"^([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)([a-z]*)$")


def grouped(value: float, decimals: int = 0) -> str:
    """``1234567.8`` -> ``1 234 568`` with narrow no-break spaces; a minus sign for negatives."""
    text = f"{abs(value):,.{decimals}f}".replace(",", THIN)
    return MINUS + text if value < 0 and float(f"{value:.{decimals}f}") != 0 else text


def rounded(value: float, digits: int = 3) -> float:
    """The value to so many significant digits; 0, infinities and NaN stay."""
    if value == 0 or not math.isfinite(value):
        return value
    return round(value, digits - 1 - math.floor(math.log10(abs(value))))


def plain(value: float, digits: int = 3) -> str:
    """A number with so many significant digits and no exponent: ``0.00123``, ``12.3``, ``1 230``."""
    if not math.isfinite(value):
        return "\u221e" if value > 0 else "unknown"
    value = rounded(value, digits)
    if value == 0:
        return "0"
    decimals = max(0, digits - 1 - math.floor(math.log10(abs(value))))
    return grouped(value, min(decimals, 9)).rstrip("0").rstrip(".") if decimals else grouped(value)


def scaled(value: float, digits: int = 3) -> str:
    """A large count with its scale: ``1.2e12`` -> ``1.2 T``; below a thousand plain."""
    for factor, letter in _SCALES:
        if abs(rounded(value, digits)) >= factor:
            return f"{plain(value / factor, digits)}{THIN}{letter}"
    return plain(value, digits)


def usd(value: float, digits: int = 3) -> str:
    """Money as read: ``$1.48 M``, ``$640 k``, ``$12.3``, ``\u2212$5``; two decimals below 100."""
    sign = MINUS if value < 0 else ""
    size = abs(value)
    if size >= 1000:
        return f"{sign}${scaled(size, digits)}"
    return f"{sign}${size:.2f}" if size < 100 else f"{sign}${size:.0f}"


def span(low: str, high: str) -> str:
    """A range of two texts with an en dash."""
    return f"{low}{DASH}{high}"


def duration(hours: float) -> str:
    """Hours as a person says them: ``40 min``, ``7.5 h``, ``36 d``, ``1.8 years``."""
    if hours < 1:
        return f"{plain(hours * 60, 2)}{THIN}min"
    if hours < 48:
        return f"{plain(hours, 2)}{THIN}h"
    if hours < 24 * 730:
        return f"{plain(hours / 24, 3)}{THIN}d"
    return f"{plain(hours / 8766, 2)}{THIN}years"


def parse_number(text: str) -> float:
    """Text typed by a person -> number: ``1.2 trillion``, ``15T``, ``8 192``, ``3,5e3`` without unit words.

    Raises ValueError with what was expected when the text is no number.
    """
    cleaned = text.strip().lower().replace(THIN, "").replace("\u00a0", "").replace(" ", "").replace("_", "")
    cleaned = cleaned.replace(MINUS, "-").removeprefix("$")
    if re.fullmatch(r"[+-]?\d{1,3}(,\d{3})+(\.\d*)?[a-z]*", cleaned):
        cleaned = cleaned.replace(",", "")
    match = _NUMBER.match(cleaned.replace(",", "."))
    if not match or (match[2] and match[2] not in _WORDS):
        raise ValueError(f"'{text}' is not a number such as 8192, 1.2 trillion or 15T")
    return float(match[1]) * _WORDS.get(match[2], 1.0)
