"""A copy of the shipped catalogue that a test may break."""

import csv
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from core.paths import resources

Break = Callable[[str, int, str, str], None]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A catalogue folder of the test's own."""
    return Path(shutil.copytree(resources() / "catalogue", tmp_path / "catalogue"))


@pytest.fixture
def put(folder: Path) -> Break:
    """Writes one cell: table, row as a spreadsheet counts, column, text."""

    def write(table: str, row: int, column: str, text: str) -> None:
        path = folder / f"{table}.csv"
        with path.open(encoding="utf-8", newline="") as file:
            rows = list(csv.reader(file))
        rows[row - 1][rows[0].index(column)] = text
        with path.open("w", encoding="utf-8", newline="") as file:
            csv.writer(file, lineterminator="\n").writerows(rows)

    return write
