"""More of anything that is paid never makes a bill smaller."""

from collections.abc import Callable

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from core.cost.bill.batch import CostBatch
from core.cost.owned.terms import book_usd
from core.cost.total import bills
from core.workload.jobs.kinds import BatchInference, FineTuning, OnlineServing, PreTraining
from core.workload.profile import Owning, Places, Profile, Team

MakeBatch = Callable[..., CostBatch]
JOBS = st.sampled_from([PreTraining(), FineTuning(), BatchInference(), OnlineServing()])
PAID = st.sampled_from(["on_demand", "spot", "commit_1y", "commit_3y", "dedicated_monthly", "capacity_block", "owned"])
TEAM = Team(support_plan="business", delay_usd_per_day=100.0)
CENT = 0.1


def likely_usd(make_batch: MakeBatch, profile: Profile, **given_: object) -> float:
    return float(bills(make_batch(profile, provider="aws", **given_)).likely_usd[0])


@given(job=JOBS, paid=PAID, hours=st.floats(0.1, 20_000), longer=st.floats(1, 5), reuse=st.floats(0, 100))
def test_more_hours_never_cost_less(
    make_batch: MakeBatch, job: object, paid: str, hours: float, longer: float, reuse: float
) -> None:
    profile = Profile(job=job, team=TEAM, places=Places(commitment_reuse_pct=reuse))
    if isinstance(job, BatchInference):
        hours, longer = min(hours, 4.0), min(longer, 2.0)
    short, long = (
        likely_usd(make_batch, profile, run_h=(h,) * 3, purchase_model=paid) for h in (hours, hours * longer)
    )
    assert long >= short * (1 - 1e-9) - CENT


@given(job=JOBS, paid=PAID, chips=st.integers(1, 4096), more=st.integers(0, 4096))
def test_more_chips_for_as_long_never_cost_less(
    make_batch: MakeBatch, job: object, paid: str, chips: int, more: int
) -> None:
    profile = Profile(job=job, team=TEAM)
    few, many = (
        likely_usd(make_batch, profile, n_chips=(float(n),), purchase_model=paid) for n in (chips, chips + more)
    )
    assert many >= few * (1 - 1e-9) - CENT


@given(job=JOBS, paid=PAID, price=st.floats(0.01, 100), dearer=st.floats(1, 10))
def test_a_higher_price_never_costs_less(
    make_batch: MakeBatch, job: object, paid: str, price: float, dearer: float
) -> None:
    profile = Profile(job=job, team=TEAM)
    cheap, dear = (
        likely_usd(make_batch, profile, usd_per_chip_hour=p, purchase_model=paid) for p in (price, price * dearer)
    )
    assert dear >= cheap * (1 - 1e-9) - CENT


@given(low=st.floats(0, 100), higher=st.floats(0, 100), hours=st.floats(1, 60_000))
def test_a_better_resale_never_costs_more(make_batch: MakeBatch, low: float, higher: float, hours: float) -> None:
    worse, better = sorted((low, higher))
    bills_ = [
        likely_usd(make_batch, Profile(owning=Owning(resale_pct=share)), run_h=(hours,) * 3, purchase_model="owned")
        for share in (worse, better)
    ]
    assert bills_[1] <= bills_[0] + CENT


@given(resale=st.floats(0, 1), months=st.floats(0, 200), later=st.floats(0, 200))
def test_worth_never_rises_with_age(resale: float, months: float, later: float) -> None:
    young, old = book_usd(np.array(100.0), np.array([months, months + later]), 36.0, np.array(resale))
    assert old <= young + 1e-9
