"""What the planner asks of a replica: tails of waits and tokens, memory of the fullest chip, sizes of a job."""

import math

import numpy as np
import pytest

from core.throughput.chips.fleet import fleet_of
from core.throughput.model_shape import shape_of
from core.throughput.serving.arrangements import ServingRows
from core.throughput.serving.flow import flow_of, sequence_bytes, weight_bytes_held
from core.throughput.serving.served import TERMS, Served, _memory, _tpot_p99_s, requests_of, serve
from core.units import GIB
from core.workload.jobs.kinds import BatchInference, OnlineServing
from tests.core.throughput.fleet_samples import system
from tests.core.throughput.serving.test_step import DENSE, MIXTURE
from tests.core.throughput.serving_samples import arrangement, chips, rates, requests

SHAPE = shape_of(DENSE)
SLOW = chips(achievable_flops=1e12)


@pytest.mark.parametrize(("batch", "hit"), [(1.0, 0.005), (50.0, 0.25), (100.0, 0.5), (400.0, 0.5)])
def test_the_slowest_tokens_wait_for_half_a_prompt_the_likelier_the_more_run(batch: float, hit: float) -> None:
    """Of 100 tokens each: a prompt falls into a step by ``min(1, batch / 100)``; every step may be 15 % late."""
    flow = flow_of(SHAPE, requests(), arrangement(batch=batch), SLOW, rates())
    assert float(_tpot_p99_s(flow, requests(), np.asarray(batch), None)) == pytest.approx(
        1.15 * float(flow.tpot_s) + hit * float(flow.prefill_s)
    )


def test_memory_of_a_chip_by_its_parts() -> None:
    """Answers at full length; a chunk of 8,192 tokens of 16 bytes a width, cut by the tensor ranks; 3.5 GiB and 8 %."""
    where = arrangement(tp=2.0, attention_dp=4.0, ep=8.0, batch=32.0)
    shape, known = shape_of(MIXTURE), chips(memory_bytes=80e9)
    parts = {name: float(value) for name, value in _memory(shape, requests(), known.fleet, where).items()}
    whole = requests(output_tokens=200.0)
    assert parts == pytest.approx({
        "weights": float(weight_bytes_held(shape, requests(), where)),
        "kv_cache": 8 * float(sequence_bytes(shape, whole, where)),
        "activations": 8192 * MIXTURE.d_model * 16 / 2,
        "reserve": 3.5 * GIB + 0.08 * 80e9,
    })  # fmt: skip


def _served(job: OnlineServing | BatchInference, batch: float, replicas: float = 1.0, hosted: float = 1.0) -> Served:
    known = [system("h100-sxm", 8)]
    one = np.array([1.0])
    rows = ServingRows(np.array([0]), 4 * one, one, one, replicas * one, batch * one, hosted * one, 0.0 * one)
    return serve(shape_of(DENSE), job, known, fleet_of(known, job.weight_precision), rows, 2026)


def test_a_wait_of_one_in_a_hundred_is_six_and_a_half_times_the_median() -> None:
    """``ln 100 / ln 2`` of an exponential wait; what is no wait is the same for all, and half a step falls in."""
    alone, crowd = (_served(OnlineServing(), batch) for batch in (1.0, 256.0))
    tail = math.log(100) / math.log(2)
    assert float(alone.ttft_p99_s[0] - alone.ttft_p50_s[0]) == pytest.approx(0.5 * float(alone.decode_s[0]))
    waited = float(crowd.ttft_p99_s[0] - crowd.ttft_p50_s[0] - 0.5 * crowd.decode_s[0]) / (tail - 1)
    assert waited > 0
    rest = float(crowd.ttft_p50_s[0]) - waited
    assert rest == pytest.approx(float(alone.ttft_p50_s[0]), rel=0.2)
    assert float(crowd.ttft_p99_s[0]) == pytest.approx(rest + tail * waited + 0.5 * float(crowd.decode_s[0]))


def test_terms_of_a_step_add_up_and_all_are_named() -> None:
    served = _served(OnlineServing(), 16.0)
    assert tuple(served.decode_terms_s) == TERMS
    assert sum(float(term[0]) for term in served.decode_terms_s.values()) == pytest.approx(float(served.decode_s[0]))
    assert float(served.decode_terms_s["input"][0]) == 0.0


@pytest.mark.parametrize("job", [OnlineServing(), BatchInference()])
def test_replicas_each_give_as_much(job: OnlineServing | BatchInference) -> None:
    one, two = (_served(job, 16.0, replicas) for replicas in (1.0, 2.0))
    assert float(two.tokens_per_s[0]) == pytest.approx(2 * float(one.tokens_per_s[0]))


@pytest.mark.parametrize(
    ("precision", "model", "sizes"),
    [
        ("bf16", DENSE, (2.0, 2.0, 2.0)),
        ("fp8", DENSE, (1.0, 1.0, 2.0)),
        ("int8", MIXTURE, (1.0, 1.0, 2.0)),
        ("mxfp4", DENSE, (0.53125, 0.53125, 2.0)),
    ],
)
def test_narrow_releases_keep_the_output_embedding_wide(precision: str, model, sizes: tuple[float, ...]) -> None:
    asked = requests_of(OnlineServing(weight_precision=precision), shape_of(model))
    told = (asked.weight_bytes, asked.expert_bytes, asked.head_bytes)
    assert tuple(float(size) for size in told) == sizes


def test_only_experts_of_a_release_in_four_bits_are_that_narrow() -> None:
    asked = requests_of(OnlineServing(weight_precision="fp4"), shape_of(MIXTURE))
    assert float(asked.expert_bytes) < float(asked.weight_bytes)
