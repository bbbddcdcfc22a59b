"""A table of published measurements, whose kind its header tells, checked cell by cell."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from core.calibration.measured.dialect import Cells, Dialect, dialect_of
from core.errors import InputError
from core.reading.csv_rows import read_cells
from core.reading.shown import shown

RATIO = "speedup_vs_off"
"""Speed with a technique over that without it."""
TRAINING_METRICS = ("tokens_per_s_per_chip", "samples_per_s_per_chip", "step_time_s")
INFERENCE_METRICS = ("output_tokens_per_s_total", "total_tokens_per_s", "samples_per_s", "ttft_ms", "tpot_ms", RATIO)
FINETUNING_METRICS = (*TRAINING_METRICS, "peak_mem_gib_per_chip")
REINFORCEMENT_METRICS = (
    "tokens_per_s_per_chip", "step_time_s", "rollout_s", "logprob_s", "ref_s", "train_s", "sync_s",
)  # fmt: skip
MEDIA_METRICS = ("seconds_per_item", "step_time_s", "iters_per_s", "items_per_s", "rtfx", "rtf", "latency_ms")
TIME_METRICS = ("step_time_s", "seconds_per_item", "rtf", "latency_ms", "ttft_ms", "tpot_ms")
"""Metrics that fall where speed rises."""
METRICS = {
    "training": TRAINING_METRICS,
    "finetune": FINETUNING_METRICS,
    "inference": INFERENCE_METRICS,
    "reinforcement": REINFORCEMENT_METRICS,
    "media": MEDIA_METRICS,
}
"""Columns that can be predicted, by what a row measured."""
COMMON_FIELDS = ("id", "hardware", "n_chips", "model")


_MOST = 1e15
"""No published figure is larger in any unit of the tables."""


@dataclass(frozen=True, slots=True)
class MeasuredRow:
    """One row as text, with its place in the file; numbers are read when asked for.

    ``work``: what was measured, a key of :data:`METRICS`. ``renamed``: what the file itself calls a column.
    """

    file: str
    line: int
    cells: dict[str, str]
    work: str = "training"
    renamed: Mapping[str, str] = field(default_factory=dict)

    @property
    def metrics(self) -> tuple[str, ...]:
        """Columns of such a row that can be predicted."""
        return METRICS[self.work]

    def text(self, name: str) -> str:
        """The cell without surrounding space; empty when the table has no such column."""
        return (self.cells.get(name) or "").strip()

    def number(self, name: str) -> float | None:
        """The cell as a number, None when empty. Raises InputError naming file, row and field."""
        text = self.text(name)
        if not text:
            return None
        try:
            value = float(text)
        except ValueError:
            value = math.nan
        if not 0 <= value <= _MOST:
            raise self._wrong(name, "a number of 0 or more, not beyond all reason")
        return value

    def count(self, name: str) -> int | None:
        """The cell as a whole number, means rounded; None when empty or 0, which tables write for "has none".

        Raises InputError naming file, row and field.
        """
        return max(round(value), 1) if (value := self.number(name)) else None

    def measured(self, metrics: tuple[str, ...] = ()) -> dict[str, float]:
        """Values of the metrics that the row holds, of all its own by default.

        Those that its table derived from others count only when there is nothing else.
        """
        values = {name: self.number(name) for name in metrics or self.metrics}
        known = {name: value for name, value in values.items() if value}
        derived = self.text("derived_fields")
        return {name: value for name, value in known.items() if name not in derived} or dict(list(known.items())[:1])

    def _wrong(self, name: str, expected: str) -> InputError:
        where = f"{self.file}, row {self.line}, field {self.renamed.get(name, name)}"
        return InputError(where, shown(self.text(name)), expected)


@dataclass(frozen=True, slots=True)
class MeasuredTable:
    """Rows of one file; ``work`` is what most of them measured."""

    file: str
    work: str
    rows: tuple[MeasuredRow, ...]


def read_table(path: Path) -> MeasuredTable:
    """Reads a CSV table and tells from its header what was measured.

    Raises InputError for a missing or empty file, a header of neither kind or a row of another width; MachineError
    when the file cannot be read.
    """
    lines = read_cells(path, "a CSV table of measurements")
    if not lines:
        raise InputError(str(path), "an empty file", "a CSV table of measurements")
    header = lines[0][1]
    dialect = dialect_of(header)
    work = "" if dialect else _work(path, header)
    rows = []
    for number, line in lines[1:]:
        if len(line) != len(header):
            raise InputError(f"{path.name}, row {number}", f"{len(line)} cells", f"{len(header)} as in the header")
        cells = dict(zip(header, line, strict=True))
        rows.append(_in_dialect(path, number, cells, dialect) if dialect else _row(path, number, cells, work))
    works = Counter(row.work for row in rows)
    return MeasuredTable(path.name, work or (works.most_common(1)[0][0] if works else "inference"), tuple(rows))


def _row(path: Path, number: int, cells: dict[str, str], work: str) -> MeasuredRow:
    return MeasuredRow(path.name, number, cells, work)


def _in_dialect(path: Path, number: int, cells: Cells, dialect: Dialect) -> MeasuredRow:
    return MeasuredRow(path.name, number, dialect.read(cells), dialect.work_of(cells), dialect.renamed)


def _work(path: Path, header: list[str]) -> str:
    missing = [name for name in COMMON_FIELDS if name not in header]
    if missing:
        expected = f"the columns {', '.join(COMMON_FIELDS)} and what was measured"
        raise InputError(f"{path.name}, header", f"no column {missing[0]}", expected)
    if any(name in header for name in ("ttft_ms", "tpot_ms", "output_tokens_per_s_total", "total_tokens_per_s")):
        return "inference"
    if any(name in header for name in TRAINING_METRICS):
        return "training"
    raise InputError(f"{path.name}, header", "no measured column", f"one of {', '.join(TRAINING_METRICS)} or ttft_ms")
