"""How wide the ranges are that the app draws, class by class, as a table of the accuracy page."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core import paths

SPREAD = paths.resources() / "engine" / "spread.json"
_MARK = "<!-- shipped ranges -->"
_HEAD = "| range of | values | sources | low end | high end | high / low |"
_RULE = "|---|---:|---:|---:|---:|---:|"
_KINDS = {
    "training": "training, tokens/s",
    "finetune": "fine-tuning, tokens/s",
    "memory": "fine-tuning, memory",
    "reinforcement": "reinforcement learning, a step",
    "samples": "samples/s",
    "throughput": "serving, throughput",
    "tpot": "serving, TPOT",
    "ttft": "serving, TTFT",
}


@dataclass(frozen=True, slots=True)
class ShippedRange:
    """The 80 % range of a class of work, ends over the likely value, and the rows and sources that it rests on."""

    name: str
    n_rows: int
    n_sources: int
    low: float
    high: float

    @property
    def ratio(self) -> float:
        """The high end over the low one."""
        return self.high / self.low


def shipped_ranges(path: Path = SPREAD) -> list[ShippedRange]:
    """The classes of a table of ranges, in its order; of known chips, of stated software."""
    stored: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return [_range(row) for row in stored["classes"]]


def _range(row: dict[str, Any]) -> ShippedRange:
    low, high = math.exp(min(row["low_ln"], 0.0)), math.exp(max(row["high_ln"], 0.0))
    return ShippedRange(row["class"], row["rows"], row["sources"], low, high)


def with_shipped_ranges(page: str, ranges: Sequence[ShippedRange]) -> str:
    """The page with the table of shipped ranges made anew; a page without the marker stays as it is."""
    made = "\n".join([_MARK, _HEAD, _RULE, *map(_line, ranges)]) + "\n"
    return re.sub(rf"{_MARK}\n(?:\|[^\n]*\n)*", lambda _: made, page)


def _line(one: ShippedRange) -> str:
    return f"| {_title(one.name)} | {one.n_rows} | {one.n_sources} | {one.low:.2f} | {one.high:.2f} | {one.ratio:.1f} |"


def _title(name: str) -> str:
    """``serving, TTFT: tpu, above 32 at once``; a kind alone stands for families without a class of their own."""
    kind, *rest = name.split("/")
    family, band = (*rest, "", "")[:2]
    return f"{_KINDS[kind]}: {family or 'others'}{f', {band} at once' if band else ''}"
