"""``make calibrate``: every piece fitted on all shipped rows; coefficients and ranges written where the app reads."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from core import paths
from core.calibration.studies.accuracy import cross_validated, residuals_of_split, spread_table
from core.calibration.studies.accuracy_page import N_WORKERS
from core.calibration.studies.shipped_studies import PIECES, shipped_study
from core.calibration.studies.spreads import write_spread
from core.throughput.parameters import shipped_parameters, write_parameters


def main(arguments: Sequence[str] | None = None) -> None:
    """Refits the pieces asked for, then the ranges of all."""
    parser = argparse.ArgumentParser(prog="make calibrate", description=__doc__)
    parser.add_argument("pieces", nargs="*", help=f"of {', '.join(PIECES)}; all without any")
    parser.add_argument("--ranges-only", action="store_true", help="leave the coefficients as they are")
    asked = parser.parse_args(arguments)
    folder = paths.resources() / "engine"
    if not asked.ranges_only:
        for piece in asked.pieces or PIECES:
            refit(piece, folder / f"{piece}.json")
    studies = cross_validated(PIECES, N_WORKERS)
    write_spread(folder / "spread.json", spread_table(studies), residuals_of_split(studies, "source"))
    sys.stdout.write(f"{folder.name}/spread.json: ranges of {', '.join(PIECES)}\n")


def refit(piece: str, file: Path) -> None:
    """Writes the coefficients of a piece fitted on all its rows, keeping the file's note."""
    study = shipped_study(piece)
    fitted = study.fit(np.ones(len(study.rows), dtype=np.bool_))
    write_parameters(file, fitted, json.loads(file.read_text("utf-8"))["note"])
    shipped_parameters.cache_clear()  # the pieces that follow read what was written
    sys.stdout.write(
        f"{file.parent.name}/{file.name}: {len(fitted.fitted)} coefficients from {len(study.rows)} values\n"
    )


if __name__ == "__main__":
    main()
