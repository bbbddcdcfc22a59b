"""The people who build and run it."""

from __future__ import annotations

from typing import Literal

from core.workload.field_description import Described, described

_TEAM = "Team"


class Team(Described):
    """The people who build and run it."""

    xla_experience: Literal["none", "some", "expert"] = described(
        "some",
        title="XLA experience",
        help="Shortens porting to TPU",
        group=_TEAM,
        choices={"none": "None", "some": "Some", "expert": "Expert"},
    )
    engineers: int = described(
        3, title="Engineers", help="Who can work on it at the same time", group=_TEAM, unit="people", ge=1, le=10_000
    )
    engineer_usd_per_week: float = described(
        4500.0, title="Engineer cost", help="One engineer, loaded", group=_TEAM, unit="USD/week", ge=0, le=100_000
    )
    delivery: Literal["managed", "kubernetes", "bare_metal"] = described(
        "kubernetes",
        title="Run as",
        help="Sets the hours of operations",
        group=_TEAM,
        choices={"managed": "Managed service", "kubernetes": "Kubernetes", "bare_metal": "Bare metal"},
    )
    debug_need: Literal["low", "normal", "high"] = described(
        "normal",
        title="Debugging need",
        help="How much step-by-step debugging the work takes",
        group=_TEAM,
        choices={"low": "Low", "normal": "Normal", "high": "High"},
    )
    operations_h_per_month: float | None = described(
        None,
        title="Operations",
        help="Hours to keep it running; usual by size and how it is run",
        group=_TEAM,
        unit="h/month",
        empty="Usual",
        ge=0,
        le=100_000,
    )
    setting_up_h: float | None = described(
        None,
        title="Setting up",
        help="Hours once, before the first run; usual by size and how it is run",
        group=_TEAM,
        unit="h",
        empty="Usual",
        ge=0,
        le=100_000,
    )
    pipeline_weeks: float | None = described(
        None,
        title="Data pipeline work",
        help="Engineer-weeks to rework the input where it does not run as it is; usual: a share of porting to TPU",
        group=_TEAM,
        unit="weeks",
        empty="Usual",
        ge=0,
        le=1000,
    )
    delay_usd_per_day: float = described(
        0.0,
        title="A day of waiting costs",
        help="What it costs you to wait a day for chips",
        group=_TEAM,
        unit="USD/day",
        ge=0,
        le=1e8,
    )
    support_plan: Literal["none", "business"] = described(
        "none",
        title="Support plan",
        help="Paid support of the provider, a share of the bill",
        group=_TEAM,
        choices={"none": "None", "business": "Business"},
    )
