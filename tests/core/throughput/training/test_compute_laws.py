"""Products, attention, experts and the head of a micro-batch by hand: rates of round figures."""

from __future__ import annotations

from dataclasses import fields

import numpy as np
import pytest

from core.throughput.model_shape import shape_of
from core.throughput.training.compute import (
    block_passes,
    block_s,
    elementwise_s,
    experts_s,
    head_s,
    mixer_s,
    passes,
    product_s,
    tile_share,
)
from core.throughput.training.layouts import as_rows
from core.throughput.training.rates import Rates
from core.throughput.training.work import TrainingWork
from core.throughput.types import Layout
from core.workload.models.transformer import TransformerModel

DENSE = TransformerModel(
    name="d", n_layers=4, d_model=1024, n_heads=16, n_kv_heads=4, d_head=64, d_ff=4096, vocab_size=32_000
)
MIXTURE = DENSE.model_copy(update={"n_experts": 8, "n_experts_per_token": 2, "d_ff": 1024})
SLOW_MEMORY, FAST = {"memory_bytes_per_s": 1e9}, {"memory_bytes_per_s": 1e30}
TOKENS = np.array([2048.0])


def _rates(**values: float) -> Rates:
    """1 TFLOP/s, no fixed times, no half waves, tiles of one column."""
    usual = {field.name: 0.0 for field in fields(Rates)} | {
        "gemm_flops": 1e12, "attention_flops": 1e30, "memory_bytes_per_s": 1e30, "tile": 1.0, "grouped_share": 1.0,
        "recomputed": 1.0, "fused_experts": 1.0,
    }  # fmt: skip
    return Rates(**{name: np.array([value]) for name, value in (usual | values).items()})


def _work(lora: bool = False) -> TrainingWork:
    return TrainingWork(*(np.asarray(value) for value in (2048.0, 64.0, float(lora), 1.0, 2.0)))


def _rows(**degrees: object):
    return as_rows([Layout(**degrees)])  # type: ignore[arg-type]


def _is(expected: float) -> object:
    return pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize(("size", "share"), [(128, 1.0), (100, 100 / 128), (129, 129 / 256), (256, 1.0)])
def test_the_last_tile_is_filled_in_part(size: float, share: float) -> None:
    assert float(tile_share(np.asarray(float(size)), np.asarray(128.0))) == _is(share)


def test_a_product_by_hand() -> None:
    """2 x 1000 x 1000 x 1000 FLOPs at 1 TFLOP/s; 3e6 values of two bytes; half a wave of 2e5; 5 us to start."""
    m = np.asarray(1000.0)
    assert float(product_s(_rates(), m, m, m)[0]) == _is(2e-3)
    assert float(product_s(_rates(kernel_s=5e-6), m, m, m)[0]) == _is(2e-3 + 5e-6)
    assert float(product_s(_rates(memory_bytes_per_s=1e9), m, m, m)[0]) == _is(6e-3)
    assert float(product_s(_rates(wave=2e5), m, m, m)[0]) == _is(2e3 * 1.1e6 / 1e12)
    assert float(product_s(_rates(tile=1500.0), m, m, m)[0]) == _is(3e-3)
    two, three, five = (np.asarray(1000.0 * n) for n in (2, 3, 5))
    assert float(product_s(_rates(memory_bytes_per_s=2e9), two, three, five)[0]) == _is(60e-3)  # its FLOPs
    assert float(product_s(_rates(memory_bytes_per_s=1e8), two, three, five)[0]) == _is(2 * 31e6 / 1e8)


@pytest.mark.parametrize(
    ("recompute", "lora", "recomputed", "times"),
    [("none", False, 1.0, 3.0), ("none", True, 1.0, 2.0), ("full", False, 0.7, 3.7), ("selective", False, 1.0, 3.0),
     ("full", True, 1.0, 3.0)],
)  # fmt: skip
def test_how_often_products_run(recompute: str, lora: bool, recomputed: float, times: float) -> None:
    assert float(passes(_work(lora), _rates(recomputed=recomputed), _rows(recompute=recompute))[0]) == _is(times)


@pytest.mark.parametrize(
    ("recompute", "mixer", "block"),
    [("none", 3.0, 3.0), ("selective", 3.0, 3.0), ("full", 3.7, 3.7), ("blocks", 3.0, 3.7)],
)  # fmt: skip
def test_blocks_may_be_all_that_is_repeated(recompute: str, mixer: float, block: float) -> None:
    rates, rows = _rates(recomputed=0.7), _rows(recompute=recompute)
    assert float(passes(_work(), rates, rows)[0]) == _is(mixer)
    assert float(block_passes(_work(), rates, rows)[0]) == _is(block)


def _products(model: TransformerModel, tp: int) -> float:
    """Forward FLOPs of the projections of attention for a token: queries, keys and values in, one out."""
    heads, kv = model.n_heads * model.d_head, model.n_kv_heads * model.d_head
    return 2.0 * model.d_model * (heads + 2 * kv + heads) / tp


@pytest.mark.parametrize("tp", [1, 2, 4])
def test_projections_of_attention_by_hand(tp: int) -> None:
    found = mixer_s(shape_of(DENSE), _work(), _rates(), _rows(tp=tp), TOKENS)
    assert float(found[0]) == pytest.approx(3 * 2048 * _products(DENSE, tp) / 1e12, rel=1e-3)


@pytest.mark.parametrize("tp", [1, 2])
def test_a_gated_block_is_three_matrices(tp: int) -> None:
    found = block_s(shape_of(DENSE), _work(), _rates(), _rows(tp=tp), TOKENS)
    assert float(found[0]) == _is(3 * 2048 * 2 * 3 * 1024 * 4096 / tp / 1e12)
    plain = DENSE.model_copy(update={"gated_mlp": False})
    assert float(block_s(shape_of(plain), _work(), _rates(), _rows(tp=tp), TOKENS)[0]) == _is(
        3 * 2048 * 2 * 2 * 1024 * 4096 / tp / 1e12
    )


def test_grouped_products_of_experts_by_hand() -> None:
    """Two visits a token; 512 tokens an expert; at half the rate of large products, and less for part-filled tiles."""
    shape, flops = shape_of(MIXTURE), 3 * 2 * 4096 * 3 * 1024 * 1024
    assert float(experts_s(shape, _work(), _rates(), _rows(), TOKENS)[0]) == pytest.approx(flops / 1e12, rel=2e-3)
    half = experts_s(shape, _work(), _rates(grouped_share=0.5, tile=1e-9), _rows(), TOKENS)
    assert float(half[0]) == _is(2 * flops / 1e12)
    tiled = experts_s(shape, _work(), _rates(tile=1024.0), _rows(), TOKENS)
    assert float(tiled[0]) == _is(2 * flops / 1e12)  # 512 of 512 + 512


def test_the_busiest_of_expert_ranks_sets_the_pace() -> None:
    shape = shape_of(MIXTURE)
    even, busy = (
        float(experts_s(shape, _work(), _rates(tile=1e-9, imbalance_per_doubling=more), _rows(ep=4, dp=4), TOKENS)[0])
        for more in (0.0, 0.1)
    )
    assert busy == _is(1.2 * even)


def test_expert_weights_are_read_for_each_pass_and_their_gradients_written() -> None:
    """Eight experts of 3 x 1024 x 1024 weights, 2 + 8/3 bytes each, three times; four experts take half."""
    shape, few = shape_of(MIXTURE), np.array([1.0])
    for ep, held in ((1, 8), (2, 4)):
        found = experts_s(shape, _work(), _rates(**SLOW_MEMORY, tile=1e-9), _rows(ep=ep, dp=ep), few)
        assert float(found[0]) == _is(3 * held * 3 * 1024 * 1024 * (2 + 8 / 3) / 1e9)


def test_tokens_are_permuted_and_routed_beside() -> None:
    """Two visits of 1,024 values of two bytes, 6 times over, and the kernels of routing."""
    shape, rates = shape_of(MIXTURE), {"gemm_flops": 1e30, "tile": 1e-9}
    routed = experts_s(shape, _work(), _rates(expert_layer_s=3e-4, **rates), _rows(), TOKENS)
    assert float(routed[0]) == _is(3e-4)
    moved = _rates(permute_values=6.0, memory_bytes_per_s=1e12, **rates)
    without = _rates(memory_bytes_per_s=1e12, **rates)
    both = [float(experts_s(shape, _work(), one, _rows(), TOKENS)[0]) for one in (moved, without)]
    assert both[0] - both[1] == pytest.approx(4096 * 1024 * 2 * 6 / 1e12)


def test_fused_kernels_make_gated_experts_cheaper_and_no_others() -> None:
    plain = MIXTURE.model_copy(update={"gated_mlp": False})
    for model, share in ((MIXTURE, 0.75), (plain, 1.0)):
        before, after = (
            float(experts_s(shape_of(model), _work(), _rates(fused_experts=cost), _rows(), TOKENS)[0])
            for cost in (1.0, 0.75)
        )
        assert after == _is(share * before)


def test_shared_experts_run_as_a_block_of_their_width() -> None:
    alone = float(experts_s(shape_of(MIXTURE), _work(), _rates(tile=1e-9), _rows(), TOKENS)[0])
    shared = MIXTURE.model_copy(update={"n_shared_experts": 2})
    both = float(experts_s(shape_of(shared), _work(), _rates(tile=1e-9), _rows(), TOKENS)[0])
    assert both - alone == pytest.approx(3 * 2048 * 2 * 3 * 1024 * 2 * 1024 / 1e12, rel=1e-6)


def test_layers_with_and_without_experts_are_a_mean() -> None:
    """One of four layers is dense."""
    mixed = MIXTURE.model_copy(update={"n_dense_layers": 1})
    shape, rates = shape_of(mixed), _rates(tile=1e-9)
    width = float(shape.dense_block_params / shape.expert_params * shape.d_ff)
    dense_s = 3 * 2048 * 2 * 3 * 1024 * width / 1e12
    experts = float(experts_s(shape, _work(), rates, _rows(), TOKENS)[0])
    assert float(block_s(shape, _work(), rates, _rows(), TOKENS)[0]) == pytest.approx(
        0.25 * dense_s + 0.75 * experts, rel=1e-6
    )


@pytest.mark.parametrize(
    ("causal", "lora", "predicted", "times"), [(True, False, 1.0, 3), (True, True, 1.0, 2), (False, False, 0.15, 3)]
)
def test_the_head_predicts_each_token_or_the_masked_ones(
    causal: bool, lora: bool, predicted: float, times: int
) -> None:
    """A product of 1,024 x 32,000, and 24 bytes a logit."""
    shape = shape_of(DENSE.model_copy(update={"causal": causal}))
    n = 2048 * predicted
    assert float(head_s(shape, _work(lora), _rates(), _rows(), TOKENS)[0]) == _is(times * n * 2 * 1024 * 32_000 / 1e12)
    moved = head_s(shape, _work(lora), _rates(gemm_flops=1e30, memory_bytes_per_s=1e12), _rows(tp=2), TOKENS)
    read = 2.0 * (n * 1024 + 1024 * 16_000 + n * 16_000)
    assert float(moved[0]) == _is((times * read + 24 * n * 16_000) / 1e12)


@pytest.mark.parametrize(("recompute", "often"), [("none", 3.0), ("selective", 3.3), ("full", 3.5)])
def test_norms_gates_and_casts_by_hand(recompute: str, often: float) -> None:
    """11 d + 4 h e + 3 f values a token, moved 1.5 times; 2 d + h e + f inputs cast 4 times over; two bytes each."""
    values, inputs = 11 * 1024 + 4 * 1024 + 3 * 4096, 2 * 1024 + 1024 + 4096
    rates = _rates(elementwise=1.5, cast_values=4.0, memory_bytes_per_s=1e12, recomputed=0.5)
    for tp in (1, 2):
        found = elementwise_s(shape_of(DENSE), _work(), rates, _rows(recompute=recompute, tp=tp), TOKENS)
        assert float(found[0]) == _is(often * 2048 * (1.5 * values + 4 * inputs) * 2 / tp / 1e12)


def test_elementwise_work_of_experts_counts_the_active_ones() -> None:
    """Two experts and one shared of 1,024; without gates a half less; one layer of four has none."""
    rates = _rates(elementwise=1.0, memory_bytes_per_s=1e12)
    mixed = MIXTURE.model_copy(update={"n_shared_experts": 1, "n_dense_layers": 1, "gated_mlp": False})
    values = 11 * 1024 + 4 * 1024 + 3 / 2 * 0.75 * 3 * 1024
    found = elementwise_s(shape_of(mixed), _work(), rates, _rows(), TOKENS)
    assert float(found[0]) == _is(3 * 2048 * values * 2 / 1e12)
