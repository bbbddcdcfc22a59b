"""Communication of a training step by hand: 100 GB/s in domains of eight, 10 GB/s beyond, coefficients of 1."""

from __future__ import annotations

from dataclasses import fields, replace

import numpy as np
import pytest

from core.throughput.chips.collectives import all_reduce_inner_s, all_to_all_s, gather_wide_s, send_s
from core.throughput.chips.fleet import Fleet, fleet_of
from core.throughput.chips.network_coefficients import network_coefficients
from core.throughput.model_shape import shape_of
from core.throughput.training.exchange import (
    gradient_exchange_s,
    layer_exchange_s,
    optimizer_s,
    stage_sends_s,
    weight_gather_s,
)
from core.throughput.training.layouts import as_rows
from core.throughput.training.rates import Rates
from core.throughput.training.work import TrainingWork
from core.throughput.types import Layout
from core.workload.models.transformer import TransformerModel
from tests.core.throughput.fleet_samples import system

DENSE = TransformerModel(name="d", n_layers=4, d_model=1024, n_heads=16, n_kv_heads=4, d_head=64, d_ff=4096)
MIXTURE = DENSE.model_copy(update={"n_experts": 8, "n_experts_per_token": 2})
KNOWN = network_coefficients()
TOKENS = np.array([8192.0])
COMPUTE = np.array([0.0])


def _one(value: float) -> np.ndarray:
    return np.array([float(value)])


def _fleet() -> Fleet:
    figures = {"inner_bytes_per_s": 100e9, "narrow_bytes_per_s": 50e9, "outer_bytes_per_s": 10e9, "domain_chips": 8.0}
    fleet = fleet_of([system("h100-sxm", 64)], "bf16")
    return replace(fleet, inner_latency_s=_one(10e-6), **{name: _one(value) for name, value in figures.items()})


def _rates(**values: float) -> Rates:
    usual = {field.name: 1.0 for field in fields(Rates)} | values
    return Rates(**{name: _one(value) for name, value in (usual | {"unfused": 0.0} | values).items()})


def _work(share: float = 1.0, lora: bool = False, batch: float = 64.0) -> TrainingWork:
    return TrainingWork(*(np.asarray(value) for value in (4096.0, batch, float(lora), share, 2.0)))


def _seconds(expected: object) -> object:
    return pytest.approx(float(np.ravel(expected)[0]), rel=1e-9)


def _layer(model: TransformerModel = DENSE, rates: Rates | None = None, **degrees: object) -> float:
    rows = as_rows([Layout(**degrees)])  # type: ignore[arg-type]
    return float(layer_exchange_s(shape_of(model), _work(), _fleet(), rates or _rates(), rows, TOKENS)[0])


SIZE = 8192 * 1024 * 2.0
"""Bytes of the activations of 8,192 tokens."""


def test_tensor_parallel_layers_take_four_all_reduces_and_six_when_computed_again() -> None:
    once = all_reduce_inner_s(_fleet(), _one(4), _one(SIZE))
    assert _layer(tp=4) == _seconds(4 * once)
    assert _layer(tp=4, recompute="full") == _seconds(6 * once)
    assert _layer(tp=4, recompute="selective") == _seconds(4 * once)
    assert _layer(tp=4, rates=_rates(tensor_exposed=0.25)) == _seconds(once)
    assert _layer() == 0.0


def test_keys_and_values_pass_round_the_ring_of_context_ranks() -> None:
    """Of 8,192 tokens 4 heads of 64, keys and values, two bytes: 2 x 4 x 64 x 8192 x 2, cut by tensor ranks."""
    for tp, size in ((1, 2 * 4 * 64 * 8192 * 2.0), (2, 4 * 64 * 8192 * 2.0)):
        expected = 3 * 3 * send_s(_fleet(), _one(4 * tp), _one(size))
        tensor = 4 * all_reduce_inner_s(_fleet(), _one(tp), _one(SIZE))
        bare = _rates(attention_flops=1e30)
        assert _layer(tp=tp, cp=4, rates=bare) == _seconds(expected + tensor)
        slow = _rates(attention_flops=1.0)
        assert _layer(tp=tp, cp=4, rates=slow) == _seconds(0.05 * expected + tensor)


def test_tokens_go_to_their_experts_and_back_twice() -> None:
    """Two copies of each token; the busiest of 8 ranks has three doublings more; half of the layers have experts.

    Over two domains the two experts of a token lie in 1.5 of them on average, and each gets one copy.
    """
    sent = all_to_all_s(_fleet(), _one(8), _one(8), _one(2 * SIZE))
    exposed = 4 * sent
    even = _rates(imbalance_per_doubling=0.0)
    assert _layer(MIXTURE, even, ep=8, dp=8) == _seconds(exposed)
    assert _layer(MIXTURE, _rates(imbalance_per_doubling=0.1), ep=8, dp=8) == _seconds(1.3 * exposed)
    half = MIXTURE.model_copy(update={"n_dense_layers": 2})
    assert _layer(half, even, ep=8, dp=8) == _seconds(exposed / 2)
    spared = (1 - 1.5 / 2) * (1 / 2) * SIZE / 10e9
    cut = 4 * (all_to_all_s(_fleet(), _one(8), _one(4), _one(SIZE)) - spared)
    tensor = 4 * all_reduce_inner_s(_fleet(), _one(2), _one(SIZE))
    assert _layer(MIXTURE, even, ep=8, dp=8, tp=2) == _seconds(cut + tensor)


def test_a_pipeline_sends_on_and_back_for_each_stage_held() -> None:
    """A stage lies all data, tensor and context ranks away; nothing is sent without a pipeline."""
    for degrees, away, size, stages in (
        ({"pp": 4}, 1, SIZE, 1), ({"pp": 4, "dp": 8, "interleave": 2}, 8, SIZE, 2),
        ({"pp": 2, "tp": 2, "cp": 2}, 4, SIZE / 2, 1),
    ):  # fmt: skip
        rows = as_rows([Layout(**degrees)])
        expected = KNOWN.pipeline_exposed * 2 * stages * send_s(_fleet(), _one(away), _one(size))
        assert float(stage_sends_s(shape_of(DENSE), _work(), _fleet(), rows, TOKENS)[0]) == _seconds(expected)
    alone = as_rows([Layout(dp=8)])
    assert float(stage_sends_s(shape_of(DENSE), _work(), _fleet(), alone, TOKENS)[0]) == 0.0


def test_full_sharding_gathers_weights_thrice_and_twice_for_adapters() -> None:
    """Beside compute a quarter of it shows, beyond it all; the first gather of each of four layers always does."""
    rows, once = as_rows([Layout(fsdp=16)]), gather_wide_s(_fleet(), _one(16), _one(8), _one(DENSE.n_params * 2.0))
    for lora, times in ((False, 3.0), (True, 2.0)):
        for compute_s in (0.0, float(once[0]), 1e3):
            gathers = times * once
            beside = min(float(gathers[0]), compute_s)
            expected = float(gathers[0]) - 0.75 * beside + gathers / 4
            made = weight_gather_s(
                shape_of(DENSE), _work(lora=lora), _fleet(), _rates(gather_slowdown=0.25), rows, _one(compute_s)
            )
            assert float(made[0]) == _seconds(expected)
    for whole in (Layout(dp=16), Layout(dp=16, zero=2)):
        made = weight_gather_s(shape_of(DENSE), _work(), _fleet(), _rates(), as_rows([whole]), COMPUTE)
        assert float(made[0]) == 0.0


def _exchange(layout: Layout, compute_s: float = 0.0, model: TransformerModel = DENSE, **work: float) -> float:
    rows = as_rows([layout])
    rates = _rates(gather_slowdown=0.25)
    return float(gradient_exchange_s(shape_of(model), _work(**work), _fleet(), rates, rows, _one(compute_s))[0])


def test_whole_copies_exchange_gradients_once_a_step_and_split_ones_with_every_micro_batch() -> None:
    """16 data ranks of a batch of 64 in pieces of 2: two micro-batches."""
    once = gather_wide_s(_fleet(), _one(16), _one(8), _one(DENSE.n_params * 2.0))
    assert _exchange(Layout(dp=16, micro_batch=2)) == _seconds(2 * once)
    assert _exchange(Layout(dp=16, micro_batch=2, zero=2)) == _seconds(3 * once)
    assert _exchange(Layout(dp=16, micro_batch=2), batch=33.0) == _seconds(2 * once)
    assert _exchange(Layout(dp=16, micro_batch=2, zero=2), batch=33.0) == _seconds(3 * once)
    assert _exchange(Layout(dp=16), share=0.01) == _seconds(
        2 * gather_wide_s(_fleet(), _one(16), _one(8), _one(DENSE.n_params * 0.02))
    )


def test_the_way_back_hides_the_exchange_but_for_what_it_takes_of_the_products() -> None:
    """A quarter of what runs beside the two thirds of compute that are the way back."""
    once = float(gather_wide_s(_fleet(), _one(16), _one(8), _one(DENSE.n_params * 2.0))[0])
    beside = 2 / 3 * once
    assert _exchange(Layout(dp=16), once) == _seconds(2 * once - 0.75 * beside)
    assert _exchange(Layout(dp=16), 100 * once) == _seconds(0.25 * 2 * once)
    split = Layout(dp=16, micro_batch=2, zero=2)
    assert _exchange(split, once) == _seconds(3 * once - 0.75 * 2 * beside)


def test_only_shards_cross_where_groups_hold_copies() -> None:
    """Two groups of eight: each rank exchanges an eighth with one other; fully sharded there is nothing left."""
    size = DENSE.n_params * 2.0 / 8
    assert _exchange(Layout(dp=2, fsdp=8)) == _seconds(2 * gather_wide_s(_fleet(), _one(2), _one(1), _one(size)))
    assert _exchange(Layout(fsdp=16)) == 0.0


def test_experts_are_exchanged_among_ranks_that_hold_the_same() -> None:
    """16 data ranks and 8 expert ranks: two hold the same experts; the rest over all sixteen."""
    shape = shape_of(MIXTURE)
    experts = float(shape.moe_layers * shape.n_experts * shape.expert_params)
    dense = 2.0 * (MIXTURE.n_params - experts)
    apart = gather_wide_s(_fleet(), _one(16), _one(8), _one(dense))
    alike = gather_wide_s(_fleet(), _one(2), _one(1), _one(2.0 * experts / 8))
    assert _exchange(Layout(dp=16, ep=8), model=MIXTURE) == _seconds(2 * (apart + alike))


@pytest.mark.parametrize(
    ("layout", "ranks"), [(Layout(dp=16), 16), (Layout(fsdp=16), 16), (Layout(dp=2, fsdp=8), 8), (Layout(), 1)]
)
def test_the_optimiser_moves_thirty_bytes_a_weight_of_its_share(layout: Layout, ranks: int) -> None:
    rates = _rates(memory_bytes_per_s=1e12)
    found = optimizer_s(shape_of(DENSE), _work(), _fleet(), rates, as_rows([layout]))
    assert float(found[0]) == _seconds(30 * DENSE.n_params / ranks / 1e12)
    part = optimizer_s(shape_of(DENSE), _work(share=0.1), _fleet(), rates, as_rows([layout]))
    assert float(part[0]) == _seconds(3 * DENSE.n_params / ranks / 1e12)
