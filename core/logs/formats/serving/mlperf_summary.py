"""MLPerf inference's ``mlperf_log_summary.txt``: ``key : value`` with blanks that vary, latencies in nanoseconds.

Seen in results of rounds 0.5 to 5.1. The figures are those of the whole system. A run for accuracy leaves a file with
two sentences and no figure.
"""

from __future__ import annotations

import re

from core.logs.registry import Finding, LogFormat
from core.logs.serving.figures import Figures, number_of
from core.logs.serving.labels import figure, plain_label, unquoted

_TITLE = "MLPerf Results Summary"
_END = re.compile(r"No (?:warnings|errors) encountered during test\.")
_LINE = re.compile(r"\s*(?P<label>[\w .()/%*-]{2,80}?)\s*:\s*(?P<value>\S.{0,200}?)\s*")
_RATES = {
    "samples per second": "samples_per_s", "completed samples per second": "samples_per_s",
    "tokens per second": "output_tokens_per_s", "tokens per second inferred": "output_tokens_per_s",
    "completed tokens per second": "output_tokens_per_s", "completed tokens per second inferred": "output_tokens_per_s",
    "qps w o loadgen overhead": "requests_per_s",
}  # fmt: skip
_SCHEDULED = "scheduled samples per second"
_LATENCIES = (
    (re.compile(r"first token latency"), "ttft_ms"),
    (re.compile(r"time (?:to|per) output token"), "tpot_ms"),
    (re.compile(r"^(?:min|max|mean|\d\d \d\d percentile|\d\dth percentile) (?:query )?latency\b"), "e2e_latency_ms"),
)
_ACCURACY = "a summary without results, as accuracy runs leave it"


class _Reader:
    """Summaries: each begins with its title."""

    def __init__(self, file_name: str) -> None:
        self._file_name = file_name
        self._figures = Figures()
        self._scheduled = ""
        self._line = self._n_lines = self._ended_line = 0
        self._findings: list[Finding] = []

    def take(self, number: int, line: str) -> bool:
        """True for a line of a summary."""
        text = unquoted(line).strip()
        if text == _TITLE:
            self._close()
            self._line, self._n_lines = number, 1
            return True
        if _END.fullmatch(text):
            self._ended_line = self._ended_line or number
            return True
        match = _LINE.fullmatch(text) if self._line else None
        if match is None:
            return bool(self._line) and text.startswith("=")
        self._n_lines += 1
        return self._keep(match["label"], match["value"])

    def finish(self) -> list[Finding]:
        """A record for each summary."""
        self._close()
        if not self._findings and self._ended_line:
            self._findings.append(Figures().finding(self._file_name, FORMAT.id, self._ended_line, without=_ACCURACY))
        return self._findings

    def _keep(self, label: str, value: str) -> bool:
        figures, text = self._figures, plain_label(label)
        number = number_of(value)
        quantity = next((name for pattern, name in _LATENCIES if pattern.search(text)), "")
        if "latency" in text and "ns" not in text.split():
            return True  # a limit
        if text in _RATES:
            figures.put(_RATES[text], "mean", number)
        elif text == _SCHEDULED:
            self._scheduled = value
        elif quantity and (stat := figure(text)):
            figures.put(quantity, stat, number / 1e6)
        elif text == "result is":
            figures.fact("test", f"MLPerf inference, result {value}")
        elif text == "scenario":
            figures.fact("scenario", value)
        return True

    def _close(self) -> None:
        if self._line and len(self._findings) < 10_000:
            if self._scheduled and "samples_per_s" not in self._figures.stats:
                self._figures.put("samples_per_s", "mean", number_of(self._scheduled))
            self._findings.append(self._figures.finding(self._file_name, FORMAT.id, self._line, self._n_lines))
        self._figures, self._scheduled, self._line, self._n_lines = Figures(), "", 0, 0


def _begins(line: str) -> bool:
    text = unquoted(line).strip()
    return text == _TITLE or bool(_END.fullmatch(text))


FORMAT = LogFormat(
    "mlperf-log-summary",
    "MLPerf inference summary",
    "MLPerf inference",
    marks=(_TITLE, "encountered during test."),
    begins=_begins,
    reader=_Reader,
)
