"""A further day of chips: rent, or nothing until the term ends that they are paid by."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from core.catalogue.loading import load_catalogue
from core.comparison.evaluate import evaluate
from core.comparison.questions.day_of_chips import billed_hours, day_usd, further_usd, held_hours, term_h
from core.comparison.result import CandidateResult
from core.ranges import Range
from core.workload.library import load_profiles
from core.workload.profile import Profile

Held = Callable[..., tuple[Profile, CandidateResult]]


@pytest.fixture(scope="module")
def held() -> Held:
    """A run of so many hours on 64 chips that are paid in one way."""
    run = load_profiles()["llama3-70b-pretraining"]
    limits = run.limits.model_copy(update={"budget_usd": None, "deadline_days": 400.0, "exact_chips": 64})
    catalogue, known = load_catalogue(), {}

    def of(model: str, run_h: float, reuse_pct: float = 0.0) -> tuple[Profile, CandidateResult]:
        places = run.places.model_copy(update={"purchase_models": (model,), "commitment_reuse_pct": reuse_pct})
        job = run.job.model_copy(update={"n_tokens": 1e11})
        profile = run.model_copy(update={"places": places, "limits": limits, "job": job})
        pick = known.get(model) or known.setdefault(model, evaluate(profile, catalogue).choice)
        assert pick is not None
        return profile, replace(pick, run_h=Range(run_h, run_h, run_h))

    return of


def test_chips_that_are_paid_by_use_cost_their_rent_again(held: Held) -> None:
    profile, result = held("on_demand", 200.0)
    price = result.candidate.usd_per_chip_hour
    assert term_h(result) == 0.0 and day_usd(result) == 64 * 24 * price
    assert further_usd(profile, result, 3.0) == pytest.approx(3 * 64 * 24 * price)


def test_chips_that_are_paid_by_the_year_cost_nothing_more_until_it_ends_and_then_a_year(held: Held) -> None:
    profile, result = held("commit_1y", 2000.0)
    price = result.candidate.usd_per_chip_hour
    assert held_hours(profile, result) > 2000.0, "with those before the start"
    assert [further_usd(profile, result, days) for days in (1.0, 112.0, 250.0)] == [0.0, 0.0, 0.0]
    assert further_usd(profile, result, 300.0) == pytest.approx(64 * 8760 * price)
    assert further_usd(profile, result, 700.0) == pytest.approx(2 * 64 * 8760 * price)


def test_what_other_work_would_take_over_is_lost_by_the_day(held: Held) -> None:
    profile, result = held("commit_1y", 2000.0, 40.0)
    assert billed_hours(profile, result, 2000.0) == pytest.approx(2000.0 + 0.6 * 6760.0)
    assert further_usd(profile, result) == pytest.approx(0.4 * day_usd(result))


@pytest.mark.parametrize(("name", "months"), [("nightly-batch-scoring", 12.0), ("chat-serving-8b", 20.0)])
@pytest.mark.parametrize("reuse_pct", [0.0, 40.0])
def test_hours_that_are_paid_are_those_of_the_bill(name: str, months: float, reuse_pct: float) -> None:
    """All batches of the months: of one alone, terms that other work takes over read too dear."""
    work = load_profiles()[name]
    places = work.places.model_copy(update={"purchase_models": ("commit_1y",), "commitment_reuse_pct": reuse_pct})
    limits = work.limits.model_copy(update={"budget_usd": None})
    job = work.job.model_copy(update={"months": months})
    profile = work.model_copy(update={"places": places, "limits": limits, "job": job})
    pick = evaluate(profile, load_catalogue()).choice
    assert pick is not None and term_h(pick) == 8760.0
    rent_usd = sum(pick.cost.part(part) for part in ("compute", "idle", "commitment_waste"))
    chip_hours = pick.candidate.n_chips * billed_hours(profile, pick, held_hours(profile, pick))
    assert chip_hours * pick.candidate.usd_per_chip_hour == pytest.approx(rent_usd, rel=1e-4)
