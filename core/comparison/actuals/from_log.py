"""Entries from imported logs: what a log's record gives of the work done, and what it cannot."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta

from core.constants import SECONDS_PER_DAY, SECONDS_PER_HOUR
from core.errors import InputError
from core.logs.record import LogRecord
from core.units import plain
from core.workload.actuals import Baseline, Entry

RATES: Mapping[str, tuple[tuple[str, bool], ...]] = {
    "tokens": (("tokens_per_s", False), ("tokens_per_s_per_chip", True)),
    "samples": (("samples_per_s", False), ("samples_per_s_per_chip", True)),
    "requests": (("requests_per_s", False),),
}
"""Quantities of a log that say how fast work of a unit goes, and whether they are told for one chip."""
CANNOT = "A log says nothing of money, nor of work before or after it: type what was spent, and what it does not hold."


@dataclass(frozen=True, slots=True)
class Taken:
    """An entry from a log, with how it was worked out and what the log could not give."""

    entry: Entry
    how: str
    lacking: tuple[str, ...]


def taken_from(record: LogRecord, sha256: str, baseline: Baseline, last_day: date) -> Taken:
    """``done = rate x seconds`` with the mean rate of the whole log; from steps a second where it tells no rate.

    Chip hours are ``chips x hours``. The day is that of the log's last reading where it is dated, else ``last_day``.
    Raises InputError where the log tells neither rate nor length.
    """
    seconds = record.duration_s or _number(record, "duration_s") or _mean(record, "train_runtime_s") or 0.0
    rate, how = _rate(record, baseline)
    if rate is None or seconds <= 0:
        wanted = f"a log with {baseline.unit} a second" if rate is None else "a log that says how long it ran"
        raise InputError(record.file, f"no {'rate' if rate is None else 'length'} of the work", wanted)
    chips = record.n_accelerators
    day = _last_day(record, seconds)
    lacking = [CANNOT]
    lacking += ["It is not dated: check its day."] if day is None else []
    lacking += ["It does not say how many chips ran: no chip hours."] if chips is None else []
    entry = Entry(
        day=day or last_day,
        done=rate * seconds,
        chip_hours=None if chips is None else chips * seconds / SECONDS_PER_HOUR,
        source="log",
        file_name=record.file,
        sha256=sha256,
    )
    return Taken(entry, f"{how} over {plain(seconds / SECONDS_PER_HOUR)} h", tuple(lacking))


def _rate(record: LogRecord, baseline: Baseline) -> tuple[float | None, str]:
    for name, is_of_a_chip in RATES.get(baseline.unit, ()):
        mean = _mean(record, name)
        if mean is not None and (not is_of_a_chip or record.n_accelerators):
            factor = float(record.n_accelerators or 1) if is_of_a_chip else 1.0
            return mean * factor, f"{plain(mean * factor)} {baseline.unit}/s"
    step_s = _mean(record, "step_time_s")
    if step_s and baseline.per_step:
        return baseline.per_step / step_s, f"a step of the plan each {plain(step_s)} s"
    return None, ""


def _mean(record: LogRecord, name: str) -> float | None:
    quantity = record.quantities.get(name)
    return quantity.mean if quantity is not None and quantity.mean > 0 else None


def _number(record: LogRecord, name: str) -> float | None:
    value = record.facts.get(name)
    return float(value) if isinstance(value, int | float) and value > 0 else None


def _last_day(record: LogRecord, seconds: float) -> date | None:
    try:
        first = date.fromisoformat((record.start or "")[:10])
    except ValueError:
        return None
    return first + timedelta(days=int(seconds // SECONDS_PER_DAY))
