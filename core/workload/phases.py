"""A plan over time: what is done in which phase, on which chips, for how long, and what a pilot must show."""

from __future__ import annotations

from datetime import date
from typing import Literal

from pydantic import Field

from core.workload.field_description import Described, described

Stage = Literal["explore", "port", "pilot", "scale", "serve"]
Platform = Literal["gpu", "tpu", "pick"]
Quantity = Literal["speed_share", "speed_per_chip", "run_days", "stops_per_day", "restore_min", "loss_gap_pct"]

STAGE_WORDS: dict[str, str] = {
    "explore": "Explore",
    "port": "Port",
    "pilot": "Pilot",
    "scale": "Scale",
    "serve": "Serve",
}
PLATFORM_WORDS: dict[str, str] = {"gpu": "Best GPU", "tpu": "Best TPU", "pick": "The pick"}
QUANTITY_WORDS: dict[str, str] = {
    "speed_share": "Speed over that predicted",
    "speed_per_chip": "Speed of a chip",
    "run_days": "Days of the scale run",
    "stops_per_day": "Stops a day",
    "restore_min": "Restart after a stop",
    "loss_gap_pct": "Loss gap to the GPU run",
}
QUANTITY_UNITS: dict[str, str] = {
    "speed_share": "%",
    "speed_per_chip": "per s",
    "run_days": "days",
    "stops_per_day": "",
    "restore_min": "min",
    "loss_gap_pct": "%",
}
AT_LEAST: tuple[Quantity, ...] = ("speed_share", "speed_per_chip")
"""Quantities that pass above their limit; the others pass below."""
DRAWN: tuple[Quantity, ...] = ("speed_share", "speed_per_chip", "run_days")
"""Quantities of which the engine predicts a range; of the others a chance is typed, or the measure stays open."""

MOST_PHASES = 24
LEAST_DAYS, MOST_DAYS = 1.0, 4000.0
MOST_MEASURES = 12
_PHASE, _GATE = "Phase", "Pass or fail"


class Measure(Described):
    """What a pilot must show: a quantity and its limit. ``chance_pct`` counts only where no range is predicted."""

    quantity: Quantity = described(
        "speed_share", title="Measure", help="What the pilot measures", group=_GATE, choices=QUANTITY_WORDS
    )
    threshold: float = described(85.0, title="Limit", help="Passes at this value or better", group=_GATE, ge=0, le=1e9)
    chance_pct: float | None = described(
        None,
        title="Chance to pass",
        help="Your own figure, for what the engine does not predict with a range",
        group=_GATE,
        unit="%",
        ge=0,
        le=100,
        empty="Open",
    )

    @property
    def is_drawn(self) -> bool:
        """True where the chance follows from the prediction and its range."""
        return self.quantity in DRAWN

    @property
    def is_open(self) -> bool:
        """True where nothing is known of the chance."""
        return not self.is_drawn and self.chance_pct is None


class Phase(Described):
    """One phase. It begins when all before it have ended, and not before ``start``; a port that has a start of its own
    goes on beside them; one with a day to end on ends then. An empty number is worked out by the engine."""

    id: str
    name: str = described(
        "New phase", title="Name", help="As shown on screen", group=_PHASE, essential=True, min_length=1, max_length=60
    )
    stage: Stage = described("scale", title="What is done", help="", group=_PHASE, essential=True, choices=STAGE_WORDS)
    workload: str = described("", title="Workload", help="Its id; empty: the first of the plan", group=_PHASE)
    platform: Platform = described(
        "pick", title="Chips of", help="The best option of a kind of chip", group=_PHASE, choices=PLATFORM_WORDS
    )
    candidate: str = described(
        "", title="Option", help="A chosen option of the comparison; empty: the best of the kind", group=_PHASE
    )
    chips: int | None = described(
        None, title="Chips", help="How many are held", group=_PHASE, ge=1, le=100_000, empty="As the option"
    )
    share_pct: float = described(
        100.0, title="Share of the work", help="Of its workload's", group=_PHASE, unit="%", gt=0, le=1000
    )
    start: date | None = described(
        None, title="Starts", help="Not before this day", group=_PHASE, essential=True, empty="After the one before"
    )
    days: float | None = described(
        None,
        title="Length",
        help="Days of holding chips or of work, waiting and porting apart",
        group=_PHASE,
        unit="days",
        essential=True,
        gt=0,
        le=MOST_DAYS,
        empty="As long as it takes",
    )
    end: date | None = described(
        None,
        title="Ends",
        help="On this day whenever it begins; counts before a length",
        group=_PHASE,
        empty="By length",
    )
    people: int | None = described(
        None, title="People", help="Engineers who port", group=_PHASE, ge=1, le=1000, empty="The team"
    )
    measures: tuple[Measure, ...] = Field(default=(), max_length=MOST_MEASURES)
    """What the phase must show; all must pass."""

    @property
    def works_on_chips(self) -> bool:
        """False for a port, which takes people alone."""
        return self.stage != "port"
