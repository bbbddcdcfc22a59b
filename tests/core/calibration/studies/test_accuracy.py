"""The accuracy page's lines and tables, on the real study of the fewest rows' kind and on made-up lines."""

from __future__ import annotations

import numpy as np
import pytest

from core.calibration.studies import accuracy_page
from core.calibration.studies.accuracy import (
    SPLITS,
    AccuracyLine,
    CrossValidatedStudy,
    accuracy_lines,
    spread_table,
    unseen_ranges,
)
from core.calibration.studies.accuracy_page import as_text, with_tables
from core.calibration.studies.cross_validation import OutOfFold, Score
from core.calibration.studies.shipped_studies import PIECES, shipped_study
from core.calibration.studies.study import StudyRow
from core.throughput.parameters import shipped_parameters

LINE = AccuracyLine(
    "training", "source", "family", "dense", Score(3, 9.5, 20.0, 90.0, 80.0, 1.6), Score(3, 18.0, 66.0, 40.0)
)  # fmt: skip


def _piece() -> CrossValidatedStudy:
    chance = np.random.default_rng(7)
    names = [f"s{n % 6}" for n in range(120)]
    rows = tuple(
        StudyRow(name, f"chip{n % 4}", "dense", "step_time_s" if n % 2 else "tokens_per_s_per_chip", 10.0)
        for n, name in enumerate(names)
    )
    predicted = 10.0 * np.exp(0.2 * chance.standard_normal(len(rows)))
    baseline = np.full(len(rows), 12.0)
    splits = {
        "source": OutOfFold(rows, tuple(names), predicted, baseline),
        "chip": OutOfFold(rows, tuple(row.hardware for row in rows), predicted, baseline),
    }
    return CrossValidatedStudy("training", splits)


def test_lines_cover_families_chips_and_sources_and_keep_every_row() -> None:
    piece = _piece()
    lines = accuracy_lines(piece, spread_table([piece]), {"training": 1.0})
    by = {
        (line.split, line.by): [other for other in lines if (other.split, other.by) == (line.split, line.by)]
        for line in lines
    }
    assert {key: sum(line.score.n for line in found) for key, found in by.items()} == dict.fromkeys(by, 120)
    assert {("source", "family"), ("source", "source"), ("chip", "chip")} <= set(by)
    assert all(line.baseline.median_pct == pytest.approx(20.0) for line in lines)


def test_ranges_hold_the_likely_value_whichever_way_the_metric_turns() -> None:
    piece = _piece()
    out_of_fold = piece.splits["source"]
    low, high = unseen_ranges("training", out_of_fold, spread_table([piece]), {"training": 1.0})
    assert (low <= out_of_fold.predicted).all()
    assert (out_of_fold.predicted <= high).all()


def test_tables_are_made_anew_after_their_marker_and_nothing_else_changes() -> None:
    other = "<!-- table: serving, chip, all -->\n| kept |\n"
    page = f"# A\n\n<!-- table: training, source, family -->\n| old |\n|---|\n\nEnd\n{other}"
    made = with_tables(page, [LINE])
    assert "| dense | 3 | 9.5 | 20.0 | 90.0 | 80.0 | 1.6 | 18.0 | 66.0 |\n\nEnd\n" in made
    assert "old" not in made
    assert made.endswith("| kept |\n")
    assert with_tables(made, [LINE]) == made


def test_text_names_what_was_left_out() -> None:
    text = "\n".join(as_text([LINE]))
    assert "Training, tokens/s, source left out, by family" in text
    assert "dense" in text


LEAST_ROWS, LEAST_GROUPS = {"reinforcement": 70}, {"reinforcement": 1}
"""Of pieces for which little is published."""


def test_what_rows_told_alike_say_is_renewed_only_with_all_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    pages: list[list[str]] = []
    monkeypatch.setattr(accuracy_page, "cross_validated", lambda names, _: [_piece() for _ in names])
    monkeypatch.setattr(accuracy_page, "_floor", lambda piece: ["alike"])
    monkeypatch.setattr(accuracy_page, "floor_table", lambda _: [])
    monkeypatch.setattr(accuracy_page, "rewrite", lambda lines, floor: pages.append(list(floor)))
    accuracy_page.main(["--page"])
    accuracy_page.main(["--page", PIECES[0]])
    accuracy_page.main([])
    assert pages == [["alike"] * len(PIECES), []]


@pytest.mark.parametrize("piece", PIECES)
def test_every_shipped_study_says_something_finite_of_every_row(piece: str) -> None:
    study = shipped_study(piece)
    predicted = study.predict(shipped_parameters(piece))
    assert study.name == piece
    assert len(predicted) == len(study.rows) > LEAST_ROWS.get(piece, 100)
    assert np.isfinite(predicted).all()
    assert (predicted > 0).all()


@pytest.mark.parametrize("piece", PIECES)
def test_every_cut_leaves_groups_whole(piece: str) -> None:
    rows = shipped_study(piece).rows
    for split, grouping in SPLITS[piece].items():
        groups = grouping(rows)
        assert len(groups) == len(rows), split
        assert LEAST_GROUPS.get(piece, 3) < len(set(groups)) < 60, split
