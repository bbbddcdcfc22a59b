"""C7, roofline: what a chip can reach at each arithmetic intensity, and where the phases of the work stand."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core.catalogue.entries import Accelerator
from core.catalogue.formats import peak_of
from core.comparison.result import CandidateResult, ResultSet
from core.comparison.what_if.rival import rival_of
from core.units import grouped, plain
from gui.charts.figure.figure import Axis, Curve, Figure, Mark, Note, log10_of
from gui.charts.figure.kind import ChartKind, Stand
from gui.charts.figure.shown import colour_key, empty_sentence, rival, shape_of

TITLE = "Roofline"
TERA = 1e12
GIGA = 1e9
WORDS_HIGH, WORDS_WIDE = 0.2, 0.8
"""Decades that a line of words takes, in a small chart."""


def roof_flop_per_s(chip: Accelerator, precision: str, intensity: float) -> float:
    """Roofline: min(peak, bandwidth x intensity), FLOP/s; intensity in FLOP/byte (Williams et al., CACM 2009)."""
    return min(peak_of(chip, precision), chip.memory_bandwidth_gbps * GIGA * intensity)


def compared_chips(results: ResultSet, selected_id: str | None) -> list[CandidateResult]:
    """The selected candidate (else the pick, else the first that fits), whom What-if sets beside it, and the pick or
    the runner-up: one of each chip, as far as a layout of it was found."""
    fits = (row for row, speed in enumerate(results.columns.throughputs) if speed.fits and speed.roofline)
    first = results.by_id.get(selected_id or "") or results.choice
    if first is None or not _has_roof(first):
        first = next((results.results[row] for row in fits), None)
    if first is None:
        return []
    picks = [one for one in (first, rival_of(results, first), rival(results, first)) if one and _has_roof(one)]
    chips = [one.candidate.accelerator.id for one in picks]
    return [one for number, one in enumerate(picks) if chips.index(chips[number]) == number]


def _has_roof(result: CandidateResult) -> bool:
    return result.throughput.fits and bool(result.throughput.roofline)


def roofline(results: ResultSet, selected_id: str | None = None) -> Figure:
    """The roofs and phases as a figure, log10 on both axes."""
    picks = compared_chips(results, selected_id)
    if not picks:
        return Figure(TITLE, empty=empty_sentence(results) or "No option holds this model, so there is no roofline")
    x_low, x_high = _intensity_view(picks)
    curves = tuple(_roof(r, x_low, x_high) for r in picks)
    marks = tuple(mark for r in picks for mark in _phases(r))
    y_high = max(max(curve.ys) for curve in curves) + 0.25
    y_low = min([*(mark.y for mark in marks), y_high - 2.0]) - 0.25
    return Figure(
        TITLE,
        _summary(picks),
        "Points: phases of the work as predicted, per chip",
        x=Axis("Arithmetic intensity, FLOP per byte, log scale", x_low, x_high, log=True),
        y=Axis("TFLOP/s per chip, log scale", y_low, y_high, log=True, scale=TERA),
        curves=curves,
        marks=marks,
        notes=(_ridge(picks, x_low, x_high),),
        table=_table(picks),
        left_px=60,
        right_px=150,
    )


def _intensity_view(picks: Sequence[CandidateResult]) -> tuple[float, float]:
    points = [log10_of(ai, 1e-3) for r in picks for _, ai, _ in r.throughput.roofline]
    ridges = [_ridge_at(r) for r in picks]
    return min([*points, *ridges]) - 0.6, max([*points, *ridges]) + 0.6


def _ridge_at(result: CandidateResult) -> float:
    chip = result.candidate.accelerator
    peak = peak_of(chip, result.throughput.precision)
    return log10_of(peak / (chip.memory_bandwidth_gbps * GIGA), 1e-3)


def _roof(result: CandidateResult, x_low: float, x_high: float) -> Curve:
    chip, precision = result.candidate.accelerator, result.throughput.precision
    xs = np.unique(np.clip([x_low, _ridge_at(result), x_high], x_low, x_high))
    ys = [log10_of(roof_flop_per_s(chip, precision, 10**x)) for x in xs]
    words = f"{grouped(peak_of(chip, precision) / TERA)} TFLOP/s {precision.upper()}"
    return Curve(tuple(float(x) for x in xs), tuple(ys), colour_key(chip), result.id, labels=(chip.short_name, words))


def _phases(result: CandidateResult) -> list[Mark]:
    chip = result.candidate.accelerator
    marks = []
    for phase, intensity, achieved in result.throughput.roofline:
        roof = roof_flop_per_s(chip, result.throughput.precision, intensity)
        share = f", {100 * achieved / roof:.0f} % of its roof" if roof > 0 else ""
        tip = f"{chip.short_name}, {phase}: {plain(achieved / TERA)} TFLOP/s at {intensity:.3g} FLOP/byte{share}"
        marks.append(
            Mark(
                result.id,
                log10_of(intensity, 1e-3),
                log10_of(achieved, 1.0),
                None,
                None,
                5.0,
                shape_of(chip),
                colour_key(chip),
                False,
                phase.capitalize(),
                "",
                tip,
            )
        )
    return marks


def _ridge(picks: Sequence[CandidateResult], x_low: float, x_high: float) -> Note:
    """The words at the bend of the first roof: behind it, or before it where they would run over the names at the
    right, and above other roofs that would run through them."""
    at = _ridge_at(picks[0])
    words, is_behind = f"balance {10**at:.0f} FLOP/byte", at <= (x_low + x_high) / 2
    first, last = (at, at + WORDS_WIDE) if is_behind else (at - WORDS_WIDE, at)
    height = _height(picks[0], at)
    for low, high in sorted(((_height(one, first), _height(one, last)) for one in picks[1:]), key=lambda ends: ends[1]):
        height = high if low < height + WORDS_HIGH and high > height else height
    return Note(at, height, words, "ink3", *(("left", 4) if is_behind else ("right", -4)), dy_px=-10)


def _height(result: CandidateResult, at: float) -> float:
    """Where a roof is, log10 of FLOP/s, at log10 of an intensity."""
    return log10_of(roof_flop_per_s(result.candidate.accelerator, result.throughput.precision, 10**at))


def _summary(picks: Sequence[CandidateResult]) -> str:
    parts = []
    for r in picks:
        phases = ", ".join(f"{phase} {plain(achieved / TERA)} TFLOP/s" for phase, _, achieved in r.throughput.roofline)
        parts.append(f"{r.candidate.accelerator.short_name}: {phases}.")
    return " ".join(parts)


def _table(picks: Sequence[CandidateResult]) -> tuple[tuple[str, ...], ...]:
    rows = [("chip", "phase", "flop_per_byte", "tflop_per_s", "roof_tflop_per_s")]
    for r in picks:
        chip, precision = r.candidate.accelerator, r.throughput.precision
        for phase, intensity, achieved in r.throughput.roofline:
            roof = roof_flop_per_s(chip, precision, intensity) / TERA
            rows.append((chip.short_name, phase, f"{intensity:.4g}", f"{achieved / TERA:.4g}", f"{roof:.4g}"))
    return tuple(rows)


CHART = ChartKind("roofline", TITLE, roofline, (Stand("performance", turn=40),))
