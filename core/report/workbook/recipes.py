"""How each part of the bill follows from its inputs, for a reviewer who changes one of them.

A part that is not named here is the product of all its inputs. Whatever a recipe says is held against the bill before
it is written: where the two differ by a cent, the amount stands there as a number (:mod:`core.report.workbook.bills`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from operator import mul

from core.comparison.together.due import CAPITAL, MAINTENANCE, PURCHASE, RESALE
from core.constants import MONTHS_PER_YEAR
from core.report.workbook.terms import Term

Take = Callable[[str], Term]
"""Gives an input by its name. Raises KeyError for none of the part."""
Recipe = Callable[[Take, Term], Term]
"""Works a part out of its inputs and of all rent, in USD."""


def product(names: Sequence[str]) -> Recipe:
    """The product of these inputs."""
    return lambda take, _: reduce(mul, [take(name) for name in names])


def _unused(take: Take, _: Term) -> Term:
    """``chips x hours not held x price x (1 - share taken over)``."""
    paid = take("Chips") * take("Hours not held") * take("Price per chip hour")
    return paid * (1.0 - take("Taken over by other work"))


def _egress(take: Take, _: Term) -> Term:
    """``GB moved once x price + GB a month x price x months``."""
    return take("Moved once") * take("Price of moving") + take("Leaves each month") * take("Price here") * take(
        "Months"
    )


def _support(take: Take, rent: Term) -> Term:
    """``rent x share``; the share is that of the steps in which the rent lies now."""
    return rent * take("Share of it")


def hardware_items(take: Take) -> dict[str, Term]:
    """What hardware is made of: what is paid when it comes, its worth at the end, the cost of the mean money tied up
    and maintenance for the years held."""
    servers, price = take("Servers"), take("Price of a server")
    paid, worth = servers * price * (1.0 + take("Network and installing")), servers * take("Worth at the end")
    years = take("Months held") / float(MONTHS_PER_YEAR)
    return {
        PURCHASE: paid,
        RESALE: worth,
        CAPITAL: ((paid + worth) / 2.0) * take("Cost of capital") * years,
        MAINTENANCE: servers * price * take("Maintenance") * years,
    }


def _hardware(take: Take, _: Term) -> Term:
    """``purchase - worth + cost of capital + maintenance``."""
    items = hardware_items(take)
    return items[PURCHASE] - items[RESALE] + items[CAPITAL] + items[MAINTENANCE]


RECIPES: dict[str, Recipe] = {
    "commitment_waste": _unused,
    "egress": _egress,
    "owning": _hardware,
    "interruptions": product(("Chips", "Hours added", "Price per chip hour")),
    "operations": product(("Hours a month", "Months at work", "Engineer's hour")),
    "setting_up": product(("Hours once", "Engineer's hour")),
    "support": _support,
}
