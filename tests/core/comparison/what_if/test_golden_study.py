"""What can be asked about, what a few inputs move, and the draws: no figure drifts unseen."""

from __future__ import annotations

from core.comparison.what_if.cloud import cloud
from core.comparison.what_if.flips import flips
from core.comparison.what_if.front import front, regret_matrix
from core.comparison.what_if.goal_seek import goal_seek
from core.comparison.what_if.inputs import Input, is_money, is_wish
from core.comparison.what_if.study import Study
from core.comparison.what_if.tornado import tornado
from tests.golden import assert_kept


def test_inputs_are_kept(study: Study) -> None:
    assert_kept("study_inputs", {one.id: [str(one.name), is_money(one), is_wish(one), one] for one in study.inputs})


def test_what_a_few_inputs_move_is_kept(study: Study, inputs: dict[str, Input]) -> None:
    few = [inputs[name] for name in ("price b200-sxm", "speed b200-sxm", "wait b200-sxm")]
    rows = {row.input.id: [row.now, row.at_low, row.at_high, *row.ends("time")] for row in tornado(study, few)}
    ends = {flip.input.id: [flip.down, flip.up] for flip in flips(study, few[:1])}
    goal = goal_seek(study, "a", "cost", 0.9 * study.a.cost.total.likely, few[1])
    assert_kept("study_moves", {"tornado": rows, "flips": ends, "goal": [goal.value, goal.reached, goal.depends]})


def test_the_draws_and_the_front_are_kept(study: Study, inputs: dict[str, Input]) -> None:
    drawn, speed = cloud(study), inputs["speed b200-sxm"]
    assert drawn is not None
    dots = [
        [float(one.cost_usd.sum()), float(one.time.sum()), one.mean_cost_usd, one.outline] for one in (drawn.a, drawn.b)
    ]
    matrix = regret_matrix(study, [((speed, value),) for value in (70.0, 100.0, 130.0)])
    assert_kept("study_draws", {"dots": dots, "rows": drawn.rows, "front": front(study), "regrets": matrix})
