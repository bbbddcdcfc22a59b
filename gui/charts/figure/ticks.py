"""Round tick values for linear and log axes, and months on an axis of days."""

from __future__ import annotations

import math
from collections.abc import Sequence
from datetime import date

from core.units import MINUS, grouped, plain, scaled

LEAST_PLAIN = 1e-4
MOST_SCALED = 1e15
"""Values below the one and from the other on are written with a power of ten."""

N_COUNTS = 4
"""About so many ticks on an axis of counts."""

LAST_YEAR = 9998
"""After which the calendar of Python ends."""

EARLY = 8
"""Up to this day of a month a plan that begins there has its first month named, at its first day."""

_LADDERS = ((1.0,), (1.0, 3.0), (1.0, 2.0, 5.0), (1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 7.0))


def linear_ticks(low: float, high: float, n_wanted: int) -> list[float]:
    """Multiples of 1, 2, 2.5 or 5 times a power of ten between the bounds, about ``n_wanted`` of them."""
    if not high > low:
        return [low]
    rough = (high - low) / max(n_wanted, 1)
    power = 10.0 ** math.floor(math.log10(rough))
    step = next((m * power for m in (1.0, 2.0, 2.5, 5.0, 10.0) if m * power >= rough * 0.999), 10 * power)
    first = math.ceil(low / step - 1e-9)
    last = math.floor(high / step + 1e-9)
    return [round(i * step, 12) for i in range(first, last + 1)]


def count_ticks(most: float) -> tuple[tuple[float, str], ...]:
    """Ticks of an axis of things that are counted, from 0: whole numbers alone."""
    return tuple((tick, grouped(tick)) for tick in linear_ticks(0.0, most, N_COUNTS) if tick == round(tick))


def log_ticks(low: float, high: float, n_wanted: int) -> list[float]:
    """Positions (log10) of round values between two log10 bounds, thinned until about ``n_wanted`` are left."""
    best: list[float] = []
    for ladder in _LADDERS:
        ticks = _ladder_ticks(low, high, ladder)
        if best and len(ticks) > n_wanted * 1.4:
            break
        best = ticks
    if len(best) < 2:
        return [math.log10(v) for v in linear_ticks(10**low, 10**high, n_wanted) if v > 0]
    return best if len(best) <= n_wanted * 1.6 else best[:: math.ceil(len(best) / n_wanted)]


def _ladder_ticks(low: float, high: float, ladder: tuple[float, ...]) -> list[float]:
    decades = range(math.floor(low), math.ceil(high) + 1)
    steps = [decade + math.log10(step) for decade in decades for step in ladder]
    return [tick for tick in steps if low - 1e-9 <= tick <= high + 1e-9]


def tick_text(value: float, step: float = 0.0) -> str:
    """A tick's text: plain between 0.0001 and 100 000 (decimals as the step needs), with a scale or power beyond."""
    if value == 0:
        return "0"
    size = abs(value)
    if not LEAST_PLAIN <= size < MOST_SCALED:
        return _with_power(value)
    if size >= 1e5:
        return scaled(value, max(3, _digits(size, step)))
    if size < 1e-3:
        return plain(value)
    fine = min(size, step) if step else size
    decimals = max(0, 2 - math.floor(math.log10(fine))) if fine < 1000 else 0
    text = grouped(value, decimals)
    return text.rstrip("0").rstrip(".") if "." in text else text


def _digits(size: float, step: float) -> int:
    """Digits that tell a value from the next one, a step further."""
    return min(math.floor(math.log10(size)) - math.floor(math.log10(step)) + 2, 9) if step else 3


def _with_power(value: float) -> str:
    mantissa, exponent = f"{value:.2e}".split("e")
    return f"{plain(float(mantissa))}e{int(exponent)}".replace("-", MINUS)


def month_ticks(first_day: date, last: float, most: int = 9) -> list[tuple[float, str]]:
    """Beginnings of months as days of the plan, its first day among them where most of a month follows, the year told
    at its first month; few enough to be read."""
    months: list[tuple[float, date]] = []
    if first_day.year > LAST_YEAR:
        return []
    day = first_day if first_day.day <= EARLY else _month_after(first_day)
    while (at := float((day - first_day).days)) <= last and day.year <= LAST_YEAR:
        months.append((at, day))
        day = _month_after(day)
    shown = months[:: -(-len(months) // most) if months else 1]
    years = [day.year for _, day in shown]
    return [
        (at, f"{day:%b} {day.year}" if _tells_year(years, number) else f"{day:%b}")
        for number, (at, day) in enumerate(shown)
    ]


def _tells_year(years: Sequence[int], number: int) -> bool:
    """At the first month of each year; at the first of all only where the next one does not tell the year after."""
    if number:
        return years[number] != years[number - 1]
    return len(years) < 2 or years[1] == years[0]


def _month_after(day: date) -> date:
    return date(day.year + day.month // 12, day.month % 12 + 1, 1)
