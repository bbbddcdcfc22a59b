"""Results that load tests save as JSON: vLLM ``--save-result``, SGLang's lines, InferenceX results and aggregates.

Names end in ``_ms`` for milliseconds; InferenceX drops the ending and writes seconds. One object a file, one a line,
or a list of them.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

from core.logs.registry import Document, Finding, LogFormat
from core.logs.serving.figures import TTST, Figures, number_of, text_of
from core.logs.serving.labels import latency

_KEY = re.compile(r"(?:mean|median|avg|p\d{1,2}|max)_[a-z0-9_]{2,40}")
_RATES = {
    "request_throughput": "requests_per_s", "request_inthroughput": "requests_per_s",
    "input_throughput": "input_tokens_per_s", "output_throughput": "output_tokens_per_s",
    "total_token_throughput": "total_tokens_per_s", "total_throughput": "total_tokens_per_s",
    "output_tput_per_gpu": "output_tokens_per_s_per_chip",
}  # fmt: skip
_COUNTS = {"completed", "num_prompts", "total_output_tokens", "total_output", "duration", "max_concurrency", "conc"}
_FACTS = (
    ("concurrency", ("max_concurrency", "conc", "concurrency")),
    ("request_rate_per_s", ("request_rate",)),
    ("duration_s", ("duration",)),
    ("tensor_parallel", ("tp", "tensor_parallel_size", "tp_size", "decode_tp")),
    ("expert_parallel", ("ep", "ep_size", "decode_ep")),
    ("input_tokens", ("isl", "random_input_len")),
    ("output_tokens", ("osl", "random_output_len")),
)
_TEXTS = (
    ("model", ("model_id", "model")),
    ("framework", ("framework", "backend", "endpoint_type")),
    ("precision", ("precision", "quantization")),
)
_MOST_RECORDS = 20_000


def _is_result(value: Any) -> bool:
    if not isinstance(value, dict):
        return False
    is_aggregate = "tput_per_gpu" in value and "hw" in value
    has_rate = any(_is_plain(value.get(name)) for name in _RATES if name in value)
    return is_aggregate or (has_rate and (bool(_COUNTS & value.keys()) or any(_KEY.fullmatch(name) for name in value)))


def _is_plain(value: Any) -> bool:
    """True for a number or a placeholder of one: a result of other tools holds objects under such names."""
    return value is None or isinstance(value, int | float | str)


def _results(value: Any) -> list[dict[str, Any]]:
    """The results in a JSON value: itself, those of a list, or those one name deeper."""
    if _is_result(value):
        return [value]
    parts = value if isinstance(value, list) else value.values() if isinstance(value, dict) else ()
    return [one for part in parts for one in (part if isinstance(part, list) else [part]) if _is_result(one)]


def _documents(file: str, documents: Sequence[Document]) -> list[Finding]:
    listed = [(one.line, result) for one in documents for result in _results(one.value)]
    return [_finding(file, line, result) for line, result in listed[:_MOST_RECORDS]]


def _finding(file: str, line: int, result: Mapping[str, Any]) -> Finding:
    figures = Figures()
    for name, quantity in _RATES.items():
        if name in result:
            figures.put(quantity, "mean", number_of(result[name]))
    _put_latencies(figures, result)
    _put_facts(figures, result)
    _put_chips(figures, result)
    return figures.finding(file, FORMAT.id, line)


def _put_latencies(figures: Figures, result: Mapping[str, Any]) -> None:
    listed = [(name, known) for name in result if isinstance(name, str) and (known := _latency(name))]
    bare_ms = _bare_ms(result, [name for name, _ in listed])
    for name, (quantity, stat) in listed:
        value = number_of(result[name])
        if not math.isnan(value):
            figures.put(quantity, stat, value * (1.0 if name.endswith("_ms") else bare_ms))


def _latency(name: str) -> tuple[str, str] | None:
    return latency(name.removesuffix("_ms")) if _KEY.fullmatch(name) else None


def _bare_ms(result: Mapping[str, Any], names: Sequence[str]) -> float:
    """Milliseconds of one unit where no ending names it: seconds, unless an answer then took longer than the test."""
    bare = [number_of(result[name]) for name in names if not name.endswith("_ms")]
    duration_s = number_of(result.get("duration"))
    return 1.0 if any(value > duration_s for value in bare) else 1000.0


def _put_facts(figures: Figures, result: Mapping[str, Any]) -> None:
    completed = number_of(result.get("completed"))
    figures.answered(completed, number_of(result.get("failed")), number_of(result.get("num_prompts")))
    figures.per_request("input_tokens", number_of(result.get("total_input_tokens", result.get("total_input"))))
    figures.per_request("output_tokens", number_of(result.get("total_output_tokens", result.get("total_output"))))
    for fact, names in _FACTS:
        for name in names:
            figures.fact(fact, number_of(result.get(name)))
    for fact, names in _TEXTS:
        for name in names:
            figures.fact(fact, text_of(result.get(name)))
    figures.start = text_of(result.get("date"))[:40] or None


def _put_chips(figures: Figures, result: Mapping[str, Any]) -> None:
    """An aggregate names its chips; it parts the throughput by them, so that they tell the whole again."""
    figures.accelerator = text_of(result.get("hw"))[:100] or text_of(result.get("gpu_type"))[:100] or None
    if "tput_per_gpu" not in result:
        return
    is_parted = "num_prefill_gpu" in result
    n_chips = number_of(result.get("num_prefill_gpu")) + number_of(result.get("num_decode_gpu"))
    n_chips = n_chips if is_parted else number_of(result.get("tp"))
    per_chip = number_of(result["tput_per_gpu"])
    output = number_of(result.get("output_tput_per_gpu"))
    if n_chips >= 1:
        figures.n_accelerators = int(n_chips)
        figures.put("total_tokens_per_s", "mean", per_chip * n_chips)
        if not is_parted:
            figures.put("output_tokens_per_s", "mean", output * n_chips)


FORMAT = LogFormat(
    "serving-bench-json",
    "vLLM, SGLang or InferenceX serving benchmark result (JSON)",
    "Serving benchmark JSON",
    fits=lambda value: bool(_results(value)),
    documents=_documents,
    quantities=TTST,
)
