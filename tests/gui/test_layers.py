"""The catalogue that the window works on: layers, and entries that do not fit."""

from pytestqt.qtbot import QtBot

from core.catalogue.load import load_catalogue
from core.catalogue.own import Discount, OwnEntries, PriceBook
from core.plan.plan import Plan
from core.workload.profile import Profile
from gui.session.layers import Layers
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
    [fault] = layers.faults(_plan(BAD))
    assert "8x-h100-hk at Dedicated" in fault.where
    assert layers.faults(_plan(GOOD)) == ()


def test_the_window_lists_what_was_left_out(qtbot: QtBot) -> None:
    session = PlanSession(_plan(BAD), load_catalogue(), debounce_ms=0)
    [problem] = session.problems
    assert problem.text.startswith("Left out: own offer 8x-h100-hk at Dedicated in user-hk")
    assert problem.severity == "warning"
    with qtbot.waitSignal(session.problems_changed):
        session.replace_plan(_plan(GOOD), "Add host")
    assert session.problems == ()
    qtbot.waitUntil(lambda: not session.is_busy)


def test_a_faulty_book_is_told_when_it_is_laid(qtbot: QtBot) -> None:
    session = PlanSession(_plan(OwnEntries()), load_catalogue(), debounce_ms=0)
    with qtbot.waitSignal(session.problems_changed):
        session.set_book(PriceBook(discounts=(Discount(provider="aws", percent=5),), entries=BAD))
    assert session.problems[0].text.startswith("Left out: price book offer 8x-h100-hk")
    qtbot.waitUntil(lambda: not session.is_busy)
