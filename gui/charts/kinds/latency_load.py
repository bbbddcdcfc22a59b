"""Latency under load: how long answers take as the request rate rises, with the limit and the busiest hour."""

from __future__ import annotations

import numpy as np

from core.comparison.result import CandidateResult, ResultSet
from core.throughput.chips.fleet import Floats
from core.throughput.load.under_load import LatencyCurve, latency_curve
from core.units import THIN, ms_unit, ms_words, plain
from core.workload.jobs.kinds import OnlineServing
from gui.charts.figure.figure import Axis, Curve, Figure, Limit, log10_of
from gui.charts.figure.kind import ChartKind, Stand
from gui.charts.figure.shown import colour_key, empty_sentence, subject

TITLE = "Latency under load"
LEAST_SPAN = 6.0


def latency_load(results: ResultSet, selected_id: str | None = None) -> Figure:
    """First-token time of half and of 99 of 100 requests against the request rate of the whole system."""
    shown, job = subject(results, selected_id), results.profile.job.service
    load = shown.throughput.load if shown else None
    if shown is None or load is None or job is None:
        return Figure(TITLE, empty=empty_sentence(results) or _why_not(shown))
    return _figure(
        shown,
        job,
        latency_curve(load),
        _lines(job, shown.route.ms(job.latency_percentile).likely if shown.route else 0.0),
    )


def _why_not(shown: CandidateResult | None) -> str:
    """What carries nothing has no curve."""
    latency = shown.throughput.latency if shown else None
    if latency is None:
        return "No latency to show: this candidate holds no replica"
    return f"Too slow at any load: an answer takes {ms_words(latency.ttft_p50_ms)}"


def _lines(job: OnlineServing, route_ms: float) -> tuple[Limit, ...]:
    limits = [
        Limit(
            "peak",
            "x",
            job.peak_requests_per_s,
            f"Busiest hour, {plain(job.peak_requests_per_s)}/s",
            solid=True,
            past=False,
        )
    ]
    if job.ttft_limit_ms is not None and job.ttft_limit_ms > route_ms:
        percentile = {"p50": "half", "p95": "95 of 100", "p99": "99 of 100"}[job.latency_percentile]
        less = f" less {plain(route_ms, 2)}{THIN}ms on the way" if route_ms else ""
        words = f"{ms_words(job.ttft_limit_ms)}{less} for {percentile}"
        limits.append(Limit("ttft", "y", log10_of(job.ttft_limit_ms - route_ms), words, past=False, side="left"))
    return tuple(limits)


def _figure(shown: CandidateResult, job: OnlineServing, curve: LatencyCurve, lines: tuple[Limit, ...]) -> Figure:
    rates, half, most = curve.requests_per_s, curve.ttft_p50_ms, curve.ttft_p99_ms
    word = "answer" if shown.throughput.unit == "samples" else "first token"
    colour = colour_key(shown.candidate.accelerator)
    top = max(float(np.quantile(most, 0.92)), (job.ttft_limit_ms or 0.0) * 2.2, LEAST_SPAN * float(half.min()))
    unit, divisor = ms_unit(top)
    curves = (
        _curve(rates, most, colour, "p99", "99 of 100 within", False),
        _curve(rates, half, colour, "p50", "half within", True),
    )
    return Figure(
        TITLE,
        _summary(shown, word),
        f"{word.capitalize()} as requests come at random",
        x=Axis("requests/s, all replicas", 0.0, max(float(rates[-1]), job.peak_requests_per_s) * 1.03),
        y=Axis(f"{word}, {unit}", log10_of(float(half.min()) * 0.8), log10_of(top), log=True, scale=divisor),
        curves=curves,
        limits=lines,
        table=_table(curve),
        left_px=56,
        right_px=120,
    )


def _curve(rates: Floats, times_ms: Floats, colour: str, name: str, words: str, dashed: bool) -> Curve:
    ys = tuple(log10_of(float(t)) for t in times_ms)
    return Curve(tuple(rates.tolist()), ys, colour, name, dashed=dashed, labels=(words,))


def _summary(shown: CandidateResult, word: str) -> str:
    load, latency = shown.throughput.load, shown.throughput.latency
    if load is None or latency is None:
        return ""
    carries = f"{shown.candidate.name} carries {plain(load.max_requests_per_s)} requests/s within the limits"
    times = f"{ms_words(latency.ttft_p50_ms)} for half and {ms_words(latency.ttft_p99_ms)} for 99 of 100"
    return f"{carries}; there the {word} takes {times}."


def _table(curve: LatencyCurve) -> tuple[tuple[str, ...], ...]:
    names = ("requests_per_s", "ttft_p50_ms", "ttft_p99_ms", "tpot_p50_ms", "tpot_p99_ms")
    columns = [getattr(curve, name).tolist() for name in names]
    return (names, *(tuple(f"{value:.4g}" for value in row) for row in zip(*columns, strict=True)))


CHART = ChartKind("latency-load", TITLE, latency_load, (Stand("performance", turn=20),))
