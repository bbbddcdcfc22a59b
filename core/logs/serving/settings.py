"""What a command line or its printed arguments say of a load test."""

from __future__ import annotations

import re

from core.logs.quantities import reading
from core.logs.serving.figures import Figures

_SETTING = re.compile(
    r"(?<![A-Za-z0-9_-])(?:--)?(?P<name>model|model_path|max[-_ ]concurrency|num[-_ ]prompts|request[-_ ]rate"
    r"|tensor[-_]parallel[-_]size|pipeline[-_]parallel[-_]size|random[-_]input(?:[-_]len)?|random[-_]output(?:[-_]len)?"
    r"|input[-_]len|output[-_]len|concurrency|dtype|quantization|tp|tp[-_]size|qps)"
    r"\s{0,2}(?:=|:|\s)\s{0,2}['\"]?(?P<value>[^\s,'\")(]{1,200})",
    re.IGNORECASE,
)
_NAMES = {
    "model": "model", "model_path": "model", "max_concurrency": "concurrency", "concurrency": "concurrency",
    "num_prompts": "n_requests", "request_rate": "request_rate_per_s", "qps": "request_rate_per_s",
    "tensor_parallel_size": "tensor_parallel", "tp": "tensor_parallel", "tp_size": "tensor_parallel",
    "pipeline_parallel_size": "pipeline_parallel", "random_input_len": "input_tokens", "random_input": "input_tokens",
    "random_output_len": "output_tokens", "random_output": "output_tokens", "input_len": "input_tokens",
    "output_len": "output_tokens", "dtype": "precision", "quantization": "precision",
}  # fmt: skip
_COMMANDS = ("Namespace(", "benchmark_serving", "bench_serving", "vllm bench", "--model", "ServerArgs(", "trtllm-bench")
_HEADINGS = ("request rate", "request_rate", "request-rate", "concurrency", "qps")
_TEXTS = ("model", "precision")
_MOST_CHARS = 20_000
_MOST_HEADING_CHARS = 120


def settings_of(line: str) -> dict[str, str | float]:
    """Facts that a line states as settings: a command, ``Namespace(...)``, or a short heading; none for any other."""
    is_command = any(word in line for word in _COMMANDS)
    lowered = line.lower() if len(line) < _MOST_HEADING_CHARS else ""
    is_heading = any(word in lowered for word in _HEADINGS)
    if not is_command and not is_heading:
        return {}
    figures = Figures()
    for match in _SETTING.finditer(line[:_MOST_CHARS]):
        name = _NAMES[match["name"].lower().replace("-", "_").replace(" ", "_")]
        if name in _TEXTS and is_command and match["value"] not in ("None", "auto"):
            figures.fact(name, match["value"])
        elif name not in _TEXTS:
            figures.fact(name, _positive(match["value"]))
    return figures.facts


def _positive(text: str) -> float:
    value = reading(text)
    return value if value > 0 else float("nan")
