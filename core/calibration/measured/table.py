"""A table of published measurements: training or inference, told from its header, checked cell by cell."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path

from core.errors import InputError
from core.reading.csv_rows import read_cells
from core.reading.shown import shown

TRAINING_METRICS = ("tokens_per_s_per_chip", "samples_per_s_per_chip", "step_time_s")
INFERENCE_METRICS = ("output_tokens_per_s_total", "total_tokens_per_s", "samples_per_s", "ttft_ms", "tpot_ms")
COMMON_FIELDS = ("id", "hardware", "n_chips", "model")


_MOST = 1e15
"""No published figure is larger in any unit of the tables."""


@dataclass(frozen=True, slots=True)
class MeasuredRow:
    """One row as text, with its place in the file; numbers are read when asked for."""

    file: str
    line: int
    cells: dict[str, str]

    def text(self, field: str) -> str:
        """The cell without surrounding space; empty when the table has no such column."""
        return (self.cells.get(field) or "").strip()

    def number(self, field: str) -> float | None:
        """The cell as a number, None when empty. Raises InputError naming file, row and field."""
        text = self.text(field)
        if not text:
            return None
        try:
            value = float(text)
        except ValueError:
            value = math.nan
        if not 0 <= value <= _MOST:
            raise self._wrong(field, "a number of 0 or more, not beyond all reason")
        return value

    def count(self, field: str) -> int | None:
        """The cell as a whole number, means rounded; None when empty or 0, which tables write for "has none".

        Raises InputError naming file, row and field.
        """
        return max(round(value), 1) if (value := self.number(field)) else None

    def measured(self, metrics: tuple[str, ...]) -> dict[str, float]:
        """Values of the metrics that the row holds; those it derived from others only when there is nothing else."""
        values = {name: self.number(name) for name in metrics}
        known = {name: value for name, value in values.items() if value}
        derived = self.text("derived_fields")
        return {name: value for name, value in known.items() if name not in derived} or dict(list(known.items())[:1])

    def _wrong(self, field: str, expected: str) -> InputError:
        return InputError(f"{self.file}, row {self.line}, field {field}", shown(self.text(field)), expected)


@dataclass(frozen=True, slots=True)
class MeasuredTable:
    """Rows of one file; ``work`` is "training" or "inference"."""

    file: str
    work: str
    rows: tuple[MeasuredRow, ...]

    @property
    def metrics(self) -> tuple[str, ...]:
        """Columns that can be predicted."""
        return TRAINING_METRICS if self.work == "training" else INFERENCE_METRICS


def read_table(path: Path) -> MeasuredTable:
    """Reads a CSV table and tells from its header what was measured.

    Raises InputError for a missing file, a header of neither kind or a row of another width; MachineError when the
    file cannot be read.
    """
    lines = read_cells(path, "a CSV table of measurements")
    header = lines[0][1] if lines else []
    work = _work(path, header)
    rows = []
    for number, line in lines[1:]:
        if len(line) != len(header):
            raise InputError(f"{path.name}, row {number}", f"{len(line)} cells", f"{len(header)} as in the header")
        rows.append(MeasuredRow(path.name, number, dict(zip(header, line, strict=True))))
    return MeasuredTable(path.name, work, tuple(rows))


def _work(path: Path, header: list[str]) -> str:
    missing = [field for field in COMMON_FIELDS if field not in header]
    if missing:
        expected = f"the columns {', '.join(COMMON_FIELDS)} and what was measured"
        raise InputError(f"{path.name}, header", f"no column {missing[0]}", expected)
    if any(name in header for name in ("ttft_ms", "tpot_ms", "output_tokens_per_s_total", "total_tokens_per_s")):
        return "inference"
    if any(name in header for name in TRAINING_METRICS):
        return "training"
    raise InputError(f"{path.name}, header", "no measured column", f"one of {', '.join(TRAINING_METRICS)} or ttft_ms")
