"""What a phase holds, and how far off its cost may be, by hand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from core.catalogue.loading import load_catalogue
from core.comparison.evaluate import evaluate
from core.comparison.over_time.answer import OverTime
from core.comparison.over_time.held import _cost_factor, held_by
from core.comparison.result import CandidateResult, ResultSet
from core.cost.bill.types import Cost
from core.ranges import Range
from core.workload.library import load_profiles
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


def _within(usd: float | None, **limits: Any) -> ResultSet:
    """A run that may not pay as spot, within a budget."""
    shipped = load_profiles()["llama3-8b-pretraining"]
    places = shipped.places.model_copy(update={"purchase_models": ("on_demand", "commit_1y", "commit_3y")})
    changed = shipped.limits.model_copy(update={"budget_usd": usd, "deadline_days": None, "max_chips": 512} | limits)
    return evaluate(shipped.model_copy(update={"places": places, "limits": changed}), load_catalogue())


def test_a_tighter_budget_is_exceeded_before_an_offer_is_taken_that_is_not_allowed() -> None:
    """Spot would be far cheaper: it may not be taken, and a budget may be spoken about."""
    scale = Phase(id="s", stage="scale", platform="tpu")
    free = held_by(_within(None), scale)
    assert free is not None and not free.broken
    least = min(one.cost.total.likely for one in _within(None).results if one.feasible and _is_tpu(one))
    for budget in (0.9 * least, 0.5 * least):
        held = held_by(_within(budget), scale)
        assert held is not None and held.result.candidate.offer.purchase_model != "spot"
        assert [one.code for one in held.broken] == ["budget"]
        assert str(held.broken[0].text).endswith(" over budget.")


def _is_tpu(result: CandidateResult) -> bool:
    return result.candidate.accelerator.kind == "tpu"


def test_other_limits_by_an_amount_are_exceeded_before_too() -> None:
    held = held_by(_within(None, max_chips=1), Phase(id="s", stage="scale", platform="tpu"))
    assert held is not None and "purchase" not in [one.code for one in held.broken]
    assert {one.code for one in held.broken} <= {"max_chips"}


def test_a_limit_is_told_of_the_one_option_that_is_held(bank: ResultSet) -> None:
    """The comparison shows it for all offers of its kind, with their number."""
    held = held_by(bank, Phase(id="s", stage="serve", platform="tpu"))
    assert held is not None and any(" offers)" in str(one.text) for one in held.result.reasons)
    assert [str(one.text) for one in held.broken] == [
        "A cloud offer, and the work must stay on premises.", "Paid as spot, which is not allowed"
    ]  # fmt: skip
