"""Step lines of training, gathered into runs: all processes may print the same step, and a file may hold many runs."""

from __future__ import annotations

import math
from array import array
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from core.logs.accelerator_names import recognise
from core.logs.facts import FACTS, stated
from core.logs.quantities import SHARED, QuantityKind
from core.logs.record import LogRecord, Quantity, Refused, Series, Subject, summarise_all
from core.logs.registry import Finding
from core.logs.timestamps import seconds_of

Facts = dict[str, str | float]
"""By the names of :data:`core.logs.facts.FACTS`; ``accelerator``, ``n_accelerators`` and what a format needs beside."""

_RECENT = 2
_MOST_STEPS_BETWEEN = 10_000
_MOST_CHIPS = 10_000_000
_AHEAD = 4.0
_FEWEST_TO_JUDGE = 4
_FEWEST_TO_TURN = 4
_MAY_BE_ANY_NUMBER = ("loss",)
_LEAST = 1e-12


@dataclass(frozen=True, slots=True)
class StepTable:
    """The steps of one run: number, seconds since 1970 (both NaN where not printed), and a column a quantity."""

    step: Series
    at_s: Series
    columns: dict[str, Series]
    facts: Facts


Derived = Callable[[StepTable], Mapping[str, Series]]
"""Columns that follow from those of a run."""


@dataclass
class _Run:
    first_line: int
    facts: Facts
    last_line: int = 0
    start: str | None = None
    step: array[float] = field(default_factory=lambda: array("d"))
    at_s: array[float] = field(default_factory=lambda: array("d"))
    columns: dict[str, array[float]] = field(default_factory=dict)
    totals: dict[str, array[float]] = field(default_factory=dict)
    skipped: Counter[str] = field(default_factory=Counter)
    recent: dict[float, tuple[int, int]] = field(default_factory=dict)

    def append(self, step: float, values: Mapping[str, float], at_s: float) -> None:
        n_rows = len(self.step)
        self.step.append(step)
        self.at_s.append(at_s)
        for name in values:
            if name not in self.columns:
                self.columns[name] = array("d", [math.nan]) * n_rows
        for name, column in self.columns.items():
            column.append(values.get(name, math.nan))
        self.recent[step] = (n_rows, 1)
        while len(self.recent) > _RECENT:
            del self.recent[next(iter(self.recent))]

    def average(self, step: float, values: Mapping[str, float]) -> None:
        row, n_seen = self.recent[step]
        self.recent[step] = (row, n_seen + 1)
        for name, value in values.items():
            column = self.columns.setdefault(name, array("d", [math.nan]) * len(self.step))
            if not math.isnan(value):
                old = column[row]
                column[row] = value if math.isnan(old) else old + (value - old) / (n_seen + 1)


class Runs:
    """The runs of one file, for the reader of one format.

    ``n_start_up`` steps of each run are kept in its series and left out of its summary, where others follow.
    ``derived`` adds columns in the end; ``kinds`` describe the quantities where a format has its own.
    """

    def __init__(
        self,
        file_name: str,
        format_id: str,
        framework: str,
        n_start_up: int = 1,
        derived: Derived = lambda table: {},
        kinds: Mapping[str, QuantityKind] = SHARED,
    ) -> None:
        self._file_name, self._format_id, self._n_start_up = file_name, format_id, n_start_up
        self._derived, self._kinds = derived, kinds
        self._facts: Facts = {"framework": framework}
        self._totals: dict[str, array[float]] = {}
        self._runs: list[_Run] = []
        self._skipped: Counter[str] = Counter()
        self._first_skipped = 0

    def note(self, facts: Mapping[str, str | float], replaces: bool = False) -> None:
        """What a line states of the run; of a run that has begun, only what is not known yet unless it ``replaces``."""
        known = {name: value for name, value in facts.items() if _is_known(value)}
        self._facts |= known
        if self._runs and known:
            run = self._runs[-1]
            run.facts = run.facts | known if replaces else known | run.facts

    def total(self, name: str, value: float) -> None:
        """One reading of the run as a whole, such as a memory peak of one process."""
        if value > 0:
            totals = self._runs[-1].totals if self._runs else self._totals
            totals.setdefault(name, array("d")).append(value)

    def skip(self, line: int, reason: str) -> None:
        """A line of the format that gives nothing."""
        self._first_skipped = self._first_skipped or line
        (self._runs[-1].skipped if self._runs else self._skipped)[reason] += 1

    def add(self, line: int, step: float, values: Mapping[str, float], stamp: str = "", at_s: float = math.nan) -> None:
        """A step, NaN where its number is not printed. The same number again is another process; a lower one, a new
        run. ``at_s`` is given where ``stamp`` is no stamp that :func:`core.logs.timestamps.seconds_of` reads."""
        known = {name: value if _is_possible(name, value) else math.nan for name, value in values.items()}
        run = self._run_of(line, step)
        run.last_line = line
        if not math.isnan(step) and step in run.recent:  # one NaN is found in a dictionary, though it equals none
            run.average(step, known)
            run.skipped["same step printed again"] += 1
            return
        seconds = seconds_of(stamp) if stamp else None
        run.start = run.start or stamp or None
        run.append(step, known, at_s if seconds is None else seconds)

    def finish(self, example: str) -> list[Finding]:
        """A record a run; where there is none, the refusal, which names ``example`` as what was expected."""
        self._runs = _oldest_first(self._runs)
        records = [record for run in self._runs if (record := self._record(run)) is not None]
        first_line = self._first_skipped or (self._runs[0].first_line if self._runs else 1)
        return list(records) or [Refused(self._format_id, first_line, "no complete step line", example)]

    @property
    def facts(self) -> Facts:
        """What is stated so far."""
        return self._facts

    def _run_of(self, line: int, step: float) -> _Run:
        if not self._runs or self._begins_again(step):
            totals, skipped = ({}, Counter()) if self._runs else (self._totals, self._skipped)
            self._runs.append(_Run(line, dict(self._facts), totals=totals, skipped=skipped))
        return self._runs[-1]

    def _begins_again(self, step: float) -> bool:
        run = self._runs[-1]
        return bool(run.step) and step < run.step[-1] and step not in run.recent

    def _record(self, run: _Run) -> LogRecord | None:
        columns = {name: np.array(values) for name, values in run.columns.items()}
        table = StepTable(np.array(run.step), np.array(run.at_s), columns, run.facts)
        columns = columns | dict(self._derived(table))
        columns = {name: values for name, values in columns.items() if not np.isnan(values).all()}
        if not columns and not run.totals:
            return None
        kept = _summarised(columns, table.step, self._n_start_up, run.skipped)
        totals = {name: np.array(values) for name, values in run.totals.items() if name not in columns}
        time_s = _time_s(table.step, table.at_s, columns)
        series = columns if len(time_s) else {}
        quantities = summarise_all({name: values[kept] for name, values in columns.items()} | totals, self._kinds)
        return self._told(run, time_s, series, quantities)

    def _told(
        self, run: _Run, time_s: Series, series: Mapping[str, Series], quantities: Mapping[str, Quantity]
    ) -> LogRecord:
        chip = run.facts.get("accelerator")
        return LogRecord(
            file=self._file_name,
            format=self._format_id,
            n_lines=run.last_line - run.first_line + 1,
            skipped=dict(run.skipped),
            accelerator=None if chip is None else str(chip),
            accelerator_id=None if chip is None else recognise(str(chip)),
            n_accelerators=chip_count(run.facts),
            start=run.start,
            time_s=time_s,
            series=series,
            quantities=quantities,
            subject=Subject.TRAINING,
            first_line=run.first_line,
            facts=stated_of(run.facts),
        )


def _oldest_first(runs: list[_Run]) -> list[_Run]:
    """The one run that a log tells backwards, as cloud consoles list the newest line first; any others as they are."""
    numbers = [run.step[0] for run in runs if len(run.step) == 1]
    if len(runs) < _FEWEST_TO_TURN or len(numbers) < len(runs) or any(a <= b for a, b in pairwise(numbers)):
        return runs
    whole = runs[-1]
    for run in reversed(runs[:-1]):
        whole.append(run.step[0], {name: column[0] for name, column in run.columns.items()}, run.at_s[0])
        whole.skipped += run.skipped
    whole.first_line, whole.start = runs[0].first_line, whole.start or runs[0].start
    return [whole]


def chip_count(facts: Mapping[str, str | float]) -> int | None:
    """Accelerators of the run, where the log prints a sensible number of them."""
    count = size(facts, "n_accelerators")
    count = size(facts, "n_hosts") * size(facts, "chips_a_host") if math.isnan(count) else count
    return round(count) if 1 <= count <= _MOST_CHIPS else None


def stated_of(facts: Mapping[str, str | float]) -> dict[str, str | float]:
    """Those that a record keeps as its facts."""
    return stated({name: value for name, value in facts.items() if name in FACTS})


def per_chip(total: Series, facts: Mapping[str, str | float]) -> Series:
    """A rate of all chips as that of one; NaN where no number of chips is printed."""
    return total / (chip_count(facts) or math.nan)


def by_batch(table: StepTable) -> dict[str, Series]:
    """Rates that follow from the time of a step; those that the log prints win.

    samples/s = sequences a step / seconds a step; tokens/s = samples/s x tokens a sequence; a chip's share of both by
    the printed number of chips.
    """
    none = np.full(len(table.step), np.nan)

    def printed(name: str, otherwise: Series) -> Series:
        column = table.columns.get(name, none)
        return np.where(np.isnan(column), otherwise, column)

    samples = printed("samples_per_s", size(table.facts, "global_batch") / table.columns.get("step_time_s", none))
    tokens = printed("tokens_per_s", samples * size(table.facts, "sequence_length"))
    shared = printed("tokens_per_s_per_chip", per_chip(tokens, table.facts))
    return {"samples_per_s": samples, "tokens_per_s": tokens, "tokens_per_s_per_chip": shared}


def by_clock(table: StepTable) -> dict[str, Series]:
    """Seconds a step from the time between two, where no time of a step is printed."""
    none = np.full(len(table.step), np.nan)
    steps, seconds = np.diff(table.step), np.diff(table.at_s)
    between = np.where((steps > 0) & (seconds > 0), seconds / np.where(steps > 0, steps, 1.0), np.nan)
    printed = table.columns.get("step_time_s", none)
    return {"step_time_s": np.where(np.isnan(printed), np.concatenate((none[:1], between)), printed)}


def size(facts: Mapping[str, str | float], name: str) -> float:
    """A printed size as a number; NaN where it is not known."""
    value = facts.get(name)
    return float(value) if isinstance(value, int | float) and value > 0 else math.nan


def _is_known(value: str | float) -> bool:
    return bool(value) if isinstance(value, str) else math.isfinite(value) and value > 0


def _is_possible(name: str, value: float) -> bool:
    return math.isfinite(value) and (value > _LEAST or name in _MAY_BE_ANY_NUMBER)


def _summarised(
    columns: Mapping[str, Series], step: Series, n_start_up: int, skipped: Counter[str]
) -> NDArray[np.bool_]:
    """Rows that count in the summary: not those of the start, nor steps that ended before their work did."""
    n_rows = len(step)
    kept = np.ones(n_rows, dtype=bool)
    n_left_out = n_start_up if n_rows > n_start_up + 2 else int(n_rows > 1 and step[0] <= 1)
    if n_left_out:
        kept[:n_left_out] = False
        skipped["start-up step, left out of the summary"] += n_left_out
    hasty = kept & _is_hasty(columns, kept)
    if hasty.any():
        skipped["step that was not waited for, left out of the summary"] += int(hasty.sum())
    return kept & ~hasty


def _is_hasty(columns: Mapping[str, Series], kept: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """True for steps much faster than the usual one: asynchronous dispatch returns before the work is done."""
    speed = 1.0 / columns["step_time_s"] if "step_time_s" in columns else np.full(len(kept), np.nan)
    known = kept & ~np.isnan(speed)
    if known.sum() < _FEWEST_TO_JUDGE:
        return np.zeros(len(kept), dtype=bool)
    return np.nan_to_num(speed) > _AHEAD * float(np.median(speed[known]))


def _time_s(step: Series, at_s: Series, columns: Mapping[str, Series]) -> Series:
    """Seconds of each step by its stamp, else by the times of the steps; empty where neither is known."""
    if len(at_s) and not np.isnan(at_s).any() and (np.diff(at_s) >= 0).all():
        return np.asarray(at_s - at_s[0], dtype=float)
    times = columns.get("step_time_s")
    if times is None:
        return np.zeros(0)
    usual = float(np.nanmedian(times))
    return np.cumsum(np.where(np.isnan(times), usual, times) * steps_between(step))


def steps_between(step: Series) -> Series:
    """Steps since the row before, 1 where it is not known; the first row is taken to be as the second."""
    if len(step) < 2:
        return np.ones(len(step))
    between = np.diff(step)
    between = np.where((between > 0) & (between < _MOST_STEPS_BETWEEN), between, 1.0)
    return np.concatenate((between[:1], between))
