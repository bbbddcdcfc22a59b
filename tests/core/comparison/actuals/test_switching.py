"""Other chips for the rest of the work: what moving takes, and what old and new terms come to."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from core.catalogue.catalogue import Catalogue
from core.catalogue.chip_families import software_family_of
from core.catalogue.loading import load_catalogue
from core.comparison.actuals.baseline import frozen
from core.comparison.actuals.commitments import commitment_of
from core.comparison.actuals.options import Option, _affordable_days, _longer, options
from core.comparison.actuals.standing import Standing, standing
from core.comparison.actuals.switching import day_there, egress_usd, is_ported, terms_there, usd_per_day
from core.comparison.evaluate import evaluate
from core.comparison.questions.leaving import exit_parts
from core.comparison.questions.number_of_chips import count_curve
from core.comparison.result import CandidateResult, ResultSet
from core.workload.actuals import Baseline, Entry, Tracked
from core.workload.library import load_profiles
from tests.core.comparison.actuals.conftest import BEGINS

TODAY = date(2026, 12, 1)


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    return load_catalogue()


def _run(catalogue: Catalogue, n_tokens: float, places: dict[str, object], n_chips: int) -> ResultSet:
    run = load_profiles()["llama3-70b-pretraining"]
    limits = {"budget_usd": None, "deadline_days": 400.0, "exact_chips": n_chips}
    return evaluate(
        run.model_copy(
            update={
                "places": run.places.model_copy(update=places),
                "job": run.job.model_copy(update={"n_tokens": n_tokens}),
                "limits": run.limits.model_copy(update=limits),
            }
        ),
        catalogue,
    )


@pytest.fixture(scope="module")
def tpus(catalogue: Catalogue) -> ResultSet:
    """A run on rented TPUs alone."""
    return _run(catalogue, 1e12, {"vendors": ("Google",), "purchase_models": ("on_demand",)}, 256)


@pytest.fixture(scope="module")
def year(catalogue: Catalogue) -> ResultSet:
    """A run on chips that are paid by the year."""
    return _run(catalogue, 1e11, {"purchase_models": ("commit_1y",)}, 64)


def _slow(results: ResultSet, share: float, step: int, **other: object) -> Standing:
    """Three entries that tell so much of the planned rate, each with the rent that fell due and what runs."""
    base = frozen(results, TODAY).model_copy(update=other)
    rent = base.commitment.term_usd / 365 if base.commitment else 0.0
    entries = tuple(
        Entry(
            day=base.work_begins + timedelta(days=step * n),
            done=step * base.rate * share,
            spend_usd=step * (base.usd_per_day + rent),
        )
        for n in (1, 2, 3)
    )
    return standing(Tracked(workload=results.profile.id, baseline=base, entries=entries))


def _own(one: Standing, results: ResultSet) -> CandidateResult:
    return results.by_id[one.baseline.candidate]


def _others(ways: tuple[Option, ...], kind: str) -> list[Option]:
    return [option for option in ways if option.kind == kind]


def test_between_chips_of_one_software_nothing_is_ported_and_within_a_seller_nothing_moves(tpus: ResultSet) -> None:
    one = _slow(tpus, 0.5, 5, deadline=date(2027, 2, 1))
    by_title = {f"The rest on {result.candidate.name}": result for result in tpus.best_feasible}
    ways, own = _others(options(one, tpus), "other"), _own(one, tpus).candidate
    assert ways
    for option in ways:
        result, waited = by_title[str(option.title)], option.forecast.waited
        assert software_family_of(result.candidate.accelerator) == software_family_of(own.accelerator)
        assert result.candidate.offer.provider == own.offer.provider
        assert result.cost.part("porting") > 0 and one.baseline.upfront_usd > 0, "ported once, when the work began"
        assert waited == result.time_terms_days["waiting"] and "moving" not in str(option.detail)
        until_then = one.forecast.fixed_usd + one.usd_per_day.middle * waited
        assert option.forecast.fixed_usd == pytest.approx(until_then)


def test_onto_other_software_and_from_another_seller_both_are_paid(results: ResultSet) -> None:
    own = results.results[0]
    kinds = {one.candidate.accelerator.kind: one for one in reversed(results.results)}
    gpu, tpu = kinds["gpu"], kinds["tpu"]
    assert is_ported(gpu, gpu) and is_ported(tpu, tpu) and not is_ported(tpu, gpu) and not is_ported(gpu, None)
    elsewhere = next(one for one in results.results if one.candidate.offer.provider != own.candidate.offer.provider)
    assert egress_usd(results.profile, elsewhere, own) == exit_parts(results.profile, own)["egress"]
    assert egress_usd(results.profile, own, own) == egress_usd(results.profile, own, None) == 0.0


def test_no_more_time_is_offered_to_a_run_that_is_in_time(results: ResultSet) -> None:
    base = frozen(results, TODAY)
    far = base.model_copy(update={"deadline": base.work_begins + timedelta(days=900), "budget_usd": 1.0})
    entry = Entry(day=base.work_begins + timedelta(days=2), done=2 * base.rate, spend_usd=2 * base.usd_per_day)
    one = standing(Tracked(workload="w", baseline=far, entries=(entry,)))
    ways = options(one, results)
    assert ways and not _others(ways, "longer")
    near = far.model_copy(update={"deadline": base.work_begins + timedelta(days=3)})
    late = standing(Tracked(workload="w", baseline=near, entries=(entry,)))
    (longer,) = _longer(late, results)
    assert longer.target > late.target and "-" not in str(longer.detail)


def test_other_chips_cost_what_is_owed_of_the_old_ones_and_whole_terms_of_their_own(year: ResultSet) -> None:
    one = _slow(year, 0.3, 2, deadline=date(2027, 1, 1))
    old, (held,) = one.baseline.commitment, one.terms
    assert old is not None
    ways = _others(options(one, year), "other")
    by_title = {f"The rest on {one.candidate.name}": one for one in year.best_feasible}
    assert ways
    for option in ways:
        result = by_title[str(option.title)]
        new, forecast = commitment_of(year.profile, result), option.forecast
        assert new is not None
        owed = old.term_usd - held.paid_usd + new.term_usd
        assert forecast.owed_usd == pytest.approx(owed)
        running = forecast.days_left.middle * usd_per_day(year, result)
        assert forecast.cost.likely == pytest.approx(forecast.fixed_usd + running + owed)
        assert option.more_usd > 0.9 * new.term_usd


def test_more_of_the_same_chips_come_beside_those_that_are_paid(year: ResultSet) -> None:
    one = _slow(year, 0.3, 2)
    own, held = _own(one, year), one.baseline.commitment
    assert held is not None
    point = next(p for p in count_curve(year, own).points if p.candidate.n_chips == 2 * one.baseline.n_chips)
    kept, more = terms_there(one, year, point, own, 30.0)
    assert kept == one.terms[0] and (more.elapsed, more.paid_usd) == (-30.0, 0.0)
    assert more.usd == pytest.approx(held.term_usd, rel=1e-6), "as many again"
    assert day_there(one, year, own, own).middle == pytest.approx(one.usd_per_day.middle)
    dearer = day_there(one, year, point, own).middle - one.usd_per_day.middle
    assert dearer == pytest.approx(usd_per_day(year, point) - usd_per_day(year, own))


def test_a_plan_frozen_before_terms_were_kept_has_its_options_as_they_were(year: ResultSet) -> None:
    one = _slow(year, 0.3, 2, commitment=None)
    own = _own(one, year)
    point = next(p for p in count_curve(year, own).points if p.candidate.n_chips == 2 * one.baseline.n_chips)
    assert terms_there(one, year, point, own, 30.0) == () == one.terms
    assert day_there(one, year, own, own).middle == pytest.approx(one.usd_per_day.middle)


def test_by_hand_a_budget_pays_for_days_beside_the_term_and_for_another_term_only_whole(committed: Baseline) -> None:
    """At day 300 of 365 with $13 k of the year's rent still owed; a day costs $100 and hardly errs."""
    sure = {"cost_low_usd": 82_999.0, "cost_high_usd": 83_001.0}
    days = (BEGINS + timedelta(days=60 * n) for n in range(1, 6))
    entries = tuple(Entry(day=day, done=1000.0, spend_usd=18_000.0) for day in days)
    one = standing(Tracked(workload="w", baseline=committed.model_copy(update=sure), entries=entries))
    a_day = one.usd_per_day.at(0.8)
    assert a_day == pytest.approx(100.0, rel=0.02) and one.forecast.fixed_usd == 90_000.0
    assert _affordable_days(one, 13_000.0 + 10 * a_day) == pytest.approx(10.0)
    assert _affordable_days(one, 5_000.0) == 0.0, "what is owed is owed"
    assert _affordable_days(one, 50_000.0) == pytest.approx(65.0), "a further year is more than that"
    assert _affordable_days(one, 13_000.0 + 73_000.0 + 90 * a_day) == pytest.approx(90.0)
