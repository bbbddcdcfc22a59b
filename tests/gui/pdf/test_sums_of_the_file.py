"""Whoever holds the file, a pencil and nothing else: figures worked out again from the texts of the PDF alone.

``tests/core/report/test_sums.py`` does so with the document before it is laid out; here nothing but the file is read.
"""

from __future__ import annotations

import re
from functools import cache
from itertools import accumulate, takewhile

import pytest
from pytestqt.qtbot import QtBot

from core.units import DASH, MINUS, THIN, parse_number, usd
from tests.gui.pdf.placed import lines
from tests.gui.pdf.sample_paper import reader
from tests.gui.sample_session import themes

AMOUNT = re.compile(rf"\$(\d+(?:\.\d+)?(?:{THIN}\d{{3}})*(?:{THIN}[kMB])?)")
Row = list[str]


@pytest.fixture(autouse=True)
def typeface(qtbot: QtBot) -> None:
    themes()


@cache
def text() -> list[Row]:
    """The finance preset line by line, all pages after each other."""
    return [row for page in reader("finance").pages for row in lines(page)]


def below(*head: str) -> list[Row]:
    """The lines below the first one that begins with these cells."""
    place = next(n for n, row in enumerate(text()) if row[: len(head)] == list(head))
    return text()[place:]


def first(name: str, rows: list[Row]) -> Row:
    """The cells beside a name at the left, of the first row that has it."""
    return next(row[1:] for row in rows if row[0] == name)


def number(cell: str) -> float:
    """As printed; a dash is nothing."""
    return 0.0 if cell == DASH else parse_number(cell.replace("+", "").replace(MINUS, "-"))


def numbers(cells: Row) -> list[float]:
    return [number(cell) for cell in cells]


def dollars(cells: Row) -> list[float]:
    return [parse_number(one) for one in AMOUNT.findall(" ".join(cells))]


def quarters() -> list[float]:
    """The bars of page 1: each value stands over its quarter, so that they are read by place, not by line."""
    page = lines(reader("finance").pages[0])
    names = next(row for row in page if row[0].startswith("Q4"))
    foot = page.index(names)
    values = [cell for row in page[:foot] for cell in row if re.fullmatch(rf"[\d{THIN}]+", cell)]
    assert len(names) >= 4
    return sorted(map(number, values[-len(names) - 3 :]))  # with the three counts of 100 draws


def test_page_one_adds_up() -> None:
    """1 the parts of the total, 2 the total of the key figures, 3 the costs of the picks, 4 the cash in all."""
    lead = next(row for row in text() if row[0].startswith("Together they cost"))
    total, *parts = dollars([lead[0].partition(" A month")[0]])
    assert usd(sum(parts)) == usd(total)
    head = next(row for row in text() if row[0] == "Total cost")
    assert dollars(below("Total cost")[2])[0] == total
    (in_all,) = re.findall(rf"([\d{THIN}]+) in all", head[-1])
    assert usd(1000 * number(in_all)) == usd(total)
    rows = below("Pick per workload")
    picks = [dollars(row[:1])[0] for row in rows[: rows.index(next(one for one in rows if "What would" in one[0]))]
             if AMOUNT.fullmatch(row[0]) and "Runner-up" not in row[0]]  # fmt: skip
    assert usd(sum(picks)) == usd(total)


def test_cash_adds_up_in_rows_columns_and_so_far() -> None:
    """5 each row, 6 each month, 7 each quarter, 8 the quarters together, 9 what is paid so far."""
    rows = below("Cash by month and quarter")
    months = next(row for row in rows if row[0] == "$ thousand")
    names = ("Training chips", "Serving chips", "Own staff", "Rounding")
    parts = [numbers(first(name, rows)) for name in names if any(row[0] == name for row in rows)]
    due, so_far = numbers(first("Due", rows)), numbers(first("Paid so far", rows))
    by_quarter = numbers(first("Due in the quarter", rows))
    assert len(due) == len(months) - 1
    assert all(sum(row[:-1]) == row[-1] for row in (*parts, due, by_quarter))
    assert [sum(column) for column in zip(*parts, strict=True)] == due
    assert list(accumulate(due[:-1])) == so_far[:-1] and so_far[-1] == due[-1] == by_quarter[-1]
    spans = [1, *[3] * (len(by_quarter) - 3), len(due) - 2 - 3 * (len(by_quarter) - 3)]
    ends = list(accumulate(spans, initial=0))
    assert [sum(due[a:b]) for a, b in zip(ends, ends[1:], strict=False)] == by_quarter[:-1]


def test_cash_of_page_one_is_that_of_finance() -> None:
    """10 each bar's figure."""
    by_quarter = numbers(first("Due in the quarter", below("Cash by month and quarter")))[:-1]
    assert set(by_quarter) <= set(quarters())


def test_operating_cost_adds_up_down_and_across() -> None:
    """11 each column, 12 each row, 13 what is paid to others and own, 14 with capital cost the whole."""
    rows = below("Operating cost, $ thousand")
    names = ("Committed", "Paid as used", "Own staff", "Rounding")
    parts = [numbers(first(name, rows)[:3]) for name in names if any(row[0] == name for row in rows)]
    opex, capex = first("Operating cost (opex)", rows), first("Capital cost (capex)", rows)
    assert [sum(column) for column in zip(*parts, strict=True)] == numbers(opex[:3])
    assert all(row[0] + row[1] == row[2] for row in (*parts, numbers(opex[:3]), numbers(capex[:3])))
    others, own = numbers(re.findall(rf"[\d{THIN}]+(?= (?:paid|of))", opex[3]))
    assert others + own == number(opex[2]) and own == number(first("Own staff", rows)[2])
    assert number(opex[2]) + number(capex[2]) == number(first("Due", below("Cash by month and quarter"))[-1])


def test_parts_of_each_bill_add_up_to_the_plan() -> None:
    """15 each bill, 16 the plan, 17 the same as on the page of finance."""
    rows = below("How it adds up")
    ends = [n for n, row in enumerate(rows) if row[0] == "Sum"]
    begins = [n for n, row in enumerate(rows) if row[0] == "Part"]
    sums = [number(rows[end][-1]) for end in ends]
    for begin, end, total in zip(begins, ends, sums, strict=True):
        parts = [number(row[-1]) for row in rows[begin + 1 : end] if len(row) >= 3]
        assert sum(parts) == total and len(parts) >= 4
    whole = rows[next(n for n, row in enumerate(rows) if row[0] == "Whole plan") :]
    listed = [number(row[1]) for row in whole[1 : 1 + len(sums)]]
    assert listed == sums and sum(sums) == number(first("Plan", whole)[0])
    assert sums == numbers(first("Operating cost (opex)", text())[: len(sums)])


def test_scenarios_and_swings_differ_from_the_base_by_what_they_say() -> None:
    """18 each scenario against the base, 19 swings sorted by their span."""
    rows = below("Scenarios")
    base = number(first("Base", rows)[2])
    told = [first(name, rows) for name in ("Spot allowed", "60 % use")]
    assert [number(row[2]) - base for row in told] == [number(row[4]) for row in told]
    swings = [row for row in below("Input", "Low")[1:] if len(row) == 7 and row[0] != "Risk"]
    spans = [abs(number(row[4]) - number(row[5])) for row in swings]
    assert len(spans) >= 3 and spans == sorted(spans, reverse=True)


def test_a_day_of_chips_is_chips_times_hours_times_price() -> None:
    """20 a day of work lost, to the digits of the price."""
    told = " ".join(row[0] for row in text())
    [found] = re.findall(rf"Each day of work lost costs ([^:]+): ([\d{THIN}]+) chips × (\d+) h × (\$[\d.]+)\.", told)
    a_day, chips, hours, price = found
    assert number(chips) * float(hours) * dollars([price])[0] == pytest.approx(dollars([a_day])[0], rel=0.005)


def test_each_part_of_a_bill_is_its_formula() -> None:
    """21 chips × hours × price × share at work, 22 chips × idle hours × price, to the thousands that are printed."""
    rows = below("How it adds up")
    for name, words in (("Compute", "Hours held"), ("Idle", "Idle hours")):
        for place, row in enumerate(rows):
            if row[0] == name:
                inputs = " ".join(one[0] for one in takewhile(lambda one: len(one) < 3, rows[place + 1 :]))
                given = dict(re.findall(rf"([A-Z][a-z ]+?) \$?([\d.{THIN}]+)(?:{THIN}h)?(?:;|$| estimate)", inputs))
                product = number(given["Chips"]) * number(given[words]) * number(given["Price per chip hour"])
                share = float(given.get("Share at work", 1))
                assert number(row[-1]) == pytest.approx(product * share / 1000, rel=0.0005, abs=1)


def test_chances_of_the_candidates_sum_to_a_hundred() -> None:
    """23 the chances of a page, those told as under 1 aside."""
    for page in reader("finance").pages[1:3]:
        rows = lines(page)
        end = next(n for n, row in enumerate(rows) if row[0] == "All together")
        begin = next(n for n, row in enumerate(rows) if row[0] == "Candidate")
        shares = [row[5] for row in rows[begin + 1 : end] if len(row) == 7]
        shares += [row[1] for row in rows[begin:end] if "more chip" in row[0]]
        counted = [number(share) for share in shares if share not in (DASH, "<1")]
        assert sum(counted) == pytest.approx(number(rows[end][1]), abs=len(shares) / 2)
