"""The plan: everything the user's document holds, as one frozen value."""

from __future__ import annotations

from datetime import date
from typing import Any, Literal

from pydantic import Field

from core.calibration.accepted import AcceptedCalibration, AcceptedLesson
from core.catalogue.own.layers import OwnEntries
from core.catalogue.prices.dates import OLD_PRICE_DAYS
from core.logs.mapping.model import MOST_MAPPINGS, TableMapping
from core.logs.record import Subject
from core.units import Money
from core.workload.actuals import Tracked
from core.workload.field_description import Described, described
from core.workload.phases import MOST_PHASES, Phase
from core.workload.portfolio import Portfolio
from core.workload.profile import Profile

Values = tuple[float | None, ...]


class Scenario(Described):
    """A named set of changes to the base plan: field path -> value (``profiles.0.job.n_tokens`` -> 2e12)."""

    id: str
    name: str
    overrides: dict[str, Any] = Field(default_factory=dict)


class ImportedLog(Described):
    """A log the user dropped: what was recognised and the measurements kept from it (series thinned for the chart).

    ``bands`` holds the lowest, median and highest reading of all chips (and of all readings that were thinned to one),
    ``by_chip`` the mean of each of ``chips``, thinned once more where they are many. ``sha256`` is that of the file.
    ``start`` is the first time that it prints, as printed. ``chips_log_id`` names the log of the chips that the run was
    on, of which the readings begin at ``chips_begin_s`` on this log's clock.
    """

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
    series: dict[str, Values] = Field(default_factory=dict)
    subject: Subject = Subject.MACHINE
    first_line: int = 1
    facts: dict[str, str | float] = Field(default_factory=dict)
    sha256: str = ""
    chips: tuple[str, ...] = ()
    bands: dict[str, tuple[Values, Values, Values]] = Field(default_factory=dict)
    by_chip: dict[str, tuple[Values, ...]] = Field(default_factory=dict)
    start: str = ""
    chips_log_id: str = ""
    chips_begin_s: float = 0.0


class Choice(Described):
    """The option the user settled on, and why."""

    profile_id: str
    candidate_id: str
    reason: str = ""


class Currency(Described):
    """What money is shown in: ISO code, and how much of it a US dollar buys, as typed on a day."""

    code: str = Field(default="USD", pattern=r"^[A-Z]{3}$")
    per_usd: float = Field(default=1.0, gt=0, le=1e6)
    as_of: str = ""

    @property
    def money(self) -> Money:
        """What texts are written in; US dollars have no rate."""
        return Money() if self.code == "USD" else Money(self.code, self.per_usd, self.as_of)


class KeptRow(Described):
    """A row of the file that this program does not know: written back as it was read."""

    table: str
    values: dict[str, Any]


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
    lessons: tuple[AcceptedLesson, ...] = ()
    choices: tuple[Choice, ...] = ()
    phases: tuple[Phase, ...] = Field(default=(), max_length=MOST_PHASES)
    phases_deadline: date | None = described(
        None,
        title="Deadline of the phases",
        help="Day by which the work is done",
        group="Phase",
        empty="That of the workload",
    )
    actuals: tuple[Tracked, ...] = Field(default=(), max_length=MOST_PHASES)
    portfolio: Portfolio | None = None
    report_pages: tuple[str, ...] = ()
    report_paper: Literal["a4", "letter"] = "a4"
    own: OwnEntries = OwnEntries()
    uses_price_book: bool = True
    had_price_book: bool = False
    """Set when the plan is saved: a private book was in use. The book itself never stands in the plan."""
    masks_private_prices: bool = False
    old_price_days: int = Field(default=OLD_PRICE_DAYS, ge=1, le=3650)
    currency: Currency = Currency()
    table_mappings: tuple[TableMapping, ...] = Field(default=(), max_length=MOST_MAPPINGS)
    kept: tuple[KeptRow, ...] = ()
