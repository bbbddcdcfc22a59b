"""What an edit cannot have changed is not predicted again, and what it can have changed is."""

import json
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import pytest

from core.catalogue.loading import load_catalogue
from core.comparison.as_json import to_json
from core.comparison.evaluate import evaluate, never
from core.comparison.search import predictions
from core.comparison.search.predictions import MOST_KEPT, MOST_TIMES, RememberedPredictions
from core.comparison.shortlisting import search
from core.ranges import Evidence
from core.throughput.correction import NO_CORRECTIONS, Corrections, SpeedFactor
from core.throughput.predict import predict
from core.throughput.types import System, Throughput
from core.workload.library import load_profiles
from core.workload.profile import Profile

CATALOGUE = replace(load_catalogue(), offers=load_catalogue().offers[::3])
"""A third of the offers: all chips and ways to pay, in a third of the time."""
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
    """What is told, but for what would change the pick, which asks about other worlds."""
    asked_of = partial(search, predict=remembered)
    results = evaluate(profile, CATALOGUE, corrections, never, asked_of)
    return json.dumps(to_json(replace(results, recommendation=replace(results.recommendation, would_change_it=()))))


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


@pytest.mark.parametrize("days", [20.0, 45.0, 75.0])
def test_of_another_deadline_only_new_systems_are_asked_about(days: float, asked: list[int]) -> None:
    remembered = RememberedPredictions()
    answer(TRAINING, remembered)
    changes = {"limits": {"deadline_days": days}}
    later = answer(edited(TRAINING, changes), remembered)
    assert 0 < sum(asked[1:]) < asked[0] / 2
    assert later == answer(edited(TRAINING, changes), RememberedPredictions())


@pytest.mark.parametrize("workload", sorted(load_profiles()))
def test_an_answer_does_not_depend_on_what_else_is_asked_not_in_its_last_digit(workload: str) -> None:
    """What is remembered of a system holds beside any others: the engine adds nothing up across systems."""
    profile, asked_of = load_profiles()[workload], list[System]()

    def engine(profile: Profile, systems: Sequence[System], corrections: Corrections) -> list[Throughput]:
        asked_of.extend(systems)
        return predict(profile, systems, corrections)

    search(profile, load_catalogue(), NO_CORRECTIONS, engine)
    together = predict(profile, asked_of, NO_CORRECTIONS)
    for step in (2, 7, 60):
        assert predict(profile, asked_of[1::step], NO_CORRECTIONS) == together[1::step]


def test_systems_that_nobody_asks_about_any_more_are_forgotten(asked: list[int]) -> None:
    remembered, one = RememberedPredictions(), _one_system()
    for n_chips in range(8, 8 * (MOST_TIMES + 2), 8):
        remembered(TRAINING, [replace(one, n_chips=n_chips)], NO_CORRECTIONS)
    first = replace(one, n_chips=8)
    assert remembered(TRAINING, [first], NO_CORRECTIONS) == predict(TRAINING, [first], NO_CORRECTIONS)
    assert asked == [1] * (MOST_TIMES + 2)


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
