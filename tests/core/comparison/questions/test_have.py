"""What the user's own chips do: at marginal cost, never more than there are, beside what better ones would save."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from core.catalogue.own.checks import checked_layers
from core.comparison.as_json import to_json
from core.comparison.evaluate import evaluate
from core.comparison.questions.cash import cash_plan
from core.comparison.questions.have import have
from core.comparison.result import CandidateResult, ResultSet
from core.plan.drafts.have import have_entries, new_have
from core.workload.library import load_profiles
from core.workload.plan_limits import Limits

TODAY = date(2026, 11, 22)


def _with(catalogue, name: str, limits: dict[str, object] | None = None, **typed: object) -> ResultSet:
    """A profile beside 64 H100 of the user's, or what is typed instead."""
    draft = new_have(TODAY).model_copy(update={"accelerator_id": "h100-sxm", "held_chips": 64, **typed})
    profile = load_profiles()[name]
    changed = Limits.model_validate({**profile.limits.model_dump(), **(limits or {})})
    whole = checked_layers(catalogue, have_entries(draft, catalogue))
    return evaluate(profile.model_copy(update={"limits": changed}), whole)


def _held(results: ResultSet) -> list[CandidateResult]:
    return [one for one in results.results if one.candidate.offer.held_chips is not None]


@pytest.fixture(scope="module")
def trained(catalogue) -> ResultSet:
    return _with(catalogue, "llama3-8b-pretraining")


def test_in_the_house_only_running_it_costs(trained: ResultSet) -> None:
    (own,) = _held(trained)
    paid = {part.id for part in own.cost.parts if part.usd > 0}
    assert "energy" in paid and not paid & {"owning", "colocation", "compute", "support"}
    assert own.candidate.n_chips == 64 and own.time_terms_days["waiting"] == 0
    assert (own.obtainable.status, own.obtainable.why) == ("attested", "You have them")


def test_one_sentence_says_what_better_ones_save(trained: ResultSet) -> None:
    (one,) = have(trained.columns, trained.results)
    assert one.other is not None and one.extra_usd is not None and one.sooner_days is not None
    assert one.other.feasible and one.other.obtainable.is_firm and one.sooner_days > 0
    text = str(one.sentence)
    assert text.startswith("Your 64 × H100 SXM: ") and "sooner for" in text
    assert text in [str(reason) for reason in trained.recommendation.reasons_for]
    cheaper = [
        r for r in trained.results
        if r.feasible and r.obtainable.is_firm and r.days_to_finish and r.candidate.offer.held_chips is None
        and r.days_to_finish.likely < one.own.days_to_finish.likely - 1
        and r.cost.total.likely < one.other.cost.total.likely
    ]  # fmt: skip
    assert not cheaper


def test_of_a_service_both_have_the_room_that_the_comparison_gives(catalogue) -> None:
    """Not the fewest chips that carry the peak by the likely speed, which nobody would sign: the first in the order."""
    served = _with(catalogue, "chat-serving-70b")
    (one,) = have(served.columns, served.results)
    rented = [r for r in served.results if r.obtainable.is_firm and r.candidate.offer.held_chips is None and r.feasible]
    assert one.own.id == next(r for r in _held(served) if r.feasible).id
    assert one.other is not None and one.other.id == rented[0].id
    fewer = [r for r in rented if r.cost.total.likely < one.other.cost.total.likely]
    assert fewer and all(r.chance.in_limits < one.other.chance.in_limits for r in fewer if r.chance)


def test_json_tells_it(trained: ResultSet) -> None:
    (told,) = to_json(trained, 3)["have"]
    assert told["candidate"] == _held(trained)[0].id and told["held_chips"] == 64
    assert told["extra_usd"] > 0 and told["sooner_days"] > 0 and told["sentence"]


def test_without_chips_nothing_is_said(catalogue) -> None:
    results = evaluate(load_profiles()["llama3-8b-pretraining"], catalogue)
    assert have(results.columns, results.results) == () and to_json(results, 1)["have"] == []


@pytest.mark.parametrize("held", [8, 24, 64])
def test_no_more_chips_than_there_are(catalogue, held: int) -> None:
    for name in ("llama3-8b-pretraining", "chat-serving-70b"):
        results = _with(catalogue, name, held_chips=held, limits={"deadline_days": 300})
        mine = _held(results)
        assert mine and all(one.candidate.n_chips <= held for one in mine if one.feasible)
        more = [one for one in mine if one.candidate.n_chips > held]
        assert all(any(why.code == "held" for why in one.reasons) for one in more)


def test_too_few_for_the_load_is_said(catalogue) -> None:
    """Half a server: a whole one answers the peak since serving was fitted on more rows."""
    results = _with(catalogue, "chat-serving-70b", held_chips=4)
    (one,) = have(results.columns, results.results)
    assert str(one.sentence).startswith("Your 4 × H100 SXM are too few, 8 needed; ")
    assert str(one.own.reasons[0].text) == "Needs 8 chips; you have 4."


def test_what_is_paid_costs_no_rent_and_a_price_costs_it(catalogue) -> None:
    reserved = {"where": "reserved", "provider": "Harbour Racks", "limits": {"deadline_days": 90}}
    paid, priced = (
        _held(_with(catalogue, "llama3-8b-pretraining", usd_per_chip_hour=usd, **reserved))[0] for usd in (0.0, 1.5)
    )
    assert paid.cost.part("compute") == 0 < priced.cost.part("compute")
    assert paid.candidate.place.endswith(", reserved") and paid.obtainable.status == "attested"


def test_a_reservation_ends(catalogue) -> None:
    start = load_profiles()["llama3-8b-pretraining"].limits.start_date
    (own,) = _held(
        _with(catalogue, "llama3-8b-pretraining", where="reserved", provider="X", until=start + timedelta(days=5))
    )
    assert any(str(why.text).startswith("Your reservation ends after 5") for why in own.reasons)


def test_limits_on_sellers_and_ways_to_pay_are_not_asked_of_it(catalogue) -> None:
    profile = load_profiles()["llama3-8b-pretraining"]
    draft = new_have(TODAY).model_copy(update={"accelerator_id": "h100-sxm", "held_chips": 64})
    places = profile.places.model_copy(
        update={"providers": ("aws",), "purchase_models": ("on_demand",), "seller_classes": ("hyperscaler",)}
    )
    whole = checked_layers(catalogue, have_entries(draft, catalogue))
    (own,) = _held(evaluate(profile.model_copy(update={"places": places}), whole))
    assert own.feasible


def test_cash_over_time_of_what_is_there(trained: ResultSet) -> None:
    (own,) = _held(trained)
    plan = cash_plan(trained, own)
    assert plan is not None and plan.buy is not None and plan.buy.in_house
    assert plan.buy.flow.upfront_usd == 0
