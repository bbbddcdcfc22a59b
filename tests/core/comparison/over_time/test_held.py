"""What a phase holds, and how far off its cost may be, by hand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest

from core.comparison.over_time.answer import OverTime
from core.comparison.over_time.held import _cost_factor, held_by
from core.comparison.result import ResultSet
from core.cost.bill.types import Cost
from core.ranges import Range
from core.workload.phases import Phase

Answers = Mapping[str, ResultSet]


def test_what_is_paid_by_the_day_errs_by_its_price_of_today(mixed: OverTime) -> None:
    """Today's price is 0.8 of that listed, and may be 0.6 to 1."""
    run = mixed.own.runs[0]
    point = run.held.result
    price = replace(point.candidate.price, factor=0.8, low=0.6, high=1.0)
    dear = replace(point, candidate=replace(point.candidate, price=price))
    off = _cost_factor(dear, run.phase)
    assert (off.low, off.likely, off.high) == (pytest.approx(0.75), 1.0, pytest.approx(1.25))


def test_a_service_errs_by_its_bill_unless_it_is_free(mixed: OverTime) -> None:
    run = mixed.own.runs[-1]
    point = replace(run.held.result, cost=Cost(Range(50.0, 100.0, 300.0), (), 0.0, "1M tokens", 0.0, 0.0))
    assert _cost_factor(point, run.phase) == Range(0.5, 1.0, 3.0)
    free = replace(point, cost=replace(point.cost, total=Range(0.0, 0.0, 0.0)))
    assert _cost_factor(free, run.phase).likely == 1.0


def test_trials_cost_the_rent_and_runs_their_bill_by_the_day(answers: Answers, mixed_phases: tuple[Phase, ...]) -> None:
    explore, scale = (held_by(answers[one.workload], one) for one in (mixed_phases[0], mixed_phases[3]))
    assert explore is not None and scale is not None
    rent = explore.result.candidate.usd_per_chip_hour * 24 * explore.n_chips
    assert explore.is_rent_alone and explore.usd_per_day == pytest.approx(rent)
    bill, days = scale.result.cost, scale.run_days.likely
    assert not scale.is_rent_alone
    assert scale.usd_per_day * days == pytest.approx(bill.total.likely - bill.part("porting"))
    assert days == pytest.approx(scale.result.run_h.likely / 24)


def test_the_kind_that_is_asked_for_is_held(answers: Answers, mixed_phases: tuple[Phase, ...]) -> None:
    for platform in ("gpu", "tpu"):
        held = held_by(answers[mixed_phases[3].workload], mixed_phases[3].model_copy(update={"platform": platform}))
        assert held is not None and held.kind == platform and held.result.throughput.fits
