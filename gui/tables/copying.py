"""The table as text: tab-separated, CSV or Markdown, exactly the rows and columns shown."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence

from core.comparison.result import CandidateResult
from gui.charts.figure.shown import reason_text
from gui.tables.candidates.columns import Column

Grid = list[list[str]]


def grid_of(columns: Sequence[Column], rows: Sequence[CandidateResult]) -> Grid:
    """Header and cells; a column with a range gives two, and the reason for rejection comes last."""
    header: list[str] = []
    for column in columns:
        header += (
            [column.title, "Where" if column.key == "candidate" else f"{column.title}, 80 % range"]
            if _has_detail(column)
            else [column.title]
        )
    grid = [[*header, "Rejected because"]]
    for row in rows:
        cells: list[str] = []
        for column in columns:
            cell = column.cell(row)
            cells += [cell.text, cell.detail] if _has_detail(column) else [cell.text]
        grid.append([*cells, reason_text(row)])
    return grid


def _has_detail(column: Column) -> bool:
    return column.detail_px > 0 or column.key == "candidate"


def as_tsv(grid: Grid) -> str:
    """Tab-separated, which spreadsheets paste as cells."""
    return _separated(grid, "\t")


def as_csv(grid: Grid) -> str:
    """Comma-separated."""
    return _separated(grid, ",")


def _separated(grid: Grid, separator: str) -> str:
    out = io.StringIO()
    csv.writer(out, delimiter=separator, lineterminator="\n").writerows(grid)
    return out.getvalue()


def as_markdown(grid: Grid) -> str:
    """A Markdown table; pipes in cells are escaped."""
    lines = ["| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in grid]
    lines.insert(1, "|" + " --- |" * len(grid[0]))
    return "\n".join(lines) + "\n"


FORMATS = {"Copy table": as_tsv, "Copy as CSV": as_csv, "Copy as Markdown": as_markdown}
