"""Formulas stand with what they come to, for whatever shows a workbook without working it out."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

import pytest
from openpyxl import load_workbook
from openpyxl.workbook import Workbook

from core.catalogue.catalogue import Catalogue
from core.comparison.evaluate import evaluate
from core.comparison.result import ResultSet
from core.plan.plan import Plan
from core.report.workbook.cached import with_values
from core.report.workbook.sheet import Formula, Head, Sheet, sum_of
from core.report.workbook.write import sheets_of, write_workbook
from core.workload.library import more_profiles
from tests.core.report.conftest import TODAY
from tests.core.report.workbook.spreadsheet import Calculator


def values_are_those_of_formulas(path: Path) -> int:
    """How many formulas of a file there are, each with its value beside it."""
    book, stored, n = load_workbook(path), load_workbook(path, data_only=True), 0
    calculator = Calculator(book)
    for page in book.worksheets:
        for cell in (one for row in page for one in row if one.data_type == "f"):
            told = stored[page.title][cell.coordinate].value
            worked_out = calculator.value(page.title, cell.coordinate)
            assert told == pytest.approx(worked_out, abs=1e-6, rel=1e-9), f"{page.title}!{cell.coordinate} {cell.value}"
            n += 1
    return n


def test_every_formula_has_the_value_that_it_comes_to(
    plan: Plan, results: dict[str, ResultSet], catalogue: Catalogue, tmp_path: Path
) -> None:
    path = tmp_path / "plan.xlsx"
    write_workbook(sheets_of(plan, results, catalogue, TODAY, 6), path)
    assert values_are_those_of_formulas(path) > 100
    shown = load_workbook(path, data_only=True)
    assert "Total (USD)" in [one.value for row in shown["Verdict"] for one in row]
    assert load_workbook(path).calculation.fullCalcOnLoad, "a spreadsheet still works all of it out"


def test_hardware_of_ones_own_too(catalogue: Catalogue, tmp_path: Path) -> None:
    """Its purchase, worth, maintenance and months are formulas within formulas."""
    profile = more_profiles()["bank-on-premises"]
    plan, path = Plan(id="bank", name="Bank", profiles=(profile,)), tmp_path / "bank.xlsx"
    write_workbook(sheets_of(plan, {profile.id: evaluate(profile, catalogue)}, catalogue, TODAY, 3), path)
    assert values_are_those_of_formulas(path) > 100


def test_only_formulas_of_the_sheet_are_given_values() -> None:
    """Texts that look like cells stay as they are, and a formula without a number stays for the spreadsheet."""
    book, made = Workbook(), BytesIO()
    page = book.active
    page["A1"], page["A2"], page["A3"], page["B1"] = "=1+1", "=2+2", "=3+3", '<c r="A1"><f>x</f><v/>'
    book.create_sheet()["A1"] = "=4+4"
    book.save(made)
    filled = with_values(made.getvalue(), [{"A1": 2.0, "A3": float("nan")}])
    shown = load_workbook(BytesIO(filled), data_only=True)
    first, second = shown.worksheets
    assert [first[cell].value for cell in ("A1", "A2", "A3", "B1")] == [2, None, None, '<c r="A1"><f>x</f><v/>']
    assert second["A1"].value is None
    assert [one.filename for one in ZipFile(BytesIO(filled)).infolist()] == ZipFile(made).namelist()
    assert load_workbook(BytesIO(filled)).worksheets[0]["A1"].value == "=1+1"


def test_a_sheet_tells_where_its_formulas_stand() -> None:
    rows = [("a", Formula("1+1", 2.0)), ("b", 3.0)]
    sheet = Sheet("S", [Head("Name"), Head("Sum")], rows, above=("told",), total=("", Formula("SUM(B3:B4)", 5.0)))
    assert sheet.values == {"B3": 2.0, "B5": 5.0}
    assert sum_of([Formula("1+1", 2.0), 3, True, "4", None]) == 5.0
