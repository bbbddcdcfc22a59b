"""The catalogue that the window works on: layers, and entries that do not fit."""

from pytestqt.qtbot import QtBot

from core.catalogue.loading import load_catalogue
from core.catalogue.own.layers import Discount, OwnEntries, PriceBook
from core.plan.plan import Plan
from core.workload.profile import Profile
from gui.session.layers import MOST_TOLD, Layers
from gui.session.plan_session import PlanSession
from tests.core.own_samples import own_host, own_offer, private_book

HOST = own_host()
GOOD = OwnEntries(hosts=(HOST,), offers=(own_offer(HOST),))
BAD = OwnEntries(offers=(own_offer(HOST),))


def _plan(own: OwnEntries, uses_price_book: bool = True) -> Plan:
    return Plan(id="p", profiles=(Profile(),), own=own, uses_price_book=uses_price_book)


def test_the_same_layers_are_the_same_catalogue() -> None:
    layers = Layers(load_catalogue())
    first = layers.catalogue(_plan(GOOD))
    assert layers.catalogue(_plan(GOOD).model_copy(update={"name": "Other"})) is first
    assert layers.catalogue(_plan(OwnEntries())) is load_catalogue()


def test_a_plan_decides_whether_the_book_counts() -> None:
    layers = Layers(load_catalogue(), private_book(load_catalogue()))
    assert any(offer.layer == "book" for offer in layers.catalogue(_plan(OwnEntries())).offers)
    assert not any(offer.layer == "book" for offer in layers.catalogue(_plan(OwnEntries(), False)).offers)


def test_an_entry_that_does_not_fit_is_left_out_and_told() -> None:
    layers = Layers(load_catalogue())
    assert layers.catalogue(_plan(BAD)).offers == load_catalogue().offers
    [problem] = layers.problems(_plan(BAD))
    assert problem.text.startswith("Left out: own offer 8x-h100-hk at Dedicated")
    assert layers.problems(_plan(GOOD)) == ()


def test_a_price_of_the_past_is_told_but_counts() -> None:
    """AWS asked 98.32 USD until June 2025; somebody enters it."""
    p5 = next(offer for offer in load_catalogue().offers if offer.id == "aws_p5.48xlarge_us-east-1_on_demand")
    old = p5.model_copy(update={"usd_per_host_hour": 98.32, "usd_per_chip_hour": 12.29, "source": "mail"})
    layers, plan = Layers(load_catalogue()), _plan(OwnEntries(offers=(old,)))
    [problem] = layers.problems(plan)
    assert problem.text.startswith("Look at p5.48xlarge at AWS in us-east-1, on demand: 98.32 USD")
    assert any(offer.usd_per_host_hour == 98.32 and offer.layer == "plan" for offer in layers.catalogue(plan).offers)


def test_a_long_list_ends_with_how_many_more_there_are() -> None:
    bad = OwnEntries(offers=tuple(own_offer(HOST, f"place-{n}") for n in range(MOST_TOLD + 5)))
    found = Layers(load_catalogue()).problems(_plan(bad))
    assert len(found) == MOST_TOLD + 1
    assert found[-1].text.startswith("5 more")


def test_the_window_lists_what_was_left_out(qtbot: QtBot) -> None:
    session = PlanSession(_plan(BAD), load_catalogue())
    [problem] = session.problems
    assert problem.text.startswith("Left out: own offer 8x-h100-hk at Dedicated in user-hk")
    assert problem.severity == "warning"
    with qtbot.waitSignal(session.problems_changed):
        session.replace_plan(_plan(GOOD), "Add host")
    assert session.problems == ()
    qtbot.waitUntil(lambda: not session.is_busy)


def test_a_faulty_book_is_told_when_it_is_laid(qtbot: QtBot) -> None:
    session = PlanSession(_plan(OwnEntries()), load_catalogue())
    with qtbot.waitSignal(session.problems_changed):
        session.set_book(PriceBook(discounts=(Discount(provider="aws", percent=5),), entries=BAD))
    assert session.problems[0].text.startswith("Left out: price book offer 8x-h100-hk")
    qtbot.waitUntil(lambda: not session.is_busy)
