"""Each part of the bill against an example worked out on paper."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from core.cost.bill.batch import CostBatch
from core.cost.parts.commitment import commitment_waste
from core.cost.parts.compute import compute
from core.cost.parts.egress import egress
from core.cost.parts.energy import energy, energy_kwh
from core.cost.parts.idle import idle
from core.cost.parts.operations import operations
from core.cost.parts.porting import porting
from core.cost.parts.storage import storage
from core.workload.jobs.kinds import BatchInference, FineTuning, OnlineServing, PreTraining
from core.workload.models.transformer import TransformerModel
from core.workload.profile import Owning, Places, Profile, Team

MakeBatch = Callable[..., CostBatch]
YEAR_H = 8760.0
TRAINING = Profile(job=PreTraining(dataset_gb=1000.0))
SERVING = Profile(job=OnlineServing(mean_load_pct=40.0, months=12.0))


def test_compute_is_chips_times_hours_times_price(make_batch: MakeBatch) -> None:
    assert compute(make_batch(TRAINING)).usd[0] == pytest.approx([64 * 80 * 2, 64 * 100 * 2, 64 * 150 * 2])


def test_serving_compute_is_the_share_at_work_and_idle_the_rest(make_batch: MakeBatch) -> None:
    batch = make_batch(SERVING, run_h=(YEAR_H,) * 3)
    whole = 64 * YEAR_H * 2.0
    assert compute(batch).usd[0, 1] == pytest.approx(0.4 * whole)
    assert idle(batch).usd[0, 1] == pytest.approx(0.6 * whole)


def test_autoscaling_hands_back_all_but_a_rest_when_paid_by_use(make_batch: MakeBatch) -> None:
    profile = Profile(job=OnlineServing(mean_load_pct=40.0, autoscale=True))
    on_demand = make_batch(profile, run_h=(YEAR_H,) * 3)
    committed = make_batch(profile, run_h=(YEAR_H,) * 3, purchase_model="commit_1y")
    assert idle(on_demand).usd[0, 1] == pytest.approx(64 * YEAR_H * 0.4 * 0.15 * 2.0)
    assert idle(committed).usd[0, 1] == pytest.approx(64 * YEAR_H * 0.6 * 2.0)


def test_where_fewer_chips_are_held_than_the_mean_load_s_share_no_more_are_paid(make_batch: MakeBatch) -> None:
    """A plan with room above its peak: the mean load takes less than its share of all chips."""
    profile = Profile(job=OnlineServing(mean_load_pct=40.0, autoscale=True))
    roomy = replace(make_batch(profile, run_h=(YEAR_H,) * 3), held_share=np.array([[0.3]]))
    assert compute(roomy).usd[0, 1] == pytest.approx(0.3 * 64 * YEAR_H * 2.0)
    assert idle(roomy).usd[0, 1] == 0.0
    assert energy_kwh(roomy)[0, 1] == pytest.approx(
        0.3 / (0.4 + 0.3 * 0.6) * energy_kwh(make_batch(profile, run_h=(YEAR_H,) * 3, purchase_model="commit_1y"))[0, 1]
    )


def test_a_run_idles_two_hours_before_each_start(make_batch: MakeBatch) -> None:
    batch = make_batch(Profile(job=PreTraining(n_runs=3)))
    assert idle(batch).usd[0] == pytest.approx([64 * 3 * 2, 64 * 6 * 2, 64 * 12 * 2])


def test_all_batches_of_the_term_are_paid(make_batch: MakeBatch) -> None:
    profile = Profile(job=BatchInference(batches_per_month=30, months=12))
    batch = make_batch(profile, run_h=(1.0, 2.0, 3.0), n_chips=(8.0,))
    assert compute(batch).usd[0] == pytest.approx([8 * 360 * 2.0, 8 * 720 * 2.0, 8 * 1080 * 2.0])
    assert idle(batch).usd[0, 1] == pytest.approx(8 * 0.25 * 360 * 2.0)


def test_a_hundred_hours_on_a_one_year_commitment_pay_the_year(make_batch: MakeBatch) -> None:
    batch = make_batch(TRAINING, purchase_model="commit_1y")
    waste = commitment_waste(batch).usd[0]
    assert waste[1] == pytest.approx(64 * (YEAR_H - 102.0) * 2.0)
    paid = compute(batch).usd[0] + idle(batch).usd[0] + waste
    assert paid == pytest.approx([64 * YEAR_H * 2.0] * 3)


@pytest.mark.parametrize(
    ("purchase_model", "run_h", "term_h"),
    [
        ("commit_3y", 100.0, 3 * YEAR_H),
        ("dedicated_monthly", 100.0, 730.0),
        ("dedicated_monthly", 800.0, 1460.0),
        ("commit_1y", 9000.0, 2 * YEAR_H),
    ],
)
def test_terms_are_paid_whole(make_batch: MakeBatch, purchase_model: str, run_h: float, term_h: float) -> None:
    batch = make_batch(TRAINING, purchase_model=purchase_model, run_h=(run_h,) * 3)
    assert commitment_waste(batch).usd[0, 1] == pytest.approx(64 * (term_h - run_h - 2.0) * 2.0)


@pytest.mark.parametrize("purchase_model", ["on_demand", "spot", "flex_start", "capacity_block", "owned"])
def test_what_is_paid_by_use_wastes_nothing(make_batch: MakeBatch, purchase_model: str) -> None:
    assert commitment_waste(make_batch(TRAINING, purchase_model=purchase_model)).usd[0] == pytest.approx([0, 0, 0])


def test_a_year_in_service_on_a_one_year_commitment_wastes_nothing(make_batch: MakeBatch) -> None:
    batch = make_batch(SERVING, run_h=(YEAR_H,) * 3, purchase_model="commit_1y")
    assert commitment_waste(batch).usd[0] == pytest.approx([0, 0, 0])


def test_other_work_takes_over_its_share_of_the_rest(make_batch: MakeBatch) -> None:
    shared = TRAINING.model_copy(update={"places": Places(commitment_reuse_pct=75.0)})
    alone = commitment_waste(make_batch(TRAINING, purchase_model="commit_1y")).usd[0, 1]
    assert commitment_waste(make_batch(shared, purchase_model="commit_1y")).usd[0, 1] == pytest.approx(0.25 * alone)


def test_storage_keeps_data_and_three_checkpoints_of_14_bytes_a_weight(make_batch: MakeBatch) -> None:
    model = TransformerModel()
    batch = make_batch(Profile(job=PreTraining(dataset_gb=1000.0), model=model), run_h=(730.0,) * 3)
    kept_gb = 1000.0 + 3 * 14 * model.n_params / 1e9
    assert storage(batch).usd[0] == pytest.approx([0.01 * kept_gb, 0.02 * kept_gb, 0.03 * kept_gb])


def test_adapters_keep_the_frozen_weights_once_and_checkpoints_of_the_adapters(make_batch: MakeBatch) -> None:
    model = TransformerModel(
        n_layers=32, d_model=4096, n_heads=32, n_kv_heads=8, d_head=128, d_ff=14336, vocab_size=32768
    )
    job = FineTuning(method="lora", lora_rank=16, dataset_gb=5.0)
    # 41.9 M adapter weights: 16 x 32 x (q 8192 + k 5120 + v 5120 + o 8192 + three of 18432)
    adapters = 16 * 32 * (8192 + 5120 + 5120 + 8192 + 3 * 18432)
    kept_gb = 5.0 + (3 * 14 * adapters + 2 * model.n_params) / 1e9
    batch = make_batch(Profile(job=job, model=model), run_h=(730.0,) * 3)
    assert storage(batch).usd[0, 1] == pytest.approx(0.02 * kept_gb)


def test_waiting_lengthens_what_is_stored_not_what_is_computed(make_batch: MakeBatch) -> None:
    ready, late = make_batch(TRAINING), make_batch(TRAINING, waiting_days=30.0)
    assert storage(late).usd[0, 1] > storage(ready).usd[0, 1]
    assert compute(late).usd[0, 1] == compute(ready).usd[0, 1]


def test_data_at_another_provider_is_moved_once_at_that_providers_price(make_batch: MakeBatch) -> None:
    """1,000 GB out of AWS in one month: 100 free, 900 at 0.09 = 81 USD. Out of Lambda 0.05 a GB: 50 USD."""
    from_aws = TRAINING.model_copy(update={"places": Places(data_provider="AWS")})
    from_lambda = TRAINING.model_copy(update={"places": Places(data_provider="lambda")})
    assert egress(make_batch(from_aws, provider="gcp")).usd[0] == pytest.approx([81.0, 81.0, 81.0])
    assert egress(make_batch(from_lambda, provider="gcp")).usd[0] == pytest.approx([0.0, 50.0, 100.0])
    assert egress(make_batch(from_aws, provider="aws")).usd[0] == pytest.approx([0.0, 0.0, 0.0])
    assert egress(make_batch(TRAINING, provider="gcp")).usd[0] == pytest.approx([0.0, 0.0, 0.0])


def test_data_in_another_region_of_the_same_provider_crosses_at_a_price_of_its_own(make_batch: MakeBatch) -> None:
    """1,000 GB at 0.02; an offer that does not say where it runs is taken for one away from the data."""
    places = Places(data_provider="aws", data_region="us-east-1")
    profile = TRAINING.model_copy(update={"places": places})
    assert egress(make_batch(profile, provider="aws", region="eu-west-1")).usd[0, 1] == pytest.approx(20.0)
    assert egress(make_batch(profile, provider="aws", region="us-east-1")).usd[0, 1] == 0.0
    assert egress(make_batch(profile, provider="aws", region="any")).usd[0, 1] == pytest.approx(20.0)


def test_monthly_egress_is_paid_at_the_offers_provider_by_its_steps(make_batch: MakeBatch) -> None:
    """20,000 GB a month out of AWS: 100 free, 10,140 at 0.09 = 912.60, 9,760 at 0.085 = 829.60; twelve months.
    Out of a provider without steps 0.05 each."""
    profile = SERVING.model_copy(update={"places": Places(egress_gb_per_month=20_000.0)})
    assert egress(make_batch(profile, provider="aws")).usd[0, 1] == pytest.approx(12 * (912.60 + 829.60))
    assert egress(make_batch(profile, provider="lambda")).usd[0, 1] == pytest.approx(12 * 1000.0)


def test_egress_is_marked_where_a_step_it_reaches_is_an_estimate(make_batch: MakeBatch) -> None:
    """GCP lists its first TB; what follows is from memory."""
    for gb, is_estimate in ((500.0, False), (5_000.0, True)):
        month = SERVING.model_copy(update={"places": Places(egress_gb_per_month=gb)})
        moved = TRAINING.model_copy(update={"job": PreTraining(dataset_gb=gb), "places": Places(data_provider="gcp")})
        assert egress(make_batch(month, provider="gcp")).estimates[0] is is_estimate
        assert egress(make_batch(moved, provider="aws")).estimates[0] is is_estimate


def test_operations_pay_eight_hours_a_month_and_one_a_node_on_kubernetes(make_batch: MakeBatch) -> None:
    """64 chips on 8 nodes for a year."""
    profile = SERVING.model_copy(update={"team": Team(engineer_usd_per_week=4000.0, delivery="kubernetes")})
    assert operations(make_batch(profile)).usd[0] == pytest.approx([9_600.0, 19_200.0, 38_400.0])


def test_porting_pays_weeks_at_the_rate_entered(make_batch: MakeBatch) -> None:
    profile = TRAINING.model_copy(update={"team": Team(engineer_usd_per_week=4000.0)})
    batch = make_batch(profile, porting_weeks=(1.0, 3.0, 6.0))
    assert porting(batch).usd[0] == pytest.approx([4000.0, 12_000.0, 24_000.0])


def test_energy_is_counted_always_and_billed_when_owned(make_batch: MakeBatch) -> None:
    rented, owned = make_batch(TRAINING), make_batch(TRAINING, purchase_model="owned")
    likely_kwh = 64 * 0.85 * 0.7 * 1.45 * 1.5 * 100.0
    assert energy_kwh(rented)[0, 1] == pytest.approx(likely_kwh)
    assert energy(rented).usd[0] == pytest.approx([0, 0, 0])
    assert energy(owned).usd[0, 1] == pytest.approx(0.1 * likely_kwh)  # the site's PUE is that of any here, 1.5


def test_typed_power_price_and_pue_of_the_site_count(make_batch: MakeBatch) -> None:
    own = Owning(electricity_usd_per_kwh=0.2, pue=1.2)
    owned = make_batch(TRAINING.model_copy(update={"owning": own}), purchase_model="owned")
    assert energy(owned).usd[0, 1] == pytest.approx(0.2 * 64 * 0.85 * 0.7 * 1.45 * 1.2 * 100.0)


def test_a_chip_without_published_power_has_a_wider_range(make_batch: MakeBatch) -> None:
    known, unknown = (energy_kwh(make_batch(TRAINING, accelerator=chip))[0] for chip in ("h100-sxm", "tpu-v5e"))
    assert unknown[2] / unknown[0] > 2 * known[2] / known[0]


def test_chips_given_back_take_no_power(make_batch: MakeBatch) -> None:
    job = OnlineServing(peak_requests_per_s=10, mean_load_pct=40, autoscale=True)
    kept = make_batch(Profile(job=job), purchase_model="commit_1y")
    given_back = make_batch(Profile(job=job))
    share = (0.4 + 0.3 * 0.4 * 0.15) / (0.4 + 0.3 * 0.6)
    assert energy_kwh(given_back)[0, 1] == pytest.approx(share * energy_kwh(kept)[0, 1])
