"""What a plan must keep to, and what matters in its ranking."""

from __future__ import annotations

from datetime import date

from core.workload.field_description import Described, described

_PLACES = "Places and limits"


class Limits(Described):
    """What a plan must keep to; an empty limit limits nothing."""

    start_date: date = described(date(2026, 12, 1), title="Start", help="Day on which work can begin", group=_PLACES)
    deadline_days: float | None = described(
        60.0,
        title="Deadline",
        help="Days from the start, porting and waiting included",
        group=_PLACES,
        unit="days",
        essential=True,
        gt=0,
        le=3650,
    )
    budget_usd: float | None = described(
        None,
        title="Budget",
        help="All cost parts, not chips alone",
        group=_PLACES,
        unit="USD",
        essential=True,
        gt=0,
        le=1e12,
    )
    max_chips: int = described(
        4096, title="Most chips", help="Largest cluster to consider", group=_PLACES, unit="chips", ge=1, le=100_000
    )
    exact_chips: int | None = described(
        None,
        title="Exactly",
        help="Compare everything at this number of chips; empty: any number",
        group=_PLACES,
        unit="chips",
        ge=1,
        le=100_000,
        empty="Any",
    )
    max_wait_days: float | None = described(
        None,
        title="Longest wait",
        help="Days from ordering to having all chips, by their number; the likely wait counts",
        group="Who may sell",
        unit="days",
        gt=0,
        le=1000,
    )
    include_announced: bool = described(False, title="Include announced chips", help="Not rentable yet", group=_PLACES)


class Weights(Described):
    """What matters in the ranking; shares of their sum. Only the ranking uses them, never cost or time."""

    cost: float = described(50.0, title="Cost", help="Weight of total cost", group="Priorities", ge=0, le=100)
    time: float = described(
        25.0, title="Time", help="Weight of time to finish, or of speed when serving", group="Priorities", ge=0, le=100
    )
    flexibility: float = described(
        25.0, title="Flexibility", help="Weight of the flexibility score", group="Priorities", ge=0, le=100
    )
    worst_pct: float = described(
        33.0,
        title="Judge by the worst",
        help="Options are ranked by the mean of so many of their worst outcomes; 100 ranks by the mean of all",
        group="Priorities",
        unit="%",
        ge=1,
        le=100,
    )
