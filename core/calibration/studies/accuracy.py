"""How far the engine is from measurements it has not seen: every study, whole sources and then whole chips left out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context

import numpy as np

from core.calibration.studies.judge import (
    Floats,
    Judged,
    Score,
    answer_of_fold,
    assembled,
    chip,
    folds,
    groups_by,
    large_groups,
    merged_source,
    score,
    source,
)
from core.calibration.studies.shipped import first_prior_study, shipped_study
from core.calibration.studies.spreads import Missed, calibrated_chips, fit_spread, missed, nested_ends
from core.calibration.studies.study import Study, StudyRow
from core.throughput.uncertainty import KINDS, SpreadTable

Grouping = Callable[[Sequence[StudyRow]], tuple[str, ...]]


def _by_merged_source(rows: Sequence[StudyRow]) -> tuple[str, ...]:
    return groups_by(rows, merged_source)


def _by_submitter(rows: Sequence[StudyRow]) -> tuple[str, ...]:
    return large_groups(rows, source)


def _by_chip(rows: Sequence[StudyRow]) -> tuple[str, ...]:
    return large_groups(rows, chip)


FIRST_PRIORS = "source, first priors"
CUTS: dict[str, dict[str, Grouping]] = {
    "training": {"source": _by_merged_source, FIRST_PRIORS: _by_merged_source, "chip": _by_chip},
    "serving": {"source": _by_merged_source, "chip": _by_chip},
    "samples": {"source": _by_submitter, "all of MLPerf": _by_merged_source, "chip": _by_chip},
}
"""What is left out as a whole, by piece. MLPerf is one source of transformers; work in samples is nearly all MLPerf, so
its submitters count one by one there, with all of them left out beside it. First priors show what knowing the rows did
for the priors of training: a coefficient is held out, the people who chose its prior are not."""
BASELINES = {
    "training": "one MFU a chip",
    "serving": "bytes over bandwidth, one factor a chip",
    "samples": "one share of peak a chip",
}
MIN_ROWS_OF_LINE = 5


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the page: rows of ``piece`` that share ``name`` in the grouping ``by``, with ``cut`` left out."""

    piece: str
    cut: str
    by: str
    name: str
    score: Score
    baseline: Score


@dataclass(frozen=True)
class JudgedPiece:
    """A study's answers for every cut."""

    name: str
    cuts: dict[str, Judged]

    @property
    def rows(self) -> tuple[StudyRow, ...]:
        """The study's rows."""
        return self.cuts["source"].rows


def judged_pieces(pieces: Sequence[str], n_workers: int) -> list[JudgedPiece]:
    """Fits every piece once for each group of each cut, several folds at a time; the result does not depend on that."""
    studies = {piece: shipped_study(piece) for piece in pieces}
    tasks = [
        (piece, cut, number)
        for piece in pieces
        for cut, grouping in CUTS[piece].items()
        for number in range(len(set(grouping(studies[piece].rows))))
    ]
    with ProcessPoolExecutor(n_workers, mp_context=get_context("spawn")) as pool:
        answers = dict(zip(tasks, pool.map(_answer, tasks), strict=True))
    return [_judged(studies[piece], answers) for piece in pieces]


_Task = tuple[str, str, int]


def _answer(task: _Task) -> tuple[Floats, Floats]:
    piece, cut, number = task
    study = first_prior_study() if cut == FIRST_PRIORS else shipped_study(piece)
    return answer_of_fold(study, folds(CUTS[piece][cut](study.rows))[number])


def _judged(study: Study, answers: dict[_Task, tuple[Floats, Floats]]) -> JudgedPiece:
    cuts = {}
    for cut, grouping in CUTS[study.name].items():
        groups = grouping(study.rows)
        found = [answers[study.name, cut, number] for number in range(len(set(groups)))]
        cuts[cut] = assembled(study.rows, groups, found)
    return JudgedPiece(study.name, cuts)


def spread_table(pieces: Sequence[JudgedPiece]) -> SpreadTable:
    """Ranges of all pieces from what their unseen rows missed."""
    by_source, by_chip = missed_rows(pieces, "source"), missed_rows(pieces, "chip")
    return fit_spread(by_source, by_chip, calibrated_chips({piece.name: piece.rows for piece in pieces}))


def missed_rows(pieces: Sequence[JudgedPiece], cut: str) -> Missed:
    """What the rows of all pieces missed under one cut."""
    parts = [missed(piece.name, piece.cuts[cut]) for piece in pieces]
    return Missed(
        tuple(key for part in parts for key in part.keys),
        np.concatenate([part.ln_residual for part in parts]),
        tuple(group for part in parts for group in part.groups),
    )


def accuracy_lines(piece: JudgedPiece, table: SpreadTable, tempers: dict[str, float]) -> list[Line]:
    """All lines of a piece: by family, metric, chip and group left out, with ranges that did not see the group."""
    lines = []
    for cut, judged in piece.cuts.items():
        low, high = unseen_ranges(piece.name, judged, table, tempers)
        groupings = _GROUPINGS if cut in ("source", "chip") else _FEW_GROUPINGS
        lines += [line for by, name_of in groupings.items() for line in _lines(piece, cut, by, name_of, low, high)]
    return lines


def _kind(row: StudyRow) -> str:
    return {"training": "tokens/s", "throughput": "throughput", "tpot": "TPOT", "ttft": "TTFT"}[KINDS[row.metric]]


def _all(_: StudyRow) -> str:
    return "all"


def _family(row: StudyRow) -> str:
    return row.family


_FEW_GROUPINGS: dict[str, Callable[[StudyRow], str]] = {"all": _all, "family": _family}
_GROUPINGS = _FEW_GROUPINGS | {"chip": chip, "source": merged_source}


def _lines(
    piece: JudgedPiece, cut: str, by: str, name_of: Callable[[StudyRow], str], low: Floats, high: Floats
) -> list[Line]:
    judged, kinds = piece.cuts[cut], piece.name == "serving"
    names = np.array([f"{_kind(row)}, {name_of(row)}" if kinds else name_of(row) for row in judged.rows])
    found = []
    for name in sorted(set(names)):
        chosen = (names == name) & np.isfinite(judged.predicted)
        if chosen.sum() >= (1 if by in _FEW_GROUPINGS else MIN_ROWS_OF_LINE):
            found.append(_line(piece.name, cut, by, name, judged, chosen, low, high))
    return found


def _line(
    piece: str, cut: str, by: str, name: str, judged: Judged, chosen: np.ndarray[tuple[int], np.dtype[np.bool_]],
    low: Floats, high: Floats,
) -> Line:  # fmt: skip
    measured = judged.measured[chosen]
    own = score(judged.predicted[chosen], measured, low[chosen], high[chosen])
    return Line(piece, cut, by, str(name), own, score(judged.baseline[chosen], measured))


def unseen_ranges(piece: str, judged: Judged, table: SpreadTable, tempers: dict[str, float]) -> tuple[Floats, Floats]:
    """Ends of every row's range in the metric's unit, from ranges fitted on what rows of other groups missed."""
    rows = missed(piece, judged)
    ends = [np.full(len(judged.rows), np.nan), np.full(len(judged.rows), np.nan)]
    temper = np.array([tempers[key.kind] for key in rows.keys])
    known = np.isfinite(judged.predicted) & (judged.predicted > 0)
    for end, logs in zip(ends, nested_ends(rows, table), strict=True):
        end[known] = temper * logs
    turned = np.array([_is_turned(piece, row) for row in judged.rows])
    low, high = np.where(turned, -ends[1], ends[0]), np.where(turned, -ends[0], ends[1])
    return judged.predicted * np.exp(low), judged.predicted * np.exp(high)


def _is_turned(piece: str, row: StudyRow) -> bool:
    return row.metric == "step_time_s" or (piece == "samples" and row.metric == "ttft_ms")
