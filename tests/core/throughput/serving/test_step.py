"""One decode step and one prompt: by hand for a dense model, a mixture, latent attention; laws for any figures."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.throughput.model_shape import shape_of
from core.throughput.serving.step import (
    all_reduce_s,
    attention_s,
    cache_bytes_read,
    cache_transfer_s,
    decode_terms_s,
    exchange_s,
    expert_products_s,
    first_pass_s,
    fullest_stage,
    launches_us,
    passes_launches_s,
    permutation_s,
    places_touched,
    prefill_s,
    traffic_s_per_token,
    weight_bytes_read,
)
from core.throughput.serving.techniques import Drafting
from core.workload.models.transformer import TransformerModel
from tests.core.throughput.serving_samples import arrangement, chips, rates, requests

DENSE = TransformerModel(
    name="d",
    n_layers=2,
    d_model=64,
    n_heads=4,
    n_kv_heads=2,
    d_head=16,
    d_ff=128,
    vocab_size=1000,
    tied_embeddings=True,
)
MIXTURE = DENSE.model_copy(update={"n_experts": 8, "n_experts_per_token": 2})
LATENT = DENSE.model_copy(update={"n_kv_heads": 4, "kv_latent_rank": 32, "rope_head": 16})
DENSE_READ = 2 * (64 * 16 * (2 * 4 + 2 * 2) + 2 * 64) + 2 * 3 * 64 * 128 + 64 + 64 * 1000
"""Attention and norms, gated blocks, last norm, output embedding: each weight once; the input embedding not."""


def test_a_dense_step_reads_every_weight_once() -> None:
    read = weight_bytes_read(shape_of(DENSE), requests(), arrangement(), np.asarray(5.0), rates())
    assert float(read) == 2.0 * DENSE_READ
    halved = weight_bytes_read(shape_of(DENSE), requests(), arrangement(tp=2.0), np.asarray(5.0), rates())
    assert float(halved) == DENSE_READ


def test_a_mixture_reads_the_experts_that_its_tokens_touch() -> None:
    shape, even = shape_of(MIXTURE), rates()
    one = float(weight_bytes_read(shape, requests(), arrangement(), np.asarray(1.0), even))
    two = float(weight_bytes_read(shape, requests(), arrangement(), np.asarray(2.0), even))
    expert = 2.0 * 2 * 3 * 64 * 128
    assert two - one == pytest.approx(expert * (8 * (1 - 0.75**2) - 2))
    narrow = float(weight_bytes_read(shape, requests(expert_bytes=0.5), arrangement(), np.asarray(1.0), even))
    assert one - narrow == pytest.approx(expert * 2 * 0.75)
    slow = weight_bytes_read(shape, requests(), arrangement(), np.asarray(1.0), rates(expert_read_share=0.5))
    assert float(slow) - one == pytest.approx(expert * 2)


def test_the_fullest_expert_rank_sets_the_pace() -> None:
    shape, skew = shape_of(MIXTURE), rates(imbalance=1.8)
    spread = arrangement(attention_dp=32.0, ep=32.0)
    even = float(weight_bytes_read(shape, requests(), spread, np.asarray(64.0), rates()))
    full = float(weight_bytes_read(shape, requests(), spread, np.asarray(64.0), skew))
    dense = 2.0 * (DENSE_READ - 2 * 3 * 64 * 128 + 2 * 64 * 8)
    assert (full - dense) / (even - dense) == pytest.approx(1.8)


def test_cache_splits_over_heads_but_a_latent_one_does_not() -> None:
    context = 1000 + 50
    one = float(cache_bytes_read(shape_of(DENSE), requests(), arrangement(batch=3.0)))
    assert one == 3 * context * 2 * (2 * 2 * 16) * 2
    assert float(cache_bytes_read(shape_of(DENSE), requests(), arrangement(batch=3.0, tp=4.0))) == one / 2
    latent = float(cache_bytes_read(shape_of(LATENT), requests(), arrangement(batch=3.0, tp=4.0)))
    assert latent == 3 * context * 2 * (32 + 16) * 2
    grouped = float(cache_bytes_read(shape_of(LATENT), requests(), arrangement(batch=3.0, attention_dp=3.0)))
    assert grouped == latent / 3


def test_beams_share_the_cache_of_their_prompt() -> None:
    """Four beams over one prompt of 1,000 tokens: a quarter of it each, and their own 50 in the mean."""
    alone, beams = (
        float(cache_bytes_read(shape_of(DENSE), requests(beams=4.0, prompt_share=share), arrangement(batch=4.0)))
        for share in (1.0, 0.25)
    )
    assert beams / alone == pytest.approx((250 + 50) / (1000 + 50))


def test_half_of_the_hosts_work_is_for_each_token_a_step_yields() -> None:
    """A draft that yields three of four: ``(1 + (3 - 1) / 2) / 3`` of the plain step's host time a token."""
    draft = Drafting(kind=np.asarray(1.0), tokens=np.asarray(3.0), emitted=np.asarray(3.0))
    plain, drafted = (
        decode_terms_s(shape_of(DENSE), asked, arrangement(batch=8.0), chips(), rates(sequence_us=10.0))["host"]
        for asked in (requests(), replace(requests(), drafting=draft))
    )
    assert float(drafted / plain) == pytest.approx(2.0 / 3.0)


def test_an_all_reduce_by_hand() -> None:
    time = all_reduce_s(arrangement(tp=4.0), chips(), rates(link_latency_us=5.0), np.asarray(1e6), np.asarray(0.5))
    assert float(time) == pytest.approx(5e-6 * (1 + 0.37 * 2) + 2 * 0.75 * 1e6 / 50e9)
    assert float(all_reduce_s(arrangement(), chips(), rates(), np.asarray(1e6), np.asarray(1.0))) == 0.0


def test_beyond_a_domain_each_rank_reduces_its_part_over_its_own_card() -> None:
    """Eight of sixteen share a link: 7/8 of the buffer over it, half of an eighth over the network, both twice."""
    known = rates(link_latency_us=5.0, network_exchange_us=20.0)
    wide = all_reduce_s(arrangement(tp=16.0), chips(), known, np.asarray(1e6), np.asarray(1.0))
    moved = 7 / 8 * 1e6 / 100e9 + 0.5 * 1e6 / 8 / 10e9
    assert float(wide) == pytest.approx(25e-6 + 5e-6 * 0.37 * 4 + 2 * moved)


def test_tokens_travel_to_experts_only_between_attention_groups() -> None:
    shape = shape_of(MIXTURE)
    apart = exchange_s(
        shape, arrangement(attention_dp=4.0, ep=4.0), chips(), rates(exchange_us=10.0), np.asarray(400.0)
    )
    others = 3 * (1 - 0.75**2)
    assert float(apart) == pytest.approx(2 * (10e-6 + 100 * others * 64 * 2 / 100e9))
    assert float(exchange_s(shape, arrangement(tp=4.0), chips(), rates(exchange_us=10.0), np.asarray(400.0))) == 0.0


def test_a_domain_gets_one_copy_of_a_token_however_many_experts_it_holds() -> None:
    known = rates(exchange_us=10.0, network_exchange_us=5.0)
    wide = exchange_s(shape_of(MIXTURE), arrangement(attention_dp=16.0, ep=16.0), chips(), known, np.asarray(1600.0))
    assert float(places_touched(np.asarray(2.0), np.asarray(2.0))) == 0.75
    assert float(wide) == pytest.approx(2 * (15e-6 + 100 * 0.75 * 64 * 2 / 10e9))
    every = MIXTURE.model_copy(update={"n_experts_per_token": 8})
    more = exchange_s(shape_of(every), arrangement(attention_dp=16.0, ep=16.0), chips(), known, np.asarray(1600.0))
    assert float(more) < 2 * (15e-6 + 100 * 64 * 2 / 10e9)


def test_a_latent_cache_is_multiplied_by_every_head_anew() -> None:
    shape, slow = shape_of(LATENT), chips(achievable_flops=1e9)
    time = attention_s(shape, requests(), arrangement(batch=3.0), slow, rates())
    flops = 3 * 1050 * 2 * 2 * 4 * (2 * 32 + 16)
    assert float(time) == pytest.approx(flops / 1e9, rel=0.01)
    halved = attention_s(shape, requests(), arrangement(batch=3.0, tp=2.0), slow, rates())
    assert float(halved) == pytest.approx(flops / 2e9, rel=0.01)
    quick = attention_s(shape, requests(), arrangement(batch=3.0), chips(), rates())
    assert float(quick) == pytest.approx(3 * 1050 * 2 * 48 * 2 / 1e12, rel=0.01)


def test_experts_and_copies_of_a_step_by_hand() -> None:
    shape, tokens = shape_of(MIXTURE), np.asarray(10.0)
    slower = expert_products_s(shape, arrangement(), chips(), rates(expert_decode_share=0.5), tokens)
    assert float(slower) == pytest.approx(10 * 2 * 2 * 2 * 3 * 64 * 128 / 1e15)
    copies = permutation_s(shape, arrangement(batch=10.0), chips(), rates(permute_passes=4.0), tokens)
    assert float(copies) == pytest.approx(2 * 10 * 2 * 2 * 64 * 4 / 1e12)
    spread = permutation_s(
        shape, arrangement(batch=80.0, attention_dp=8.0, ep=8.0), chips(), rates(permute_passes=4.0), 8 * tokens
    )
    assert float(spread) == pytest.approx(float(copies))


def test_the_fullest_stage_counts_where_layers_do_not_divide() -> None:
    odd = shape_of(DENSE.model_copy(update={"n_layers": 61}))
    assert float(fullest_stage(odd, arrangement(pp=2.0))) == 62 / 61
    assert float(fullest_stage(odd, arrangement(pp=4.0))) == 64 / 61
    assert float(fullest_stage(shape_of(DENSE), arrangement(pp=2.0))) == 1.0


def test_a_cache_moves_over_the_fast_link_within_a_domain() -> None:
    size = 1000 * 2 * 64 * 2
    near = cache_transfer_s(shape_of(DENSE), requests(), arrangement(tp=2.0), chips(), rates(), np.asarray(8.0))
    assert float(near) == pytest.approx(size / (2 * 100e9))
    far = cache_transfer_s(shape_of(DENSE), requests(), arrangement(tp=2.0), chips(), rates(), np.asarray(16.0))
    assert float(far) == pytest.approx(size / (2 * 10e9))


def test_terms_of_a_small_step_are_bytes_and_launches() -> None:
    known = rates(layer_us=10.0, step_us=100.0, sequence_us=3.0)
    terms = decode_terms_s(shape_of(DENSE), requests(), arrangement(batch=4.0), chips(), known)
    cache = 4 * 1050 * 2 * 64 * 2
    assert float(terms["memory"]) == pytest.approx((2 * DENSE_READ + cache) / 1e12, rel=1e-6)
    assert float(terms["overhead"]) == pytest.approx(120e-6)
    assert float(terms["host"]) == pytest.approx(12e-6)
    assert float(terms["network"]) == float(terms["pipeline"]) == 0.0


def test_a_large_batch_is_bound_by_products() -> None:
    slow = chips(achievable_flops=1e9)
    known = rates(attention_decode_share=1e9)
    terms = decode_terms_s(shape_of(DENSE), requests(), arrangement(batch=100.0), slow, known)
    per_token = 2 * (DENSE_READ - 2 * 2 * 64 - 64)
    assert float(terms["compute"] + terms["memory"]) == pytest.approx(100 * per_token / 1e9, rel=0.01)


def test_launches_count_layers_of_each_kind() -> None:
    """Eight experts are chosen in three sevenths of what 128 take."""
    known = rates(layer_us=1.0, moe_layer_us=10.0, latent_layer_us=100.0, linear_layer_us=1000.0, step_us=7.0)
    assert float(launches_us(shape_of(DENSE), known)) == 9.0
    assert float(launches_us(shape_of(MIXTURE), known)) == pytest.approx(9 + 20 * 3 / 7)
    assert float(launches_us(shape_of(LATENT), known)) == 209.0
    shared = shape_of(MIXTURE.model_copy(update={"n_shared_experts": 1}))
    assert float(launches_us(shared, rates(shared_layer_us=3.0))) == 6.0
    assert float(launches_us(shape_of(MIXTURE), rates(shared_layer_us=3.0))) == 0.0


def test_a_prompt_by_hand() -> None:
    layer = 2 * (64 * 16 * 12 + 3 * 64 * 128)
    scores = 2 * 500 * 4 * 2 * 16
    expected = (1000 * 2 * (layer + scores) + 2 * 64 * 1000) / 1e15
    assert float(prefill_s(shape_of(DENSE), requests(), arrangement(), chips(), rates())) == pytest.approx(expected)


def test_copies_for_experts_and_norms_pass_the_memory() -> None:
    known = rates(elementwise_passes=10.0, permute_passes=4.0)
    time = traffic_s_per_token(shape_of(MIXTURE), arrangement(), chips(), known)
    assert float(time) == pytest.approx(2 * 64 * (10 * 2 + 4 * 2 * 2) / 1e12)
    spread = traffic_s_per_token(shape_of(MIXTURE), arrangement(ep=8.0), chips(), known)
    assert float(spread) == pytest.approx(2 * 64 * (10 * 2 + 4 * 2 * 2 / 8) / 1e12)


def test_a_long_prompt_passes_the_layers_more_often() -> None:
    known = rates(prompt_layer_us=20.0)
    assert float(passes_launches_s(shape_of(DENSE), requests(input_tokens=8192.0), known)) == pytest.approx(40e-6)
    assert float(passes_launches_s(shape_of(DENSE), requests(input_tokens=8193.0), known)) == pytest.approx(80e-6)
    alone = first_pass_s(shape_of(DENSE), requests(), arrangement(), chips(), known)
    assert float(alone) == pytest.approx(40e-6 + 2 * DENSE_READ / 1e12)


BATCH = st.floats(1.0, 2000.0)


@settings(max_examples=60, deadline=None)
@given(
    batch=BATCH,
    more=st.floats(1.0, 4.0),
    model=st.sampled_from([DENSE, MIXTURE, LATENT]),
    tp=st.sampled_from([1.0, 2.0, 4.0]),
)
def test_a_step_grows_with_its_batch_but_less_than_in_proportion(
    batch: float, more: float, model: TransformerModel, tp: float
) -> None:
    known = rates(layer_us=10.0, link_latency_us=5.0, sequence_us=1.0)

    def step(n: float) -> float:
        terms = decode_terms_s(shape_of(model), requests(), arrangement(batch=n, tp=tp), chips(), known)
        assert all(float(value) >= 0 for value in terms.values())
        return float(sum(terms.values()))

    assert step(batch) <= step(batch * more) * (1 + 1e-9)
    assert step(batch * more) <= more * step(batch) * (1 + 1e-9)


@settings(max_examples=40, deadline=None)
@given(tokens=st.floats(1.0, 100_000.0), more=st.floats(1.0, 3.0), model=st.sampled_from([DENSE, MIXTURE, LATENT]))
def test_a_longer_prompt_takes_longer(tokens: float, more: float, model: TransformerModel) -> None:
    known = rates(elementwise_passes=8.0, permute_passes=8.0)
    short, long = (
        float(prefill_s(shape_of(model), requests(input_tokens=n), arrangement(tp=2.0), chips(), known))
        for n in (tokens, tokens * more)
    )
    assert short <= long * (1 + 1e-12)
