"""A portfolio: which workloads of a plan share chips over months, how they are paid for, what is packed on them."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from core.workload.field_description import Described, described

Pooling = Literal["one", "split"]
Term = Literal["best", "none", "commit_1y", "commit_3y"]
Burst = Literal["on_demand", "spot"]

POOLING_WORDS: dict[str, str] = {"one": "One pool", "split": "Split pools"}
TERM_WORDS: dict[str, str] = {
    "best": "Whichever costs least",
    "none": "Nothing",
    "commit_1y": "For one year",
    "commit_3y": "For three years",
}
BURST_WORDS: dict[str, str] = {"on_demand": "On demand", "spot": "On spot"}

MOST_MEMBERS = 64
MOST_MONTHS = 60
MOST_PINS = 200
MOST_CHIPS = 100_000
MOST_USE_PCT = 10_000.0
_MEMBER, _POOL, _PACKING = "Workload in the portfolio", "Portfolio", "Packing"


class Member(Described):
    """How a workload takes part; one that is not named takes part as it stands in the plan."""

    workload: str = described(..., title="Workload", help="Its id", group=_MEMBER, max_length=60)
    takes_part: bool = described(True, title="Takes part", help="", group=_MEMBER)
    pool: str = described(
        "", title="Pool", help="Of split pools: its name; empty: one of its own", group=_MEMBER, max_length=60
    )
    use_pct: tuple[Annotated[float, Field(ge=0, le=MOST_USE_PCT)], ...] = described(
        (),
        title="Use by month",
        help="Of what the workload says: requests of a service, size of a batch, length of a run that begins then. "
        "Counted from the first month of the portfolio; the last one goes on; none: 100",
        group=_MEMBER,
        unit="%",
        max_length=MOST_MONTHS,
    )
    growth_pct_per_year: float = described(
        0.0, title="Growth", help="Of its use, from month to month", group=_MEMBER, unit="%/year", ge=0, le=1000
    )
    every_months: int | None = described(
        None,
        title="Runs again every",
        help="Months from one beginning to the next, up to the end of the portfolio",
        group=_MEMBER,
        unit="months",
        ge=1,
        le=MOST_MONTHS,
        empty="Once",
    )
    start_hour: int | None = described(
        None,
        title="Batch starts at",
        help="Hour of the day",
        group=_MEMBER,
        unit="o'clock",
        ge=0,
        le=23,
        empty="When the pool is quietest",
    )

    def use_in(self, month: int) -> float:
        """Use over what the workload says in a month counted from 0: ``typed x (1 + growth)^(month / 12)``."""
        typed = self.use_pct[min(month, len(self.use_pct) - 1)] if self.use_pct else 100.0
        return float(typed / 100.0 * (1.0 + self.growth_pct_per_year / 100.0) ** (month / 12.0))


class Pin(Described):
    """A small model put on a chip by hand; chips are counted from 1."""

    workload: str = described(..., title="Workload", help="Its id", group=_PACKING, max_length=60)
    chip: int = described(..., title="Chip", help="Counted from 1", group=_PACKING, ge=1, le=1000)


class Portfolio(Described):
    """Several workloads over months on shared chips. An empty field is worked out by the engine."""

    members: tuple[Member, ...] = Field(default=(), max_length=MOST_MEMBERS)
    pooling: Pooling = described(
        "one", title="Chips", help="Shared by all, or by pool", group=_POOL, choices=POOLING_WORDS, essential=True
    )
    chip: str = described("", title="Chip", help="Its id; empty: on which all cost least", group=_POOL, max_length=80)
    provider: str = described("", title="Seller", help="Empty: where all cost least", group=_POOL, max_length=80)
    region: str = described("", title="Region", help="Empty: where all cost least", group=_POOL, max_length=80)
    term: Term = described(
        "best", title="Commit", help="Way to pay for the base", group=_POOL, choices=TERM_WORDS, essential=True
    )
    base_chips: int | None = described(
        None,
        title="Committed base",
        help="Chips of one pool that are paid for all the time",
        group=_POOL,
        unit="chips",
        ge=0,
        le=MOST_CHIPS,
        empty="What costs least",
        essential=True,
    )
    burst: Burst = described(
        "on_demand", title="Above the base", help="How it is bought", group=_POOL, choices=BURST_WORDS, essential=True
    )
    shared_chips: int | None = described(
        None,
        title="Shared cluster of",
        help="A cluster of so many chips, to see what would idle",
        group=_POOL,
        unit="chips",
        ge=1,
        le=MOST_CHIPS,
        empty="Not asked",
    )
    months: int | None = described(
        None,
        title="Months",
        help="From the first beginning on",
        group=_POOL,
        unit="months",
        ge=1,
        le=MOST_MONTHS,
        empty="Until all has ended",
    )
    lends_quiet_hours: bool = described(
        True,
        title="Services lend chips in quiet hours",
        help="One pool: replicas that the hour does not need make room for other work",
        group=_POOL,
    )
    packs: bool = described(True, title="Pack small models", help="Several on one chip", group=_PACKING)
    load_limit_pct: float = described(
        70.0,
        title="Load limit of a chip",
        help="Of what it carries within the limits of time (our limit)",
        group=_PACKING,
        unit="%",
        ge=1,
        le=100,
        needs="packs",
    )
    copies: int = described(
        1,
        title="Copies of a small model",
        help="In one pool, on chips of their own, so that one may fail; 1: none to spare",
        group=_PACKING,
        ge=1,
        le=8,
        needs="packs",
    )
    pins: tuple[Pin, ...] = Field(default=(), max_length=MOST_PINS)

    def member(self, workload: str) -> Member:
        """How a workload takes part."""
        return next((one for one in self.members if one.workload == workload), Member(workload=workload))


def with_member(settings: Portfolio, new: Member) -> Portfolio:
    """The settings with one workload's in the place of those it had, or at the end."""
    known = any(one.workload == new.workload for one in settings.members)
    others = tuple(new if one.workload == new.workload else one for one in settings.members)
    return settings.model_copy(update={"members": others if known else (*others, new)})


def with_pin(settings: Portfolio, workload: str, chip: int | None) -> Portfolio:
    """The settings with a small model on a chip, or, with None, where the engine puts it."""
    others = tuple(one for one in settings.pins if one.workload != workload)
    pins = others if chip is None else (*others, Pin(workload=workload, chip=chip))
    return settings.model_copy(update={"pins": pins})


def without_workload(settings: Portfolio, workload: str) -> Portfolio:
    """The settings without all that is about a workload."""
    members = tuple(one for one in settings.members if one.workload != workload)
    pins = tuple(one for one in settings.pins if one.workload != workload)
    return settings.model_copy(update={"members": members, "pins": pins})
