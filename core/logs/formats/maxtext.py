"""MaxText's standard output: one ``completed step`` line an optimiser step."""

from __future__ import annotations

import re
from collections import Counter

import numpy as np

from core.logs.accelerator_names import recognise
from core.logs.facts import stated
from core.logs.quantities import reading
from core.logs.record import LogRecord, Refused, Subject, summarise_all
from core.logs.registry import Finding, LogFormat

_STEP = re.compile(r"^completed step: (?P<step>\d+)\b")
_FIELD = re.compile(
    r"(?<![A-Za-z_/])(?P<name>[A-Za-z_/]{1,40}): (?P<value>[-+]?[\d.,]{1,40}(?:e[-+]?\d{1,4})?|nan|inf)(?=,|\s|$)",
    re.IGNORECASE,
)
_DEVICES = re.compile(r"(?:num_devices|number of devices)\D{0,3}(\d{1,6})(?!\d)", re.IGNORECASE)
_CHIP = re.compile(r"TPU ?v?\d\w{0,20}(?: lite)?", re.IGNORECASE)
_NAMES = {
    "seconds": "step_time_s",
    "tflop/s/device": "tflops_per_chip",
    "tokens/s/device": "tokens_per_s_per_chip",
    "loss": "loss",
}


class _Reader:
    """Steps of one run, and what the lines around them say of the machine."""

    def __init__(self, file_name: str) -> None:
        self._file_name = file_name
        self._rows: list[dict[str, float]] = []
        self._skipped: Counter[str] = Counter()
        self._facts: dict[str, str] = {}
        self._first_line = self._n_lines = 0

    def take(self, number: int, line: str) -> bool:
        """True for a step."""
        self._n_lines = number
        if not _STEP.match(line):
            _note_facts(line, self._facts)
            self._skipped["not a step line"] += 1 if line.strip() else 0
            return False
        self._first_line = self._first_line or number
        _keep_step(line, self._rows, self._skipped)
        return True

    def finish(self) -> list[Finding]:
        """One run a file."""
        if self._rows:
            return [_record(self._file_name, self._first_line, self._n_lines, self._rows, self._skipped, self._facts)]
        example = "lines such as 'completed step: 12, seconds: 5.4, ...'"
        return [Refused(FORMAT.id, self._first_line, "no complete step line", example)]


def _keep_step(line: str, rows: list[dict[str, float]], skipped: Counter[str]) -> None:
    values = {_NAMES[name]: value for name, value in _fields(line) if name in _NAMES}
    if values.get("step_time_s", 0.0) > 0 and values.get("tokens_per_s_per_chip", -1.0) >= 0:
        rows.append(values)
    else:
        skipped["step line without seconds or tokens/s"] += 1


def _fields(line: str) -> list[tuple[str, float]]:
    """Names and numbers, thousands parted by commas; NaN where a number is garbled."""
    return [
        (match["name"].lower(), reading(match["value"].replace(",", "").rstrip("."))) for match in _FIELD.finditer(line)
    ]


def _note_facts(line: str, facts: dict[str, str]) -> None:
    if "devices" not in facts and (match := _DEVICES.search(line)):
        facts["devices"] = match[1]
    if "chip" not in facts and (match := _CHIP.search(line)):
        facts["chip"] = match[0]


def _record(
    file_name: str,
    first_line: int,
    n_lines: int,
    rows: list[dict[str, float]],
    skipped: Counter[str],
    facts: dict[str, str],
) -> LogRecord:
    series = {name: np.array([row.get(name, np.nan) for row in rows]) for name in _NAMES.values()}
    time_s = np.cumsum(series["step_time_s"])
    return LogRecord(
        file=file_name,
        format=FORMAT.id,
        n_lines=n_lines,
        skipped=dict(skipped),
        accelerator=facts.get("chip"),
        accelerator_id=recognise(facts.get("chip")),
        n_accelerators=int(facts["devices"]) if "devices" in facts else None,
        start=None,
        time_s=time_s,
        series=series,
        quantities=summarise_all(series),
        subject=Subject.TRAINING,
        first_line=first_line,
        facts=stated({"framework": "MaxText"}),
    )


FORMAT = LogFormat(
    "maxtext",
    "MaxText output",
    "MaxText output",
    marks=("completed step:",),
    begins=lambda line: bool(_STEP.match(line)),
    reader=_Reader,
)
