"""Portfolio, Cash and Phases tell the same ends and the same quarters of the same workload."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

import pytest

from core.catalogue.loading import load_catalogue
from core.comparison.evaluate import evaluate
from core.comparison.over_time.way import way_of
from core.comparison.over_time.words import day_words
from core.comparison.portfolio.at_place import AtPlace
from core.comparison.portfolio.demand import alone_by_hour, work_of
from core.comparison.portfolio.result import Scheme
from core.comparison.result import ResultSet
from core.comparison.together.due import by_period, dues
from core.comparison.together.plan_answer import as_printed
from core.comparison.together.ways import Picked, picked
from core.months import MONTHS_PER_QUARTER
from core.units import date_text
from core.workload.library import load_profiles, more_profiles
from core.workload.phases import Phase
from core.workload.portfolio import Member, Portfolio

SERVICES = [
    ("chat-serving-8b", 6, ("on_demand",)),
    ("chat-serving-8b", 24, ("on_demand",)),
    ("chat-serving-8b", 36, ("on_demand",)),
    ("chat-serving-8b", 24, ("commit_1y",)),
    ("chat-serving-70b", 36, ("commit_1y",)),
    ("nightly-batch-scoring", 24, ("on_demand",)),
    ("nightly-batch-scoring", 24, ("commit_1y",)),
]
"""Of those on terms one takes 730 days and is owed for 731, one takes whole years."""


@lru_cache
def _results(name: str, months: int | None = None, ways: tuple[str, ...] = ()) -> ResultSet:
    profile = (load_profiles() | more_profiles())[name]
    if months is not None:
        profile = profile.model_copy(update={"job": profile.job.model_copy(update={"months": float(months)})})
    if ways:
        profile = profile.model_copy(update={"places": profile.places.model_copy(update={"purchase_models": ways})})
    return evaluate(profile, load_catalogue())


def _picked(results: ResultSet) -> Picked:
    assert results.choice is not None
    return picked(results.profile, results.choice)


def _own(results: ResultSet) -> tuple[AtPlace, Scheme]:
    """The workload on its own pick, with no other beside it."""
    alone = AtPlace(Portfolio(), (results,), ("none", "none", "none"), {})
    return alone, next(alone.schemes())


def _printed(quarters: Mapping[tuple[int, int], float]) -> dict[tuple[int, int], float]:
    return {quarter: as_printed(usd) for quarter, usd in quarters.items()}


@pytest.mark.parametrize(("name", "months", "ways"), SERVICES)
def test_a_service_has_the_same_quarters_and_end_in_portfolio_and_plan(
    name: str, months: int, ways: tuple[str, ...]
) -> None:
    """Its months were of 730 h here, of the calendar there: 24 and more ended a day apart."""
    results = _results(name, months, ways)
    one, (alone, own) = _picked(results), _own(results)
    assert alone.calendar.first_day == one.begins
    assert (alone.calendar.n_days, alone.own_works[0].end) == ((one.ends - one.begins).days, one.ends)
    here = {(quarter.year, quarter.number): quarter.total_usd for quarter in own.quarters}
    assert _printed(here) == _printed(by_period(dues([one], 0.0, 0.0), MONTHS_PER_QUARTER))
    assert own.total.likely == pytest.approx(one.pick.cost.total.likely, rel=1e-6)


@pytest.mark.parametrize(("name", "months", "ways"), SERVICES[:5])
def test_phases_end_it_on_the_same_day(name: str, months: int, ways: tuple[str, ...]) -> None:
    results = _results(name, months, ways)
    pick, start = _picked(results).pick, results.profile.limits.start_date
    words = {"id": "s", "name": "s", "stage": "serve", "workload": results.profile.id, "candidate": pick.id}
    way = way_of("All-GPU", (Phase.model_validate(words),), {results.profile.id: results}, start, None)
    assert day_words(way, float(way.runs[0].end[0])) == date_text(_own(results)[0].own_works[0].end)


@pytest.mark.parametrize("name", ["national-model", "speech-to-text"])
def test_what_is_done_before_chips_come_is_due_then(name: str) -> None:
    """Porting was paid in the quarter in which the chips came, which the plan has earlier."""
    results = _results(name)
    one, (_, own) = _picked(results), _own(results)
    assert one.begins > results.profile.limits.start_date
    first = own.months[0]
    start = results.profile.limits.start_date
    once = sum(payment.usd for payment in dues([one], 0.0, 0.0) if payment.begins == payment.ends == start)
    assert (first.year, first.month) == (start.year, start.month) and first.total_usd >= once > 0


def test_hours_that_a_bill_counts_stay_those_of_its_months() -> None:
    """730 h a month are what is paid, whatever the days of the calendar."""
    results = _results("chat-serving-8b", 24, ("on_demand",))
    work = work_of(results.profile, _picked(results).pick, Member(workload=results.profile.id))
    assert work.billed_h == 24 * 730.0 and work.hours in (24 * 730.0, 24 * 731.0)
    _, own = _own(results)
    service = results.profile.job.service
    assert service is not None
    held = float(alone_by_hour(service, work.result, 1.0).mean())
    assert own.paid_h == pytest.approx(held * 24 * 730.0, rel=1e-9)
