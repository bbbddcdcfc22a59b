"""Weights by set and by hand, and scores that the user sets for a chip."""

from collections.abc import Callable

import pytest
from pydantic import ValidationError

from core.flexibility.types import Flexibility
from core.workload.freedom import Freedom, ScoreOverride
from core.workload.profile import Profile, Stack

Score = Callable[..., Flexibility]


def weights(found: Flexibility) -> dict[str, float]:
    return {one.id: one.weight for one in found.criteria}


def by_hand(criterion_id: str, points: float = 10.0) -> Freedom:
    typed = ScoreOverride(accelerator_id="tpu-v6e", criterion_id=criterion_id, points=points, note="Told by a seller")
    return Freedom(overrides=(typed,))


def test_sets_of_weights_do_not_ask_for_the_maturity(score: Score) -> None:
    exploring = Profile(stack=Stack(maturity="exploring"))
    chosen = Profile(freedom=Freedom(preset="exploring"))
    assert weights(score(exploring)) == weights(score(chosen)) != weights(score(Profile()))
    assert weights(score(Profile(freedom=Freedom(preset="standard")))) == weights(score(Profile()))
    assert set(weights(score(Profile(freedom=Freedom(preset="equal")))).values()) == {10.0}


def test_a_weight_set_by_hand_counts_over_the_set(score: Score) -> None:
    own = score(Profile(freedom=Freedom(preset="equal", f1=0, f7=40)))
    assert weights(own) | {"F1": 0.0, "F7": 40.0} == weights(own) and weights(own)["F2"] == 10.0


@pytest.mark.parametrize("criterion_id", ["F3", "F7", "F8"])
def test_a_score_set_by_hand_counts_for_its_chip_alone_and_is_marked(score: Score, criterion_id: str) -> None:
    """F3 is asked of chips, F8 of terms of sale, F7 of bills."""
    typed = Profile(freedom=by_hand(criterion_id))
    before, after = score(Profile(), "tpu-v6e"), score(typed, "tpu-v6e")
    changed = next(one for one in after.criteria if one.id == criterion_id)
    assert (changed.value.low, changed.value.likely, changed.value.high) == (0.1, 0.1, 0.1)
    assert changed.note == "Told by a seller" and changed.note in changed.evidence and not changed.estimate
    shift = sum(one.weight * one.value.likely for one in after.criteria) / sum(one.weight for one in after.criteria)
    assert after.score.likely == pytest.approx(100 * shift) != before.score.likely
    assert score(typed, "h100-sxm").score == score(Profile(), "h100-sxm").score
    assert (after.exit_usd, after.exit_weeks) == (before.exit_usd, before.exit_weeks)


@pytest.mark.parametrize("note", ["", "  "])
def test_a_score_set_by_hand_needs_a_note(note: str) -> None:
    with pytest.raises(ValidationError):
        ScoreOverride(accelerator_id="l4", criterion_id="F1", points=50, note=note)


def test_an_override_takes_the_place_of_an_older_one_and_goes() -> None:
    newer = ScoreOverride(accelerator_id="tpu-v6e", criterion_id="F3", points=90, note="Measured")
    both = Freedom(overrides=by_hand("F3").with_override(newer))
    assert both.overrides == (newer,) and both.without("tpu-v6e", "F3") == ()
    assert both.override("tpu-v6e", "F3") == newer and both.override("l4", "F3") is None
