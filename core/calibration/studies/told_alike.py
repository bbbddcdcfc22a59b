"""Where the floor of the error lies: rows that tell the engine the same, and yet were measured differently.

Settings that a table leaves out (a release, a flag, how requests arrive, the day) are all that tells such rows apart,
so that no predictor which is told only what the tables tell comes nearer to them than the middle of their group.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.calibration.studies.cross_validation import Floats, OutOfFold, Score, merged_source, score


@dataclass(frozen=True, slots=True)
class FloorLine:
    """Rows of a line of the accuracy page that have others told alike: how far their middle is, and how far we are."""

    piece: str
    name: str
    middle: Score
    engine: Score


def floor_lines(piece: str, out_of_fold: OutOfFold, names: Sequence[str]) -> list[FloorLine]:
    """One line for each of the ``names`` of the rows, shape (n rows,), that at least ten rows told alike share."""
    middle = middle_of_alike(out_of_fold)
    lines = []
    for name in sorted(set(names)):
        chosen = (np.array(names) == name) & np.isfinite(middle)
        if chosen.sum() >= FEWEST:
            measured = out_of_fold.measured[chosen]
            lines.append(
                FloorLine(piece, name, score(middle[chosen], measured), score(out_of_fold.predicted[chosen], measured))
            )
    return lines


FEWEST = 10
"""Rows of a line; a few pairs say nothing of a 90th percentile."""


def middle_of_alike(out_of_fold: OutOfFold) -> Floats:
    """Geometric mean of the rows of one publisher and metric with the same prediction to nine digits.

    In the metric's unit, shape (n rows,); NaN for a row that is alone.
    """
    keys = [
        (merged_source(row), row.metric, f"{likely:.9g}")
        for row, likely in zip(out_of_fold.rows, out_of_fold.predicted, strict=True)
    ]
    _, group = np.unique([" ".join(key) for key in keys], return_inverse=True)
    n_alike = np.bincount(group)[group]
    mean = np.exp((np.bincount(group, np.log(out_of_fold.measured)) / np.bincount(group))[group])
    return np.where((n_alike > 1) & np.isfinite(out_of_fold.predicted), mean, np.nan)
