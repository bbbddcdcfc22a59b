"""Arrangements that serve a model: degrees divide heads, layers and chips, and a group stays in its domain."""

from __future__ import annotations

import numpy as np
import pytest

from core.throughput.chips.fleet import fleet_of
from core.throughput.serving.arrangements import ServingRows, serving_rows
from core.throughput.types import Layout
from core.workload.models.transformer import TransformerModel
from tests.core.throughput.fleet_samples import MIXTRAL, system

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


def test_attention_groups_are_for_experts_alone_and_need_no_tensor_ranks() -> None:
    assert set(_rows("h100-sxm", 16).attention_dp) == {1.0}
    mixture = _rows("h100-sxm", 16, MIXTRAL)
    grouped = mixture.attention_dp > 1
    assert grouped.any()
    assert set(mixture.tp[grouped]) == set(mixture.pp[grouped]) == {1.0}
    assert (mixture.attention_dp * mixture.tp <= 8).all()
    first = int(np.flatnonzero(grouped)[0])
    assert mixture.at(first).ep == int(mixture.attention_dp[first])
    assert mixture.at(int(np.flatnonzero(~grouped)[0])).ep == 1


def test_a_given_arrangement_is_taken_as_it_is() -> None:
    rows = _rows("h100-sxm", 16, given=Layout(tp=2, pp=2, max_batch=24))
    assert rows.n_rows == 1
    assert (rows.at(0).tp, rows.at(0).pp, rows.at(0).replicas, rows.at(0).max_batch) == (2, 2, 4, 24)
    groups = _rows("h100-sxm", 16, MIXTRAL, Layout(tp=1, ep=4, max_batch=64))
    assert (groups.attention_dp[0], groups.batch[0], groups.replicas[0]) == (4.0, 64.0, 4.0)
