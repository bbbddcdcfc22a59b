"""Log records kept in the plan: thinned for the chart, and turned back into a record to calibrate from."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from core.calibration.own_logs.bands import Band, band_of
from core.logs.mapping.model import MOST_MAPPINGS, TableMapping
from core.logs.record import Grid, LogRecord, Quantity, Series, figures_of
from core.logs.registry import quantity_kinds
from core.plan.plan import ImportedLog, Plan, Values

if TYPE_CHECKING:
    from core.logs.drop import Drop  # reading brings every format, and the names of logs are shown at the start

MAX_POINTS = 1500
"""Readings kept of each series: more than a chart has pixels for, small enough to save with every plan."""

MAX_CHIP_POINTS = 6000
"""Readings kept of one quantity of all chips together: with 8 chips 750 of each."""


def kept(record: LogRecord, log_id: str, imported_at: datetime, sha256: str = "") -> ImportedLog:
    """The record as the plan keeps it: each series thinned to at most ``MAX_POINTS`` means of equal runs of readings.

    Quantities keep the figures of the whole log, bands the lowest and highest reading of each run.
    """
    run = max(1, math.ceil(len(record.time_s) / MAX_POINTS))
    return ImportedLog(
        id=log_id,
        file_name=record.file,
        format=record.format,
        imported_at=imported_at.isoformat(timespec="seconds"),
        accelerator=record.accelerator_id or record.accelerator,
        n_accelerators=record.n_accelerators,
        n_lines=record.n_lines,
        n_skipped=record.n_skipped,
        skipped_reasons=dict(record.skipped),
        duration_s=record.duration_s,
        quantities={name: {"unit": q.unit, "n": float(q.n), **figures_of(q)} for name, q in record.quantities.items()},
        series_s=tuple(_thinned(record.time_s, run).tolist()),
        series={name: _without_nan(_thinned(values, run)) for name, values in record.series.items()},
        subject=record.subject,
        first_line=record.first_line,
        facts=dict(record.facts),
        sha256=sha256,
        chips=record.chips,
        bands=_kept_bands(record, run),
        by_chip={name: _kept_chips(grid, run) for name, grid in _charted(record.by_chip).items()},
        start=record.start or "",
    )


def record_of(log: ImportedLog, known_ids: frozenset[str]) -> LogRecord:
    """The kept log as a record again; ``known_ids`` are the catalogue's chips. Series of another length stay out."""
    n_ticks = len(log.series_s)
    return LogRecord(
        file=log.file_name,
        format=log.format,
        n_lines=log.n_lines,
        skipped=log.skipped_reasons,
        accelerator=log.accelerator,
        accelerator_id=log.accelerator if log.accelerator in known_ids else None,
        n_accelerators=log.n_accelerators,
        start=log.start or None,
        time_s=np.array(log.series_s),
        series={name: _series(values) for name, values in log.series.items() if len(values) == n_ticks},
        quantities={name: _quantity(name, values) for name, values in log.quantities.items()},
        subject=log.subject,
        first_line=log.first_line,
        facts=log.facts,
        chips=log.chips,
        by_chip={name: _grid(chips, n_ticks) for name, chips in log.by_chip.items() if len(chips) == len(log.chips)},
    )


def bands_of(log: ImportedLog) -> dict[str, Band]:
    """Lowest, median and highest reading of all chips at each kept time, where they differ."""
    whole = {name: band for name, band in log.bands.items() if all(len(one) == len(log.series_s) for one in band)}
    return {name: Band(*map(_series, band)) for name, band in whole.items()}


def kept_drop(drop: Drop, imported_at: datetime) -> tuple[ImportedLog, ...]:
    """Everything that files dropped together say, as the plan keeps it; ids are given by :func:`with_logs`."""
    every = ((record, one.sha256) for one in drop.read for record in one.log_file.records)
    return tuple(kept(record, "", imported_at, sha256) for record, sha256 in every)


def with_logs(plan: Plan, logs: Sequence[ImportedLog]) -> Plan:
    """The plan with more logs, each under an id that no other has."""
    for log in logs:
        named = log.model_copy(update={"id": next_log_id(plan)})
        plan = plan.model_copy(update={"logs": (*plan.logs, named)})
    return plan


def without_log(plan: Plan, log_id: str) -> Plan:
    """The plan without a log and without the calibrations and lessons made from it."""
    return plan.model_copy(
        update={
            "logs": tuple(_parted(log, log_id) for log in plan.logs if log.id != log_id),
            "calibrations": tuple(c for c in plan.calibrations if c.log_id != log_id),
            "lessons": tuple(one for one in plan.lessons if one.log_id != log_id),
        }
    )


def _parted(log: ImportedLog, chips_id: str) -> ImportedLog:
    """A log without that of its chips, where it is this one."""
    is_joined = log.chips_log_id == chips_id
    return log.model_copy(update={"chips_log_id": "", "chips_begin_s": 0.0}) if is_joined else log


def with_mapping(plan: Plan, mapping: TableMapping) -> Plan:
    """The plan that reads tables with these columns so from now on; the oldest of too many mappings goes."""
    names = [column.name for column in mapping.columns]
    others = tuple(one for one in plan.table_mappings if not one.fits(names))
    return plan.model_copy(update={"table_mappings": (*others, mapping)[-MOST_MAPPINGS:]})


def next_log_id(plan: Plan) -> str:
    """An id that no log of the plan has: ``log-1``, ``log-2`` ..."""
    taken = {log.id for log in plan.logs}
    return next(name for i in range(1, len(taken) + 2) if (name := f"log-{i}") not in taken)


def log_names(plan: Plan) -> dict[str, str]:
    """The name of each log by its id: its file, and where that gave several its host, else the line it begins on."""
    files = Counter(log.file_name for log in plan.logs)
    hosts = Counter((log.file_name, log.facts.get("host")) for log in plan.logs)

    def name(log: ImportedLog) -> str:
        host = log.facts.get("host")
        if files[log.file_name] == 1:
            return log.file_name
        is_told = host is not None and hosts[log.file_name, host] == 1
        return f"{log.file_name}, host {host}" if is_told else f"{log.file_name}, line {log.first_line}"

    return {log.id: name(log) for log in plan.logs}


def _charted(values: Mapping[str, Grid]) -> dict[str, Grid]:
    """What a chart or the summary shows chip by chip."""
    kinds = quantity_kinds()
    return {name: grid for name, grid in values.items() if name == "throttled_pct" or kinds[name].turn}


def _kept_bands(record: LogRecord, run: int) -> dict[str, tuple[Values, Values, Values]]:
    bands = {}
    for name in record.series:
        band = band_of(record, name)
        if quantity_kinds()[name].turn and (run > 1 or band.has_width):
            low, high = _thinned(band.low, run, np.fmin), _thinned(band.high, run, np.fmax)
            median = _thinned(band.median, run)
            bands[name] = (_shown(low), _shown(median), _shown(high))
    return bands


def _kept_chips(grid: Grid, run: int) -> tuple[Values, ...]:
    columns = [_thinned(np.asarray(grid[:, chip], dtype=np.float64), run) for chip in range(grid.shape[1])]
    again = max(1, math.ceil(sum(map(len, columns)) / MAX_CHIP_POINTS))
    return tuple(_shown(_thinned(column, again)) for column in columns)


def _grid(chips: Sequence[Values], n_ticks: int) -> Grid:
    """Readings of each chip, shape (ticks, chips): one that stands for several ticks is repeated."""
    n_kept = max((len(one) for one in chips), default=0)
    again = max(1, math.ceil(n_ticks / max(n_kept, 1)))
    columns = [np.repeat(_series(one), again)[:n_ticks] for one in chips]
    padded = [np.pad(one, (0, n_ticks - len(one)), constant_values=np.nan) for one in columns]
    return np.stack(padded, axis=1).astype(np.float32) if padded else np.empty((n_ticks, 0), dtype=np.float32)


def _thinned(values: Series, run: int, reduce: np.ufunc | None = None) -> Series:
    """One value for each run of readings: their mean, or what ``reduce`` makes of them; unknown ones left out."""
    if run == 1 or not len(values):
        return values
    starts = np.arange(0, len(values), run)
    if reduce is not None:
        return np.asarray(reduce.reduceat(values, starts))
    known = ~np.isnan(values)
    total = np.add.reduceat(np.where(known, values, 0.0), starts)
    count = np.add.reduceat(known.astype(np.float64), starts)
    mean: NDArray[np.float64] = np.full(len(starts), np.nan)
    mean[count > 0] = total[count > 0] / count[count > 0]
    return mean


def _series(values: Values) -> Series:
    return np.array(values, dtype=np.float64)


def _without_nan(values: Series) -> Values:
    return tuple(None if math.isnan(value) else value for value in values.tolist())


def _shown(values: Series) -> Values:
    """As precise as a chart or a printed figure needs."""
    return _without_nan(np.round(values, 4))


def _quantity(name: str, values: dict[str, float | str]) -> Quantity:
    kind = quantity_kinds().get(name)
    unit = str(values.get("unit", kind.unit if kind else ""))
    figures = {key: float(value) for key, value in values.items() if key not in ("unit", "n")}
    return Quantity(unit, int(values["n"]), **figures)
