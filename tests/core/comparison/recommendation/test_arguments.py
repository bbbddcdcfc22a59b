"""What speaks for and against a pick, at the difference from which it is worth a word."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from core.comparison.recommendation.arguments import (
    _cheaper,
    _freer,
    _no_porting,
    _porting,
    _range_past_limits,
    _sooner,
    _spare_budget,
    _spare_time,
    _surer,
    _unused,
    rivals,
)
from core.comparison.result import CandidateResult
from core.units import THIN
from core.workload.profile import Limits, Profile

Make = Callable[..., CandidateResult]


def _words(told: Any) -> str:
    return " ".join(map(str, told)) if isinstance(told, list) else str(told)


def _keeping(result: CandidateResult, in_limits: float | None) -> CandidateResult:
    chance: Any = None if in_limits is None else SimpleNamespace(in_limits=in_limits)
    return replace(result, chance=chance)


@pytest.mark.parametrize(("usd", "is_told"), [(0.96e6, True), (0.98e6, False), (1.0e6, False), (1.1e6, False)])
def test_three_per_cent_of_the_bill_are_worth_a_word(
    make_result: Make, profile: Profile, usd: float, is_told: bool
) -> None:
    pick, rival = make_result(cost=usd), make_result("h200-sxm", cost=1e6)
    assert bool(_cheaper(profile, pick, rival)) is is_told
    assert _words(_cheaper(profile, make_result(cost=0.5e6), rival)).startswith(f"$500{THIN}k below ")
    assert _words(_cheaper(profile, make_result(cost=0.5e6), rival, against=True)).startswith(f"$500{THIN}k more than ")


@pytest.mark.parametrize(
    ("fast", "slow", "words"), [(20.0, 30.0, "10 days"), (29.5, 30.0, ""), (0.5, 1.4, ""), (30.0, 30.0, "")]
)
def test_a_day_and_three_per_cent_of_the_time_are_worth_a_word(
    make_result: Make, profile: Profile, fast: float, slow: float, words: str
) -> None:
    better, worse = make_result(days=fast), make_result("h200-sxm", days=slow)
    told = _words(_sooner(profile, better, worse))
    assert told.startswith(words) and bool(told) is bool(words)
    assert ("sooner" in told) is bool(words) and ("later" in _words(_sooner(profile, better, worse, True))) is bool(
        words
    )


@pytest.mark.parametrize(
    ("usd", "one", "other", "is_told"),
    [
        (1.2e6, 0.95, 0.90, True),
        (1.2e6, 0.95, 0.93, False),
        (0.8e6, 0.95, 0.50, False),
        (1.0e6, 0.95, 0.50, False),
        (1.2e6, None, 0.50, False),
        (1.2e6, 0.95, None, False),
        (1.2e6, 0.50, 0.95, False),
    ],
)
def test_what_costs_more_is_surer_from_three_draws_in_a_hundred_on(
    make_result: Make, usd: float, one: float | None, other: float | None, is_told: bool
) -> None:
    better = _keeping(make_result(cost=usd), one)
    cheaper = _keeping(make_result("h200-sxm", cost=1e6), other)
    assert bool(_surer(better, cheaper)) is is_told
    if is_told:
        assert "95" in _words(_surer(better, cheaper)).split(" draws")[0]
        assert "90" in _words(_surer(better, cheaper, against=True)).split(" draws")[0]


@pytest.mark.parametrize(("points", "is_told"), [(53.0, True), (52.5, False), (47.0, False)])
def test_three_points_of_freedom_are_worth_a_word(make_result: Make, points: float, is_told: bool) -> None:
    better, worse = make_result(score=points), make_result("h200-sxm", score=50.0)
    assert bool(_freer(better, worse)) is is_told
    assert ("less flexible" in _words(_freer(better, worse, against=True))) is is_told


def test_limits_are_spared_or_passed_by_the_far_end_of_the_range(make_result: Make) -> None:
    pick = make_result(cost=1e6, days=30.0, spread=0.1)
    assert pick.days_to_finish is not None
    late, dear = pick.days_to_finish.high, pick.cost.total.high
    wide = Profile(limits=Limits(deadline_days=late + 10, budget_usd=2 * dear))
    tight = Profile(limits=Limits(deadline_days=late - 2, budget_usd=0.5 * dear))
    none = Profile(limits=Limits(deadline_days=None, budget_usd=None))
    exact = Profile(limits=Limits(deadline_days=late, budget_usd=dear))
    assert _words(_spare_time(wide, pick)).startswith("10 days spare") and _spare_budget(wide, pick)
    assert _range_past_limits(wide, pick) == [] and len(_range_past_limits(tight, pick)) == 2
    assert _spare_time(tight, pick) == _spare_budget(tight, pick) == []
    assert _spare_time(none, pick) == _spare_budget(none, pick) == _range_past_limits(none, pick) == []
    assert _spare_time(exact, pick) and _spare_budget(exact, pick) and _range_past_limits(exact, pick) == []


def test_porting_and_waste_are_told_where_there_are_any(make_result: Make) -> None:
    plain, ported = make_result(), make_result("tpu-v6e", porting_usd=2e5, porting_days=14.0)
    assert _words(_porting(ported)).startswith("Porting comes first: $200") and _porting(plain) == []
    assert len(_no_porting(plain, [ported])) == 1 and _no_porting(plain, [plain]) == _no_porting(ported, [ported]) == []
    assert [bool(_unused(make_result(cost=1e6, waste_usd=usd))) for usd in (0.0, 2.9e4, 3.1e4)] == [False, False, True]


def test_rivals_are_another_chip_another_kind_and_the_cheapest(make_result: Make) -> None:
    pick, same = make_result(cost=3e6), make_result(cost=1e6, provider="lambda", tag="same")
    chip, tpu = make_result("h200-sxm", cost=4e6), make_result("tpu-v6e", cost=5e6)
    assert [one.id for one in rivals([pick, chip, tpu, same])] == [chip.id, tpu.id, same.id]
    assert [one.id for one in rivals([pick, tpu])] == [tpu.id]
    assert rivals([pick]) == []
