"""What a server costs and what is left of it, asked of the bank's plan on its own premises."""

from __future__ import annotations

import pytest

from core.catalogue.loading import load_catalogue
from core.comparison.evaluate import evaluate
from core.comparison.recommendation.flip_points import study_of
from core.comparison.result import CandidateResult, ResultSet
from core.comparison.what_if.goal_seek import target_at
from core.comparison.what_if.inputs import RESALE, SERVER_PRICE, is_allowed
from core.comparison.what_if.rival import rival_of
from core.comparison.what_if.study import Study
from core.comparison.what_if.tornado import cost_swings
from core.comparison.what_if.words import title_of, value_words
from core.cost.parts.hardware import hardware_split
from core.workload.library import more_profiles


@pytest.fixture(scope="module")
def bank() -> ResultSet:
    return evaluate(more_profiles()["bank-on-premises"], load_catalogue())


@pytest.fixture(scope="module")
def pick(bank: ResultSet) -> CandidateResult:
    assert bank.choice is not None
    return bank.choice


@pytest.fixture(scope="module")
def study(bank: ResultSet, pick: CandidateResult) -> Study:
    made = study_of(bank, pick.id, None)
    assert made is not None
    return made


def test_the_price_of_a_server_has_the_range_of_its_price(study: Study, pick: CandidateResult) -> None:
    by_id = {one.id: one for one in study.inputs}
    price, worth = by_id[SERVER_PRICE], by_id[RESALE]
    server = study.basis.catalogue.server_by_instance[pick.candidate.offer.instance]
    ends = (100 * server.low_usd / server.typical_usd, 100 * server.high_usd / server.typical_usd)
    assert (price.low, price.now, price.high) == pytest.approx((ends[0], 100.0, ends[1]))
    assert price.is_estimate and price.path == SERVER_PRICE and "GUESS" in str(price.range_from)
    assert title_of(price) == "Price of a server, of $250\u202fk" and str(value_words(price, 80.0)) == "80\u202f%"
    assert (worth.low, worth.now, worth.high) == pytest.approx((25.0, 30.0, 35.0)) and worth.path == RESALE
    assert price.moved(study.now, price.now) is study.now is worth.moved(study.now, worth.now)


@pytest.mark.parametrize(("path", "value"), [(SERVER_PRICE, 120.0), (RESALE, 10.0)])
def test_it_is_the_bill_of_an_evaluation_with_that_field(study: Study, path: str, value: float) -> None:
    one = next(one for one in study.inputs if one.id == path)
    owning = study.now.profile.owning.model_copy(update={path.partition(".")[2]: value})
    other = evaluate(study.now.profile.model_copy(update={"owning": owning}), study.basis.catalogue)
    assert target_at(study, "a", "cost", one, value) == pytest.approx(other.by_id[study.a.id].cost.total.likely)


def test_a_dearer_server_costs_its_share_of_the_hardware_more(study: Study, pick: CandidateResult) -> None:
    one = next(one for one in study.inputs if one.id == SERVER_PRICE)
    [swing] = cost_swings(study, [one])
    hardware = pick.cost.part("owning")
    assert (swing.at_low_usd, swing.at_high_usd) == pytest.approx((-0.2 * hardware, 0.2 * hardware), abs=0.02)
    assert hardware_split(pick.cost.parts).bought_usd > 0


def test_what_is_typed_of_the_worth_is_asked_once(bank: ResultSet, pick: CandidateResult) -> None:
    typed = bank.profile.owning.model_copy(update={"resale_pct": 20.0, "server_price_pct": 90.0})
    results = evaluate(bank.profile.model_copy(update={"owning": typed}), load_catalogue())
    made = study_of(results, pick.id, None)
    assert made is not None
    asked = [one for one in made.inputs if one.id in (RESALE, SERVER_PRICE)]
    assert {one.id: one.now for one in asked} == {RESALE: 20.0, SERVER_PRICE: 90.0} and len(asked) == 2


def test_the_price_of_a_server_is_told_among_what_would_change_the_pick(bank: ResultSet) -> None:
    assert [point.input_id for point in bank.recommendation.would_change_it][0] == SERVER_PRICE


def test_nothing_is_asked_of_a_candidate_that_the_limits_do_not_allow(bank: ResultSet, pick: CandidateResult) -> None:
    """``Price of Trillium v6e per chip hour`` was an input of a plan that must stay on its own premises."""
    catalogue = load_catalogue()
    cloud = next(one for one in bank.best_per_accelerator if not is_allowed(bank.profile, catalogue, one))
    assert rival_of(bank, pick) is not None and is_allowed(bank.profile, catalogue, rival_of(bank, pick) or cloud)
    made = study_of(bank, pick.id, cloud.id)
    assert made is not None
    chip = cloud.candidate.accelerator.id
    assert not [one.id for one in made.inputs if one.id.endswith(f" {chip}")]
