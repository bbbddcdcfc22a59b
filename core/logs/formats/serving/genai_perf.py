"""GenAI-Perf's and AIPerf's metrics: the table on the console, the CSV file and the JSON summary.

Titles grew and changed their case, units moved from ``(per sec)`` to ``(tokens/sec)``; a long title goes on in the next
row of the console's table, with the other cells empty. A value that is ``N/A`` or ``-`` is not given.
"""

from __future__ import annotations

import csv
import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

from core.logs.registry import Document, Finding, LogFormat
from core.logs.serving.box_table import cells_between_bars, is_frame
from core.logs.serving.figures import TTST, Figures, number_of, text_of
from core.logs.serving.labels import figure
from core.logs.serving.perf_names import put_metric

_TITLE = re.compile(
    r"(?:NVIDIA )?(?:GenAI-Perf|AIPerf) \| .{0,60}LLM Metrics|(?:NVIDIA )?(?:GenAI-Perf|AIPerf) \|? ?LLM"
)
_UNIT = re.compile(r"\s*\(([^()]{1,30})\)\s*$")
_NAMES = ("time_to_first_token", "inter_token_latency", "request_latency", "request_throughput",
          "output_token_throughput", "output_sequence_length")  # fmt: skip
_MOST_DEPTH = 4
_MOST = 10_000


class _Reader:
    """Tables and CSV blocks: each header begins a test, unless it only goes on with totals."""

    def __init__(self, file_name: str) -> None:
        self._file_name = file_name
        self._figures = Figures()
        self._stats: list[str] = []
        self._row: tuple[str, list[str]] | None = None
        self._line = self._n_lines = 0
        self._is_csv = False
        self._findings: list[Finding] = []

    def take(self, number: int, line: str) -> bool:
        """True for a title, a header or a metric."""
        if _TITLE.search(line):
            self._close()
            self._line, self._n_lines = number, 1
            return True
        cells = _csv_cells(line) if self._is_csv or line.startswith("Metric,") else cells_between_bars(line)
        if not cells:
            return bool(self._line) and is_frame(line)
        if _is_header(cells):
            self._header(number, cells, line.startswith("Metric,"))
            return True
        return bool(self._stats) and self._metric(cells)

    def finish(self) -> list[Finding]:
        """A record for each test."""
        self._close()
        return self._findings

    def _header(self, number: int, cells: list[str], is_csv: bool) -> None:
        is_totals = is_csv and [cell.lower() for cell in cells[1:]] == ["value"]
        if self._stats and not is_totals:
            self._close()
        self._flush()
        self._is_csv = is_csv
        self._line, self._n_lines = self._line or number, self._n_lines + 1
        self._stats = ["mean"] if is_totals else [figure(cell) for cell in cells[1:]]

    def _metric(self, cells: list[str]) -> bool:
        self._n_lines += 1
        if not any(cells[1:]) and self._row is not None and not self._is_csv:
            self._row = f"{self._row[0]} {cells[0]}"[:200], self._row[1]  # a title that goes on
            return True
        self._flush()
        if len(cells) != len(self._stats) + 1:
            return False
        self._row = cells[0][:200], cells[1:]
        return True

    def _flush(self) -> None:
        if self._row is None:
            return
        (title, values), self._row = self._row, None
        known = {stat: number_of(value) for stat, value in zip(self._stats, values, strict=False) if stat}
        given = {stat: value for stat, value in known.items() if not math.isnan(value)}
        unit = _UNIT.search(title)
        put_metric(self._figures, title, unit[1] if unit else "", given or known)

    def _close(self) -> None:
        self._flush()
        if self._stats and len(self._findings) < _MOST:
            self._findings.append(self._figures.finding(self._file_name, FORMAT.id, self._line, self._n_lines))
        self._figures, self._stats, self._line, self._n_lines, self._is_csv = Figures(), [], 0, 0, False


def _csv_cells(line: str) -> list[str]:
    try:
        return [cell.strip() for cell in next(csv.reader([line]), [])]
    except csv.Error:
        return []


def _is_header(cells: Sequence[str]) -> bool:
    is_named = cells[0] in ("Statistic", "Metric") and len(cells) > 1
    return is_named and (figure(cells[1]) == "mean" or cells[1:] == ["Value"])


def _begins(line: str) -> bool:
    cells = _csv_cells(line) if line.startswith("Metric,") else cells_between_bars(line)
    return bool(_TITLE.search(line)) or (bool(cells) and _is_header(cells) and cells[1:] != ["Value"])


def _fits(value: Any) -> bool:
    metrics = _metrics(value)
    return any(isinstance(one := metrics.get(name), dict) and "unit" in one and "avg" in one for name in _NAMES)


def _metrics(value: Any) -> Mapping[str, Any]:
    """The metrics of a summary; AIPerf's first versions put them one name deeper."""
    if not isinstance(value, dict):
        return {}
    records = value.get("records")
    return records if isinstance(records, dict) else value


def _documents(file: str, documents: Sequence[Document]) -> list[Finding]:
    return [_of_json(file, one) for one in documents[:_MOST]]


def _of_json(file: str, document: Document) -> Finding:
    figures = Figures()
    for name, metric in _metrics(document.value).items():
        if not isinstance(metric, dict) or not isinstance(name, str):
            continue
        known = {figure(word): number_of(metric[word]) for word in metric if isinstance(word, str) and figure(word)}
        put_metric(figures, name, text_of(metric.get("unit")), known)
    config = document.value.get("input_config")
    figures.fact("concurrency", number_of(_inner(config, "concurrency", 0)))
    figures.fact("request_rate_per_s", number_of(_inner(config, "request_rate", 0)))
    for name in ("model_names", "model", "models"):
        model = _inner(config, name, 0)
        figures.fact("model", text_of(model[0] if isinstance(model, list) and model else model))
    figures.fact("n_failed", number_of(_avg(_metrics(document.value).get("error_request_count"))))
    return figures.finding(file, FORMAT.id, document.line)


def _avg(value: Any) -> Any:
    return value.get("avg") if isinstance(value, dict) else None


def _inner(value: Any, name: str, depth: int) -> Any:
    """The first value of that name, however deep settings put it."""
    if not isinstance(value, dict) or depth > _MOST_DEPTH:
        return None
    if name in value and not isinstance(value[name], dict):
        return value[name]
    return next((one for inner in value.values() if (one := _inner(inner, name, depth + 1)) is not None), None)


FORMAT = LogFormat(
    "genai-perf",
    "GenAI-Perf or AIPerf metrics",
    "GenAI-Perf",
    marks=("| LLM", "AIPerf", "Statistic", "Metric,", "Metric ┃"),
    begins=_begins,
    reader=_Reader,
    fits=_fits,
    documents=_documents,
    quantities=TTST,
)
