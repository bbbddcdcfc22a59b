"""Doubts about legal values."""

from __future__ import annotations

import pytest

from core.plan.edit import set_value
from core.workload.doubts import TILE, doubts
from core.workload.profile import Profile


def test_defaults_raise_no_doubt() -> None:
    assert doubts(Profile()) == ()


@pytest.mark.parametrize(("length", "repair"), [(8200, 8192), (4000, 4096), (1000, 1024), (700, 640), (100, 128)])
def test_a_sequence_that_a_tpu_pads_is_doubted_with_a_repair(length: int, repair: int) -> None:
    (doubt,) = doubts(set_value(Profile(), "job.sequence_length", length))
    assert doubt.path == "job.sequence_length"
    assert doubt.repair == repair
    assert doubt.repair % TILE == 0


def test_a_run_shorter_than_a_step_is_doubted() -> None:
    (doubt,) = doubts(set_value(Profile(), "job.n_tokens", 1000.0))
    assert doubt.repair == 8192 * 512


def test_heads_off_the_tile_are_doubted_without_a_repair() -> None:
    (doubt,) = doubts(set_value(Profile(), "model.d_head", 96))
    assert (doubt.path, doubt.repair) == ("model.d_head", None)


def test_weights_of_nothing_are_doubted() -> None:
    profile = Profile()
    for name in ("cost", "time", "flexibility"):
        profile = set_value(profile, f"weights.{name}", 0.0)
    [doubt] = doubts(profile)
    assert (doubt.path, doubt.repair) == ("weights.cost", 50.0)
    assert doubts(set_value(profile, doubt.path, doubt.repair)) == ()


def test_serving_has_no_sequence_to_doubt() -> None:
    profile = Profile.model_validate({"job": {"kind": "online_serving"}})
    assert doubts(profile) == ()
