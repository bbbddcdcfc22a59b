"""Reads a catalogue folder: CSV tables with a source and a date on every row, checked as a whole."""

from __future__ import annotations

from datetime import date
from functools import lru_cache
from pathlib import Path
from typing import Any

from core.catalogue.catalogue import Catalogue
from core.catalogue.checks.consistency import problems
from core.catalogue.entries import (
    Accelerator,
    CapacityWait,
    Conflict,
    CostInput,
    Entry,
    FormatRow,
    FrameworkSupport,
    Host,
    Offer,
    PartPrice,
    PricePoint,
    PriceSpread,
    Region,
    Seller,
    Server,
    SliceShape,
)
from core.catalogue.own.layers import with_owned
from core.catalogue.tables import read_entries, read_rows
from core.errors import InputError
from core.paths import resources
from core.reading.json_text import read_json
from core.reading.shown import shown

FORMAT = 1
TABLES: dict[str, type[Entry]] = {
    "accelerators": Accelerator,
    "hosts": Host,
    "slices": SliceShape,
    "offers": Offer,
    "regions": Region,
    "frameworks": FrameworkSupport,
    "cost_inputs": CostInput,
    "servers": Server,
    "price_history": PricePoint,
    "parts": PartPrice,
    "conflicts": Conflict,
    "formats": FormatRow,
    "sellers": Seller,
    "waits": CapacityWait,
    "price_spread": PriceSpread,
}


def load_catalogue(folder: Path | None = None) -> Catalogue:
    """The shipped catalogue (read once), or that of ``folder``.

    Raises InputError naming file, row and field of the first entry that is wrong or refers to nothing.
    """
    return _shipped() if folder is None else checked(read_catalogue(folder))


def read_catalogue(folder: Path) -> Catalogue:
    """The tables of a folder, each row checked by itself; references are left to :func:`checked`."""
    tables: dict[str, Any] = {name: read_entries(folder / f"{name}.csv", model) for name, model in TABLES.items()}
    catalogue = Catalogue(date=read_date(folder), sources=read_sources(folder / "sources.csv"), **tables)
    return with_owned(catalogue)


def checked(catalogue: Catalogue) -> Catalogue:
    """The same catalogue, known to hold together. Raises the first InputError of :func:`problems`."""
    for problem in problems(catalogue):
        raise problem
    return catalogue


def read_sources(path: Path) -> dict[str, str]:
    """Source id -> where it can be read. Raises InputError on a header other than ``id,where`` or a repeated id."""
    header, *rows = read_rows(path)
    if header != ["id", "where"]:
        raise InputError(f"{path.name}, header", ",".join(header), "id,where")
    sources: dict[str, str] = {}
    for number, row in enumerate(rows, start=2):
        if len(row) != 2 or not all(row) or row[0] in sources:
            raise InputError(f"{path.name}, row {number}", repr(row), "an id used once and where it can be read")
        sources[row[0]] = row[1]
    return sources


def read_date(folder: Path) -> str:
    """Date of the whole catalogue, from ``catalogue.json``. Raises InputError when missing or of another format."""
    path, expected = folder / "catalogue.json", f'{{"format": {FORMAT}, "date": "YYYY-MM-DD"}}'
    record = read_json(path, f"a catalogue folder with catalogue.json: {expected}")
    if not isinstance(record, dict) or record.get("format") != FORMAT or not isinstance(record.get("date"), str):
        raise InputError(str(path), "something else", expected)
    try:
        return date.fromisoformat(record["date"]).isoformat()
    except ValueError:
        raise InputError(f"{path}, date", shown(record["date"]), "a day such as 2026-11-21") from None


@lru_cache(maxsize=1)
def _shipped() -> Catalogue:
    return checked(read_catalogue(resources() / "catalogue"))
