"""AIPerf's ``profile_export.jsonl``: one object a request, with the moments of its start and end and its figures."""

from __future__ import annotations

import math
from array import array
from collections import Counter
from collections.abc import Mapping
from typing import Any

import numpy as np

from core.errors import InputError
from core.logs.facts import stated
from core.logs.quantities import SHARED
from core.logs.record import LogRecord, Quantity, Refused, Series, Subject, summarise_all
from core.logs.registry import Finding, LogFormat
from core.logs.serving.figures import OWN, TTST, number_of, text_of
from core.logs.serving.labels import latency_quantity
from core.reading.json_text import parsed

_MS = {"ns": 1e-6, "us": 1e-3, "ms": 1.0, "s": 1000.0, "sec": 1000.0}
_NS = 1e9
_MARK = '"request_start_ns"'
_MOST_REQUESTS = 5_000_000
_LATENCIES = ("ttft_ms", "ttst_ms", "itl_ms", "tpot_ms", "e2e_latency_ms")
_COLUMNS = (*_LATENCIES, "input", "output", "start", "end")


class _Reader:
    """Figures of the requests, number by number: a test may have millions."""

    def __init__(self, file_name: str) -> None:
        self._file_name = file_name
        self._columns = {name: array("d") for name in _COLUMNS}
        self._skipped: Counter[str] = Counter()
        self._first_line = self._n_lines = 0

    def take(self, number: int, line: str) -> bool:
        """True for a request."""
        value = _request(line)
        if value is None:
            return False
        self._first_line, self._n_lines = self._first_line or number, self._n_lines + 1
        row = _row(value, self._skipped)
        if row and self._n_lines > _MOST_REQUESTS:
            self._skipped["request beyond what is kept"] += 1
        elif row:
            for name, column in self._columns.items():
                column.append(row.get(name, math.nan))
        return True

    def finish(self) -> list[Finding]:
        """One record a file."""
        columns = {name: np.array(column) for name, column in self._columns.items()}
        if not len(columns["end"]):
            found = "requests without a figure"
            return [Refused(FORMAT.id, self._first_line, found, "requests with latencies and moments")]
        return [_record(self._file_name, self._first_line, self._n_lines, columns, self._skipped)]


def _request(line: str) -> dict[str, Any] | None:
    """The object of a line; None where it is no request."""
    if _MARK not in line or not line.startswith("{"):
        return None
    try:
        value = parsed(line, "", "", takes_odd_numbers=True)
    except InputError:
        return None
    is_request = isinstance(value, dict) and isinstance(value.get("metadata"), dict)
    return value if is_request and isinstance(value.get("metrics"), dict) else None


def _row(value: Mapping[str, Any], skipped: Counter[str]) -> dict[str, float]:
    """A request's figures by their names; empty where it failed, warmed up, or has none."""
    if value.get("error"):
        skipped["request that failed"] += 1
        return {}
    if value["metadata"].get("benchmark_phase") == "warmup":
        skipped["request of the warm-up"] += 1
        return {}
    row = {
        name: number for key, metric in value["metrics"].items() if (name := _name(key)) and (number := _value(metric))
    }
    if not row:
        skipped["request without a figure"] += 1
    start, end = (_seconds(value["metadata"].get(f"request_{edge}_ns")) for edge in ("start", "end"))
    return row | {"start": start, "end": end} if row else {}


def _name(key: Any) -> str:
    if not isinstance(key, str):
        return ""
    return {"output_sequence_length": "output", "input_sequence_length": "input"}.get(key, "") or latency_quantity(key)


def _value(metric: Any) -> float:
    """In milliseconds where the unit is one of time; 0.0, which is dropped, for anything that is no number above 0."""
    if not isinstance(metric, dict):
        return 0.0
    value = number_of(metric.get("value")) * _MS.get(text_of(metric.get("unit")).lower(), 1.0)
    return value if value > 0 else 0.0


def _seconds(value: Any) -> float:
    """Nanoseconds since 1970 are larger than any reading, hence not read as one."""
    is_number = isinstance(value, int | float) and not isinstance(value, bool) and 0 < value < 1e20
    return value / _NS if is_number else math.nan


def _record(file: str, line: int, n_lines: int, columns: Mapping[str, Series], skipped: Counter[str]) -> LogRecord:
    order = np.argsort(columns["end"], kind="stable")
    series = {name: columns[name][order] for name in _LATENCIES if not np.isnan(columns[name]).all()}
    end = columns["end"][order]
    has_times = not np.isnan(end).any()
    n_failed = skipped["request that failed"]
    facts = {"n_requests": float(len(end) + n_failed), "n_failed": float(n_failed)}
    facts |= {f"{name}_tokens": mean for name in ("input", "output") if (mean := _mean(columns[name])) > 0}
    return LogRecord(
        file=file,
        format=FORMAT.id,
        n_lines=n_lines,
        skipped=dict(skipped),
        accelerator=None,
        accelerator_id=None,
        n_accelerators=None,
        start=None,
        time_s=end - end[0] if has_times else np.zeros(0),
        series=series if has_times else {},
        quantities=summarise_all(series, {**SHARED, **OWN}) | _rates(columns, len(end)),
        subject=Subject.SERVING,
        first_line=line,
        facts=stated(facts),
    )


def _mean(values: Series) -> float:
    known = values[~np.isnan(values)]
    return float(known.mean()) if len(known) else math.nan


def _rates(columns: Mapping[str, Series], n_requests: int) -> dict[str, Quantity]:
    """Answers and tokens over the time from the first start to the last end, where every request has both."""
    span_s = float(columns["end"].max() - columns["start"].min())
    if not span_s > 0:
        return {}
    totals = {"requests_per_s": float(n_requests), "input_tokens_per_s": float(columns["input"].sum()),
              "output_tokens_per_s": float(columns["output"].sum())}  # fmt: skip
    return {name: Quantity(SHARED[name].unit, 1, total / span_s) for name, total in totals.items() if total > 0}


FORMAT = LogFormat(
    "aiperf-requests",
    "AIPerf requests (profile_export.jsonl)",
    "AIPerf requests",
    marks=(_MARK,),
    begins=lambda line: _request(line) is not None,
    reader=_Reader,
    quantities=TTST,
)
