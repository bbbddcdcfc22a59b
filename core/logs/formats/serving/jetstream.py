"""JetStream's ``benchmark_serving``, and tools forked from it: ``Mean TTFT: 216.86 ms``, units after the values.

Later versions turn the words round (``TTFT mean: 572.02 ms``) and add the time to the second token.
"""

from __future__ import annotations

import math
import re

from core.logs.registry import Finding, LogFormat
from core.logs.serving.figures import TTST, Figures, number_of
from core.logs.serving.labels import labelled, latency, rate, unquoted
from core.logs.serving.settings import settings_of

_LATENCY = re.compile(
    r"(?:(?:Mean|Median|P\d\d) (?:TTFT|TPOT|TTST|ITL|request latency)"
    r"|(?:TTFT|TPOT|TTST|ITL|Request latency) (?:mean|median|p\d\d)): [\d.,xX]{1,30} ?m?s\b",
    re.IGNORECASE,
)
_RATE = re.compile(r"(?:Request|Input token|Output token) throughput: [\d.,xX]{1,30} (?:requests|tokens)/s\b")
_UNIT = re.compile(r"[\d.,xX]{1,30} ?(ms|s)\b")
_FACTS = {"Successful requests": "answered", "Benchmark duration": "duration", "Total input tokens": "input",
          "Total generated tokens": "output"}  # fmt: skip


class _Reader:
    """Figures of one test a file, or several: a figure that comes again begins the next."""

    def __init__(self, file_name: str) -> None:
        self._file_name = file_name
        self._settings: dict[str, str | float] = {}
        self._numbers: dict[str, float] = {}
        self._seen: set[str] = set()
        self._figures = Figures()
        self._line = self._n_lines = 0
        self._findings: list[Finding] = []

    def take(self, number: int, line: str) -> bool:
        """True for a figure or a fact."""
        pair = labelled(line)
        if pair is None:
            self._settings |= settings_of(line)
            return False
        label, value = pair
        if not (label in _FACTS or _is_figure(unquoted(line))):
            return False
        if label in self._seen:
            self._close()
        self._seen.add(label)
        self._line, self._n_lines = self._line or number, self._n_lines + 1
        self._keep(label, value)
        return True

    def finish(self) -> list[Finding]:
        """A record for each test."""
        self._close()
        return self._findings

    def _keep(self, label: str, value: str) -> None:
        figure, word = latency(label), value.split(None, 1)[0]
        if label in _FACTS:
            self._numbers[_FACTS[label]] = number_of(word)
        elif figure is not None:
            unit = _UNIT.match(value)
            factor = 1000.0 if unit and unit[1] == "s" else 1.0
            self._figures.put(*figure, number_of(word.removesuffix("ms").removesuffix("s")) * factor)
        elif name := rate(label):
            self._figures.put(name, "mean", number_of(word))

    def _close(self) -> None:
        figures, numbers = self._figures, self._numbers
        if self._line and (figures.stats or figures.n_unknown) and len(self._findings) < 10_000:
            figures.answered(numbers.get("answered", math.nan), math.nan, math.nan)
            figures.per_request("input_tokens", numbers.get("input", math.nan))
            figures.per_request("output_tokens", numbers.get("output", math.nan))
            figures.fact("duration_s", numbers.get("duration", math.nan))
            for name, value in self._settings.items():
                figures.fact(name, value)
            self._findings.append(figures.finding(self._file_name, FORMAT.id, self._line, self._n_lines))
        self._figures, self._numbers, self._seen, self._line, self._n_lines = Figures(), {}, set(), 0, 0


def _is_figure(text: str) -> bool:
    return bool(_LATENCY.match(text) or _RATE.match(text))


FORMAT = LogFormat(
    "jetstream",
    "JetStream serving benchmark output",
    "JetStream benchmark",
    marks=("TTFT", "TPOT", "TTST", " throughput: "),
    begins=lambda line: _is_figure(unquoted(line)),
    reader=_Reader,
    quantities=TTST,
)
