"""C8, step time: where a step's time goes, term by term."""

from __future__ import annotations

from collections.abc import Sequence

from core.comparison.result import CandidateResult, ResultSet
from core.comparison.time_measure import is_serving
from core.units import THIN, grouped, plain
from gui.charts.figure.figure import Axis, Bar, Figure, LegendEntry, Row, left_room, right_room
from gui.charts.figure.kind import ChartKind, Stand
from gui.charts.figure.shown import candidate_row, empty_sentence, shown_results

TITLE = "Step time"
TERMS = {
    "compute": ("Compute", "part:compute"),
    "memory": ("Memory", "part:storage"),
    "network": ("Network", "part:egress"),
    "pipeline": ("Pipeline bubble", "part:porting"),
    "input": ("Input", "part:operations"),
    "host": ("Host", "part:energy"),
    "rollout": ("Answers", "part:storage"),
    "scoring": ("Scores", "part:operations"),
    "training": ("Training", "part:compute"),
    "sync": ("New weights sent", "part:egress"),
    "switching": ("Turning to train and back", "part:porting"),
    "overhead": ("Other", "part:idle"),
}


def step_time(results: ResultSet, selected_id: str | None = None) -> Figure:
    """The bars as a figure, fastest system first."""
    serving = is_serving(results)
    in_batches = serving and results.profile.is_in_samples
    title = "One batch" if in_batches else "Decode step" if serving else TITLE
    shown = [r for r in shown_results(results, selected_id) if r.throughput.fits and r.throughput.step_time_s > 0]
    if not shown:
        return Figure(title, empty=empty_sentence(results) or "No option holds this model, so there is no step to show")
    longest = max(r.throughput.step_time_s for r in shown)
    divisor, unit = (1.0, "s") if longest >= 1 else (1e-3, "ms")
    rows = tuple(_row(r, divisor, unit) for r in shown)
    bars = tuple(bar for number, r in enumerate(shown) for bar in _bars(r, number, divisor, unit))
    used = [term for term in _terms(shown) if any(r.throughput.step_terms_s.get(term, 0) > 0 for r in shown)]
    return Figure(
        title,
        _summary(shown, divisor, unit),
        _subtitle(results),
        x=Axis(f"{unit} per {'batch' if in_batches else 'step'}", 0.0, longest * 1.03, scale=divisor),
        rows=rows,
        bars=bars,
        legend=tuple(LegendEntry(*_style(term)) for term in used),
        table=_table(shown, used),
        left_px=left_room(rows),
        right_px=right_room(rows),
        row_px=28,
    )


def _subtitle(results: ResultSet) -> str:
    if results.profile.job.is_post_training:
        return "One step of the whole system, from prompts to new weights"
    return "" if is_serving(results) else "One optimiser step of the whole system"


def _terms(shown: Sequence[CandidateResult]) -> list[str]:
    """Known terms in their fixed order, then any others an engine may report."""
    reported = {term for r in shown for term in r.throughput.step_terms_s}
    return [*TERMS, *sorted(reported - set(TERMS))]


def _style(term: str) -> tuple[str, str]:
    return TERMS.get(term, (term.replace("_", " ").capitalize(), "part:idle"))


def _row(result: CandidateResult, divisor: float, unit: str) -> Row:
    speed, candidate = result.throughput, result.candidate
    ink = "ink" if result.feasible else "ink3"
    time = f"{step_text(speed.step_time_s / divisor)}{THIN}{unit}"
    columns = ((time, ink), (f"MFU {100 * speed.mfu:.0f}{THIN}%", "ink3"), (speed.bottleneck.capitalize(), "ink2"))
    return candidate_row(result, columns, f"{candidate.name}, {candidate.place}")


def step_text(value: float) -> str:
    """A step's length: whole from 100 on, one decimal from 10 on, two below."""
    return grouped(value, 0 if value >= 100 else 1 if value >= 10 else 2)


def _bars(result: CandidateResult, number: int, divisor: float, unit: str) -> list[Bar]:
    at, bars, total = 0.0, [], result.throughput.step_time_s
    for term in _terms([result]):
        seconds = result.throughput.step_terms_s.get(term, 0.0)
        if seconds > 0:
            words, colour = _style(term)
            tip = f"{words} {plain(seconds / divisor)} {unit}, {100 * seconds / total:.0f} % of the step"
            bars.append(Bar(number, at, at + seconds, colour, tip, part=term))
            at += seconds
    return bars


def _summary(shown: Sequence[CandidateResult], divisor: float, unit: str) -> str:
    return " ".join(
        f"{r.candidate.name}: {plain(r.throughput.step_time_s / divisor)} {unit}, limited by {r.throughput.bottleneck}."
        for r in shown[:5]
    )


def _table(shown: Sequence[CandidateResult], terms: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    header = ("candidate", "step_time_s", *(f"{term}_s" for term in terms), "mfu", "bottleneck")
    rows = [header]
    for r in shown:
        speed = r.throughput
        seconds = [f"{speed.step_terms_s.get(term, 0.0):.6g}" for term in terms]
        rows.append((r.candidate.name, f"{speed.step_time_s:.6g}", *seconds, f"{speed.mfu:.4f}", speed.bottleneck))
    return tuple(rows)


CHART = ChartKind("step-time", TITLE, step_time, (Stand("performance", turn=10),), has_rows=True)
