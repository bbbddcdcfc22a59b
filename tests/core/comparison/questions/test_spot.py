"""Spot risk: expected hours and money against interruptions, the best interval, and where on demand is cheaper."""

import math
from dataclasses import replace

import numpy as np
import pytest

from core.catalogue.catalogue import Catalogue
from core.catalogue.loading import load_catalogue
from core.catalogue.providers import provider_name
from core.catalogue.todays_prices import AS_LISTED
from core.comparison.evaluate import evaluate
from core.comparison.questions.explain import explanation
from core.comparison.questions.purchase_models import purchase_variants
from core.comparison.questions.spot import (
    INTERVALS_H,
    RATES_PER_H,
    SpotRisk,
    _explained,
    expected_here_h,
    rate_text,
    spot_risk,
    spot_sentences,
)
from core.comparison.result import CandidateResult, ResultSet
from core.units import THIN, duration, usd
from core.workload.jobs.kinds import OnlineServing
from core.workload.library import load_profiles
from core.workload.profile import Places, Profile


@pytest.fixture(scope="module")
def trained(catalogue: Catalogue) -> ResultSet:
    from core.workload.jobs.kinds import PreTraining
    from core.workload.models.transformer import TransformerModel

    model = TransformerModel(name="70B", n_layers=80, d_model=8192, n_heads=64, n_kv_heads=8, d_ff=28672)
    return evaluate(Profile(job=PreTraining(n_tokens=1e11), model=model), catalogue)


@pytest.fixture(scope="module")
def h100(trained: ResultSet) -> CandidateResult:
    return next(r for r in trained.results if r.feasible and r.candidate.accelerator.id == "h100-sxm")


@pytest.fixture
def risk(trained: ResultSet, h100: CandidateResult) -> SpotRisk:
    """48.5 hours of work on 8 chips at 1 USD on spot and 3 on demand, each save 0.01 h, each restart half an hour."""
    found = purchase_variants(trained, h100)
    spot, rented = (
        replace(
            variant,
            option=replace(
                variant.option, offer=variant.offer.model_copy(update={"usd_per_chip_hour": price}), price=AS_LISTED
            ),
        )
        for variant, price in ((found["spot"], 1.0), (found["on_demand"], 3.0))
    )
    return SpotRisk(spot, rented, 48.5, 8, 0.12, 0.0, 1.0, 0.01, 0.5, 0.0)


def test_a_two_day_job_without_saved_states_runs_into_thousands_of_hours(risk: SpotRisk) -> None:
    """(1 / 0.12 + 0.5) x (exp(0.12 x 48.5) - 1) = 8.8333 x 335.97 = 2 967.7 h."""
    assert float(risk.expected_h(np.array([0.12]), 0.0)[0]) == pytest.approx(2967.7, abs=0.5)


def test_with_saved_states_the_same_job_loses_a_little(risk: SpotRisk) -> None:
    """48.5 segments of (8.3333 + 0.5) x (exp(0.12 x 1.01) - 1) = 8.8333 x 0.128851 = 1.13818 h: 55.2 h."""
    assert float(risk.expected_h(np.array([0.12]), 1.0)[0]) == pytest.approx(55.20, abs=0.01)


def test_the_marked_interval_is_the_one_that_loses_least(risk: SpotRisk) -> None:
    """Young: sqrt(2 x 0.01 / 0.12) - 0.01 = 0.398 h; Daly adds 0.8 % to the root, 0.402 h. No interval of the chart
    does better by more than a trifle."""
    young_h = math.sqrt(2 * 0.01 / 0.12) - 0.01
    assert young_h - 1e-9 <= risk.best_interval_h <= young_h + 0.005
    best = float(risk.expected_h(np.array([0.12]), risk.best_interval_h)[0])
    hours = risk.by_interval_h(INTERVALS_H)
    assert best <= float(hours.min()) * 1.001
    assert float(hours[0]) > 1.5 * best and float(hours[-1]) > 10 * best


def test_more_interruptions_cost_more_and_none_costs_the_work_and_its_saves(risk: SpotRisk) -> None:
    hours = risk.expected_h(RATES_PER_H, 1.0)
    assert (np.diff(hours) >= 0).all()
    assert float(risk.expected_h(np.array([0.0]), 1.0)[0]) == pytest.approx(48.5 * 1.01)


def test_on_demand_is_cheaper_above_the_rate_that_is_told(risk: SpotRisk) -> None:
    even = risk.even_rate_per_h
    assert even is not None
    spot = risk.spot_usd_per_h * float(risk.expected_h(np.array([even]), 1.0)[0])
    assert spot == pytest.approx(24.0 * risk.rented_h, rel=1e-3)


def test_no_such_rate_where_spot_is_dearer_or_on_demand_not_for_sale(risk: SpotRisk) -> None:
    dear = replace(risk.spot.option, offer=risk.spot.offer.model_copy(update={"usd_per_chip_hour": 9.0}))
    assert replace(risk, spot=replace(risk.spot, option=dear)).even_rate_per_h is None
    assert replace(risk, rented=None).even_rate_per_h is None


def test_a_run_of_the_comparison_keeps_its_hours(trained: ResultSet, h100: CandidateResult) -> None:
    """On demand only hardware fails, so the curve's own hours are those of the comparison."""
    found = spot_risk(trained, h100)
    assert found is not None
    assert found.rented_h == pytest.approx(h100.run_h.likely, rel=1e-6)


def test_a_candidate_on_spot_has_its_own_hours_at_the_catalogues_rate(catalogue: Catalogue, profile: Profile) -> None:
    asked = profile.model_copy(update={"places": Places(purchase_models=("spot",))})
    results = evaluate(asked, catalogue)
    spot = next(r for r in results.results if r.throughput.fits and r.candidate.offer.purchase_model == "spot")
    found = spot_risk(results, spot)
    assert found is not None and found.spot.offer.id == spot.candidate.offer.id and found.spot.is_allowed
    expected = float(found.expected_h(np.array([found.rate_per_h]), found.interval_h)[0])
    assert expected == pytest.approx(spot.run_h.likely, rel=1e-6)


def test_a_way_that_is_not_allowed_is_found_and_says_so(trained: ResultSet, h100: CandidateResult) -> None:
    found = purchase_variants(trained, h100)
    assert not found["spot"].is_allowed and found["on_demand"].is_allowed
    assert found[h100.candidate.offer.purchase_model].offer.id == h100.candidate.offer.id
    assert all(variant.offer.accelerator_id == "h100-sxm" for variant in found.values())
    assert purchase_variants(replace(trained, basis=None), h100) == {}


def test_inference_has_no_spot_risk(catalogue: Catalogue, profile: Profile) -> None:
    served = profile.model_copy(update={"job": OnlineServing(peak_requests_per_s=5.0)})
    results = evaluate(served, catalogue)
    assert results.choice is not None and spot_risk(results, results.choice) is None


def test_each_line_opens_its_formula(trained: ResultSet, h100: CandidateResult) -> None:
    saved, unsaved, rented = (explanation(trained, h100, f"spot:{line}") for line in ("saved", "unsaved", "rented"))
    assert saved is not None and unsaved is not None and rented is not None
    assert dict(unsaved.inputs)["State saved every"] == "never"
    assert dict(rented.inputs)["Interruptions"] == "none" and saved.estimate
    assert explanation(trained, h100, "spot:nonsense") is None


def test_sentences_tell_both_bills_and_the_best_interval(risk: SpotRisk) -> None:
    text = " ".join(spot_sentences(risk))
    assert f"once in 8.3{THIN}h" in text and "Least is lost" in text and "On demand" in text
    assert rate_text(0.0) == "none known"


def test_a_rate_of_interruptions_that_is_an_estimate_says_so() -> None:
    results = evaluate(load_profiles()["llama3-70b-pretraining"], load_catalogue())
    told = {}
    for result in results.results:
        risk = spot_risk(results, result) if result.throughput.fits else None
        if risk is not None and risk.rate_per_h > 0:
            told[risk.rate_is_estimate] = spot_sentences(risk)[0]
    assert "(estimate)" in told[True]
    assert "(estimate)" not in told.get(False, "")


def test_several_parts_are_told_with_the_rate_of_each(risk: SpotRisk) -> None:
    """Sixteen slices, one of them taken once in 8.33 h: each once in 133 h, as the run if all are taken together."""
    several = replace(risk, lost="slice", parts=16)
    inputs = dict(_explained(several, "saved").inputs)
    assert inputs["Each of 16 slices, or all at once"] == rate_text(0.12 / 16)
    assert f"each of 16 slices {rate_text(0.12 / 16)}" in spot_sentences(several)[0]
    assert not any("Each of" in name for name in dict(_explained(risk, "saved").inputs))


@pytest.mark.parametrize(
    ("line", "usd_per_chip_hour", "every", "stops"),
    [
        ("saved", 1, "60\u202fmin", "once in 8.3"),
        ("unsaved", 1, "never", "once in 8.3"),
        ("rented", 3, "60\u202fmin", "none"),
        ("interval", 1, "60\u202fmin", "once in 8.3"),
    ],
)
def test_each_line_is_explained_by_its_own_offer(
    risk: SpotRisk, line: str, usd_per_chip_hour: int, every: str, stops: str
) -> None:
    told = _explained(risk, line)
    inputs = {name: str(text) for name, text in told.inputs}
    hours = risk.rented_h if line == "rented" else expected_here_h(risk, 0.0 if line == "unsaved" else 1.0)
    assert inputs["Price per chip hour"].startswith(f"${usd_per_chip_hour}")
    assert str(told.value) == usd(8 * usd_per_chip_hour * hours)
    assert inputs["State saved every"] == every.replace("60\u202fmin", duration(1.0))
    assert inputs["Interruptions"].startswith(stops)
    assert (inputs["A save takes"], inputs["A restart takes"]) == (f"36{THIN}s", duration(0.5))
    assert (inputs["Failures of hardware"], inputs["Chips"]) == ("none known", "8")
    assert inputs["Expected"] == duration(hours)


def test_nothing_rented_is_no_line(risk: SpotRisk) -> None:
    assert replace(risk, rented=None).rented_usd_per_h is None
    assert str(_explained(replace(risk, rented=None), "rented").value) == usd(0.0)


def test_the_seller_of_the_spot_price_is_named(catalogue: Catalogue) -> None:
    """The cheapest spot offer is often another seller's than the candidate's own."""
    results = evaluate(load_profiles()["llama3-8b-pretraining"], catalogue)
    assert results.choice is not None
    risk = spot_risk(results, results.choice)
    assert risk is not None and risk.rented is not None
    first, *_, last = spot_sentences(risk)
    assert first.startswith(f"Spot of {provider_name(risk.spot.offer.provider)}")
    assert last.startswith(f"On demand of {provider_name(risk.rented.offer.provider)}")
