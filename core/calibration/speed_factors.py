"""Calibration on the user's own logs: bounded speed factors with spread, ``factor = measured / predicted tokens/s``."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from core.calibration.accepted import BOUNDS, AcceptedCalibration, AcceptedLesson, Check
from core.calibration.own_logs.evidence import reasons_against
from core.calibration.own_logs.parts import Parts, Span, mean_over_time, without
from core.calibration.own_logs.predicted import Predicted, predicted
from core.calibration.own_logs.readings import Measurement, at_its_load, measured
from core.catalogue.chip_families import same_generation
from core.errors import InputError
from core.logs.record import LogRecord, figures_of
from core.ranges import Evidence
from core.throughput.correction import Corrections, SpeedFactor, TermFactor
from core.throughput.types import System
from core.units import counted, plain
from core.workload.profile import Profile

FACTOR_BOUNDS = (0.1, 10.0)
"""A factor outside says that log and workload do not belong together."""

MEASURED_FLOOR = 0.05
"""Relative half width left after any number of runs: repeats of one configuration scatter by 3 to 6 %."""

HELD_OUT = "Last third, held out"

BUSY_SPREAD = 0.15
"""Half width when only utilisation is known: it bounds the time lost, not the speed while busy (our estimate)."""

OTHER_MODELS_SHARE = {"training": 0.1, "inference": 0.1}
"""Share of log(factor) that carries over to another model on the chip: how the errors of two models correlate that one
publisher measured on one chip, each publisher left out of the fit in turn. 0.14 over 18 pairs of publisher and chip
that train, 0.09 over 44 that serve (shipped measurements, 2026-11-23)."""

OTHERS_CLOSER = {"training": (446, 0.48), "inference": (1658, 0.53)}
"""Published runs taken as such a log by an engine fitted without their publisher, and the share of them after which
the publisher's other models on the chip are closer (``core/calibration/studies/carried.py``, 2026-11-24). Larger shares
of log(factor) bring fewer closer."""

TRANSFER_SHARE = 0.5
"""Share of log(factor) that carries over to chips of the same architecture (our estimate)."""

TRANSFER_SPREAD = 0.15
"""Half width added for a chip that was not measured itself (our estimate)."""


def propose(
    record: LogRecord,
    log_id: str,
    profile: Profile,
    system: System,
    window_s: Span,
    cuts_s: Parts = (),
    typed_tokens_per_s: float | None = None,
    power_w: float | None = None,
) -> AcceptedCalibration:
    """The calibration that a log would give for one workload on one system, from a window without its cuts.

    ``predicted`` comes from the engine without any correction, so that a second log does not compound the first.
    A log that tells only how busy the chips were may come from one node of a larger job: the smallest cluster of that
    chip that holds the workload stands for it. A server's log is held against the prediction at the requests that it
    answered at once. ``power_w`` is what the plan takes a busy chip to draw.
    Raises InputError when the log cannot carry a calibration, when the workload does not fit the system, or when the
    factor leaves ``FACTOR_BOUNDS``.
    """
    parts = without(window_s, cuts_s)
    measurement = _measured(record, parts, system.n_chips, typed_tokens_per_s)
    record = at_its_load(record, parts)
    likely = predicted(record, profile, system, may_grow=measurement.tokens_per_s is None)
    tokens_per_s = measurement.tokens_per_s or likely.tokens_per_s * (measurement.busy_share or 0.0)
    proposal = AcceptedCalibration(
        log_id=log_id,
        profile_id=profile.id,
        accelerator_id=system.accelerator.id,
        n_chips=likely.system.n_chips,
        n_params=profile.model.n_params,
        work=profile.job.work,
        measured_tokens_per_s=tokens_per_s,
        predicted_tokens_per_s=likely.tokens_per_s,
        factor=_factor(record, tokens_per_s, likely.tokens_per_s),
        spread=_spread(measurement),
        window_s=window_s,
        cuts_s=cuts_s,
        how=measurement.how,
        predicted_spread=max(likely.spread, MEASURED_FLOOR),
    )
    checks = _checks(proposal, measurement, likely) + _other_checks(record, parts, likely, proposal, power_w)
    return proposal.model_copy(update={"checks": checks})


def _measured(record: LogRecord, parts: Parts, n_chips: int, typed_tokens_per_s: float | None) -> Measurement:
    """What counts says of speed. Raises InputError where it cannot carry a calibration."""
    if reasons := reasons_against(record, parts, typed_tokens_per_s):
        raise InputError(record.file, "; ".join(reasons), "a log of steady use")
    measurement = measured(record, parts, n_chips, typed_tokens_per_s)
    if measurement is None:
        raise InputError(record.file, "no tokens/s and no utilisation in the chosen window", "a window with readings")
    return measurement


def _spread(measurement: Measurement) -> float:
    """Half width of one log: what repeats scatter by, what utilisation cannot tell, and how far the last third is off.

    Where nothing can be held out, the scatter of the readings takes its place.
    """
    unknown = BUSY_SPREAD if measurement.tokens_per_s is None else 0.0
    held_out = measurement.drift if measurement.last else measurement.scatter
    return math.hypot(MEASURED_FLOOR, unknown, held_out)


def _checks(proposal: AcceptedCalibration, measurement: Measurement, likely: Predicted) -> tuple[Check, ...]:
    """Errors of the speed over what counts, and over its last third with a factor of the first two."""
    whole = proposal.factor
    rows = [("Tokens/s" if measurement.tokens_per_s else "Share of time busy", whole, whole)]
    if measurement.first and measurement.last:
        scale = likely.tokens_per_s if measurement.tokens_per_s else 1.0
        rows.append((HELD_OUT, measurement.last / scale, measurement.first / scale))
    return tuple(_check(name, of, pulled(proposal, fitted)) for name, of, fitted in rows)


def _check(name: str, measured_over_predicted: float, factor: float) -> Check:
    before, after = 1.0 / measured_over_predicted, factor / measured_over_predicted
    return Check(name=name, before_pct=100.0 * (before - 1.0), after_pct=100.0 * (after - 1.0))


def _other_checks(
    record: LogRecord, parts: Parts, likely: Predicted, proposal: AcceptedCalibration, power_w: float | None
) -> tuple[Check, ...]:
    """What the log holds beside the speed: times follow the factor, memory and power stay as predicted."""
    factor = pulled(proposal, proposal.factor)
    told = (
        ("Time to first token", _total(record, "ttft_ms"), likely.ttft_ms, 1.0 / factor),
        ("Time per output token", _total(record, "tpot_ms"), likely.tpot_ms, 1.0 / factor),
        ("Memory peak", _highest(record, "memory_used_gib"), likely.memory_gib, 1.0),
        ("Power", mean_over_time(record, record.series["power_w"], parts) if "power_w" in record.series else None,
         power_w, 1.0),
    )  # fmt: skip
    known = [(name, here, there, by) for name, here, there, by in told if here and there and here > 0]
    return tuple(_check(name, here / there, by) for name, here, there, by in known)


def _total(record: LogRecord, name: str) -> float | None:
    quantity = record.quantities.get(name)
    figures = figures_of(quantity) if quantity else {}
    return figures.get("p50", figures.get("mean"))


def _highest(record: LogRecord, name: str) -> float | None:
    quantity = record.quantities.get(name)
    return figures_of(quantity).get("max") if quantity else None


def pulled(calibration: AcceptedCalibration, factor: float) -> float:
    """A factor of one log as it would count alone: pulled back towards 1 by how little one log tells."""
    pull = pull_of(max(calibration.spread, MEASURED_FLOOR), calibration.predicted_spread)
    return math.exp((1.0 - pull) * math.log(factor))


def pull_of(spread: float, predicted_spread: float | None) -> float:
    """Share of the way back to 1 in the logarithm: ``s^2 / (s^2 + p^2)`` for half widths of measurement and prediction.

    The mean of a normal distribution whose prior is the engine's own prediction.
    """
    return spread**2 / (spread**2 + predicted_spread**2) if predicted_spread else 0.0


def _factor(record: LogRecord, measured_speed: float, predicted_speed: float) -> float:
    """Measured over predicted tokens/s; InputError where the log can hardly be of that workload."""
    factor = measured_speed / predicted_speed
    if not FACTOR_BOUNDS[0] <= factor <= FACTOR_BOUNDS[1]:
        both_speeds = f"{plain(measured_speed)} tokens/s measured, {plain(predicted_speed)} predicted"
        raise InputError(record.file, both_speeds, "a log of this workload on this many chips (within a factor of 10)")
    return factor


def corrections(accepted: Iterable[AcceptedCalibration], lessons: Iterable[AcceptedLesson] = ()) -> Corrections:
    """Factors of every chip that the accepted calibrations speak of, siblings included.

    Several logs of one model on a chip are averaged in the logarithm with weight 1 / spread^2; the range left is the
    larger of their disagreement and their combined spread, by which the average is pulled back towards 1
    (:func:`pull_of`). Other models on that chip take a share of it (:func:`_carried`); a sibling takes half of
    log(factor) and a wider range. Logs of an unknown model count for every model. Those that are off count for nothing.
    Lessons are combined in the same way, for the chip itself alone.
    """
    taught = [one for one in lessons if one.is_on]
    of_models: dict[tuple[str, str, float], SpeedFactor] = {}
    factors: dict[tuple[str, str], SpeedFactor] = {}
    by_chip: dict[tuple[str, str], list[AcceptedCalibration]] = defaultdict(list)
    for calibration in (one for one in accepted if one.is_on):
        by_chip[calibration.accelerator_id, calibration.work].append(calibration)
    for key, logs in by_chip.items():
        of_any = [log for log in logs if log.n_params is None]
        sizes = {log.n_params for log in logs if log.n_params is not None}
        own = {size: _combined(key, [log for log in logs if log.n_params in (size, None)]) for size in sizes}
        of_models |= {(*key, size): factor for size, factor in own.items()}
        factors[key] = _combined(key, of_any) if of_any else _carried(key, list(own.values()))
    n_logs = len({c.log_id for logs in by_chip.values() for c in logs} | {one.log_id for one in taught})
    label = counted(n_logs, "log") if n_logs else "none"
    of_all = _siblings_of_models(of_models) | of_models
    return Corrections(_siblings(factors) | factors, label, of_all, _term_factors(taught))


def _term_factors(taught: Iterable[AcceptedLesson]) -> tuple[TermFactor, ...]:
    """One factor of each term of a chip, for the same model, network or storage."""
    alike: dict[tuple[object, ...], list[AcceptedLesson]] = defaultdict(list)
    for one in taught:
        alike[one.where].append(one)
    return tuple(_term_factor(lessons) for lessons in alike.values())


def _term_factor(lessons: Sequence[AcceptedLesson]) -> TermFactor:
    one = lessons[0]
    low, high = BOUNDS[one.term]
    every = [(min(max(one.factor, low), high), one.spread, one.predicted_spread) for one in lessons]
    factor, spread, pull = _averaged(every)
    return TermFactor(
        one.term, one.accelerator_id, factor, spread, len(lessons), pull, one.n_params, one.network_gbit_per_s,
        one.storage,
    )  # fmt: skip


def _carried(key: tuple[str, str], own: Sequence[SpeedFactor]) -> SpeedFactor:
    """What logs of other models say of a model: ``share = n r / (1 + (n - 1) r)`` of their mean log(factor).

    The mean of a normal distribution where the errors of any two models correlate by r. Of the prediction's own range
    ``sqrt(1 - r share)`` would be left, which is all but the whole.
    """
    n_models, each = len(own), OTHER_MODELS_SHARE[key[1]]
    share = n_models * each / (1.0 + (n_models - 1) * each)
    factor = math.exp(share * float(np.mean(np.log([one.factor for one in own]))))
    spread, n_records = max(one.spread for one in own), sum(one.n_records for one in own)
    return SpeedFactor(*key, factor, spread, n_records, Evidence.TRANSFERRED, 1.0 - share, is_of_others=True)


def _combined(key: tuple[str, str], logs: Sequence[AcceptedCalibration]) -> SpeedFactor:
    factor, spread, pull = _averaged([(log.factor, log.spread, log.predicted_spread) for log in logs])
    return SpeedFactor(key[0], key[1], factor, spread, len(logs), Evidence.MEASURED_HERE, pull)


def _averaged(logs: Sequence[tuple[float, float, float | None]]) -> tuple[float, float, float]:
    """Factor, spread and pull of logs, each with its factor, its spread and that of its prediction."""
    log_factor = np.log([factor for factor, _, _ in logs])
    weight = np.array([1.0 / max(spread, MEASURED_FLOOR) ** 2 for _, spread, _ in logs])
    mean = float(np.average(log_factor, weights=weight))
    disagreement = float(np.abs(log_factor - mean).max()) if len(logs) > 1 else 0.0
    spread = max(disagreement, float(weight.sum() ** -0.5), MEASURED_FLOOR)
    own = [predicted for _, _, predicted in logs if predicted]
    pull = pull_of(spread, min(own, default=None))
    return math.exp((1.0 - pull) * mean), spread, pull


def _siblings(measured: dict[tuple[str, str], SpeedFactor]) -> dict[tuple[str, str], SpeedFactor]:
    every = ((key, own, sibling) for key, own in measured.items() for sibling in same_generation(key[0]))
    return {(sibling, work): _halved(own, sibling) for (_, work), own, sibling in every}


def _siblings_of_models(
    measured: dict[tuple[str, str, float], SpeedFactor],
) -> dict[tuple[str, str, float], SpeedFactor]:
    every = ((key, own, sibling) for key, own in measured.items() for sibling in same_generation(key[0]))
    return {(sibling, work, size): _halved(own, sibling) for (_, work, size), own, sibling in every}


def _halved(own: SpeedFactor, sibling: str) -> SpeedFactor:
    """What a factor says of another chip of its architecture."""
    spread = math.hypot(own.spread, TRANSFER_SPREAD)
    return replace(
        own, accelerator_id=sibling, factor=own.factor**TRANSFER_SHARE, spread=spread, evidence=Evidence.TRANSFERRED,
        pull=0.0,
    )  # fmt: skip
