"""A calibration as the plan keeps it."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from core.workload.field_description import Described


class AcceptedCalibration(Described):
    """Measured over predicted tokens/s of a chip, from one window of one log, for one workload.

    ``spread`` is the relative half width of the 80 % range that is left; ``how`` says in words what was measured.
    """

    log_id: str
    profile_id: str
    accelerator_id: str
    n_chips: int = Field(ge=1)
    work: Literal["training", "inference"]
    measured_tokens_per_s: float = Field(gt=0)
    predicted_tokens_per_s: float = Field(gt=0)
    factor: float = Field(gt=0)
    spread: float = Field(ge=0)
    window_s: tuple[float, float]
    how: str
