"""What a log teaches beside speed: time lost to stalls, saved states, memory, power, links and storage."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from core.calibration.accepted import BOUNDS, AcceptedLesson
from core.calibration.own_logs.parts import Parts, inside, mean_over_time, seconds_of_readings
from core.calibration.own_logs.predicted import predicted
from core.calibration.own_logs.stretches import Stage, Stretch
from core.constants import SECONDS_PER_HOUR
from core.errors import InputError
from core.logs.record import LogRecord, Subject, figures_of
from core.throughput.chips.links import inner_link, outer_bytes_per_s
from core.throughput.input_pipeline import read_bytes_per_s
from core.throughput.measured import TERM_WORDS, Term
from core.throughput.training.overheads import RunOverheads, run_overheads_of
from core.throughput.types import System
from core.units import counted, plain
from core.workload.models.network import NetworkModel
from core.workload.profile import Profile

FLOOR = 0.05
"""Relative half width left after one log: what repeats of one configuration scatter by."""

LEAST_STALLS_S = SECONDS_PER_HOUR
"""Seconds of a run below which one stall more or less decides (our estimate)."""

LEAST_POWER_S, LEAST_BUSY_PCT = 60.0, 50.0
"""Seconds, and use, from which the mean power is that of a busy chip (our estimates)."""

LEAST_SAVES = 2
"""Saved states that tell how long one takes."""

PRIOR: Mapping[Term, float] = {
    "kept": 0.1, "save": 0.7, "memory": 0.1, "power": 0.25, "inner_link": 0.25, "network": 0.35, "storage": 1.0,
}  # fmt: skip
"""Relative half widths of what is taken without a log (our estimates)."""

_RESERVING = ("maxtext", "maxdiffusion", "t5x or paxml")
_COLLECTIVES = ("all_reduce", "all_gather", "reduce_scatter")
_ONE_WAY_COPIES = ("device_to_device_memcpy_read", "device_to_device_memcpy_write")


@dataclass(frozen=True, slots=True)
class Asked:
    """A log, what counts of it, and the workload and system that it is taken to be of.

    ``power_w``: what the plan takes a busy chip to draw.
    """

    record: LogRecord
    log_id: str
    sha256: str
    profile: Profile
    system: System
    stages: Sequence[Stretch]
    parts: Parts
    power_w: float


@dataclass(frozen=True, slots=True)
class Taught:
    """What a log proposes beside speed, and what it says nothing of that counts, with the reason, by term."""

    lessons: tuple[AcceptedLesson, ...]
    reasons: Mapping[Term, str]


NOTHING_TAUGHT = Taught((), {})


@dataclass(frozen=True, slots=True)
class _Told:
    measured: float
    predicted: float
    spread: float
    how: str
    n_params: float | None = None
    network_gbit_per_s: float | None = None
    storage: str | None = None


def lessons_of(asked: Asked) -> Taught:
    """Every term that the log can carry, each with a factor within its bounds, and why it carries none of the rest."""
    lessons, reasons = [], {}
    for term, ask in _TERMS.items():
        told = ask(asked)
        if isinstance(told, str):
            reasons[term] = told
        elif isinstance(made := _lesson(asked, term, told), str):
            reasons[term] = made
        else:
            lessons.append(made)
    return Taught(tuple(lessons), reasons)


def _lesson(asked: Asked, term: Term, told: _Told) -> AcceptedLesson | str:
    """The lesson; a reason where the factor leaves its bounds."""
    low, high = BOUNDS[term]
    factor = min(told.measured / told.predicted, 1.0) if term == "kept" else told.measured / told.predicted
    if not low <= factor <= high:
        unit = TERM_WORDS[term].unit
        return f"{plain(told.measured)} {unit} measured, {plain(told.predicted)} taken: beyond a factor of trust"
    return AcceptedLesson(
        log_id=asked.log_id,
        profile_id=asked.profile.id,
        term=term,
        accelerator_id=asked.system.accelerator.id,
        n_chips=asked.system.n_chips,
        measured=told.measured,
        predicted=told.predicted,
        factor=factor,
        spread=max(told.spread, FLOOR),
        predicted_spread=PRIOR[term],
        how=told.how,
        n_params=told.n_params,
        network_gbit_per_s=told.network_gbit_per_s,
        storage=told.storage,
        sha256=asked.sha256,
    )


def _run(asked: Asked) -> RunOverheads | None:
    run = asked.profile.job.training
    if run is None:
        return None
    return run_overheads_of(asked.profile.model, run, asked.profile.stack, [asked.system])


def _inner_stages(stages: Sequence[Stretch]) -> Sequence[Stretch]:
    """From the first steady stretch to the last: neither the start of a run nor what comes after it."""
    steady = [number for number, one in enumerate(stages) if one.stage is Stage.STEADY]
    return stages[steady[0] : steady[-1] + 1] if steady else ()


def _kept(asked: Asked) -> _Told | str:
    """Share of the time of a run, from its first steady step to its last, in which nothing held it up.

    Saved states are left out, as they are counted by themselves; of what is lost the share that the engine expects of
    failures is taken off: ``1 / (1 + failures an hour x hours to resume)``.
    """
    overheads = _run(asked)
    if overheads is None:
        return "the workload does not train: idle time is load, which its fields say"
    if asked.record.subject in (Subject.SERVING, Subject.LINK):
        return "not in this log"
    saves = _saves(asked, overheads)
    stages = [one for one in _inner_stages(asked.stages) if one not in saves]
    seconds = sum(one.seconds for one in stages)
    if seconds < LEAST_STALLS_S:
        return f"only {plain(seconds / 60.0, 2)} min: stalls are told from an hour on"
    lost = [one.seconds for one in stages if one.stage is not Stage.STEADY]
    if not lost:
        return f"nothing held the run up in {plain(seconds / SECONDS_PER_HOUR, 2)} h"
    share = sum(lost) / seconds
    expected = float(overheads.failures_per_h[0, 1] * overheads.resume_s[0, 1]) / SECONDS_PER_HOUR
    how = f"{plain(100 * share, 2)} % of {plain(seconds / SECONDS_PER_HOUR, 2)} h went to {counted(len(lost), 'stall')}"
    return _Told(1.0 - share, 1.0 / (1.0 + expected), share / math.sqrt(1.0 + len(lost)), how)


def _saves(asked: Asked, overheads: RunOverheads) -> Sequence[Stretch]:
    """The stretches that look like saved states, where these can take so long; else they are stalls."""
    dips = [one for one in _inner_stages(asked.stages) if one.stage is Stage.CHECKPOINT]
    low, high = (bound * float(overheads.save_s[0, 1]) for bound in BOUNDS["save"])
    return dips if dips and low <= sum(one.seconds for one in dips) / len(dips) <= high else ()


def _save(asked: Asked) -> _Told | str:
    """Mean seconds of a saved state as the log prints them, else of the stretches that look like one."""
    overheads = _run(asked)
    if overheads is None:
        return "the workload does not train"
    printed = asked.record.quantities.get("save_s")
    if printed is not None and printed.n >= LEAST_SAVES:
        how = f"{counted(printed.n, 'saved state')} of {plain(printed.mean, 2)} s on average, as printed"
        scatter = (printed.max - printed.mean) / printed.mean / math.sqrt(printed.n)
        return _Told(printed.mean, float(overheads.save_s[0, 1]), scatter, how)
    saves = [one.seconds for one in _saves(asked, overheads)]
    if not saves:
        return "not in this log"
    if asked.record.subject is Subject.MACHINE:
        return "a monitor does not say how many hosts saved together; a training log of the run does"
    if len(saves) < LEAST_SAVES:
        return f"{counted(len(saves), 'saved state')} in this log: {LEAST_SAVES} are needed"
    mean, scatter = float(np.mean(saves)), float(np.std(saves))
    how = f"{len(saves)} saved states of {plain(mean, 2)} s on average"
    return _Told(mean, float(overheads.save_s[0, 1]), scatter / mean / math.sqrt(len(saves)), how)


def _memory(asked: Asked) -> _Told | str:
    """The highest memory of a chip in a training log over what is predicted of that model on that system."""
    peak = _figure(asked.record, "memory_used_gib", "max")
    if peak is None:
        return "not in this log"
    if asked.record.subject is not Subject.TRAINING:
        return "the log does not say which run filled the memory; a training log of the run does"
    if "memory_used_gib" in asked.record.by_chip and _reserves(asked.record):
        return "JAX takes most of the memory when it starts: the driver does not tell what the run filled"
    if not asked.profile.job.trains or isinstance(asked.profile.model, NetworkModel):
        return "only of language models that train: servers fill what there is on purpose"
    try:
        likely = predicted(asked.record, asked.profile, asked.system, may_grow=False)
    except InputError as error:
        return f"{error.where}: {error.found}"
    return _Told(peak, likely.memory_gib, FLOOR, f"a peak of {plain(peak)} GiB", n_params=asked.profile.model.n_params)


def _reserves(record: LogRecord) -> bool:
    """Whether the run's software holds memory in reserve, so that a monitor sees more than the run needs."""
    return str(record.facts.get("framework", "")).lower() in _RESERVING


def _power(asked: Asked) -> _Told | str:
    """Mean power over time of a chip in what counts, where it was busy for most of it."""
    record = asked.record
    watts = inside(record, "power_w", asked.parts)
    if not len(watts):
        return "not in this log"
    seconds = float(seconds_of_readings(record, asked.parts).sum())
    if seconds < LEAST_POWER_S:
        return f"only {plain(seconds, 2)} s of readings: {LEAST_POWER_S:.0f} s are needed"
    if "utilization_pct" in record.series:
        use = mean_over_time(record, record.series["utilization_pct"], asked.parts)
        if use < LEAST_BUSY_PCT:
            return f"the chips were busy {plain(use, 2)} % of the time: that is not the power of a busy chip"
    mean = mean_over_time(record, record.series["power_w"], asked.parts)
    low, high = np.percentile(watts, (10, 90))
    spread = float(high - low) / 2.0 / mean / math.sqrt(len(watts))
    return _Told(mean, asked.power_w, spread, f"{plain(mean)} W on average over {plain(seconds / 60.0, 2)} min")


def _inner(asked: Asked) -> _Told | str:
    """Byte/s of one chip inside the fast domain: bus bandwidth of a collective of one host, or a copy one way."""
    rate = _link_rate(asked.record)
    if isinstance(rate, str):
        return rate
    if _n_hosts(asked.record) > 1:
        return "the log is of several hosts: their network is the narrowest"
    return _Told(rate, inner_link(asked.system).bytes_per_s / 1e9, FLOOR, f"{plain(rate)} GB/s between chips of a host")


def _network(asked: Asked) -> _Told | str:
    """Byte/s of one host's network: bus bandwidth of a collective over several hosts, which share it evenly."""
    rate, hosts = _link_rate(asked.record), _n_hosts(asked.record)
    if isinstance(rate, str):
        return rate
    if hosts <= 1:
        return "the log is of one host"
    per_host = (asked.record.n_accelerators or asked.system.n_chips) / hosts
    taken = outer_bytes_per_s(asked.system) / 1e9 * per_host
    gbit = asked.system.network_gbit_per_s
    return _Told(rate, taken, FLOOR, f"{plain(rate)} GB/s between {hosts} hosts", network_gbit_per_s=gbit or None)


def _link_rate(record: LogRecord) -> float | str:
    """GB/s that one chip sends; a reason where the log does not tell it."""
    collective, test = str(record.facts.get("collective", "")), str(record.facts.get("test", ""))
    bus, copy = _figure(record, "bus_bandwidth_gb_per_s", "mean"), _figure(record, "copy_bandwidth_gb_per_s", "mean")
    if bus and not collective.removesuffix("_perf").startswith(_COLLECTIVES):
        return f"'{collective or 'an unnamed test'}' does not load every link: {', '.join(_COLLECTIVES)} do"
    if bus and (record.n_accelerators or 0) < 2:
        return "the log does not say of how many chips it is"
    if copy and (not test.startswith(_ONE_WAY_COPIES) or "bidirectional" in test):
        return f"'{test}' is no copy one way between chips"
    return bus or copy or "not in this log"


def _n_hosts(record: LogRecord) -> int:
    stated = record.facts.get("n_hosts")
    return int(stated) if isinstance(stated, int | float) and stated >= 1 else 1


def _storage(asked: Asked) -> _Told | str:
    """What one host read a second: the rate that nine readings of ten stay below, or the mean of a total."""
    rate = _figure(asked.record, "storage_read_gb_per_s", "p90") or _figure(
        asked.record, "storage_read_gb_per_s", "mean"
    )
    run = asked.profile.job.training
    if not rate:
        return "not in this log"
    if run is None:
        return "the workload reads no training data"
    if run.storage_gb_per_s:
        return "the workload has a rate of its own entered, which goes before"
    taken = read_bytes_per_s(asked.system, run) / 1e9
    return _Told(rate, taken, FLOOR, f"{plain(rate)} GB/s read from storage", storage=run.storage)


def _figure(record: LogRecord, name: str, figure: str) -> float | None:
    quantity = record.quantities.get(name)
    return (figures_of(quantity).get(figure) or None) if quantity else None


_TERMS: Mapping[Term, Callable[[Asked], _Told | str]] = {
    "kept": _kept,
    "save": _save,
    "memory": _memory,
    "power": _power,
    "inner_link": _inner,
    "network": _network,
    "storage": _storage,
}
