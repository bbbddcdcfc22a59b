"""The limit of time as its line says it."""

from __future__ import annotations

import math
from dataclasses import replace
from datetime import date

import pytest

from core.comparison.time_measure import time_measure
from core.throughput.types import Throughput
from core.units import THIN
from core.workload.jobs.kinds import PreTraining
from core.workload.profile import Limits, Profile
from gui.charts.kinds.decision_map import decision_map
from gui.tabs.describe.field_hints import hints
from tests.gui.sample_results import sample_results

START = date(2026, 11, 22)


@pytest.mark.parametrize(
    ("days", "label"),
    [
        (30.0, "Deadline 30 d, 22 Dec"),
        (60.0, "Deadline 60 d, 21 Jan"),
        (800.0, "Deadline 800 d, 30 Jan 2029"),
        (3650.0, f"Deadline 3{THIN}650 d, 19 Nov 2036"),
        (None, ""),
    ],
)
def test_a_deadline_is_told_with_its_day(days: float | None, label: str) -> None:
    limits = Limits(start_date=START, deadline_days=days)
    assert time_measure(Profile(id="p", name="p", job=PreTraining(), limits=limits)).limit_label == label


def test_a_deadline_beyond_the_calendar_has_no_day() -> None:
    limits = Limits(start_date=date(9999, 12, 20), deadline_days=60.0)
    profile = Profile(id="p", name="p", job=PreTraining(), limits=limits)
    assert time_measure(profile).limit_label == "Deadline 60 d"
    assert "limits.deadline_days" not in hints(profile)


@pytest.mark.parametrize("serving", [False, True])
def test_the_measure_of_all_at_once_is_that_of_each(serving: bool) -> None:
    results = sample_results(serving=serving)
    measure = time_measure(results.profile)
    each = [measure.value(one) for one in results.results]
    at_once = measure.likely_of_all(results.columns)
    assert at_once.tolist() == pytest.approx([one.likely if one else math.inf for one in each])
    assert any(one is not None for one in each)


def test_users_wait_for_an_answer_on_the_way_too_and_between_tokens_they_do_not() -> None:
    results = sample_results(serving=True)
    shown = results.results[0]
    assert shown.throughput.latency is not None
    far = replace(shown.throughput, system=replace(shown.throughput.system, route_ms=200.0))
    for kind, way_ms in (("answer", 200.0), ("token", 0.0)):
        measure = replace(time_measure(results.profile), kind=kind)
        near_ms, far_ms = (
            measure.value(replace(shown, throughput=one)) for one in (shown.throughput, far)
        )  # fmt: skip
        assert near_ms is not None and far_ms is not None
        assert far_ms.likely - near_ms.likely == pytest.approx(way_ms)


@pytest.mark.parametrize(
    ("most_ms", "axis"), [(9_000.0, ("Time per output token, ms", 1.0)), (1e4, ("Time per output token, s", 1000.0))]
)
def test_an_axis_of_long_times_is_in_seconds(most_ms: float, axis: tuple[str, float]) -> None:
    measure = time_measure(sample_results(serving=True).profile)
    assert measure.on_axis(most_ms) == axis
    assert measure.title_with_unit == "Time per output token, ms"


def test_an_axis_of_days_is_in_days_however_long() -> None:
    measure = time_measure(sample_results().profile)
    assert measure.on_axis(1e6) == (measure.title, 1.0) == ("Days to finish", 1.0) == (measure.title_with_unit, 1.0)


@pytest.mark.parametrize(("slower", "unit", "scale"), [(1.0, "ms", 1.0), (1000.0, "s", 1000.0)])
def test_the_decision_map_of_slow_answers_is_in_seconds(slower: float, unit: str, scale: float) -> None:
    results = sample_results(serving=True)
    of_slow = [replace(one, throughput=_slowed(one.throughput, slower)) for one in results.results]
    figure = decision_map(replace(results, results=tuple(of_slow)))
    assert f", {unit}" in figure.y.title and figure.y.scale == scale
    assert {row[9] for row in figure.table[1:]} == {"Time per output token, ms"}, "the table keeps the figures' unit"


def _slowed(speed: Throughput, by: float) -> Throughput:
    return replace(speed, latency=speed.latency and replace(speed.latency, tpot_p50_ms=by * speed.latency.tpot_p50_ms))
