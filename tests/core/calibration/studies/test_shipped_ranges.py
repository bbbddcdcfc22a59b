"""The table of shipped ranges says what the app draws, and stands on the page as the resources are."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.calibration.studies.shipped_ranges import shipped_ranges, with_shipped_ranges
from core.throughput.uncertainty import SpreadKey, shipped_factors

PAGE = Path(__file__).parents[4] / "ACCURACY.md"


def test_a_range_is_the_one_that_the_app_draws() -> None:
    """Serving on a known TPU: a throughput, and a first token with many requests at once."""
    known = {one.name: one for one in shipped_ranges()}
    for name, key in (
        ("throughput/tpu", SpreadKey("throughput", "tpu")),
        ("ttft/tpu/above 32", SpreadKey("ttft", "tpu", concurrency=64.0)),
    ):
        assert (known[name].low, known[name].high) == pytest.approx(shipped_factors(key))
        assert known[name].ratio == pytest.approx(known[name].high / known[name].low)


def test_the_page_has_the_table_of_the_shipped_resources() -> None:
    page = PAGE.read_text("utf-8")
    assert with_shipped_ranges(page, shipped_ranges()) == page
    assert "| serving, TTFT: tpu, above 32 at once |" in page and "| training, tokens/s: others |" in page


def test_the_table_is_renewed_in_place() -> None:
    page = "before\n<!-- shipped ranges -->\n| stale |\n|---|\n\nafter\n"
    made = with_shipped_ranges(page, shipped_ranges()[:1])
    assert made.startswith("before\n") and made.endswith("|\n\nafter\n") and "stale" not in made
    assert with_shipped_ranges("no such table\n", shipped_ranges()) == "no such table\n"
