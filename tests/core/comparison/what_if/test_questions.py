"""Tornado, flips, heat map, cloud, goal seek, front and regrets of one answer."""

from __future__ import annotations

import numpy as np
import pytest

from core.catalogue.loading import load_catalogue
from core.comparison.evaluate import evaluate
from core.comparison.result import ResultSet
from core.comparison.time_measure import time_measure
from core.comparison.what_if.cloud import N_SHOWN, cloud, outline
from core.comparison.what_if.flips import flips, in_ranges
from core.comparison.what_if.front import front, options_now, regret_matrix
from core.comparison.what_if.goal_seek import goal_seek, target_at
from core.comparison.what_if.heat_map import heat_map, window_of
from core.comparison.what_if.inputs import Input
from core.comparison.what_if.rival import rival_of
from core.comparison.what_if.study import NONE_FITS, Study
from core.comparison.what_if.tornado import tornado
from core.workload.library import load_profiles, more_profiles


def test_a_dearer_a_widens_the_gap_in_cost_and_no_other(study: Study, inputs: dict[str, Input]) -> None:
    (row,) = tornado(study, [inputs["price b200-sxm"]])
    low, high = row.ends("cost")
    assert low is not None and high is not None
    assert low < row.now.cost_usd < high
    assert row.ends("time") == (row.now.time, row.now.time)
    assert row.span("cost") == pytest.approx(high - low)
    assert row.span("time") == 0.0


@pytest.mark.parametrize("name", ["chat-serving-70b", "sdxl-serving", "speech-to-text"])
def test_a_gap_in_time_is_in_what_the_ranking_counts_as_time(name: str) -> None:
    """Where nothing ends there was none: a chart without bars for every service and every batch."""
    results = evaluate((load_profiles() | more_profiles())[name], load_catalogue())
    assert results.choice is not None
    rival = rival_of(results, results.choice)
    assert rival is not None
    study, measure = Study(results, results.choice.id, rival.id), time_measure(results.profile)
    a, b = measure.value(results.choice), measure.value(rival)
    assert a is not None and b is not None and a.likely != b.likely
    speed = next(one for one in study.inputs if one.id.startswith("speed "))
    (row,) = tornado(study, [speed])
    assert row.now.time == pytest.approx(a.likely - b.likely, rel=1e-6)
    assert row.span("time") > 0.0


def test_what_fits_in_no_memory_has_no_gap_in_time(results: ResultSet, study: Study) -> None:
    out = next(one for one in results.results if not one.throughput.fits)
    assert results.choice is not None
    gap = Study(results, results.choice.id, out.id).gap()
    assert gap is not None and gap.time is None


def test_the_speed_of_a_moves_the_time_more_than_an_engineers_pay(study: Study, inputs: dict[str, Input]) -> None:
    pay, speed = tornado(study, [inputs["team.engineer_usd_per_week"], inputs["speed b200-sxm"]])
    assert speed.span("time") > pay.span("time")


def test_nothing_is_compared_without_b(study: Study, inputs: dict[str, Input]) -> None:
    alone = Study(study.results, study.a.id, None)
    assert list(tornado(alone, inputs.values())) == []
    assert cloud(alone) is None


def test_what_no_value_flips_is_never(study: Study, inputs: dict[str, Input]) -> None:
    (flip,) = flips(study, [inputs["team.engineers"]])
    assert (flip.down, flip.up, flip.nearest) == (None, None, None)


def test_an_earlier_deadline_leaves_nothing_that_fits(study: Study, inputs: dict[str, Input]) -> None:
    (flip,) = flips(study, [inputs["limits.deadline_days"]])
    assert flip.down is not None
    assert flip.down.new.pick is None
    assert flip.down.value < flip.down.before < flip.input.now


def test_ranges_count_from_now(inputs: dict[str, Input]) -> None:
    one = inputs["weights.cost"]
    assert [in_ranges(one, value) for value in (one.low, one.now, one.high)] == [-1.0, 0.0, 1.0]


def test_a_map_says_of_each_cell_what_is_asked_there(study: Study, inputs: dict[str, Input]) -> None:
    x, y = inputs["speed h100-sxm"], inputs["price b200-sxm"]
    coarse, whole = heat_map(study, x, y, 9, 6)
    assert not coarse.is_whole and whole.is_whole
    assert whole.winner.shape == whole.lead_usd.shape == (6, 9)
    assert len(whole.winners) == 2
    for row, column in ((0, 0), (5, 8), (2, 3), (3, 6), (4, 7)):
        told = study.verdict((x, float(whole.xs[column])), (y, float(whole.ys[row])))
        assert whole.winners[whole.winner[row, column]].chip == told.chip
        assert whole.winner_at(float(whole.xs[column]), float(whole.ys[row])).chip == told.chip
    assert whole.asked.sum() < whole.asked.size
    (line,) = whole.borders
    low, high = window_of(x)
    assert (line[:, 0] > low).all() and (line[:, 0] < high).all()


def test_a_region_is_a_chip_and_the_option_of_now_is_that_of_the_answer() -> None:
    """Eight B200 were asked first, four of them are the pick: the region was named after the eight."""
    results = evaluate(load_profiles()["chat-serving-70b"], load_catalogue())
    assert results.choice is not None
    rival = rival_of(results, results.choice)
    assert rival is not None
    study = Study(results, results.choice.id, rival.id)
    by_id = {one.id: one for one in study.inputs}
    coarse, _ = heat_map(study, by_id["job.tpot_limit_ms"], by_id["job.peak_requests_per_s"], 6, 6)
    assert coarse.now.pick == results.choice.id and coarse.now.name == results.choice.candidate.name
    chips = {one.id: one.short_name for one in results.basis.catalogue.accelerators} if results.basis else {}
    names = {one.chip: one.name for one in coarse.winners}
    assert names == {chip: NONE_FITS if chip is None else chips[chip] for chip in names}
    counts = {study.verdict((coarse.y, float(value))).name for value in coarse.ys}
    assert len(counts) > 1, "of one chip other numbers are picked from cell to cell"


def test_the_draws_are_those_of_the_ranking(study: Study) -> None:
    told, pick = cloud(study), study.a
    assert told is not None and pick.chance is not None
    assert len(told.a.cost_usd) == len(told.b.time) == N_SHOWN
    by_name = {row.id: row for row in told.rows}
    assert by_name["deadline"].a == pytest.approx(100 * (pick.chance.deadline or 0.0))
    assert by_name["all limits"].a == pytest.approx(100 * pick.chance.in_limits)
    assert all(row.a + row.b == pytest.approx(100.0) for row in told.rows if row.is_pair)
    assert [row.id for row in told.rows] == ["cheaper", "sooner", "deadline", "budget", "all limits", "better"]
    assert by_name["better"].a > 50.0


def test_the_outline_holds_four_fifths() -> None:
    drawn = np.exp(np.random.default_rng(1).multivariate_normal([10.0, 3.0], [[0.04, 0.01], [0.01, 0.09]], 4000))
    line = outline(drawn[:, 0], drawn[:, 1])
    assert line[0] == pytest.approx(line[-1])
    points, edge = np.log(drawn), np.log(line)
    spread, middle = np.cov(points.T), points.mean(axis=0)
    away = np.einsum("ij,ij->i", points - middle, np.linalg.solve(spread, (points - middle).T).T)
    of_edge = np.einsum("ij,ij->i", edge - middle, np.linalg.solve(spread, (edge - middle).T).T)
    assert np.mean(away < of_edge.min()) == pytest.approx(0.8, abs=0.01)


def test_a_price_is_sought_for_a_cost(study: Study, inputs: dict[str, Input]) -> None:
    price, wanted = inputs["price b200-sxm"], 0.9 * study.a.cost.total.likely
    told = goal_seek(study, "a", "cost", wanted, price)
    assert told.depends and told.value is not None
    assert told.reached == pytest.approx(wanted, rel=1e-4)
    assert told.value < price.now


def test_what_an_input_does_not_move_is_said(study: Study, inputs: dict[str, Input]) -> None:
    told = goal_seek(study, "a", "days", 10.0, inputs["price b200-sxm"])
    assert not told.depends and told.value is None
    assert told.reached == pytest.approx(target_at(study, "a", "days", inputs["price b200-sxm"], 7.0))


def test_what_is_out_of_reach_has_no_value(study: Study, inputs: dict[str, Input]) -> None:
    told = goal_seek(study, "a", "cost", 1.0, inputs["price b200-sxm"])
    assert told.depends and told.value is None


def test_what_a_cost_leaps_over_is_not_reached() -> None:
    """Another server is begun at some rate: between the costs on both sides of it there is none."""
    results = evaluate(load_profiles()["chat-serving-8b"], load_catalogue())
    assert results.choice is not None
    study = Study(results, results.choice.id, None)
    rate = next(one for one in study.inputs if one.id == "job.peak_requests_per_s")
    told = goal_seek(study, "a", "cost", 1.3 * study.a.cost.total.likely, rate)
    assert told.value is None and told.jump is not None
    jump = told.jump
    assert jump.before < told.wanted < jump.after and told.reached in (jump.before, jump.after)
    assert target_at(study, "a", "cost", rate, jump.value) == jump.before
    assert target_at(study, "a", "cost", rate, 1.001 * jump.value) >= jump.after


def test_nobody_on_the_front_is_beaten(study: Study) -> None:
    told = front(study)
    assert study.verdict().pick in told.ids
    rows = np.column_stack((told.cost_usd, told.time, -told.flexibility))
    for row in rows:
        assert not ((rows <= row).all(axis=1) & (rows < row).any(axis=1)).any()


def test_regrets_are_told_world_by_world(study: Study, inputs: dict[str, Input]) -> None:
    price, deadline = inputs["price b200-sxm"], inputs["limits.deadline_days"]
    told = regret_matrix(study, [(), ((price, 1.2 * price.now),), ((deadline, deadline.least),)])
    assert told.picks == ("b200-sxm", "b200-sxm", None)
    pick = study.verdict().pick
    assert pick is not None and set(told.ids) == set(options_now(study))
    now, dearer, _ = told.regret_usd[told.ids.index(pick)]
    assert dearer > now and now == pytest.approx(min(told.regret_usd[:, 0]))
    assert np.isnan(told.regret_usd[:, 2]).all()


def test_an_option_of_now_is_asked_with_its_own_chips_and_says_where_it_misses_a_limit(
    study: Study, inputs: dict[str, Input]
) -> None:
    names, deadline = options_now(study), inputs["limits.deadline_days"]
    contest = study.met()[1]
    assert contest is not None and study.regrets_of(names) == pytest.approx(contest.regret_usd, rel=1e-6)
    days = {one: study.results.by_id[one].days_to_finish for one in names}
    slowest = max(names, key=lambda one: days[one].likely if days[one] else 0.0)
    tight = days[slowest].likely - 1.0
    told = study.regrets_of(names, (deadline, tight))
    late = [bool(days[one].likely > deadline.settled(tight)) for one in names]
    assert np.isnan(told).tolist() == late or study.verdict((deadline, tight)).pick is None
