"""Requests in flight: by hand for one user and for a batch; laws for any load."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.throughput.model_shape import shape_of
from core.throughput.serving.flow import MAX_SEQUENCES, cached_sequences, flow_of, weight_bytes_held
from core.throughput.serving.step import decode_terms_s, prefill_s
from core.units import GIB
from core.workload.models.transformer import TransformerModel
from tests.core.throughput.serving.test_step import DENSE, LATENT, MIXTURE
from tests.core.throughput.serving_samples import arrangement, chips, rates, requests

SHAPE = shape_of(DENSE)
SLOW = chips(achievable_flops=1e12)


def test_a_user_alone_waits_for_nobody() -> None:
    known = rates(first_token_ms=5.0, queue_share=1.0, queue_growth=1.0)
    flow = flow_of(SHAPE, requests(), arrangement(), SLOW, known)
    decode = float(sum(decode_terms_s(SHAPE, requests(), arrangement(), SLOW, known).values()))
    assert float(flow.tpot_s) == pytest.approx(decode)
    assert float(flow.ttft_s) == pytest.approx(0.005 + float(flow.prompt_alone_s))
    assert float(flow.wait_s) == 0.0
    assert float(flow.tokens_per_s) == pytest.approx(100 / (float(flow.ttft_s) + 99 * decode))


def test_prompts_of_others_hold_answers_up() -> None:
    flow = flow_of(SHAPE, requests(), arrangement(batch=11.0), SLOW, rates(interference=0.8))
    prompt = float(prefill_s(SHAPE, requests(), arrangement(), SLOW, rates()))
    assert float(flow.tpot_s - flow.decode_s) == pytest.approx(0.8 * 10 * prompt / 100)


def test_prompts_that_take_most_of_the_time_wait_themselves() -> None:
    plain, bent = (
        flow_of(SHAPE, requests(), arrangement(batch=64.0), SLOW, rates(interference_saturation=bend))
        for bend in (0.0, 0.5)
    )
    assert float(bent.tpot_s) < float(plain.tpot_s)
    assert float(bent.decode_s) == float(plain.decode_s)


def test_a_batch_takes_its_prompts_and_its_answers() -> None:
    flow = flow_of(SHAPE, requests(), arrangement(batch=32.0), SLOW, rates(batch_interference=0.9))
    whole = 100 * float(flow.decode_s) + 0.9 * 32 * float(flow.prefill_s)
    assert float(flow.batch_tokens_per_s) == pytest.approx(3200 / whole)


def test_a_cycle_takes_the_time_that_all_work_needs() -> None:
    flow = flow_of(SHAPE, requests(), arrangement(batch=64.0), SLOW, rates(conservation=1.5))
    work = 100 * float(flow.decode_s) + 63 * float(flow.prefill_s) + float(flow.prompt_alone_s)
    assert float(flow.tokens_per_s) == pytest.approx(6400 / (1.5 * work))


def test_beams_share_a_prompt_and_give_one_answer() -> None:
    flow = flow_of(SHAPE, requests(beams=4.0), arrangement(batch=32.0), SLOW, rates())
    whole = 100 * float(flow.decode_s) + 8 * float(flow.prefill_s)
    assert float(flow.batch_tokens_per_s) == pytest.approx(800 / whole)


def test_those_without_a_place_wait_for_one() -> None:
    free, queued = (
        flow_of(SHAPE, requests(), arrangement(batch=8.0), SLOW, rates(), waiting) for waiting in (0.0, 16.0)
    )
    assert float(queued.ttft_s - free.ttft_s) == pytest.approx(16 * 100 / float(free.tokens_per_s))
    assert float(queued.wait_s) == pytest.approx(float(queued.ttft_s - free.ttft_s))


def test_each_further_stage_loses_a_share() -> None:
    plain, lossy = (
        flow_of(SHAPE, requests(), arrangement(pp=3.0), SLOW, rates(pipeline_loss=loss)) for loss in (0.0, 0.1)
    )
    assert float(lossy.prefill_s) == pytest.approx(1.2 * float(plain.prefill_s))
    assert float(lossy.decode_s) == pytest.approx(1.2 * float(plain.decode_s))
    assert float(sum(lossy.terms_s.values())) == pytest.approx(float(lossy.decode_s))


def test_memory_left_by_weights_holds_sequences() -> None:
    held = 2.0 * DENSE.n_params
    each = 1050 * 2 * 64 * 2
    room = float(cached_sequences(SHAPE, requests(), arrangement(), chips(memory_bytes=3 * GIB)))
    assert room == pytest.approx(min((0.95 * 3 * GIB - 1.5 * GIB - held) / each, MAX_SEQUENCES))
    assert float(cached_sequences(SHAPE, requests(), arrangement(), chips(memory_bytes=1 * GIB))) == 1.0
    assert float(cached_sequences(SHAPE, requests(input_tokens=1.0), arrangement(pp=2.0), chips())) == 2 * MAX_SEQUENCES


def test_attention_groups_repeat_all_but_experts() -> None:
    shape = shape_of(MIXTURE)
    whole = float(weight_bytes_held(shape, requests(), arrangement()))
    experts = 2.0 * 2 * 8 * 3 * 64 * 128
    assert whole == 2.0 * MIXTURE.n_params
    grouped = float(weight_bytes_held(shape, requests(), arrangement(attention_dp=4.0, ep=4.0)))
    assert grouped == pytest.approx(whole - experts + experts / 4)


@settings(max_examples=60, deadline=None)
@given(
    batch=st.floats(1.0, 1000.0),
    more=st.floats(1.01, 4.0),
    model=st.sampled_from([DENSE, MIXTURE, LATENT]),
    saturation=st.floats(0.0, 1.0),
)
def test_more_users_get_more_in_all_and_wait_longer_each(
    batch: float, more: float, model: TransformerModel, saturation: float
) -> None:
    known = rates(
        layer_us=10.0, queue_share=0.3, queue_growth=0.8, interference_saturation=saturation, conservation=0.9
    )
    few, many = (flow_of(shape_of(model), requests(), arrangement(batch=n), SLOW, known) for n in (batch, batch * more))
    assert float(many.batch_tokens_per_s) >= float(few.batch_tokens_per_s) * (1 - 1e-9)
    assert float(many.tpot_s) >= float(few.tpot_s) * (1 - 1e-9)
    assert float(many.ttft_s) >= float(few.ttft_s) * (1 - 1e-9)


def test_rows_are_answered_as_one_by_one() -> None:
    known, batches = rates(layer_us=10.0, queue_share=0.3, queue_growth=0.8), np.array([1.0, 7.0, 300.0])
    together = flow_of(
        SHAPE, requests(), arrangement(batch=1.0).__class__(*(np.asarray(1.0),) * 4, batches), SLOW, known
    )
    for n, batch in enumerate(batches):
        alone = flow_of(SHAPE, requests(), arrangement(batch=float(batch)), SLOW, known)
        assert together.tpot_s[n] == pytest.approx(float(alone.tpot_s))
        assert together.tokens_per_s[n] == pytest.approx(float(alone.tokens_per_s))
