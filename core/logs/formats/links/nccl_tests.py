"""nccl-tests and rccl-tests: bus bandwidth and time of a collective at growing sizes, one record a run.

Header generations ``error`` and ``#wrong``; collectives without a reduction leave cells blank, so that rows are read
from the right. The average that the tool prints is over all sizes and is not used: bandwidth is the mean over the
largest sizes, those of at least a quarter of the largest; latency is the shortest time at the smallest size.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from core.logs.accelerator_names import recognise
from core.logs.facts import stated
from core.logs.quantities import reading
from core.logs.record import LogRecord, Quantity, Refused, Subject
from core.logs.registry import Document, Finding, LogFormat

_ID = "nccl-tests"
_HEADER = re.compile(r"^#?\s{0,20}size\s+count\s+type\b.{0,80}\btime\s+algbw\s+busbw")
_SETTINGS = re.compile(r"^#?\s{0,4}nThread \d{1,4} nGpus (\d{1,4}) ")
_RANK = re.compile(
    r"Rank\s+(\d{1,6})\s+(?:Group\s+\d{1,6}\s+)?Pid\s+\d{1,9} on\s+(\S{1,120})\s+device\s+\d{1,4}\s+"
    r"\[[^\]]{1,30}\]\s+(\S.{0,80})$"
)
_TEST = re.compile(r"\b([a-z_]{3,30})_perf\b")
_STARTING = re.compile(r"Collective test starting: (\w{3,40})")
_ROW = re.compile(r"^\s{0,20}(\d{1,15})([KMG]?)\s+\d{1,15}[KMG]?\s+[a-z]\w{2,12}\b(.{8,300})$")
_SIZES = {"": 1, "K": 2**10, "M": 2**20, "G": 2**30}
_MOST_RANKS, _MOST_ROWS, _MOST_RUNS = 100_000, 10_000, 1000
_N_FIELDS = 4
_OWN_LINES = ("#   ", "# Avg bus", "# Out of bounds", "# Using devices", "# nccl-tests", "# Collective")
_TAIL_OF_LARGEST = 4
_SIDES = ("out_of_place", "in_place")


@dataclass
class _Run:
    first_line: int
    ranks: dict[str, tuple[str, str]] = field(default_factory=dict)
    collective: str = ""
    has_header: bool = False
    n_sides: int = 2
    rows: list[tuple[float, float, float]] = field(default_factory=list)
    skipped: Counter[str] = field(default_factory=Counter)
    last_line: int = 0


class _Reader:
    def __init__(self, file_name: str) -> None:
        self._file_name = file_name
        self._runs: list[_Run] = []
        self._collective = ""

    def take(self, number: int, line: str) -> bool:
        """True for a line of a run."""
        if "_perf" in line and not line.startswith(("*", " *", "    *")) and (match := _TEST.search(line)):
            self._collective = match[1]
        if match := _STARTING.search(line):
            self._collective = match[1].removesuffix("_perf")
        is_settings = bool(_SETTINGS.match(line))
        is_header = bool(_HEADER.match(line))
        if is_settings or (is_header and (not self._runs or self._runs[-1].rows)):
            if len(self._runs) >= _MOST_RUNS:
                return False
            self._runs.append(_Run(number, collective=self._collective))
        if not self._runs:
            return False
        run = self._runs[-1]
        if is_header:
            run.has_header, run.n_sides = True, 2 if line.count("busbw") > 1 else 1
        elif not is_settings and not self._take_line(run, line):
            return False
        run.last_line = number
        return True

    def finish(self) -> list[Finding]:
        """A record of each run."""
        runs = [run for run in self._runs if run.rows] or self._runs[:1]
        return [_record(self._file_name, run) for run in runs]

    def _take_line(self, run: _Run, line: str) -> bool:
        if match := _RANK.search(line):
            if len(run.ranks) < _MOST_RANKS:
                run.ranks.setdefault(match[1], (match[2], match[3].strip()))
            return True
        match = _ROW.match(line) if run.has_header else None
        if not match:
            return line.startswith(_OWN_LINES)
        cells = match[3].split()[-_N_FIELDS * run.n_sides :]
        sides = [cells[at : at + _N_FIELDS] for at in range(0, len(cells), _N_FIELDS)]
        if len(cells) < _N_FIELDS * run.n_sides or any(
            math.isnan(reading(cell)) for side in sides for cell in side[:3]
        ):
            run.skipped["row cut short"] += 1
        elif any(reading(side[3]) > 0 for side in sides):
            run.skipped["row with wrong results"] += 1
        elif len(run.rows) < _MOST_ROWS:
            size = float(match[1]) * _SIZES[match[2]]
            run.rows += [(size, reading(side[0]), reading(side[2])) for side in sides]
        return True


def _record(file_name: str, run: _Run) -> Finding:
    rows = [row for row in run.rows if row[0] > 0]
    if not rows:
        return Refused(
            _ID, run.first_line, "a header of nccl-tests without a whole row", "rows of sizes, times and bandwidths"
        )
    names = {name for _, name in run.ranks.values()}
    name = ", ".join(sorted(names))[:200] or None
    hosts = {host for host, _ in run.ranks.values()}
    return LogRecord(
        file=file_name,
        format=_ID,
        n_lines=run.last_line,
        skipped=dict(run.skipped),
        accelerator=name,
        accelerator_id=recognise(name) if len(names) == 1 else None,
        n_accelerators=len(run.ranks) or None,
        start=None,
        time_s=np.array([]),
        series={},
        quantities=_quantities(rows),
        subject=Subject.LINK,
        first_line=run.first_line,
        facts=stated({"collective": run.collective, "n_hosts": len(hosts) or None, "framework": "nccl-tests"}),
    )


def _quantities(rows: Sequence[tuple[float, float, float]]) -> dict[str, Quantity]:
    """Bandwidth where it no longer grows with the size, and the time of the smallest message."""
    largest, smallest = max(row[0] for row in rows), min(row[0] for row in rows)
    plateau = [bus for size, _, bus in rows if size * _TAIL_OF_LARGEST >= largest]
    times = [time_us for size, time_us, _ in rows if size == smallest and time_us > 0]
    most, mean, median = max(row[2] for row in rows), float(np.mean(plateau)), float(np.median(plateau))
    told = {"bus_bandwidth_gb_per_s": Quantity("GB/s", len(plateau), mean, median, most)}
    if times:
        told["collective_latency_us"] = Quantity("us", len(times), min(times))
    return told


def _rows_of(value: Any) -> list[Mapping[str, Any]]:
    """The rows of the JSON that nccl-tests writes on request; none of any other value."""
    listed = value.get("results") if isinstance(value, dict) else None
    rows = [one for one in listed if isinstance(one, dict)] if isinstance(listed, list) else []
    return [one for one in rows if "size" in one and any(isinstance(one.get(side), dict) for side in _SIDES)]


def _of_json(file_name: str, document: Document) -> Finding:
    config = document.value.get("config")
    known = {**config, **document.value} if isinstance(config, dict) else document.value
    words = known.get("args")
    test = _TEST.search(" ".join(map(str, words)) if isinstance(words, list) else str(words or ""))
    run = _Run(document.line, collective=test[1] if test else "", last_line=document.line)
    for row in _rows_of(document.value)[:_MOST_ROWS]:
        sides = [one for side in _SIDES if isinstance(one := row.get(side), dict)]
        if any(reading(str(side.get("nwrong", 0))) > 0 for side in sides):
            run.skipped["row with wrong results"] += 1
            continue
        figures = [(reading(str(side.get("time"))), reading(str(side.get("bus_bw")))) for side in sides]
        run.rows += [(reading(str(row["size"])), time, bus) for time, bus in figures if time > 0 and bus > 0]
    return _record(file_name, run)


def _of_documents(file_name: str, documents: Sequence[Document]) -> list[Finding]:
    return [_of_json(file_name, one) for one in documents[:_MOST_RUNS]]


FORMAT = LogFormat(
    _ID,
    "nccl-tests or rccl-tests",
    "nccl-tests",
    marks=("nGpus", "busbw"),
    begins=lambda line: bool(_SETTINGS.match(line) or _HEADER.match(line)),
    reader=_Reader,
    fits=lambda value: bool(_rows_of(value)),
    documents=_of_documents,
)
