"""What an edit cannot have changed is not predicted again, and what it can have changed is."""

import json
from collections.abc import Sequence
from functools import partial
from typing import Any

import pytest

from core.catalogue.loading import load_catalogue
from core.comparison.as_json import to_json
from core.comparison.evaluate import evaluate, never
from core.comparison.search import predictions
from core.comparison.search.predictions import MOST_KEPT, RememberedPredictions
from core.comparison.shortlisting import search
from core.ranges import Evidence
from core.throughput.correction import NO_CORRECTIONS, Corrections, SpeedFactor
from core.throughput.predict import predict
from core.throughput.types import System, Throughput
from core.workload.library import load_profiles
from core.workload.profile import Profile

TRAINING = load_profiles()["llama3-8b-pretraining"]
SERVING = load_profiles()["chat-serving-8b"]
LEAVES_SPEED = {
    "budget": {"limits": {"budget_usd": 123_456.0}},
    "weights": {"weights": {"cost": 80}},
    "team": {"team": {"engineer_usd_per_week": 7_000.0}},
    "data": {"job": {"dataset_gb": 77.0}},
}
MOVES_SPEED = {
    "deadline": {"limits": {"deadline_days": 9.0}},
    "tokens": {"job": {"n_tokens": 3e10}},
    "model": {"model": {"n_layers": 16}},
    "software": {"stack": {"software_year": 2023}},
}


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Systems of each question that reached the engine."""
    sizes: list[int] = []

    def engine(profile: Profile, systems: Sequence[System], corrections: Corrections) -> list[Throughput]:
        sizes.append(len(systems))
        return predict(profile, systems, corrections)

    monkeypatch.setattr(predictions, "predict", engine)
    return sizes


def edited(profile: Profile, changes: dict[str, dict[str, Any]]) -> Profile:
    parts = {part: getattr(profile, part).model_copy(update=values) for part, values in changes.items()}
    return profile.model_copy(update=parts)


def answer(profile: Profile, remembered: RememberedPredictions, corrections: Corrections = NO_CORRECTIONS) -> str:
    asked_of = partial(search, predict=remembered)
    return json.dumps(to_json(evaluate(profile, load_catalogue(), corrections, never, asked_of)))


@pytest.mark.parametrize("changes", LEAVES_SPEED.values(), ids=LEAVES_SPEED)
@pytest.mark.parametrize("profile", [TRAINING, SERVING], ids=["training", "serving"])
def test_what_the_engine_does_not_read_asks_nothing_of_it(
    profile: Profile, changes: dict[str, dict[str, Any]], asked: list[int]
) -> None:
    remembered = RememberedPredictions()
    answer(profile, remembered)
    later = answer(edited(profile, changes), remembered)
    assert len(asked) == 1
    assert later == answer(edited(profile, changes), RememberedPredictions()), "as if asked for the first time"


@pytest.mark.parametrize("changes", MOVES_SPEED.values(), ids=MOVES_SPEED)
def test_what_it_reads_is_predicted_anew(changes: dict[str, dict[str, Any]], asked: list[int]) -> None:
    remembered = RememberedPredictions()
    answer(TRAINING, remembered)
    later = answer(edited(TRAINING, changes), remembered)
    assert len(asked) == 2
    assert later == answer(edited(TRAINING, changes), RememberedPredictions())


def test_a_calibration_is_predicted_anew(asked: list[int]) -> None:
    remembered, factor = (
        RememberedPredictions(),
        SpeedFactor("h100-sxm", "training", 0.5, 0.1, 1, Evidence.MEASURED_HERE),
    )
    answer(TRAINING, remembered)
    corrected = Corrections({("h100-sxm", "training"): factor}, "calibrated")
    assert answer(TRAINING, remembered, corrected) == answer(TRAINING, RememberedPredictions(), corrected)
    assert len(asked) == 3


def test_the_oldest_question_is_forgotten(asked: list[int]) -> None:
    remembered, system = RememberedPredictions(), _one_system()
    profiles = [edited(TRAINING, {"job": {"sequence_length": 1024 * n}}) for n in range(1, MOST_KEPT + 2)]
    for profile in (*profiles, profiles[-1], profiles[0]):
        remembered(profile, [system], NO_CORRECTIONS)
    assert len(asked) == MOST_KEPT + 2, "the newest is known, the oldest is not"


def _one_system() -> System:
    chip = load_catalogue().accelerator_by_id["h100-sxm"]
    return System(accelerator=chip, n_chips=64, chips_per_host=8, network_gbit_per_s=400.0, network_estimate=False)
