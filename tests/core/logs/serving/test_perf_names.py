"""Metrics of genai-perf and AIPerf by their titles: which are ours, and in which unit they stand."""

from __future__ import annotations

import pytest

from core.logs.serving.figures import Figures
from core.logs.serving.perf_names import put_metric


@pytest.mark.parametrize(
    ("title", "unit", "is_ours", "mean"),
    [
        ("Time To First Token", "ms", True, 20.0),
        ("Time To First Token", "s", True, 20_000.0),
        ("Time To First Token", "", True, 20.0),
        ("Output Token Throughput Per User", "tokens/sec/user", True, None),
        ("Colour of the rack", "", False, None),
    ],
)
def test_a_metric_is_kept_in_our_unit(title: str, unit: str, is_ours: bool, mean: float | None) -> None:
    figures = Figures()
    assert put_metric(figures, title, unit, {"mean": 20.0}) is is_ours
    assert [stats.get("mean") for stats in figures.stats.values()] == ([] if mean is None else [mean])


@pytest.mark.parametrize(("unit", "seconds"), [("ms", 20.0), ("s", 20_000.0), ("", 20_000.0)])
def test_how_long_a_test_took_is_told_in_seconds_and_counts_as_they_are(unit: str, seconds: float) -> None:
    figures = Figures()
    for title in ("Benchmark Duration", "Request Count"):
        assert put_metric(figures, title, unit, {"mean": 20_000.0})
    assert figures.facts == {"duration_s": seconds, "n_requests": 20_000.0}


def test_what_is_no_figure_is_counted_and_no_fact_is_below_nothing() -> None:
    figures = Figures()
    for value in (0.0, -1.0, float("nan"), 20.0, 30.0):
        figures.put("ttft_ms", "mean", value)
    assert (figures.stats, figures.n_unknown) == ({"ttft_ms": {"mean": 20.0}}, 3)
    for value in (-0.5, float("inf"), "", 0.0, 2.0):
        figures.fact("concurrency", value)
    assert figures.facts == {"concurrency": 0.0}
