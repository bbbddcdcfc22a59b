"""A refit on all shipped rows writes what the app already reads: nobody has set a coefficient by hand since."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from core import paths
from core.calibration.studies.calibrate import refit
from core.throughput.parameters import read_parameters


def test_a_refit_writes_the_shipped_coefficients_again(tmp_path: Path) -> None:
    shipped = paths.resources() / "engine" / "samples.json"
    shutil.copy(shipped, tmp_path / "samples.json")
    refit("samples", tmp_path / "samples.json")
    again, before = read_parameters(tmp_path / "samples.json"), read_parameters(shipped)
    assert {row.name: row.value for row in again.rows} == pytest.approx(
        {r.name: r.value for r in before.rows}, rel=0.02
    )
    assert [row.source for row in again.rows] == [row.source for row in before.rows]
