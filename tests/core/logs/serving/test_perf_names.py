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
