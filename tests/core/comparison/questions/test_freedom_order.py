"""How far the order by flexibility rests on the weights."""

import numpy as np
import pytest

from core.comparison.questions.freedom_order import first_share, smallest_flip
from core.flexibility.types import CriterionScore
from core.ranges import Range


def criteria(weights: list[float], values: list[float]) -> list[CriterionScore]:
    return [
        CriterionScore(f"F{n}", f"Criterion {n}", Range(v, v, v), w, "", (), "", "", False)
        for n, (w, v) in enumerate(zip(weights, values, strict=True), start=1)
    ]


def test_an_option_that_is_better_everywhere_is_always_first_and_nothing_turns_the_order() -> None:
    assert first_share(np.array([[0.9, 0.8], [0.5, 0.7]])) == 1.0
    assert first_share(np.array([[0.5, 0.7], [0.9, 0.8]])) == 0.0
    assert smallest_flip(criteria([10, 10], [0.9, 0.8]), criteria([10, 10], [0.5, 0.7])) is None


def test_options_that_mirror_each_other_share_the_first_place_and_the_draws_stay_the_same() -> None:
    mirrored = np.array([[0.9, 0.1], [0.1, 0.9]])
    assert first_share(mirrored) == pytest.approx(0.5, abs=0.05)
    assert first_share(mirrored) == first_share(mirrored)


def test_the_smallest_change_of_one_weight_is_where_both_score_the_same() -> None:
    one, other, weights = [0.9, 0.2, 0.6], [0.5, 0.8, 0.5], [20.0, 10.0, 5.0]
    flip = smallest_flip(criteria(weights, one), criteria(weights, other))
    assert flip is not None and (flip.criterion_id, flip.weight) == ("F2", 10.0)
    weights[1] = flip.flips_at
    assert np.dot(weights, one) == pytest.approx(np.dot(weights, other))


def test_of_several_flips_the_one_nearest_to_its_weight_is_told() -> None:
    """The first leads by 1.0: its weight of 50 flips at 40 (0.1 apart), that of 5 at 10 (0.2 apart the other way)."""
    one, other, weights = [0.5, 0.2, 0.0], [0.4, 0.4, 0.3], [50.0, 5.0, 10.0]
    lead = sum(w * (a - b) for w, a, b in zip(weights, one, other, strict=True))
    flip = smallest_flip(criteria(weights, one), criteria(weights, other))
    flips = {f"F{n}": w - lead / (a - b) for n, (w, a, b) in enumerate(zip(weights, one, other, strict=True), start=1)}
    nearest = min(flips, key=lambda name: abs(flips[name] - dict(zip(flips, weights, strict=True))[name]))
    assert flip is not None and flip.criterion_id == nearest == "F3" and flip.flips_at == pytest.approx(flips["F3"])
