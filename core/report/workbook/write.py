"""Writes the workbook: six sheets of a plan's results, of which the first is the verdict."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from io import BytesIO
from pathlib import Path

from core.catalogue.catalogue import Catalogue
from core.comparison.result import ResultSet
from core.comparison.together.plan_answer import answer_of
from core.errors import MachineError
from core.plan.plan import Plan
from core.report.price_notes import missing_book
from core.report.workbook.assumptions import assumptions_sheet
from core.report.workbook.bills import bills_of
from core.report.workbook.cached import with_values
from core.report.workbook.candidates import candidates_sheet
from core.report.workbook.cash import cash_sheet
from core.report.workbook.sheet import Sheet, lay, sum_of, titles_of
from core.report.workbook.sources import sources_sheet
from core.report.workbook.terms import Term
from core.report.workbook.verdict import TOTAL, verdict_sheet
from core.writing.whole_file import hand_over


def sheets_of(
    plan: Plan,
    results_by_profile: Mapping[str, ResultSet],
    catalogue: Catalogue,
    today: date,
    top: int | None = None,
    one_each: bool = False,
) -> list[Sheet]:
    """The sheets in their order; workloads without results are left out, ``top`` keeps so many candidates of each.
    ``one_each``: the candidates of each of several workloads stand on a sheet of its own.

    That private prices stay private is for the caller to see to, with :func:`core.report.masking.handed_out`.
    """
    result_sets = [results_by_profile[one.id] for one in plan.profiles if one.id in results_by_profile]
    answer, bills = answer_of(result_sets), bills_of(result_sets)
    verdict = verdict_sheet(plan, result_sets, answer, bills, today, missing_book(plan, catalogue))
    apart = [verdict.at(TOTAL, row) for row in range(len(result_sets), len(verdict.rows))]
    apart_total = Term(sum_of(row[TOTAL] for row in verdict.rows[len(result_sets) :]), f"({'+'.join(apart)})")
    cash = [cash_sheet(answer, bills, apart_total)] if answer else []
    profiles = [results.profile for results in result_sets]
    rest = [bills.parts, bills.inputs, *cash, assumptions_sheet(profiles), sources_sheet(result_sets, catalogue)]
    if not one_each or len(result_sets) == 1:
        return [verdict, candidates_sheet(result_sets, bills, top), *rest]
    titles = titles_of([one.profile.name for one in result_sets], [one.title for one in (verdict, *rest)])
    each = zip(result_sets, titles, strict=True)
    return [verdict, *(candidates_sheet([one], bills, top, title) for one, title in each), *rest]


def write_workbook(sheets: Sequence[Sheet], path: Path) -> None:
    """Writes sheets as an .xlsx file, which is either whole or as it was; formulas stand with what they come to.

    Raises MachineError when the disk refuses."""
    from openpyxl import Workbook

    book = Workbook(write_only=True)
    for sheet in sheets:
        lay(book, sheet)
    made = BytesIO()
    book.save(made)
    try:
        hand_over(path, with_values(made.getvalue(), [sheet.values for sheet in sheets]))
    except OSError as error:
        raise MachineError(f"write {path}", error.strerror or str(error)) from error


def write_xlsx(results: ResultSet, path: Path, top: int | None = None) -> None:
    """One workload's results as a workbook of its own. Raises ValueError for results put together by hand, which know
    no catalogue, and as :func:`write_workbook`."""
    if results.basis is None:
        raise ValueError("results without a basis have no sources")
    plan = Plan(id=results.profile.id, name=results.profile.name, profiles=(results.profile,))
    sheets = sheets_of(plan, {results.profile.id: results}, results.basis.catalogue, date.today(), top)
    write_workbook(sheets, path)
