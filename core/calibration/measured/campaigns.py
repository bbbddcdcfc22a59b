"""How campaigns of benchmarks ran their servers and clients, as their scripts say where rows do not."""

from __future__ import annotations

import csv
import math
from dataclasses import dataclass, fields
from functools import cache

from core import paths
from core.calibration.measured.table import MeasuredRow


@dataclass(frozen=True, slots=True)
class Settings:
    """What bears on the time to a first token, 0 where nothing tells.

    ``waves``: requests of a run over those at once, of which the first wave comes together; ``gathered_steps``: that
    a prompt waits for others at most, to be read with them; ``polled_steps``: between two looks for requests.
    """

    waves: float = 0.0
    gathered_steps: float = 0.0
    polled_steps: float = 0.0


NO_SETTINGS = Settings()


def settings_of(row: MeasuredRow) -> Settings:
    """The settings of a row: its own requests, then the lines of ``campaigns.csv`` that it matches, later ones first.

    Raises InputError for a cell that is no number.
    """
    found = {
        name: value for line in _lines() if _is_of(line, row) for name in NAMES if (value := line.number(name) or 0.0)
    }
    sent, at_once = row.number("num_prompts"), row.number("batch_or_concurrency")
    return Settings(**(found | ({"waves": max(sent / at_once, 1.0)} if sent and at_once else {})))


NAMES = tuple(field.name for field in fields(Settings))
_BEGINNINGS = ("engine", "model", "hardware", "weight_precision")
_LENGTHS = ("input_len", "output_len")


@cache
def _lines() -> tuple[MeasuredRow, ...]:
    path = paths.resources() / "measurements" / "campaigns.csv"
    with path.open(encoding="utf-8", newline="") as file:
        return tuple(MeasuredRow(path.name, number, cells) for number, cells in enumerate(csv.DictReader(file), 2))


def _is_of(line: MeasuredRow, row: MeasuredRow) -> bool:
    at_once, ranks = row.number("batch_or_concurrency") or 0.0, row.number("tp") or 0.0
    return (
        (row.text("publisher") or row.text("source_group")) == line.text("publisher")
        and all(row.text(name).lower().startswith(line.text(name)) for name in _BEGINNINGS)
        and all(line.number(name) in (None, row.number(name)) for name in _LENGTHS)
        and (line.number("concurrency_from") or 0.0) <= at_once < (line.number("concurrency_below") or math.inf)
        and (not line.number("tp_below") or 0 < ranks < (line.number("tp_below") or 0.0))
    )
