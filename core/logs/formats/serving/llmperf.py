"""LLMPerf's summary: a flat JSON object whose names begin with ``results_``; latencies in seconds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from core.logs.registry import Document, Finding, LogFormat
from core.logs.serving.figures import Figures, number_of, text_of

_LATENCIES = {
    "results_ttft_s": "ttft_ms",
    "results_inter_token_latency_s": "itl_ms",
    "results_end_to_end_latency_s": "e2e_latency_ms",
}
_STATS = {"mean": "mean", "quantiles_p50": "p50", "quantiles_p90": "p90", "quantiles_p99": "p99"}
_FACTS = {
    "num_concurrent_requests": "concurrency",
    "mean_input_tokens": "input_tokens",
    "mean_output_tokens": "output_tokens",
    "results_num_requests_started": "n_requests",
    "results_number_errors": "n_failed",
}
_NAMES = {"results_mean_output_throughput_token_per_s", "results_ttft_s_mean"}


def _documents(file: str, documents: Sequence[Document]) -> list[Finding]:
    return [_finding(file, one.line, one.value) for one in documents]


def _finding(file: str, line: int, result: Mapping[str, Any]) -> Finding:
    figures = Figures()
    for name, fact in _FACTS.items():
        figures.fact(fact, number_of(result.get(name)))
    figures.fact("model", text_of(result.get("model")))
    figures.fact("framework", "LLMPerf")
    figures.put("output_tokens_per_s", "mean", number_of(result.get("results_mean_output_throughput_token_per_s")))
    figures.put("requests_per_s", "mean", number_of(result.get("results_num_completed_requests_per_min")) / 60)
    for name, quantity in _LATENCIES.items():
        for ending, stat in _STATS.items():
            if f"{name}_{ending}" in result:
                figures.put(quantity, stat, number_of(result[f"{name}_{ending}"]) * 1000)
    return figures.finding(file, FORMAT.id, line)


FORMAT = LogFormat(
    "llmperf",
    "LLMPerf summary (JSON)",
    "LLMPerf",
    fits=lambda value: isinstance(value, dict) and bool(_NAMES & value.keys()),
    documents=_documents,
)
