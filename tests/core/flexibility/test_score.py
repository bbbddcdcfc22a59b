"""The score as a whole: bounds, weights, evidence, and that unknown facts widen it."""

from collections.abc import Callable, Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.catalogue.catalogue import Catalogue
from core.flexibility.judgements import Scorable
from core.flexibility.score import _totals
from core.flexibility.types import Flexibility
from core.ranges import Range
from core.workload.profile import Places, Profile, Stack, Team

Score = Callable[..., Flexibility]
CHIPS = st.sampled_from(["h100-sxm", "mi300x", "l4", "gaudi3", "trn2", "tpu-v5e", "tpu-v6e", "tpu7x"])
STACKS = st.builds(
    Stack,
    framework=st.sampled_from(["pytorch", "pytorch/xla", "jax", "tensorflow"]),
    maturity=st.sampled_from(["exploring", "stable", "frozen"]),
    custom_kernels=st.integers(0, 20),
    dynamic_shapes=st.sampled_from(["none", "some", "many"]),
    libraries=st.lists(st.sampled_from(["flash-attention", "deepspeed", "maxtext"]), unique=True).map(tuple),
)
TEAMS = st.builds(Team, xla_experience=st.sampled_from(["none", "some", "expert"]))


@given(
    stack=STACKS,
    team=TEAMS,
    chip=CHIPS,
    running_usd=st.floats(0, 1e8),
    waste_share=st.floats(0, 1),
    months=st.floats(0, 48),
)
def test_scores_lie_in_0_to_100_and_intervals_hold_their_value(
    score: Score, stack: Stack, team: Team, chip: str, running_usd: float, waste_share: float, months: float
) -> None:
    profile = Profile(stack=stack, team=team)
    found = score(profile, chip, running_usd=running_usd, waste_usd=waste_share * running_usd, months=months)
    assert 0 <= found.score.low <= found.score.likely <= found.score.high <= 100
    for one in found.criteria:
        assert 0 <= one.value.low <= one.value.likely <= one.value.high <= 1


@given(stack=STACKS, chip=CHIPS)
def test_what_is_not_known_widens_and_never_narrows(score: Score, stack: Stack, chip: str) -> None:
    profile = Profile(stack=stack)
    known, unknown = score(profile, chip), score(profile, chip, without_support=True)
    assert unknown.score.high - unknown.score.low >= known.score.high - known.score.low - 1e-9


@given(stack=STACKS, chip=CHIPS, running_usd=st.floats(0, 1e8))
def test_the_score_is_the_weighted_mean(score: Score, stack: Stack, chip: str, running_usd: float) -> None:
    found = score(Profile(stack=stack), chip, running_usd=running_usd)
    weight = sum(one.weight for one in found.criteria)
    for name in ("low", "likely", "high"):
        mean = sum(one.weight * getattr(one.value, name) for one in found.criteria) / weight
        assert getattr(found.score, name) == pytest.approx(100 * mean)


def test_exploring_work_weighs_code_and_settled_work_weighs_suppliers(score: Score) -> None:
    weights = {
        maturity: {one.id: one.weight for one in score(Profile(stack=Stack(maturity=maturity))).criteria}
        for maturity in ("exploring", "stable")
    }
    assert weights["exploring"]["F4"] > weights["stable"]["F4"]
    assert weights["exploring"]["F1"] < weights["stable"]["F1"]


def test_every_criterion_shows_evidence_source_and_inputs(score: Score) -> None:
    for one in score(Profile(), "tpu-v6e").criteria:
        assert one.evidence and one.source and one.formula
        assert all(name and text for name, text in one.inputs)


def test_a_commitment_makes_leaving_dearer(score: Score) -> None:
    free, bound = score(Profile(), waste_usd=0.0), score(Profile(), waste_usd=4e5)
    assert bound.exit_usd - free.exit_usd == pytest.approx(4e5)
    assert bound.score.likely < free.score.likely


def test_candidates_of_one_chip_keep_their_own_bills_and_terms(
    catalogue: Catalogue, score_rows: Callable[..., Sequence[Flexibility]]
) -> None:
    offers = catalogue.offers_by_accelerator["tpu-v6e"][:40]
    chip = catalogue.accelerator_by_id["tpu-v6e"]
    waiting = Range(0.0, 1.0, 2.0)
    rows = [Scorable(chip, offer, 1e5 * (n + 1), 0.0, 1.0, waiting) for n, offer in enumerate(offers)]
    together = score_rows(Profile(), catalogue, rows)
    alone = [score_rows(Profile(), catalogue, [row])[0] for row in rows]
    assert [one.score for one in together] == [one.score for one in alone]
    assert len({one.score.likely for one in together}) > 1


def test_places_needed_lower_what_covers_fewer_of_them(score: Score) -> None:
    many = Profile(places=Places(needed_places=("public_cloud", "on_prem", "workstation", "dedicated")))
    assert score(many, "tpu-v6e").score.likely < score(Profile(), "tpu-v6e").score.likely


def test_without_any_weight_nothing_is_scored() -> None:
    assert _totals(Profile(), np.zeros((2, 4)), {}).tolist() == [[0.0] * 3] * 2
