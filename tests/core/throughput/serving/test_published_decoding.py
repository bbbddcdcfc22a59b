"""Published facts of decoding, said by the engine with the shipped coefficients."""

from typing import Any

from core.throughput.predict import predict
from core.throughput.types import Layout, Throughput
from core.workload.jobs.kinds import OnlineServing
from core.workload.models.known import presets
from core.workload.profile import Profile
from tests.core.throughput.fleet_samples import system

FREE = {"ttft_limit_ms": None, "tpot_limit_ms": None, "engine": "sglang"}
EAGLE = {"draft": "eagle", "draft_tokens": 3, "accepted_tokens": 2.9}


def _answer(model: str, chip: str, n_chips: int, batch: int, **job: Any) -> Throughput:
    profile = Profile(model=presets()[model].model, job=OnlineServing(**FREE | job))
    layout = Layout(tp=n_chips, max_batch=batch, replicas=1)
    return predict(profile, [system(chip, n_chips)], layout=layout)[0]


def _speed_up(batch: int, model: str = "Llama 3.1 8B", n_chips: int = 1, **job: Any) -> float:
    """Tokens a second with the technique over without, the prompt so short that answers decide."""
    short = {"input_tokens": 50, "output_tokens": 500}
    with_it, without = (
        _answer(model, "h200-sxm", n_chips, batch, **short | one).tokens_per_s.likely for one in (job, {})
    )
    return with_it / without


def test_eagle_gains_part_of_its_accepted_length_at_small_batch() -> None:
    """SpecForge on H200, 2025-12: 0.57 to 0.80 of it for three drafted tokens, by model, at batch 1 and 8."""
    assert 0.6 < _speed_up(1, **EAGLE) / 2.9 < 0.85
    assert 0.55 < _speed_up(8, "Llama 3.1 70B", 4, **EAGLE) / 2.9 < 0.9


def test_mixtures_gain_less_as_a_draft_touches_more_experts() -> None:
    """SpecForge: 0.61 to 0.63 of the accepted length with Qwen3 mixtures at batch 8, against 0.74 to 0.80 dense."""
    moe, dense = _speed_up(8, "Qwen3 235B-A22B", 8, **EAGLE), _speed_up(8, "Llama 3.1 70B", 4, **EAGLE)
    assert moe < dense
    assert 0.4 < moe / 2.9 < 0.8


def test_a_full_server_gains_little_and_loses_with_long_drafts() -> None:
    """vLLM's and SGLang's notes: free while memory bound, costly when full."""
    gains = [_speed_up(batch, **EAGLE) for batch in (1, 32, 256, 768)]
    assert gains == sorted(gains, reverse=True)
    assert gains[-1] < 1.2
    assert _speed_up(768, draft="eagle", draft_tokens=7, accepted_tokens=3.0) < 0.8


def test_four_bits_nearly_double_a_single_stream_and_not_a_full_server() -> None:
    """H20 with SGLang: AWQ 2.05 of bf16 for 8 to 32B at batch 1; A100 at 1,000 requests: slower than bf16."""
    alone = _speed_up(1, "Qwen3 32B", weight_precision="int4")
    full = _speed_up(512, weight_precision="int4")
    assert 1.7 < alone < 3.2
    assert full < 1.2 < alone


def test_a_prompt_found_in_the_cache_comes_sooner_and_takes_memory() -> None:
    long = {"input_tokens": 16_000, "output_tokens": 200}
    plain = _answer("Llama 3.1 70B", "h100-sxm", 8, 4, **long)
    found = _answer("Llama 3.1 70B", "h100-sxm", 8, 4, **long, prefix_hit_pct=80.0, kept_prompt_tokens=200_000)
    assert plain.latency is not None and found.latency is not None
    assert 0.15 < found.latency.ttft_p50_ms / plain.latency.ttft_p50_ms < 0.45
    assert found.memory_gib["weights"] > plain.memory_gib["weights"] + 5


def test_a_narrow_cache_holds_more() -> None:
    cache = [
        _answer("Llama 3.1 8B", "h100-sxm", 1, 32, kv_precision=precision).memory_gib["kv_cache"]
        for precision in ("bf16", "fp8", "int4")
    ]
    assert cache[0] / cache[1] == 2.0
    assert 3.4 < cache[0] / cache[2] <= 4.0


def test_adapters_weigh_what_their_rank_does_and_slow_decoding_little() -> None:
    plain = _answer("Llama 3.1 8B", "h100-sxm", 1, 16)
    many = _answer("Llama 3.1 8B", "h100-sxm", 1, 16, n_adapters=50, adapter_rank=16)
    added = many.memory_gib["weights"] - plain.memory_gib["weights"]
    assert 3.0 < added < 5.0
    assert 0.75 < many.tokens_per_s.likely / plain.tokens_per_s.likely < 1.0


def test_small_pieces_of_prompts_hold_up_the_slowest_tokens_less() -> None:
    long = {"input_tokens": 8000, "output_tokens": 200}
    whole, pieces = (
        _answer("Llama 3.1 8B", "h100-sxm", 1, 32, **long, prefill_chunk_tokens=n).latency for n in (8192, 512)
    )
    assert whole is not None and pieces is not None
    assert pieces.tpot_p99_ms < whole.tpot_p99_ms
    assert pieces.ttft_p50_ms >= whole.ttft_p50_ms


def test_a_likely_yield_is_said_to_be_one() -> None:
    drafted = {"draft": "eagle", "draft_task": "code"}
    assert any("likely for code" in note for note in _answer("Llama 3.1 8B", "h100-sxm", 1, 1, **drafted).notes)
    assert not any("likely" in note for note in _answer("Llama 3.1 8B", "h100-sxm", 1, 1, **EAGLE).notes)
