"""The live inputs that others work with: what each is, whatever it is called where people read it."""

from __future__ import annotations

from enum import Enum, auto


class Given(Enum):
    """What an input of a line of the bill is. Of a line that is the product of its inputs nobody asks."""

    CHIPS = auto()
    CHIP_HOUR_PRICE = auto()
    ENGINEER_HOUR_PRICE = auto()
    MONTHS = auto()
    HOURS_NOT_HELD = auto()
    TAKEN_OVER_SHARE = auto()
    HOURS_ADDED = auto()
    GB_MOVED_ONCE = auto()
    MOVING_PRICE = auto()
    GB_LEAVING_A_MONTH = auto()
    LEAVING_PRICE = auto()
    HOURS_A_MONTH = auto()
    HOURS_ONCE = auto()
    SHARE_OF_RENT = auto()
    SERVERS = auto()
    SERVER_PRICE = auto()
    WORTH_AT_END = auto()
    INSTALLING_SHARE = auto()
    CAPITAL_SHARE_PER_YEAR = auto()
    MAINTENANCE_SHARE_PER_YEAR = auto()
    MONTHS_HELD = auto()
