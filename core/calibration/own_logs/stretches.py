"""A log over time as stretches: warm-up, steady work, checkpoints, stalls, idle. Proposed from its readings alone."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import pairwise

import numpy as np

from core.calibration.own_logs.parts import Mask, Parts, Span, spans_of, whole_of, without
from core.logs.record import LogRecord, Series, Subject

IDLE_SHARE = 0.05
"""Use of a chip below which nobody works on it: a desktop or a monitor alone shows as much (our estimate)."""

STEADY_SHARE = 0.9
"""Of the usual level of use; below, something holds the job up (our estimate)."""

STEP_RATIO = 1.5
"""A step within this factor of the median step is steady; one that compiles, or is timed too early, is not."""

CHECKPOINT_SHARE = 0.5
"""Of the usual level: a dip that goes deeper and ends soon is a saved state, another is a stall (our estimate)."""

LONGEST_CHECKPOINT_S, LONGEST_CHECKPOINT_SHARE = 600.0, 0.2
"""Seconds, and share of the log: a longer dip is no saved state (our estimate)."""

MOST_STRETCHES = 40
"""More could not be told apart; the shortest then count with what is around them."""

_SHORTEST_SHARES = (0.002, 0.005, 0.01, 0.02, 0.05, 1.0)
_SMOOTHED_FROM = 60
LEAST_PAUSE_S = 10.0
"""A pause between two steps that counts; stamps without fractions are a second off."""

_ALIKE, _REGULAR_SHARE, _ROUND, _MOST_MISSING = 0.2, 0.8, 0.05, 20.0
_WRITTEN = "output_tokens_per_s"
_SMOOTHED_SHARE = 1 / 200
_SMOOTHED_S = 10.0


class Stage(StrEnum):
    """What a stretch of a log shows; the values are the words."""

    WARM_UP = "Warm-up"
    STEADY = "Steady"
    CHECKPOINT = "Checkpoint"
    STALL = "Stall"
    IDLE = "Idle"


@dataclass(frozen=True, slots=True)
class Stretch:
    """From ``start_s`` to ``end_s``; only what is kept counts as the chips at work."""

    stage: Stage
    start_s: float
    end_s: float
    is_kept: bool

    @property
    def seconds(self) -> float:
        """How long it lasts."""
        return self.end_s - self.start_s


@dataclass(frozen=True)
class _Signal:
    """Known readings: when each begins, how much work it shows (share of the usual or possible), whether steady.

    ``is_load``: the work is what users asked of a server, so that what is not steady is idle.
    """

    starts: Series
    end_s: float
    work: Series
    steady: Mask
    is_load: bool = False


def stretches(record: LogRecord) -> tuple[Stretch, ...]:
    """The whole log, first to last reading, as stretches that touch; only steady ones are kept.

    With step times, a step is steady within a factor of 1.5 of the median, and where no pause came before it; with
    utilisation, use is steady from 90 % of its usual level on, smoothed over some readings. What comes before the
    first steady stretch is warm-up; what comes after the last is a stall while chips work and idle when they do not. A
    dip inside is a checkpoint where it is deep and short, else a stall, or idle. A server is idle while it writes next
    to nothing, and else steady. A log that tells none of these counts as steady throughout; one without
    readings in time has no stretches.
    """
    signal = _signal(record)
    if not len(record.time_s):
        return ()
    if not len(signal.work) or signal.steady.all():
        return (_all_of(record, Stage.STEADY),)
    if not signal.steady.any():
        return (_all_of(record, Stage.IDLE),)
    signal = _without_short(signal)
    edges = _edges(signal)
    usual = float(np.median(signal.work[signal.steady]))
    return tuple(_named(signal, edges, number, usual) for number in range(len(edges) - 1))


def window_of(stages: Sequence[Stretch]) -> tuple[Span, Parts]:
    """The window from the first kept stretch to the last, and what is cut between; the whole where none is kept."""
    kept = [one for one in stages if one.is_kept] or list(stages)
    if not kept:
        return (0.0, 0.0), ()
    between = stages[stages.index(kept[0]) : stages.index(kept[-1])]
    cuts = tuple((one.start_s, one.end_s) for one in between if one not in kept)
    return (kept[0].start_s, kept[-1].end_s), cuts


def with_window(stages: Iterable[Stretch], window_s: Span, cuts_s: Parts) -> tuple[Stretch, ...]:
    """The same stretches, split where a window and its cuts begin and end, kept inside it and outside of them."""
    ends = {edge for span in (window_s, *cuts_s) for edge in span}
    parts = without(window_s, cuts_s)
    pieces = [piece for one in stages for piece in _split(one, ends)]
    return tuple(replace(one, is_kept=any(a <= one.start_s and one.end_s <= b for a, b in parts)) for one in pieces)


def _split(one: Stretch, edges: Iterable[float]) -> list[Stretch]:
    inner = sorted({edge for edge in edges if one.start_s < edge < one.end_s})
    return [replace(one, start_s=a, end_s=b) for a, b in pairwise([one.start_s, *inner, one.end_s])]


def _all_of(record: LogRecord, stage: Stage) -> Stretch:
    return Stretch(stage, *whole_of(record), stage is Stage.STEADY)


def _signal(record: LogRecord) -> _Signal:
    if "step_time_s" in record.series:
        return _of_steps(record, record.series["step_time_s"])
    if record.subject is Subject.SERVING and _WRITTEN in record.series:
        return _of_load(record, record.series[_WRITTEN])
    values = record.series.get("utilization_pct", np.array([], dtype=np.float64))
    known = ~np.isnan(values)
    if not known.any():
        return _Signal(record.time_s[:0], 0.0, values[:0], known[:0])
    use = _smoothed(values[known], record.time_s[known]) / 100.0
    busy = use[use >= max(IDLE_SHARE, 0.5 * float(np.percentile(use, 90)))]
    usual = float(np.median(busy)) if len(busy) else np.inf
    return _Signal(_known_starts(record, known), whole_of(record)[1], use, use >= STEADY_SHARE * usual)


def _of_load(record: LogRecord, tokens_per_s: Series) -> _Signal:
    """A server is at work while it writes at least a small share of what it writes when it is busy."""
    known = ~np.isnan(tokens_per_s)
    written = _smoothed(tokens_per_s[known], record.time_s[known])
    busy = written[written > 0]
    work = written / float(np.median(busy)) if len(busy) else written
    return _Signal(_known_starts(record, known), whole_of(record)[1], work, work >= IDLE_SHARE, is_load=True)


def _of_steps(record: LogRecord, steps_s: Series) -> _Signal:
    known = steps_s > 0
    relative = steps_s[known] / np.median(steps_s[known]) if known.any() else steps_s[known]
    held_up = _held_up(record)[known]
    relative = np.where(held_up > 1.0, held_up, relative)
    steady = (relative <= STEP_RATIO) & (relative >= 1.0 / STEP_RATIO)
    if len(steady) > 1:
        steady[0] = False  # it compiles, or is timed before the device finished
    work = np.clip(1.0 / relative, IDLE_SHARE, 1.0)
    return _Signal(_known_starts(record, known), whole_of(record)[1], work, steady)


def _held_up(record: LogRecord) -> Series:
    """Times the usual distance of two lines where the stamps show a pause between them that no step tells, else 1.

    Some programs save a state, or begin again, between the steps that they time. A distance of a whole number of the
    usual ones may be lines that are missing, and where distances vary nothing is told.
    """
    starts, ends = spans_of(record)
    spans = ends - starts
    usual = float(np.median(spans)) if len(spans) else 0.0
    if not usual > 0.0 or np.mean(np.abs(spans - usual) <= _ALIKE * usual) < _REGULAR_SHARE:
        return np.ones(len(spans))
    times = spans / usual
    may_be_missing = (np.abs(times - np.round(times)) <= _ROUND) & (times < _MOST_MISSING)
    is_pause = (spans - usual > LEAST_PAUSE_S) & (times > STEP_RATIO) & ~may_be_missing
    return np.where(is_pause, times, 1.0)


def _known_starts(record: LogRecord, known: Mask) -> Series:
    """Where each known reading begins, the first where the log does: what is unknown counts with what was before."""
    starts = spans_of(record)[0]
    return np.concatenate((starts[:1], starts[known][1:]))


def _smoothed(values: Series, time_s: Series) -> Series:
    """A moving median over one reading in 200 and over 10 s, so that one low reading makes no dip."""
    if len(values) < _SMOOTHED_FROM:
        return values
    tick_s = max(float(np.median(np.diff(time_s))), 1e-3)
    reach = max(len(values) * _SMOOTHED_SHARE, min(_SMOOTHED_S / tick_s, len(values) / 20)) / 2
    padded = np.pad(values, max(int(reach), 1), mode="reflect")
    return np.asarray(np.median(np.lib.stride_tricks.sliding_window_view(padded, 2 * max(int(reach), 1) + 1), axis=1))


def _runs(signal: _Signal) -> list[tuple[int, int]]:
    """First reading and one past the last of each run of steady or of other readings."""
    turns = (np.flatnonzero(np.diff(signal.steady.astype(np.int8))) + 1).tolist()
    return list(pairwise([0, *turns, len(signal.steady)]))


def _without_short(signal: _Signal) -> _Signal:
    """Runs too short to be told apart count with their neighbours, as long as there are too many."""
    for share in _SHORTEST_SHARES:
        if len(_runs(signal)) <= MOST_STRETCHES:
            break
        for state in (False, True):
            signal = _flipped(signal, share * (signal.end_s - signal.starts[0]), state)
    return signal


def _flipped(signal: _Signal, shortest_s: float, state: bool) -> _Signal:
    ends = np.append(signal.starts, signal.end_s)
    steady = signal.steady.copy()
    short = [(a, b) for a, b in _runs(signal) if steady[a] == state and ends[b] - ends[a] < shortest_s]
    for a, b in short:
        steady[a:b] = not state
    return replace(signal, steady=steady) if steady.any() else signal


def _edges(signal: _Signal) -> list[int]:
    """First readings of all stretches, and one past the last: an idle end is parted from the stall before it."""
    runs = _runs(signal)
    edges = [first for first, _ in runs] + [len(signal.steady)]
    last = runs[-1][0]
    if not signal.steady[last]:
        at_work = np.flatnonzero(signal.work[last:] >= IDLE_SHARE)
        idle_from = last + int(at_work[-1]) + 1 if len(at_work) else last
        edges = sorted({*edges, idle_from})
    return edges


def _named(signal: _Signal, edges: Sequence[int], number: int, usual: float) -> Stretch:
    first, end = edges[number], edges[number + 1]
    ends = np.append(signal.starts, signal.end_s)
    start_s, end_s = float(ends[first]), float(ends[end])
    if signal.steady[first]:
        return Stretch(Stage.STEADY, start_s, end_s, True)
    work = float(signal.work[first:end].mean())
    is_inside = first > 0 and bool(signal.steady[end:].any())
    longest_s = min(LONGEST_CHECKPOINT_S, LONGEST_CHECKPOINT_SHARE * (signal.end_s - float(signal.starts[0])))
    if signal.is_load:
        stage = Stage.IDLE
    elif first == 0:
        stage = Stage.WARM_UP
    elif is_inside and work < CHECKPOINT_SHARE * usual and end_s - start_s <= longest_s:
        stage = Stage.CHECKPOINT
    else:
        stage = Stage.IDLE if work < IDLE_SHARE else Stage.STALL
    return Stretch(stage, start_s, end_s, False)
