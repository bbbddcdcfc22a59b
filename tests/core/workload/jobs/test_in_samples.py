"""Profiles of networks: stored with their kind, counted in samples, and back."""

from __future__ import annotations

import pytest

from core.workload.jobs.kinds import FineTuning, OnlineServing, PreTraining
from core.workload.library import load_profiles
from core.workload.models.known import networks
from core.workload.models.transformer import TransformerModel
from core.workload.profile import Profile

RESNET = networks()["ResNet-50"].model


def test_a_model_without_a_kind_is_a_transformer() -> None:
    assert Profile.model_validate({"model": {"n_layers": 4}}).model == TransformerModel(n_layers=4)


def test_the_kind_of_a_transformer_may_be_written() -> None:
    assert Profile.model_validate({"model": {"kind": "transformer", "n_layers": 4}}).model.kind == "transformer"


def test_a_network_survives_storing() -> None:
    profile = Profile(model=RESNET, job=PreTraining(n_tokens=1e8))
    stored = profile.model_dump_json(exclude_unset=True)
    again = Profile.model_validate_json(stored)
    assert again == profile
    assert "sequence_length" not in stored


@pytest.mark.parametrize("kind", ["convnet", 3])
def test_an_unknown_kind_is_refused(kind: object) -> None:
    with pytest.raises(ValueError, match="kind|tag"):
        Profile.model_validate({"model": {"kind": kind}})


@pytest.mark.parametrize("job", [PreTraining(), FineTuning(), OnlineServing()])
def test_one_token_is_one_sample(job: PreTraining | FineTuning | OnlineServing) -> None:
    counted = Profile(model=RESNET, job=job).job
    assert getattr(counted, "sequence_length", 1) == 1
    assert getattr(counted, "output_tokens", 1) == 1
    assert getattr(counted, "tpot_limit_ms", None) is None


def test_going_back_to_a_transformer_brings_the_usual_lengths_back() -> None:
    network = Profile(model=RESNET, job=PreTraining(n_tokens=1e8))
    back = Profile.model_validate({"job": network.job, "model": TransformerModel()})
    assert back.job == PreTraining(n_tokens=1e8)
    assert back.unit_word == "tokens"
    assert network.unit_word == "samples"


def test_an_entered_length_of_a_transformer_stays() -> None:
    assert Profile(job=PreTraining(sequence_length=1024)).job == PreTraining(sequence_length=1024)


@pytest.mark.parametrize("name", ["resnet50-training", "sdxl-serving"])
def test_shipped_networks_are_known_ones(name: str) -> None:
    assert load_profiles()[name].model == networks()[load_profiles()[name].model.name].model
