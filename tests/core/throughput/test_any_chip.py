"""A chip of any kind, vendor and generation that the checks accept is answered, and so is a vendor unheard of."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.calibration.measured.system import measured_system
from core.catalogue.entries import Accelerator
from core.catalogue.loading import load_catalogue
from core.catalogue.own.checks import checked_layers
from core.catalogue.own.layers import OwnEntries
from core.cost.bill.power import watts
from core.throughput.predict import predict
from core.workload.library import load_profiles
from core.workload.profile import Profile
from tests.core.new_vendor import CHIP, FAMILY_ROW, data_with
from tests.core.throughput.fleet_samples import system

CATALOGUE = load_catalogue()
PROFILES = tuple(load_profiles().values())
GENERATIONS = (*CATALOGUE.accelerator_by_id, "tpu-v5", "hopper", "mine")
VENDORS = ("NVIDIA", "nvidia", "AMD", "Google", "Intel", "AWS", "Huawei", "Moore Threads", "", " ")


@st.composite
def chips(draw: st.DrawFn) -> Accelerator:
    """The figures of a shipped chip under any kind, generation and vendor, with or without measurements and power."""
    peaked = [chip for chip in CATALOGUE.accelerators if chip.bf16_tflops or chip.fp16_tflops]
    changes: dict[str, object] = {
        "id": draw(st.sampled_from(GENERATIONS)),
        "kind": draw(st.sampled_from(["gpu", "tpu", "other"])),
        "vendor": draw(st.sampled_from(VENDORS)),
        "family": draw(st.sampled_from(["nvidia_gpu", "google_tpu", "something new"])),
        "memory_gb": 1000.0,
    }
    for name in draw(st.sets(st.sampled_from(["measured_bf16_tflops", "measured_fp8_tflops", "tdp_w", "fp8_tflops"]))):
        changes |= {name: None, **({"measured_fp8_tflops": None} if name == "fp8_tflops" else {})}
    return draw(st.sampled_from(peaked)).model_copy(update=changes)


@settings(max_examples=60, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
@given(chips(), st.sampled_from(PROFILES), st.sampled_from([8, 64]))
def test_any_chip_that_the_checks_accept_is_answered(chip: Accelerator, profile: Profile, n_chips: int) -> None:
    checked_layers(CATALOGUE, OwnEntries(accelerators=(chip.model_copy(update={"source": "as entered"}),)))
    on = replace(system("h100-sxm", n_chips), accelerator=chip, host=None)
    [answer] = predict(profile, [on])
    assert answer.fits or answer.reasons
    speeds = (answer.tokens_per_s.low, answer.tokens_per_s.likely, answer.tokens_per_s.high)
    assert all(math.isfinite(speed) and speed >= 0 for speed in speeds)
    assert answer.tokens_per_s.likely > 0 or not answer.fits
    assert 0 < watts(chip)[0] < watts(chip)[1] < watts(chip)[2]


@pytest.mark.parametrize("kind", ["gpu", "other"])
def test_a_tpus_generation_under_another_kind_is_answered(kind: str) -> None:
    """An id that the table lists for TPUs only once ended in a KeyError here."""
    chip = CATALOGUE.accelerator_by_id["tpu-v5p"].model_copy(update={"kind": kind})
    on = replace(system("tpu-v5p", 256), accelerator=chip)
    assert any(predict(profile, [on])[0].fits for profile in PROFILES)


@pytest.mark.parametrize("profile", PROFILES, ids=lambda profile: profile.id)
@pytest.mark.parametrize("family", [None, FAMILY_ROW], ids=["chip row", "family row and chip row"])
def test_a_new_vendor_needs_at_most_two_rows_to_be_predicted(
    family: dict[str, object] | None, profile: Profile, tmp_path: Path
) -> None:
    with data_with(tmp_path, family=family) as catalogue:
        answers = predict(profile, [measured_system(catalogue, CHIP, n) for n in (8, 512)])
    assert any(answer.fits and answer.tokens_per_s.likely > 0 for answer in answers)


def test_borrowed_coefficients_make_the_speed(tmp_path: Path) -> None:
    profile = next(one for one in PROFILES if one.id == "llama3-8b-pretraining")
    with data_with(tmp_path / "a") as catalogue:
        [alone] = predict(profile, [measured_system(catalogue, CHIP, 64)])
    with data_with(tmp_path / "b", family=FAMILY_ROW) as catalogue:
        [borrowed] = predict(profile, [measured_system(catalogue, CHIP, 64)])
    assert alone.tokens_per_s.likely != borrowed.tokens_per_s.likely
