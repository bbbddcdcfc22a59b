"""The ``Serving Benchmark Result`` block that vLLM, SGLang and TPU benchmarks print, one a load.

Seen in outputs of vLLM 0.4 to 0.11 and SGLang 0.3 to 0.5: labels were added and their case changed, SGLang spells one
of them wrong; recipes quote the block with placeholders in place of figures.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field

from core.logs.quantities import grouped_reading
from core.logs.registry import Finding, LogFormat
from core.logs.serving.figures import TTST, Figures, number_of
from core.logs.serving.labels import labelled, latency, ms_factor, plain_label, rate, unquoted
from core.logs.serving.settings import settings_of

_TITLE = re.compile(
    r"=*\s{0,9}(?:Serving|Offline Throughput|Offline Serving) Benchmark Result[^=:]{0,40}=*", re.IGNORECASE
)
_RULE = re.compile(r"=[=\s]{9,200}")
_LABELS = (
    "Request throughput (req/s)",
    "Successful requests:",
    "Mean TTFT (ms)",
    "Median TTFT (ms)",
    "Median TPOT (ms)",
)
_MOST_OTHER = 40
"""Lines of other text, one after the other, that end a block whose last rule is missing."""

_FACTS = (
    (re.compile(r"^successful requests$"), "answered"),
    (re.compile(r"^failed requests$"), "failed"),
    (re.compile(r"^(?:number of |num )?(?:requests|prompts)$"), "sent"),
    (re.compile(r"^benchmark duration"), "duration"),
    (re.compile(r"^total input (?:text )?tokens$"), "input"),
    (re.compile(r"^total generated tokens$|^total output tokens$"), "output"),
    (re.compile(r"^max(?:imum)? req\w{2,6} concurrency"), "concurrency"),
    (re.compile(r"^concurrency$"), "mean concurrency"),
    (re.compile(r"^(?:traffic )?request rate"), "rate"),
    (re.compile(r"^backend$"), "backend"),
    (re.compile(r"^model$"), "model"),
)
_NUMBERS = tuple(name for _, name in _FACTS if name not in ("backend", "model"))
_NAMED = (("duration_s", "duration"), ("concurrency", "concurrency"), ("request_rate_per_s", "rate"))


@dataclass
class _Block:
    """The lines of one block so far."""

    line: int
    figures: Figures = field(default_factory=Figures)
    numbers: dict[str, float] = field(default_factory=dict)
    texts: dict[str, str] = field(default_factory=dict)
    n_lines: int = 1
    n_other: int = 0
    n_labels: int = 0

    def take(self, line: str) -> bool:
        """True for a figure or a fact, known or not."""
        pair = labelled(line)
        if pair is None:
            return False
        label, value = pair
        known = latency(label)
        if known is not None:
            self.figures.put(*known, number_of(value.split(None, 1)[0]) * ms_factor(label))
        elif name := rate(label):
            self.figures.put(name, "mean", number_of(value.split(None, 1)[0]))
        elif not self._fact(label, value):
            return self.n_labels > 0 and "(" in label  # a label of another version
        self.n_labels += 1
        return True

    def _fact(self, label: str, value: str) -> bool:
        text = plain_label(label)
        name = next((name for pattern, name in _FACTS if pattern.search(text)), "")
        if name in ("backend", "model"):
            self.texts.setdefault(name, value)
        elif name:
            self.numbers.setdefault(name, number_of(value.split(None, 1)[0]))
        return bool(name)

    def finding(self, file: str, settings: dict[str, str | float]) -> Finding:
        """The record of the block, or why it has none."""
        figures, numbers = self.figures, {name: self.numbers.get(name, math.nan) for name in _NUMBERS}
        n_sent = numbers["sent"]
        figures.answered(
            numbers["answered"],
            numbers["failed"],
            number_of(settings.get("n_requests")) if math.isnan(n_sent) else n_sent,
        )
        figures.per_request("input_tokens", numbers["input"])
        figures.per_request("output_tokens", numbers["output"])
        for fact, name in _NAMED:
            figures.fact(fact, numbers[name])
        for fact, text in (("framework", self.texts.get("backend", "")), ("model", self.texts.get("model", ""))):
            figures.fact(fact, text)
        for fact, value in settings.items():
            if not (fact == "request_rate_per_s" and "rate" in self.numbers):  # it prints that there was no limit
                figures.fact(fact, value)
        figures.fact("concurrency", numbers["mean concurrency"])
        return figures.finding(file, FORMAT.id, self.line, self.n_lines)


class _Reader:
    """Blocks, and the settings that stand above each."""

    def __init__(self, file_name: str) -> None:
        self._file_name = file_name
        self._settings: dict[str, str | float] = {}
        self._block: _Block | None = None
        self._findings: list[Finding] = []

    def take(self, number: int, line: str) -> bool:
        """True for a line of a block."""
        text = unquoted(line)
        if _TITLE.fullmatch(text.strip()):
            self._close()
            self._block = _Block(number)
            return True
        if self._block is None:
            return self._outside(number, line)
        self._block.n_lines += 1
        if _RULE.fullmatch(text.strip()) and self._block.n_labels:
            self._close()
            return True
        return self._inside(line, text)

    def finish(self) -> list[Finding]:
        """A record for each block; the last one may be cut."""
        self._close()
        return self._findings

    def _outside(self, number: int, line: str) -> bool:
        if _is_label(line):
            self._block = _Block(number)
            return self._block.take(line)
        settings = settings_of(line)
        self._settings |= settings
        return bool(settings)

    def _inside(self, line: str, text: str) -> bool:
        assert self._block is not None
        is_used = self._block.take(line) or text.startswith("---")
        self._block.n_other = 0 if is_used else self._block.n_other + 1
        if self._block.n_other > _MOST_OTHER:
            self._block.n_lines -= self._block.n_other
            self._close()
        return is_used

    def _close(self) -> None:
        if self._block is not None and len(self._findings) < _MOST_BLOCKS:
            self._findings.append(self._block.finding(self._file_name, self._settings))
        self._block = None


_MOST_BLOCKS = 10_000


def _is_label(line: str) -> bool:
    """True for a line that a block without its title may begin with: its units are in the label."""
    if not any(label in line for label in _LABELS):
        return False
    pair = labelled(line)
    return pair is not None and pair[0].strip() in [label.rstrip(":") for label in _LABELS] and _has_place(pair[1])


def _has_place(value: str) -> bool:
    """True for a number alone: a sentence after a label begins no block, nor does a number with its unit."""
    return not math.isnan(grouped_reading(value))


def _begins(line: str) -> bool:
    return bool(_TITLE.fullmatch(unquoted(line).strip())) or ("(" in line and _is_label(line))


FORMAT = LogFormat(
    "serving-bench-stdout",
    "vLLM or SGLang serving benchmark output",
    "Serving benchmark",
    marks=("Benchmark Result", "benchmark result", "BENCHMARK RESULT", *_LABELS),
    begins=_begins,
    reader=_Reader,
    quantities=TTST,
)
