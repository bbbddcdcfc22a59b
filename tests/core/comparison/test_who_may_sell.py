"""A bank asks: certificates, data within Europe, no marketplaces or brokers. Every answer is one that it may sign."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from core.catalogue.loading import load_catalogue
from core.catalogue.places.sale_places import is_within
from core.catalogue.sellers.papers import kind_of_seller, proved_certificates
from core.cli.program import main
from core.comparison.evaluate import evaluate
from core.comparison.result import ResultSet
from core.workload.library import load_profiles
from core.workload.profile import Profile

ASKED = ("soc2", "iso27001")
ALLOWED = ("hyperscaler", "specialised", "own")


def bank(**changes: object) -> Profile:
    base = load_profiles()["chat-serving-8b"]
    asked = {"seller_classes": ALLOWED, "certificates": ASKED, "region_places": ("europe",)}
    places = base.places.model_copy(update={**asked, "user_places": ("frankfurt",), **changes})
    return base.model_copy(update={"id": "bank", "name": "A bank's assistant", "places": places,
                                   "limits": base.limits.model_copy(update={"budget_usd": None})})  # fmt: skip


@pytest.fixture(scope="module")
def results() -> ResultSet:
    return evaluate(bank(), load_catalogue())


def test_every_option_that_fits_keeps_to_what_the_bank_asks(results: ResultSet) -> None:
    catalogue = load_catalogue()
    feasible = results.results[: results.n_feasible]
    assert len(feasible) > 20
    for one in feasible:
        offer = one.candidate.offer
        assert kind_of_seller(catalogue, offer.provider) in ALLOWED
        assert set(ASKED) <= proved_certificates(offer.provider)
        assert is_within(catalogue, offer.provider, offer.region, ("europe",))


def test_the_pick_is_a_hyperscaler_next_door(results: ResultSet) -> None:
    """Verda in Helsinki is cheaper and fails on proof alone; Lambda and Nebius do not say where their offers run."""
    pick = results.choice
    assert pick is not None and pick.route is not None
    assert kind_of_seller(load_catalogue(), pick.candidate.offer.provider) == "hyperscaler"
    assert pick.obtainable.is_firm and not pick.route.assumed
    assert pick.route.mean_ms.high < 100


def test_what_is_turned_down_says_what_to_ask_whom(results: ResultSet) -> None:
    told = {(r.candidate.offer.provider, reason.code): (str(reason.text), str(reason.nearest_change))
            for r in results.results for reason in r.reasons}  # fmt: skip
    text, change = told["verda", "certificates"]
    assert "not proved" in text and change.startswith("Ask Verda for SOC 2")
    text, change = told["lambda", "region"]
    assert "does not say where it runs" in text and change.startswith("Ask Lambda")
    assert "may not sell here" in told["runpod", "seller_class"][0]


def test_papers_that_the_bank_has_seen_admit_their_seller() -> None:
    results = evaluate(bank(confirmed_sellers=("verda",)), load_catalogue())
    pick = results.choice
    assert pick is not None and pick.candidate.offer.provider == "verda"


def test_two_sellers_rule_out_what_one_alone_sells(results: ResultSet) -> None:
    two = evaluate(bank(min_sellers=2), load_catalogue())
    tpus = [one for one in results.results[: results.n_feasible] if one.candidate.accelerator.kind == "tpu"]
    assert tpus
    assert 0 < two.n_feasible < results.n_feasible
    assert not any(one.candidate.accelerator.kind == "tpu" for one in two.results[: two.n_feasible])


def test_a_certificate_that_nobody_proves_is_answered_with_whom_to_ask() -> None:
    results = evaluate(bank(certificates=("secnumcloud",)), load_catalogue())
    assert results.choice is None
    assert "sk " in str(results.recommendation.headline) and "SecNumCloud" in str(results.recommendation.headline)


def test_the_command_line_takes_and_checks_the_fields(
    results: ResultSet, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "bank.json"
    path.write_text(bank().model_dump_json(), encoding="utf-8")
    assert main(["compare", str(path), "--json"]) == 0
    assert results.choice is not None
    assert json.loads(capsys.readouterr().out)["recommendation"]["choice"] == results.choice.id
    path.write_text(bank(confirmed_sellers=("verdaa",)).model_dump_json(), encoding="utf-8")
    assert main(["compare", str(path)]) != 0
    assert "verda" in capsys.readouterr().err


def test_old_profiles_ask_nothing_of_sellers() -> None:
    for profile in load_profiles().values():
        places = profile.places
        assert (places.seller_classes, places.certificates, places.confirmed_sellers) == ((), (), ())
        assert (places.min_sellers, places.min_sla_pct, profile.limits.max_wait_days) == (1, None, None)
