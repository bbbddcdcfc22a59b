"""The report that trtllm-bench writes as JSON: ``world_info``, ``request_info``, ``performance``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from core.logs.registry import Document, Finding, LogFormat
from core.logs.serving.figures import Figures, number_of, text_of

_FIGURES = {
    "request_throughput_req_s": "requests_per_s",
    "system_output_throughput_tok_s": "output_tokens_per_s",
    "system_total_throughput_tok_s": "total_tokens_per_s",
    "output_throughput_per_gpu_tok_s": "output_tokens_per_s_per_chip",
    "avg_request_latency_ms": "e2e_latency_ms",
    "avg_ttft_ms": "ttft_ms",
    "avg_tpot_ms": "tpot_ms",
}
_PERCENTILES = {
    "request_latency_percentiles_ms": "e2e_latency_ms",
    "ttft_percentiles": "ttft_ms",
    "tpot_percentiles": "tpot_ms",
}
_FACTS = (
    ("world_info", "tp_size", "tensor_parallel"),
    ("world_info", "pp_size", "pipeline_parallel"),
    ("world_info", "ep_size", "expert_parallel"),
    ("request_info", "num_requests", "n_requests"),
    ("request_info", "avg_num_concurrent_requests", "concurrency"),
    ("request_info", "avg_input_length", "input_tokens"),
    ("request_info", "avg_output_length", "output_tokens"),
)
_MOST_CHIPS = 1e6


def _fits(value: Any) -> bool:
    part = value.get("performance") if isinstance(value, dict) else None
    return isinstance(part, dict) and "system_output_throughput_tok_s" in part


def _documents(file: str, documents: Sequence[Document]) -> list[Finding]:
    return [_finding(file, one.line, one.value) for one in documents]


def _finding(file: str, line: int, report: Mapping[str, Any]) -> Finding:
    figures, measured = Figures(), _part(report, "performance") | _part(report, "streaming_metrics")
    for place, name, fact in _FACTS:
        figures.fact(fact, number_of(_part(report, place).get(name)))
    for name, quantity in _FIGURES.items():
        if name in measured:
            figures.put(quantity, "mean", number_of(measured[name]))
    for name, quantity in _PERCENTILES.items():
        for stat in ("p50", "p90", "p99"):
            if stat in (parts := _part(measured, name)):
                figures.put(quantity, stat, number_of(parts[stat]))
    figures.fact("duration_s", number_of(measured.get("total_latency_ms")) / 1000)
    figures.fact("framework", "TensorRT-LLM")
    for name, fact in (("model", "model"), ("version", "version"), ("quantization", "precision")):
        figures.fact(fact, text_of(_part(report, "engine").get(name)))
    n_chips = number_of(_part(report, "world_info").get("world_size"))
    figures.n_accelerators = int(n_chips) if 1 <= n_chips < _MOST_CHIPS else None
    return figures.finding(file, FORMAT.id, line)


def _part(value: Mapping[str, Any], name: str) -> dict[str, Any]:
    part = value.get(name)
    return part if isinstance(part, dict) else {}


FORMAT = LogFormat(
    "trtllm-report", "TensorRT-LLM trtllm-bench report (JSON)", "trtllm-bench JSON", fits=_fits, documents=_documents
)
