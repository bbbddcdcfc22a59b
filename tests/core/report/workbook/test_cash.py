"""Cash by month of hardware that is bought: a changed input moves the months that it belongs to, and no others."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from openpyxl import load_workbook
from openpyxl.workbook import Workbook

from core.catalogue.catalogue import Catalogue
from core.comparison.evaluate import evaluate
from core.comparison.result import CandidateResult
from core.comparison.together.due import MAINTENANCE, PURCHASE, RESALE, by_period, dues
from core.comparison.together.plan_answer import PlanAnswer, answer_of
from core.cost.parts.hardware import PART, hardware_split, months_held
from core.plan.plan import Plan
from core.report.workbook.bills import Bills, add_bill
from core.report.workbook.write import sheets_of, write_workbook
from core.workload.library import more_profiles
from tests.core.report.conftest import TODAY
from tests.core.report.workbook.spreadsheet import Calculator

SHEET, INPUTS, TOGETHER = "Cash by month", "Bill inputs", "All together (USD)"


@pytest.fixture(scope="module")
def bank(catalogue: Catalogue) -> tuple[Plan, PlanAnswer]:
    profile = more_profiles()["bank-on-premises"]
    answer = answer_of([evaluate(profile, catalogue)])
    assert answer is not None
    return Plan(id="bank", name="Bank", profiles=(profile,)), answer


@pytest.fixture(scope="module")
def book(bank: tuple[Plan, PlanAnswer], catalogue: Catalogue, tmp_path_factory: pytest.TempPathFactory) -> Workbook:
    path: Path = tmp_path_factory.mktemp("book") / "bank.xlsx"
    plan, _ = bank
    write_workbook(sheets_of(plan, {"bank-on-premises": evaluate(plan.profiles[0], catalogue)}, catalogue, TODAY), path)
    return load_workbook(path)


@pytest.fixture
def pick(bank: tuple[Plan, PlanAnswer]) -> CandidateResult:
    return bank[1].picks[0].pick


def cell_of(book: Workbook, name: str) -> tuple[str, str]:
    """The first input of that name, which is the pick's."""
    line = next(n for n, row in enumerate(book[INPUTS].iter_rows(), 1) if row[3].value == name)
    return INPUTS, f"E{line}"


def months(calculator: Calculator) -> dict[date, float]:
    """USD of each month, without the sum."""
    days = [row[0].value for row in calculator.book[SHEET].iter_rows(min_row=3, max_col=1)][:-1]
    return {day.date(): usd for day, usd in zip(days, calculator.column(SHEET, TOGETHER), strict=False)}


def moved(book: Workbook, name: str, factor: float) -> dict[date, float]:
    """By how much each month moves with an input, of those that move by a cent at least."""
    where = cell_of(book, name)
    changed = Calculator(book, {where: book[where[0]][where[1]].value * factor})
    before, after = months(Calculator(book)), months(changed)
    return {day: after[day] - before[day] for day in before if abs(after[day] - before[day]) > 0.01}


def test_months_are_what_is_due(book: Workbook, bank: tuple[Plan, PlanAnswer]) -> None:
    due = {date(*month, 1): usd for month, usd in by_period(dues(bank[1].picks, 0.0, 0.0), 1).items()}
    told = months(Calculator(book))
    assert {day: usd for day, usd in told.items() if usd} == {
        day: pytest.approx(usd, abs=0.02) for day, usd in due.items()
    }
    calculator = Calculator(book)
    total = [one for one in calculator.column("Verdict", "Total (USD)") if isinstance(one, float)][-1]
    assert calculator.column(SHEET, TOGETHER)[len(told)] == pytest.approx(total - bank[1].capital_usd, abs=0.02)
    assert "less the cost of capital" in book[SHEET]["A1"].value


def test_what_it_is_worth_moves_the_last_month_alone(book: Workbook, pick: CandidateResult) -> None:
    """The purchase month rose to 324.1 k, and 81.8 k still came back."""
    worth = hardware_split(pick.cost.parts).worth_usd
    assert moved(book, "Worth at the end", 0.0) == {date(2030, 2, 1): pytest.approx(worth, abs=0.02)}


def test_the_price_moves_its_month_and_maintenance(book: Workbook, pick: CandidateResult) -> None:
    split = hardware_split(pick.cost.parts)
    by_month = moved(book, "Price of a server", 1.2)
    assert by_month[date(2027, 2, 1)] == pytest.approx(0.2 * split.bought_usd, rel=0.01)
    assert sum(by_month.values()) == pytest.approx(0.2 * (split.bought_usd + split.maintenance_usd), abs=0.02)


def test_hours_of_people_move_the_months_in_which_they_work(book: Workbook, pick: CandidateResult) -> None:
    """Doubled, an engineer's hour raised the month of the purchase by 44.7 k."""
    by_month = moved(book, "Engineer's hour", 2.0)
    people = pick.cost.part("operations") + pick.cost.part("setting_up")
    assert sum(by_month.values()) == pytest.approx(people, abs=0.05)
    assert max(by_month.values()) < 2500 and len(by_month) > 36


def test_hardware_that_does_not_follow_its_inputs_is_paid_as_evaluated(bank: tuple[Plan, PlanAnswer]) -> None:
    """A bill a dollar off its formula: its months hold the amounts themselves."""
    plan, answer = bank
    one = answer.picks[0].pick
    parts = tuple(replace(part, usd=part.usd + 1.0) if part.id == PART else part for part in one.cost.parts)
    off = replace(one, cost=replace(one.cost, parts=parts))
    bills = Bills()
    results: Any = SimpleNamespace(profile=plan.profiles[0])
    add_bill(bills, results, off)
    split = hardware_split(parts)
    told = [float(bills.payment(plan.profiles[0].id, off, PART, item).text) for item in (PURCHASE, RESALE, MAINTENANCE)]
    assert told == pytest.approx([split.bought_usd, split.worth_usd, split.maintenance_usd])


def test_what_hardware_is_made_of_hangs_on_no_words(bank: tuple[Plan, PlanAnswer]) -> None:
    """Split and formulas were read back from the labels of the bill's inputs: a new word for one made them nothing."""
    plan, answer = bank
    one = answer.picks[0].pick
    parts = tuple(
        replace(part, inputs=tuple((f"Input {at}", told) for at, (_, told) in enumerate(part.inputs)))
        for part in one.cost.parts
    )
    assert hardware_split(parts) == hardware_split(one.cost.parts) and hardware_split(parts).bought_usd > 0
    assert months_held(parts) == months_held(one.cost.parts) > 0
    bills = Bills()
    results: Any = SimpleNamespace(profile=plan.profiles[0])
    add_bill(bills, results, replace(one, cost=replace(one.cost, parts=parts)))
    lives = {row[3]: row[6] for row in bills.parts.rows}
    assert set(lives.values()) == {"yes"} and "Hardware" in lives
