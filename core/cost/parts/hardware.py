"""Hardware: what servers of one's own cost while the plan holds them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from core.constants import MONTHS_PER_YEAR
from core.cost.bill.batch import LIKELY, Array, CostBatch
from core.cost.bill.component import Colour, Component
from core.cost.bill.given import Given
from core.cost.bill.line import Line
from core.cost.bill.types import CostPart
from core.cost.owned.fleet import OwnedFleet, owned_fleet
from core.cost.owned.terms import book_usd
from core.lazy_sequence import LazySequence

PART = "owning"
Money = TypeVar("Money", float, Array)
_KINDS = (
    Given.SERVERS, Given.SERVER_PRICE, Given.MONTHS_HELD, Given.WORTH_AT_END, Given.INSTALLING_SHARE,
    Given.CAPITAL_SHARE_PER_YEAR, Given.MAINTENANCE_SHARE_PER_YEAR,
)  # fmt: skip
_FORMULA = (
    "servers × (price − worth at the end + installing + capital and maintenance for the months held); capital on the "
    "mean of price with installing and worth at the end, maintenance on the price"
)


def owning(batch: CostBatch) -> Line:
    """``servers x (price - worth at the end + installing + cost of capital + maintenance)``, USD, shape (n, 3).

    The servers are sold, or taken over by other work, at what they are worth when the plan ends (straight line to the
    resale share); installing is lost with a short plan. Capital costs its share of the mean money tied up.
    """
    fleet = owned_fleet(batch)
    usd, worth = bought_usd(fleet) - worth_usd(fleet) + upkeep_usd(fleet), _worth_usd(fleet)
    inputs = (
        ("Servers", "", fleet.servers),
        ("Price of a server", "USD", fleet.span("server_usd")[:, LIKELY : LIKELY + 1]),
        ("Months held", "", fleet.months[:, LIKELY : LIKELY + 1]),
        ("Worth at the end", "USD", worth[:, LIKELY : LIKELY + 1]),
        ("Network and installing", "of the price", fleet.span("install_share")[:, LIKELY : LIKELY + 1]),
        ("Cost of capital", "a year", fleet.span("capital_share_per_year")[:, LIKELY : LIKELY + 1]),
        ("Maintenance", "of the price a year", fleet.span("maintenance_share_per_year")[:, LIKELY : LIKELY + 1]),
    )
    return Line(
        usd=fleet.all_rows(usd, batch.n),
        formula=_FORMULA,
        inputs=tuple((name, unit, fleet.all_rows(values, batch.n)[:, 0]) for name, unit, values in inputs),
        sources=batch.price_sources,
        estimates=own_estimates(batch, fleet),
        kinds=_KINDS,
    )


def bought_and_worth_usd(parts: Iterable[CostPart]) -> tuple[float, float]:
    """What is paid when the servers of a bill come, ``servers x price x (1 + installing)``, and what they are worth
    when the plan ends, ``servers x worth``, likely USD, by the live inputs of its part; zeros of a bill without one."""
    split = hardware_split(parts)
    return split.bought_usd, split.worth_usd


@dataclass(frozen=True, slots=True)
class HardwareSplit:
    """What the hardware of a bill is made of, likely USD: ``bought - worth + capital + maintenance`` is its part.

    Of these ``capital_usd`` is the cost of the money tied up, which no seller asks for. ``installing_usd`` is part of
    what is bought; ``months`` are those for which the plan holds it.
    """

    bought_usd: float
    worth_usd: float
    capital_usd: float
    maintenance_usd: float
    installing_usd: float
    months: float


def hardware_split(parts: Iterable[CostPart]) -> HardwareSplit:
    """By the live inputs of the part, maintenance what the others leave of it; zeros of a bill without one."""
    part = next((one for one in parts if one.id == PART), None)
    known = part.given if part else {}
    if part is None or not known:
        return HardwareSplit(*(0.0,) * 6)
    servers, months = known[Given.SERVERS], known[Given.MONTHS_HELD]
    price, worth = servers * known[Given.SERVER_PRICE], servers * known[Given.WORTH_AT_END]
    bought = price * (1.0 + known[Given.INSTALLING_SHARE])
    capital = months / MONTHS_PER_YEAR * _tied_up_usd(bought, worth) * known[Given.CAPITAL_SHARE_PER_YEAR]
    return HardwareSplit(bought, worth, capital, part.usd - bought + worth - capital, bought - price, months)


def _tied_up_usd(bought: Money, worth: Money) -> Money:
    """Mean of the money tied up while hardware is held."""
    return (bought + worth) / 2.0


def months_held(parts: Iterable[CostPart]) -> float:
    """Likely months for which a bill holds its servers, by the live inputs of the parts that are paid for these; 0 of a
    bill without any."""
    held = [known[Given.MONTHS_HELD] for known in (part.given for part in parts) if Given.MONTHS_HELD in known]
    return held[-1] if held else 0.0


def bought_usd(fleet: OwnedFleet) -> Array:
    """What is paid when servers come: ``servers x price x (1 + installing)``, USD, low, likely and high."""
    return np.asarray(fleet.servers * fleet.span("server_usd") * (1.0 + fleet.span("install_share")))


def worth_usd(fleet: OwnedFleet) -> Array:
    """What comes back for them after the months held: ``servers x worth``, USD; the cheap end is a good resale."""
    return np.asarray(fleet.servers * _worth_usd(fleet))


def upkeep_usd(fleet: OwnedFleet) -> Array:
    """Capital and maintenance for the months held, USD."""
    of_price = fleet.span("server_usd") * fleet.span("maintenance_share_per_year")
    return np.asarray(capital_usd(fleet) + fleet.servers * fleet.months / MONTHS_PER_YEAR * of_price)


def capital_usd(fleet: OwnedFleet) -> Array:
    """Cost of the mean money tied up for the months held, USD, which no seller asks for."""
    tied_up, share_per_year = _tied_up_usd(bought_usd(fleet), worth_usd(fleet)), fleet.span("capital_share_per_year")
    return np.asarray(fleet.months / MONTHS_PER_YEAR * tied_up * share_per_year)


def own_estimates(batch: CostBatch, fleet: OwnedFleet) -> LazySequence[bool]:
    """True where a term of a candidate's hardware is an estimate."""
    marks = np.ones(batch.n, dtype=bool)
    marks[fleet.rows] = [fleet.terms[number].estimate for number in fleet.term_of]
    return LazySequence(batch.n, lambda row: bool(marks[row]))


def _worth_usd(fleet: OwnedFleet) -> Array:
    """Worth of one server at the end; the cheap end of the span is that of a good resale."""
    price, resale = fleet.span("server_usd"), fleet.span("resale_share")[:, ::-1]
    return book_usd(price, fleet.months, fleet.plain("life_months"), resale)


COMPONENT = Component(
    part=PART,
    title="Hardware",
    order=50,
    colour=Colour(light="#2A5FA5", dark="#8CC8FA"),
    count=owning,
)
