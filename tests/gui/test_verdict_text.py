"""What the verdict strip says."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from core.ranges import Range
from core.units import THIN
from gui.panels.verdict_text import Verdict, verdict
from tests.gui.sample_results import empty_results, sample_results

TODAY = date(2026, 11, 21)


def shown(total: Range) -> Verdict:
    results = sample_results()
    first = results.results[0]
    cheaper = replace(first, cost=replace(first.cost, total=total))
    return verdict(replace(results, results=(cheaper, *results.results[1:])), TODAY)


@pytest.mark.parametrize(
    ("total", "value", "note"),
    [
        (Range(1.34e6, 1.48e6, 1.68e6), f"$1.5{THIN}M", "1.3–1.7"),
        (Range(355e3, 511e3, 839e3), f"$510{THIN}k", "355–839"),
        (Range(9.1e6, 12e6, 15.2e6), f"$12{THIN}M", "9–15"),
        (Range(900e3, 999e3, 1.2e6), f"$1{THIN}M", "0.9–1.2"),
    ],
)
def test_a_range_is_in_the_scale_of_its_value(total: Range, value: str, note: str) -> None:
    kpi = shown(total).kpis[0]
    assert kpi.value == value
    assert kpi.note == f"{note}, 80{THIN}% range"


def test_training_ends_on_a_day_and_has_days_to_spare() -> None:
    finish = verdict(sample_results(), TODAY).kpis[1]
    assert finish.title == "Finish"
    assert finish.value == "6 Jan 2027"
    assert finish.spare == ", 24 days spare"


def test_serving_has_a_bill_a_month_and_a_speed() -> None:
    titles = [kpi.title for kpi in verdict(sample_results(serving=True), TODAY).kpis]
    assert titles == ["Cost per month", "Speed", "Flexibility", "Stays first"]


def test_too_little_known_shows_no_figures() -> None:
    found = verdict(empty_results(), TODAY)
    assert found.kpis == ()
    assert found.headline.startswith("Fill in ")


def test_nothing_fits_is_said_without_figures() -> None:
    results = sample_results()
    advice = replace(results.recommendation, choice=None, headline="No option meets every limit. Nearest: 288 chips.")
    found = verdict(replace(results, recommendation=advice), TODAY)
    assert found.headline == "No option meets every limit. Nearest: 288 chips."
    assert found.kpis == ()


def test_an_old_price_is_marked() -> None:
    results = sample_results()
    assert verdict(replace(results, oldest_price="2026-08-22"), TODAY).price_is_old
    assert not verdict(replace(results, oldest_price="2026-08-23"), TODAY).price_is_old
    assert not verdict(replace(results, oldest_price="undated"), TODAY).price_is_old
