"""TensorRT-LLM's older benchmarks: ``[BENCHMARK]`` lines of gptManagerBenchmark, gptSessionBenchmark and benchmark.py.

A line holds one name and value, or all of them one after the other without signs between; a run then is one line.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from core.logs.registry import Finding, LogFormat
from core.logs.serving.figures import Figures, number_of
from core.logs.serving.labels import latency, unquoted

_MARK = "[BENCHMARK]"
_NAME = re.compile(r"[A-Za-z_][\w]{1,60}(?:\([^()]{1,40}\))?")
_RATES = {
    "tokens_per_sec": "output_tokens_per_s", "tokenspersec": "output_tokens_per_s",
    "tokens_per_second": "output_tokens_per_s",
    "generation_tokens_per_second": "output_tokens_per_s", "token_throughput": "output_tokens_per_s",
    "seq_throughput": "requests_per_s",
}  # fmt: skip
_LATENCIES = {"latency": "mean", "percentile90": "p90", "percentile99": "p99", "percentile50": "p50"}
_NUMBERS = {
    "num_samples": "n_requests", "num_error_samples": "n_failed", "batch_size": "concurrency",
    "input_length": "input_tokens", "output_length": "output_tokens", "world_size": "tensor_parallel",
    "num_layers": "n_layers", "hidden_size": "hidden_size",
}  # fmt: skip
_TEXTS = {"model_name": "model", "precision": "precision"}
_MOST_OTHER = 100


class _Reader:
    """Runs: a line with many names is one; lines of one name belong together until a name comes again."""

    def __init__(self, file_name: str) -> None:
        self._file_name = file_name
        self._values: dict[str, str] = {}
        self._line = self._n_lines = self._n_other = 0
        self._findings: list[Finding] = []

    def take(self, number: int, line: str) -> bool:
        """True for a line of figures."""
        at = line.find(_MARK)
        if at < 0:
            self._n_other += 1
            return False
        pairs = _pairs(line[at + len(_MARK) :])
        if not pairs:
            return False
        again = self._values.keys() & pairs.keys() - {"num_samples"}
        if again or len(pairs) > 1 or self._n_other > _MOST_OTHER:
            self._close()
        self._values |= pairs
        self._line, self._n_lines, self._n_other = self._line or number, self._n_lines + 1, 0
        if len(pairs) > 1:
            self._close()
        return True

    def finish(self) -> list[Finding]:
        """A record for each run."""
        self._close()
        return self._findings

    def _close(self) -> None:
        if self._values and len(self._findings) < 10_000:
            finding = _figures(self._values).finding(self._file_name, FORMAT.id, self._line, self._n_lines)
            self._findings.append(finding)
        self._values, self._line, self._n_lines = {}, 0, 0


def _pairs(text: str) -> dict[str, str]:
    """``batch_size 8 latency(ms) 46.0`` -> names and values, in turn."""
    words = text.split()[:200]
    pairs: dict[str, str] = {}
    for name, value in zip(words[::2], words[1::2], strict=False):
        if not _NAME.fullmatch(name):
            break
        pairs.setdefault(name.lower(), value[:100])
    return pairs


def _figures(values: Mapping[str, str]) -> Figures:
    figures = Figures()
    for full, text in values.items():
        name, value = full.split("(", 1)[0], number_of(text)
        if name in _RATES:
            figures.put(_RATES[name], "mean", value)
        elif name in _LATENCIES:
            figures.put("e2e_latency_ms", _LATENCIES[name], value)
        elif name == "total_latency":
            figures.fact("duration_s", value / 1000)
        elif name in _NUMBERS:
            figures.fact(_NUMBERS[name], value)
        elif name in _TEXTS:
            figures.fact(_TEXTS[name], text)
        elif known := latency(full):
            figures.put(*known, value)
    figures.fact("framework", "TensorRT-LLM")
    return figures


FORMAT = LogFormat(
    "trtllm-benchmark",
    "TensorRT-LLM [BENCHMARK] lines",
    "TensorRT-LLM benchmark",
    marks=(_MARK,),
    begins=lambda line: unquoted(line).startswith(_MARK) and bool(_pairs(line[line.find(_MARK) + len(_MARK) :])),
    reader=_Reader,
)
