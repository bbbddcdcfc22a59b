"""A table as text, from the cells that are shown: tab-separated, CSV or Markdown."""

from __future__ import annotations

from core.report.spreadsheet import clean, separated

Grid = list[list[str]]


def as_tsv(grid: Grid) -> str:
    """Tab-separated, which spreadsheets paste as cells."""
    return separated(grid, "\t")


def as_csv(grid: Grid) -> str:
    """Comma-separated."""
    return separated(grid)


def as_markdown(grid: Grid) -> str:
    """A Markdown table; pipes in cells are escaped."""
    lines = ["| " + " | ".join(clean(cell).replace("|", "\\|") for cell in row) + " |" for row in grid]
    lines.insert(1, "|" + " --- |" * len(grid[0]))
    return "\n".join(lines) + "\n"


FORMATS = {"Copy table": as_tsv, "Copy as CSV": as_csv, "Copy as Markdown": as_markdown}
