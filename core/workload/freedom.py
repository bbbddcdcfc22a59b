"""What freedom is worth to the user: weights of the criteria, scores set by hand, a price of points beside the cost."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from core.workload.field_description import Described, described

GROUP = "Flexibility score"
MOST_OVERRIDES = 500
PRESET_WORDS = {
    "maturity": "By maturity",
    "exploring": "Exploring",
    "standard": "Standard",
    "equal": "Equal",
}
AS_THE_SET = "As the set"
EQUAL_WEIGHT = 10.0
"""Weight of every criterion where all count the same."""


def _weight(title: str) -> Any:
    return described(
        None,
        title=f"Weight of {title}",
        help="Counts within the flexibility score alone; empty follows the set of weights",
        group=GROUP,
        empty=AS_THE_SET,
        ge=0,
        le=100,
    )


class ScoreOverride(Described):
    """A criterion's score of a chip as the user sees it; the note says why and is printed."""

    accelerator_id: str = Field(min_length=1, max_length=80)
    criterion_id: str = Field(pattern=r"^F\d{1,2}$")
    points: float = Field(ge=0, le=100)
    note: str = Field(pattern=r"\S", max_length=300)


class Freedom(Described):
    """How the flexibility score is put together. Nothing here enters cost or time."""

    preset: Literal["maturity", "exploring", "standard", "equal"] = described(
        "maturity",
        title="Set of weights",
        help="Exploring work weighs freedom of code higher, settled work freedom of supply",
        group=GROUP,
        choices=PRESET_WORDS,
    )
    f1: float | None = _weight("suppliers")
    f2: float | None = _weight("places")
    f3: float | None = _weight("frameworks")
    f4: float | None = _weight("ops and shapes")
    f5: float | None = _weight("workload range")
    f6: float | None = _weight("debugging")
    f7: float | None = _weight("exit cost")
    f8: float | None = _weight("elasticity")
    f9: float | None = _weight("team fit")
    f10: float | None = _weight("seller")
    ten_points_usd_per_month: float | None = described(
        None,
        title="10 points are worth",
        help="A month; told beside the cost, never added to it",
        group=GROUP,
        unit="USD",
        empty="Not said",
        ge=0,
        le=1e9,
    )
    overrides: tuple[ScoreOverride, ...] = Field(default=(), max_length=MOST_OVERRIDES)

    def weight_of(self, criterion_id: str) -> float | None:
        """The weight that was set for a criterion; None where the set of weights tells it."""
        weight: float | None = getattr(self, criterion_id.lower(), None)
        return weight

    def override(self, accelerator_id: str, criterion_id: str) -> ScoreOverride | None:
        """What the user set for a criterion of a chip; the last one counts."""
        told = (one for one in reversed(self.overrides) if one.accelerator_id == accelerator_id)
        return next((one for one in told if one.criterion_id == criterion_id), None)

    def with_override(self, new: ScoreOverride) -> tuple[ScoreOverride, ...]:
        """All overrides with this one in the place of an older one."""
        return (*self.without(new.accelerator_id, new.criterion_id), new)

    def without_criterion(self, criterion_id: str) -> tuple[ScoreOverride, ...]:
        """All overrides but those of a criterion, of whatever chip."""
        return tuple(one for one in self.overrides if one.criterion_id != criterion_id)

    def without(self, accelerator_id: str, criterion_id: str) -> tuple[ScoreOverride, ...]:
        """All overrides but that of a criterion of a chip."""
        gone = accelerator_id, criterion_id
        return tuple(one for one in self.overrides if (one.accelerator_id, one.criterion_id) != gone)
