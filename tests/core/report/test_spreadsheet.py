"""What a spreadsheet gets: text that is no formula, numbers that are numbers, no character that breaks a file."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from openpyxl import Workbook, load_workbook

from core.report.spreadsheet import cell, clean, separated

FORMULAS = [
    "=1+1",
    "+1+cmd|' /C calc'!A0",
    "-2+3",
    "@SUM(A1)",
    "\t=1",
    "\r=1",
    "\n=1",
    " =1",
    "\uff1d1",
    "=",
    "-",
    "--5",
]


@pytest.mark.parametrize("text", FORMULAS)
def test_text_that_would_run_is_disarmed(text: str) -> None:
    written = cell(text)
    assert isinstance(written, str) and written.startswith("'")


@pytest.mark.parametrize(
    "value", [-5, 1.5, None, True, "-5", "+12.5 %", "-1,234.5", "-1e-5", "-3\u202f%", "\u22125", "a=b", ""]
)
def test_numbers_and_plain_words_stay(value: object) -> None:
    assert cell(value) == value  # type: ignore[arg-type]


@given(st.text())
def test_any_text_can_be_written_and_read_again(text: str) -> None:
    written = separated([[text, "x"]])
    assert list(csv.reader(io.StringIO(written, newline=""))) == [[cell(text), "x"]]
    written.encode("utf-8")
    assert clean(clean(text)) == clean(text)


def test_a_workbook_takes_every_character(tmp_path: Path) -> None:
    everything = "".join(map(chr, [*range(0x2100), 0xD800, 0xDFFF, 0xFFFE, 0xFFFF]))
    book = Workbook()
    book.active.append([cell(everything)])
    book.save(tmp_path / "all.xlsx")
    assert load_workbook(tmp_path / "all.xlsx").active["A1"].value
