"""What the project dock lists, as plain rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from core.catalogue.catalogue import Catalogue
from core.catalogue.own.layers import PriceBook
from core.catalogue.prices.dates import parse_as_of
from core.comparison.together.plan_answer import PlanAnswer
from core.plan.drafts.base import n_entries
from core.plan.imports import log_names
from core.plan.plan import Plan
from core.plan.scenario import BASE
from core.report.plan_words import NOBODY, lacking_lines, plan_line
from core.units import DASH, counted, date_text, in_hundred, noun, usd
from gui.session.whole_plan import FEWEST

WORKING = "\u2026"
Kind = Literal[
    "section", "workload", "add-workload", "whole", "scenario", "add-scenario", "prices", "book", "import-prices",
    "log", "import-log", "phase",
]  # fmt: skip


ADDERS = ("add-workload", "add-scenario", "import-prices", "import-log")
"""Lines with which something is added to the plan."""
LOCKED = "Nothing can be added: the plan is open read-only"


@dataclass(frozen=True, slots=True)
class Row:
    """One line: what it is, which one, its words, and an age, length or figure at the right, which may be being worked
    out anew. ``is_locked``: of a plan that is open read-only."""

    kind: Kind
    id: str
    text: str
    note: str = ""
    detail: str = ""
    is_waiting: bool = False
    is_locked: bool = False

    @property
    def can_rename(self) -> bool:
        """Workloads and added scenarios have names of the user's own."""
        return not self.is_locked and (self.kind == "workload" or (self.kind == "scenario" and self.id != BASE))

    @property
    def can_remove(self) -> bool:
        """So can be taken out what came in: logs too."""
        return self.can_rename or (self.kind == "log" and not self.is_locked)

    @property
    def is_enabled(self) -> bool:
        """False for what would add to a plan that is open read-only."""
        return not (self.is_locked and self.kind in ADDERS)

    def locked(self) -> Row:
        """The row in a plan that is open read-only."""
        return replace(self, is_locked=True, detail=LOCKED if self.kind in ADDERS else self.detail)


def rows_of(plan: Plan, catalogue: Catalogue, book: PriceBook | None = None, whole: Sequence[Row] = ()) -> list[Row]:
    """Workloads with what they come to together, scenarios, prices and imports, each under its title."""
    rows = [Row("section", "", "Workloads")]
    rows += [Row("workload", profile.id, profile.name, detail=profile.note) for profile in plan.profiles]
    rows += [Row("add-workload", "", "Add workload"), *whole, *_phase_rows(plan), Row("section", "", "Scenarios")]
    rows += [
        Row("scenario", scenario.id, scenario.name, detail=_changes(scenario.overrides)) for scenario in plan.scenarios
    ]
    rows += [Row("section", "", "Prices"), _catalogue_row(catalogue), _book_row(plan, book)]
    rows += [Row("import-prices", "", "Import prices"), Row("section", "", "Imports")]
    names = log_names(plan)
    rows += [Row("log", log.id, names[log.id], detail=f"Imported {log.imported_at}") for log in plan.logs]
    return [*rows, Row("import-log", "", "Import log")]


def whole_rows(plan: Plan, answer: PlanAnswer | None, is_working: bool) -> tuple[Row, ...]:
    """What several workloads come to together; dots stand for what nobody knows yet."""
    if len(plan.profiles) < FEWEST:
        return ()
    if answer is None:
        words = WORKING if is_working else NOBODY
        note, empty = (WORKING, WORKING) if is_working else ("no answer", DASH)
        pairs = (("cost", "Whole plan", note), ("ready", "Ready", empty), ("limits", "Limits", empty))
    else:
        words = "\n".join((plan_line(answer), *lacking_lines(answer)))
        kept = answer.chance_in_limits
        n_picks = len(answer.picks)
        pairs = (
            ("cost", "Whole plan", usd(answer.printed_usd)),
            ("ready", "Done" if answer.all_end else "Ready", date_text(answer.done)),
            ("limits", "Limits", "none set" if kept is None else in_hundred(kept)),
            *((("answered", "Answered", f"{n_picks} of {answer.n_workloads}"),) if answer.unanswered else ()),
        )
    return tuple(Row("whole", name, text, note, words, is_working) for name, text, note in pairs)


def _phase_rows(plan: Plan) -> list[Row]:
    """Phases with the lengths that were typed; a plan without any has no such section."""
    typed = [f"{one.days:.0f} d" if one.days is not None else "" for one in plan.phases]
    rows = [Row("phase", one.id, one.name, note) for one, note in zip(plan.phases, typed, strict=True)]
    return [Row("section", "", "Phases"), *rows] if rows else []


def _changes(overrides: dict[str, object]) -> str:
    count = len(overrides)
    return (
        "The plan as described"
        if not count
        else f"{counted(count, 'field')} {noun(str(count), 'differs', 'differ')} from the base"
    )


def _catalogue_row(catalogue: Catalogue) -> Row:
    day = parse_as_of(catalogue.date)
    note = f"{day.day} {day:%b}" if day else catalogue.date
    detail = (
        f"{len(catalogue.rented_offers)} offers, catalogue of {catalogue.date}; each price has its own date and source"
    )
    return Row("prices", "catalogue", "Catalogue", note, detail)


def _book_row(plan: Plan, book: PriceBook | None) -> Row:
    """The private book: how much is in it, and whether this plan uses it."""
    number = len(book.discounts) + n_entries(book.entries) if book else 0
    if not number:
        return Row("book", "book", "Price book", "empty", "Your own prices and discounts, in a file of their own")
    words = counted(number, "entry", "entries")
    if not plan.uses_price_book:
        return Row("book", "book", "Price book", "not used", f"{words}; this plan does not use them")
    return Row("book", "book", "Price book", words, f"{words} of yours, kept out of the plan's file")
