"""Elasticity worked by hand: smallest unit, largest system, waiting and giving back, a quarter each."""

from collections.abc import Callable

import pytest

from core.flexibility.elasticity import GIVING_BACK, large_score, small_score, wait_score
from core.flexibility.types import CriterionScore
from core.ranges import Range
from core.workload.places import PURCHASE_WORDS
from core.workload.profile import Profile

Judge = Callable[..., CriterionScore]
PLAIN = Profile()


def test_chips_are_given_back_less_freely_the_longer_one_is_bound() -> None:
    """Every way to pay has its share, from all to nothing."""
    assert set(GIVING_BACK) >= set(PURCHASE_WORDS)
    order = ["on_demand", "spot", "flex_start", "capacity_block", "dedicated_monthly", "commit_1y", "commit_3y"]
    shares = [GIVING_BACK[name] for name in order]
    assert shares == sorted(shares, reverse=True)
    assert (shares[0], shares[1], shares[2], shares[-1], GIVING_BACK["owned"]) == (1.0, 1.0, 0.8, 0.0, 0.0)
    assert all(0.0 <= share <= 1.0 for share in GIVING_BACK.values())


@pytest.mark.parametrize("purchase_model", GIVING_BACK)
def test_giving_back_is_a_quarter_of_it(judge: Judge, purchase_model: str) -> None:
    free, one = (judge("F8", PLAIN, purchase_model=model).value for model in ("on_demand", purchase_model))
    for end in ("low", "likely", "high"):
        assert getattr(free, end) - getattr(one, end) == pytest.approx((1 - GIVING_BACK[purchase_model]) / 4)


def test_a_week_of_waiting_costs_its_share_of_a_quarter(judge: Judge) -> None:
    """``1 - 1/e`` of a quarter; the span of the days is that of the score, the longest wait lowest."""
    now, later = (judge("F8", PLAIN, waiting_days=days).value for days in (Range(0, 0, 0), Range(0.0, 7.0, 14.0)))
    assert now.likely - later.likely == pytest.approx((1 - 0.36788) / 4, abs=1e-5)
    assert now.high == pytest.approx(later.high)
    assert now.low - later.low == pytest.approx((1 - 0.13534) / 4, abs=1e-5)


def test_scores_of_sizes() -> None:
    assert [small_score(n) for n in (1, 2, 16, 256, 512)] == pytest.approx([1, 7 / 8, 0.5, 0, 0])
    assert [large_score(n) for n in (1, 8, 64, 4096, 9999)] == pytest.approx([0, 0.25, 0.5, 1, 1])
    assert wait_score(Range(0.0, 0.0, 0.0)) == Range(1.0, 1.0, 1.0)


def test_a_slice_s_size_is_sure_and_a_cluster_s_is_not(judge: Judge) -> None:
    """A cluster may end with the host of eight chips, ``log2(8) / 12 = 0.25``, or reach all; 0.8 likely."""
    gpu, tpu = judge("F8", PLAIN, "h100-sxm"), judge("F8", PLAIN, "tpu-v5p")
    assert gpu.value.high - gpu.value.likely == pytest.approx(0.2 / 4)
    assert tpu.value.low == tpu.value.likely == tpu.value.high
    told = {name: str(value) for name, value in gpu.inputs}
    assert told["Largest joined system"] == "unknown"
    assert "largest cluster unknown" in gpu.evidence and "chips in one slice" in tpu.evidence
    assert told["Giving back"] == "1" and told["Waiting"] == "0 days"
