"""Private prices stay off paper: no amount is left from which one follows."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from datetime import date
from typing import Any

import pytest

from core.catalogue.catalogue import Catalogue
from core.catalogue.loading import load_catalogue
from core.catalogue.own.layers import Discount, OwnEntries, PriceBook, layered
from core.comparison.evaluate import evaluate
from core.comparison.result import ResultSet
from core.plan.drafts.offer import OfferDraft, offer_entries
from core.plan.plan import Plan
from core.plan.sample_plan import sample_plan
from core.report.blocks import Document, Figure
from core.report.document import build, build_masked
from core.report.masking import MASKED, _reference_usd, mask_of, masked, private_results
from core.units import Money, money_here, shown_money, small_usd, usd, usd_at_most

TODAY = date(2026, 11, 21)
AMOUNT = re.compile(r"[$€£¥]\s?\d|\d\s?[$€£¥]|\bUSD\s?\d|\d[\u202f ]?(?:USD|EUR)\b")
BOOK = PriceBook(discounts=(Discount(provider="coreweave", percent=63.37, source="Contract"),))


@pytest.fixture(scope="module")
def plan() -> Plan:
    draft = OfferDraft(
        provider="Harbour Racks", place="user-hk", purchase_model="dedicated_monthly", instance="8x H100",
        accelerator_id="h100-sxm", n_chips=8, per="chip_hour", amount_usd=1.8713, source="Quote", as_of=TODAY,
    )  # fmt: skip
    own = offer_entries(draft, load_catalogue())
    return sample_plan().model_copy(update={"own": own, "masks_private_prices": True})


@pytest.fixture(scope="module")
def catalogue(plan: Plan) -> Catalogue:
    return layered(load_catalogue(), plan.own, BOOK)


@pytest.fixture(scope="module")
def results(plan: Plan, catalogue: Catalogue) -> Mapping[str, ResultSet]:
    return {profile.id: evaluate(profile, catalogue) for profile in plan.profiles}


@pytest.fixture(scope="module")
def document(plan: Plan, catalogue: Catalogue, results: Mapping[str, ResultSet]) -> Document:
    """Of results that were evaluated while money was shown openly."""
    return build_masked(plan, results, catalogue, TODAY)


def texts(value: Any) -> list[str]:
    """Every text of a document, those of charts aside."""
    if isinstance(value, str):
        return [value]
    if isinstance(value, tuple):
        return [text for one in value for text in texts(one)]
    if isinstance(value, Figure):
        return [value.caption, value.alt]
    if is_dataclass(value):
        return [text for one in fields(value) for text in texts(getattr(value, one.name))]
    return []


def test_shares_are_written_in_percent_and_small_ones_not_closer() -> None:
    with money_here(Money("%", 100 / 250_000)):
        assert (usd(250_000), usd(295_000), usd(-50_000)) == ("100\u202f%", "118\u202f%", "\u221220\u202f%")
        assert (usd(3.2), small_usd(0.005), usd_at_most(2.049)) == ("<0.01\u202f%",) * 3
        assert usd(0) == "0\u202f%"
    assert shown_money() == Money()


def test_a_plan_with_private_prices_is_masked_only_when_it_wishes(
    plan: Plan, results: Mapping[str, ResultSet], catalogue: Catalogue
) -> None:
    assert {one.candidate.offer.layer for one in private_results(results)} == {"plan", "book"}
    assert mask_of(plan, results) is not None
    assert mask_of(plan.model_copy(update={"masks_private_prices": False}), results) is None
    shipped = {one.id: evaluate(one, load_catalogue()) for one in plan.profiles}
    assert mask_of(plan, shipped) is None, "nothing private, nothing to mask"


def test_without_the_wish_amounts_stand_there(
    plan: Plan, results: Mapping[str, ResultSet], catalogue: Catalogue
) -> None:
    open_plan = plan.model_copy(update={"masks_private_prices": False})
    found = build_masked(open_plan, results, catalogue, TODAY)
    assert found.money is None
    assert any(AMOUNT.search(text) for text in texts(found))
    assert any("less 63.37 %" in text for text in texts(found))


def test_no_amount_is_left_in_any_text(document: Document) -> None:
    told = [text for text in texts(document) if AMOUNT.search(text)]
    assert told == []
    assert any("100\u202f%" in text for text in texts(document))


def test_no_private_total_is_left_in_any_writing(document: Document, results: Mapping[str, ResultSet]) -> None:
    whole = "\n".join(texts(document))
    beside_shares = re.sub(r"[\d.]+(–[\d.]+)?\u202f%", "", whole)
    for result in private_results(results):
        if result.cost.total.likely >= 1000:
            assert usd(result.cost.total.likely).lstrip("$") not in whole.replace("%", "")
        assert f"{result.candidate.offer.usd_per_chip_hour:.2f}" not in beside_shares
    assert "63.37" not in whole, "a discount off a known list price tells the price"


def test_the_pick_is_a_hundred_percent(plan: Plan, document: Document, results: Mapping[str, ResultSet]) -> None:
    pick = results[plan.profiles[0].id].choice
    assert pick is not None
    assert document.money == Money("%", 100 / pick.cost.total.likely)


def test_what_quotes_an_amount_itself_is_masked_too(plan: Plan, results: Mapping[str, ResultSet]) -> None:
    document = build(plan, results, load_catalogue(), TODAY, ("decision",))
    assert any(AMOUNT.search(text) for text in texts(document))
    assert MASKED in "\n".join(texts(masked(document, Money("%", 1.0))))
    assert not [text for text in texts(masked(document, Money("%", 1.0))) if AMOUNT.search(text)]


def test_the_plan_on_paper_keeps_its_fingerprint(plan: Plan, document: Document) -> None:
    assert OwnEntries() != plan.own
    assert build(plan, {}, load_catalogue(), TODAY).footer == document.footer


def test_a_share_is_of_the_first_pick_else_of_the_first_that_costs_anything(
    plan: Plan, results: Mapping[str, ResultSet]
) -> None:
    first, *_ = (results[profile.id] for profile in plan.profiles)
    assert first.choice is not None
    assert _reference_usd(plan, results) == first.choice.cost.total.likely
    nobody = {
        name: replace(one, recommendation=replace(one.recommendation, choice=None)) for name, one in results.items()
    }
    assert _reference_usd(plan, nobody) == first.results[0].cost.total.likely
    assert _reference_usd(plan, {}) == 0.0
    assert _reference_usd(plan, {name: replace(one, results=()) for name, one in nobody.items()}) == 0.0
