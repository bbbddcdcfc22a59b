"""Every criterion of a few chips for a few situations, with the facts it tells: no figure drifts unseen."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from core.flexibility.types import CriterionScore, Flexibility
from core.ranges import Range
from core.workload.library import load_profiles
from core.workload.profile import Places, Stack, Team
from tests.golden import assert_kept

CHIPS = ("h100-sxm", "mi300x", "tpu-v6e", "trn2", "rtx6000ada", "gb200")
WAITS = Range(1.0, 14.0, 60.0)
SITUATIONS = {
    "plain": {},
    "europe": {"places": Places(region_prefixes=("europe-", "eu-"), needed_places=("public_cloud", "workstation"))},
    "jax": {"stack": Stack(framework="jax"), "team": Team(xla_experience="expert")},
    "own_kernels": {"stack": Stack(custom_kernels=7, custom_op_pct=12.5), "team": Team(xla_experience="some")},
    "novices": {
        "stack": Stack(training_stack="unknown", dynamic_shapes="many", control_flow="heavy", libraries=("apex",)),
        "team": Team(xla_experience="none", engineers=2),
    },
}


@pytest.mark.parametrize("name", SITUATIONS)
def test_scores_are_kept(score: Callable[..., Flexibility], name: str) -> None:
    told = {}
    for workload in ("llama3-70b-pretraining", "chat-serving-8b"):
        profile = load_profiles()[workload].model_copy(update=SITUATIONS[name])
        for chip in CHIPS:
            found = score(profile, chip, waste_usd=2e5, waiting_days=WAITS, purchase_model="commit_1y")
            told[f"{workload} {chip}"] = [
                found.score, found.exit_usd, found.exit_weeks,
                *([one.id, one.value, one.weight, one.estimate, *_facts(one)] for one in found.criteria),
            ]  # fmt: skip
    assert_kept(f"flexibility_{name}", told)


def _facts(one: CriterionScore) -> list[str]:
    return [*(f"{name}: {value}" for name, value in one.inputs), one.evidence]
