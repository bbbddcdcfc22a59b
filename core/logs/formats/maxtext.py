"""MaxText's standard output: one ``completed step`` line an optimiser step."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np

from core.errors import InputError
from core.logs.accelerator_names import recognise
from core.logs.quantities import reading
from core.logs.record import LogRecord, summarise_all
from core.logs.registry import LogFormat
from core.logs.text import without_prefix

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


def _matches(head: Sequence[str]) -> bool:
    return any(_STEP.match(without_prefix(line)) for line in head)


def _read(file_name: str, lines: Iterable[str]) -> LogRecord:
    rows: list[dict[str, float]] = []
    skipped: Counter[str] = Counter()
    n_lines = 0
    facts: dict[str, str] = {}
    for raw in lines:
        n_lines += 1
        line = without_prefix(raw)
        if _STEP.match(line):
            _keep_step(line, rows, skipped)
        else:
            _note_facts(line, facts)
            skipped["not a step line"] += 1 if line.strip() else 0
    if not rows:
        raise InputError(file_name, "no complete step line", "lines such as 'completed step: 12, seconds: 5.4, ...'")
    return _record(file_name, n_lines, rows, skipped, facts)


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
    file_name: str, n_lines: int, rows: list[dict[str, float]], skipped: Counter[str], facts: dict[str, str]
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
    )


FORMAT = LogFormat("maxtext", "MaxText output", "MaxText output", _matches, _read)
