"""Values of what-if inputs as they are read: money in the currency of the moment, tokens with a scale, days."""

from __future__ import annotations

from core.comparison.what_if.flips import Flip, FlipEnd
from core.comparison.what_if.inputs import Input
from core.units import MINUS, THIN, plain, price_text, scaled, span, usd, usd_span

MOST_PLAIN = 1e5
LEAST_CHANGE_PCT = 0.5
NEVER = "never"


def title_of(one: Input) -> str:
    """``Porting to TPU, weeks``; money and shares carry their unit themselves."""
    unit = "" if one.unit in ("USD", "%", "") or one.unit.startswith("USD") else f", {one.unit}"
    name = str(one.name)
    return name if unit.lstrip(", ") in name.lower() and unit else f"{name}{unit}"


def value_text(one: Input, value: float) -> str:
    """One value: ``$6.69``, ``1.2 T``, ``74 %``, ``13``."""
    if one.id.startswith("price "):
        return price_text(value)
    if one.unit.startswith("USD"):
        return f"{usd(value)}{one.unit.removeprefix('USD')}"
    if one.unit == "%":
        return f"{plain(value, 3)}{THIN}%"
    if one.is_whole and abs(value) < MOST_PLAIN:
        return plain(round(value), 6)
    return scaled(value, 3) if abs(value) >= MOST_PLAIN else plain(value, 3)


def now_text(one: Input) -> str:
    """What it is now; a limit that is not set is none."""
    return "none" if one.is_unset else value_text(one, one.now)


def range_text(one: Input) -> str:
    """Its 80 % range; nothing for a limit that is not set."""
    if one.is_unset or one.low == one.high:
        return ""
    if one.unit.startswith("USD"):
        return usd_span(one.low, one.high)
    low, high = value_text(one, one.low), value_text(one, one.high)
    head, _, tail = low.rpartition(THIN)
    is_shared = bool(head) and not tail[:1].isdigit() and high.endswith(f"{THIN}{tail}")
    return span(head if is_shared else low, high)


def flip_text(one: Input, flip: Flip) -> str:
    """Where the pick changes and how far that is: ``900, +20 %``; ``never`` where nothing that was tried does."""
    end = flip.nearest
    return NEVER if end is None else f"{value_text(one, end.value)}{change_text(one, end)}"


def change_text(one: Input, end: FlipEnd) -> str:
    """``, −60 %`` of what it is now; nothing where that is nothing, or a share itself."""
    if one.now <= 0 or one.is_unset or one.is_date or one.unit == "%":
        return ""
    change = 100 * (end.value / one.now - 1)
    if abs(change) < LEAST_CHANGE_PCT:
        return ""
    return f", {MINUS if change < 0 else '+'}{abs(change):.0f}{THIN}%"
