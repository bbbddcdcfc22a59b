"""The whole bill: adds up to the cent, ranges that hold, units, and what a reader sees."""

from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.cost.bill.batch import CostBatch
from core.cost.bill.types import Cost
from core.cost.total import bills
from core.units import THIN
from core.workload.jobs.kinds import BatchInference, FineTuning, Job, OnlineServing, PreTraining
from core.workload.profile import Places, Profile
from tests.core.further_kind import Evaluation

MakeBatch = Callable[..., CostBatch]
JOBS = st.sampled_from([PreTraining(n_tokens=1e9, n_runs=2), FineTuning(), BatchInference(), OnlineServing()])
MODELS = st.sampled_from(
    ["on_demand", "spot", "commit_1y", "commit_3y", "dedicated_monthly", "capacity_block", "owned"]
)
HOURS = st.floats(0.01, 20_000).map(lambda likely: (0.8 * likely, likely, 1.4 * likely))


def one(batch: CostBatch) -> Cost:
    (cost,) = bills(batch).costs
    return cost


@given(job=JOBS, purchase_model=MODELS, run_h=HOURS, price=st.floats(0.01, 100), chips=st.integers(1, 4096))
def test_parts_add_up_to_the_total_to_the_cent(
    make_batch: MakeBatch, job: Job, purchase_model: str, run_h: tuple[float, ...], price: float, chips: int
) -> None:
    profile = Profile(job=job, places=Places(data_provider="aws", egress_gb_per_month=33.0))
    cost = one(
        make_batch(
            profile, run_h=run_h, usd_per_chip_hour=price, n_chips=(float(chips),), purchase_model=purchase_model
        )
    )
    cents = [Decimal(repr(part.usd)).quantize(Decimal("0.01")) for part in cost.parts]
    assert sum(cents) == Decimal(repr(cost.total.likely)).quantize(Decimal("0.01"))
    assert all(part.usd >= 0 for part in cost.parts)
    assert 0 <= cost.total.low <= cost.total.likely <= cost.total.high


@given(run_h=st.floats(1, 5000), price=st.floats(0.1, 50), more=st.integers(1, 64), purchase_model=MODELS)
def test_times_the_chips_for_the_same_chip_hours_never_cost_less(
    make_batch: MakeBatch, run_h: float, price: float, more: int, purchase_model: str
) -> None:
    profile = Profile(job=PreTraining())
    few = make_batch(
        profile, run_h=(run_h,) * 3, usd_per_chip_hour=price, n_chips=(8.0,), purchase_model=purchase_model
    )
    many = make_batch(
        profile,
        run_h=(run_h / more,) * 3,
        usd_per_chip_hour=price,
        n_chips=(8.0 * more,),
        purchase_model=purchase_model,
    )
    chip_time = [sum(one(b).part(p) for p in ("compute", "commitment_waste", "idle")) for b in (few, many)]
    assert chip_time[1] >= chip_time[0] * (1 - 1e-9) - 0.05


def test_a_committed_bill_is_surer_than_the_length_of_its_run(make_batch: MakeBatch) -> None:
    profile = Profile(job=PreTraining())
    rented = one(make_batch(profile, run_h=(300.0, 400.0, 600.0)))
    committed = one(make_batch(profile, run_h=(300.0, 400.0, 600.0), purchase_model="commit_1y"))
    assert committed.total.high / committed.total.low < 1.1 < 1.5 < rented.total.high / rented.total.low


def test_a_short_run_is_cheaper_on_demand_than_on_a_cheaper_commitment(make_batch: MakeBatch) -> None:
    profile = Profile(job=PreTraining())
    on_demand = one(make_batch(profile, usd_per_chip_hour=3.0))
    committed = one(make_batch(profile, usd_per_chip_hour=1.5, purchase_model="commit_1y"))
    assert on_demand.total.likely < committed.total.likely
    assert committed.part("commitment_waste") > committed.part("compute")


def test_unit_cost_of_training_is_per_million_tokens_of_all_runs(make_batch: MakeBatch) -> None:
    cost = one(make_batch(Profile(job=PreTraining(n_tokens=5e6, n_runs=4))))
    assert cost.unit == "1M tokens"
    assert cost.unit_usd == pytest.approx(cost.total.likely / 20)
    assert cost.per_run_usd == pytest.approx(cost.total.likely / 4)


def test_unit_cost_of_serving_is_per_million_answered_tokens(make_batch: MakeBatch) -> None:
    job = OnlineServing(peak_requests_per_s=10.0, mean_load_pct=50.0, output_tokens=100, months=2.0)
    cost = one(make_batch(Profile(job=job), run_h=(1460.0,) * 3))
    answered = 10 * 0.5 * 100 * 1460 * 3600
    assert cost.unit == "1M output tokens"
    assert cost.unit_usd == pytest.approx(cost.total.likely / (answered / 1e6))
    assert cost.per_month_usd == pytest.approx(cost.total.likely / 2)


def test_a_service_of_three_days_tells_what_a_month_of_it_costs(make_batch: MakeBatch) -> None:
    """The bill of 73 hours was called "a month"; a run that is over within a month is told whole."""
    cost = one(make_batch(Profile(job=OnlineServing(months=0.1)), run_h=(73.0,) * 3))
    assert cost.per_month_usd == pytest.approx(10 * cost.total.likely)
    run = one(make_batch(Profile(job=PreTraining()), run_h=(73.0,) * 3))
    assert run.per_month_usd == pytest.approx(run.total.likely)


def test_each_part_opens_its_formula_with_live_inputs(make_batch: MakeBatch) -> None:
    profile = Profile(job=PreTraining(), places=Places(data_provider="aws"))
    cost = one(make_batch(profile, usd_per_chip_hour=6.2, n_chips=(256.0,), run_h=(700.0, 766.0, 900.0)))
    shown = {part.id: {name: str(amount) for name, amount in part.inputs} for part in cost.parts}
    assert shown["compute"]["Chips"] == "256"
    assert shown["compute"]["Hours held"] == f"766{THIN}h"
    assert shown["compute"]["Price per chip hour"] == "$6.20"
    assert shown["storage"]["Price per GB and month"] == "$0.02"
    assert all(part.formula and part.source for part in cost.parts)


def test_estimates_are_marked_and_dated_prices_are_not(make_batch: MakeBatch) -> None:
    marks = {part.id: part.estimate for part in one(make_batch(Profile(job=PreTraining()))).parts}
    assert marks["operations"] and marks["idle"]
    assert not marks["compute"] and not marks["storage"]


def test_no_candidates_no_bills(make_batch: MakeBatch) -> None:
    assert bills(make_batch(Profile(), n_chips=(), run_h=(1.0, 1.0, 1.0))).costs == []


def test_a_service_that_may_need_more_chips_has_a_dearer_high_end(make_batch: MakeBatch) -> None:
    batch = make_batch(Profile(job=OnlineServing()), run_h=(8760.0,) * 3, n_chips=(8.0,))
    sure, unsure = one(batch), one(replace(batch, chips_factor=np.array([[0.5, 1.0, 2.0]])))
    assert unsure.total.likely == sure.total.likely
    chip_time = sum(sure.part(part) for part in ("compute", "idle"))
    assert unsure.total.high - unsure.total.likely >= chip_time
    assert unsure.total.low < sure.total.low


def test_a_kind_of_job_that_only_answers_the_traits_gets_a_bill(make_batch: MakeBatch) -> None:
    profile = Profile().model_copy(update={"job": Evaluation(n_tokens=4e6)})
    cost = one(make_batch(profile, run_h=(10.0, 10.0, 10.0), usd_per_chip_hour=2.0, n_chips=(8.0,)))
    assert (cost.part("compute"), cost.part("idle")) == (160.0, 48.0)  # 8 chips, 2 USD: 10 h of work, 3 h of set-up
    assert cost.unit == "1M scored tokens" and cost.unit_usd == pytest.approx(cost.total.likely / 4)
    assert cost.per_run_usd == cost.total.likely
    assert cost.per_epoch_usd is None and cost.per_experiment_usd is None
