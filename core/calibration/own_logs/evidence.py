"""Which logs cannot carry a calibration, and why."""

from __future__ import annotations

import math

import numpy as np

from core.calibration.own_logs.parts import Parts, chosen, inside, mean_over_time, seconds_of_readings
from core.calibration.own_logs.readings import counted_tokens, has_speed
from core.logs.record import LogRecord, Subject
from core.units import THIN, counted, grouped, plain, span

LEAST_S = 60.0
"""Seconds of steady use below which chance and clocks that still rise decide (our estimate)."""

LEAST_STEPS = 5
"""Steady steps that stand for as much: each is timed by itself, and the first ones are cut already."""

LEAST_REQUESTS = 100
"""Requests that stand for as much, where a server answers quickly."""

IDLE_PCT = 5.0
"""Mean use below which nobody works on a chip."""


def reasons_against(record: LogRecord, parts: Parts, typed_tokens_per_s: float | None = None) -> tuple[str, ...]:
    """Why what is chosen of a log says too little of a workload's speed; none where it can carry a factor.

    A typed speed takes the place of one that the log lacks, not of the steady use in which it was seen.
    """
    if record.subject is Subject.LINK:
        return ("It measures links between chips, not the speed of a workload",)
    reasons = (_too_short(record, parts), _idle(record, parts), _speedless(record, parts, typed_tokens_per_s))
    return tuple(reason for reason in reasons if reason)


def read_all_the_same(record: LogRecord) -> tuple[str, ...]:
    """What a log that carries no calibration tells nevertheless."""
    known = {
        "chip": record.accelerator,
        "number of chips": record.n_accelerators,
        "driver": record.facts.get("driver"),
        "software": record.facts.get("framework"),
        "model": record.facts.get("model"),
        "memory size": record.quantities.get("memory_total_gib"),
    }
    return tuple(name for name, value in known.items() if value)


def seen_words(record: LogRecord) -> tuple[str, str]:
    """What a log that carries no calibration holds of use, and for how long: ``Utilisation 0 %``, ``1 reading``."""
    if record.subject is Subject.LINK:
        return "No workload ran", "a test of links"
    use = record.series.get("utilization_pct")
    known = use[~np.isnan(use)] if use is not None else np.array([])
    if not len(known):
        return "No speed and no use", _of_time(record) if len(record.time_s) else "totals alone"
    low, high = (plain(float(edge), 2) for edge in (known.min(), known.max()))
    return f"Utilisation {low if low == high else span(low, high)}{THIN}%", _of_time(record)


def _of_time(record: LogRecord) -> str:
    n_readings = counted(len(record.time_s), "reading")
    return f"{n_readings} over {plain(record.duration_s, 2)}{THIN}s" if record.duration_s > 0 else n_readings


def seconds_measured(record: LogRecord, parts: Parts) -> float | None:
    """How long the log saw the work that counts; None where it gives totals without a time."""
    if len(record.time_s):
        return float(seconds_of_readings(record, parts).sum())
    stated = record.facts.get("duration_s")
    if isinstance(stated, int | float):
        return float(stated)
    total = record.quantities.get("train_runtime_s")
    return total.mean if total and math.isfinite(total.mean) else None


def _too_short(record: LogRecord, parts: Parts) -> str:
    seconds = seconds_measured(record, parts)
    if seconds is None or seconds >= LEAST_S:
        return ""
    if "step_time_s" in record.series:
        n_steps = len(inside(record, "step_time_s", parts))
        enough = f"at least {LEAST_S:.0f} s, or {LEAST_STEPS} steps, are needed"
        return "" if n_steps >= LEAST_STEPS else f"{_words(seconds)} in {counted(n_steps, 'step')}: {enough}"
    n_requests = record.facts.get("n_requests")
    if record.subject is Subject.SERVING and isinstance(n_requests, int | float):
        enough = f"at least {LEAST_S:.0f} s, or {LEAST_REQUESTS} requests, are needed"
        return "" if n_requests >= LEAST_REQUESTS else f"{_words(seconds)}, {grouped(n_requests)} requests: {enough}"
    if len(record.time_s) == 1:
        return f"One snapshot: at least {LEAST_S:.0f} s of steady use are needed"
    return f"{_words(seconds)}: at least {LEAST_S:.0f} s are needed"


def _words(seconds: float) -> str:
    return f"Only {plain(seconds, 2)} s of steady use"


def _idle(record: LogRecord, parts: Parts) -> str:
    if "utilization_pct" not in record.series:
        return ""
    use_pct = mean_over_time(record, record.series["utilization_pct"], parts)
    if not use_pct < IDLE_PCT:
        return ""
    power = record.series.get("power_w")
    watts = mean_over_time(record, power, parts) if power is not None else math.nan
    of_power = f", {plain(watts)} W" if math.isfinite(watts) else ""
    chips = "The chip was" if record.n_accelerators in (None, 1) else "The chips were"
    return f"{chips} idle: {plain(use_pct, 2)} % use{of_power}"


def _speedless(record: LogRecord, parts: Parts, typed_tokens_per_s: float | None) -> str:
    if typed_tokens_per_s or has_speed(record, parts):
        return ""
    if "utilization_pct" in record.series and chosen(record, parts).any():
        return "" if len(inside(record, "utilization_pct", parts)) else "No utilisation is known in the window"
    needed = " (batch and length of its steps are not in the log)" if counted_tokens(record) is None else ""
    return f"No tokens/s and no utilisation in the chosen window{needed}"
