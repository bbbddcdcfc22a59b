"""How often a log of one model brings other models of its chip closer, by an engine that never saw the publisher.

``python -m core.calibration.studies.carried`` fits training and serving anew without each publisher in turn, takes each
of its rows as a log, moves the other models that it measured on that chip with that software by a share of the
logarithm of the row's miss, and counts the rows after which their median error is smaller. Takes some minutes.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.calibration.measured.table import TIME_METRICS, TRAINING_METRICS, MeasuredRow
from core.calibration.speed_factors import OTHER_MODELS_SHARE, OTHERS_CLOSER
from core.calibration.studies.cross_validation import (
    folds,
    groups_by,
    join_folds,
    large_groups,
    merged_source,
    predict_fold,
    source,
)
from core.calibration.studies.serving import ServingStudy
from core.calibration.studies.shipped_studies import shipped_study
from core.calibration.studies.study import Study
from core.calibration.studies.training import TrainingStudy

SHARES = (0.1, 0.2, 0.3, 0.5)
HARM = 0.01
_SPEEDS = (*TRAINING_METRICS, "output_tokens_per_s_total", "total_tokens_per_s")
_PIECES = {"training": "training", "inference": "serving"}

Group = tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class Missed:
    """A measured speed, and the logarithm of it over what was predicted without its publisher."""

    group: Group
    model: str
    miss: float


def missed(work: str) -> list[Missed]:
    """The speeds of all rows of one kind of work."""
    study = shipped_study(_PIECES[work])
    groups = large_groups(study.rows, merged_source)
    out = join_folds(study.rows, groups, [predict_fold(study, held_out) for held_out in folds(groups)])
    every = zip(study.rows, groups_by(study.rows, source), _measured_rows(study), out.ln_residual, strict=True)
    return [
        Missed((name, one.hardware, _software(row)), row.text("model"), -miss if one.metric in TIME_METRICS else miss)
        for one, name, row, miss in every
        if np.isfinite(miss) and one.metric in _SPEEDS
    ]


def _measured_rows(study: Study) -> list[MeasuredRow]:
    """The measured row of each value."""
    if isinstance(study, ServingStudy):
        return [study.cases[row].row for row in study.values.row]
    assert isinstance(study, TrainingStudy)
    return [case.row for case in study.cases]


def _software(row: MeasuredRow) -> str:
    return row.text("engine") or row.text("framework")


def carried(rows: Sequence[Missed], share: float) -> NDArray[np.float64]:
    """Median size of the others' misses without and with each row's log, shape (n rows with others, 2)."""
    of_group: Mapping[Group, list[Missed]] = defaultdict(list)
    for one in rows:
        of_group[one.group].append(one)
    medians = []
    for log in rows:
        others = np.array([one.miss for one in of_group[log.group] if one.model != log.model])
        if len(others):
            medians.append([np.median(np.abs(others)), np.median(np.abs(others - share * log.miss))])
    return np.array(medians)


def main() -> None:
    """Prints a line for each share, and what the program says of its own."""
    for work in _PIECES:
        rows = missed(work)
        sys.stdout.write(f"{work}: said {OTHERS_CLOSER[work]} at a share of {OTHER_MODELS_SHARE[work]}\n")
        for share in SHARES:
            before, after = carried(rows, share).T
            closer, worse = np.mean(after < before), np.mean(after > before + HARM)
            middles = " -> ".join(f"{100 * np.median(one):.2f}" for one in (before, after))
            counts = f"{len(before)} logs, {closer:.0%} closer, {worse:.0%} a point further"
            sys.stdout.write(f"  share {share}: {counts}, {middles}\n")


if __name__ == "__main__":
    main()
