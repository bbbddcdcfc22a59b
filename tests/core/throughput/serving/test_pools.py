"""Prompts on chips of their own: first tokens, rates of both pools, and what they change for the planner."""

import numpy as np
import pytest

from core.throughput.chips.fleet import fleet_of
from core.throughput.model_shape import shape_of
from core.throughput.parameters import shipped_parameters
from core.throughput.predict import predict
from core.throughput.serving.arrangements import ServingRows
from core.throughput.serving.flow import flow_of
from core.throughput.serving.pools import PREFILL_BUSY, Pools, prompts_per_s, split_first_s
from core.throughput.serving.rates import only_decoding
from core.throughput.serving.served import Served, serve
from core.workload.jobs.kinds import OnlineServing
from core.workload.models.known import presets
from core.workload.profile import Profile
from tests.core.throughput.fleet_samples import LLAMA_3_8B, system
from tests.core.throughput.serving.test_step import DENSE
from tests.core.throughput.serving_samples import arrangement, chips, rates, requests

KNOWN = shipped_parameters("serving")
FLOW = flow_of(shape_of(DENSE), requests(), arrangement(), chips(), rates())


def test_a_first_token_waits_for_the_move_and_for_prompts_ahead() -> None:
    known = rates(queue_share=0.5, queue_growth=1.0)
    fixed, queue = KNOWN["disaggregated_first_s"], KNOWN["disaggregated_queue"] * 0.5
    first, wait = split_first_s(KNOWN, known, FLOW, np.asarray(0.2), np.asarray(4.0))
    assert float(wait) == pytest.approx(queue * 3 * float(FLOW.prefill_s))
    assert float(first) == pytest.approx(fixed + 0.2 + float(FLOW.prompt_alone_s) + float(wait))
    alone, nothing = split_first_s(KNOWN, known, FLOW, np.asarray(0.0), np.asarray(0.5))
    assert float(nothing) == 0.0 and float(alone) == pytest.approx(fixed + float(FLOW.prompt_alone_s))


def test_every_group_and_stage_of_the_chips_that_prefill_has_a_prompt_at_work() -> None:
    pools = Pools(np.asarray(3.0), np.asarray(5.0), np.asarray(0.0))
    rate = prompts_per_s(pools, FLOW, arrangement(attention_dp=4.0, pp=2.0))
    assert float(rate) == pytest.approx(PREFILL_BUSY * 24 / float(FLOW.prefill_s))


def test_chips_that_only_decode_are_held_up_by_nothing_and_launch_less() -> None:
    known = rates(layer_us=10.0, interference=0.8, conservation=1.0)
    both = only_decoding(known, KNOWN, np.array([True, False]))
    assert both.layer_us.tolist() == pytest.approx([10 * KNOWN["decode_only_launches"], 10.0])
    assert both.interference.tolist() == [0.0, 0.8] and both.conservation.tolist() == [0.0, 1.0]


def _served(prefilling: float, batch: float = 64.0) -> Served:
    known, one = [system("h100-sxm", 8)], np.array([1.0])
    rows = ServingRows(np.array([0]), one, one, one, 8 * one, batch * one, one, prefilling * one)
    job = OnlineServing(input_tokens=4096, output_tokens=256)
    return serve(shape_of(LLAMA_3_8B), job, known, fleet_of(known, "bf16"), rows, 2026)


def test_too_few_chips_that_prefill_hold_the_others_back() -> None:
    mixed, one, four = _served(0.0), _served(1.0), _served(4.0)
    assert float(one.tpot_s[0]) < float(mixed.tpot_s[0]) and float(four.tpot_s[0]) == float(one.tpot_s[0])
    assert float(one.tokens_per_s[0]) < float(four.tokens_per_s[0])
    assert float(one.tokens_per_s[0]) == pytest.approx(256 * PREFILL_BUSY / _prefill_s(), rel=1e-6)
    assert float(one.queue_s[0]) == pytest.approx(7 * float(one.prefill_s[0]))
    assert float(one.stall_s[0]) == 0.0 < float(mixed.stall_s[0])


def _prefill_s() -> float:
    """One prompt after another on one chip: the rate of eight such pools, of which one is there."""
    known, one = [system("h100-sxm", 8)], np.array([1.0])
    rows = ServingRows(np.array([0]), one, one, one, 8 * one, 1024 * one, one, one)
    job = OnlineServing(input_tokens=4096, output_tokens=256)
    rate = serve(shape_of(LLAMA_3_8B), job, known, fleet_of(known, "bf16"), rows, 2026).tokens_per_s[0]
    return 256 * PREFILL_BUSY / float(rate)


@pytest.mark.parametrize(("pools", "n_chips", "fits"), [("on", 8, True), ("on", 1, False), ("best", 1, True)])
def test_a_plan_says_which_replicas_only_read_prompts(pools: str, n_chips: int, fits: bool) -> None:
    job = OnlineServing.model_validate({"pools": pools, "ttft_limit_ms": 3000})
    (answer,) = predict(Profile(model=LLAMA_3_8B, job=job), [system("h100-sxm", n_chips)])
    assert answer.fits == fits
    assert (answer.layout.prefill_replicas > 0) == (pools == "on" and fits)
    if not fits:
        assert "two replicas" in str(answer.reasons[0].text)


def test_deepseek_r1_in_eight_bits_takes_two_hosts_of_eight_h100() -> None:
    """As its makers' and SGLang's instructions say; a count that is told to be enough was tried."""
    job = OnlineServing(weight_precision="fp8", kv_precision="fp8", tpot_limit_ms=100.0, ttft_limit_ms=5000.0)
    profile = Profile(model=presets()["DeepSeek-V3"].model, job=job)
    eight, sixteen = predict(profile, [system("h100-sxm", 8), system("h100-sxm", 16)])
    assert not eight.fits and str(eight.reasons[0].nearest_change) == "May fit with 16 chips"
    assert sixteen.fits and sixteen.layout.replica_chips == 16


def test_nothing_is_promised_where_no_count_is_enough() -> None:
    huge = presets()["DeepSeek-V3"].model.model_copy(update={"n_layers": 1000, "n_dense_layers": 1000})
    huge = huge.model_copy(update={"dense_d_ff": 400_000, "n_experts": 1, "n_experts_per_token": 1})
    (answer,) = predict(Profile(model=huge, job=OnlineServing()), [system("h100-sxm", 1)])
    assert "May fit with" not in str(answer.reasons[0].nearest_change)
