"""What NVIDIA's MLPerf inference harness saves of a run as JSON; ``scenario_key`` names the figure that counts."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from core.logs.record import Refused
from core.logs.registry import Document, Finding, LogFormat
from core.logs.serving.figures import Figures, number_of, text_of
from core.logs.serving.labels import figure

_RATES = (
    ("samples_per_s", ("result_completed_samples_per_sec", "result_samples_per_second",
                       "result_scheduled_samples_per_sec")),
    ("output_tokens_per_s", ("result_completed_tokens_per_second", "result_tokens_per_second",
                             "result_inferred_tokens_per_second")),
)  # fmt: skip
_LATENCIES = (("first_token", "ttft_ms"), ("output_token", "tpot_ms"), ("latency", "e2e_latency_ms"))
_CHIPS = re.compile(r"(?P<name>[A-Za-z][\w.-]{1,60}?)x(?P<count>\d{1,4})(?=[_-]|$)")


def _fits(value: Any) -> bool:
    return (
        isinstance(value, dict)
        and {"benchmark_full", "scenario"} <= value.keys()
        and ("scenario_key" in value or "config_name" in value)
    )


def _documents(file: str, documents: Sequence[Document]) -> list[Finding]:
    return [_of_json(file, one) for one in documents[:10_000]]


def _of_json(file: str, document: Document) -> Finding:
    value, figures = document.value, Figures()
    for quantity, names in _RATES:
        for name in names:
            if name in value:
                figures.put(quantity, "mean", number_of(value[name]))
    for name in value:
        quantity = next((quantity for part, quantity in _LATENCIES if part in name), "")
        if quantity and name.startswith("result_") and name.endswith("_ns") and (stat := figure(name)):
            figures.put(quantity, stat, number_of(value[name]) / 1e6)
    if not figures.stats and "accuracy" in value:
        return Refused(
            FORMAT.id, document.line, "the result of an accuracy run, which has no speed", "a performance run"
        )
    _put_facts(figures, value)
    return figures.finding(file, FORMAT.id, document.line)


def _put_facts(figures: Figures, value: dict[str, Any]) -> None:
    figures.fact("model", text_of(value.get("benchmark_full")))
    figures.fact("scenario", text_of(value.get("scenario")))
    version = text_of(value.get("tensorrt_version"))
    figures.fact("framework", "TensorRT" if version else "")
    figures.fact("version", version)
    validity = text_of(value.get("result_validity"))
    figures.fact("test", f"MLPerf inference, result {validity}" if validity else "")
    if chips := _CHIPS.search(text_of(value.get("system_name"))[:200]):
        figures.accelerator, figures.n_accelerators = chips["name"], int(chips["count"])


FORMAT = LogFormat(
    "mlperf-harness-json",
    "NVIDIA MLPerf inference harness result (JSON)",
    "MLPerf harness result",
    fits=_fits,
    documents=_documents,
)
