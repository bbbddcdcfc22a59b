"""Limits that are missed, in words, each with the nearest change."""

from __future__ import annotations

import dataclasses

import pytest

from core.comparison.judge.limits import missed_limits
from core.ranges import Range
from core.throughput.types import Reason
from core.workload.jobs.kinds import OnlineServing
from core.workload.profile import Limits


def _missed(profile, result, *, ready: float, run: float | None, enough: int | None = None):
    return missed_limits(
        profile,
        result.throughput,
        result.cost,
        Range(ready, ready, ready),
        run,
        result.candidate.n_chips,
        8,
        enough,
        result.candidate.offer.usd_per_chip_hour,
    )


def test_all_limits_met(profile, make_result) -> None:
    assert _missed(profile, make_result(), ready=59, run=59) == ()


def test_late_says_how_many_chips_were_tried_and_would_do(profile, make_result) -> None:
    (reason,) = _missed(profile, make_result(n_chips=256), ready=66, run=66, enough=288)
    assert (reason.code, str(reason.text)) == ("deadline", "6\u202fd past the deadline.")
    assert str(reason.nearest_change) == "Every limit is met with 288 chips"


def test_late_by_porting_alone_asks_for_a_later_deadline(profile, make_result) -> None:
    (reason,) = _missed(profile, make_result(), ready=90, run=10)
    assert str(reason.nearest_change) == "Fits with a deadline of 90\u202fd"


def test_over_budget_names_the_price_that_fits(profile, make_result) -> None:
    profile = profile.model_copy(update={"limits": Limits(budget_usd=5e5)})
    result = make_result("h100-sxm", 1e6)
    (reason,) = _missed(profile, result, ready=30, run=30)
    price = result.candidate.offer.usd_per_chip_hour
    assert reason.code == "budget" and str(reason.text) == "$500\u202fk over budget."
    assert str(reason.nearest_change) == f"Fits at ${int(price * 50) / 100:.2f} per chip hour"


def test_budget_below_the_fixed_part_asks_for_a_budget(profile, make_result) -> None:
    profile = profile.model_copy(update={"limits": Limits(budget_usd=1e5)})
    (reason,) = _missed(profile, make_result(cost=1e6, porting_usd=5e5), ready=30, run=30)
    assert str(reason.nearest_change) == "Fits with a budget of $1\u202fM"


def test_too_many_chips(profile, make_result) -> None:
    profile = profile.model_copy(update={"limits": Limits(max_chips=32)})
    (reason,) = _missed(profile, make_result(n_chips=64), ready=30, run=30)
    assert (reason.code, str(reason.nearest_change)) == ("max_chips", "Fits with 64 chips allowed")


@pytest.mark.parametrize(
    ("ttft", "tpot", "codes"), [(1000, 50, []), (100, 50, ["ttft"]), (100, 10, ["ttft", "tpot"]), (None, None, [])]
)
def test_latency_limits(profile, make_result, ttft, tpot, codes) -> None:
    profile = profile.model_copy(update={"job": OnlineServing(ttft_limit_ms=ttft, tpot_limit_ms=tpot)})
    found = _missed(profile, make_result(days=None, tpot_ms=20.0), ready=0, run=None)
    assert [reason.code for reason in found] == codes
    assert all(reason.nearest_change for reason in found)


def test_what_does_not_fit_memory_says_only_that(profile, make_result) -> None:
    result = make_result()
    why = (Reason("memory", "Needs 120 GiB of 74.", "Fits with 16 chips"),)
    throughput = dataclasses.replace(result.throughput, fits=False, reasons=why)
    assert _missed(profile, dataclasses.replace(result, throughput=throughput), ready=999, run=999) == why


def test_late_for_want_of_input_asks_for_faster_storage(profile, make_result) -> None:
    job = profile.job.model_copy(update={"storage_gb_per_s": 2.0})
    starved = make_result(n_chips=256)
    starved = dataclasses.replace(starved, throughput=dataclasses.replace(starved.throughput, bottleneck="input"))
    (reason,) = _missed(profile.model_copy(update={"job": job}), starved, ready=100, run=80)
    assert str(reason.nearest_change) == "May fit with storage 2 times as fast"
    (usual,) = _missed(profile, starved, ready=100, run=80, enough=512)
    assert "chips" in str(usual.nearest_change)
