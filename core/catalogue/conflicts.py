"""Where sources disagree: both values are kept, and shown beside the one in use."""

from __future__ import annotations

from collections.abc import Callable
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
