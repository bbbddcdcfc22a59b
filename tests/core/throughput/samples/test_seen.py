"""What published runs speak for: of TPUs only the work that was published on them."""

from __future__ import annotations

from collections import Counter

import pytest

from core.calibration.studies.samples import SamplesStudy
from core.calibration.studies.shipped_studies import shipped_study
from core.calibration.studies.spreads import MIN_CHIP_ROWS
from core.catalogue.loading import load_catalogue
from core.comparison.evaluate import evaluate
from core.ranges import Evidence
from core.throughput.predict import predict
from core.throughput.samples.seen import SEEN_ON_TPU, spread_key
from core.throughput.uncertainty import shipped_factors
from core.workload.jobs.kinds import OnlineServing
from core.workload.library import load_profiles, more_profiles
from core.workload.profile import Profile
from tests.core.throughput.fleet_samples import system

CATALOGUE = load_catalogue()
PROFILES = load_profiles() | more_profiles()
SPEECH = Profile(model=PROFILES["speech-to-text"].model, job=OnlineServing(ttft_limit_ms=5000, peak_requests_per_s=5))


def test_seen_on_tpus_is_what_the_rows_hold() -> None:
    study = shipped_study("samples")
    assert isinstance(study, SamplesStudy)
    on_tpus = [case for case in study.cases if case.system.accelerator.kind == "tpu"]
    counts = Counter((case.model.family, case.is_training) for case in on_tpus)
    assert {what for what, n in counts.items() if n >= MIN_CHIP_ROWS} == SEEN_ON_TPU


@pytest.mark.parametrize("profile", [SPEECH, PROFILES["sdxl-serving"]], ids=["speech", "images"])
def test_what_nobody_published_on_tpus_is_no_proof_there(profile: Profile) -> None:
    tpu, gpu = predict(profile, [system("tpu-v4", 4), system("h100-sxm", 4)])
    assert tpu.fits and not tpu.evidence.is_proof and gpu.evidence is Evidence.MODELLED
    ends = [one.tokens_per_s.low / one.tokens_per_s.likely for one in (tpu, gpu)]
    assert ends[0] <= ends[1]


def test_vision_trained_on_tpus_was_published() -> None:
    profile = PROFILES["resnet50-training"]
    assert predict(profile, [system("tpu-v4", 8)])[0].evidence is Evidence.MODELLED


def test_the_widest_class_that_speaks_of_unseen_work_counts() -> None:
    chip = system("tpu-v4", 4).accelerator
    seen, unseen = spread_key(chip, "vision", True, 4), spread_key(chip, "speech", False, 4)
    assert seen.family == "tpu" and seen.is_chip_known
    assert unseen.family == "speech" and not unseen.is_chip_known
    assert shipped_factors(unseen)[0] < shipped_factors(seen)[0]
    assert spread_key(chip, "vision", False, 4).family == "tpu"


def test_a_speech_service_is_not_won_by_tpus_on_which_nobody_ran_one() -> None:
    found = evaluate(SPEECH, CATALOGUE)
    assert found.choice is not None and found.choice.candidate.accelerator.kind == "gpu"
