"""``make accuracy``: the figures as text, as JSON, and as the tables of ACCURACY.md, all from one run."""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from core.calibration.studies.accuracy import (
    BASELINES,
    AccuracyLine,
    CrossValidatedStudy,
    accuracy_lines,
    cross_validated,
    line_names,
    residuals_of_split,
    spread_table,
)
from core.calibration.studies.cross_validation import Score
from core.calibration.studies.shipped_ranges import shipped_ranges, with_shipped_ranges
from core.calibration.studies.shipped_studies import PIECES
from core.calibration.studies.spreads import coverage_factors
from core.calibration.studies.told_alike import FloorLine, floor_lines

PAGES = ("ACCURACY.md", "README.md")
N_WORKERS = 2
TITLES = {
    "training": "Training, tokens/s",
    "serving": "Serving",
    "samples": "Work in samples/s",
    "finetune": "Fine-tuning",
    "reinforcement": "Reinforcement learning, a step",
}
_HEAD = "| {} | values | median | p90 | within 20 % | in 80 % range | high / low | plain rule: median | p90 |"
_RULE = "|---|---:|---:|---:|---:|---:|---:|---:|---:|"
_FLOOR_MARK = "<!-- rows told alike -->"
_FLOOR_HEAD = "| work | line | rows told alike | their middle: median | p90 | the engine: median | p90 |"
_FLOOR_RULE = "|---|---|---:|---:|---:|---:|---:|"


def main(arguments: Sequence[str] | None = None) -> None:
    """Judges the pieces and prints every line; writes JSON or the page's tables where asked."""
    parser = argparse.ArgumentParser(prog="make accuracy", description=__doc__)
    parser.add_argument("pieces", nargs="*", default=list(PIECES), help=f"of {', '.join(PIECES)}; all without any")
    parser.add_argument("--json", type=Path, help="file that receives every line")
    parser.add_argument("--page", action="store_true", help=f"rewrite the tables of {PAGES[0]}")
    asked = parser.parse_args(arguments)
    studies = cross_validated(asked.pieces or list(PIECES), N_WORKERS)
    lines, floor = all_lines(studies), [line for piece in studies for line in _floor(piece)]
    sys.stdout.write("\n".join([*as_text(lines), "", *floor_table(floor)]) + "\n")
    if asked.json:
        asked.json.write_text(json.dumps([asdict(line) for line in lines], indent=1), "utf-8")
    if asked.page:
        rewrite(lines, floor if len(studies) == len(PIECES) else ())


def rewrite(lines: Sequence[AccuracyLine], floor: Sequence[FloorLine]) -> None:
    """Renews the tables of the pages, which lie where the command is run."""
    for page in map(Path, PAGES):
        text = with_floor(with_tables(page.read_text("utf-8"), lines), floor)
        page.write_text(with_shipped_ranges(text, shipped_ranges()), "utf-8")


def _floor(piece: CrossValidatedStudy) -> list[FloorLine]:
    return floor_lines(piece.name, piece.splits["source"], line_names(piece))


def all_lines(studies: Sequence[CrossValidatedStudy]) -> list[AccuracyLine]:
    """Every line of the pieces, ranges fitted without the rows they are held against."""
    table = spread_table(studies)
    factors = coverage_factors(residuals_of_split(studies, "source"), table)
    return [line for piece in studies for line in accuracy_lines(piece, table, factors)]


def as_text(lines: Sequence[AccuracyLine]) -> list[str]:
    """Lines for a reader: one a row, the plain rule on the same rows beside it."""
    head = f"{'':44}{'n':>6}{'median':>8}{'p90':>8}{'in 20 %':>9}{'in range':>9}{'ratio':>7}{'plain':>9}{'p90':>8}"
    text, last = [], ("", "", "")
    for line in lines:
        if (line.piece, line.split, line.by) != last:
            last = (line.piece, line.split, line.by)
            text += ["", f"{TITLES[line.piece]}, {line.split} left out, by {line.by}", head]
        text.append(f"  {line.name[:42]:42}{line.score.n:6}" + "".join(_padded(line)))
    return [*text, "", "Errors in percent of the measured value. Plain rules: " + _rules() + "."]


def _padded(line: AccuracyLine) -> list[str]:
    return [f"{cell:>{width}}" for cell, width in zip(cells(line), (8, 8, 9, 9, 7, 9, 8), strict=True)]


def _rules() -> str:
    return "; ".join(f"{piece}: {rule}" for piece, rule in BASELINES.items())


def cells(line: AccuracyLine) -> list[str]:
    """Figures of a line after its count, a dash where there is none."""
    own, plain = line.score, line.baseline
    values = (
        own.median_pct,
        own.p90_pct,
        own.within_20_pct,
        own.coverage_pct,
        own.ratio,
        plain.median_pct,
        plain.p90_pct,
    )
    return ["-" if value is None else f"{value:.1f}" for value in values]


def with_tables(page: str, lines: Sequence[AccuracyLine]) -> str:
    """The page with the table after each marker ``<!-- table: piece, split, by -->`` made anew.

    Tables of pieces that were not asked for stay as they are.
    """

    def made(marker: re.Match[str]) -> str:
        piece, rest = marker["key"].split(", ", 1)
        split, by = rest.rsplit(", ", 1)
        chosen = [line for line in lines if (line.piece, line.split, line.by) == (piece, split, by)]
        if not chosen:
            return marker[0]
        rows = [f"| {line.name} | {line.score.n} | {' | '.join(cells(line))} |" for line in chosen]
        return "\n".join([marker["mark"], _HEAD.format(by), _RULE, *rows]) + "\n"

    return re.sub(r"(?P<mark><!-- table: (?P<key>[^>]*) -->)\n(?:\|[^\n]*\n)*", made, page)


def with_floor(page: str, lines: Sequence[FloorLine]) -> str:
    """The page with the table of rows told alike made anew; as it was without any lines."""
    made = "\n".join([_FLOOR_MARK, *floor_table(lines)]) + "\n"
    return re.sub(rf"{_FLOOR_MARK}\n(?:\|[^\n]*\n)*", lambda _: made, page) if lines else page


def floor_table(lines: Sequence[FloorLine]) -> list[str]:
    """Rows of the table: errors of the middle of rows told alike, and the engine's on the same rows, in percent."""
    rows = [
        f"| {TITLES[line.piece]} | {line.name} | {line.middle.n} | {_two(line.middle)} | {_two(line.engine)} |"
        for line in lines
    ]
    return [_FLOOR_HEAD, _FLOOR_RULE, *rows]


def _two(of: Score) -> str:
    return f"{of.median_pct:.1f} | {of.p90_pct:.1f}"


if __name__ == "__main__":
    main()
