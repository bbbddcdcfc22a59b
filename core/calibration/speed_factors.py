"""Calibration on the user's own logs: bounded speed factors with spread, ``factor = measured / predicted tokens/s``."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from core.calibration.accepted import AcceptedCalibration
from core.calibration.log_window import inside, time_weighted_mean
from core.catalogue.chip_families import same_generation
from core.errors import InputError
from core.logs.record import LogRecord
from core.ranges import Evidence
from core.throughput.correction import Corrections, SpeedFactor
from core.throughput.predict import predict
from core.throughput.types import System, Throughput
from core.units import counted, plain
from core.workload.profile import Profile

FACTOR_BOUNDS = (0.1, 10.0)
"""A factor outside says that log and workload do not belong together."""

MEASURED_FLOOR = 0.05
"""Relative half width left after any number of runs: repeats of one configuration scatter by 3 to 6 %."""

BUSY_SPREAD = 0.15
"""Half width when only utilisation is known: it bounds the time lost, not the speed while busy (our estimate)."""

TRANSFER_SHARE = 0.5
"""Share of log(factor) that carries over to chips of the same architecture (our estimate)."""

TRANSFER_SPREAD = 0.15
"""Half width added for a chip that was not measured itself (our estimate)."""

_MOST_DOUBLINGS = 10


@dataclass(frozen=True, slots=True)
class Measurement:
    """Speed read from a window of a log.

    ``tokens_per_s`` is None when the log has no throughput; then ``busy_share`` (0..1) is what it can say.
    ``scatter`` is the relative half width of the middle 80 % of the readings.
    """

    tokens_per_s: float | None
    busy_share: float | None
    scatter: float
    how: str


def measure(
    record: LogRecord, window_s: tuple[float, float], n_chips: int, typed_tokens_per_s: float | None = None
) -> Measurement:
    """What a log says of speed within a window.

    A typed total of tokens/s wins over the log; else tokens/s per chip times chips; else the share of time in which
    a kernel ran. Raises InputError when the window holds none of these.
    """
    if typed_tokens_per_s:
        return Measurement(typed_tokens_per_s, None, MEASURED_FLOOR, "tokens/s typed for this window")
    speeds = inside(record, "tokens_per_s_per_chip", window_s)
    if len(speeds):
        how = f"median of {len(speeds)} steps, {plain(float(np.median(speeds)))} tokens/s per chip"
        return Measurement(float(np.median(speeds)) * n_chips, None, _scatter(speeds), how)
    if "utilization_pct" in record.series and len(inside(record, "utilization_pct", window_s)):
        busy = time_weighted_mean(record, "utilization_pct", window_s) / 100.0
        how = f"a kernel ran {plain(100 * busy)} % of the time; speed while busy taken as predicted"
        return Measurement(None, busy, BUSY_SPREAD, how)
    raise InputError(record.file, "no tokens/s and no utilisation in the chosen window", "a window with readings")


def propose(
    record: LogRecord,
    log_id: str,
    profile: Profile,
    system: System,
    window_s: tuple[float, float],
    typed_tokens_per_s: float | None = None,
) -> AcceptedCalibration:
    """The calibration that a log would give for one workload on one system.

    ``predicted`` comes from the engine without any correction, so that a second log does not compound the first.
    A log that tells only how busy the chips were may come from one node of a larger job: the smallest cluster of that
    chip that holds the workload stands for it.
    Raises InputError when the workload does not fit the system, or when the factor leaves ``FACTOR_BOUNDS``.
    """
    measurement = measure(record, window_s, system.n_chips, typed_tokens_per_s)
    if measurement.tokens_per_s is None:
        system = _large_enough(profile, system)
    predicted = _uncorrected(profile, system)
    measured = measurement.tokens_per_s or predicted * (measurement.busy_share or 0.0)
    return AcceptedCalibration(
        log_id=log_id,
        profile_id=profile.id,
        accelerator_id=system.accelerator.id,
        n_chips=system.n_chips,
        work=profile.job.work,
        measured_tokens_per_s=measured,
        predicted_tokens_per_s=predicted,
        factor=_factor(record, measured, predicted),
        spread=math.hypot(measurement.scatter, MEASURED_FLOOR),
        window_s=window_s,
        how=measurement.how,
    )


def _factor(record: LogRecord, measured: float, predicted: float) -> float:
    """Measured over predicted tokens/s; InputError where the log can hardly be of that workload."""
    factor = measured / predicted
    if not FACTOR_BOUNDS[0] <= factor <= FACTOR_BOUNDS[1]:
        both_speeds = f"{plain(measured)} tokens/s measured, {plain(predicted)} predicted"
        raise InputError(record.file, both_speeds, "a log of this workload on this many chips (within a factor of 10)")
    return factor


def corrections(accepted: Iterable[AcceptedCalibration]) -> Corrections:
    """Factors of every chip that the accepted calibrations speak of, siblings included.

    Several logs of one chip are averaged in the logarithm with weight 1 / spread^2; the range left is the larger of
    their disagreement and their combined spread. A sibling takes half of log(factor) and a wider range.
    """
    by_chip: dict[tuple[str, str], list[AcceptedCalibration]] = defaultdict(list)
    for calibration in accepted:
        by_chip[calibration.accelerator_id, calibration.work].append(calibration)
    measured = {key: _combined(key, logs) for key, logs in by_chip.items()}
    factors = _siblings(measured) | measured
    n_logs = len({c.log_id for logs in by_chip.values() for c in logs})
    return Corrections(factors, counted(n_logs, "log") if n_logs else "none")


def _scatter(values: np.ndarray[tuple[int], np.dtype[np.float64]]) -> float:
    low, middle, high = np.percentile(values, (10, 50, 90))
    return float((high - low) / (2 * middle))


def _large_enough(profile: Profile, system: System) -> System:
    """The system, or the smallest doubling of it on which the workload fits; itself when none does."""
    sizes = [system.n_chips << step for step in range(_MOST_DOUBLINGS + 1)]
    grown = [replace(system, n_chips=n, slice=system.slice if n == system.n_chips else None) for n in sizes]
    predictions = predict(profile, grown)
    return next((one.system for one in predictions if one.fits), system)


def _uncorrected(profile: Profile, system: System) -> float:
    prediction: Throughput = predict(profile, [system])[0]
    if not prediction.fits:
        why = str(prediction.reasons[0].text) if prediction.reasons else "it does not fit"
        where = f"{profile.name} on {system.n_chips} × {system.accelerator.short_name}"
        raise InputError(where, why, "the number of chips that the log was made on")
    return prediction.tokens_per_s.likely


def _combined(key: tuple[str, str], logs: Sequence[AcceptedCalibration]) -> SpeedFactor:
    log_factor = np.log([log.factor for log in logs])
    weight = np.array([1.0 / max(log.spread, MEASURED_FLOOR) ** 2 for log in logs])
    mean = float(np.average(log_factor, weights=weight))
    disagreement = float(np.abs(log_factor - mean).max()) if len(logs) > 1 else 0.0
    spread = max(disagreement, float(weight.sum() ** -0.5), MEASURED_FLOOR)
    return SpeedFactor(key[0], key[1], math.exp(mean), spread, len(logs), Evidence.MEASURED_HERE)


def _siblings(measured: dict[tuple[str, str], SpeedFactor]) -> dict[tuple[str, str], SpeedFactor]:
    transferred: dict[tuple[str, str], SpeedFactor] = {}
    for (chip, work), own in measured.items():
        for sibling in same_generation(chip):
            spread = math.hypot(own.spread, TRANSFER_SPREAD)
            factor = own.factor**TRANSFER_SHARE
            transferred[sibling, work] = SpeedFactor(sibling, work, factor, spread, own.n_records, Evidence.TRANSFERRED)
    return transferred
