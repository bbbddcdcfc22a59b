"""The state of a catalogue folder as one record: counts, estimates, ages and errors."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from core.catalogue.catalogue import Catalogue
from core.catalogue.checks.consistency import problems
from core.catalogue.checks.row_accounting import reconciled
from core.catalogue.checks.units_guard import suspicions
from core.catalogue.entries import OWN
from core.catalogue.loading import TABLES, read_catalogue
from core.catalogue.prices.dates import as_of_date, oldest
from core.catalogue.prices.history import stale_reason
from core.errors import InputError
from core.paths import resources


def check_record(folder: Path | None = None) -> dict[str, Any]:
    """What a folder holds and what is wrong with it.

    ``date``, ``tables`` (entries and estimates of each), ``reconciled`` (how the rows of the lists add up),
    ``oldest_price``, ``undated_prices``, ``doubts`` (prices to look at, with the rule) and ``errors``.

    A folder that cannot be read is an error in the record, not an exception.
    """
    folder = folder or resources() / "catalogue"
    try:
        catalogue = read_catalogue(folder)
    except InputError as error:
        return {**_NOTHING, "errors": [str(error)]}
    return {
        "date": catalogue.date,
        "tables": {name: _counts(catalogue, name) for name in TABLES},
        "reconciled": reconciled(catalogue, folder),
        "oldest_price": _oldest(catalogue),
        "undated_prices": sum(as_of_date(offer) is None for offer in catalogue.offers),
        "doubts": _doubts(catalogue),
        "errors": [str(problem) for problem in problems(catalogue)],
    }


_NOTHING: dict[str, Any] = {
    "date": None, "tables": {}, "reconciled": {}, "oldest_price": None, "undated_prices": 0, "doubts": [],
}  # fmt: skip


def _doubts(catalogue: Catalogue) -> list[dict[str, str]]:
    odd = [(one.offer_id, one.rule, one.reason) for one in suspicions(catalogue.offers) if not one.is_refused]
    past = [(o.id, "outdated", reason) for o in catalogue.offers if (reason := stale_reason(o, catalogue))]
    return [{"id": id, "rule": rule, "reason": reason} for id, rule, reason in (*odd, *past)]


def _counts(catalogue: Catalogue, name: str) -> dict[str, int]:
    entries = [entry for entry in getattr(catalogue, name) if getattr(entry, "provider", "") != OWN]
    return {"entries": len(entries), "estimates": sum(entry.estimate for entry in entries)}


def _oldest(catalogue: Catalogue) -> dict[str, str] | None:
    offer = oldest(catalogue.offers)
    return {"id": offer.id, "as_of": offer.as_of, "source": offer.source} if offer else None
