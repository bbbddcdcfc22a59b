"""Paged optimisers: moments move as far as chips are full, their way is paid, and hosts must hold them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.throughput.predict import predict
from core.throughput.training.finetuning import EIGHT_BIT_STATE_BYTES
from core.throughput.training.paging import copy_bytes_per_s
from core.throughput.types import Layout, Throughput
from core.units import GIB
from core.workload.jobs.kinds import FineTuning
from core.workload.models.transformer import TransformerModel
from core.workload.profile import Profile
from tests.core.throughput.fleet_samples import LLAMA_3_8B, LLAMA_3_70B, system

SHORT = {"sequence_length": 512, "global_batch_sequences": 16}
NARROW = {"master_weights": "none", **SHORT}


def _run(
    n_chips: int, model: TransformerModel = LLAMA_3_70B, layout: Layout | None = None, **job: object
) -> Throughput:
    profile = Profile(model=model, job=FineTuning.model_validate(SHORT | job))
    return predict(profile, [system("h100-sxm", n_chips)], layout=layout)[0]


def _paged(n_chips: int, **job: object) -> Throughput:
    return _run(n_chips, optimizer="paged_adamw_8bit", **job)


def test_a_master_copy_does_not_page() -> None:
    """70.6 billion weights, gradients and master copy in 2 + 4 + 4 bytes are 82 GiB on each of eight chips."""
    refused = _paged(8)
    assert not refused.fits and refused.reasons[0].code == "memory"
    assert sum(refused.memory_gib.values()) > 10 * LLAMA_3_70B.n_params / 8 / GIB


def test_moments_that_find_room_stay_and_cost_nothing() -> None:
    paged, plain = (_run(8, **NARROW, optimizer=one) for one in ("paged_adamw_8bit", "adamw_8bit"))
    assert paged.memory_gib == pytest.approx(plain.memory_gib)
    assert paged.step_terms_s["host"] == 0 and paged.tokens_per_s == plain.tokens_per_s
    assert paged.memory_gib["optimizer"] > 0


def test_what_finds_no_room_goes_and_comes_in_every_step() -> None:
    layout = Layout(tp=8, micro_batch=1, recompute="full")
    on = system("h100-sxm", 8)
    capacity = 0.995 * sum(_run(8, layout=layout, **NARROW, optimizer="adamw_8bit").memory_gib.values())
    chip = on.accelerator.model_copy(update={"memory_gb": capacity / 0.98})
    job = FineTuning.model_validate(NARROW | {"optimizer": "paged_adamw_8bit"})
    (answer,) = predict(Profile(model=LLAMA_3_70B, job=job), [replace(on, accelerator=chip)], layout=layout)
    moments = EIGHT_BIT_STATE_BYTES * LLAMA_3_70B.n_params / 8
    moved = moments - answer.memory_gib["optimizer"] * GIB
    assert 0 < moved < moments and sum(answer.memory_gib.values()) == pytest.approx(capacity)
    assert answer.step_terms_s["host"] == pytest.approx(2 * moved / copy_bytes_per_s(on))


@pytest.mark.parametrize(("n_chips", "tokens"), [(16, 4096), (32, 16_384), (16, 8192)])
def test_paging_is_no_slower_than_moments_that_stay_or_an_optimiser_in_host_memory(n_chips: int, tokens: int) -> None:
    paged, *others = (
        _run(n_chips, sequence_length=tokens, optimizer=optimizer, offload=offload)
        for optimizer, offload in (("paged_adamw_8bit", "none"), ("adamw_8bit", "none"), ("adamw_8bit", "optimizer"))
    )
    assert paged.fits and all(paged.tokens_per_s.likely >= one.tokens_per_s.likely for one in others)


def test_a_host_must_hold_what_pages() -> None:
    on = system("a100-sxm-40", 1)
    assert on.host is not None
    job = FineTuning.model_validate(NARROW | {"optimizer": "paged_adamw_8bit"})
    profile = Profile(model=LLAMA_3_8B, job=job)
    small = replace(on, host=on.host.model_copy(update={"ram_gb": 8.0}))
    for one, fits in ((on, True), (small, False)):
        (answer,) = predict(profile, [one])
        assert answer.fits == fits
        assert fits or answer.reasons[0].code == "host memory"
