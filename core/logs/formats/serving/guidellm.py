"""GuideLLM's JSON: a list ``benchmarks``, each with ``metrics`` by name and, in them, those of the requests answered.

Names that end in ``_ms`` are milliseconds; the latency of a request is in seconds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from core.logs.registry import Document, Finding, LogFormat
from core.logs.serving.figures import Figures, number_of

_METRICS = {
    "requests_per_second": ("requests_per_s", 1.0),
    "output_tokens_per_second": ("output_tokens_per_s", 1.0),
    "tokens_per_second": ("total_tokens_per_s", 1.0),
    "time_to_first_token_ms": ("ttft_ms", 1.0),
    "time_per_output_token_ms": ("tpot_ms", 1.0),
    "inter_token_latency_ms": ("itl_ms", 1.0),
    "request_latency": ("e2e_latency_ms", 1000.0),
}
_FACTS = {
    "request_concurrency": "concurrency",
    "prompt_token_count": "input_tokens",
    "output_token_count": "output_tokens",
}
_RATES = ("requests_per_second", "output_tokens_per_second", "tokens_per_second")
_MOST = 10_000


def _tests(value: Any) -> list[Mapping[str, Any]]:
    tests = value.get("benchmarks") if isinstance(value, dict) else None
    kept = [one for one in tests if isinstance(one, dict)] if isinstance(tests, list) else []
    return [one for one in kept if isinstance(one.get("metrics"), dict) and "requests_per_second" in one["metrics"]]


def _documents(file: str, documents: Sequence[Document]) -> list[Finding]:
    return [_finding(file, one.line, test["metrics"]) for one in documents for test in _tests(one.value)][:_MOST]


def _finding(file: str, line: int, metrics: Mapping[str, Any]) -> Finding:
    figures = Figures()
    figures.fact("framework", "GuideLLM")
    for name, fact in _FACTS.items():
        figures.fact(fact, number_of(_answered(metrics, name).get("mean")))
    for name, (quantity, factor) in _METRICS.items():
        _put(figures, quantity, factor, _answered(metrics, name), name in _RATES)
    return figures.finding(file, FORMAT.id, line)


def _put(figures: Figures, quantity: str, factor: float, known: Mapping[str, Any], is_rate: bool) -> None:
    """Of a rate the mean alone: its percentiles are those of instants."""
    if "mean" in known:
        figures.put(quantity, "mean", number_of(known["mean"]) * factor)
    percentiles = known.get("percentiles")
    if not isinstance(percentiles, dict) or is_rate:
        return
    for stat in ("p50", "p90", "p99"):
        if stat in percentiles:
            figures.put(quantity, stat, number_of(percentiles[stat]) * factor)


def _answered(metrics: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    metric = metrics.get(name)
    part = metric.get("successful") if isinstance(metric, dict) else None
    return part if isinstance(part, dict) else {}


FORMAT = LogFormat(
    "guidellm", "GuideLLM result (JSON)", "GuideLLM", fits=lambda value: bool(_tests(value)), documents=_documents
)
