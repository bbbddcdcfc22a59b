"""The share of the peak that a service's own arithmetic takes: only what is computed counts, so never above it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.throughput.chips.run_formats import planned_formats
from core.throughput.predict import predict
from core.throughput.types import Throughput
from core.workload.jobs.kinds import BatchInference, OnlineServing
from core.workload.library import load_profiles, more_profiles
from core.workload.models.transformer import TransformerModel
from core.workload.profile import Profile
from tests.core.throughput.fleet_samples import LLAMA_3_8B, MIXTRAL, systems

CLUSTERS = systems(["a100-sxm-80", "h100-sxm", "b200-sxm", "mi300x", "rtx5090", "l4", "tpu-v5e", "tpu-v2"], [1, 8])
FREE = {"ttft_limit_ms": None, "tpot_limit_ms": None}
JOBS = {OnlineServing: FREE, BatchInference: {}}
SHIPPED = {**load_profiles(), **more_profiles()}
ANSWERING = {name: one for name, one in SHIPPED.items() if not one.job.trains and not one.is_in_samples}


def _held(profile: Profile) -> list[Throughput]:
    return [answer for answer in predict(profile, CLUSTERS) if answer.fits]


def _within_the_peak(profile: Profile) -> None:
    formats, precision = planned_formats(profile), profile.job.compute_precision
    for answer in _held(profile):
        assert 0 < answer.mfu < 1
        roof = formats(answer.system.accelerator, precision).peak_flops
        assert all(achieved < roof for _, _, achieved in answer.roofline)


def _with(profile: Profile, **job: float | None) -> Profile:
    return profile.model_copy(update={"job": profile.job.model_copy(update=job)})


@pytest.mark.parametrize("hit_pct", [0.0, 50.0, 90.0, 99.0])
@pytest.mark.parametrize("name", ANSWERING)
def test_no_shipped_service_computes_more_than_chips_can_whatever_its_cache_holds(name: str, hit_pct: float) -> None:
    _within_the_peak(_with(ANSWERING[name], prefix_hit_pct=hit_pct))


@given(
    kind=st.sampled_from(list(JOBS)),
    model=st.sampled_from([LLAMA_3_8B, MIXTRAL]),
    hit_pct=st.floats(0, 99),
    input_tokens=st.integers(1, 60_000),
    output_tokens=st.integers(1, 4_000),
    draft=st.sampled_from(["none", "ngram", "eagle"]),
)
def test_no_service_computes_more_than_chips_can(
    kind: type[OnlineServing] | type[BatchInference],
    model: TransformerModel,
    hit_pct: float,
    input_tokens: int,
    output_tokens: int,
    draft: str,
) -> None:
    lengths = {"input_tokens": input_tokens, "output_tokens": output_tokens}
    job = kind.model_validate({**JOBS[kind], **lengths, "prefix_hit_pct": hit_pct, "draft": draft})
    _within_the_peak(Profile(model=model, job=job))


def test_prompt_tokens_that_the_cache_holds_are_not_computed() -> None:
    """Batches of 10,000 tokens in and one out: with 99 of 100 found, an answer takes about a fiftieth of the work."""
    cold, warm = (
        _held(Profile(model=LLAMA_3_8B, job=BatchInference(input_tokens=10_000, output_tokens=1, prefix_hit_pct=hit)))
        for hit in (0.0, 99.0)
    )
    for one, other in zip(cold, warm, strict=True):
        work = (other.mfu / other.tokens_per_s.likely) / (one.mfu / one.tokens_per_s.likely)
        assert 0.01 < work < 0.03


def test_work_of_an_answer_by_hand() -> None:
    """2 000 tokens in of which a half is found, 500 out. The 1 000 computed tokens of a prompt look at 1 500 in the
    mean, those of an answer at 2 250; the head counts for each answered token and once for the prompt."""
    profile = Profile(model=LLAMA_3_8B, job=BatchInference(input_tokens=2000, output_tokens=500, prefix_hit_pct=50.0))
    products = 2 * 32 * (2 * 4096 * 4096 + 2 * 4096 * 1024 + 3 * 4096 * 14336)
    looking, head = 32 * 4 * 4096, 2 * 4096 * 128256
    prompt = 1000 * (products + looking * 1500) + head
    each = products + looking * 2250 + head + prompt / 500
    for answer in _held(profile):
        peak = planned_formats(profile)(answer.system.accelerator, "bf16").peak_flops * answer.system.n_chips
        assert answer.mfu == pytest.approx(each * answer.tokens_per_s.likely / peak)
