"""Flip points: just before one the pick stays, just after it another option wins; never is said when it never does."""

from __future__ import annotations

import re

import numpy as np
import pytest

from core.comparison.rank.board import Board, board_of
from core.comparison.rank.utility import shares
from core.comparison.recommendation.flip_points import (
    day,
    deadline_flip,
    done_words,
    flip_points,
    porting_flip,
    price_flip,
    weight_flip,
)
from core.workload.profile import Limits, Weights


def _ranked(profile, results) -> Board:
    board = board_of(profile, results)
    order = np.argsort(-board.utilities(shares(profile.weights)))
    return board_of(profile, [results[row] for row in order])


def _winner(profile, board) -> str:
    return board.results[int(np.argmax(board.utilities(shares(profile.weights))))].id


@pytest.fixture
def trade(profile, make_result) -> Board:
    """B200 first; H100 is more flexible and dearer, the TPU is cheaper, slower and less flexible."""
    return _ranked(
        profile,
        [
            make_result("b200-sxm", 1.5e6, 36, 71, n_chips=256),
            make_result("h100-sxm", 1.9e6, 33, 80, n_chips=512),
            make_result("tpu-v6e", 1.2e6, 53, 47, n_chips=512, porting_usd=1e5, porting_days=20),
        ],
    )


def test_a_finish_beyond_a_century_has_no_date(profile) -> None:
    assert done_words(profile, 10.0).startswith("done by ") and day(profile, 10.0) in done_words(profile, 10.0)
    assert done_words(profile, 884_000.0) == done_words(profile, 1e12) == "done in over a century"
    assert day(profile, 1e12) == "over a century from the start"


def test_price_flip_is_where_the_winner_changes(profile, trade) -> None:
    point = price_flip(profile, trade)
    pick = trade.results[0].candidate
    assert point.flips_at is not None
    price = float(re.match(r"\$([\d.]+)", str(point.flips_at))[1])
    factor = price / pick.offer.usd_per_chip_hour
    same = np.array([r.candidate.accelerator.id == pick.accelerator.id for r in trade.results], dtype=float)
    assert _winner(profile, trade.with_price(same, factor - 0.02)) == pick.id
    assert _winner(profile, trade.with_price(same, factor + 0.02)) == point.new_winner_id


def test_the_rise_is_told_in_per_cent_of_the_price_now(profile, trade) -> None:
    now = trade.results[0].candidate.offer.usd_per_chip_hour
    price, percent = re.fullmatch(r"\$([\d.]+).*, \+([\d.]+)\D*", str(price_flip(profile, trade).flips_at)).groups()
    assert float(percent) == pytest.approx(100 * (float(price) / now - 1), rel=0.06, abs=1.0)


def test_price_of_a_dominant_pick_never_flips_when_cost_has_no_weight(profile, make_result) -> None:
    profile = profile.model_copy(update={"weights": Weights(cost=0, time=50, flexibility=50)})
    board = _ranked(profile, [make_result("b200-sxm", 1e6, 20, 90), make_result("h100-sxm", 2e6, 40, 50)])
    assert price_flip(profile, board).flips_at is None


@pytest.mark.parametrize(("budget_usd", "winner"), [(2.5e6, "h100-sxm"), (1.5e6, None)])
def test_a_pick_that_leaves_the_budget_wins_no_more(
    profile, make_result, budget_usd: float, winner: str | None
) -> None:
    """Where cost has no weight no price makes another option better, and yet a dear pick cannot be paid."""
    limits = profile.limits.model_copy(update={"budget_usd": budget_usd})
    profile = profile.model_copy(update={"weights": Weights(cost=0, time=50, flexibility=50), "limits": limits})
    board = _ranked(profile, [make_result("b200-sxm", 1e6, 20, 90), make_result("h100-sxm", 2e6, 40, 50)])
    point = price_flip(profile, board)
    named = next((r.candidate.accelerator.id for r in board.results if r.id == point.new_winner_id), None)
    assert point.flips_at is not None and named == winner


def test_weight_flip_is_the_nearest_weight_with_another_winner(profile, trade) -> None:
    point = weight_flip(profile, trade)
    assert point.flips_at is not None
    at = float(point.flips_at)
    moved = profile.model_copy(update={"weights": profile.weights.model_copy(update={"cost": at})})
    assert _winner(moved, trade) == point.new_winner_id != trade.results[0].id
    step = 1 if at > profile.weights.cost else -1
    before = profile.model_copy(update={"weights": profile.weights.model_copy(update={"cost": at - step})})
    assert _winner(before, trade) == trade.results[0].id


def test_deadline_flips_to_the_best_of_the_faster(profile, trade) -> None:
    assert trade.results[0].candidate.accelerator.id == "b200-sxm"
    point = deadline_flip(profile, trade)
    assert point.flips_at == "Before 6 Jan 2027"
    assert (
        trade.results[0].id
        != point.new_winner_id
        == next(r.id for r in trade.results if r.candidate.n_chips == 512 and r.candidate.accelerator.kind == "gpu")
    )


def test_deadline_of_the_fastest_leaves_nothing(profile, make_result) -> None:
    board = _ranked(profile, [make_result("b200-sxm", 1e6, 20, 90), make_result("h100-sxm", 2e6, 40, 50)])
    assert deadline_flip(profile, board).new_winner_id is None


def test_porting_never_flips_when_the_ported_stay_behind_even_at_none(profile, make_result) -> None:
    board = _ranked(
        profile,
        [
            make_result("b200-sxm", 1e6, 20, 90),
            make_result("tpu-v6e", 3e6, 80, 40, porting_usd=1e4, porting_days=14),
        ],
    )
    point = porting_flip(profile, board)
    assert (point.now, point.flips_at) == ("2\u202fweeks", None)


def test_less_porting_lets_the_ported_win(profile, make_result) -> None:
    board = _ranked(
        profile,
        [
            make_result("b200-sxm", 1e6, 40, 60),
            make_result("tpu-v6e", 1.05e6, 60, 60, porting_usd=5e5, porting_days=30),
        ],
    )
    point = porting_flip(profile, board)
    assert board.results[0].candidate.accelerator.kind == "gpu"
    assert point.flips_at is not None and point.new_winner_id == board.results[1].id
    weeks = float(point.flips_at.split("\u202f")[0])
    assert 0 < weeks < 30 / 7


def test_more_porting_moves_a_ported_pick_from_first(profile, make_result) -> None:
    board = _ranked(
        profile,
        [
            make_result("h100-sxm", 1e6, 40, 60),
            make_result("tpu-v6e", 6e5, 35, 60, porting_usd=1e5, porting_days=7),
        ],
    )
    assert board.results[0].candidate.accelerator.kind == "tpu"
    assert porting_flip(profile, board).new_winner_id == board.results[1].id


def test_a_single_option_has_nothing_to_flip_to(profile, make_result) -> None:
    assert flip_points(profile, board_of(profile, [make_result()])) == ()


def test_budget_is_asked_only_when_there_is_one(profile, trade) -> None:
    assert "Budget" not in [point.input_name for point in flip_points(profile, trade)]
    with_budget = profile.model_copy(update={"limits": Limits(budget_usd=3e6)})
    budget = next(p for p in flip_points(with_budget, trade) if p.input_name == "Budget")
    assert str(budget.flips_at) == "Below $1.5\u202fM"
    assert trade.results[0].id != budget.new_winner_id
