"""Log records kept in the plan: thinned for the chart, and turned back into a record to calibrate from."""

from __future__ import annotations

import math
from datetime import datetime

import numpy as np

from core.logs.mapping.model import MOST_MAPPINGS, TableMapping
from core.logs.record import LogRecord, Quantity, Series, figures_of
from core.logs.registry import quantity_kinds
from core.plan.plan import ImportedLog, Plan

MAX_POINTS = 1500
"""Readings kept of each series: more than a chart has pixels for, small enough to save with every plan."""


def kept(record: LogRecord, log_id: str, imported_at: datetime) -> ImportedLog:
    """The record as the plan keeps it: each series thinned to at most ``MAX_POINTS`` means of equal runs of readings.

    Quantities keep the figures of the whole log.
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
    )


def record_of(log: ImportedLog, known_ids: frozenset[str]) -> LogRecord:
    """The kept log as a record again; ``known_ids`` are the catalogue's chips."""
    return LogRecord(
        file=log.file_name,
        format=log.format,
        n_lines=log.n_lines,
        skipped=log.skipped_reasons,
        accelerator=log.accelerator,
        accelerator_id=log.accelerator if log.accelerator in known_ids else None,
        n_accelerators=log.n_accelerators,
        start=None,
        time_s=np.array(log.series_s),
        series={name: np.array(values, dtype=np.float64) for name, values in log.series.items()},
        quantities={name: _quantity(name, values) for name, values in log.quantities.items()},
    )


def with_log(plan: Plan, log: ImportedLog) -> Plan:
    """The plan with one more log."""
    return plan.model_copy(update={"logs": (*plan.logs, log)})


def without_log(plan: Plan, log_id: str) -> Plan:
    """The plan without a log and without the calibrations made from it."""
    return plan.model_copy(
        update={
            "logs": tuple(log for log in plan.logs if log.id != log_id),
            "calibrations": tuple(c for c in plan.calibrations if c.log_id != log_id),
        }
    )


def with_mapping(plan: Plan, mapping: TableMapping) -> Plan:
    """The plan that reads tables with these columns so from now on; the oldest of too many mappings goes."""
    names = [column.name for column in mapping.columns]
    others = tuple(one for one in plan.table_mappings if not one.fits(names))
    return plan.model_copy(update={"table_mappings": (*others, mapping)[-MOST_MAPPINGS:]})


def next_log_id(plan: Plan) -> str:
    """An id that no log of the plan has: ``log-1``, ``log-2`` ..."""
    taken = {log.id for log in plan.logs}
    return next(name for i in range(1, len(taken) + 2) if (name := f"log-{i}") not in taken)


def _thinned(values: Series, run: int) -> Series:
    if run == 1 or not len(values):
        return values
    starts = np.arange(0, len(values), run)
    known = ~np.isnan(values)
    total = np.add.reduceat(np.where(known, values, 0.0), starts)
    count = np.add.reduceat(known.astype(np.float64), starts)
    mean = np.full(len(starts), np.nan)
    mean[count > 0] = total[count > 0] / count[count > 0]
    return mean


def _without_nan(values: Series) -> tuple[float | None, ...]:
    return tuple(None if math.isnan(value) else value for value in values.tolist())


def _quantity(name: str, values: dict[str, float | str]) -> Quantity:
    kind = quantity_kinds().get(name)
    unit = str(values.get("unit", kind.unit if kind else ""))
    figures = {key: float(value) for key, value in values.items() if key not in ("unit", "n")}
    return Quantity(unit, int(values["n"]), **figures)
