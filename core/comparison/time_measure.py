"""What counts as time of a kind of job, on every axis and in every table: days to finish, hours per batch, or the time
per token or to an answer, with its limit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import assert_never

import numpy as np

from core.comparison.columns import Array, Columns
from core.comparison.result import CandidateResult, ResultSet
from core.ranges import Range
from core.throughput.types import Throughput
from core.units import THIN, date_text, day_after, days_text, ms_unit, ms_words, plain
from core.workload.jobs.kinds import BatchInference, OnlineServing, TrainingJob
from core.workload.profile import Profile


@dataclass(frozen=True, slots=True)
class TimeMeasure:
    """Title and unit of the measure, its limit, the field that holds the limit, and the limit's label.

    The title of times in ``ms`` leaves the unit to whoever prints values in it; the others' name theirs.
    """

    kind: str
    title: str
    unit: str
    limit: float | None
    field: str
    limit_label: str

    def value(self, result: CandidateResult) -> Range | None:
        """The measure of one candidate; None where it has none (it does not fit in memory, say)."""
        if self.kind == "days":
            return result.days_to_finish
        if self.kind == "hours":
            return result.run_h if result.run_h.likely > 0 else None
        return self._latency(result.throughput)

    def _latency(self, speed: Throughput) -> Range | None:
        latency = _token_latency(speed)
        return latency.shifted(speed.system.route_ms) if latency and self.kind == "answer" else latency

    def likely_of_all(self, columns: Columns) -> Array:
        """The likely measure of all candidates at once, shape (n,); inf where one has none. See :meth:`value`."""
        if self.kind == "days":
            return columns.days
        if self.kind == "hours":
            return np.where(columns.run_h > 0, columns.run_h, np.inf)
        latencies = {key: self._latency(speed) for key, speed in {id(one): one for one in columns.throughputs}.items()}
        known = (latencies[id(speed)] for speed in columns.throughputs)
        return np.array([value.likely if value else np.inf for value in known], dtype=np.float64)

    @property
    def title_with_unit(self) -> str:
        """What values stand for that are printed without a unit."""
        return self.on_axis(0.0)[0]

    def on_axis(self, most: float) -> tuple[str, float]:
        """Title of an axis up to a value, with its unit, and what values are divided by there."""
        unit, divisor = self.unit_up_to(most)
        return (f"{self.title}, {unit}" if self.unit == "ms" else self.title), divisor

    def unit_up_to(self, most: float) -> tuple[str, float]:
        """The unit in which values up to one are told, and how many of the measure's own are one of it."""
        return ms_unit(most) if self.unit == "ms" else (self.unit, 1.0)

    def text(self, value: float) -> str:
        """A value with its unit, short."""
        return ms_words(value, 2) if self.unit == "ms" else f"{self.number(value)}{THIN}{self.unit}"

    def number(self, value: float, divisor: float = 1.0) -> str:
        """A value without its unit, short, in units of so many of the measure's own."""
        return days_text(value) if self.kind == "days" else plain(value / divisor, 2)

    def rounded(self, value: float) -> float:
        """A dragged limit as a person would type it."""
        return max(1.0, float(round(value)))


def time_measure(profile: Profile) -> TimeMeasure:
    """The measure that fits the profile's kind of job."""
    match job := profile.job:
        case TrainingJob():
            deadline = profile.limits.deadline_days
            label = _deadline_label(profile, deadline)
            return TimeMeasure("days", "Days to finish", "d", deadline, "limits.deadline_days", label)
        case BatchInference():
            label = f"Window {plain(job.round_limit_h)} h"
            return TimeMeasure("hours", "Hours per batch", "h", job.round_limit_h, "job.window_h", label)
        case OnlineServing():
            return _answer_measure(job, profile.is_in_samples)
        case _:
            assert_never(job)


def _answer_measure(job: OnlineServing, in_samples: bool) -> TimeMeasure:
    limit = job.ttft_limit_ms if in_samples else job.tpot_limit_ms
    label = f"Limit {ms_words(limit)}" if limit else ""
    if in_samples:
        return TimeMeasure("answer", "Time to an answer", "ms", limit, "job.ttft_limit_ms", label)
    return TimeMeasure("latency", "Time per output token", "ms", limit, "job.tpot_limit_ms", label)


def _deadline_label(profile: Profile, deadline: float | None) -> str:
    if deadline is None:
        return ""
    start, day = profile.limits.start_date, day_after(profile.limits.start_date, round(deadline))
    if day is None:
        return f"Deadline {days_text(deadline)} d"
    return f"Deadline {days_text(deadline)} d, {date_text(day) if day.year - start.year > 1 else f'{day.day} {day:%b}'}"


def _token_latency(throughput: Throughput) -> Range | None:
    """Median time per output token; its range is that of the speed, turned round."""
    latency, speed = throughput.latency, throughput.tokens_per_s
    if latency is None or speed.low <= 0 or latency.tpot_p50_ms <= 0:
        return None
    likely = latency.tpot_p50_ms
    return Range(likely * speed.likely / speed.high, likely, likely * speed.likely / speed.low)


def is_serving(results: ResultSet) -> bool:
    """True when the profile answers requests rather than trains."""
    return not results.profile.job.trains
