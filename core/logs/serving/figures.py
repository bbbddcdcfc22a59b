"""Figures and facts of one load test, gathered line by line or key by key, and the record or refusal they make."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from core.logs.accelerator_names import recognise
from core.logs.facts import stated
from core.logs.quantities import SHARED, QuantityKind, grouped_reading, reading
from core.logs.record import LogRecord, Quantity, Refused, Subject
from core.logs.registry import Finding

OWN: Mapping[str, QuantityKind] = {
    "ttst_ms": QuantityKind("ms", "Time to second token"),
    "running_requests": QuantityKind("requests", "Requests being answered", 6),
    "waiting_requests": QuantityKind("requests", "Requests waiting", 7),
    "kv_cache_pct": QuantityKind("%", "Key-value cache in use", 8),
}
"""Quantities that only servers have; each format that uses one declares it."""

TTST = {"ttst_ms": OWN["ttst_ms"]}
ENGINE = {name: OWN[name] for name in ("running_requests", "waiting_requests", "kv_cache_pct")}
_KINDS = {**SHARED, **OWN}
_OF_REQUESTS = ("ttft_ms", "tpot_ms", "itl_ms", "e2e_latency_ms", "ttst_ms")
_WITHOUT = "a result without any figure"
_UNANSWERED = "a test in which no request was answered"
_MOST_TEXT_CHARS = 50


def number_of(value: Any) -> float:
    """A number of a JSON value or a text with thousands parted by commas; NaN, which is unknown, for anything else."""
    if isinstance(value, str):
        return grouped_reading(value) if len(value) <= _MOST_TEXT_CHARS else math.nan
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return reading(str(value)) if is_number else math.nan


def text_of(value: Any) -> str:
    """A text of a JSON value, "" for anything else."""
    return value.strip() if isinstance(value, str) else ""


@dataclass
class Figures:
    """Figures of one test: ``stats`` by quantity and name of the figure. What is not above 0 is unknown."""

    stats: dict[str, dict[str, float]] = field(default_factory=dict)
    facts: dict[str, str | float] = field(default_factory=dict)
    n_unknown: int = 0
    accelerator: str | None = None
    n_accelerators: int | None = None
    start: str | None = None

    def put(self, quantity: str, stat: str, value: float) -> None:
        """A figure, in the unit of the quantity; the first one stays."""
        if value > 0 and math.isfinite(value):
            self.stats.setdefault(quantity, {}).setdefault(stat, value)
        else:
            self.n_unknown += 1

    def fact(self, name: str, value: str | float) -> None:
        """A fact, where it is known; the first one stays."""
        is_known = bool(value) if isinstance(value, str) else math.isfinite(value) and value >= 0
        if is_known:
            self.facts.setdefault(name, value)

    def per_request(self, name: str, total: float) -> None:
        """Tokens of all answered requests -> the fact of one request, where their number is known."""
        n_answered = self._n_answered()
        if total > 0 and n_answered > 0:
            self.fact(name, total / n_answered)

    def finding(self, file: str, format_id: str, line: int, n_lines: int = 1, without: str = _WITHOUT) -> Finding:
        """The record; refused where there is no figure: for placeholders, or as ``without`` says."""
        if not self.stats:
            found = "placeholders in place of figures" if self.n_unknown else without
            found = _UNANSWERED if "n_requests" in self.facts and self._n_answered() <= 0 else found
            return Refused(format_id, line, found, "a result with throughput or latencies as numbers")
        return LogRecord(
            file=file,
            format=format_id,
            n_lines=n_lines,
            skipped={"figures not given": self.n_unknown} if self.n_unknown else {},
            accelerator=self.accelerator,
            accelerator_id=recognise(self.accelerator),
            n_accelerators=self.n_accelerators,
            start=self.start,
            time_s=np.zeros(0),
            series={},
            quantities={name: self._quantity(name, stats) for name, stats in self.stats.items()},
            subject=Subject.SERVING,
            first_line=line,
            facts=stated(self.facts),
        )

    def _quantity(self, name: str, stats: Mapping[str, float]) -> Quantity:
        n_readings = int(self._n_answered()) if name in _OF_REQUESTS else 1
        return Quantity(_KINDS[name].unit, max(n_readings, 1), **stats)

    def _n_answered(self) -> float:
        n_sent, n_failed = self.facts.get("n_requests", 0.0), self.facts.get("n_failed", 0.0)
        return float(n_sent) - float(n_failed)

    def answered(self, n_answered: float, n_failed: float, n_sent: float) -> None:
        """How many requests were sent, answered and failed; two of them tell the third. At least those answered were
        sent."""
        if math.isnan(n_failed) and n_sent >= n_answered:
            n_failed = n_sent - n_answered
        self.fact("n_failed", n_failed)
        known_to_fail = 0.0 if math.isnan(n_failed) else n_failed
        self.fact("n_requests", n_answered + known_to_fail if math.isnan(n_sent) else n_sent)
