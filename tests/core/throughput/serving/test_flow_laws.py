"""Prompts and answers in flight, each figure of the flow worked by hand beside the others."""

import pytest

from core.throughput.model_shape import shape_of
from core.throughput.serving.flow import Flow, cached_sequences, flow_of, sequence_bytes, weight_bytes_held
from core.throughput.serving.step import first_pass_s, passes_launches_s, prefill_s
from core.units import GIB
from tests.core.throughput.serving.test_step import DENSE, LATENT
from tests.core.throughput.serving_samples import arrangement, chips, rates, requests

SHAPE = shape_of(DENSE)
SLOW = chips(achievable_flops=1e12)
LAUNCHING = {"layer_us": 50.0, "prompt_layer_us": 150.0}


def _flow(degrees: dict[str, float] | None = None, **known: float) -> Flow:
    return flow_of(SHAPE, requests(), arrangement(**(degrees or {})), SLOW, rates(**known))


def test_prompts_ahead_grow_with_the_sequences_beside() -> None:
    """Ten others: 0.3 x 10^0.5 prefills wait ahead, and the first token comes after them, its base and its own."""
    flow = _flow({"batch": 11.0}, queue_share=0.3, queue_growth=0.5, first_token_ms=4.0)
    prefill = float(prefill_s(SHAPE, requests(), arrangement(), SLOW, rates()))
    assert float(flow.wait_s) == pytest.approx(0.3 * 10**0.5 * prefill)
    assert float(flow.ttft_s) == pytest.approx(0.004 + float(flow.prompt_alone_s) + float(flow.wait_s))


def test_a_prompt_alone_takes_its_products_and_its_passes_together() -> None:
    """``(products^4 + least pass^4)^(1/4)``: nearly the longer of the two."""
    known = rates(**LAUNCHING)
    flow = flow_of(SHAPE, requests(), arrangement(), SLOW, known)
    parts = [float(part(SHAPE, requests(), arrangement(), SLOW, known)) for part in (prefill_s, first_pass_s)]
    assert min(parts) > 0
    assert float(flow.prompt_alone_s) == pytest.approx((parts[0] ** 4 + parts[1] ** 4) ** 0.25)


def test_others_hold_answers_up_with_their_launches_and_less_where_they_take_most_of_the_time() -> None:
    """63 others, P of (prefill^4 + launches^4)^(1/4) each, A = 100 steps: 0.8 P / (1 + 0.5 P / A) over 100 tokens."""
    known = rates(interference=0.8, interference_saturation=0.5, **LAUNCHING)
    flow = flow_of(SHAPE, requests(), arrangement(batch=64.0), SLOW, known)
    prefill = float(prefill_s(SHAPE, requests(), arrangement(batch=64.0), SLOW, known))
    launches = float(passes_launches_s(SHAPE, requests(), known))
    others = 63 * (prefill**4 + launches**4) ** 0.25
    held_up = 0.8 * others / (1 + 0.5 * others / (100 * float(flow.decode_s)))
    assert float(flow.tpot_s - flow.decode_s) == pytest.approx(held_up / 100)


def test_stages_and_attention_groups_share_the_sequences() -> None:
    """64 sequences over two stages and four groups are 8 a rank; a stage runs its own, so half a prompt is no other."""
    known = rates(pipeline_loss=0.1)
    for degrees, others in (({"pp": 2.0}, 32 - 0.5), ({"attention_dp": 4.0}, 16 - 1.0)):
        made = arrangement(batch=64.0, **degrees)
        flow = flow_of(SHAPE, requests(), made, SLOW, known)
        late = 1.1 if "pp" in degrees else 1.0
        each = float(prefill_s(SHAPE, requests(), made, SLOW, known)) * late
        assert float(flow.prefill_s) == pytest.approx(each)
        assert float(flow.tpot_s - flow.decode_s) == pytest.approx(others * each / 100)


def test_a_stage_more_delays_the_prompt_alone() -> None:
    """Two stages more at a quarter each; two layers over three stages leave one in each fullest, half more than 2/3."""
    known = rates(pipeline_loss=0.25, **LAUNCHING)
    made = arrangement(pp=3.0)
    flow = flow_of(SHAPE, requests(), made, SLOW, known)
    parts = [float(part(SHAPE, requests(), made, SLOW, known)) for part in (prefill_s, first_pass_s)]
    assert float(flow.prompt_alone_s) == pytest.approx(1.5 * 1.5 * (parts[0] ** 4 + parts[1] ** 4) ** 0.25)


def test_the_stages_loss_stands_with_the_pipeline() -> None:
    plain, lossy = (_flow({"pp": 3.0}, pipeline_loss=loss) for loss in (0.0, 0.1))
    for name, value in plain.terms_s.items():
        lost = 0.2 * float(plain.decode_s) if name == "pipeline" else 0.0
        assert float(lossy.terms_s[name]) == pytest.approx(float(value) + lost)


def test_users_get_a_whole_answer_a_cycle() -> None:
    """First token, then 99 more: 32 x 100 tokens in that time."""
    flow = _flow({"batch": 32.0}, first_token_ms=5.0)
    cycle_s = float(flow.ttft_s) + 99 * float(flow.tpot_s)
    assert float(flow.tokens_per_s) == pytest.approx(3200 / cycle_s)


def test_one_token_is_no_decoding_at_all() -> None:
    flow = flow_of(SHAPE, requests(output_tokens=1.0), arrangement(batch=4.0), SLOW, rates())
    assert float(flow.tokens_per_s) == pytest.approx(4 / float(flow.ttft_s))


def test_a_batch_of_one_takes_its_prompt_alone() -> None:
    """Its prefill cannot be quicker than that alone, launches included."""
    flow = _flow({"batch": 1.0}, batch_interference=0.5, **LAUNCHING)
    whole_s = 100 * float(flow.decode_s) + 0.5 * float(flow.prompt_alone_s)
    assert float(flow.batch_tokens_per_s) == pytest.approx(100 / whole_s)


@pytest.mark.parametrize(
    ("model", "degrees", "values"),
    [
        (DENSE, {}, 2 * 64),  # two layers, keys and values of two heads of 16
        (DENSE, {"tp": 2.0}, 64),
        (DENSE, {"tp": 8.0}, 64),  # no more ranks than heads of keys
        (DENSE, {"pp": 2.0}, 64),
        (LATENT, {"tp": 4.0}, 2 * (32 + 16)),  # whole on every rank: the latent and the rotary head
    ],
)
def test_the_cache_of_a_sequence_half_answered(model: object, degrees: dict[str, float], values: int) -> None:
    """1,000 tokens in and half of 100 out, two bytes a value."""
    held = float(sequence_bytes(shape_of(model), requests(), arrangement(**degrees)))
    assert held == pytest.approx(1050 * 2 * values)


def test_memory_of_every_attention_group_holds_sequences() -> None:
    """2 GiB: 0.95 of them less 1.5 GiB and the weights, by 1050 x 256 bytes; four groups hold four times as many."""
    room = 0.95 * 2 * GIB - 1.5 * GIB - 2 * DENSE.n_params
    long, small = requests(input_tokens=9950.0), chips(memory_bytes=2 * GIB)
    one, four = (float(cached_sequences(SHAPE, long, arrangement(attention_dp=n), small)) for n in (1.0, 4.0))
    assert one == pytest.approx(room / (10_000 * 256))
    assert four == pytest.approx(4 * one)


def test_tensor_and_pipeline_ranks_split_the_weights() -> None:
    whole = 2.0 * DENSE.n_params
    for degrees, share in (({"tp": 2.0}, 2), ({"pp": 2.0}, 2), ({"tp": 4.0, "pp": 2.0}, 8), ({"attention_dp": 4.0}, 1)):
        assert float(weight_bytes_held(SHAPE, requests(), arrangement(**degrees))) == pytest.approx(whole / share)
