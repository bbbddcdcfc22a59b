"""A part of the bill as its own file declares it: words, place, colour, and how it is counted."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, NamedTuple

from core.cost.bill.batch import Array, CostBatch
from core.cost.bill.line import Line


class Colour(NamedTuple):
    """A colour on light and on dark ground, as ``#RRGGBB``."""

    light: str
    dark: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Component:
    """One part of the bill, all of it: what else shows or sorts parts asks :mod:`core.cost.registry`.

    ``part`` is its id in JSON, tables and keys; ``order`` its place in the bill, no two alike. Either ``count`` counts
    it, or ``count_of_rent``, which is also given the USD of all rent, shape (n, 3). Raises ValueError for none or both,
    and for rent that is counted of the rent.

    ``is_rent``: hours of the same rented chips, which move together in the range of the total. ``is_one_off``: a
    further run would not add to it. ``is_unused``: paid for without work done, hatched in charts. ``is_always_listed``:
    a line of the bill even at 0. ``follows_use``: when it falls as the chips are used less: always, only where chips
    are paid by use and given back, or never.
    """

    part: str
    title: str
    order: int
    colour: Colour
    count: Callable[[CostBatch], Line] | None = None
    count_of_rent: Callable[[CostBatch, Array], Line] | None = None
    is_rent: bool = False
    is_one_off: bool = False
    is_unused: bool = False
    is_always_listed: bool = False
    follows_use: Literal["always", "paid_by_use", "never"] = "never"

    def __post_init__(self) -> None:
        if (self.count is None) == (self.count_of_rent is None):
            raise ValueError(f"The part '{self.part}' of the bill needs one of count and count_of_rent")
        if self.is_rent and self.count is None:
            raise ValueError(f"The part '{self.part}' of the bill cannot be rent and counted of the rent")
