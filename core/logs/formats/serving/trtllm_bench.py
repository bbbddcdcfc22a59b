"""TensorRT-LLM's ``trtllm-bench``: sections of ``label: value`` under ``= PERFORMANCE OVERVIEW``.

Seen in outputs of versions 0.12 to 1.1: rates of one chip were called ``tokens/sec/gpu`` and ``tps/gpu``; the
breakdowns came with streaming; recipes hold X.XX.
"""

from __future__ import annotations

import math
import re

from core.logs.registry import Finding, LogFormat
from core.logs.serving.figures import Figures, number_of, text_of
from core.logs.serving.labels import figure, labelled, latency, ms_factor, plain_label, rate, unquoted

_SECTION = re.compile(
    r"(?:=\s)?(?:PERFORMANCE OVERVIEW|REQUEST DETAILS|WORLD \+ RUNTIME INFORMATION|DATASET DETAILS|MACHINE DETAILS"
    r"|(?:PYTORCH|PYT|TRTLLM|TENSORRT|_?AUTODEPLOY)?[ _-]?(?:ENGINE DETAILS|BACKEND)|DECODING STATISTICS.{0,40})\s{0,9}"
)
_FIRST_SECTIONS = ("ENGINE DETAILS", "BACKEND")
_MACHINE = re.compile(r"((?:NVIDIA|Tesla) [^,]{2,60}), memory [\d.]{1,12} GB\b")
_BREAKDOWN = re.compile(r"\[(Latency|TTFT|TPOT)\] ([A-Z0-9]{2,9})\s{0,9}:\s{0,20}(\S{1,40})", re.IGNORECASE)
_BROKEN_DOWN = {"latency": "e2e_latency_ms", "ttft": "ttft_ms", "tpot": "tpot_ms"}
_NUMBERS = {
    "number of requests": "n_requests", "number of concurrent requests": "concurrency", "tp size": "tensor_parallel",
    "pp size": "pipeline_parallel", "ep size": "expert_parallel", "average input length tokens": "input_tokens",
    "average output length tokens": "output_tokens", "number of sequences": "n_requests",
    "avg input length tokens": "input_tokens", "avg output length tokens": "output_tokens",
}  # fmt: skip
_TEXTS = {"model": "model", "version": "version", "tensorrt llm version": "version", "dtype": "precision",
          "quantization": "precision"}  # fmt: skip
_LABELS = ("Request Throughput (req/sec):", "Total Output Throughput (tokens/sec):")
_UNMEASURED = "the settings of a run without its PERFORMANCE OVERVIEW"
_MOST_OTHER = 200
"""Lines of other text that end a report."""


class _Reader:
    """Reports: each has every section once, in an order that versions change."""

    def __init__(self, file_name: str) -> None:
        self._file_name = file_name
        self._figures = Figures()
        self._seen: set[str] = set()
        self._line = self._n_lines = self._n_other = 0
        self._duration_ms = math.nan
        self._findings: list[Finding] = []

    def take(self, number: int, line: str) -> bool:
        """True for a title, a figure or a fact."""
        text = unquoted(line)
        if _SECTION.fullmatch(text):
            self._section(number, text)
            return True
        if self._line and (match := _MACHINE.match(text)):
            self._figures.accelerator = self._figures.accelerator or match[1]
            return True
        is_used = bool(self._line or _is_label(text)) and self._figure(number, line, text)
        self._n_other = 0 if is_used else self._n_other + 1
        if self._line and self._n_other > _MOST_OTHER:
            self._close()
        return is_used

    def finish(self) -> list[Finding]:
        """A record for each report."""
        self._close()
        return self._findings

    def _section(self, number: int, text: str) -> None:
        title = text.strip("= ")
        if title in self._seen or any(title.endswith(first) for first in _FIRST_SECTIONS):
            self._close()
        self._seen.add(title)
        self._line, self._n_other = self._line or number, 0

    def _figure(self, number: int, line: str, text: str) -> bool:
        pair = labelled(line)
        if pair is None:
            return False
        self._line, self._n_lines = self._line or number, self._n_lines + 1
        if match := _BREAKDOWN.match(text):
            stat = figure(match[2])
            if stat:
                self._figures.put(_BROKEN_DOWN[match[1].lower()], stat, number_of(match[3]))
            return True
        return self._labelled(*pair)

    def _labelled(self, label: str, value: str) -> bool:
        figures, text, number = self._figures, plain_label(label), number_of(value.split(None, 1)[0])
        if text.startswith("total latency"):
            figures.fact("duration_s", number * ms_factor(label) / 1000)
        elif name := rate(label):
            figures.put(name, "mean", number)
        elif known := latency(label):
            figures.put(*known, number * ms_factor(label))
        elif text in _NUMBERS:
            figures.fact(_NUMBERS[text], number)
        elif text == "quantization" and value != "None":
            figures.facts["precision"] = text_of(value)  # of the weights; dtype is what is computed between them
        elif text in _TEXTS and value != "None":
            figures.fact(_TEXTS[text], text_of(value))
        else:
            return False
        return True

    def _close(self) -> None:
        has_any = self._figures.stats or self._figures.n_unknown or self._figures.facts
        if self._line and has_any and len(self._findings) < 10_000:
            self._figures.fact("framework", "TensorRT-LLM")
            self._figures.n_accelerators = _n_chips(self._figures)
            n_lines = max(self._n_lines, 1)
            self._findings.append(self._figures.finding(self._file_name, FORMAT.id, self._line, n_lines, _UNMEASURED))
        self._figures, self._seen, self._line, self._n_lines, self._n_other = Figures(), set(), 0, 0, 0


def _n_chips(figures: Figures) -> int | None:
    """The chips by which the report parts its output rate: that is printed for all of them and for one."""
    rates = [figures.stats.get(name, {}).get("mean", math.nan) for name in _OUTPUT]
    share = rates[0] / rates[1]
    is_count = 0.5 < share < _MOST_CHIPS and abs(share - round(share)) < 0.01 * share
    return round(share) if is_count else None


_MOST_CHIPS = 1e6
_OUTPUT = ("output_tokens_per_s", "output_tokens_per_s_per_chip")


def _is_label(text: str) -> bool:
    return text.startswith(_LABELS) or bool(_BREAKDOWN.match(text))


def _begins(line: str) -> bool:
    text = unquoted(line)
    return bool(_SECTION.fullmatch(text)) or _is_label(text)


FORMAT = LogFormat(
    "trtllm-bench",
    "TensorRT-LLM trtllm-bench report",
    "trtllm-bench",
    marks=("PERFORMANCE OVERVIEW", "REQUEST DETAILS", "RUNTIME INFORMATION", "ENGINE DETAILS", "] P50", *_LABELS),
    begins=_begins,
    reader=_Reader,
)
