"""Numbers to text and back, the same on screen, in the report and on the command line.

Thousands are parted by a narrow no-break space, which also stands between a number and its unit.
"""

from __future__ import annotations

import math
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date, timedelta

from core.constants import DAYS_PER_YEAR, HOURS_PER_DAY

THIN = "\u202f"
NO_BREAK = "\u00a0"
MINUS = "\u2212"
TIMES = "\u00d7"
DASH = "\u2013"

GIB = 2**30
MOST_DIGITS = 7
"""Significant digits of a factor that a reader multiplies by, at most."""

_SIGNS = {
    "USD": "$",
    "EUR": "\u20ac",
    "GBP": "\u00a3",
    "JPY": "\u00a5",
    "CNY": "CN\u00a5",
    "HKD": "HK$",
    "SGD": "S$",
    "TWD": "NT$",
    "KRW": "\u20a9",
    "INR": "\u20b9",
    "AUD": "A$",
    "CAD": "C$",
}
"""Signs that name one currency; any other is written with its code."""

RATE_DIGITS = 5
"""Significant digits of a rate by which a reader multiplies."""

CENTS_BELOW = 100
"""Amounts below this many of a currency are told with two decimals."""

LONGEST_DAYS = 36_500
OVER_A_CENTURY = "over a century"
"""A finish later than a century from the start, or so many days, is not told to the day."""

WHOLE_DAYS_FROM = 9.95
"""So many days and more are told as a whole number."""

SECONDS_FROM_MS = 10_000.0
"""So many milliseconds and more are told in seconds or minutes."""

_SIZES = ("GiB", "TiB", "PiB", "EiB")
_LARGEST = 10_000
"""So much of a size is told in its unit, and so much of a rate without a scale; more in the next one."""

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
_GROUPED = re.compile(r"^[+-]?[1-9]\d{0,2}(,\d{3})+(?:(?<=,\d{3},\d{3})|\.\d*)[a-z]*$")
"""``1,250,000`` and ``1,250.50``: the commas cannot part decimals."""
_GROUPED_BY_POINTS = re.compile(r"^[+-]?[1-9]\d{0,2}(\.\d{3})+(?:(?<=\.\d{3}\.\d{3})|,\d*)[a-z]*$")
"""``1.250.000`` and ``1.250,50``: the points cannot part decimals."""
_THOUSANDS_OR_DECIMALS = re.compile(r"^[+-]?[1-9]\d{0,2},\d{3}$")


def grouped(value: float, decimals: int = 0) -> str:
    """``1234567.8`` -> ``1 234 568`` with narrow no-break spaces; a minus sign for negatives."""
    text = f"{abs(value):,.{decimals}f}".replace(",", THIN)
    return MINUS + text if value < 0 and float(f"{value:.{decimals}f}") != 0 else text


def rounded(value: float, digits: int = 3) -> float:
    """The value to so many significant digits; 0, infinities and NaN stay."""
    if value == 0 or not math.isfinite(value):
        return value
    return round(value, digits - 1 - math.floor(math.log10(abs(value))))


def rounded_up(value: float, digits: int = 3) -> float:
    """The least number of so many significant digits that is no less than a positive value."""
    near = rounded(value, digits)
    if near >= value or not math.isfinite(value):
        return near
    return rounded(near + 10.0 ** (math.floor(math.log10(value)) - digits + 1), digits)


def plain(value: float, digits: int = 3) -> str:
    """A number with so many significant digits and no exponent: ``0.00123``, ``12.3``, ``1 230``."""
    if not math.isfinite(value):
        return "\u221e" if value > 0 else "unknown"
    value = rounded(value, digits)
    if value == 0:
        return "0"
    decimals = max(0, digits - 1 - math.floor(math.log10(abs(value))))
    return grouped(value, min(decimals, 9)).rstrip("0").rstrip(".") if decimals else grouped(value)


def factor_text(value: float, others: float, product: str, write: Callable[[float], str], digits: int = 3) -> str:
    """A factor with as many significant digits, ``digits`` at least, as a reader needs who multiplies it by the others:
    the result, written by ``write``, is the ``product`` that stands beside it. Where none does that, ``digits``."""
    told = (one for one in _roundings(value, digits) if write(one[0] * others) == product)
    return plain(*next(told, (value, digits)))


def _roundings(value: float, digits: int) -> Iterator[tuple[float, int]]:
    """A value to ever more digits, each with how many; then, for a product that lies next to where its own rounding
    turns, so that no nearest one helps, those on the other side of the value."""
    n_digits = range(digits, MOST_DIGITS + 1)
    yield from ((rounded(value, n), n) for n in n_digits)
    if value == 0 or not math.isfinite(value):
        return
    for n in n_digits:
        near, step = rounded(value, n), 10.0 ** (math.floor(math.log10(abs(value))) - n + 1)
        yield rounded(near + (step if near < value else -step), n), n


def scaled(value: float, digits: int = 3) -> str:
    """A large count with its scale: ``1.2e12`` -> ``1.2 T``; below a thousand plain."""
    for factor, letter in _SCALES:
        if abs(rounded(value, digits)) >= factor:
            return f"{plain(value / factor, digits)}{THIN}{letter}"
    return plain(value, digits)


def noun(number: str, one: str, many: str = "") -> str:
    """The noun that agrees with a number as it is written: ``week`` behind ``1``, ``weeks`` behind any other.

    ``many`` is given where it is not the singular with an s: ``batches``.
    """
    return one if number == "1" else many or f"{one}s"


_ONE_OF = {"people": "person", "batches": "batch"}
_NEVER_PLURAL = ("ms",)


def unit_of(number: str, unit: str) -> str:
    """The unit that agrees with a number as it is written: ``run`` behind ``1`` where a field counts ``runs``.

    What is no plural word stays: ``ms``, ``GB``, ``USD/week``. Of ``times/day`` the first word agrees.
    """
    if not unit:
        return ""
    first, slash, rest = unit.partition("/")
    is_plural = first.islower() and first.isalpha() and first.endswith("s") and first not in _NEVER_PLURAL
    one = _ONE_OF.get(first) or (first[:-1] if is_plural else first)
    return f"{noun(number, one, first)}{slash}{rest}"


def counted(value: float, one: str, many: str = "", digits: int = 0) -> str:
    """A number and the noun that agrees with what is read: ``1 week``, ``2 weeks``, ``0.5 weeks``.

    ``digits`` significant ones; 0 for a whole number.
    """
    number = plain(value, digits) if digits else grouped(value)
    return f"{number} {noun(number, one, many)}"


def gib_text(gib: float, digits: int = 3) -> str:
    """GiB as read: ``78.4 GiB``; from ten thousand on in the next larger unit, up to ``more than 10 000 EiB``."""
    for unit in _SIZES:
        if abs(gib) < _LARGEST:
            return f"{plain(gib, digits)}{THIN}{unit}"
        gib /= 1024
    return f"more than {grouped(_LARGEST)}{THIN}{_SIZES[-1]}"


def days_text(days: float, digits: int = 0) -> str:
    """A number of days: whole from 10 on, below with one decimal, or to so many digits; ``36 500+`` for centuries."""
    if days > LONGEST_DAYS:
        return f"{grouped(LONGEST_DAYS)}+"
    if digits:
        return plain(days, digits)
    return grouped(days) if days >= WHOLE_DAYS_FROM else grouped(days, 1) if days >= 0.05 else plain(days, 1)


def days_span(low: float, high: float) -> str:
    """A range of days: ``33–42``; one text where both ends lie beyond a century."""
    return days_text(low) if low > LONGEST_DAYS else span(days_text(low), days_text(high))


def date_text(day: date) -> str:
    """``6 Jan 2027``."""
    return f"{day.day} {day:%b %Y}"


def whole_days(days: float) -> int:
    """A number of days as a whole one, rounded as :func:`days_text` does: dates and spare days agree with it."""
    return round(days)


def day_after(start: date, days: float) -> date | None:
    """The day so many days after a start; None beyond a century, which is not worth telling to the day.

    None too where the calendar ends before.
    """
    last = min(LONGEST_DAYS, (date.max - start).days)
    return start + timedelta(days=whole_days(days)) if days <= last else None


@dataclass(frozen=True, slots=True)
class Money:
    """What money is shown in: an ISO 4217 code, and how much of it a US dollar buys, as typed on a day."""

    code: str = "USD"
    per_usd: float = 1.0
    as_of: str = ""

    @property
    def sign(self) -> str:
        """Written before an amount: ``$``, ``€``, ``HK$``, or the code and a narrow space."""
        return _SIGNS.get(self.code, f"{self.code}{THIN}")

    @property
    def unit(self) -> str:
        """Written after or above an amount: ``$``, ``€``, ``CHF``."""
        return self.sign.strip()

    @property
    def is_usd(self) -> bool:
        """True while nothing is converted."""
        return self.code == "USD"

    @property
    def rate_words(self) -> str:
        """``1 USD = 0.92 EUR, typed on 2026-11-21``; empty for US dollars."""
        typed = f", typed on {self.as_of}" if self.as_of else ""
        return "" if self.is_usd else f"1 USD = {plain(self.per_usd, 6)} {self.code}{typed}"


_shown = Money()
_here = threading.local()


def shown_money() -> Money:
    """The currency in which money is written now. Amounts themselves stay in US dollars everywhere."""
    money: Money = getattr(_here, "money", _shown)
    return money


def show_money_in(money: Money) -> None:
    """Writes money in another currency from now on, in every thread.

    One value for the whole process, as a locale is: the owner of the document sets it (window or command line). Texts
    made before keep what they say, so nothing keeps one: see :mod:`core.amounts`.
    """
    global _shown
    _shown = money


@contextmanager
def money_in(money: Money) -> Iterator[None]:
    """As :func:`show_money_in`, and back at the end."""
    before = _shown
    show_money_in(money)
    try:
        yield
    finally:
        show_money_in(before)


@contextmanager
def money_here(money: Money) -> Iterator[None]:
    """Writes money otherwise in this thread alone, as on a paper, and back at the end."""
    before = getattr(_here, "money", None)
    _here.money = money
    try:
        yield
    finally:
        if before is None:
            del _here.money
        else:
            _here.money = before


def usd(value: float, digits: int = 3) -> str:
    """US dollars as read, in the currency shown: ``$1.48 M``, ``€640 k``, ``$12.30``, ``\u2212$5.00``.

    Two decimals below 100; nothing is ``$0``.
    """
    money = shown_money()
    if value == 0:
        return f"{money.sign}0"
    sign = MINUS if value < 0 else ""
    size = abs(value) * money.per_usd
    if size >= 1000:
        return f"{sign}{money.sign}{scaled(size, digits)}"
    return f"{sign}{money.sign}{size:.2f}" if size < CENTS_BELOW else f"{sign}{money.sign}{size:.0f}"


def rounded_usd(value: float, digits: int) -> float:
    """US dollars that are so many digits in the currency shown: for columns whose figures stand in sentences too."""
    per_usd = shown_money().per_usd
    return rounded(value * per_usd, digits) / per_usd


def usd_span(low: float, high: float) -> str:
    """A range of money, its sign and scale once where both ends share them: ``$1.34–1.68 M``, ``$900 k–$1.2 M``;
    nothing has any scale: ``$0–300 k``."""
    first, last, sign = usd(low), usd(high), shown_money().sign
    scale = last[-2:]
    if not first.startswith(sign) or not last.startswith(sign):
        return span(first, last)
    if low == 0:
        return span(first, last.removeprefix(sign))
    if scale[0] == THIN and first.endswith(scale):
        first = first.removesuffix(scale)
    elif THIN in (scale[0], first[-2:-1]):
        return span(first, last)
    return span(first, last.removeprefix(sign))


def small_usd(value: float) -> str:
    """As :func:`usd`, with three digits below 1 so that a price for a GB can be read, cents at least: ``$0.005``,
    ``$0.20``."""
    money = shown_money()
    size = value * money.per_usd
    if not 0 < size < 1:
        return usd(value)
    whole, _, cents = plain(size).partition(".")
    return f"{money.sign}{whole}.{cents:0<2}"


def rate_usd(value: float) -> str:
    """A rate by which a reader multiplies: five digits where it has so many, and cents at least: ``$3.7447``,
    ``$112.50``, ``$0.02``, ``$95.432 k``."""
    money = shown_money()
    size = value * money.per_usd
    if not 0 < size < _LARGEST:
        return usd(value, RATE_DIGITS)
    whole, _, cents = f"{size:.{_rate_decimals(size)}f}".rstrip("0").partition(".")
    return f"{money.sign}{grouped(float(whole))}.{cents:0<2}"


def rate_as_read(value: float) -> float:
    """USD of a rate as :func:`rate_usd` writes it in the currency shown."""
    per_usd = shown_money().per_usd
    size = value * per_usd
    return (round(size, _rate_decimals(size)) if 0 < size < _LARGEST else rounded(size, RATE_DIGITS)) / per_usd


def _rate_decimals(size: float) -> int:
    return max(2, RATE_DIGITS - 1 - math.floor(math.log10(size)))


def usd_at_most(value: float) -> str:
    """A price rounded down to cents, so that the one told is one that fits: ``$2.04``, ``under $0.01``."""
    money = shown_money()
    if value == 0:
        return usd(value)
    cents = math.floor(value * money.per_usd * 100)
    return f"under {money.sign}0.01" if value > 0 and cents < 1 else f"{money.sign}{cents / 100:.2f}"


def usd_at_least(value: float) -> str:
    """An amount rounded up to three digits, so that the one told is enough: ``$517 k`` for 516,432."""
    money = shown_money()
    return usd(rounded_up(value * money.per_usd) / money.per_usd)


def price_text(value: float) -> str:
    """A price per chip hour: as :func:`usd`, and ``under $0.01`` for what cents cannot tell from nothing."""
    money = shown_money()
    return usd_at_most(value) if 0 < value * money.per_usd < 0.005 else usd(value)


def span(low: str, high: str) -> str:
    """A range of two texts with an en dash; in words where it would meet a minus: ``−90 to −74``."""
    return f"{low} to {high}" if high.startswith(MINUS) else f"{low}{DASH}{high}"


def duration(hours: float) -> str:
    """Hours as a person says them: ``40 min``, ``7.5 h``, ``36 d``, ``1.8 years``."""
    if hours < 1:
        return f"{plain(hours * 60, 2)}{THIN}min"
    if hours < 2 * HOURS_PER_DAY:
        return f"{plain(hours, 2)}{THIN}h"
    if hours < HOURS_PER_DAY * 730:
        return f"{plain(hours / HOURS_PER_DAY, 3)}{THIN}d"
    if hours > HOURS_PER_DAY * LONGEST_DAYS:
        return OVER_A_CENTURY
    return f"{plain(hours / (HOURS_PER_DAY * DAYS_PER_YEAR), 2)}{THIN}years"


def ms_words(value_ms: float, digits: int = 3) -> str:
    """Milliseconds as a person says them: ``230 ms``, from ten seconds on ``25 s``, later ``2 min 30 s``."""
    if rounded(value_ms, digits) < SECONDS_FROM_MS or not math.isfinite(value_ms):
        return f"{plain(value_ms, digits)}{THIN}ms"
    if rounded(value_ms, digits) < 120_000:
        return f"{plain(value_ms / 1000, digits)}{THIN}s"
    if value_ms >= 3_600_000 * 2:
        return duration(value_ms / 3_600_000)
    minutes, seconds = divmod(round(rounded(value_ms, digits) / 1000), 60)
    return f"{minutes}{THIN}min {seconds}{THIN}s" if seconds else f"{minutes}{THIN}min"


def ms_unit(most_ms: float) -> tuple[str, float]:
    """The unit in which times up to so many milliseconds are told, and the milliseconds of one: ``s`` and 1000 from ten
    seconds on."""
    return ("s", 1000.0) if most_ms >= SECONDS_FROM_MS else ("ms", 1.0)


def in_hundred(share: float) -> str:
    """``97 of 100``; never 0 or 100 for what happens now and then, or not always."""
    return f"{hundredth(share)} of 100"


def hundredth(share: float) -> str:
    """``97``: of 100, as :func:`in_hundred` says it."""
    whole = round(100 * share)
    if whole == 100 and share < 1:
        return ">99"
    return "<1" if whole == 0 and share > 0 else str(whole)


def parse_number(text: str, has_decimal_comma: bool = False) -> float:
    """Text typed by a person -> number: ``1.2 trillion``, ``15T``, ``8 192``, ``3,5e3`` without unit words,
    ``1.250,50`` as ``1,250.50``.

    A single comma parts the decimals, but for one before just three digits: ``2,749`` is 2749, unless a zero stands
    before it (``0,864``), a word of size behind it (``2,625 million``), or ``has_decimal_comma`` says what it is.
    Raises ValueError with what was expected when the text is no number.
    """
    cleaned = text.strip().lower().replace(THIN, "").replace("\u00a0", "").replace(" ", "").replace("_", "")
    cleaned = cleaned.replace(MINUS, "-").removeprefix("usd").removeprefix("$")
    match = _NUMBER.match(_with_point(cleaned, has_decimal_comma))
    if not match or (match[2] and match[2] not in _WORDS):
        raise ValueError(f"'{text}' is not a number such as 8192, 1.2 trillion or 15T")
    return float(match[1]) * _WORDS.get(match[2], 1.0)


def is_thousands(text: str) -> bool:
    """True for a number such as ``2,749``, whose comma is taken for one of thousands and could be one of decimals."""
    return bool(_THOUSANDS_OR_DECIMALS.match(text.strip().removeprefix("$").strip()))


def _with_point(cleaned: str, has_decimal_comma: bool) -> str:
    """A number with a point before its decimals and nothing between its thousands, its word of size as it is."""
    if _GROUPED.match(cleaned) or (_THOUSANDS_OR_DECIMALS.match(cleaned) and not has_decimal_comma):
        return cleaned.replace(",", "")
    if _GROUPED_BY_POINTS.match(cleaned):
        cleaned = cleaned.replace(".", "")
    return cleaned.replace(",", ".")
