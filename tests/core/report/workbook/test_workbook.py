"""The workbook: its formulas come to our totals, follow what a reviewer changes, and hold nothing that a user made."""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import replace
from datetime import date, datetime
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from openpyxl import load_workbook
from openpyxl.workbook import Workbook

from core.catalogue.catalogue import Catalogue
from core.comparison.result import ResultSet
from core.comparison.together.plan_answer import answer_of
from core.plan.plan import Currency, Plan
from core.report.workbook.assumptions import assumptions_sheet
from core.report.workbook.candidates import MOST_ROWS, _left_out
from core.report.workbook.sheet import COUNT, DAY, TEXT, USD, Head, _looks, titles_of
from core.report.workbook.write import sheets_of, write_workbook
from core.units import grouped
from core.workload.jobs.kinds import FineTuning
from core.workload.profile import Profile
from tests.core.report.conftest import TODAY
from tests.core.report.workbook.spreadsheet import Calculator

TOP = 6
SHEETS = ["Verdict", "Candidates", "Cost parts", "Bill inputs", "Cash by month", "Assumptions", "Sources"]


@pytest.fixture(scope="module")
def file(
    plan: Plan, results: dict[str, ResultSet], catalogue: Catalogue, tmp_path_factory: pytest.TempPathFactory
) -> Path:
    path = tmp_path_factory.mktemp("book") / "plan.xlsx"
    write_workbook(sheets_of(plan, results, catalogue, TODAY, TOP), path)
    return path


@pytest.fixture(scope="module")
def book(file: Path) -> Workbook:
    return load_workbook(file)


def total_of(calculator: Calculator) -> float:
    """The last amount of the column of totals in the verdict."""
    return [one for one in calculator.column("Verdict", "Total (USD)") if isinstance(one, float)][-1]


def test_sheets_come_in_their_order(book: Workbook) -> None:
    assert book.sheetnames == SHEETS


def test_a_plan_in_another_currency_says_so_with_its_rate(
    plan: Plan, results: dict[str, ResultSet], catalogue: Catalogue
) -> None:
    euro = Currency(code="EUR", per_usd=0.8637, as_of="2026-11-20")
    words = "Sentences tell money in EUR (1 USD = 0.8637 EUR, typed on 2026-11-20), columns in USD."
    first = sheets_of(plan.model_copy(update={"currency": euro}), results, catalogue, TODAY, TOP)[0]
    assert words in first.above
    assert not any("Sentences" in line for line in sheets_of(plan, results, catalogue, TODAY, TOP)[0].above)


def test_totals_are_ours_to_the_cent(book: Workbook, results: dict[str, ResultSet]) -> None:
    calculator = Calculator(book)
    picks = [one.choice.cost.total.likely for one in results.values() if one.choice]
    amounts = calculator.column("Verdict", "Total (USD)")
    assert amounts[: len(picks)] == [pytest.approx(usd, abs=0.001) for usd in picks]
    answer = answer_of(tuple(results.values()))
    assert answer is not None
    apart = sum(round(usd, 2) for usd in answer.way.apart.each_usd)
    assert total_of(calculator) == pytest.approx(sum(picks) + apart, abs=0.001)


def test_every_candidate_shows_its_own_bill(book: Workbook, results: dict[str, ResultSet]) -> None:
    calculator = Calculator(book)
    ours = [one.cost.total.likely for results_ in results.values() for one in results_.results[:TOP]]
    assert calculator.column("Candidates", "Cost (USD)") == [pytest.approx(usd, abs=0.001) for usd in ours]
    first = results["train"].results[0]
    told = calculator.column("Candidates", "Cost compute (USD)")[0]
    assert told == pytest.approx(first.cost.part("compute"), abs=0.001)


def test_the_total_follows_a_price(book: Workbook, results: dict[str, ResultSet]) -> None:
    rows = [[one.value for one in row] for row in book["Bill inputs"].iter_rows()]
    pick = results["train"].choice
    assert pick is not None
    line = next(n for n, row in enumerate(rows, 1) if row[3] == "Price per chip hour" and row[1] == pick.candidate.name)
    dearer = Calculator(book, {("Bill inputs", f"E{line}"): rows[line - 1][4] * 1.5})
    rent = sum(pick.cost.part(part) for part in ("compute", "idle", "commitment_waste", "interruptions"))
    assert rent > 0
    assert total_of(dearer) - total_of(Calculator(book)) == pytest.approx(0.5 * rent, abs=0.02)
    cash = [one for one in dearer.column("Cash by month", "All together (USD)") if one is not None]
    assert cash[-1] == pytest.approx(sum(cash[:-1])) == pytest.approx(total_of(dearer), abs=0.01)


def test_the_total_follows_hours_of_people(book: Workbook) -> None:
    rows = [[one.value for one in row] for row in book["Bill inputs"].iter_rows()]
    line, before = next((n, row[4]) for n, row in enumerate(rows, 1) if row[3] == "Hours once")
    rate = next(row[4] for row in rows[line:] if row[3] == "Engineer's hour")
    more = Calculator(book, {("Bill inputs", f"E{line}"): before + 8})
    assert total_of(more) - total_of(Calculator(book)) == pytest.approx(8 * rate, abs=0.01)


def test_cash_adds_up_to_the_total(book: Workbook) -> None:
    calculator = Calculator(book)
    amounts = [one for one in calculator.column("Cash by month", "All together (USD)") if one is not None]
    assert amounts[-1] == pytest.approx(total_of(calculator), abs=0.01)
    months = [row[0].value for row in book["Cash by month"].iter_rows(min_row=3, max_col=1)]
    assert all(isinstance(one, datetime) and one.day == 1 for one in months[:-1])


def test_every_part_of_the_bill_follows_its_inputs(book: Workbook) -> None:
    assert set(Calculator(book).column("Cost parts", "Follows its inputs")) == {"yes"}


def test_inputs_say_whether_they_were_entered(book: Workbook) -> None:
    rows = [[one.value for one in row] for row in book["Assumptions"].iter_rows()]
    told = {(row[0], row[2]): row for row in rows}
    tokens = next(row for (name, title), row in told.items() if name == "Train 70B" and row[3] == 1.1e12)
    assert tokens[5] == "entered"
    assert {row[5] for row in rows[1:]} == {"entered", "default", "default, an estimate"}


def test_shares_stand_in_percent_as_forms_have_them() -> None:
    rows = list(assumptions_sheet([Profile(job=FineTuning(padding_share=0.3))]).rows)
    (padding,) = [row for row in rows if row[2] == "Padding"]
    assert tuple(padding[3:7]) == (30.0, "%", "entered", 0.0)


def test_dates_are_dates(book: Workbook) -> None:
    column = Calculator(book).column("Sources", "Read on")
    days = [one for one in column if one is not None]
    assert days and all(isinstance(one, datetime) for one in days)
    assert {one.number_format for row in book["Sources"].iter_rows(min_row=2, min_col=5, max_col=5) for one in row
            if one.value is not None} == {"yyyy-mm-dd"}  # fmt: skip


def test_tables_are_ready_to_read(book: Workbook) -> None:
    for sheet in book.worksheets:
        assert sheet.freeze_panes and sheet.auto_filter.ref, sheet.title
        assert all(9 <= one.width <= 62 for one in sheet.column_dimensions.values())
    amounts = [row[4] for row in book["Cost parts"].iter_rows(min_row=2)]
    assert {one.number_format for one in amounts} == {"#,##0.00"}


def test_names_run_nothing(plan: Plan, results: dict[str, ResultSet], catalogue: Catalogue, tmp_path: Path) -> None:
    """Every formula is one of ours, whatever the workloads are called, in heads too."""
    hostile = '=HYPERLINK("http://example.com")\x07\n@SUM(A1)'
    named = {
        name: replace(one, profile=one.profile.model_copy(update={"name": hostile, "note": "-2+3|cmd' /C calc'!A0"}))
        for name, one in results.items()
    }
    evil = plan.model_copy(update={"name": "+1+1", "profiles": tuple(one.profile for one in named.values())})
    write_workbook(sheets_of(evil, named, catalogue, TODAY, 2), tmp_path / "evil.xlsx")
    cells = [one for sheet in load_workbook(tmp_path / "evil.xlsx") for row in sheet.iter_rows() for one in row]
    formulas = [str(one.value) for one in cells if one.data_type == "f"]
    assert formulas and not [one for one in formulas if "HYPERLINK" in one or "cmd" in one or one.startswith("=1")]
    assert "'=HYPERLINK" in next(str(one.value) for one in cells if "HYPERLINK" in str(one.value))


def formulas_of(book: Workbook) -> list[tuple[str, str]]:
    """Sheet and cell of every formula."""
    return [
        (page.title, one.coordinate) for page in book.worksheets for row in page for one in row if one.data_type == "f"
    ]


def worked_out_by_libreoffice(file: Path, folder: Path) -> Workbook:
    words = ["soffice", f"-env:UserInstallation={(folder / 'user').as_uri()}", "--headless", "--convert-to"]
    kind = "xlsx:Calc MS Excel 2007 XML"
    subprocess.run([*words, kind, "--outdir", str(folder), str(file)], check=True, capture_output=True, timeout=120)
    return load_workbook(folder / file.name, data_only=True)


@pytest.mark.skipif(shutil.which("soffice") is None, reason="LibreOffice is not installed")
def test_libreoffice_comes_to_the_same(file: Path, book: Workbook, tmp_path: Path) -> None:
    """Every formula, as written and with another price: what a reviewer sees who changes one."""
    line = next(row[0].row for row in book["Bill inputs"].iter_rows() if row[3].value == "Price per chip hour")
    before = book["Bill inputs"][f"E{line}"].value
    changed = load_workbook(file)
    changed["Bill inputs"][f"E{line}"] = 2 * before
    changed.save(tmp_path / "changed.xlsx")
    totals = []
    for path, ours in ((file, Calculator(book)), (tmp_path / "changed.xlsx", Calculator(changed))):
        folder = tmp_path / f"out-{path.stem}"
        theirs = worked_out_by_libreoffice(path, folder)
        cells = formulas_of(ours.book)
        assert len(cells) > 100
        told = [theirs[sheet][cell].value for sheet, cell in cells]
        assert told == [pytest.approx(ours.value(sheet, cell), abs=0.005) for sheet, cell in cells]
        totals.append(total_of(Calculator(theirs)))
    assert totals[1] > totals[0]


def test_figures_show_the_digits_that_are_known(book: Workbook) -> None:
    """Speeds of six digits have no decimals, whole numbers no bare point, inputs the digits that a check needs."""
    sheet = book["Bill inputs"]
    formats = {row[3].value: row[4].number_format for row in sheet.iter_rows(min_row=3)}
    assert formats["Chips"] == "0" and formats["Price per chip hour"] in ("0.00", "0.000", "0.0000")
    head = {one.value: one.column for one in book["Candidates"][1]}
    speed = book["Candidates"].cell(2, head["Speed (units of work per s)"])
    assert speed.value > 1000 and speed.number_format == "#,##0"
    assert "#,##0.####" not in {one.number_format for page in book.worksheets for row in page for one in row}


def test_it_prints_on_pages_with_heads(book: Workbook) -> None:
    for page in book.worksheets:
        head = page.freeze_panes[1:].lstrip("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
        assert page.print_title_rows == f"${int(head) - 1}:${int(head) - 1}", page.title
        assert page.page_setup.orientation == "landscape" and page.sheet_properties.pageSetUpPr.fitToPage
        assert page.page_setup.fitToWidth == 1 or page.title == "Candidates"
    assert {one.font.name for page in book.worksheets for row in page for one in row if one.value} == {"Calibri"}


def test_long_texts_are_broken_not_covered(book: Workbook) -> None:
    page = book["Sources"]
    long = [one for row in page.iter_rows(min_row=2) for one in row if isinstance(one.value, str)
            and len(one.value) > page.column_dimensions[one.column_letter].width]  # fmt: skip
    assert long
    assert all(one.alignment.wrap_text and page.row_dimensions[one.row].height > 15 for one in long)


def test_every_month_has_a_row(book: Workbook) -> None:
    """A month in which nothing is due too."""
    days = [row[0].value for row in book["Cash by month"].iter_rows(min_row=3, max_col=1)][:-1]
    assert [(b.year - a.year) * 12 + b.month - a.month for a, b in pairwise(days)] == [1] * (len(days) - 1)


def test_months_end(plan: Plan, results: dict[str, ResultSet], catalogue: Catalogue) -> None:
    """A plan of a thousand years has no thousand rows."""
    serve = results["serve"]
    far = serve.profile.model_copy(
        update={"limits": serve.profile.limits.model_copy(update={"start_date": date(9990, 1, 1)})}
    )
    late = sheets_of(plan, {"serve": replace(serve, profile=far)}, catalogue, TODAY, 1)
    assert len(next(one for one in late if one.title == "Cash by month").rows) < 600


def test_candidates_left_out_and_comments_are_told(
    plan: Plan, results: dict[str, ResultSet], catalogue: Catalogue, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("core.report.workbook.candidates.MOST_ROWS", 2)
    verdict, candidates, *_ = sheets_of(plan.model_copy(update={"note": "Ours"}), results, catalogue, TODAY)
    n_left = [len(one.results) - 2 for one in results.values()]
    assert len(candidates.rows) == 2 * len(results) and min(n_left) > 0
    told = [str(line[2]).partition(" further")[0] for line in candidates.below]
    assert told == [grouped(rest) for rest in n_left]
    assert (plan.name, "Comment", "Ours") in verdict.below


def test_titles_of_sheets_are_what_spreadsheets_take() -> None:
    """Whatever workloads are called: no signs of formulas, 31 letters, each once, none that is taken."""
    names = ["a[b]:c*d?e/f\\g", "'x'", "long " * 20, "long " * 20, "verdict", "\x07", "History", "=1+1"]
    titles = titles_of(names, ["Verdict"])
    assert titles[:2] == ["a b c d e f g", "x"] and titles[5:] == ["\ufffd", "History 007", "=1+1"]
    assert all(0 < len(one) <= 31 for one in titles)
    assert len({one.casefold() for one in [*titles, "Verdict"]}) == len(names) + 1


def test_each_workload_may_have_a_sheet(
    plan: Plan, results: dict[str, ResultSet], catalogue: Catalogue, tmp_path: Path
) -> None:
    """With the totals that follow the inputs, as on the sheet of all."""
    write_workbook(sheets_of(plan, results, catalogue, TODAY, TOP, one_each=True), tmp_path / "each.xlsx")
    book = load_workbook(tmp_path / "each.xlsx")
    assert book.sheetnames == ["Verdict", "Train 70B", "Serve 70B", *SHEETS[2:]]
    ours = [one.cost.total.likely for one in results["serve"].results[:TOP]]
    assert Calculator(book).column("Serve 70B", "Cost (USD)") == [pytest.approx(usd, abs=0.001) for usd in ours]


def test_text_behind_figures_stands_off_and_inputs_have_their_ink() -> None:
    formats = (TEXT, TEXT, USD, TEXT, COUNT, USD, DAY, TEXT)
    looks = _looks([Head(f"{n}", number_format=one, is_input=n == 4) for n, one in enumerate(formats)])
    assert [place.indent if place else 0 for _, place in looks] == [0, 0, 0, 1, 0, 0, 0, 1]
    assert [ink is not None for ink, _ in looks] == [n == 4 for n in range(len(formats))]


@pytest.mark.parametrize(
    ("n_results", "n_feasible", "told"),
    [(MOST_ROWS - 1, 5, ""), (MOST_ROWS, 5, ""), (MOST_ROWS + 1, 5, "1 further candidates (0 keep all limits)"),
     (MOST_ROWS + 20, MOST_ROWS + 7, "20 further candidates (7 keep all limits)")],
)  # fmt: skip
def test_candidates_beyond_the_sheet_are_counted(n_results: int, n_feasible: int, told: str) -> None:
    results: Any = SimpleNamespace(
        results=range(n_results), n_feasible=n_feasible, profile=SimpleNamespace(name="Train 70B")
    )
    lines = [str(line[-1]) for line in _left_out(results)]
    assert len(lines) == bool(told) and all(line.startswith(told) for line in lines)
