"""Own entries live in the plan's file; a price book never gets into one."""

import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from core.catalogue.loading import load_catalogue
from core.catalogue.own.book_file import save_book
from core.catalogue.own.checks import checked_layers
from core.catalogue.own.layers import OwnEntries, layered
from core.comparison.as_json import to_json
from core.comparison.evaluate import evaluate
from core.comparison.result import CandidateResult, ResultSet
from core.errors import InputError
from core.plan import recovery
from core.plan.layers import catalogue_from
from core.plan.plan import Choice, Plan
from core.plan.store import load, save
from core.workload.jobs.kinds import PreTraining
from core.workload.models.transformer import TransformerModel
from core.workload.profile import PURCHASE_WORDS, Places, Profile, PurchaseModel
from tests.core.own_samples import (
    PRIVATE_USD,
    PRIVATE_WORDS,
    faster,
    own_host,
    own_offer,
    own_region,
    own_server,
    private_book,
)

PROFILE = Profile(
    id="pre", name="Pre", job=PreTraining(n_tokens=2e10),
    model=TransformerModel(name="8B", n_layers=32, d_model=4096, n_heads=32, n_kv_heads=8, d_ff=14336),
)  # fmt: skip
PLACES = ("user-hk", "user-tyo", "user-lax")


def _own() -> OwnEntries:
    shipped, host = load_catalogue(), own_host()
    return OwnEntries(
        accelerators=(faster(shipped, "l40s"),),
        hosts=(host,),
        offers=tuple(own_offer(host, place, usd) for place, usd in zip(PLACES, (16.0, 18.0, 20.0), strict=True)),
        servers=(own_server(),),
        regions=(own_region(),),
    )


def _plan(**changes: Any) -> Plan:
    return Plan(id="p", name="Plan", profiles=(PROFILE,), **changes)


@pytest.fixture(scope="module")
def with_own() -> ResultSet:
    return evaluate(PROFILE, layered(load_catalogue(), _own()))


@pytest.fixture(scope="module")
def with_book() -> ResultSet:
    return evaluate(PROFILE, layered(load_catalogue(), OwnEntries(), private_book(load_catalogue())))


def _of(results: ResultSet, offer_id: str) -> list[CandidateResult]:
    return [result for result in results.results if result.candidate.offer.id == offer_id]


def test_own_entries_come_back_as_they_were(tmp_path: Path) -> None:
    plan = _plan(own=_own(), uses_price_book=False, masks_private_prices=True)
    save(plan, tmp_path / "own.roofplan")
    assert load(tmp_path / "own.roofplan") == plan


@pytest.mark.parametrize(
    ("table", "field", "value", "expected"),
    [
        ("offers", "usd_per_host_hour", "much", "a number"),
        ("offers", "purchase_model", "lease", "one of"),
        ("hosts", "n_chips", 0.5, "a whole number"),
        ("servers", "typical_usd", None, "a number"),
        ("regions", "colour", "red", "no such field"),
        ("accelerators", "kind", "cpu", "one of"),
    ],
)
def test_damaged_own_entry_is_named(tmp_path: Path, table: str, field: str, value: object, expected: str) -> None:
    path = tmp_path / "own.roofplan"
    save(_plan(own=_own()), path)
    with sqlite3.connect(path) as connection:
        [[text]] = connection.execute("SELECT document FROM meta WHERE name = 'own'").fetchall()
        record = json.loads(text)
        record[table][0][field] = value
        connection.execute("UPDATE meta SET document = ? WHERE name = 'own'", (json.dumps(record),))
    connection.close()
    with pytest.raises(InputError) as caught:
        load(path)
    assert f"own.{table}.0.{field}" in caught.value.where
    assert expected in caught.value.expected


@pytest.mark.parametrize("place", PLACES)
def test_a_dedicated_server_entered_for_a_city_is_evaluated(with_own: ResultSet, place: str) -> None:
    found = _of(with_own, f"dedicated_8x-h100-hk_{place}_on_demand")
    assert found
    assert all(one.candidate.offer.region == place and one.candidate.offer.provider == "dedicated" for one in found)
    assert any(one.feasible for one in found)
    assert all(one.cost.total.likely > 0 for one in found if one.feasible)


def test_an_own_offer_is_billed_at_its_price(with_own: ResultSet) -> None:
    one = next(r for r in _of(with_own, "dedicated_8x-h100-hk_user-hk_on_demand") if r.feasible)
    compute = next(part for part in one.cost.parts if part.id == "compute")
    assert compute.usd == pytest.approx(16.0 * one.run_h.likely * one.candidate.n_chips / 8, rel=0.02)
    assert "offer of a seller" in compute.source
    assert one.carbon_kg is not None, "the grid of the city is known"


def test_an_anchor_is_a_place_for_any_seller() -> None:
    """Somebody's own name for the seller: the city's grid and the way to its users are known all the same."""
    host = own_host("acme")
    own = OwnEntries(hosts=(host,), offers=(own_offer(host, "user-tyo"),))
    found = _of(evaluate(PROFILE, layered(load_catalogue(), own)), "acme_8x-h100-hk_user-tyo_on_demand")
    grams = load_catalogue().region_by_name["dedicated", "user-tyo"].carbon_g_per_kwh
    assert found and grams
    assert found[0].carbon_kg == pytest.approx(found[0].energy_kwh.likely * grams / 1000)


@pytest.mark.parametrize("paid", [model for model in PURCHASE_WORDS if model != "owned"])
def test_every_way_to_pay_can_be_entered(paid: PurchaseModel) -> None:
    host = own_host()
    offer = own_offer(host, id="mine", purchase_model=paid)
    places = Places(purchase_models=tuple(PURCHASE_WORDS), providers=("dedicated",))
    asked = PROFILE.model_copy(update={"places": places})
    found = _of(evaluate(asked, checked_layers(load_catalogue(), OwnEntries(hosts=(host,), offers=(offer,)))), "mine")
    assert found
    assert any(one.cost.total.likely > 0 for one in found if one.throughput.fits)


def test_an_own_server_is_evaluated_as_owned(with_own: ResultSet) -> None:
    assert any(one.candidate.offer.instance == "my-4x-l40s" for one in with_own.results)


def test_a_correction_flows_into_speed_and_memory(with_own: ResultSet) -> None:
    shipped = evaluate(PROFILE, load_catalogue())
    before = {r.id: r for r in shipped.results if r.candidate.accelerator.id == "l40s" and r.throughput.fits}
    after = {r.id: r for r in with_own.results if r.candidate.accelerator.id == "l40s" and r.throughput.fits}
    both = before.keys() & after.keys()
    assert both
    for one in both:
        assert after[one].candidate.accelerator.memory_gb == 96
        assert after[one].throughput.tokens_per_s.likely > before[one].throughput.tokens_per_s.likely
    other = {r.id: r.throughput.tokens_per_s for r in shipped.results if r.candidate.accelerator.id == "h200-sxm"}
    same = {r.id: r.throughput.tokens_per_s for r in with_own.results if r.candidate.accelerator.id == "h200-sxm"}
    assert all(other[one] == same[one] for one in other.keys() & same.keys())


def test_a_corrected_place_flows_into_carbon() -> None:
    shipped = load_catalogue()
    place = shipped.region_by_name["aws", "us-east-1"]
    assert place.carbon_g_per_kwh
    own = OwnEntries(regions=(place.model_copy(update={"carbon_g_per_kwh": 2 * place.carbon_g_per_kwh}),))
    offer = "aws_p5.48xlarge_us-east-1_on_demand"
    before, after = (_of(evaluate(PROFILE, layered(shipped, one)), offer)[0] for one in (OwnEntries(), own))
    assert before.carbon_kg and after.carbon_kg == pytest.approx(2 * before.carbon_kg)


def test_a_corrected_server_flows_into_its_bill() -> None:
    shipped = load_catalogue()
    server = shipped.server_by_instance["8x-h100-sxm-server"]
    cheaper = {"low_usd": 100000.0, "typical_usd": 100000.0, "high_usd": 100000.0, "source": "offer of a seller"}
    own = OwnEntries(servers=(server.model_copy(update=cheaper),))
    places = Places(purchase_models=("owned",))
    asked = PROFILE.model_copy(update={"places": places})
    offer = "own_8x-h100-sxm-server_any_owned"
    before, after = (
        {
            r.candidate.n_chips: r.cost.total.likely
            for r in _of(evaluate(asked, layered(shipped, one)), offer)
            if r.throughput.fits
        }
        for one in (OwnEntries(), own)
    )
    assert before.keys() & after.keys()
    assert all(after[count] < before[count] for count in before.keys() & after.keys())


def test_the_book_decides_the_bill_while_it_is_used(with_book: ResultSet) -> None:
    [offer] = {r.candidate.offer for r in _of(with_book, "aws_p5.48xlarge_us-east-1_on_demand")}
    assert (offer.usd_per_host_hour, offer.layer) == (PRIVATE_USD, "book")


def _assert_nothing_private(content: bytes) -> None:
    for word in PRIVATE_WORDS:
        assert word.encode() not in content, word


def test_a_saved_plan_holds_nothing_of_the_book(with_book: ResultSet, tmp_path: Path) -> None:
    best = _of(with_book, "aws_p5.48xlarge_us-east-1_on_demand")[0]
    assert any(word in json.dumps(to_json(with_book)) for word in PRIVATE_WORDS), "the answer itself shows the price"
    choice = Choice(profile_id=PROFILE.id, candidate_id=best.id, reason="cheapest")
    plan = _plan(own=_own(), choices=(choice,), masks_private_prices=True)
    save(plan, tmp_path / "shared.roofplan")
    _assert_nothing_private((tmp_path / "shared.roofplan").read_bytes())
    assert load(tmp_path / "shared.roofplan").choices == (choice,)


def test_recovery_copies_hold_nothing_of_the_book(
    with_book: ResultSet, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ROOFPLAN_HOME", str(tmp_path))
    candidate = _of(with_book, "aws_p5.48xlarge_us-east-1_on_demand")[0].id
    copy = recovery.take(_plan(choices=(Choice(profile_id=PROFILE.id, candidate_id=candidate),)))
    assert copy is not None
    _assert_nothing_private(copy.read_bytes())


def test_results_of_a_plan_carry_no_entry_of_the_book_into_it() -> None:
    """No field of the document can hold a book: what may be private has no place there."""
    assert not {"book", "price_book", "discounts", "results"} & Plan.model_fields.keys()
    assert not {"price", "usd", "cost"} & {name.split("_")[0] for name in Choice.model_fields}


def test_files_are_laid_over_one_another(tmp_path: Path) -> None:
    save(_plan(own=_own()), tmp_path / "plan.roofplan")
    save_book(private_book(load_catalogue()), tmp_path / "book.json")
    found = catalogue_from(None, tmp_path / "book.json", tmp_path / "plan.roofplan")
    layers = {offer.id: offer.layer for offer in found.offers}
    assert layers["dedicated_8x-h100-hk_user-hk_on_demand"] == "plan"
    assert layers["aws_p5.48xlarge_us-east-1_on_demand"] == "book"
    assert catalogue_from(None) is load_catalogue()


def test_a_book_that_is_asked_for_must_be_there(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        catalogue_from(None, tmp_path / "none.json")


def test_a_plan_whose_own_offer_lost_its_host_is_named(tmp_path: Path) -> None:
    own = _own().model_copy(update={"hosts": ()})
    save(_plan(own=own), tmp_path / "plan.roofplan")
    with pytest.raises(InputError, match="own offer 8x-h100-hk at Dedicated in user-hk"):
        catalogue_from(None, plan=tmp_path / "plan.roofplan")
