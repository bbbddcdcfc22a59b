"""Numbers with units, and sentences that carry them: worded when they are read, in the currency shown then.

Results are kept while the reader changes the currency, so nothing kept may hold a finished text with money in it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from core.units import (
    LONGEST_DAYS,
    OVER_A_CENTURY,
    THIN,
    WHOLE_DAYS_FROM,
    Money,
    counted,
    duration,
    gib_text,
    grouped,
    money_here,
    plain,
    price_text,
    rate_usd,
    scaled,
    small_usd,
    usd,
    usd_at_least,
    usd_at_most,
    usd_span,
)

USD = "USD"
"""US dollars as :func:`core.units.usd` words them; ``USD/GB`` and its like are prices, with their unit behind."""

PRICE = "USD each"
"""A price from which an amount is worked out again, which may be far below a dollar: ``$3.7447``, ``$0.005``."""

PRICE_AT_MOST = "USD at most"
"""A price rounded down to cents, so that the one told is one that fits."""

USD_AT_LEAST = "USD at least"
"""US dollars rounded up, so that the amount told is enough."""

PRICE_PER_CHIP_HOUR = "USD per chip hour"
"""A price per chip hour: ``$2.04``, or ``under $0.01``."""

MEMORY = "GiB"
"""Memory as :func:`core.units.gib_text` words it."""

DURATION = "hours, as said"
"""Hours as a person says them: ``40 min``, ``36 d``."""

SCALED = "scaled"
"""A large count with its scale: ``1.2 T``."""


@dataclass(frozen=True, slots=True)
class Amount:
    """A number with its unit, to so many significant digits; 0 digits for a whole number.

    ``unit`` is one of this module's, or stands behind the number as it is: ``ms``, ``GiB``, ``%``, empty for a count.
    """

    value: float
    unit: str = ""
    digits: int = 3

    def __str__(self) -> str:
        if self.unit.startswith(USD):
            return _money(self.value, self.unit, self.digits)
        if self.unit == DURATION:
            return duration(self.value)
        if self.unit == SCALED:
            return scaled(self.value, self.digits)
        if self.unit == MEMORY and self.digits:
            return gib_text(self.value, self.digits)
        number = plain(self.value, self.digits) if self.digits else grouped(self.value)
        return f"{number}{THIN}{self.unit}" if self.unit else number


@dataclass(frozen=True, slots=True)
class Counted:
    """A number with the noun that agrees with it: ``1 day``, ``1.5 days``; see :func:`core.units.counted`."""

    value: float
    one: str
    many: str = ""
    digits: int = 0

    def __str__(self) -> str:
        return counted(self.value, self.one, self.many, self.digits)


@dataclass(frozen=True, slots=True)
class UsdSpan:
    """A range of US dollars: ``$1.3–1.7 M``."""

    low: float
    high: float

    def __str__(self) -> str:
        return usd_span(self.low, self.high)


@dataclass(frozen=True, slots=True, init=False)
class Sentence:
    """Words with places, ``{}``, for amounts, names and other sentences, which are worded when they are read."""

    template: str
    parts: tuple[Text | int, ...]

    def __init__(self, template: str, *parts: Text | int) -> None:
        object.__setattr__(self, "template", template)
        object.__setattr__(self, "parts", parts)

    def __str__(self) -> str:
        return self.template.format(*self.parts)


Text = str | Amount | Counted | UsdSpan | Sentence
"""What is read sooner or later: ``str()`` words it."""


def whole(value: float, unit: str = "") -> Amount:
    """A whole number with its unit: ``1 234``, ``45 %``."""
    return Amount(value, unit, 0)


def days(value: float, digits: int = 2) -> Text:
    """Days as read: ``6.5 days``, ``1 day``, ``143 days``, ``over a century``; 0 digits for a whole number."""
    if value > LONGEST_DAYS:
        return OVER_A_CENTURY
    return Counted(value, "day", digits=digits if value < WHOLE_DAYS_FROM else 0)


def lower_first(text: Text) -> Text:
    """The same with a small first letter, as within another sentence; what begins with an amount, an abbreviation or a
    chip's name (``T4``) as it is."""
    if isinstance(text, Sentence):
        return Sentence(_lower_first(text.template), *text.parts)
    return _lower_first(text) if isinstance(text, str) else text


def _lower_first(text: str) -> str:
    is_name = text[1:2].isupper() or text[1:2].isdigit()
    return text if is_name else text[:1].lower() + text[1:]


def without_stop(text: Text) -> Text:
    """The same without the full stop at its end."""
    if isinstance(text, Sentence):
        return Sentence(text.template.rstrip("."), *text.parts)
    return text.rstrip(".") if isinstance(text, str) else text


def distinct(texts: Iterable[Text]) -> tuple[Text, ...]:
    """Texts in their order, each that reads the same in US dollars once, whatever is shown now."""
    firsts: dict[str, Text] = {}
    with money_here(Money()):
        for text in texts:
            firsts.setdefault(str(text), text)
    return tuple(firsts.values())


def _money(value: float, unit: str, digits: int) -> str:
    if unit == PRICE_AT_MOST:
        return usd_at_most(value)
    if unit == USD_AT_LEAST:
        return usd_at_least(value)
    if unit == PRICE_PER_CHIP_HOUR:
        return price_text(value)
    if unit == USD:
        return usd(value, digits)
    if unit == PRICE:
        return rate_usd(value)
    return small_usd(value) + unit.removeprefix(USD)
