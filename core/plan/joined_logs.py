"""Logs of a plan that are read together: that of a run, and that of the chips it ran on."""

from __future__ import annotations

from collections.abc import Sequence

from core.calibration.own_logs.bands import Band, band_of
from core.calibration.own_logs.joined import Guess, Joined, guessed, joined
from core.logs.clock import clock_of
from core.logs.record import LogRecord, Subject
from core.plan.imports import bands_of, record_of
from core.plan.plan import ImportedLog, Plan


def joined_log(plan: Plan, log: ImportedLog, known_ids: frozenset[str]) -> Joined | None:
    """The log with that of its chips as one; None where it has none. ``known_ids`` are the catalogue's chips."""
    chips = next((one for one in plan.logs if one.id == log.chips_log_id), None)
    if chips is None:
        return None
    return joined(record_of(log, known_ids), record_of(chips, known_ids), log.chips_begin_s)


def shown_bands(log: ImportedLog, record: LogRecord) -> dict[str, Band]:
    """Lowest, median and highest reading of all chips: as the log keeps them, or of what was joined to it."""
    if not log.chips_log_id:
        return bands_of(log)
    return {name: band_of(record, name) for name in record.by_chip if name in record.series}


def chips_logs(plan: Plan, log: ImportedLog) -> Sequence[ImportedLog]:
    """The plan's logs over time that may tell what the chips of this run did; none for a log of no run."""
    states_time = "duration_s" in log.facts or "train_runtime_s" in log.quantities
    lasts = log.duration_s > 0 or (not log.series_s and states_time)
    if log.subject not in (Subject.TRAINING, Subject.SERVING) or not lasts:
        return ()
    return [one for one in plan.logs if one.subject is Subject.MACHINE and len(one.series_s) > 1]


def guessed_begin(log: ImportedLog, chips: ImportedLog) -> Guess:
    """When the readings of the chips begin on the run's clock, as far as both logs tell."""
    run, other = (record_of(one, frozenset()) for one in (log, chips))
    return guessed(run, other, clock_of(log.start), clock_of(chips.start))


def with_chips(plan: Plan, log_id: str, chips_id: str, begins_s: float) -> Plan:
    """The plan that reads the log together with that of its chips from ``begins_s`` on; alone without an id."""
    change = {"chips_log_id": chips_id, "chips_begin_s": begins_s if chips_id else 0.0}
    logs = (one.model_copy(update=change) if one.id == log_id else one for one in plan.logs)
    return plan.model_copy(update={"logs": tuple(logs)})
