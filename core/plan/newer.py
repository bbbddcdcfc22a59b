"""What this program knows of a plan that a newer one wrote: enough to look at it, not to save it."""

from __future__ import annotations

import json
from typing import Any

from pydantic import BaseModel, ValidationError

from core.plan.plan import Plan
from core.plan.schema import META, MODELS, TABLES, Row, Rows, plan_of


def known_part(rows: Rows, file_name: str) -> tuple[Plan, int]:
    """The plan without fields, entries and tables of the newer format, and how many were left out.

    Raises InputError, as :func:`core.plan.schema.plan_of`, where what is known does not mean the same any more.
    """
    left_out = [name for name in rows if name not in TABLES]
    known: Rows = {name: rows.get(name, []) for name in TABLES}
    known["meta"], n_meta = _known_meta(known["meta"])
    n_fields = 0
    for table, model in MODELS.items():
        known[table], n_of_table = _known_rows(known[table], model)
        n_fields += n_of_table
    return plan_of(known, file_name), len(left_out) + n_meta + n_fields


def _known_rows(rows: list[Row], model: type[BaseModel]) -> tuple[list[Row], int]:
    parts = [(row, *_known_fields(_value(row), model)) for row in rows]
    return [{**row, "document": json.dumps(value)} for row, value, _ in parts], sum(n for *_, n in parts)


def _known_meta(rows: list[Row]) -> tuple[list[Row], int]:
    ours = [row for row in rows if row.get("name") in META]
    values, n_fields = _known_fields({row["name"]: _value(row) for row in ours}, Plan)
    known = [{"name": name, "document": json.dumps(value)} for name, value in values.items()]
    return known, len(rows) - len(ours) + n_fields


def _value(row: Row) -> Any:
    try:
        return json.loads(row.get("document") or "null")
    except (ValueError, TypeError, RecursionError):
        return None


def _known_fields(value: Any, model: type[BaseModel]) -> tuple[Any, int]:
    """The value without the fields that the model does not have; what else is wrong is told by whoever reads it."""
    n_left_out = 0
    while unknown := _unknown_places(value, model):
        taken = sum(_take_out(value, place) for place in unknown)
        if not taken:
            break
        n_left_out += taken
    return value, n_left_out


def _unknown_places(value: Any, model: type[BaseModel]) -> list[tuple[int | str, ...]]:
    try:
        model.model_validate(value)
    except ValidationError as error:
        told = error.errors(include_url=False, include_input=False, include_context=False)
        return [one["loc"] for one in told if one["type"] == "extra_forbidden"]
    except RecursionError:
        return []
    return []


def _take_out(value: Any, place: tuple[int | str, ...]) -> bool:
    """Takes a field out of the value; steps that name the kind pydantic tried lead nowhere and are passed over."""
    *steps, last = place
    for step in steps:
        is_inside = step in value if isinstance(value, dict) else isinstance(value, list) and isinstance(step, int)
        value = value[step] if is_inside else value
    return isinstance(value, dict) and value.pop(last, value) is not value
