"""A discount moves the pick: that its price is no list price stands wherever it counts."""

from __future__ import annotations

from datetime import date

import pytest

from core.catalogue.loading import load_catalogue
from core.catalogue.own.layers import Discount, OwnEntries, PriceBook, layered
from core.catalogue.prices.age import price_badge, price_words
from core.comparison.as_json import to_json
from core.comparison.evaluate import evaluate
from core.comparison.result import ResultSet
from core.plan.plan import Plan
from core.report.blocks import Paragraph
from core.report.document import build
from core.report.text import comparison_text
from core.workload.library import load_profiles
from gui.frame.verdict_text import verdict
from gui.frame.why.sources import sources
from gui.tables.candidates.columns import columns_of

TODAY = date(2026, 11, 21)
PROFILE = load_profiles()["llama3-8b-pretraining"]
BOOK = PriceBook(discounts=(Discount(provider="lambda", percent=40, source="Contract", as_of="2026-10-01"),))
BADGE = "price book"


@pytest.fixture(scope="module")
def results() -> ResultSet:
    return evaluate(PROFILE, layered(load_catalogue(), OwnEntries(), BOOK))


@pytest.fixture(scope="module")
def shipped() -> ResultSet:
    return evaluate(PROFILE, load_catalogue())


def texts(results: ResultSet) -> dict[str, str]:
    """What each screen and paper says of the price of the pick."""
    pick, basis = results.choice, results.basis
    assert pick is not None and basis is not None
    column = next(column for column in columns_of(results, today=TODAY) if column.key == "price")
    plan = Plan(id="p", name="A plan", profiles=(results.profile,))
    document = build(plan, {plan.profiles[0].id: results}, basis.catalogue, TODAY, pages=("decision",))
    told = " ".join(one.text for one in document.sections[0].blocks if isinstance(one, Paragraph))
    strip = verdict(results, TODAY)
    terminal = comparison_text(results, None, TODAY)
    return {
        "verdict": strip.price,
        "verdict, where it is tight": strip.price_brief,
        "table": column.cell(pick).text,
        "tooltip and map": price_words(pick.candidate.offer),
        "why": sources(basis.catalogue, pick, TODAY)[0].words,
        "page 1": told,
        "terminal": terminal,
        "row of the terminal": next(line for line in terminal.splitlines() if f" {pick.candidate.name} " in line[:40]),
    }


def test_a_discounted_price_wears_its_badge_everywhere(results: ResultSet) -> None:
    assert [where for where, text in texts(results).items() if BADGE not in text] == []


def test_a_shipped_price_wears_none(shipped: ResultSet) -> None:
    assert [where for where, text in texts(shipped).items() if BADGE in text or "own price" in text] == []


def test_json_tells_the_layer_of_every_price(results: ResultSet) -> None:
    told = to_json(results, today=TODAY)["candidates"]
    layers = {one["provider"]: one["price"]["layer"] for one in told}
    assert layers["lambda"] == "book" and {layers[name] for name in layers if name != "lambda"} == {"catalogue"}


def test_a_price_typed_in_the_plan_is_an_own_one(shipped: ResultSet) -> None:
    assert shipped.choice is not None
    offer = shipped.choice.candidate.offer.model_copy(update={"layer": "plan"})
    assert price_badge(offer) == "own price" and price_badge(shipped.choice.candidate.offer) == ""
