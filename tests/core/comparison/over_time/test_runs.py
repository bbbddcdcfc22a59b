"""Phases one after the other: what each takes and costs, and the laws that hold for any of them."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, timedelta
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.catalogue.loading import load_catalogue
from core.comparison.evaluate import evaluate
from core.comparison.over_time.answer import OverTime, over_time
from core.comparison.over_time.held import LOST
from core.comparison.over_time.over_time_json import over_time_json
from core.comparison.over_time.runs import Run, runs_of
from core.comparison.result import ResultSet
from core.errors import InputError
from core.workload.phases import Phase
from core.workload.profile import Profile

START = date(2026, 12, 1)
Answers = Mapping[str, ResultSet]


def _changed(phases: tuple[Phase, ...], at: int, **changes: Any) -> tuple[Phase, ...]:
    return (*phases[:at], phases[at].model_copy(update=changes), *phases[at + 1 :])


def _by_id(runs: tuple[Run, ...]) -> dict[str, Run]:
    return {run.phase.id: run for run in runs}


def test_each_phase_follows_what_is_before(mixed: OverTime) -> None:
    runs = mixed.own.runs
    assert [run.phase.id for run in runs] == ["explore", "port", "pilot", "scale", "serve"]
    for one, following in zip(runs, runs[1:], strict=False):
        assert np.array_equal(one.end, following.begin)
    explore = runs[0]
    assert explore.working[0] == 56.0
    assert explore.cost.likely == pytest.approx(16 * 24 * 56 * explore.held.result.candidate.usd_per_chip_hour)


def test_the_scale_phase_costs_what_the_comparison_says_without_porting(mixed: OverTime) -> None:
    scale = _by_id(mixed.own.runs)["scale"]
    bill = scale.held.result.cost
    assert scale.cost.likely == pytest.approx(bill.total.likely - bill.part("porting"))
    assert scale.working[0] == pytest.approx(scale.held.result.time_terms_days["run"])


def test_chips_that_are_held_are_not_waited_for_again(mixed: OverTime, answers: Answers) -> None:
    runs = _by_id(mixed.own.runs)
    assert runs["pilot"].waiting[0] > 0
    assert not runs["scale"].waiting.any()
    fewer = _by_id(runs_of(_changed(tuple(run.phase for run in mixed.own.runs), 2, chips=64), answers, START))
    assert fewer["scale"].waiting[0] > 0


def test_code_is_ported_once_for_each_workload(mixed: OverTime, answers: Answers) -> None:
    runs = _by_id(mixed.own.runs)
    assert runs["port"].working[0] > 0
    assert not runs["pilot"].porting.any() and not runs["scale"].porting.any()
    assert runs["serve"].porting[0] > 0
    without = tuple(run.phase for run in mixed.own.runs if run.phase.stage != "port")
    assert _by_id(runs_of(without, answers, START))["pilot"].porting[0] == pytest.approx(runs["port"].working[0])


def test_a_port_that_nothing_needs_is_left_out(mixed_phases: tuple[Phase, ...], answers: Answers) -> None:
    runs = runs_of(_changed(mixed_phases, 1, platform="gpu"), answers, START)
    assert "port" not in _by_id(runs)


def test_a_port_with_a_start_of_its_own_goes_on_beside(mixed_phases: tuple[Phase, ...], answers: Answers) -> None:
    runs = _by_id(runs_of(_changed(mixed_phases, 1, start=START + timedelta(days=10)), answers, START))
    assert runs["port"].begin[0] == 10.0
    assert np.array_equal(runs["pilot"].begin, np.maximum(runs["explore"].end, runs["port"].end))


def test_chips_that_do_not_run_the_work_are_told(mixed_phases: tuple[Phase, ...], answers: Answers) -> None:
    runs = _by_id(runs_of(_changed(mixed_phases, 2, chips=3), answers, START))
    assert str(runs["pilot"].held.note).startswith("3 chips do not run this work as a whole")


def test_a_phase_of_no_known_workload_is_refused(mixed_phases: tuple[Phase, ...], answers: Answers) -> None:
    with pytest.raises(InputError, match=r"Phase Scale.*no answer for its workload"):
        runs_of(_changed(mixed_phases, 3, workload="gone"), answers, START)


def test_a_phase_with_a_day_to_end_on_ends_then(mixed_phases: tuple[Phase, ...], answers: Answers) -> None:
    day = START + timedelta(days=90)
    explore = runs_of(_changed(mixed_phases, 0, end=day), answers, START)[0]
    assert float(explore.end[0]) == 90.0 and (explore.end[1:] >= 90.0 - 1e-9).all()
    port = _by_id(runs_of(_changed(mixed_phases, 1, end=day), answers, START))["port"]
    assert float(port.end[0]) == 90.0
    assert port.cost.likely == pytest.approx(
        port.working[0] * port.held.profile.team.engineers / 7 * port.held.profile.team.engineer_usd_per_week
    )


def test_porting_of_typed_days_is_paid_for_each_of_its_people(
    mixed_phases: tuple[Phase, ...], answers: Answers
) -> None:
    for people in (1, 4):
        port = _by_id(runs_of(_changed(mixed_phases, 1, days=35.0, people=people), answers, START))["port"]
        assert port.working.tolist() == pytest.approx([35.0] * len(port.working))
        assert port.cost.likely == pytest.approx(5 * people * port.held.profile.team.engineer_usd_per_week)


def test_a_service_to_a_typed_day_lasts_as_long_in_every_way(mixed_phases: tuple[Phase, ...], answers: Answers) -> None:
    answer = over_time(_changed(mixed_phases, 4, end=START + timedelta(days=900)), answers)
    assert answer is not None
    lengths = [float(way.runs[-1].working[0]) for way in answer.ways]
    assert lengths == [lengths[0]] * 3 and float(answer.own.runs[-1].end[0]) == 900.0


def test_a_chosen_option_is_held_and_a_lost_one_told(mixed_phases: tuple[Phase, ...], answers: Answers) -> None:
    other = answers["pretraining-70b"].results[1]
    runs = _by_id(runs_of(_changed(mixed_phases, 3, candidate=other.id), answers, START))
    assert runs["scale"].held.result.id == other.id
    lost = _by_id(runs_of(_changed(mixed_phases, 3, candidate="gone"), answers, START))
    assert str(lost["scale"].held.note) == LOST and not lost["scale"].held.is_rent_alone


def test_a_workload_that_is_not_described_is_refused(mixed_phases: tuple[Phase, ...]) -> None:
    blank = Profile(id="pretraining-70b", name="Blank")
    results = {blank.id: evaluate(blank, load_catalogue())}
    with pytest.raises(InputError, match=r"Phase Explore: found Blank without model, .*a workload that is described"):
        runs_of(mixed_phases[:1], results, START)


def test_a_service_costs_its_bill_over_its_months(mixed: OverTime) -> None:
    serve = _by_id(mixed.own.runs)["serve"]
    bill = serve.held.result.cost
    assert serve.working[0] == pytest.approx(365.0, abs=1.0)
    assert serve.cost.likely - serve.porting_usd[0] == pytest.approx(bill.total.likely - bill.part("porting"))


def test_starts_at_the_end_of_the_calendar_are_answered(mixed_phases: tuple[Phase, ...], answers: Answers) -> None:
    last = over_time(_changed(mixed_phases, 0, start=date(9999, 12, 31)), answers)
    assert last is not None and over_time_json(last)


def test_a_start_before_the_first_day_is_the_first_day(mixed_phases: tuple[Phase, ...], answers: Answers) -> None:
    early = START - timedelta(days=10)
    assert not runs_of(_changed(mixed_phases, 0, start=early), answers, START)[0].begin.any()
    port = _by_id(runs_of(_changed(mixed_phases, 1, start=early), answers, START))["port"]
    assert not port.begin.any()


def test_what_is_paid_by_the_day_is_off_by_its_price_and_a_service_by_its_bill(mixed: OverTime) -> None:
    runs = _by_id(mixed.own.runs)
    explore, serve = runs["explore"], runs["serve"]
    price, bill = explore.held.result.candidate.price, serve.held.result.cost.total
    assert explore.cost.high / explore.cost.likely == pytest.approx(price.high / price.factor, rel=0.02)
    assert explore.cost.low / explore.cost.likely == pytest.approx(price.low / price.factor, rel=0.02)
    off = serve.held.cost_factor
    assert (off.low * bill.likely, off.high * bill.likely) == (pytest.approx(bill.low), pytest.approx(bill.high))


@settings(max_examples=25, deadline=None)
@given(at=st.integers(0, 4), days=st.floats(1.0, 300.0), more=st.floats(0.0, 200.0))
def test_longer_work_never_ends_earlier_nor_costs_less(
    mixed_phases: tuple[Phase, ...], answers: Answers, at: int, days: float, more: float
) -> None:
    short, long = (runs_of(_changed(mixed_phases, at, days=length), answers, START) for length in (days, days + more))
    for one, other in zip(short, long, strict=True):
        assert (other.end >= one.end - 1e-9).all()
        assert (other.cost_usd >= one.cost_usd * (1 - 1e-12)).all()


@settings(max_examples=15, deadline=None)
@given(at=st.integers(0, 4), start=st.integers(0, 400))
def test_a_later_start_never_ends_anything_earlier(
    mixed_phases: tuple[Phase, ...], answers: Answers, at: int, start: int
) -> None:
    first = runs_of(mixed_phases, answers, START)
    later = runs_of(_changed(mixed_phases, at, start=START + timedelta(days=start)), answers, START)
    if at != 1:  # a port that is given a start goes on beside what is before it
        assert all((other.end >= one.end - 1e-9).all() for one, other in zip(first, later, strict=True))
    assert [run.cost.likely for run in later] == pytest.approx([run.cost.likely for run in first])
