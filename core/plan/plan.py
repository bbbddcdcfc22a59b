"""The plan: everything the user's document holds, as one frozen value."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from core.calibration.accepted import AcceptedCalibration
from core.workload.describe import Described
from core.workload.profile import Profile


class Scenario(Described):
    """A named set of changes to the base plan: field path -> value (``profiles.0.job.n_tokens`` -> 2e12)."""

    id: str
    name: str
    overrides: dict[str, Any] = Field(default_factory=dict)


class ImportedLog(Described):
    """A log the user dropped: what was recognised and the measurements kept from it (series thinned for the chart)."""

    id: str
    file_name: str
    format: str
    imported_at: str
    accelerator: str | None
    n_accelerators: int | None
    n_lines: int
    n_skipped: int
    skipped_reasons: dict[str, int] = Field(default_factory=dict)
    duration_s: float
    quantities: dict[str, dict[str, float | str]] = Field(default_factory=dict)
    series_s: tuple[float, ...] = ()
    series: dict[str, tuple[float | None, ...]] = Field(default_factory=dict)


class Choice(Described):
    """The option the user settled on, and why."""

    profile_id: str
    candidate_id: str
    reason: str = ""


class Plan(Described):
    """The document. Edited only by making a new one (see :mod:`core.plan.edit`)."""

    id: str
    name: str = "Untitled plan"
    note: str = ""
    is_sample: bool = False
    profiles: tuple[Profile, ...] = ()
    scenarios: tuple[Scenario, ...] = (Scenario(id="base", name="Base"),)
    logs: tuple[ImportedLog, ...] = ()
    calibrations: tuple[AcceptedCalibration, ...] = ()
    choices: tuple[Choice, ...] = ()
    report_pages: tuple[str, ...] = ()
