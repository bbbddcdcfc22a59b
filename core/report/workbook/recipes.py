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
from core.cost.bill.given import Given
from core.report.workbook.terms import Term

Key = Given | int
"""What an input is, or its place among those of the part."""
Take = Callable[[Key], Term]
"""Gives an input. Raises KeyError for none of the part."""
Recipe = Callable[[Take, Term], Term]
"""Works a part out of its inputs and of all rent, in USD."""


def product(keys: Sequence[Key]) -> Recipe:
    """The product of these inputs."""
    return lambda take, _: reduce(mul, [take(key) for key in keys])


def _unused(take: Take, _: Term) -> Term:
    """``chips x hours not held x price x (1 - share taken over)``."""
    paid = take(Given.CHIPS) * take(Given.HOURS_NOT_HELD) * take(Given.CHIP_HOUR_PRICE)
    return paid * (1.0 - take(Given.TAKEN_OVER_SHARE))


def _egress(take: Take, _: Term) -> Term:
    """``GB moved once x price + GB a month x price x months``."""
    once = take(Given.GB_MOVED_ONCE) * take(Given.MOVING_PRICE)
    return once + take(Given.GB_LEAVING_A_MONTH) * take(Given.LEAVING_PRICE) * take(Given.MONTHS)


def _support(take: Take, rent: Term) -> Term:
    """``rent x share``; the share is that of the steps in which the rent lies now."""
    return rent * take(Given.SHARE_OF_RENT)


def hardware_items(take: Take) -> dict[str, Term]:
    """What hardware is made of: what is paid when it comes, its worth at the end, the cost of the mean money tied up
    and maintenance for the years held."""
    servers, price = take(Given.SERVERS), take(Given.SERVER_PRICE)
    paid, worth = servers * price * (1.0 + take(Given.INSTALLING_SHARE)), servers * take(Given.WORTH_AT_END)
    years = take(Given.MONTHS_HELD) / float(MONTHS_PER_YEAR)
    return {
        PURCHASE: paid,
        RESALE: worth,
        CAPITAL: ((paid + worth) / 2.0) * take(Given.CAPITAL_SHARE_PER_YEAR) * years,
        MAINTENANCE: servers * price * take(Given.MAINTENANCE_SHARE_PER_YEAR) * years,
    }


def _hardware(take: Take, _: Term) -> Term:
    """``purchase - worth + cost of capital + maintenance``."""
    items = hardware_items(take)
    return items[PURCHASE] - items[RESALE] + items[CAPITAL] + items[MAINTENANCE]


RECIPES: dict[str, Recipe] = {
    "commitment_waste": _unused,
    "egress": _egress,
    "owning": _hardware,
    "interruptions": product((Given.CHIPS, Given.HOURS_ADDED, Given.CHIP_HOUR_PRICE)),
    "operations": product((Given.HOURS_A_MONTH, Given.MONTHS, Given.ENGINEER_HOUR_PRICE)),
    "setting_up": product((Given.HOURS_ONCE, Given.ENGINEER_HOUR_PRICE)),
    "support": _support,
}
