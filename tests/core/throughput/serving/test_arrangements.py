"""Arrangements that serve a model: degrees divide heads, layers and chips, and a group stays in its domain."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from core.throughput.chips.fleet import fleet_of
from core.throughput.predict import predict
from core.throughput.serving.arrangements import ServingRows, hosted_models, in_pools, serving_rows
from core.throughput.types import Layout
from core.workload.jobs.kinds import OnlineServing
from core.workload.models.known import presets
from core.workload.models.transformer import TransformerModel
from core.workload.profile import Profile
from tests.core.throughput.fleet_samples import MIXTRAL, system

DEEPSEEK_V3 = presets()["DeepSeek-V3"].model
MODEL = TransformerModel(name="m", n_layers=48, n_heads=48, n_kv_heads=8)


def _rows(chip: str, n_chips: int, model: TransformerModel = MODEL, given: Layout | None = None) -> ServingRows:
    return serving_rows(fleet_of([system(chip, n_chips)], "bf16"), model, given)


@pytest.mark.parametrize(
    ("chip", "n_chips", "reach"), [("h100-sxm", 16, 8), ("gb200", 64, 64), ("tpu-v5e", 64, 16), ("tpu-v5e", 8, 8)]
)
def test_tensor_ranks_stay_in_the_domain_and_in_sixteen_chips_of_a_torus(chip: str, n_chips: int, reach: int) -> None:
    rows = _rows(chip, n_chips)
    assert rows.n_rows
    tensor = sorted({int(tp) for tp in rows.tp})
    assert max(tensor) <= reach and all(MODEL.n_heads % tp == 0 for tp in tensor)
    assert tensor[-1] == min(reach, 16)


def test_chips_are_split_into_whole_replicas() -> None:
    rows = _rows("h100-sxm", 16)
    assert np.array_equal(rows.tp * rows.pp * rows.attention_dp * rows.replicas, np.full(rows.n_rows, 16.0))
    assert (rows.replicas >= 1).all()


def test_a_pipeline_is_only_for_what_a_whole_domain_cannot_hold() -> None:
    rows = _rows("h100-sxm", 16)
    assert set(rows.tp[rows.pp > 1]) == {8.0}
    assert {2.0} <= set(rows.pp)


def test_attention_groups_are_for_experts_alone_and_reach_over_hosts() -> None:
    assert set(_rows("h100-sxm", 16).attention_dp) == {1.0}
    mixture = _rows("h100-sxm", 16, MIXTRAL)
    grouped = mixture.attention_dp > 1
    assert grouped.any()
    assert set(mixture.tp[grouped]) == {1.0, 2.0, 4.0} and set(mixture.pp[grouped]) == {1.0}
    many = MIXTRAL.model_copy(update={"n_experts": 64})
    assert (_rows("h100-sxm", 16, many).attention_dp * _rows("h100-sxm", 16, many).tp).max() == 16
    assert (mixture.attention_dp * mixture.tp).max() == MIXTRAL.n_experts
    torus = _rows("tpu-v5e", 64, many)
    assert (torus.attention_dp * torus.tp).max() == 16
    first = int(np.flatnonzero(grouped)[0])
    assert mixture.at(first).ep == int(mixture.attention_dp[first] * mixture.tp[first])
    assert mixture.at(int(np.flatnonzero(~grouped)[0])).ep == 1


def test_a_given_arrangement_is_taken_as_it_is() -> None:
    rows = _rows("h100-sxm", 16, given=Layout(tp=2, pp=2, max_batch=24))
    assert rows.n_rows == 1
    assert (rows.at(0).tp, rows.at(0).pp, rows.at(0).replicas, rows.at(0).max_batch) == (2, 2, 4, 24)
    groups = _rows("h100-sxm", 16, MIXTRAL, Layout(tp=1, ep=4, max_batch=64))
    assert (groups.attention_dp[0], groups.batch[0], groups.replicas[0]) == (4.0, 64.0, 4.0)


def test_a_pipeline_takes_layers_that_do_not_divide_and_only_large_models() -> None:
    odd = MODEL.model_copy(update={"n_layers": 61})
    assert {2.0, 4.0} <= set(_rows("h100-sxm", 32, odd).pp)
    small = serving_rows(fleet_of([system("h100-sxm", 32)], "bf16"), odd, weight_bytes=16e9)
    assert set(small.pp) == {1.0}
    large = serving_rows(fleet_of([system("h100-sxm", 32)], "bf16"), odd, weight_bytes=700e9)
    assert {2.0, 4.0} <= set(large.pp)


def test_some_replicas_only_prefill_where_asked() -> None:
    rows = _rows("h100-sxm", 16)
    assert in_pools(rows, "off") is rows
    on = in_pools(rows, "on")
    assert on.is_split.all() and (on.answering >= 1).all() and (on.prefill_replicas >= 1).all()
    assert (on.replicas == on.prefill_replicas + on.answering).all()
    best = in_pools(rows, "best")
    assert best.n_rows == rows.n_rows + on.n_rows and (np.diff(best.system) >= 0).all()
    two = on.prefill_replicas[(on.replicas == 2) & (on.tp == 8) & (on.batch == 8)]
    assert list(two) == [1.0]
    assert not in_pools(_rows("h100-sxm", 1), "on").n_rows
    assert on.at(0).prefill_replicas == int(on.prefill_replicas[0])


def test_several_models_lie_on_the_fewer_of_both_kinds_of_replicas() -> None:
    rows = in_pools(_rows("h100-sxm", 16), "on", n_models=4)
    fewest = np.minimum(rows.prefill_replicas, rows.answering)
    assert np.array_equal(rows.hosted, hosted_models(4, fewest))


def test_experts_are_shared_by_as_many_groups_as_divide_the_chips() -> None:
    """Nine hosts as well as eight, whatever other systems are asked about."""
    nine, both = system("h100-sxm", 72), [system("h100-sxm", 64), system("h100-sxm", 72)]
    alone = serving_rows(fleet_of([nine], "fp8"), DEEPSEEK_V3)
    beside = serving_rows(fleet_of(both, "fp8"), DEEPSEEK_V3)
    groups = sorted(set(alone.attention_dp.tolist()))
    assert groups == [1, 2, 3, 4, 6, 8, 9, 12, 18, 24, 36, 72]
    assert groups == sorted(set(beside.attention_dp[beside.system == 1].tolist()))
    assert {1, 2, 4, 8, 16, 32, 64} == set(beside.attention_dp[beside.system == 0].tolist())


def test_more_hosts_carry_no_less_of_a_mixture() -> None:
    """In any number: eight more chips could stand idle."""
    job = OnlineServing(input_tokens=2000, output_tokens=1000, weight_precision="fp8", engine="sglang")
    profile = Profile(model=DEEPSEEK_V3, job=job.model_copy(update={"ttft_limit_ms": None, "tpot_limit_ms": None}))
    found = predict(profile, [system("h100-sxm", 8 * hosts) for hosts in range(4, 14)])
    speeds = [one.tokens_per_s.likely if one.fits else 0.0 for one in found]
    assert all(one <= 1.02 * other for one, other in pairwise(speeds)), speeds
