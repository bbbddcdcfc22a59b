"""Cash by quarter: bars of the scheme on screen beside another, and the table whose rows and columns add up."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from core.comparison.portfolio.printed import PARTS, PrintedCash, printed_cash
from core.comparison.portfolio.result import PortfolioAnswer, Scheme
from core.comparison.together.plan_answer import as_printed, last_digit
from core.units import usd
from gui.charts.figure.figure import Area, Axis, Figure, LegendEntry, Note, Step
from gui.charts.figure.texts import MoneyScale, money_scale
from gui.tables.figure_table import Figures, Sheet

CASH_TITLE = "Cash by quarter"
TOTAL = "Total"
GROUP, BAR_GAP = 0.36, 0.04
"""Width of a bar, and half the gap between two of a quarter, in quarters."""
MOST_NAMED, MOST_TOLD = 5, 5
EVERY = (1, 2, 4, 8, 16)
"""Of many quarters every second, every year's or every second year's is named."""
TEN = 10.0


@dataclass(frozen=True, slots=True)
class Look:
    """How a part of the cash is drawn: the field of a quarter that it is, its words, colour, shade and stripes."""

    field: str
    title: str
    colour: str
    shade: float = 1.0
    hatched: bool = False


LOOKS = (
    Look("base_used_usd", PARTS[0], "part:compute"),
    Look("idle_usd", PARTS[1], "part:commitment_waste", hatched=True),
    Look("burst_usd", PARTS[2], "part:compute", 0.5),
    Look("other_usd", PARTS[3], "part:operations"),
)


def other_scheme(answer: PortfolioAnswer, drawn: Scheme) -> Scheme | None:
    """What stands beside the scheme on screen: the best, else split pools, else each on its own pick."""
    ids = [answer.best.id, "split", "own", "base"]
    found = (one for wanted in ids for one in answer.schemes if one.id == wanted and one.id != drawn.id)
    return next(found, None)


def cash_figure(answer: PortfolioAnswer, drawn: Scheme) -> Figure:
    """Pairs of bars: left the scheme on screen, right another."""
    other = other_scheme(answer, drawn)
    shown = [one for one in (drawn, other) if one is not None]
    names = _quarter_names(answer)
    largest = max((quarter.total_usd for one in shown for quarter in one.quarters), default=1.0)
    scale = money_scale(largest)
    places = {name: number for number, name in enumerate(names)}
    every = next((step for step in EVERY if len(names) <= MOST_NAMED * step), EVERY[-1])
    least = min((quarter.other_usd for one in shown for quarter in one.quarters), default=0.0)
    ticks = tuple((number + 0.5, name) for name, number in places.items() if number % every == 0)
    return Figure(
        CASH_TITLE,
        "; ".join(f"{one.title} {usd(one.total.likely)}" for one in shown),
        x=Axis("", 0.0, float(max(len(names), 1)), names=ticks),
        y=Axis(scale.words, 1.14 * min(least, 0.0), 1.14 * max(largest, 1e-9), scale=scale.divisor, money=True),
        areas=tuple(area for side, one in enumerate(shown) for area in _bars(one, side, places)),
        notes=tuple(_totals(drawn, scale, places)) if len(names) <= MOST_TOLD else (),
        legend=tuple(_entry(look) for look in LOOKS),
        table=_table(shown),
        left_px=52,
        right_px=12,
    )


def _entry(look: Look) -> LegendEntry:
    return LegendEntry(look.title.lower(), look.colour, "hatch" if look.hatched else "box", look.shade)


def cash_words(answer: PortfolioAnswer, drawn: Scheme) -> str:
    """Which bar is which."""
    other = other_scheme(answer, drawn)
    return f"Left: {_lower(drawn.title)}; right: {_lower(other.title)}" if other else drawn.title


def _lower(words: str) -> str:
    return words[:1].lower() + words[1:]


def _quarter_names(answer: PortfolioAnswer) -> list[str]:
    """Of all schemes: terms may run on beyond the work."""
    known = {(quarter.year, quarter.number): quarter.name for one in answer.schemes for quarter in one.quarters}
    return [known[key] for key in sorted(known)]


def _bars(scheme: Scheme, side: int, places: dict[str, int]) -> Iterator[Area]:
    """Parts on each other; what comes back hangs below."""
    below = dict.fromkeys(places, 0.0)
    for part in LOOKS:
        steps = []
        for quarter in scheme.quarters:
            amount = float(getattr(quarter, part.field))
            left = places[quarter.name] + 0.5 + (BAR_GAP / 2 if side else -GROUP - BAR_GAP / 2)
            low = below[quarter.name]
            tip = f"{scheme.title}, {quarter.name}, {part.title.lower()}: {usd(amount)} of {usd(quarter.total_usd)}"
            is_back = amount < 0
            steps.append(Step(left, left + GROUP, amount if is_back else low, 0.0 if is_back else low + amount, tip))
            below[quarter.name] = low + max(amount, 0.0)
        yield Area(f"{scheme.id} {part.field}", tuple(steps), part.colour, part.shade, "thick" if part.hatched else "")


def _totals(scheme: Scheme, scale: MoneyScale, places: dict[str, int]) -> Iterator[Note]:
    """Over the bars what the table tells."""
    cash = printed_cash(scheme)
    for quarter, told in zip(scheme.quarters, cash.of_quarters, strict=True):
        at = places[quarter.name] + 0.5 - GROUP / 2
        yield Note(at, quarter.total_usd, scale.text(told), "ink", "centre", dy_px=-9, strong=True)


def _table(shown: Sequence[Scheme]) -> tuple[tuple[str, ...], ...]:
    heads = ("scheme", "quarter", *(part.field for part in LOOKS), "total_usd")
    rows = [
        (one.title, quarter.name, *(f"{getattr(quarter, p.field):.2f}" for p in LOOKS), f"{quarter.total_usd:.2f}")
        for one in shown
        for quarter in one.quarters
    ]
    return (heads, *rows)


def cash_sheet(answer: PortfolioAnswer, drawn: Scheme) -> Sheet:
    """Parts of the scheme on screen and its total, then the totals of the others: sums are those of what is printed."""
    names, cash = _quarter_names(answer), {one.id: printed_cash(one) for one in answer.schemes}
    scale = cash_scale(answer)
    own = cash[drawn.id]
    rows = [(title, _in_columns(own, names, [row[at] for _, row in own.quarters])) for at, title in enumerate(PARTS)]
    others = [one for one in answer.schemes if one.id != drawn.id]
    rows += [(one.title, _in_columns(cash[one.id], names, cash[one.id].of_quarters)) for one in (drawn, *others)]
    told = tuple((title, tuple(Figures(scale.text(usd_there)) for usd_there in row)) for title, row in rows)
    return Sheet(_capital(scale.words), (*names, TOTAL), told, strong=(len(PARTS),), has_beside=False)


def cash_scale(answer: PortfolioAnswer) -> MoneyScale:
    """Thousands where the finest figure is one of hundreds or more, and so on, with as many decimals as it has."""
    finest = min(last_digit(as_printed(one.total.likely)) for one in answer.schemes)
    scale = money_scale(TEN * finest)
    return replace(scale, decimals=max(math.ceil(math.log10(scale.divisor / finest) - 1e-6), 0))


def _in_columns(cash: PrintedCash, names: Sequence[str], amounts: Sequence[float]) -> tuple[float, ...]:
    """Amounts under the names of all quarters, then their sum."""
    known = {name: amount for (name, _), amount in zip(cash.quarters, amounts, strict=True)}
    return (*(known.get(name, 0.0) for name in names), sum(amounts))


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]
