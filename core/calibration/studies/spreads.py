"""Fit of the 80 % ranges: quantiles of unseen rows' residuals by class, shrunken to the wider class, then scaled."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from core.calibration.measured.table import TIME_METRICS
from core.calibration.studies.cross_validation import Floats, OutOfFold, folds
from core.calibration.studies.study import UNOFFICIAL, StudyRow
from core.rows import Rows
from core.throughput.uncertainty import BANDED, KINDS, SpreadKey, SpreadTable

TAIL = 0.1
"""Share of measurements below the low end, and of those above the high end."""
TARGET = 0.8
OF_ONE_KIND = ("samples", "reinforcement")
"""Pieces whose metrics are all one kind of range."""
SHRINK_SOURCES = 2.0
"""A class with this many sources counts half of its own quantiles and half of the wider class."""
ROWS_OF_SOURCE = 6.0
"""Rows that count like one more source when shrinking, so that few rows of many sources do not stand alone."""
MIN_CLASS_ROWS = 12
MIN_CHIP_ROWS = 3
"""Rows of a chip that make it a calibrated one."""
WIDENING_BOUNDS = (1.0, 2.0)
MIN_WIDENING_ROWS = 20
MIN_WIDENING_SOURCES = 3
"""Sources that a kind's wide rows must have: one source is one stack and says nothing of how much stacks differ."""
ASSUMED_WIDENING = 1.3
PER_DECADE = 0.06
NETWORK_UNKNOWN = 0.05
COVERAGE_FACTORS = np.arange(0.7, 1.17, 0.02)
"""Factors tried on the logarithms of a kind. The classes already hold what left-out rows missed: much more than 1 would
widen every range for the sake of the one source that differs most, as with the time to a first token."""
FAMILY_FACTORS = np.arange(0.6, 2.61, 0.05)
"""The same for a family of work, whose sources are few and differ for reasons of its own."""
FEW_SOURCES = 0.3
"""What a class of one source is wider by, as a share; of n sources, the n-th part of it (our estimate)."""
UNOFFICIAL_TRUST = 0.2
"""Weight of sources that call their own figures work in progress."""


@dataclass(frozen=True)
class Residuals(Rows):
    """What unseen rows missed: ``ln(measured / predicted)`` in the direction of the kind, shape (n rows,)."""

    keys: tuple[SpreadKey, ...]
    ln_residual: Floats
    groups: tuple[str, ...]

    def of_kind(self, kind: str) -> Residuals:
        """Rows of one kind."""
        return self.take(np.array([key.kind == kind for key in self.keys], dtype=np.bool_))


def key_of(piece: str, row: StudyRow, is_chip_known: bool) -> SpreadKey:
    """The class of a study's row; work in samples, and steps of reinforcement learning, are one kind each."""
    kind = piece if piece in OF_ONE_KIND else KINDS[row.metric]
    kind = piece if piece == "finetune" and kind == "training" else kind
    return SpreadKey(kind, row.family, is_chip_known, row.is_stack_known, row.n_chips, row.concurrency)


def falls_with_speed(piece: str, row: StudyRow) -> bool:
    """True for a value that is a time where the class of its row is a speed: its range is turned over. Times of serving
    have classes of their own."""
    if piece == "reinforcement":
        return row.metric != "tokens_per_s_per_chip"
    return piece != "serving" and row.metric in TIME_METRICS


def residuals_of(piece: str, out_of_fold: OutOfFold) -> Residuals:
    """Residuals of a cross-validated study; a chip is known to a row where enough rows of other groups have it."""
    rows, known = out_of_fold.rows, np.isfinite(out_of_fold.predicted) & (out_of_fold.predicted > 0)
    seen = _chips_seen(rows, out_of_fold.groups)
    keys = tuple(key_of(piece, row, chip_seen) for row, chip_seen in zip(rows, seen, strict=True))
    turned = np.array([falls_with_speed(piece, row) for row in rows])
    residual = np.where(known, out_of_fold.ln_residual, 0.0)
    return Residuals(keys, np.where(turned, -residual, residual), out_of_fold.groups).take(known)


def _chips_seen(rows: Sequence[StudyRow], groups: Sequence[str]) -> list[bool]:
    chips, names = np.array([row.hardware for row in rows]), np.array(groups)
    return [
        bool(np.sum((chips == row.hardware) & (names != group)) >= MIN_CHIP_ROWS)
        for row, group in zip(rows, groups, strict=True)
    ]


def joined_residuals(parts: Sequence[Residuals]) -> Residuals:
    """Rows of several studies in one."""
    return Residuals(
        tuple(key for part in parts for key in part.keys),
        np.concatenate([part.ln_residual for part in parts]),
        tuple(group for part in parts for group in part.groups),
    )


def fit_spread(by_source: Residuals, by_chip: Residuals, chips: dict[str, frozenset[str]]) -> SpreadTable:
    """Ranges whose ends leave a tenth of unseen rows on either side, from residuals with sources left out.

    ``by_chip`` holds residuals with chips left out: they say how much wider an unknown chip makes a range.
    """
    kinds = sorted({key.kind for key in by_source.keys})
    widening = {
        "chip_unknown": _chip_widening(by_source, by_chip),
        "stack_unknown": _stack_widening(by_source),
        "per_decade": PER_DECADE,
        "network_unknown": NETWORK_UNKNOWN,
    }
    largest = {kind: float(max(key.n_chips for key in by_source.of_kind(kind).keys)) for kind in kinds}
    table = SpreadTable(_classes(by_source, widening), widening, largest, chips)
    return _scaled(table, coverage_factors(by_source, table))


def coverage_factors(by_source: Residuals, table: SpreadTable) -> dict[str, float]:
    """The factor of :func:`coverage_factor` for each kind, and for each of its families that has rows enough.

    Kinds that are told apart by concurrency keep one: see :data:`COVERAGE_FACTORS`. Few sources may widen a family and
    never narrow it: that two hold each other says little of a third.
    """
    factors: dict[str, float] = {}
    for kind in sorted({key.kind for key in by_source.keys}):
        rows = by_source.of_kind(kind)
        ends = nested_ends(rows, table)
        factors[kind] = coverage_factor(rows, ends, COVERAGE_FACTORS)
        for family in () if kind in BANDED else sorted({key.path[1] for key in rows.keys}):
            chosen = np.array([key.path[1] == family for key in rows.keys], dtype=np.bool_)
            if chosen.sum() >= MIN_CLASS_ROWS:
                own, of_family = (ends[0][chosen], ends[1][chosen]), rows.take(chosen)
                is_few = len(set(of_family.groups)) < MIN_WIDENING_SOURCES
                tried = FAMILY_FACTORS[FAMILY_FACTORS >= 1.0] if is_few else FAMILY_FACTORS
                factors[family] = coverage_factor(of_family, own, tried)
    return factors


def factor_of(factors: dict[str, float], path: Sequence[str]) -> float:
    """The factor of the narrowest class of a path, widest first, that has one."""
    return next(factors[name] for name in reversed(path) if name in factors)


def _classes(rows: Residuals, widening: dict[str, float]) -> dict[str, tuple[float, float]]:
    """Low and high end of every class with enough rows, wider classes first."""
    plain = rows.ln_residual / np.array([_wider(key, widening) for key in rows.keys])
    paths = [key.path for key in rows.keys]
    ends: dict[str, tuple[float, float]] = {}
    for level in range(max(len(path) for path in paths)):
        for name in sorted({path[level] for path in paths if len(path) > level}):
            chosen = np.array([name in path for path in paths])
            if level == 0 or chosen.sum() >= MIN_CLASS_ROWS:
                parent = ends.get(name.rsplit("/", 1)[0]) if level else None
                ends[name] = _ends(plain[chosen], np.array(rows.groups)[chosen], parent)
    return ends


def _wider(key: SpreadKey, widening: dict[str, float]) -> float:
    chip = 1.0 if key.is_chip_known else widening["chip_unknown"]
    return chip * (1.0 if key.is_stack_known else widening["stack_unknown"])


def _ends(residual: Floats, groups: NDArray[np.str_], parent: tuple[float, float] | None) -> tuple[float, float]:
    """Weighted quantiles, a source weighing with the root of its rows, drawn to the wider class; more of few."""
    weights = source_weights(groups)
    low, high = weighted_quantile(residual, weights, TAIL), weighted_quantile(residual, weights, 1.0 - TAIL)
    if parent is None:
        return low, high
    strength = min(float(len(set(groups))), len(groups) / ROWS_OF_SOURCE)
    own, wider = strength / (strength + SHRINK_SOURCES), 1.0 + FEW_SOURCES / len(set(groups))
    return wider * (own * low + (1.0 - own) * parent[0]), wider * (own * high + (1.0 - own) * parent[1])


def source_weights(groups: NDArray[np.str_]) -> Floats:
    """``n^-1/2`` of a row whose source has n rows: large sources count more, but not by their size."""
    _, where, counts = np.unique(groups, return_inverse=True, return_counts=True)
    trust = np.where(np.isin(groups, UNOFFICIAL), UNOFFICIAL_TRUST, 1.0)
    return np.asarray(trust * counts[where] ** -0.5, dtype=np.float64)


def weighted_quantile(values: Floats, weights: Floats, share: float) -> float:
    """The value below which ``share`` of the weight lies, between the middles of the rows' weights."""
    order = np.argsort(values, kind="stable")
    middle = np.cumsum(weights[order]) - 0.5 * weights[order]
    return float(np.interp(share * weights.sum(), middle, values[order]))


def _chip_widening(by_source: Residuals, by_chip: Residuals) -> float:
    known = np.array([key.is_chip_known for key in by_source.keys], dtype=np.bool_)
    unknown = joined_residuals([by_source.take(~known), by_chip])
    return _ratio_of_widths(unknown, by_source.take(known))


def _stack_widening(rows: Residuals) -> float:
    known = np.array([key.is_stack_known for key in rows.keys], dtype=np.bool_)
    return _ratio_of_widths(rows.take(~known), rows.take(known))


def _ratio_of_widths(wide: Residuals, narrow: Residuals) -> float:
    """Mean over kinds, weighted by rows, of how much wider the middle 80 % is; assumed of few rows or few sources."""
    ratios, weights = [], []
    for kind in sorted({key.kind for key in wide.keys}):
        one, other = wide.of_kind(kind), narrow.of_kind(kind)
        has_rows = min(len(one.groups), len(other.groups)) >= MIN_WIDENING_ROWS
        if has_rows and len(set(one.groups)) >= MIN_WIDENING_SOURCES:
            ratios.append(_width(one.ln_residual) / _width(other.ln_residual))
            weights.append(float(len(one.groups)) ** 0.5)
    ratio = float(np.average(ratios, weights=weights)) if ratios else ASSUMED_WIDENING
    return float(np.clip(ratio, *WIDENING_BOUNDS))


def _width(residual: Floats) -> float:
    return float(np.percentile(residual, 90) - np.percentile(residual, 10))


def coverage_factor(rows: Residuals, ends: tuple[Floats, Floats], tried: Floats) -> float:
    """The factor on all logarithms of a class with which ranges fitted on the other sources hold 80 % of a source.

    Sources weigh half by their rows and half by the root of them. ``ends``: of each row, see :func:`nested_ends`.
    """
    by_source = source_weights(np.array(rows.groups))
    weights = by_source / by_source.sum() + 1.0 / len(by_source)
    held = [
        np.average((rows.ln_residual >= t * ends[0]) & (rows.ln_residual <= t * ends[1]), weights=weights)
        for t in tried
    ]
    enough = np.flatnonzero(np.array(held) >= TARGET)
    return float(tried[enough[0]]) if len(enough) else float(tried[-1])


def nested_ends(rows: Residuals, table: SpreadTable) -> tuple[Floats, Floats]:
    """Logarithms of the ends of every row's range by classes fitted without its source, shape (n rows,) each."""
    lows, highs = np.zeros(len(rows.keys)), np.zeros(len(rows.keys))
    for out in folds(rows.groups):
        if out.all():
            continue
        blind = replace(table, classes=_classes(rows.take(~out), table.widening))
        ends = np.log(
            [blind.factors(rows.keys[n]) if _has(blind, rows.keys[n]) else (1.0, 1.0) for n in np.flatnonzero(out)]
        )
        lows[out], highs[out] = ends[:, 0], ends[:, 1]
    return lows, highs


def _has(table: SpreadTable, key: SpreadKey) -> bool:
    return key.kind in table.classes


def _scaled(table: SpreadTable, factors: dict[str, float]) -> SpreadTable:
    scaled = {}
    for name, (low, high) in table.classes.items():
        parts = name.split("/")
        factor = factor_of(factors, ["/".join(parts[: n + 1]) for n in range(len(parts))])
        scaled[name] = (factor * low, factor * high)
    return replace(table, classes=scaled)


def calibrated_chips(rows_of_piece: dict[str, Sequence[StudyRow]]) -> dict[str, frozenset[str]]:
    """Chips with enough rows, by piece."""
    calibrated: dict[str, frozenset[str]] = {}
    for piece, rows in rows_of_piece.items():
        names, counts = np.unique([row.hardware for row in rows], return_counts=True)
        calibrated[piece] = frozenset(str(name) for name, n in zip(names, counts, strict=True) if n >= MIN_CHIP_ROWS)
    return calibrated


def write_spread(path: Path, table: SpreadTable, rows: Residuals) -> None:
    """Stores the table, a class a line with the rows and sources behind it."""
    note = (
        "80 % ranges: natural logarithms of measured over predicted at the 10th and 90th percentile of rows whose "
        "source the fit had not seen, by class of work. Written by make calibrate."
    )
    classes = [_stored(name, ends, rows) for name, ends in sorted(table.classes.items())]
    lines = ",\n  ".join(json.dumps(row, ensure_ascii=False) for row in classes)
    head = json.dumps(note, ensure_ascii=False)
    rest = json.dumps(
        {
            "widening": {
                name: {"value": round(value, 3), "source": _SOURCES[name]} for name, value in table.widening.items()
            },
            "largest_n_chips": table.largest,
            "chips": {piece: sorted(chips) for piece, chips in sorted(table.chips.items())},
        },
        indent=1,
        ensure_ascii=False,
    )
    path.write_text(f'{{\n "note": {head},\n "classes": [\n  {lines}\n ],\n{rest[2:]}\n', "utf-8")


_SOURCES = {
    "chip_unknown": "Width of what rows miss when their chip is left out, over that of known chips",
    "stack_unknown": "Width of what rows of unstated software miss, over that of stated software; "
    f"our estimate where fewer than {MIN_WIDENING_SOURCES} sources leave it unstated",
    "network_unknown": "Our estimate: the rate between hosts is assumed",
    "per_decade": "Our estimate: published runs are mostly smaller",
}


def _stored(name: str, ends: tuple[float, float], rows: Residuals) -> dict[str, str | float | int]:
    chosen = [n for n, key in enumerate(rows.keys) if name in key.path]
    return {
        "class": name, "low_ln": round(ends[0], 3), "high_ln": round(ends[1], 3),
        "rows": len(chosen), "sources": len({rows.groups[n] for n in chosen}),
    }  # fmt: skip
