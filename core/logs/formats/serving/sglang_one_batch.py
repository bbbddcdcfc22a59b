"""SGLang's ``bench_one_batch``: ``Prefill. latency: 0.5 s, throughput: 32768 token/s``, then of decoding and of both.

What follows ``Warmup`` is none of the result.
"""

from __future__ import annotations

import re

from core.logs.registry import Finding, LogFormat
from core.logs.serving.figures import Figures, number_of

_LINE = re.compile(
    r"^(Prefill|Decode|Total)\.\s{1,4}(median )?latency:\s{1,9}([\d.]{1,20}) s, "
    r"(?:median )?throughput:\s{1,9}([\d.]{1,20}) token/s"
)
_MOST = 10_000


class _Reader:
    """One result for each batch."""

    def __init__(self, file_name: str) -> None:
        self._file_name = file_name
        self._findings: list[Finding] = []
        self._figures, self._line, self._is_warm_up = Figures(), 0, False

    def take(self, number: int, line: str) -> bool:
        """True for a line of a result or of what comes before one."""
        if line.startswith(("Warmup", "Benchmark")):
            self._figures, self._line, self._is_warm_up = Figures(), 0, line.startswith("Warmup")
            return True
        match = _LINE.match(line)
        if match is None or self._is_warm_up:
            return match is not None
        self._line = self._line or number
        self._put(match[1], bool(match[2]), number_of(match[3]), number_of(match[4]))
        if match[1] == "Total":
            self._close()
        return True

    def finish(self) -> list[Finding]:
        """A record a batch."""
        self._close()
        return self._findings

    def _put(self, part: str, is_median: bool, seconds: float, tokens_per_s: float) -> None:
        """Of decoding the medians count: the single steps before them are the first few."""
        if part == "Prefill":
            self._figures.put("ttft_ms", "mean", seconds * 1000)
            self._figures.put("input_tokens_per_s", "mean", tokens_per_s)
        elif part == "Decode" and is_median:
            self._figures.put("tpot_ms", "p50", seconds * 1000)
            self._figures.put("output_tokens_per_s", "p50", tokens_per_s)
        elif part == "Total":
            self._figures.put("e2e_latency_ms", "mean", seconds * 1000)
            self._figures.put("total_tokens_per_s", "mean", tokens_per_s)

    def _close(self) -> None:
        if self._line and len(self._findings) < _MOST:
            self._figures.fact("framework", "SGLang")
            self._findings.append(self._figures.finding(self._file_name, FORMAT.id, self._line, 5))
        self._figures, self._line = Figures(), 0


FORMAT = LogFormat(
    "sglang-one-batch",
    "SGLang bench_one_batch output",
    "SGLang one batch",
    marks=(" token/s",),
    begins=lambda line: bool(_LINE.match(line)),
    reader=_Reader,
)
