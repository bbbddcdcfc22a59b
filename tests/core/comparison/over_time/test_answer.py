"""Three ways beside each other, the gate, the failed path, money by day, and the same as JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from datetime import date, timedelta
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from core.comparison.over_time.answer import OverTime, _best, main_workload, over_time
from core.comparison.over_time.over_time_json import over_time_json
from core.comparison.over_time.way import Way
from core.comparison.over_time.words import as_planned
from core.comparison.result import ResultSet
from core.ranges import Range
from core.units import usd
from core.workload.phases import Measure, Phase
from core.workload.profile import Profile, Weights

Answers = Mapping[str, ResultSet]


def _way(answer: OverTime, title: str) -> Way:
    return next(way for way in answer.ways if way.title == title)


def _with_measures(phases: tuple[Phase, ...], *measures: Measure) -> tuple[Phase, ...]:
    return tuple(one.model_copy(update={"measures": measures}) if one.stage == "pilot" else one for one in phases)


def test_three_ways_serve_equally_long(mixed: OverTime) -> None:
    assert [way.title for way in mixed.ways] == ["Mixed", "All-TPU", "All-GPU"]
    assert len({float(way.runs[-1].working[0]) for way in mixed.ways}) == 1
    kinds = [{run.held.kind for run in way.runs if run.phase.works_on_chips} for way in mixed.ways]
    assert kinds == [{"gpu", "tpu"}, {"tpu"}, {"gpu"}]


def test_a_plan_on_one_kind_is_called_by_it(mixed: OverTime, answers: Answers) -> None:
    phases = tuple(run.phase for run in _way(mixed, "All-GPU").runs)
    answer = over_time(phases, answers, date(2027, 6, 14))
    assert answer is not None
    assert [way.title for way in answer.ways] == ["All-GPU", "All-TPU"]
    assert answer.own.total == _way(mixed, "All-GPU").total


def test_all_on_tpu_ports_before_it_explores(mixed: OverTime) -> None:
    assert [run.phase.id for run in _way(mixed, "All-TPU").runs][:2] == ["port", "explore"]
    assert _way(mixed, "All-GPU").porting_usd.high == 0.0


def test_costs_of_phases_add_up_to_the_total_in_every_draw(mixed: OverTime) -> None:
    for way in mixed.ways:
        assert np.allclose(way.total_usd, sum(run.cost_usd for run in way.runs))
        assert way.cash.likely_usd[-1] == pytest.approx(way.total.likely)
        assert (np.diff(way.cash.likely_usd) >= -1e-6).all()
        assert way.cash.likely_usd[0] == pytest.approx(0.0)


def test_a_later_deadline_is_kept_at_least_as_often(mixed_phases: tuple[Phase, ...], answers: Answers) -> None:
    chances = []
    for day in (date(2027, 3, 1), date(2027, 6, 14), date(2028, 6, 1)):
        answer = over_time(mixed_phases, answers, day)
        assert answer is not None and answer.own.chance_in_time is not None
        chances.append(answer.own.chance_in_time)
    assert chances == sorted(chances) and chances[0] < chances[-1]


def test_the_gate_is_the_share_of_draws_in_which_all_hold(mixed_phases: tuple[Phase, ...], answers: Answers) -> None:
    speed, stops = Measure(threshold=85.0), Measure(quantity="stops_per_day", threshold=1.0, chance_pct=90.0)
    alone = over_time(_with_measures(mixed_phases, speed), answers)
    both = over_time(_with_measures(mixed_phases, speed, stops), answers)
    assert alone is not None and both is not None and alone.own.gate is not None and both.own.gate is not None
    assert alone.own.gate.chance == pytest.approx(0.68, abs=0.05)
    assert both.own.gate.chance is not None and alone.own.gate.chance is not None
    assert both.own.gate.chance == pytest.approx(0.9 * alone.own.gate.chance, abs=0.02)
    assert both.own.gate.measures[1].chance == 0.9


def test_what_nobody_knows_stays_open_and_is_never_predicted(mixed_phases: tuple[Phase, ...], answers: Answers) -> None:
    gap = Measure(quantity="loss_gap_pct", threshold=0.5)
    answer = over_time(_with_measures(mixed_phases, gap), answers)
    assert answer is not None and answer.own.gate is not None
    assert answer.own.gate.chance is None
    assert answer.own.gate.open == (gap,)
    assert answer.own.gate.measures[0].predicted is None
    assert answer.own.priced_in_usd is None


def test_the_failed_path_goes_on_on_gpu_and_is_priced_in(mixed: OverTime) -> None:
    own = mixed.own
    assert own.fallback is not None and own.gate is not None and own.gate.chance is not None
    path = own.fallback.way
    assert [run.held.kind for run in path.runs if run.phase.works_on_chips] == ["gpu", "tpu", "gpu", "gpu"]
    low, high = sorted((own.total.likely, path.total.likely))
    assert own.priced_in_usd is not None and low < own.priced_in_usd < high
    scale = path.runs[-2]
    assert own.fallback.have_by == pytest.approx((own.deadline or 0.0) - scale.working[0])
    assert own.fallback.ask_by == pytest.approx((own.fallback.have_by or 0.0) - scale.waiting[0])
    assert _way(mixed, "All-GPU").fallback is None


def test_what_has_no_measures_has_no_failed_path(mixed_phases: tuple[Phase, ...], answers: Answers) -> None:
    answer = over_time(_with_measures(mixed_phases), answers)
    assert answer is not None and answer.own.gate is not None
    assert (answer.own.gate.chance, answer.own.fallback) == (None, None)


def test_json_adds_up_to_the_cent_and_is_the_same_twice(
    mixed: OverTime, mixed_phases: tuple[Phase, ...], answers: Answers
) -> None:
    told = over_time_json(mixed)
    assert told is not None
    for way in told["ways"]:
        parts = sum(round(100 * phase["cost_usd"]["likely"]) for phase in way["phases"])
        assert parts == round(100 * way["total_usd"]["likely"])
    again = over_time_json(over_time(mixed_phases, answers, date(2027, 6, 14)))
    assert json.dumps(told) == json.dumps(again)


def test_json_says_of_each_phase_what_follows_from_its_begin(mixed: OverTime) -> None:
    told = over_time_json(mixed)
    assert told is not None
    for phase in (one for way in told["ways"] for one in way["phases"]):
        lengths = phase["waiting_days"] + phase["porting_days"] + phase["working_days"]
        ends = date.fromisoformat(phase["begins"]) + timedelta(days=lengths)
        assert abs((ends - date.fromisoformat(phase["ends"]["likely"])).days) <= 1
        assert (phase["chips"] is None) == (phase["stage"] == "port")


def test_json_of_gates_and_failed_paths_says_what_the_answer_does(mixed: OverTime) -> None:
    told = over_time_json(mixed)
    assert told is not None and mixed.own.gate is not None and mixed.own.fallback is not None
    own = told["ways"][0]
    (gate,) = own["gates"]
    assert gate["chance"] == pytest.approx(mixed.own.gate.chance, abs=1e-4)
    assert gate["open"] == [one["quantity"] for one in gate["measures"] if one["chance"] is None]
    assert gate["day"] == next(one["ends"]["likely"] for one in own["phases"] if one["id"] == gate["phase"])
    failed = own["if_the_pilot_fails"]
    assert failed["order_by"] < failed["have_by"] < own["deadline"] == "2027-06-14"
    assert told["ways"][2]["if_the_pilot_fails"] is None and told["fits_best"] == told["ways"][mixed.best]["title"]


def test_the_main_workload_is_the_one_that_is_scaled(mixed_phases: tuple[Phase, ...], answers: Answers) -> None:
    by_stage = {one.stage: one for one in mixed_phases}
    trained, served = by_stage["scale"].workload, by_stage["serve"].workload
    assert main_workload(mixed_phases, answers).id == trained != served
    piloted = by_stage["pilot"].model_copy(update={"workload": served})
    assert main_workload((by_stage["scale"], piloted), answers).id == trained
    assert main_workload((by_stage["explore"], piloted, by_stage["serve"]), answers).id == served
    assert main_workload((by_stage["serve"],), answers).id == next(iter(answers))


def test_without_phases_there_is_no_answer(answers: Answers) -> None:
    assert over_time((), answers) is None
    assert over_time_json(None) is None


def test_the_plan_s_own_way_is_told_beside_the_best_one(mixed: OverTime) -> None:
    others = [way.total.likely for way in mixed.ways]
    assert mixed.best and str(as_planned(mixed)).endswith(f"{mixed.ways[mixed.best].title}, which fits best")
    best = str(as_planned(replace(mixed, best=0)))
    cheapest = min(mixed.ways[1:], key=lambda way: way.total.likely)
    assert best == f"Mixed, as planned, fits best: {usd(others[0] - cheapest.total.likely)} above {cheapest.title}"
    assert as_planned(replace(mixed, ways=mixed.ways[:1], best=0)) == "Mixed, as planned"


def _even_way(usd: float, days: float, score: float, deadline: float | None = None) -> Any:
    """A way whose draws all come out as likely."""
    return SimpleNamespace(
        total=Range(usd, usd, usd), ready=Range(days, days, days), flexibility=Range(score, score, score),
        total_usd=np.full(11, usd), ready_day=np.full(11, days), deadline=deadline,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("weights", "ways", "best"),
    [
        ((100, 0, 0), [_even_way(200, 50, 10), _even_way(100, 90, 0)], 1),
        ((0, 100, 0), [_even_way(200, 50, 10), _even_way(100, 90, 0)], 0),
        ((0, 0, 100), [_even_way(200, 50, 10), _even_way(100, 90, 20)], 1),
        ((50, 50, 0), [_even_way(200, 50, 0), _even_way(100, 110, 0)], 0),  # 0.25 + 0.5 against 0.5 + 0.23
        ((50, 50, 0), [_even_way(200, 50, 0), _even_way(100, 90, 0)], 1),  # 0.75 against 0.78
        ((50, 0, 50), [_even_way(200, 50, 60), _even_way(100, 90, 0)], 0),  # 0.25 + 0.3 against 0.5
        ((50, 0, 50), [_even_way(200, 50, 40), _even_way(100, 90, 0)], 1),
        ((100, 0, 0), [_even_way(200, 50, 0, 60.0), _even_way(100, 90, 0, 60.0)], 0),  # late: 1 less 0.75
        ((100, 0, 0), [_even_way(500, 60, 0, 60.0), _even_way(100, 90, 0, 60.0)], 1),  # 0.2, in time on its last day
        ((0, 100, 0), [_even_way(1, 0.0, 0), _even_way(1, 1.0, 0)], 0),  # no day counts as less than one
    ],
)
def test_the_way_that_fits_best_is_that_of_the_weights(
    weights: tuple[int, int, int], ways: list[Any], best: int
) -> None:
    cost, time, flexibility = weights
    main = Profile(weights=Weights(cost=cost, time=time, flexibility=flexibility))
    assert _best(ways, main) == best
