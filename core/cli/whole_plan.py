"""A plan opened from a file, and every workload of it evaluated: what several commands begin with."""

from __future__ import annotations

import sys
from pathlib import Path

from core.calibration.speed_factors import corrections
from core.catalogue.catalogue import Catalogue
from core.catalogue.own.book_file import book_path, load_book
from core.catalogue.own.checks import sound_layers
from core.catalogue.own.layers import OwnEntries, PriceBook
from core.comparison.evaluate import evaluate
from core.comparison.result import ResultSet
from core.errors import InputError, RoofplanError
from core.plan.layers import read_book
from core.plan.plan import Plan
from core.plan.sample_plan import plan_from_json
from core.plan.scenario import resolve
from core.plan.store import load
from core.reading.json_text import read_json
from core.report.masking import HandedOut
from core.report.spreadsheet import clean
from core.workload.library import read_profile

_NO_BOOK = (
    "This plan was saved with a price book, and none is here. Prices are those of the catalogue and of the plan; "
    "every cost, rank, chance and pick of {} lacks the book's. Name it with --book FILE."
)


def opened(
    path: Path, scenario_id: str, catalogue: Catalogue, book: Path | None, masked: bool
) -> tuple[Plan, Catalogue]:
    """The plan in a scenario, and the catalogue with its price book and its own entries over it, as :func:`book_of`
    has it; entries that do not fit are left out and told on stderr. ``masked`` masks private prices though the plan
    itself does not.

    Raises InputError for a plan without a workload.
    """
    plan = resolve(read_plan(path), scenario_id)
    layers, left_out = sound_layers(catalogue, plan.own, book_of(plan, book))
    for fault in left_out:
        print(f"Left out: {fault}", file=sys.stderr)
    if not plan.profiles:
        raise InputError(str(path), "no workload", "a plan with at least one")
    return (plan.model_copy(update={"masks_private_prices": True}) if masked else plan), layers


def read_plan(path: Path) -> Plan:
    """The plan in a file; a plan as JSON, such as the shipped sample, and a profile, as a plan of one workload, too.

    Raises InputError when it is none of these.
    """
    if path.suffix != ".json":
        return load(path)
    if _is_json_of_a_plan(path):
        return plan_from_json(path)
    profile = read_profile(path)
    return Plan(id=profile.id, name=profile.name, profiles=(profile,))


def book_of(plan: Plan, named: Path | None) -> PriceBook | None:
    """The price book that is named, else the user's own where the plan uses one; what it is is told on stderr.

    Raises InputError or MachineError when it cannot be read.
    """
    if named is not None:
        return read_book(named)
    book = load_book(book_path()) if plan.uses_price_book else PriceBook()
    if book.discounts or book.entries != OwnEntries():
        print(f"With the price book in {book_path()}", file=sys.stderr)
        return book
    if plan.uses_price_book and plan.had_price_book:
        print(_NO_BOOK.format(", ".join(clean(one.name) for one in plan.profiles)), file=sys.stderr)
    return None


def holds_a_plan(path: Path) -> bool:
    """True for a plan file, and for JSON of a whole plan."""
    return path.suffix == ".roofplan" or _is_json_of_a_plan(path)


def _is_json_of_a_plan(path: Path) -> bool:
    """What cannot be read at all is told when it is read as a profile."""
    try:
        content = read_json(path, "a plan or a profile")
    except RoofplanError:
        return False
    return isinstance(content, dict) and "profiles" in content


def tell_author(out: HandedOut) -> None:
    """Where a masked answer is not the true one, on stderr: it must not get into what is handed over."""
    for line in out.told:
        print(line, file=sys.stderr)


def evaluated(plan: Plan, catalogue: Catalogue) -> dict[str, ResultSet]:
    """Results of every workload by its id, in the plan's order."""
    factors = corrections(plan.calibrations, plan.lessons)
    return {profile.id: evaluate(profile, catalogue, factors) for profile in plan.profiles}
