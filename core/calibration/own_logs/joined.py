"""A log of a run and a log of the chips that it ran on, as one record on the run's own clock."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from core.calibration.own_logs.parts import Mask, Span, spans_of, whole_of
from core.constants import SECONDS_PER_HOUR
from core.logs.clock import Clock, in_the_years_of
from core.logs.quantities import SHARED
from core.logs.record import Grid, LogRecord, Quantity, Series, summarise_all

LONGEST_GAPS, LONGEST_GAP_S = 20.0, 60.0
"""A reading stands for the time to the next one, unless that is longer than both: times the usual distance, seconds."""

ZONE_STEP_S, MOST_ZONES_S = 900.0, 14.0 * SECONDS_PER_HOUR
"""Time zones lie quarters of an hour apart, at most 14 hours from UTC."""

_PLACES = 400
_LEAST_MEETING = 0.5
_SPEEDS = (
    "tokens_per_s_per_chip", "tokens_per_s", "samples_per_s", "output_tokens_per_s", "output_tokens_per_s_per_chip",
)  # fmt: skip
_NOT_OF_BOTH = ("energy_kwh",)


@dataclass(frozen=True, slots=True)
class Guess:
    """``begins_s``: when the readings of the chips begin on the run's clock; ``why``, in words to be checked."""

    begins_s: float
    why: str


@dataclass(frozen=True, slots=True)
class Joined:
    """Both as one record; ``share``: of the run's time that the other log has readings of. ``before_s`` and
    ``after_s`` of the other log lie outside the run and are left out."""

    record: LogRecord
    share: float
    before_s: float
    after_s: float


def span_of_run(run: LogRecord) -> Span:
    """From when to when the run lasts on its own clock, by its readings or by the time that it states."""
    if len(run.time_s):
        return whole_of(run)
    stated = run.facts.get("duration_s")
    total = run.quantities.get("train_runtime_s")
    seconds = stated if isinstance(stated, int | float) else (total.mean if total else 0.0)
    return (0.0, float(seconds)) if math.isfinite(seconds) else (0.0, 0.0)


def joined(run: LogRecord, chips: LogRecord, begins_s: float) -> Joined:
    """The run's record with readings of the chips, each the mean over the time that a reading of the run stands for.

    A run that gives totals alone takes the ticks of the chips that lie in it, and its speeds hold throughout. What the
    run says itself goes before. The peak of a quantity is that of the readings within the run.
    """
    start_s, end_s = span_of_run(run)
    time_s = chips.time_s + (begins_s - chips.time_s[0])
    inside = (time_s >= start_s) & (time_s <= end_s)
    axis = run if len(run.time_s) else _with_ticks(run, time_s[inside])
    starts, ends = _spans(axis)
    sampled = _Held(time_s)
    series = {name: sampled.means(values, starts, ends) for name, values in chips.series.items()}
    grids = {name: _by_chip(sampled, grid, starts, ends) for name, grid in chips.by_chip.items()}
    known = {name: one for name, one in series.items() if name not in run.quantities and not np.isnan(one).all()}
    record = replace(
        axis,
        series={**known, **axis.series},
        quantities={**_quantities(chips, known, inside), **axis.quantities},
        accelerator=run.accelerator or chips.accelerator,
        accelerator_id=run.accelerator_id or (None if run.accelerator else chips.accelerator_id),
        n_accelerators=run.n_accelerators or chips.n_accelerators,
        chips=chips.chips,
        by_chip={name: grid for name, grid in grids.items() if name in known},
    )
    known_s = sampled.known_seconds(np.array([start_s]), np.array([end_s]))
    return Joined(
        record,
        float(known_s[0]) / (end_s - start_s) if end_s > start_s else 0.0,
        max(min(start_s, float(time_s[-1])) - float(time_s[0]), 0.0),
        max(float(time_s[-1]) - max(end_s, float(time_s[0])), 0.0),
    )


def guessed(run: LogRecord, chips: LogRecord, run_clock: Clock | None, chips_clock: Clock | None) -> Guess:
    """Where the readings of the chips begin on the run's clock: by both clocks where they agree, else by the use.

    Where one prints a time zone and the other none, of all zones the one counts under which the chips are busiest
    during the run beside the rest of their log; where a clock is missing, of all places in time. The smallest move
    wins among equals.
    """
    if run_clock is None or chips_clock is None:
        places = _all_places(run, chips)
        lacking = "Neither log prints" if run_clock is chips_clock else "One of the logs does not print"
        return Guess(_best(run, chips, places), f"{lacking} the time: placed where the use of the chips fits best.")
    run_clock, chips_clock = in_the_years_of(run_clock, chips_clock), in_the_years_of(chips_clock, run_clock)
    by_clocks_s = _by_clocks(run, chips, run_clock, chips_clock)
    if run_clock.has_zone == chips_clock.has_zone:
        how = "with their time zones" if run_clock.has_zone else "which print no time zone"
        return Guess(by_clocks_s, f"By both clocks, {how}.")
    moves = np.arange(-MOST_ZONES_S, MOST_ZONES_S + 1.0, ZONE_STEP_S)
    best_s = _best(run, chips, by_clocks_s + moves[np.argsort(np.abs(moves), kind="stable")])
    move_h = (best_s - by_clocks_s) / SECONDS_PER_HOUR
    moved = "not moved" if move_h == 0.0 else f"moved by {move_h:+g} h"
    return Guess(best_s, f"Only one clock has a time zone: {moved}, where the use of the chips fits best.")


def _by_clocks(run: LogRecord, chips: LogRecord, run_clock: Clock, chips_clock: Clock) -> float:
    """A stamp is that of the first reading; that of a test's totals is printed when it ends."""
    _, end_s = span_of_run(run)
    stamped_s = float(run.time_s[0]) if len(run.time_s) else end_s
    return chips_clock.at_s - run_clock.at_s + stamped_s


def _all_places(run: LogRecord, chips: LogRecord) -> Series:
    """The chips' log may have begun before the run and ended after it, or the other way round."""
    start_s, end_s = span_of_run(run)
    earliest_s = start_s - chips.duration_s
    places = np.linspace(earliest_s, end_s, _PLACES)
    return np.concatenate(([start_s], places[np.argsort(np.abs(places - start_s), kind="stable")]))


def _best(run: LogRecord, chips: LogRecord, places_s: Series) -> float:
    """The first of the places that fit best: the shorter log lies within the other, the chips are busy in the run."""
    start_s, end_s = span_of_run(run)
    shorter_s = min(end_s - start_s, chips.duration_s)
    use = chips.series.get("utilization_pct", chips.series.get("power_w", np.zeros(len(chips.time_s))))
    held = _Held(chips.time_s - chips.time_s[0])
    at = places_s[:, np.newaxis]
    within = held.means(use, (start_s - at)[:, 0], (end_s - at)[:, 0])
    total = float(np.nanmean(use)) if np.isfinite(use).any() else 0.0
    meeting = np.minimum(end_s, places_s + chips.duration_s) - np.maximum(start_s, places_s)
    share = np.clip(meeting / shorter_s, 0.0, 1.0) if shorter_s > 0 else np.zeros(len(places_s))
    score = np.where(share >= _LEAST_MEETING, np.nan_to_num(within - total) / max(total, 1.0) + share, share - 2.0)
    return float(places_s[int(np.argmax(np.round(score, 3)))])


class _Held:
    """Readings over time, each standing for the time to the next one."""

    def __init__(self, time_s: Series) -> None:
        usual_s = float(np.median(np.diff(time_s))) if len(time_s) > 1 else 0.0
        longest_s = max(LONGEST_GAPS * usual_s, LONGEST_GAP_S)
        self._edges = np.append(time_s, time_s[-1:] + usual_s)
        widths = np.diff(self._edges)
        self._seconds = np.where(widths > longest_s, 0.0, widths)

    def means(self, values: Series, starts: Series, ends: Series) -> Series:
        """Mean over each span of time of what is known; NaN where nothing is."""
        known = ~np.isnan(values)
        weight = np.where(known, self._seconds, 0.0)
        whole = self._over(weight, starts, ends)
        total = self._over(np.where(known, values, 0.0) * weight, starts, ends)
        mean = np.full(len(starts), np.nan)
        np.divide(total, whole, out=mean, where=whole > 1e-9)
        return mean

    def known_seconds(self, starts: Series, ends: Series) -> Series:
        """Seconds of each span for which a reading stands."""
        return self._over(self._seconds, starts, ends)

    def _over(self, per_reading: Series, starts: Series, ends: Series) -> Series:
        sums = np.concatenate(([0.0], np.cumsum(per_reading)))
        over: Series = np.interp(ends, self._edges, sums) - np.interp(starts, self._edges, sums)
        return over


def _spans(record: LogRecord) -> tuple[Series, Series]:
    """What each reading of the run stands for; the last of a server's, which stands for none, as long as usual."""
    starts, ends = spans_of(record)
    usual_s = float(np.median(ends - starts)) if len(starts) else 0.0
    return starts, np.where(ends > starts, ends, starts + max(usual_s, 1e-3))


def _by_chip(sampled: _Held, grid: Grid, starts: Series, ends: Series) -> Grid:
    columns = [sampled.means(np.asarray(grid[:, chip], np.float64), starts, ends) for chip in range(grid.shape[1])]
    return np.stack(columns, axis=1).astype(np.float32)


def _with_ticks(run: LogRecord, time_s: Series) -> LogRecord:
    """A run of totals over the ticks of another log: its speeds hold at each."""
    speeds = {name: run.quantities[name].mean for name in _SPEEDS if name in run.quantities}
    series = {name: np.full(len(time_s), value) for name, value in speeds.items() if math.isfinite(value)}
    return replace(run, time_s=time_s, series=series)


def _quantities(chips: LogRecord, known: dict[str, Series], inside: Mask) -> dict[str, Quantity]:
    """Of the readings within the run, chip by chip where they are told apart."""
    kept = {
        name: np.asarray(chips.by_chip[name][inside], np.float64).ravel() if name in chips.by_chip else values
        for name, values in known.items()
    }
    kept = {name: values if np.isfinite(values).any() else known[name] for name, values in kept.items()}
    totals = {
        name: quantity
        for name, quantity in chips.quantities.items()
        if name not in chips.series and name not in _NOT_OF_BOTH
    }
    return totals | summarise_all({name: values for name, values in kept.items() if name in SHARED})
