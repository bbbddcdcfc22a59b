"""Where sources disagree: both values are kept, and shown beside the one in use."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import isclose
from typing import Any

from core.catalogue.catalogue import Catalogue
from core.catalogue.entries import Conflict

ROW_KEYS: dict[str, Callable[[Any], str]] = {
    "accelerators": lambda chip: str(chip.id),
    "hosts": lambda host: f"{host.provider} {host.instance}",
    "offers": lambda offer: str(offer.id),
    "regions": lambda region: f"{region.provider} {region.region}",
    "cost_inputs": lambda row: f"{row.name} {row.scope}",
    "slices": lambda shape: str(shape.slice_name),
    "frameworks": lambda row: f"{row.framework} {row.chip_family}",
    "servers": lambda server: str(server.instance),
}
"""How a row of a table is named in ``conflicts.csv``."""


def conflicts_of(catalogue: Catalogue, table: str, row_key: str) -> tuple[Conflict, ...]:
    """Conflicts about one row, such as ``conflicts_of(catalogue, "accelerators", "b200-sxm")``."""
    return catalogue.conflicts_by_row.get((table, row_key), ())


def conflict_problems(conflict: Conflict, catalogue: Catalogue) -> Iterator[tuple[str, str, str]]:
    """Field, what was found and what is expected, where a conflict names no row, or not the figure in use there."""
    if conflict.table not in ROW_KEYS:
        yield "table", f"'{conflict.table}'", f"one of {', '.join(ROW_KEYS)}"
        return
    row = _rows_by_key(catalogue, conflict.table).get(conflict.row)
    if row is None:
        yield "row", f"'{conflict.row}'", f"a row of {conflict.table}.csv"
    elif conflict.field not in type(row).model_fields:
        yield "field", f"'{conflict.field}'", f"a column of {conflict.table}.csv"
    elif not _says(conflict.used, getattr(row, conflict.field)):
        yield "used", f"'{conflict.used}'", f"the figure in use, {getattr(row, conflict.field)}"


def live_conflicts(catalogue: Catalogue) -> tuple[Conflict, ...]:
    """The conflicts that are about figures still in use; one whose row was changed or removed is settled."""
    return tuple(one for one in catalogue.conflicts if not any(conflict_problems(one, catalogue)))


def _rows_by_key(catalogue: Catalogue, table: str) -> dict[str, Any]:
    index = catalogue.rows_by_key.get(table)
    if index is None:
        index = catalogue.rows_by_key[table] = {ROW_KEYS[table](row): row for row in getattr(catalogue, table)}
    return index


def _says(text: str, value: Any) -> bool:
    """True when the words begin with the value: ``180 GB`` says 180."""
    first = text.rstrip("°").split(" ")[0]
    if isinstance(value, int | float) and not isinstance(value, bool):
        try:
            return isclose(float(first), value, rel_tol=1e-4)
        except ValueError:
            return False
    return text == str(value)
