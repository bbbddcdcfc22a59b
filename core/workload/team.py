"""The people who build and run it."""

from __future__ import annotations

from typing import Literal

from core.workload.describe import Described, described

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
