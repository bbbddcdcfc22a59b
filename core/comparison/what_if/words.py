"""Inputs and their values as they are read, on every screen and on paper: money in the currency of the moment, tokens
with a scale, shares with their sign."""

from __future__ import annotations

from core.amounts import PRICE_PER_CHIP_HOUR, SCALED, USD, Amount, Sentence, Text, whole
from core.comparison.what_if.flips import Flip, FlipEnd
from core.comparison.what_if.inputs import Input, is_long_time, is_money
from core.units import MINUS, THIN, ms_words, span, usd_span

MOST_PLAIN = 1e5
LEAST_CHANGE_PCT = 0.5
NEVER = "never"


def title_of(one: Input) -> str:
    """``Porting to TPU, weeks``; money, shares and long times carry their unit themselves."""
    unit = "" if is_money(one) or is_long_time(one) or one.unit in ("%", "") else f", {one.unit}"
    name = str(one.name)
    return name if unit.lstrip(", ") in name.lower() and unit else f"{name}{unit}"


def value_words(one: Input, value: float) -> Text:
    """One value: ``$6.69``, ``1.2 T``, ``74 %``, ``13``, ``4 min``."""
    if one.id.startswith("price "):
        return Amount(value, PRICE_PER_CHIP_HOUR)
    if is_money(one):
        return Sentence(f"{{}}{one.unit.removeprefix('USD')}", Amount(value, USD))
    if one.unit == "%":
        return Amount(value, one.unit)
    if is_long_time(one):
        return ms_words(value)
    if one.is_whole and abs(value) < MOST_PLAIN:
        return whole(round(value))
    return Amount(value, SCALED if abs(value) >= MOST_PLAIN else "")


def now_words(one: Input) -> Text:
    """What it is now; a limit that is not set is none."""
    return "none" if one.is_unset else value_words(one, one.now)


def range_text(one: Input) -> str:
    """Its 80 % range; nothing for a limit that is not set."""
    if one.is_unset or one.low == one.high:
        return ""
    if is_money(one):
        return usd_span(one.low, one.high)
    low, high = str(value_words(one, one.low)), str(value_words(one, one.high))
    head, _, tail = low.rpartition(THIN)
    is_number = bool(head) and not any(map(str.isalpha, head))
    is_shared = is_number and not tail[:1].isdigit() and high.endswith(f"{THIN}{tail}")
    return span(head if is_shared else low, high)


def flip_words(one: Input, flip: Flip) -> Text:
    """Where the pick changes and how far that is: ``900, +20 %``; ``never`` where nothing that was tried does."""
    end = flip.nearest
    return NEVER if end is None else Sentence("{}{}", value_words(one, end.value), change_text(one, end))


def change_text(one: Input, end: FlipEnd) -> str:
    """``, −60 %`` of what it is now; nothing where that is nothing, or a share itself."""
    if one.now <= 0 or one.is_unset or one.is_date or one.unit == "%":
        return ""
    change = 100 * (end.value / one.now - 1)
    if abs(change) < LEAST_CHANGE_PCT:
        return ""
    return f", {MINUS if change < 0 else '+'}{abs(change):.0f}{THIN}%"
