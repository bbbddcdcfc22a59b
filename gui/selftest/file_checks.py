"""Checks of the files that the program writes: each is written and read back."""

from __future__ import annotations

import csv
import io
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import date
from functools import cache
from pathlib import Path

from core.catalogue.loading import load_catalogue
from core.comparison.evaluate import evaluate
from core.comparison.result import ResultSet
from core.plan.sample_plan import sample_plan
from core.plan.store import load, save
from core.report.document import build
from core.report.tabular import COLUMNS, candidate_csv, write_xlsx
from gui.pdf.writer import write_pdf
from gui.theme.fonts import FAMILY

_TOP = 20


def document() -> tuple[bool, str]:
    """A plan is the same after it was saved and read again."""
    plan = sample_plan()
    with _folder() as folder:
        path = folder / "selftest.roofplan"
        save(plan, path)
        return load(path) == plan, f"saved and read again, {path.stat().st_size:,} bytes"


def csv_table() -> tuple[bool, str]:
    """The candidates as CSV have a header and a row each."""
    rows = list(csv.reader(io.StringIO(candidate_csv(_sample(), _TOP))))
    return [len(row) for row in rows] == [len(COLUMNS)] * (_TOP + 1), f"{len(rows)} rows of {len(rows[0])} columns"


def workbook() -> tuple[bool, str]:
    """The candidates as a workbook hold the numbers of the CSV text."""
    from openpyxl import load_workbook

    with _folder() as folder:
        path = folder / "selftest.xlsx"
        write_xlsx(_sample(), path, _TOP)
        book = load_workbook(path)
    rows = list(book["Candidates"].iter_rows(values_only=True))
    read = [str(row[1]) for row in rows[1:]]
    expected = [result.id for result in _sample().results[:_TOP]]
    return read == expected and "Verdict" in book.sheetnames, f"{len(rows)} rows, {len(book.sheetnames)} sheets"


def pdf() -> tuple[bool, str]:
    """The comparison plan as PDF has pages, its end, and our typeface."""
    with _folder() as folder:
        path = folder / "selftest.pdf"
        write_pdf(build(sample_plan(), _all_results(), load_catalogue(), date.today()), path)
        data = path.read_bytes()
    n_pages = data.count(b"/Type/Page/")
    is_whole = data.startswith(b"%PDF-") and data.rstrip().endswith(b"%%EOF") and FAMILY.encode() in data
    return is_whole and n_pages > 1, f"{n_pages} pages, {len(data):,} bytes"


@cache
def _all_results() -> Mapping[str, ResultSet]:
    catalogue = load_catalogue()
    return {profile.id: evaluate(profile, catalogue) for profile in sample_plan().profiles}


def _sample() -> ResultSet:
    return _all_results()[sample_plan().profiles[0].id]


@contextmanager
def _folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="roofplan-selftest-") as folder:
        yield Path(folder)
