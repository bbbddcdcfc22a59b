"""Several models on one pool: where they lie, how they take turns, what that costs in memory and rate."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.throughput.chips.fleet import Fleet, fleet_of
from core.throughput.model_shape import shape_of
from core.throughput.predict import predict
from core.throughput.serving.arrangements import ServingRows, even_replicas, hosted_models
from core.throughput.serving.served import Served, busy_models, memory_bytes, serve
from core.throughput.types import Throughput
from core.units import GIB
from core.workload.jobs.kinds import OnlineServing
from core.workload.profile import Profile
from tests.core.throughput.fleet_samples import LLAMA_3_8B, LLAMA_3_70B, system


@pytest.mark.parametrize(
    ("n_models", "replicas", "hosted"),
    [(1, 8, 1), (8, 8, 1), (4, 8, 1), (20, 4, 5), (20, 1, 20), (20, 8, 3), (3, 8, 2), (5, 4, 2), (2, 3, 2), (11, 8, 3)],
)
def test_models_on_the_fullest_replica(n_models: int, replicas: int, hosted: int) -> None:
    assert float(hosted_models(n_models, np.array(float(replicas)))) == hosted


@given(st.integers(1, 60), st.integers(1, 60))
def test_equal_lengths_touch_no_more_models_than_said(n_models: int, replicas: int) -> None:
    """Models laid end to end, replica r takes ``[r n / R, (r + 1) n / R)``: counted in whole numbers of 1/R."""
    touched = [len({place // replicas for place in range(r * n_models, (r + 1) * n_models)}) for r in range(replicas)]
    assert max(touched) == float(hosted_models(n_models, np.array(float(replicas))))


@pytest.mark.parametrize("chip", ["h100-sxm", "h200-sxm", "b200-sxm"])
def test_fewer_models_carry_at_least_their_share_of_what_more_carry(chip: str) -> None:
    """Five 70B models on 8 H100 carried 1.2 requests/s and six 5.6, as models that share unevenly were all cut."""

    def carried(n_models: int) -> float:
        job = OnlineServing(n_models=n_models, weight_precision="fp8", input_tokens=1500, output_tokens=300)
        load = predict(Profile(model=LLAMA_3_70B, job=job), [system(chip, 8)])[0].load
        return load.max_requests_per_s if load else 0.0

    for fewer, more in ((3, 4), (5, 6), (7, 8), (9, 12), (10, 12)):
        assert carried(fewer) >= 0.99 * carried(more) * fewer / more


def test_models_that_are_not_cut_leave_the_last_replicas_a_part_of_the_load() -> None:
    """Eleven on four: three on the fullest, which is done with 3 / 11 of the load, as of 3.67 full replicas."""
    even = even_replicas(11, np.array([1.0, 4.0, 8.0, 11.0, 25.0]))
    assert even == pytest.approx([1.0, 11 / 3, 5.5, 11.0, 22.0])


@given(st.integers(1, 40), st.integers(1, 1000))
def test_busy_models_are_at_most_those_there_and_those_asked(hosted: int, sequences: int) -> None:
    busy = float(busy_models(np.array(float(hosted)), np.array(float(sequences))))
    assert 1 - 1e-9 <= busy <= min(hosted, sequences) + 1e-9
    assert float(busy_models(np.array(1.0), np.array(float(sequences)))) == 1.0


def _held(batch: float, hosted: float) -> tuple[Fleet, ServingRows]:
    one = np.array([1.0])
    rows = ServingRows(np.array([0]), one, one, one, 8 * one, batch * one, hosted * one, 0.0 * one)
    return fleet_of([system("h100-sxm", 8)], "bf16"), rows


def _served(batch: float, hosted: float) -> Served:
    return serve(shape_of(LLAMA_3_8B), OnlineServing(), [system("h100-sxm", 8)], *_held(batch, hosted), 2026)


def test_a_request_alone_finds_no_other_model_at_work() -> None:
    one, four = _served(1.0, 1.0), _served(1.0, 4.0)
    assert float(four.tpot_s[0]) == pytest.approx(float(one.tpot_s[0]))
    assert float(four.ttft_p50_s[0]) == pytest.approx(float(one.ttft_p50_s[0]))


def test_turns_cost_what_sharing_the_weights_had_saved() -> None:
    """A crowd of 64 over 4 models: all four are busy, each decodes 16, and a round is four of its steps."""
    crowd, quarter = _served(64.0, 4.0), _served(16.0, 1.0)
    assert float(crowd.decode_s[0]) == pytest.approx(4 * float(quarter.decode_s[0]), rel=1e-6)
    assert float(crowd.tokens_per_s[0]) == pytest.approx(float(quarter.tokens_per_s[0]), rel=1e-6)
    assert float(crowd.tokens_per_s[0]) < float(_served(64.0, 1.0).tokens_per_s[0])
    assert sum(float(term[0]) for term in crowd.decode_terms_s.values()) == pytest.approx(float(crowd.decode_s[0]))


def test_every_model_brings_its_weights_and_a_process_and_shares_the_cache() -> None:
    one, four = (memory_bytes(shape_of(LLAMA_3_8B), OnlineServing(), *_held(64.0, hosted)) for hosted in (1.0, 4.0))
    assert float(four["weights"][0]) == pytest.approx(4 * float(one["weights"][0]))
    assert float(four["reserve"][0] - one["reserve"][0]) == pytest.approx(3 * 1.5 * GIB)
    assert float(four["kv_cache"][0]) == pytest.approx(float(one["kv_cache"][0]))


def _of(n_models: int, n_chips: int = 8) -> Throughput:
    profile = Profile(model=LLAMA_3_8B, job=OnlineServing(n_models=n_models, tpot_limit_ms=80.0, ttft_limit_ms=3000.0))
    return predict(profile, [system("h100-sxm", n_chips)])[0]


def test_more_models_carry_less_and_in_the_end_do_not_fit() -> None:
    counts = (1, 4, 16, 28)
    speeds = [_of(n) for n in counts]
    assert all(speed.fits for speed in speeds)
    carried = [speed.load.max_requests_per_s for speed in speeds if speed.load]
    assert len(carried) == len(counts)
    assert carried == sorted(carried, reverse=True) and carried[0] > carried[-1]
    assert [speed.layout.models for speed in speeds][0] == 1 < speeds[-1].layout.models
    refused = _of(60)
    assert not refused.fits and refused.reasons[0].code == "memory"


def test_what_no_published_row_packs_has_the_wider_range_and_says_so() -> None:
    answers = [_of(n) for n in (1, 28)]
    alone, packed = (answer.tokens_per_s for answer in answers)
    assert packed.high / packed.low > alone.high / alone.low
    assert [any("take turns" in note for note in answer.notes) for answer in answers] == [False, True]
