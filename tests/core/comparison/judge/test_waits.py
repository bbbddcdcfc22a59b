"""Days before a run by hand: lead time of servers in weeks, porting shared by the team, what a deadline leaves."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import pytest

from core.catalogue.catalogue import Catalogue
from core.catalogue.entries import OWN, CostInput
from core.comparison.judge.calendar import calendar_days, days_left, wait_of, waiting_days
from core.ranges import Range
from core.workload.profile import Limits, Profile
from tests.core.own_samples import own_server


def _with_lead_time(catalogue: Catalogue, low: float | None, typical: float | None, high: float | None) -> Catalogue:
    row = CostInput(
        name="lead_time", scope="any", low=low, typical=typical, high=high, unit="weeks", source="T", as_of="",
        estimate=False,
    )  # fmt: skip
    rows = tuple(one for one in catalogue.cost_inputs if one.name != "lead_time")
    ordered = own_server("to-buy").model_copy(update={"in_house": False})
    return replace(catalogue, cost_inputs=(*rows, row), servers=(own_server("there"), ordered))


def _offer(catalogue: Catalogue, instance: str, provider: str = OWN):
    return catalogue.offers[0].model_copy(
        update={"instance": instance, "provider": provider, "purchase_model": "owned", "accelerator_id": "l40s"}
    )


@pytest.mark.parametrize(
    ("weeks", "days"),
    [
        ((4.0, 16.0, 44.0), (28.0, 112.0, 308.0)),
        ((None, 16.0, None), (112.0, 112.0, 112.0)),
        ((0.0, 2.0, 3.0), (0.0, 14.0, 21.0)),
    ],
)
def test_bought_servers_are_delivered_first(
    catalogue: Catalogue, weeks: tuple[float | None, float | None, float | None], days: tuple[float, float, float]
) -> None:
    book, usual = _with_lead_time(catalogue, *weeks), waiting_days("owned").value
    wait = wait_of(book, _offer(book, "to-buy"))
    assert (wait.low, wait.likely, wait.high) == (
        days[0] + usual.low, days[1] + usual.likely, days[2] + usual.high,
    )  # fmt: skip


def test_what_stands_in_the_house_or_is_rented_is_not_delivered(catalogue: Catalogue) -> None:
    book, usual = _with_lead_time(catalogue, 4.0, 16.0, 44.0), waiting_days("owned").value
    assert wait_of(book, _offer(book, "there")) == usual
    assert wait_of(book, _offer(book, "to-buy", "lambda")) == usual
    assert wait_of(book, _offer(book, "unknown")) == usual


@pytest.mark.parametrize(("engineers", "days"), [(1, 84.0), (3, 28.0), (4, 21.0), (5, 21.0)])
def test_at_most_four_share_a_port(engineers: int, days: float) -> None:
    """Twelve engineer-weeks are 84 days of one."""
    weeks = calendar_days(Range(6.0, 12.0, 24.0), engineers)
    assert (weeks.low, weeks.likely, weeks.high) == pytest.approx((days / 2, days, 2 * days))


def test_a_deadline_leaves_what_porting_and_waiting_do_not_take(catalogue: Catalogue) -> None:
    """Of 60 days 20 of porting leave 40 on demand; where nothing is left, all of it is told."""
    offer = next(one for one in catalogue.offers if one.purchase_model == "on_demand")
    option = SimpleNamespace(accelerator=SimpleNamespace(id="x"), offer=offer)
    usual = waiting_days("on_demand").value.likely
    for porting, left in ((20.0, 40.0 - usual), (60.0, 60.0), (90.0, 60.0)):
        until = Profile(limits=Limits(deadline_days=60))
        assert days_left(until, {"x": Range(porting, porting, porting)}, option) == pytest.approx(left)  # type: ignore[arg-type]
    never = Profile(limits=Limits(deadline_days=None))
    assert days_left(never, {"x": Range(1.0, 1.0, 1.0)}, option) is None  # type: ignore[arg-type]
