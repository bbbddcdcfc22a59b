"""Lightning's ``metrics.csv``: ``epoch,step,<metrics>``. Most have neither a time nor a speed, which is told.

Cells are empty where another call wrote the row; the columns are in no fixed order.
"""

from __future__ import annotations

import math
import re

from core.logs.quantities import reading
from core.logs.record import Refused
from core.logs.registry import Finding, LogFormat
from core.logs.training.speed_names import quantity_of, speeds_of
from core.logs.training.steps import Runs, by_clock

_HEADER = re.compile(r"[A-Za-z_][\w /|.-]{0,80}(?:,[A-Za-z_][\w /|.@-]{0,80}){1,500}")
_TIMES = ("time", "timestamp", "wall_time", "walltime", "elapsed", "elapsed_time", "train/time", "train|time")
_NO_SPEED = "a table of metrics by step, with no column of times or speeds"
_EXPECTED = "a column such as samples_per_sec or time beside the steps"


class _Reader:
    """One table a file."""

    def __init__(self, file_name: str) -> None:
        self._runs = Runs(file_name, FORMAT.id, "Lightning", 1, by_clock)
        self._columns: list[str] = []
        self._first_line = 0

    def take(self, number: int, line: str) -> bool:
        """True for the header and the rows that fit it."""
        if not self._columns:
            if not _is_header(line):
                return False
            self._columns = [name.strip() for name in line.split(",")]
            self._first_line = number
            return True
        cells = line.split(",")
        if len(cells) != len(self._columns):
            if 1 < len(cells) < len(self._columns):
                self._runs.skip(number, "row cut short")
                return True
            return False
        self._keep(number, dict(zip(self._columns, cells, strict=True)))
        return True

    def finish(self) -> list[Finding]:
        """One record, or the reason why there is none."""
        if not _has_speed(self._columns):
            return [Refused(FORMAT.id, self._first_line or 1, _NO_SPEED, _EXPECTED)]
        return self._runs.finish(_EXPECTED)

    def _keep(self, number: int, row: dict[str, str]) -> None:
        values = speeds_of({name: cell.strip() for name, cell in row.items() if cell.strip()})
        times = [reading(row[name]) for name in _TIMES if name in row and row[name].strip()]
        if values or times:
            self._runs.add(number, reading(row["step"]), values, at_s=times[0] if times else math.nan)


def _is_header(line: str) -> bool:
    names = [name.strip() for name in line.split(",")]
    if "_step" in names:  # Weights & Biases
        return False
    return len(names) > 2 and "epoch" in names and "step" in names and bool(_HEADER.fullmatch(line.strip()))


def _has_speed(columns: list[str]) -> bool:
    known = [quantity_of(name) for name in columns]
    return any(name in _TIMES for name in columns) or any(one is not None and one[0] != "loss" for one in known)


FORMAT = LogFormat(
    "lightning-csv",
    "Lightning metrics.csv",
    "Lightning metrics",
    marks=("epoch",),
    begins=_is_header,
    reader=_Reader,
)
