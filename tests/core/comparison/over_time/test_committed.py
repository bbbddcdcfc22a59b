"""Phases on committed chips come to what the engine bills, and to whole terms over all of them."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import numpy as np
import pytest

from core.catalogue.loading import load_catalogue
from core.comparison.evaluate import evaluate
from core.comparison.over_time.answer import over_time
from core.comparison.over_time.committed import committed_of
from core.comparison.over_time.over_time_json import over_time_json
from core.comparison.over_time.printed import printed_costs
from core.comparison.over_time.way import Way, way_of
from core.comparison.over_time.words import WHOLE_TERMS, committed_words, day_words, story, table
from core.comparison.result import CandidateResult, ResultSet
from core.comparison.together.due import owed_until
from core.comparison.together.ways import picked
from core.months import DAYS_PER_MONTH
from core.units import date_text
from core.workload.library import load_profiles
from core.workload.phases import Phase
from core.workload.profile import Profile


def _on_terms(name: str, **limits: Any) -> ResultSet:
    """A shipped workload that may pay by the year alone."""
    shipped = load_profiles()[name]
    places = shipped.places.model_copy(update={"purchase_models": ("commit_1y",)})
    profile = shipped.model_copy(update={"places": places, "limits": shipped.limits.model_copy(update=limits)})
    return evaluate(profile, load_catalogue())


@pytest.fixture(scope="module")
def service() -> ResultSet:
    return _on_terms("chat-serving-70b")


@pytest.fixture(scope="module")
def run() -> ResultSet:
    return _on_terms("llama3-8b-pretraining", deadline_days=None, budget_usd=None, max_chips=256)


def _pick(results: ResultSet) -> CandidateResult:
    assert results.choice is not None and results.choice.candidate.offer.purchase_model == "commit_1y"
    return results.choice


def _phase(results: ResultSet, name: str = "s", stage: str = "serve", **more: Any) -> Phase:
    words = {"id": name, "name": name, "stage": stage, "workload": results.profile.id, "candidate": _pick(results).id}
    return Phase.model_validate(words | more)


def _way(results: ResultSet, *phases: Phase) -> Way:
    return way_of("All-GPU", phases, {results.profile.id: results}, results.profile.limits.start_date, None)


def _term_usd(results: ResultSet, chips: int | None = None) -> float:
    """Rent of one term, with the support plan's share."""
    pick = _pick(results)
    rent = sum(pick.cost.part(part) for part in ("compute", "idle", "commitment_waste"))
    support = 1.0 + pick.cost.part("support") / rent
    return (chips or pick.candidate.n_chips) * pick.candidate.usd_per_chip_hour * 8760 * support


def test_a_service_of_all_its_months_is_its_bill(service: ResultSet) -> None:
    way, total = _way(service, _phase(service)), _pick(service).cost.total
    assert way.total.likely == pytest.approx(total.likely, abs=0.05)
    assert (way.total.low, way.total.high) == (pytest.approx(total.low, rel=0.01), pytest.approx(total.high, rel=0.01))
    assert way.owed_usd.likely == pytest.approx(_pick(service).cost.part("commitment_waste"), abs=0.05) == 0.0


def test_a_run_is_its_bill_with_what_it_leaves_of_the_term(run: ResultSet) -> None:
    way, cost = _way(run, _phase(run, stage="scale")), _pick(run).cost
    assert cost.part("commitment_waste") > 0
    assert way.total.likely == pytest.approx(cost.total.likely, abs=0.05)
    assert way.owed_usd.likely == pytest.approx(cost.part("commitment_waste") * (1 + _support(run)), abs=0.05)


def _support(results: ResultSet) -> float:
    pick = _pick(results)
    return _term_usd(results) / (pick.candidate.n_chips * pick.candidate.usd_per_chip_hour * 8760) - 1.0


@pytest.mark.parametrize(("days", "terms"), [(30.0, 1), (90.0, 1), (365.0, 1), (400.0, 2)])
def test_a_service_of_typed_days_owes_its_terms(service: ResultSet, days: float, terms: int) -> None:
    """Rent of whole terms, and the rest of the bill by the day."""
    bill = _pick(service).cost
    beside = bill.total.likely - bill.part("porting") - _term_usd(service)
    way = _way(service, _phase(service, days=days))
    expected = terms * _term_usd(service) + beside * days / (12 * DAYS_PER_MONTH) + float(way.runs[0].porting_usd[0])
    assert way.total.likely == pytest.approx(expected, abs=0.05)


def test_two_years_of_a_service_are_the_bill_of_two_years(service: ResultSet) -> None:
    months = {"job": service.profile.job.model_copy(update={"months": 24})}
    billed = evaluate(service.profile.model_copy(update=months), load_catalogue()).by_id[_pick(service).id]
    way = _way(service, _phase(service, days=24 * DAYS_PER_MONTH))
    assert way.total.likely == pytest.approx(billed.cost.total.likely, rel=0.005)


def test_a_service_cut_in_pieces_costs_what_it_costs_whole(service: ResultSet) -> None:
    whole = _way(service, _phase(service, days=300.0))
    cut = _way(service, *(_phase(service, str(at), days=days) for at, days in enumerate((40.0, 160.0, 100.0))))
    assert cut.total.likely == pytest.approx(whole.total.likely, abs=0.05)
    assert [bool(run.owed) for run in cut.runs] == [False, False, True]


def test_trials_on_more_chips_owe_those_that_the_run_does_not_need(run: ResultSet) -> None:
    """Trials pay the rent alone: twice the chips of the run for eight weeks, of which the run goes on with half."""
    n = _pick(run).candidate.n_chips
    explore, scale = _way(run, _phase(run, "e", "explore", chips=2 * n, days=56.0), _phase(run, "s", "scale")).runs
    per_h = n * _pick(run).candidate.usd_per_chip_hour
    assert explore.by_day_usd[0] == pytest.approx(2 * per_h * 24 * 56)
    assert explore.owed_usd[0] == pytest.approx(per_h * (8760 - 24 * 56))
    assert not scale.waiting.any()
    held_h = 24 * 56 + _pick(run).run_h.likely + run.profile.job.set_up_h * run.profile.job.n_rounds
    assert scale.owed_usd[0] == pytest.approx(per_h * (8760 - held_h % 8760) * (1 + _support(run)))


def test_cash_and_printed_costs_add_up_to_the_total(run: ResultSet, service: ResultSet) -> None:
    known = {one.profile.id: one for one in (run, service)}
    phases = (
        _phase(run, "e", "explore", chips=16, days=56.0),
        _phase(run, "s", "scale"),
        _phase(service, "v", days=90.0),
    )
    answer = over_time(phases, known)
    assert answer is not None
    way = answer.own
    assert way.cash.likely_usd[-1] == pytest.approx(way.total.likely)
    assert float(way.cash.days[-1]) == pytest.approx(max(float(o.until[0]) for one in way.runs for o in one.owed))
    assert (np.diff(way.cash.likely_usd) >= -1e-6).all()
    *parts, total = printed_costs(way)
    assert sum(parts) == pytest.approx(total)
    told = json.loads(json.dumps(over_time_json(answer)))["ways"][0]
    assert sum(one["cost_usd"]["likely"] for one in told["phases"]) == pytest.approx(told["total_usd"]["likely"])
    owed = [one["owed_usd"]["likely"] for one in told["phases"]]
    assert sum(owed) == pytest.approx(way.owed_usd.likely, abs=0.05) and all(one["owed_to"] for one in told["phases"])


def test_what_is_owed_is_told_with_its_day(run: ResultSet) -> None:
    answer = over_time((_phase(run, stage="scale"),), {run.profile.id: run})
    assert answer is not None
    way = answer.own
    due, held = owed_until(picked(run.profile, _pick(run))), answer.own.runs[0]
    until = float(held.work_begins[0]) + 2 * 365.25
    assert abs(until - (due - way.first_day).days) <= 1.0
    day = day_words(way, until)
    about, told = map(str, committed_words(way))
    assert about == WHOLE_TERMS and told.startswith(f"s: owed to the end of the term, {day}, $")
    lines = next(one for one in story(answer, way, way.runs[0]).chapters if one.title == "Cost").lines
    words = [str(line.words) for line in lines]
    assert any(one.endswith(", the bill of these hours without porting") for one in words)
    assert f"Owed to the end of the term, {day}" in words
    assert str(dict(table(answer))["Commitment waste"][0].likely).startswith("$")


def test_chips_whose_term_runs_are_kept_for_the_next_phase_and_not_waited_for(run: ResultSet) -> None:
    """With work on other chips between the two; once the term is over they are waited for again."""
    other = next(one for one in run.results if one.feasible and one.candidate.offer.id != _pick(run).candidate.offer.id)
    day = run.profile.limits.start_date + timedelta(days=200)
    first = _phase(run, "a", "explore", chips=4, days=5.0)
    between = _phase(run, "o", "explore", chips=1, days=5.0, candidate=other.id)
    last = _phase(run, "b", "explore", chips=4, days=10.0, start=day)
    soon = _way(run, first, between, last)
    assert soon.runs[0].waiting[0] > 0 and soon.runs[2].begin[0] == 200.0 and not soon.runs[2].waiting.any()
    (kept,) = soon.runs[0].owed
    hours = 24 * (200.0 - float(soon.runs[0].end[0]))
    assert kept.usd[0] == pytest.approx(4 * hours * _pick(run).candidate.usd_per_chip_hour)
    assert str(committed_words(soon)[1]).startswith(f"a: kept for the next phase on them, to {date_text(day)}, $")
    late = _way(run, first, between, last.model_copy(update={"start": day + timedelta(days=300)}))
    assert late.runs[2].waiting[0] > 0
    assert late.total.likely > soon.total.likely + 4 * 8000 * _pick(run).candidate.usd_per_chip_hour


def test_what_is_paid_by_use_commits_to_nothing(service: ResultSet) -> None:
    profile: Profile = service.profile
    by_use = next(
        one for one in service.results if one.candidate.offer.purchase_model == "on_demand" and one.throughput.fits
    )
    assert committed_of(profile, by_use, 8, 30.0, False) is None
