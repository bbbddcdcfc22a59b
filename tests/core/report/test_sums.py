"""Whoever holds the paper, a pencil and nothing else: figures worked out again from what is printed."""

from __future__ import annotations

import re
from datetime import date, timedelta
from itertools import accumulate

import pytest

from core.comparison.evaluate import evaluate
from core.plan.plan import Scenario
from core.report.blocks import Document, KeyFigures, KpiTable, Paragraph, Periods, Section, Table
from core.report.document import PRESETS, build
from core.report.pages.finance.early_end import Commitment
from core.units import DASH, MINUS, THIN, parse_number, usd
from tests.core.report.conftest import TODAY

AMOUNT = re.compile(rf"\$(\d+(?:\.\d+)?(?:{THIN}\d{{3}})*(?:{THIN}[kMB])?)")


@pytest.fixture(scope="module")
def paper(plan, results, catalogue) -> Document:
    more = plan.model_copy(
        update={
            "scenarios": (*plan.scenarios, Scenario(id="s", name="Less", overrides={"profiles.0.job.n_tokens": 8e11}))
        }
    )
    return build(more, results, catalogue, TODAY, PRESETS["finance"])


def page(paper: Document, name: str) -> Section:
    return next(section for section in paper.sections if section.id == name)


def block(section: Section, kind: type):
    return next(one for one in section.blocks if isinstance(one, kind))


def headed(section: Section, start: str) -> Table:
    tables = (one for one in section.blocks if isinstance(one, Table))
    return next(one for one in tables if one.columns[0].title.startswith(start))


def number(text: str) -> float:
    """As printed; a dash is nothing."""
    clean = text.replace("+", "").replace(MINUS, "-")
    return 0.0 if text in (DASH, "") else parse_number(clean)


def dollars(text: str) -> list[float]:
    return [parse_number(one) for one in AMOUNT.findall(text)]


def rows_of(table: Table) -> dict[str, list[str]]:
    return {row[0].text: [cell.text for cell in row[1:]] for row in table.rows}


def test_the_first_page_adds_up(paper: Document) -> None:
    """1 the total of the lead, 2 that of the key figure, 3 that of the picks, 4 that of the quarters."""
    first = page(paper, "plan")
    lead = next(one.text for one in first.blocks if isinstance(one, Paragraph) and one.style == "lead")
    total, *parts = dollars(lead.split(". A month")[0])
    figures = block(first, KeyFigures)
    assert usd(sum(parts)) == usd(total) == figures.items[0].value
    picks = [dollars(row.kpis[0].value)[0] for row in block(first, KpiTable).rows]
    assert usd(sum(picks)) == usd(total)
    quarters = [number(bar.value) for bar in figures.bars]
    (in_all,) = re.findall(rf"([\d{THIN}]+) in all", figures.title)
    assert sum(quarters) == number(in_all) and usd(1000 * sum(quarters)) == usd(total)


def test_cash_adds_up_in_rows_columns_quarters_and_so_far(paper: Document) -> None:
    """5 each row, 6 each month, 7 each quarter, 8 the quarters together, 9 what is paid so far, 10 the bars."""
    cash = block(page(paper, "finance"), Periods)
    *parts, due = cash.rows
    for row in cash.rows:
        assert sum(map(number, row.values)) == number(row.total), row.name
    months = [sum(number(row.values[place]) for row in parts) for place in range(len(cash.periods))]
    assert months == [number(value) for value in due.values]
    ends = [0, *accumulate(count for _, count in cash.groups)]
    quarters = [sum(months[first:last]) for first, last in zip(ends, ends[1:], strict=False)]
    assert cash.group_row is not None and quarters == [number(value) for value in cash.group_row.values]
    assert sum(quarters) == number(cash.group_row.total) == number(due.total)
    assert cash.last is not None and list(accumulate(months)) == [number(value) for value in cash.last.values]
    assert [share * max(months) for share in cash.shares] == pytest.approx(months)


def test_cash_of_the_first_page_is_that_of_finance(paper: Document) -> None:
    """11 quarters of two pages."""
    bars = block(page(paper, "plan"), KeyFigures).bars
    cash = block(page(paper, "finance"), Periods)
    assert cash.group_row is not None
    assert [number(bar.value) for bar in bars] == [number(value) for value in cash.group_row.values]


def test_operating_cost_adds_up_down_and_across(paper: Document) -> None:
    """12 each column, 13 each row, 14 paid to others and own, 15 the whole."""
    finance = page(paper, "finance")
    rows = rows_of(headed(finance, "Operating cost"))
    opex, capex = rows.pop("Operating cost (opex)"), rows.pop("Capital cost (capex)")
    for place in range(len(opex) - 2):
        assert sum(number(row[place]) for row in rows.values()) == number(opex[place])
    assert all(sum(map(number, row[:-2])) == number(row[-2]) for row in (*rows.values(), opex, capex))
    others, own = (number(one) for one in re.findall(rf"[\d{THIN}]+(?= (?:paid|of))", opex[-1]))
    assert others + own == number(opex[-2]) and own == number(rows["Own staff"][-2])
    assert number(opex[-2]) + number(capex[-2]) == number(block(finance, Periods).rows[-1].total)


def test_parts_of_each_bill_add_up_to_its_pick_and_the_picks_to_the_plan(paper: Document) -> None:
    """16 each bill, 17 the plan, 18 the same as on the pages before."""
    sums = page(paper, "sums")
    *bills, whole = (one for one in sums.blocks if isinstance(one, Table))
    totals = []
    for bill in bills:
        *parts, total = (number(row[-1].text) for row in bill.rows)
        assert sum(parts) == total
        totals.append(total)
    *listed, plan_total = (number(row[-1].text) for row in whole.rows)
    assert listed[: len(totals)] == totals and sum(listed) == plan_total
    opex = rows_of(headed(page(paper, "finance"), "Operating cost"))["Operating cost (opex)"]
    assert [number(one) for one in opex[: len(totals)]] == totals and number(opex[-2]) == plan_total


def test_scenarios_and_swings_differ_from_the_base_by_what_they_say(paper: Document) -> None:
    """19 each scenario against the base, 20 each swing sorted by its span, the base within it, 21 its bar."""
    risk = page(paper, "risk")
    base, *others = headed(risk, "Scenario").rows
    assert others
    for row in others:
        assert number(row[3].text) - number(base[3].text) == number(row[5].text)
    swings = headed(risk, "Input").rows
    told = [[number(base[3].text), *(number(cell.text) for cell in row[4:6])] for row in swings]
    spans = [max(one) - min(one) for one in told]
    assert spans == sorted(spans, reverse=True)
    reach = max(abs(number(cell.text) - number(base[3].text)) for row in swings for cell in row[4:6])
    for row in swings:
        ends = [number(cell.text) - number(base[3].text) for cell in row[4:6]]
        assert row[6].swing == pytest.approx([end / reach for end in ends])


def test_a_day_of_chips_is_chips_times_hours_times_price(paper: Document) -> None:
    """22 a day of work lost, to the digits of the price."""
    texts = [one.text for one in page(paper, "finance").blocks if isinstance(one, Paragraph)]
    (told,) = [text for text in texts if "Each day of work lost costs" in text]
    chips, hours = re.search(rf"([\d{THIN}]+) chips? × (\d+) h", told).groups()
    a_day, price = dollars(told.partition("Each day")[2])
    assert number(chips) * float(hours) * price == pytest.approx(a_day, rel=0.005)


def test_chances_of_the_candidates_sum_to_a_hundred(paper: Document) -> None:
    """23 the chances of a page, those told as under 1 aside."""
    for section in paper.sections:
        if section.id == "candidates":
            *rows, total = headed(section, "Candidate").rows
            shares = [row[5].text for row in rows if row[5].text not in (DASH, "<1")]
            assert sum(map(float, shares)) == pytest.approx(float(total[5].text), abs=len(rows) / 2)


def test_what_an_early_end_loses_falls_with_each_day() -> None:
    """24 the rest of a term, from its first day to its last."""
    begins = date(2027, 2, 19)
    year = Commitment("A year", begins, begins + timedelta(days=365), 365, 179)
    assert [year.lost(begins + timedelta(days=n)) for n in (-1, 0, 73, 364, 365)] == [0, 179, 143, 0, 0]
    months = Commitment("Months", begins, begins + timedelta(days=90), 30, 90)
    assert [months.lost(begins + timedelta(days=n)) for n in (0, 29, 30, 31, 89)] == [30, 1, 0, 29, 1]


def test_a_capacity_block_is_paid_ahead_and_lost(plan, catalogue) -> None:
    """25 all of it in the month in which it is reserved, and what is left of it whenever the plan ends."""
    train = plan.profiles[0]
    places = train.places.model_copy(update={"purchase_models": ("capacity_block",)})
    limits = train.limits.model_copy(update={"deadline_days": 90.0})
    asked = train.model_copy(update={"places": places, "limits": limits})
    results = {train.id: evaluate(asked, catalogue)}
    blocked = plan.model_copy(update={"profiles": (asked,)})
    paper = build(blocked, results, catalogue, TODAY, PRESETS["finance"])
    finance = page(paper, "finance")
    months = block(finance, Periods)
    chips = next(row for row in months.rows if row.name == "Training chips")
    assert number(chips.values[0]) == number(chips.total) > 0, "due when it is reserved, not while it runs"
    kinds = headed(finance, "Operating cost")
    [committed] = [row for row in kinds.rows if row[0].text == "Committed"]
    assert committed[1].text == chips.total and "capacity block, paid ahead" in committed[-1].text
    lost = headed(finance, "Lost when all work ends on")
    [row] = [[cell.text for cell in row] for row in lost.rows]
    assert "paid ahead" in row[0] and row[1] == chips.total == row[2]
    assert number(row[1]) > number(row[3]) > number(row[4]) > 0
    steps = rows_of(headed(page(paper, "risk"), "When"))
    told = [cells for cells in steps.values() if "paid ahead, on" in cells[0]]
    assert [cells[1] for cells in told] == [chips.total]


def test_months_that_find_no_room_stand_among_the_sums(plan, catalogue) -> None:
    """26 of a service of 36 months: each month, which add up to the total, and quarters in their place on page one of
    finance."""
    serve = plan.profiles[1]
    long = serve.model_copy(update={"job": serve.job.model_copy(update={"months": 36.0})})
    served = plan.model_copy(update={"profiles": (long,)})
    results = {long.id: evaluate(long, catalogue)}
    paper = build(served, results, catalogue, TODAY, PRESETS["finance"])
    finance, sums = page(paper, "finance"), page(paper, "sums")
    assert len(block(finance, Periods).periods) < 18
    told = [one.text for one in finance.blocks if isinstance(one, Paragraph)]
    assert "Cash by quarter" in told and any("Each month stands under How it adds up" in one for one in told)
    *years, last = sums.blocks[-1].rows
    assert [len(row) for row in years] == [14] * len(years) and years[0][0].text == "2026"
    months = [number(cell.text) for row in years for cell in row[1:-1]]
    assert sum(units > 0 for units in months) in (36, 37, 38)
    assert all(sum(number(cell.text) for cell in row[1:-1]) == number(row[-1].text) for row in years)
    assert sum(months) == number(last[-1].text) > 0
    by_quarter = block(finance, Periods)
    assert by_quarter.rows[-1].total == last[-1].text
    alone = build(served, results, catalogue, TODAY, ("finance",))
    told = [one.text for one in page(alone, "finance").blocks if isinstance(one, Paragraph)]
    assert any("Each month stands in the workbook." in one for one in told)


def test_a_run_of_weeks_gets_no_story_of_years(plan, catalogue) -> None:
    """Neither pages of buying, nor months in which nothing is due, nor lists of months."""
    train = plan.profiles[0]
    short = train.model_copy(update={"job": train.job.model_copy(update={"n_tokens": 4e11})})
    asked = plan.model_copy(update={"profiles": (short,)})
    results = {short.id: evaluate(short, catalogue)}
    pick = results[short.id].choice
    assert pick is not None and pick.run_h.likely / 24 < 20
    paper = build(asked, results, catalogue, TODAY)
    assert "cash" not in [section.id for section in paper.sections]
    assert len(block(page(paper, "finance"), Periods).periods) <= 2
    headings = [one.text for one in page(paper, "sums").blocks if isinstance(one, Paragraph)]
    assert "Due by month" not in headings
    words = " ".join(one.text for section in paper.sections for one in section.blocks if isinstance(one, Paragraph))
    assert "36 months" not in words and "3-year" not in words
