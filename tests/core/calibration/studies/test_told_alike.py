"""Rows that nothing told sets apart: their middle, by hand."""

from __future__ import annotations

import numpy as np
import pytest

from core.calibration.studies.accuracy_page import with_floor
from core.calibration.studies.cross_validation import OutOfFold
from core.calibration.studies.study import StudyRow
from core.calibration.studies.told_alike import FEWEST, floor_lines, middle_of_alike

METRIC = "tokens_per_s_per_chip"


def _rows(measured: list[float], predicted: list[float], sources: str) -> OutOfFold:
    rows = tuple(StudyRow(s, "chip", "dense", METRIC, value) for s, value in zip(sources, measured, strict=True))
    likely = np.array(predicted)
    return OutOfFold(rows, tuple(sources), likely, likely)


def test_the_middle_is_of_one_publisher_and_one_prediction() -> None:
    """5 and 20 have the middle 10; another publisher, another prediction and no prediction stand alone."""
    rows = _rows([5.0, 20.0, 7.0, 7.0, 7.0], [8.0, 8.0, 8.0, 9.0, np.nan], "aabaa")
    assert middle_of_alike(rows) == pytest.approx([10.0, 10.0, np.nan, np.nan, np.nan], nan_ok=True)


def test_a_line_counts_only_rows_told_alike_and_scores_the_engine_on_the_same() -> None:
    measured = [5.0, 20.0] * (FEWEST // 2) + [100.0]
    rows = _rows(measured, [8.0] * FEWEST + [1.0], "a" * (FEWEST + 1))
    (line,) = floor_lines("training", rows, ["dense"] * (FEWEST + 1))
    assert (line.middle.n, line.engine.n) == (FEWEST, FEWEST)
    assert (line.middle.median_pct, line.engine.median_pct) == (pytest.approx(75.0), pytest.approx(60.0))
    assert floor_lines("training", rows, ["dense"] * (FEWEST - 1) + ["moe", "moe"]) == []


def test_the_table_is_renewed_in_place() -> None:
    rows = _rows([5.0, 20.0] * FEWEST, [8.0] * 2 * FEWEST, "a" * 2 * FEWEST)
    lines = floor_lines("training", rows, ["dense"] * 2 * FEWEST)
    page = "before\n<!-- rows told alike -->\n| stale |\n|---|\n\nafter\n"
    once = with_floor(page, lines)
    assert "| Training, tokens/s | dense | 20 | 75.0 | 100.0 | 60.0 | 60.0 |" in once
    assert "stale" not in once
    assert with_floor(once, lines) == once
    assert with_floor(page, ()) == page
