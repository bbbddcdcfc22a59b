"""What the document file looks like: tables, format number, from plan to rows and back, and from older formats."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from core.calibration.accepted import AcceptedCalibration
from core.errors import InputError
from core.plan.plan import Choice, ImportedLog, KeptRow, Plan, Scenario
from core.workload.profile import Profile
from core.workload.validation_words import expectation, field_path

APPLICATION_ID = 0x52504C4E
"""``RPLN``: desktops tell a Roofplan file by it, whatever its name."""

USER_VERSION = 2
"""Format of the tables below; a change needs a step in :mod:`core.plan.schema`."""

Row = dict[str, Any]
Rows = dict[str, list[Row]]

TABLES: dict[str, dict[str, type]] = {
    "meta": {"name": str, "document": str},
    "profiles": {"position": int, "id": str, "name": str, "document": str},
    "scenarios": {"position": int, "id": str, "name": str, "document": str},
    "logs": {"position": int, "id": str, "name": str, "document": str},
    "log_series": {"position": int, "log_id": str, "name": str, "document": str},
    "calibrations": {"position": int, "id": str, "name": str, "document": str},
    "choices": {"position": int, "id": str, "name": str, "document": str},
}
"""Columns of each table. ``document`` is JSON; the other columns are there to be read and searched without it."""

MODELS: dict[str, type[BaseModel]] = {
    "profiles": Profile,
    "scenarios": Scenario,
    "logs": ImportedLog,
    "calibrations": AcceptedCalibration,
    "choices": Choice,
}
"""What the documents of a table describe."""

META = (
    "id", "name", "note", "is_sample", "report_pages", "own", "uses_price_book", "had_price_book",
    "masks_private_prices", "old_price_days", "currency", "table_mappings",
    "lessons", "phases", "phases_deadline", "report_paper",
    "actuals", "portfolio",
)  # fmt: skip
_TIME = "time_s"
_BAND = ("low", "median", "high")

M = TypeVar("M", bound=BaseModel)


def rows_of(plan: Plan) -> Rows:
    """The plan as rows of every table."""
    document = plan.model_dump(mode="json", include=set(META))
    return {
        **{name: _kept(plan, name) for name in dict.fromkeys(one.table for one in plan.kept)},
        "meta": [*({"name": name, "document": json.dumps(document[name])} for name in META), *_kept(plan, "meta")],
        "profiles": [_row(i, one, one.id, one.name) for i, one in enumerate(plan.profiles)],
        "scenarios": [_row(i, one, one.id, one.name) for i, one in enumerate(plan.scenarios)],
        "logs": [_row(i, _without_series(one), one.id, one.file_name) for i, one in enumerate(plan.logs)],
        "log_series": [row for log in plan.logs for row in _series_rows(log)],
        "calibrations": [_row(i, one, one.log_id, one.accelerator_id) for i, one in enumerate(plan.calibrations)],
        "choices": [_row(i, one, one.profile_id, one.candidate_id) for i, one in enumerate(plan.choices)],
    }


def plan_of(rows: Rows, file_name: str) -> Plan:
    """The plan that the rows hold. Raises InputError naming file, table and row of the first that is damaged."""
    _refuse_lacking(rows, file_name)
    ours = [(n, row) for n, row in _numbered(rows["meta"]) if row["name"] in META]
    meta = {row["name"]: _parsed(row, f"{file_name}, table meta, row {n}") for n, row in ours}
    series = _all_series(rows["log_series"], file_name)
    logs = _models(rows, "logs", ImportedLog, file_name)
    whole = {
        **meta,
        "kept": _unknown(rows),
        "profiles": _models(rows, "profiles", Profile, file_name),
        "scenarios": _models(rows, "scenarios", Scenario, file_name),
        "logs": tuple(_with_series(log, series.get(log.id, {})) for log in logs),
        "calibrations": _models(rows, "calibrations", AcceptedCalibration, file_name),
        "choices": _models(rows, "choices", Choice, file_name),
    }
    return _checked(lambda: Plan.model_validate(whole), f"{file_name}, table meta")


def _refuse_lacking(rows: Rows, file_name: str) -> None:
    for table, columns in TABLES.items():
        if table not in rows:
            raise InputError(f"{file_name}, table {table}", "no such table", "a Roofplan plan that is whole")
        lacking = [name for name in columns if rows[table] and name not in rows[table][0]]
        if lacking:
            raise InputError(f"{file_name}, table {table}", f"no column {lacking[0]}", "a Roofplan plan that is whole")


def _unknown(rows: Rows) -> tuple[KeptRow, ...]:
    """Rows that another program, or another version of this one, put there: they stay in the file."""
    tables = [(table, row) for table in rows if table not in TABLES for row in rows[table]]
    meta = [("meta", row) for row in rows["meta"] if row["name"] not in META]
    return tuple(KeptRow(table=table, values=row) for table, row in [*tables, *meta])


def _kept(plan: Plan, table: str) -> list[Row]:
    return [dict(one.values) for one in plan.kept if one.table == table]


def _row(position: int, model: BaseModel, row_id: str, name: str) -> Row:
    return {"position": position, "id": row_id, "name": name, "document": model.model_dump_json(exclude_unset=True)}


def _series_rows(log: ImportedLog) -> list[Row]:
    every = {_TIME: log.series_s, **{f"={name}": values for name, values in log.series.items()}}
    every |= {f"{part}={name}": one for name, band in log.bands.items() for part, one in zip(_BAND, band, strict=True)}
    every |= {f"{i}={name}": one for name, chips in log.by_chip.items() for i, one in enumerate(chips)}
    return [
        {"position": i, "log_id": log.id, "name": name, "document": json.dumps(values)}
        for i, (name, values) in enumerate(every.items())
    ]


def _without_series(log: ImportedLog) -> ImportedLog:
    emptied: dict[str, object] = {"series_s": (), "series": {}, "bands": {}, "by_chip": {}}
    return log.model_copy(update={name: empty for name, empty in emptied.items() if getattr(log, name)})


def _with_series(log: ImportedLog, series: dict[str, tuple[Any, ...]]) -> ImportedLog:
    parts: dict[str, dict[str, tuple[Any, ...]]] = {}
    for row_name, values in series.items():
        if row_name != _TIME:
            part, sign, name = row_name.partition("=")  # older files hold names without a part before them
            parts.setdefault(name if sign else row_name, {})[part if sign else ""] = values
    bands = {name: tuple(one[part] for part in _BAND) for name, one in parts.items() if one.keys() >= set(_BAND)}
    chips = {name: [one[str(i)] for i in range(len(one)) if str(i) in one] for name, one in parts.items()}
    own = {name: one[""] for name, one in parts.items() if "" in one}
    update = {
        "series_s": series.get(_TIME, ()),
        "series": own,
        "bands": bands,
        "by_chip": {name: tuple(one) for name, one in chips.items() if one},
    }
    return log.model_copy(update={name: value for name, value in update.items() if value})


def _all_series(rows: Sequence[Row], file_name: str) -> dict[str, dict[str, tuple[Any, ...]]]:
    series_by_log: dict[str, dict[str, tuple[Any, ...]]] = {}
    for n, row in _numbered(rows):
        where = f"{file_name}, table log_series, row {n}"
        values = _parsed(row, where)
        if not isinstance(values, list) or not all(one is None or _is_number(one) for one in values):
            raise InputError(where, "something else", "a list of numbers")
        series_by_log.setdefault(str(row["log_id"]), {})[str(row["name"])] = tuple(values)
    return series_by_log


def _is_number(value: object) -> bool:
    """A whole number without end has no place among floats either."""
    try:
        return isinstance(value, int | float) and math.isfinite(value)
    except OverflowError:
        return False


def _models(rows: Rows, table: str, model: type[M], file_name: str) -> tuple[M, ...]:
    return tuple(_model(row, model, f"{file_name}, table {table}, row {n}") for n, row in _numbered(rows[table]))


def _model(row: Row, model: type[M], where: str) -> M:
    return _checked(lambda: model.model_validate_json(_text(row, where)), where)


def _checked(make: Callable[[], M], where: str) -> M:
    try:
        return make()
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        field = field_path(first["loc"]) or "the whole row"
        words = expectation(first["type"], first.get("ctx", {}), first["msg"])
        raise InputError(f"{where}, {field}", _shown(first["input"]), words) from None
    except RecursionError:
        raise InputError(where, "values within values without end", "a Roofplan plan that is whole") from None


def _parsed(row: Row, where: str) -> Any:
    text = _text(row, where)
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise InputError(where, _shown(text), "JSON text") from None


def _text(row: Row, where: str) -> str:
    document = row["document"]
    if not isinstance(document, str | None):
        raise InputError(where, _shown(document), "JSON text")
    return document or ""


def _shown(value: object) -> str:
    """What was found, short; a value that cannot be written out is told by its kind."""
    try:
        return repr(value)[:80]
    except (ValueError, RecursionError):
        return f"a {type(value).__name__} too long to be shown"


def _numbered(rows: Sequence[Row]) -> list[tuple[int, Row]]:
    return list(enumerate(rows, start=1))


Step = Callable[[Rows], Rows]


def _with_own_prices(rows: Rows) -> Rows:
    """Format 2 added rows to ``meta`` (own entries, price settings, currency); without them defaults hold."""
    return rows


STEPS: Mapping[int, Step] = {1: _with_own_prices}
"""Format number -> the step that turns rows of that format into rows of the next."""


def migrated(
    rows: Rows, version: int, where: str, steps: Mapping[int, Step] = STEPS, target: int = USER_VERSION
) -> Rows:
    """Rows of an older format as rows of the newest.

    Raises InputError for a format that is newer than ``target`` or that no step leads on from.
    """
    if version > target:
        raise InputError(where, f"format {version}, made by a newer Roofplan", f"format {target} or older")
    for number in range(version, target):
        if number not in steps:
            raise InputError(where, f"format {number}", f"a format from {min(steps, default=target)} to {target}")
        rows = steps[number](rows)
    return rows
