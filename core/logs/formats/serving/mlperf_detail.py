"""MLPerf inference's ``mlperf_log_detail.txt``: ``:::MLLOG`` lines whose keys are those of the load generator.

Seen in results of rounds 1.0 to 5.1; results are keys that begin with ``result_``, latencies in nanoseconds.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from core.errors import InputError
from core.logs.registry import Finding, LogFormat
from core.logs.serving.figures import Figures, number_of, text_of
from core.logs.serving.labels import figure
from core.reading.json_text import parsed

_MARK = ":::MLLOG"
_OURS = re.compile(r'"key":\s?"(?:loadgen_version|requested_scenario|effective_scenario|result_\w{2,60})')
_KEPT = re.compile(r'"key":\s?"(?:result_[\w.]{2,80}|effective_scenario|requested_scenario|loadgen_version'
                   r'|test_datetime|effective_test_mode|generated_query_duration)"')  # fmt: skip
_RATES = {
    "result_samples_per_second": "samples_per_s", "result_completed_samples_per_sec": "samples_per_s",
    "result_completed_samples_per_second": "samples_per_s", "result_tokens_per_second": "output_tokens_per_s",
    "result_inferred_tokens_per_second": "output_tokens_per_s",
    "result_completed_tokens_per_second": "output_tokens_per_s",
    "result_inferred_completed_tokens_per_second": "output_tokens_per_s",
    "result_qps_without_loadgen_overhead": "requests_per_s",
}  # fmt: skip
_SCHEDULED = "result_scheduled_samples_per_sec"
_FACTS = {"effective_scenario": "scenario", "requested_scenario": "scenario"}
_ACCURACY = "MLPerf inference without results, as accuracy runs leave it"
_MOST_LINE = 4000
"""Characters of a line that holds a result; longer ones list samples."""


class _Reader:
    """One test a file, or several one after the other."""

    def __init__(self, file_name: str) -> None:
        self._file_name = file_name
        self._values: dict[str, Any] = {}
        self._line = self._n_lines = 0
        self._findings: list[Finding] = []

    def take(self, number: int, line: str) -> bool:
        """True for a line of the load generator."""
        if _MARK not in line:
            return False
        if '"mlperf::logging"' not in line and not _OURS.search(line[:_MOST_LINE]):
            return False
        self._n_lines += 1
        if len(line) > _MOST_LINE or not _KEPT.search(line):
            return True
        self._keep(number, line[line.find(_MARK) + len(_MARK) :])
        return True

    def finish(self) -> list[Finding]:
        """A record for each test."""
        self._close()
        return self._findings

    def _keep(self, number: int, text: str) -> None:
        try:
            entry = parsed(text.strip(), "", "", takes_odd_numbers=True)
        except InputError:
            return
        key = text_of(entry.get("key")) if isinstance(entry, dict) else ""
        if key == "loadgen_version" and self._values:
            self._close()
        if key:
            self._line = self._line or number
            self._values.setdefault(key, entry.get("value"))

    def _close(self) -> None:
        if self._values and len(self._findings) < 10_000:
            figures = _figures(self._values)
            finding = figures.finding(self._file_name, FORMAT.id, self._line, self._n_lines, without=_ACCURACY)
            self._findings.append(finding)
        self._values, self._line, self._n_lines = {}, 0, 0


def _figures(values: Mapping[str, Any]) -> Figures:
    figures = Figures()
    for key, value in values.items():
        if key in _RATES:
            figures.put(_RATES[key], "mean", number_of(value))
        elif (quantity := _latency(key)) and (stat := figure(key)):
            figures.put(quantity, stat, number_of(value) / 1e6)
    if _SCHEDULED in values and "samples_per_s" not in figures.stats:
        figures.put("samples_per_s", "mean", number_of(values[_SCHEDULED]))
    for key, fact in _FACTS.items():
        figures.fact(fact, text_of(values.get(key)))
    figures.fact("n_requests", number_of(values.get("result_query_count")))
    figures.fact("duration_s", number_of(values.get("generated_query_duration")) / 1e9)
    validity = text_of(values.get("result_validity"))
    figures.fact("test", f"MLPerf inference, result {validity}" if validity else "")
    figures.start = text_of(values.get("test_datetime"))[:40] or None
    return figures


def _latency(key: str) -> str:
    """The quantity of a key of nanoseconds; of a query before that of its samples is taken where both are given."""
    if not key.startswith("result_") or not key.endswith(("_ns", "_latency", "_mean", "_percentile")):
        return ""
    if "first_token" in key:
        return "ttft_ms"
    if "output_token" in key:
        return "tpot_ms"
    return "e2e_latency_ms" if "latency" in key else ""


FORMAT = LogFormat(
    "mlperf-log-detail",
    "MLPerf inference detail log",
    "MLPerf inference detail",
    marks=('"loadgen_version"', '_scenario"', '"result_'),
    begins=lambda line: _MARK in line and bool(_OURS.search(line[:_MOST_LINE])),
    reader=_Reader,
)
