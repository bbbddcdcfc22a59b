"""Throughput of the best layout of each accelerator, with the speed that the deadline needs as a tick."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from core.comparison.result import CandidateResult, ResultSet
from core.ranges import Range
from core.units import grouped, plain, rounded, span
from core.workload.profile import Profile
from gui.charts.figure.figure import Axis, Bar, Figure, LegendEntry, Row, right_room
from gui.charts.figure.kind import ChartKind
from gui.charts.figure.shown import candidate_row, colour_key, empty_sentence, shown_results
from gui.charts.figure.texts import reason_text

TITLE = "Throughput"
SUBTITLE = "Best layout of each accelerator; whiskers show the 80\u202f% range"
_MOST = 12
NEAR = 3.0
"""What misses a limit is drawn whole up to so many times the fastest that fits."""


@dataclass(frozen=True, slots=True)
class SpeedScale:
    """A round divisor for tokens per second, and its words."""

    divisor: float
    words: str

    def text(self, tokens_per_s: float) -> str:
        """Two or three digits, as much as is known."""
        value = tokens_per_s / self.divisor
        if abs(value) < 0.995:
            told = plain(value, 2)
            return f"{told}0" if len(told) == len("0.1") else told
        return grouped(rounded(value, 2), 0 if abs(value) >= 9.95 else 1)


def speed_scale(largest_tokens_per_s: float, unit: str = "tokens") -> SpeedScale:
    """Million, thousand or plain, after the fastest in view."""
    if largest_tokens_per_s >= 1e7:
        return SpeedScale(1e6, f"Million {unit}/s")
    if largest_tokens_per_s >= 2e3:
        return SpeedScale(1e3, f"Thousand {unit}/s")
    return SpeedScale(1.0, f"{unit.capitalize()}/s")


def throughput(results: ResultSet, selected_id: str | None = None) -> Figure:
    """The bars as a figure, fastest first, those that miss a limit hollow and last."""
    shown = [r for r in shown_results(results, selected_id) if r.throughput.tokens_per_s.likely > 0][:_MOST]
    if not shown:
        return Figure(TITLE, empty=empty_sentence(results) or "No option runs this workload")
    shown.sort(key=_order)
    largest = _largest(shown)
    scale = speed_scale(largest, results.profile.unit_word)
    rows = tuple(_row(r, results.profile, scale) for r in shown)
    return Figure(
        TITLE,
        _summary(shown, scale),
        x=Axis(f"{scale.words}, all chips together", 0.0, largest * 1.03, scale=scale.divisor),
        rows=rows,
        bars=tuple(_bar(r, number) for number, r in enumerate(shown)),
        legend=(LegendEntry(results.profile.job.words.need, "ink", "tick"),) if any(row.ticks for row in rows) else (),
        table=_table(shown, results.profile.unit_word),
        left_px=6,
        right_px=right_room(rows),
        row_px=51,
        bar_px=12,
        names_above=True,
    )


def _largest(shown: Sequence[CandidateResult]) -> float:
    """Where the axis ends: with the fastest that fits, or what misses a limit and is not far faster, which would else
    make lines of all bars that count."""
    highs = [r.throughput.tokens_per_s.high for r in shown if r.feasible] or [0.0]
    most = NEAR * max(highs) or math.inf
    return max([*highs, *(r.throughput.tokens_per_s.high for r in shown if r.throughput.tokens_per_s.high < most)])


def needed_tokens_per_s(result: CandidateResult, profile: Profile) -> float | None:
    """Speed with which this option would end on the last day: v t / (limit - porting - waiting).

    v and t are the likely speed and run time; run time goes as 1 / v. None without a limit, or when porting and
    waiting alone go beyond it.
    """
    speed, job = result.throughput.tokens_per_s.likely, profile.job
    if speed <= 0:
        return None
    if job.round_limit_h is not None:
        return speed * result.run_h.likely / job.round_limit_h
    deadline = profile.limits.deadline_days
    if deadline is None or result.days_to_finish is None:
        return None
    run_days = result.run_h.likely / 24
    left_days = deadline - (result.days_to_finish.likely - run_days)
    return speed * run_days / left_days if left_days > 0 else None


def _order(result: CandidateResult) -> tuple[bool, float]:
    return not result.feasible, -result.throughput.tokens_per_s.likely


def _row(result: CandidateResult, profile: Profile, scale: SpeedScale) -> Row:
    speed = result.throughput.tokens_per_s
    needed = needed_tokens_per_s(result, profile)
    texts = ((scale.text(speed.likely), "ink" if result.feasible else "ink3"), (_range_text(speed, scale), "ink3"))
    row = candidate_row(result, texts, _tip(result, scale, needed))
    return replace(row, range=(speed.low, speed.high), ticks=(needed,) if needed else ())


def _bar(result: CandidateResult, number: int) -> Bar:
    key = colour_key(result.candidate.accelerator) if result.feasible else "line2"
    return Bar(number, 0.0, result.throughput.tokens_per_s.likely, key, result.candidate.name)


def _range_text(speed: Range, scale: SpeedScale) -> str:
    return span(scale.text(speed.low), scale.text(speed.high))


def _tip(result: CandidateResult, scale: SpeedScale, needed: float | None) -> str:
    need = f"\nNeeded: {scale.text(needed)} {scale.words.lower()}" if needed else ""
    return f"{result.candidate.name}, {result.candidate.place}{need}\n{reason_text(result)}".strip()


def _summary(shown: Sequence[CandidateResult], scale: SpeedScale) -> str:
    lines = [f"{r.candidate.name}: {scale.text(r.throughput.tokens_per_s.likely)}" for r in shown[:4]]
    return f"{scale.words}, fastest first. " + ". ".join(lines) + "."


def _table(shown: Sequence[CandidateResult], unit: str) -> tuple[tuple[str, ...], ...]:
    rows: list[tuple[str, ...]] = [("candidate", "place", "fits", f"{unit}_per_s", "low", "high")]
    for r in shown:
        speed = r.throughput.tokens_per_s
        numbers = [f"{value:.1f}" for value in (speed.likely, speed.low, speed.high)]
        rows.append((r.candidate.name, r.candidate.place, "yes" if r.feasible else "no", *numbers))
    return tuple(rows)


CHART = ChartKind("throughput", TITLE, throughput)
