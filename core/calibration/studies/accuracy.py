"""How far the engine is from measurements it has not seen: every study, whole sources and then whole chips left out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context

import numpy as np

from core.calibration.studies.cross_validation import (
    Floats,
    OutOfFold,
    Score,
    chip,
    folds,
    groups_by,
    join_folds,
    large_groups,
    merged_source,
    predict_fold,
    score,
    source,
)
from core.calibration.studies.shipped_studies import first_prior_study, shipped_study
from core.calibration.studies.spreads import (
    Residuals,
    calibrated_chips,
    factor_of,
    falls_with_speed,
    fit_spread,
    joined_residuals,
    nested_ends,
    residuals_of,
)
from core.calibration.studies.study import RowMask, Study, StudyRow, kind_words
from core.throughput.uncertainty import SpreadTable

Grouping = Callable[[Sequence[StudyRow]], tuple[str, ...]]


def _by_merged_source(rows: Sequence[StudyRow]) -> tuple[str, ...]:
    return groups_by(rows, merged_source)


def _by_submitter(rows: Sequence[StudyRow]) -> tuple[str, ...]:
    return large_groups(rows, source)


def _by_every_chip(rows: Sequence[StudyRow]) -> tuple[str, ...]:
    return groups_by(rows, chip)


def _by_chip(rows: Sequence[StudyRow]) -> tuple[str, ...]:
    return large_groups(rows, chip)


FIRST_PRIORS = "source, first priors"
SPLITS: dict[str, dict[str, Grouping]] = {
    "training": {"source": _by_merged_source, FIRST_PRIORS: _by_merged_source, "chip": _by_chip},
    "serving": {"source": _by_merged_source, "chip": _by_chip},
    "finetune": {"source": _by_merged_source, "chip": _by_every_chip},
    "samples": {"source": _by_submitter, "all of MLPerf": _by_merged_source, "chip": _by_chip},
    "reinforcement": {"source": _by_merged_source, "chip": _by_chip},
}
"""What is left out as a whole, by piece. MLPerf is one source of transformers; work in samples is nearly all MLPerf, so
its submitters count one by one there, with all of them left out beside it. First priors show what knowing the rows did
for the priors of training: a coefficient is held out, the people who chose its prior are not."""
BASELINES = {
    "training": "one MFU a chip",
    "serving": "bytes over bandwidth, one factor a chip",
    "samples": "one share of peak a chip",
    "finetune": "one MFU a chip; weights with their states, one factor a chip",
    "reinforcement": "one share of peak a chip for all tokens of a step",
}
MIN_ROWS_OF_LINE = 5


@dataclass(frozen=True, slots=True)
class AccuracyLine:
    """One line of the page: rows of ``piece`` that share ``name`` in the grouping ``by``, with ``split`` left out."""

    piece: str
    split: str
    by: str
    name: str
    score: Score
    baseline: Score


@dataclass(frozen=True)
class CrossValidatedStudy:
    """A study's answers for every split."""

    name: str
    splits: dict[str, OutOfFold]

    @property
    def rows(self) -> tuple[StudyRow, ...]:
        """The study's rows."""
        return self.splits["source"].rows


def cross_validated(pieces: Sequence[str], n_workers: int) -> list[CrossValidatedStudy]:
    """Fits every piece once for each group of each split, several folds at a time, which changes no result."""
    studies = {piece: shipped_study(piece) for piece in pieces}
    tasks = [
        (piece, split, number)
        for piece in pieces
        for split, grouping in SPLITS[piece].items()
        for number in range(len(set(grouping(studies[piece].rows))))
    ]
    with ProcessPoolExecutor(n_workers, mp_context=get_context("spawn")) as pool:
        answers = dict(zip(tasks, pool.map(_answer, tasks), strict=True))
    return [_cross_validated(studies[piece], answers) for piece in pieces]


_Task = tuple[str, str, int]


def _answer(task: _Task) -> tuple[Floats, Floats]:
    piece, split, number = task
    study = first_prior_study() if split == FIRST_PRIORS else shipped_study(piece)
    return predict_fold(study, folds(SPLITS[piece][split](study.rows))[number])


def _cross_validated(study: Study, answers: dict[_Task, tuple[Floats, Floats]]) -> CrossValidatedStudy:
    splits = {}
    for split, grouping in SPLITS[study.name].items():
        groups = grouping(study.rows)
        fold_answers = [answers[study.name, split, number] for number in range(len(set(groups)))]
        splits[split] = join_folds(study.rows, groups, fold_answers)
    return CrossValidatedStudy(study.name, splits)


def spread_table(pieces: Sequence[CrossValidatedStudy]) -> SpreadTable:
    """Ranges of all pieces from what their unseen rows missed."""
    by_source, by_chip = residuals_of_split(pieces, "source"), residuals_of_split(pieces, "chip")
    return fit_spread(by_source, by_chip, calibrated_chips({piece.name: piece.rows for piece in pieces}))


def residuals_of_split(pieces: Sequence[CrossValidatedStudy], split: str) -> Residuals:
    """What the rows of all pieces missed under one split."""
    return joined_residuals([residuals_of(piece.name, piece.splits[split]) for piece in pieces])


def accuracy_lines(piece: CrossValidatedStudy, table: SpreadTable, factors: dict[str, float]) -> list[AccuracyLine]:
    """All lines of a piece: by family, metric, chip and group left out, with ranges that did not see the group."""
    lines = []
    for split, out_of_fold in piece.splits.items():
        low, high = unseen_ranges(piece.name, out_of_fold, table, factors)
        groupings = _GROUPINGS if split in ("source", "chip") else _FEW_GROUPINGS
        lines += [line for by, name_of in groupings.items() for line in _lines(piece, split, by, name_of, low, high)]
    return lines


def _all(_: StudyRow) -> str:
    return "all"


def _family(row: StudyRow) -> str:
    return row.family


_FEW_GROUPINGS: dict[str, Callable[[StudyRow], str]] = {"all": _all, "family": _family}
_GROUPINGS = _FEW_GROUPINGS | {"chip": chip, "source": merged_source}


def _lines(
    piece: CrossValidatedStudy, split: str, by: str, name_of: Callable[[StudyRow], str], low: Floats, high: Floats
) -> list[AccuracyLine]:
    out_of_fold, names, lines = piece.splits[split], np.array(line_names(piece, name_of)), []
    for name in sorted(set(names)):
        chosen = (names == name) & np.isfinite(out_of_fold.predicted)
        if chosen.sum() >= (1 if by in _FEW_GROUPINGS else MIN_ROWS_OF_LINE):
            lines.append(_line(piece.name, split, by, name, out_of_fold, chosen, low, high))
    return lines


def line_names(piece: CrossValidatedStudy, name_of: Callable[[StudyRow], str] = _family) -> list[str]:
    """The line of each row: its group, after the kind of value where a piece has several."""
    kinds = piece.name in ("serving", "finetune")
    return [
        f"{kind_words(row.metric, row.concurrency)}, {name_of(row)}" if kinds else name_of(row) for row in piece.rows
    ]


def _line(
    piece: str, split: str, by: str, name: str, out_of_fold: OutOfFold, chosen: RowMask, low: Floats, high: Floats
) -> AccuracyLine:  # fmt: skip
    measured = out_of_fold.measured[chosen]
    own = score(out_of_fold.predicted[chosen], measured, low[chosen], high[chosen])
    return AccuracyLine(piece, split, by, str(name), own, score(out_of_fold.baseline[chosen], measured))


def unseen_ranges(
    piece: str, out_of_fold: OutOfFold, table: SpreadTable, factors: dict[str, float]
) -> tuple[Floats, Floats]:
    """Ends of every row's range in the metric's unit, from ranges fitted on what rows of other groups missed."""
    rows = residuals_of(piece, out_of_fold)
    ends = [np.full(len(out_of_fold.rows), np.nan), np.full(len(out_of_fold.rows), np.nan)]
    factor = np.array([factor_of(factors, key.path) for key in rows.keys])
    known = np.isfinite(out_of_fold.predicted) & (out_of_fold.predicted > 0)
    for end, logs in zip(ends, nested_ends(rows, table), strict=True):
        end[known] = factor * logs
    turned = np.array([falls_with_speed(piece, row) for row in out_of_fold.rows])
    low, high = np.where(turned, -ends[1], ends[0]), np.where(turned, -ends[0], ends[1])
    return out_of_fold.predicted * np.exp(low), out_of_fold.predicted * np.exp(high)
