"""What a log of a machine gathers while it is read, and the record it makes in the end."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from core.logs.accelerator_names import recognise
from core.logs.facts import stated
from core.logs.machine.possible import most_power_w
from core.logs.machine.ticks import ChipTicks, energy_kwh
from core.logs.quantities import SHARED, QuantityKind
from core.logs.record import LogRecord, Quantity, Refused

PARTS_ALONE = ("readings of parts of GPUs (MIG) alone", "readings of whole GPUs: a part's are shares of the part")
"""What was found and expected where a monitor was asked for the instances that a GPU is parted into."""

_MOST_NAMES = 20
_MOST_NAME_CHARS = 200


@dataclass
class MachineLog:
    """Readings of the chips of one machine, what else the log says of them, and what of it was skipped."""

    file: str
    format: str
    ticks: ChipTicks = field(init=False)
    skipped: Counter[str] = field(default_factory=Counter)
    names: dict[str, str] = field(default_factory=dict)
    start: str | None = None
    facts: dict[str, str | float | None] = field(default_factory=dict)
    first_line: int = 0
    n_lines: int = 0
    n_chips: int | None = None
    totals: dict[str, Quantity] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.ticks = ChipTicks(self.file)

    def use(self, number: int) -> None:
        """A line of this log."""
        self.first_line = self.first_line or number
        self.n_lines = number

    def note_name(self, name: str, whole: str = "") -> None:
        """A chip's name as printed; ``whole`` says more of it where the print is cut."""
        name = name[:_MOST_NAME_CHARS]
        if name and name not in self.names and len(self.names) < _MOST_NAMES:
            self.names[name] = (whole or name)[:_MOST_NAME_CHARS]
            self.ticks.possible.most_power_w = most_power_w(self.names.values())

    def note_start(self, stamp: str) -> None:
        """The first time that the log prints."""
        self.start = self.start or stamp.strip()[:_MOST_NAME_CHARS] or None

    def record(self, kinds: Mapping[str, QuantityKind] = SHARED) -> LogRecord | None:
        """The record; None where no row was read, or none with a reading."""
        gathered = self.ticks.finish(kinds)
        quantities = {**gathered.quantities, **self.totals}
        if not quantities:
            return None
        if gathered.has_times and "power_w" in gathered.by_chip:
            energy = energy_kwh(gathered.time_s, gathered.by_chip["power_w"])
            if not math.isnan(energy):
                quantities["energy_kwh"] = Quantity("kWh", 1, energy)
        known_ids = {recognise(whole) for whole in self.names.values()}
        return LogRecord(
            file=self.file,
            format=self.format,
            n_lines=self.n_lines,
            skipped={**self.skipped, **self.ticks.possible.reasons},
            accelerator=", ".join(self.names)[:_MOST_NAME_CHARS] or None,
            accelerator_id=known_ids.pop() if len(known_ids) == 1 else None,
            n_accelerators=self.n_chips or len(gathered.chips) or None,
            start=self.start,
            time_s=gathered.time_s,
            series=gathered.series,
            quantities=quantities,
            first_line=max(self.first_line, 1),
            facts=stated(self.facts),
            chips=gathered.chips,
            by_chip=gathered.by_chip,
        )

    def finding(self, found: str, expected: str, kinds: Mapping[str, QuantityKind] = SHARED) -> LogRecord | Refused:
        """The record, or why there is none."""
        record = self.record(kinds)
        if record is None and (impossible := "; ".join(self.ticks.possible.reasons)):
            found, expected = impossible, "readings that a chip can have"
        return record or Refused(self.format, max(self.first_line, 1), found, expected)
