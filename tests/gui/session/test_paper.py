"""Masked answers take seconds: they are kept while nothing that they follow from changes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from pytestqt.qtbot import QtBot

from core.catalogue.own.layers import Discount, PriceBook
from core.comparison.result import ResultSet
from core.plan.plan import Currency
from core.report import masking
from core.report.masking import HandedOut
from core.workload.profile import Profile
from gui.session.plan_session import PlanSession
from tests.gui.sample_results import sample_results
from tests.gui.sample_session import sample_session

BOOK = PriceBook(discounts=(Discount(provider="coreweave", percent=13.7, source="Contract"),))


class Engine:
    """Stands for the evaluation of masked answers, and counts."""

    def __init__(self) -> None:
        self.n_asked = 0

    def __call__(self, profile: Profile, *_: object) -> ResultSet:
        self.n_asked += 1
        return replace(sample_results(), profile=profile)


@pytest.fixture
def engine(monkeypatch: pytest.MonkeyPatch) -> Engine:
    made = Engine()
    monkeypatch.setattr(masking, "evaluate", made)
    monkeypatch.setattr(masking, "_pick", lambda *_: (None, 0))
    return made


@pytest.fixture
def session(qtbot: QtBot, engine: Engine) -> Iterator[PlanSession]:
    made = sample_session(qtbot, sample_results())
    made.set_book(BOOK)
    made.replace_plan(made.plan.model_copy(update={"masks_private_prices": True}), "Mask")
    yield made
    made.close()


def handed_out(session: PlanSession) -> HandedOut:
    paper = session.paper()
    return paper.handed_out({one.id: replace(sample_results(), profile=one) for one in paper.plan.profiles})


def change(session: PlanSession, **changes: object) -> None:
    session.replace_plan(session.plan.model_copy(update=changes), "Change")


def test_other_pages_and_another_name_ask_nothing_again(session: PlanSession, engine: Engine) -> None:
    first = handed_out(session)
    assert (first.is_masked, engine.n_asked) == (True, 1)
    change(session, report_pages=("decision",), name="Another")
    again = handed_out(session)
    assert engine.n_asked == 1
    assert again.results is first.results
    assert (again.plan.name, again.plan.report_pages) == ("Another", ("decision",))


def test_what_they_follow_from_asks_again(session: PlanSession, engine: Engine) -> None:
    handed_out(session)
    for number, act in enumerate(
        (
            lambda: session.edit("profiles.0.team.engineer_usd_per_week", 7000.0),
            lambda: change(session, currency=Currency(code="EUR", per_usd=0.9, as_of="2026-11-21")),
            lambda: session.set_book(BOOK.model_copy(update={"discounts": (*BOOK.discounts, BOOK.discounts[0])})),
        ),
        start=2,
    ):
        act()
        handed_out(session)
        assert engine.n_asked == number


def test_one_answer_is_kept_and_none_once_nothing_is_masked(session: PlanSession) -> None:
    handed_out(session)
    kept = session.paper().masked
    assert kept._last is not None
    change(session, masks_private_prices=False)
    assert session.paper().masked._last is None
    change(session, masks_private_prices=True)
    handed_out(session)
    session.open_plan(session.plan)
    assert kept._last is None
