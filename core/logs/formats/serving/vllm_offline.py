"""``vllm bench throughput`` and ``vllm bench latency``: one line or one small JSON object each.

Up to version 0.6 the line has two rates, of which the second counts tokens read and written; later ones add those
written. The latency is that of a whole batch.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from core.logs.registry import Document, Finding, LogFormat
from core.logs.serving.figures import Figures, number_of
from core.logs.serving.labels import unquoted
from core.logs.serving.settings import settings_of

_NUMBER = r"([\d.,xX]{1,30}(?:e[-+]?\d{1,3})?)"
_THROUGHPUT = re.compile(
    rf"Throughput: {_NUMBER} requests/s, {_NUMBER} (?:total )?tokens/s(?:, {_NUMBER} output tokens/s)?", re.IGNORECASE
)
_LATENCY = re.compile(rf"(Avg|\d{{1,2}}% percentile) latency: {_NUMBER} seconds", re.IGNORECASE)
_STATS = {"avg": "mean", "50% percentile": "p50", "90% percentile": "p90", "99% percentile": "p99"}
_JSON_NAMES = {"requests_per_second": "requests_per_s", "tokens_per_second": "total_tokens_per_s"}
_MOST = 10_000


class _Reader:
    """Lines of results and the settings above them; a latency test prints one line a percentile."""

    def __init__(self, file_name: str) -> None:
        self._file_name = file_name
        self._settings: dict[str, str | float] = {}
        self._latencies: tuple[int, Figures] | None = None
        self._findings: list[Finding] = []

    def take(self, number: int, line: str) -> bool:
        """True for a line of a result."""
        text = unquoted(line)
        if match := _THROUGHPUT.match(text):
            self._close()
            figures = Figures(facts=dict(self._settings))
            for name, value in zip(_NAMES, match.groups(), strict=True):
                if value is not None:
                    figures.put(name, "mean", number_of(value))
            self._keep(number, figures)
            return True
        if match := _LATENCY.match(text):
            self._put_latency(number, match)
            return True
        self._settings |= settings_of(line)
        return False

    def finish(self) -> list[Finding]:
        """A record for each result."""
        self._close()
        return self._findings

    def _put_latency(self, number: int, match: re.Match[str]) -> None:
        if match[1].lower() == "avg":
            self._close()
        if self._latencies is None:
            self._latencies = number, Figures(facts=dict(self._settings))
        stat = _STATS.get(match[1].lower())
        if stat:
            self._latencies[1].put("e2e_latency_ms", stat, number_of(match[2]) * 1000)

    def _close(self) -> None:
        if self._latencies is not None:
            self._keep(*self._latencies)
        self._latencies = None

    def _keep(self, number: int, figures: Figures) -> None:
        if len(self._findings) < _MOST:
            figures.fact("framework", "vLLM")
            self._findings.append(figures.finding(self._file_name, FORMAT.id, number))


_NAMES = ("requests_per_s", "total_tokens_per_s", "output_tokens_per_s")


def _fits(value: Any) -> bool:
    if not isinstance(value, dict):
        return False
    is_throughput = {"elapsed_time", "num_requests", "requests_per_second"} <= value.keys()
    return is_throughput or {"avg_latency", "percentiles"} <= value.keys()


def _documents(file: str, documents: Sequence[Document]) -> list[Finding]:
    return [_of_json(file, one) for one in documents[:_MOST]]


def _of_json(file: str, document: Document) -> Finding:
    figures, value = Figures(), document.value
    for name, quantity in _JSON_NAMES.items():
        if name in value:
            figures.put(quantity, "mean", number_of(value[name]))
    figures.fact("n_requests", number_of(value.get("num_requests")))
    figures.fact("duration_s", number_of(value.get("elapsed_time")))
    if "avg_latency" in value:
        percentiles = value["percentiles"] if isinstance(value["percentiles"], dict) else {}
        figures.put("e2e_latency_ms", "mean", number_of(value["avg_latency"]) * 1000)
        for name in ("50", "90", "99"):
            if name in percentiles:
                figures.put("e2e_latency_ms", f"p{name}", number_of(percentiles[name]) * 1000)
    figures.fact("framework", "vLLM")
    return figures.finding(file, FORMAT.id, document.line)


FORMAT = LogFormat(
    "vllm-offline",
    "vLLM throughput or latency benchmark",
    "vLLM benchmark",
    marks=("Throughput: ", "throughput: ", "latency: "),
    begins=lambda line: bool(_THROUGHPUT.match(unquoted(line)) or _LATENCY.match(unquoted(line))),
    reader=_Reader,
    fits=_fits,
    documents=_documents,
)
