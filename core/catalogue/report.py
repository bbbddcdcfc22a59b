"""The state of a catalogue folder as one record: counts, estimates, ages and errors."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from core.catalogue.catalogue import Catalogue
from core.catalogue.checks import problems
from core.catalogue.load import TABLES, read_catalogue
from core.catalogue.prices import as_of_date, oldest
from core.errors import InputError
from core.paths import resources


def check_record(folder: Path | None = None) -> dict[str, Any]:
    """``date``, ``tables`` (entries and estimates of each), ``oldest_price``, ``undated_prices`` and ``errors``.

    A folder that cannot be read is an error in the record, not an exception.
    """
    try:
        catalogue = read_catalogue(folder or resources() / "catalogue")
    except InputError as error:
        return {"date": None, "tables": {}, "oldest_price": None, "undated_prices": 0, "errors": [str(error)]}
    return {
        "date": catalogue.date,
        "tables": {name: _counts(catalogue, name) for name in TABLES},
        "oldest_price": _oldest(catalogue),
        "undated_prices": sum(as_of_date(offer) is None for offer in catalogue.offers),
        "errors": [str(problem) for problem in problems(catalogue)],
    }


def _counts(catalogue: Catalogue, name: str) -> dict[str, int]:
    entries = getattr(catalogue, name)
    return {"entries": len(entries), "estimates": sum(entry.estimate for entry in entries)}


def _oldest(catalogue: Catalogue) -> dict[str, str] | None:
    offer = oldest(catalogue.offers)
    return {"id": offer.id, "as_of": offer.as_of, "source": offer.source} if offer else None
