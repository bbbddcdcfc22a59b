"""A refit on all shipped rows writes what the app already reads: nobody has set a coefficient by hand since."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from core import paths
from core.calibration.studies import calibrate
from core.calibration.studies.calibrate import refit
from core.calibration.studies.shipped_studies import PIECES
from core.throughput.parameters import read_parameters, shipped_parameters


def test_a_refit_writes_the_shipped_coefficients_again(tmp_path: Path) -> None:
    shipped = paths.resources() / "engine" / "samples.json"
    shutil.copy(shipped, tmp_path / "samples.json")
    refit("samples", tmp_path / "samples.json")
    again, before = read_parameters(tmp_path / "samples.json"), read_parameters(shipped)
    assert {row.name: row.value for row in again.rows} == pytest.approx(
        {r.name: r.value for r in before.rows}, rel=0.02
    )
    assert [row.source for row in again.rows] == [row.source for row in before.rows]


def test_pieces_that_follow_read_what_was_written(tmp_path: Path) -> None:
    """Samples take the attention of training: fitted on the one of before, a second run would tell otherwise."""
    shutil.copy(paths.resources() / "engine" / "reinforcement.json", tmp_path)
    before = shipped_parameters("training")
    refit("reinforcement", tmp_path / "reinforcement.json")
    assert shipped_parameters("training") is not before


@pytest.mark.parametrize(
    ("words", "refitted"),
    [([], list(PIECES)), (["samples"], ["samples"]), (["--ranges-only"], []), (["samples", "--ranges-only"], [])],
)
def test_pieces_that_are_asked_for_are_fitted_and_ranges_always(
    monkeypatch: pytest.MonkeyPatch, words: list[str], refitted: list[str]
) -> None:
    done: list[object] = []
    monkeypatch.setattr(calibrate, "refit", lambda piece, file: done.append(file.stem))
    monkeypatch.setattr(calibrate, "cross_validated", lambda pieces, n_workers: pieces)
    monkeypatch.setattr(calibrate, "spread_table", lambda studies: studies)
    monkeypatch.setattr(calibrate, "residuals_of_split", lambda studies, split: split)
    monkeypatch.setattr(calibrate, "write_spread", lambda file, table, rows: done.append((file.name, table, rows)))
    calibrate.main(words)
    assert done == [*refitted, ("spread.json", PIECES, "source")]
