"""Parameter counts and FLOPs of well-known models."""

import numpy as np
import pytest

from core.throughput.model_shape import shape_of
from core.throughput.transformer_work import (
    dense_params,
    expert_params,
    experts_touched,
    kv_cache_bytes,
    model_flops_per_token,
    trained_params,
)
from core.workload.jobs.kinds import FineTuning, PreTraining
from core.workload.models.transformer import TransformerModel
from tests.core.throughput.fleet_samples import GPT_3, LLAMA_3_8B, LLAMA_3_70B, MIXTRAL

PUBLISHED_B = [
    (LLAMA_3_8B, 8.03),
    (LLAMA_3_70B, 70.55),
    (TransformerModel(n_layers=126, d_model=16384, n_heads=128, d_ff=53248), 405.85),
    (TransformerModel(vocab_size=32000), 7.24),  # Mistral 7B
    (MIXTRAL, 46.7),
    (GPT_3, 175.0),
    (
        TransformerModel(n_layers=28, d_model=3584, n_heads=28, n_kv_heads=4, d_ff=18944, vocab_size=152064),
        7.62,
    ),  # Qwen2.5 7B
    (TransformerModel(n_layers=80, d_model=8192, n_heads=64, d_ff=29568, vocab_size=152064), 72.7),  # Qwen2.5 72B
    (
        TransformerModel(
            n_layers=28,
            d_model=3072,
            n_heads=16,
            n_kv_heads=16,
            d_head=256,
            d_ff=24576,
            vocab_size=256000,
            tied_embeddings=True,
        ),  # fmt: skip
        8.54,
    ),  # Gemma 7B
]


@pytest.mark.parametrize(("model", "billions"), PUBLISHED_B)
def test_parameters_are_those_published(model: TransformerModel, billions: float) -> None:
    assert model.n_params / 1e9 == pytest.approx(billions, rel=0.01)


def test_mixtral_passes_13_of_47_billion_weights() -> None:
    assert MIXTRAL.n_active_params / 1e9 == pytest.approx(12.9, rel=0.01)
    assert dense_params(shape_of(MIXTRAL)) + expert_params(shape_of(MIXTRAL)) == MIXTRAL.n_params
    assert expert_params(shape_of(LLAMA_3_8B)) == 0


@pytest.mark.parametrize("model", [model for model, _ in PUBLISHED_B])
def test_flops_follow_the_6n_rule_and_grow_with_the_sequence(model: TransformerModel) -> None:
    short = model_flops_per_token(shape_of(model), 16)
    assert 0.8 < short / (6 * model.n_active_params) <= 1.03
    assert model_flops_per_token(shape_of(model), 8192) > short


def test_70b_at_8k_matches_the_hand_count() -> None:
    """6 x (70.55 - 1.05 G input embedding) + 6 x 80 x 64 x 128 x 8192 causal attention = 449 GFLOP a token."""
    assert model_flops_per_token(shape_of(LLAMA_3_70B), 8192) / 1e9 == pytest.approx(449.2, rel=0.005)


def test_cache_of_llama_3_8b_is_128_kib_a_token() -> None:
    assert kv_cache_bytes(shape_of(LLAMA_3_8B), 1000, 2.0) == 1000 * 128 * 1024


def test_experts_touched_rise_from_the_chosen_to_all() -> None:
    touched = experts_touched(shape_of(MIXTRAL), np.array([1.0, 8.0, 1000.0]))
    assert touched[0] == pytest.approx(2.0)
    assert touched[0] < touched[1] < touched[2] == pytest.approx(8.0)


def test_adapters_are_a_small_part_of_the_weights() -> None:
    lora = trained_params(shape_of(LLAMA_3_8B), FineTuning(method="lora", lora_rank=16))
    assert lora / 1e6 == pytest.approx(41.9, rel=0.01)  # rank 16 on all seven projections
    assert trained_params(shape_of(LLAMA_3_8B), PreTraining()) == LLAMA_3_8B.n_params
