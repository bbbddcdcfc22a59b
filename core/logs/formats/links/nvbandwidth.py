"""nvbandwidth, as text and as JSON: a matrix of copy bandwidths for each test, one record a test.

The sum that it prints is over all cells and of no link; the record has the mean and the highest of the cells. Tests of
latency are left out.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from core.logs.accelerator_names import recognise
from core.logs.facts import stated
from core.logs.quantities import reading
from core.logs.record import LogRecord, Refused, Subject, summarise_all
from core.logs.registry import Document, Finding, LogFormat

_ID = "nvbandwidth"
_VERSION = re.compile(r"^nvbandwidth Version: (\S{1,40})")
_DEVICE = re.compile(r"^Device (\d{1,4}): (.{1,100}?)(?: \([0-9a-fA-F:.]{4,20}\))?\s*$")
_LISTED = re.compile(r"^\s{0,4}(\d{1,4}): (.{1,100}?)(?: \([0-9a-fA-F:.]{4,20}\))?\s*$")
_RUNNING = re.compile(r"^Running (\w{3,100})\.\s*$")
_TITLE = re.compile(r"bandwidth \(GB/s\)")
_MOST_TESTS, _MOST_CELLS = 200, 100_000
_EXPECTED = "a matrix of bandwidths below the name of a test"


class _Reader:
    def __init__(self, file_name: str) -> None:
        self._file_name = file_name
        self._version = ""
        self._devices: dict[str, str] = {}
        self._tests: dict[str, list[float]] = {}
        self._skipped: Counter[str] = Counter()
        self._test = ""
        self._n_columns = 0
        self._is_in_matrix = False
        self._first_line = self._n_lines = 0

    def take(self, number: int, line: str) -> bool:
        """True for a line of the output."""
        if match := _VERSION.match(line):
            self._version = match[1]
        elif match := _DEVICE.match(line) if self._version else None:
            self._devices[match[1]] = match[2]
        elif match := _RUNNING.match(line) if self._version else None:
            self._test, self._is_in_matrix = match[1], False
        elif self._test and _TITLE.search(line):
            self._is_in_matrix, self._n_columns = True, 0
        elif not self._is_in_matrix or not self._take_cells(line.split()):
            return False
        self._first_line, self._n_lines = self._first_line or number, number
        return True

    def finish(self) -> list[Finding]:
        """A record of each test."""
        if not self._tests:
            return [Refused(_ID, max(self._first_line, 1), "a head of nvbandwidth without a matrix", _EXPECTED)]
        names = list(dict.fromkeys(self._devices.values()))
        return [
            _record(
                self._file_name, test, cells, names, len(self._devices), self._version, self._first_line, self._skipped
            )
            for test, cells in self._tests.items()
        ]

    def _take_cells(self, cells: list[str]) -> bool:
        if not cells or cells[0] == "SUM":
            self._is_in_matrix = not cells and not self._n_columns  # a blank line may stand above the matrix
            return bool(cells)
        if not self._n_columns:
            self._n_columns = len(cells)
            return all(cell.isdigit() for cell in cells)
        if len(cells) != self._n_columns + 1:
            self._skipped["row cut short"] += 1
        elif len(self._tests) < _MOST_TESTS and len(self._tests.get(self._test, ())) < _MOST_CELLS:
            self._tests.setdefault(self._test, []).extend(reading(cell) for cell in cells[1:])
        return True


def _record(
    file_name: str,
    test: str,
    cells: Iterable[float],
    names: Sequence[str],
    n_devices: int,
    version: str,
    first_line: int,
    skipped: Mapping[str, int],
) -> Finding:
    values = np.array(list(cells))
    quantities = summarise_all({"copy_bandwidth_gb_per_s": values})
    if not quantities:
        return Refused(_ID, max(first_line, 1), f"a test without a bandwidth ({test[:60]})", _EXPECTED)
    name = ", ".join(names)[:200] or None
    return LogRecord(
        file=file_name,
        format=_ID,
        n_lines=len(values),
        skipped=dict(skipped),
        accelerator=name,
        accelerator_id=recognise(name) if len(names) == 1 else None,
        n_accelerators=n_devices or None,
        start=None,
        time_s=np.array([]),
        series={},
        quantities=quantities,
        subject=Subject.LINK,
        first_line=max(first_line, 1),
        facts=stated({"test": test, "framework": "nvbandwidth", "version": version}),
    )


def _body(value: Any) -> Mapping[str, Any]:
    body = value.get("nvbandwidth") if isinstance(value, Mapping) else None
    return body if isinstance(body, Mapping) and isinstance(body.get("testcases"), list) else {}


def _read(file_name: str, documents: Sequence[Document]) -> list[Finding]:
    findings: list[Finding] = []
    for document in documents:
        body = _body(document.value)
        listed = body.get("GPU Device list")
        devices = [m[2] for one in listed if (m := _LISTED.match(str(one)))] if isinstance(listed, list) else []
        names = list(dict.fromkeys(devices))
        tests = [one for one in body["testcases"] if isinstance(one, Mapping)][:_MOST_TESTS]
        for test in tests:
            name = str(test.get("name", ""))
            if "latency" not in name:
                cells = list(_cells(test.get("bandwidth_matrix")))
                version = str(body.get("git_version") or body.get("Version") or "")
                findings.append(_record(file_name, name, cells, names, len(devices), version, document.line, {}))
    return findings


def _cells(matrix: Any) -> Iterable[float]:
    rows = matrix if isinstance(matrix, list) else []
    for row in rows:
        for cell in row if isinstance(row, list) else []:
            yield reading(str(cell)) if isinstance(cell, str | int | float) else math.nan


FORMAT = LogFormat(
    _ID,
    "nvbandwidth",
    "nvbandwidth",
    marks=("nvbandwidth Version:",),
    begins=lambda line: bool(_VERSION.match(line)),
    reader=_Reader,
    fits=lambda value: bool(_body(value)),
    documents=_read,
)
