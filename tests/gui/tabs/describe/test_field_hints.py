"""What the form says beside the priorities: shares of the ranking, and on which outcomes it rests."""

from __future__ import annotations

import pytest

from core.workload.models.transformer import TransformerModel
from core.workload.profile import Profile, Weights
from gui.tabs.describe.field_hints import hints


def said(**weights: float) -> dict[str, str]:
    profile = Profile(id="p", name="p", weights=Weights(**weights))
    return {path.removeprefix("weights."): words for path, words in hints(profile).items() if path[:8] == "weights."}


def test_three_weights_are_shares_of_the_ranking_and_caution_is_none() -> None:
    assert said(cost=50, time=30, flexibility=20) == {
        "cost": "50 % of the ranking",
        "time": "30 % of the ranking",
        "flexibility": "20 % of the ranking",
        "worst_pct": "Ranked on the worst third of outcomes; 100 is the mean of all",
    }
    assert list(said(cost=0, time=0, flexibility=0)) == ["worst_pct"]


@pytest.mark.parametrize(
    ("worst_pct", "words"), [(100, "the mean of all outcomes"), (50, "the worse half"), (10, "the worst 10\u202f%")]
)
def test_caution_is_told_in_words(worst_pct: float, words: str) -> None:
    assert said(worst_pct=worst_pct)["worst_pct"].startswith(f"Ranked on {words}")


def test_of_a_model_that_nobody_chose_nothing_is_said() -> None:
    """ "Choose a model" stood beside "Dense, 8.03 B weights, 32 layers"."""
    assert "model" not in hints(Profile())
    assert "model" in hints(Profile(model=TransformerModel(n_layers=40)))
