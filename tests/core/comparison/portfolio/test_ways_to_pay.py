"""Which ways to pay for a base and for what is above it are tried, at prices made by hand."""

from __future__ import annotations

from datetime import date
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from core.comparison.portfolio.accounts import Need
from core.comparison.portfolio.pools import ways_to_pay
from core.workload.portfolio import Portfolio

FIRST = date(2027, 1, 1)
USD = {"on_demand": 4.0, "spot": 1.5, "commit_1y": 2.0, "commit_3y": 1.0}


def _need(days: int) -> Need:
    return Need(np.full((days, 1), 8, dtype=np.int32), np.array([24.0]))


def _tried(days: int, ways: tuple[str, ...], **settings: Any) -> list[tuple[str, int, float, float | None]]:
    """Way and terms of the base, its USD per chip hour, and that of what is above it."""
    rates = {way: SimpleNamespace(way=way, usd_per_chip_hour=SimpleNamespace(likely=USD[way])) for way in ways}
    site: Any = SimpleNamespace(rates=rates)
    offers = ways_to_pay(site, _need(days), Portfolio(**settings), FIRST)
    return [(str(one.base.way), one.n_terms, one.paid.base_usd, one.paid.burst_usd) for one in offers if one.base]


@pytest.mark.parametrize(
    ("burst", "ways", "usd"),
    [
        ("spot", ("on_demand", "spot"), 1.5),
        ("on_demand", ("on_demand", "spot"), 4.0),
        ("spot", ("on_demand",), 4.0),
    ],
)
def test_above_the_base_it_is_paid_as_asked_or_on_demand(burst: str, ways: tuple[str, ...], usd: float) -> None:
    assert _tried(30, ways, burst=burst) == [("on_demand", 0, 4.0, usd)]


def test_nothing_is_bought_above_the_base_where_it_is_sold_by_term_alone() -> None:
    assert _tried(30, ("commit_1y",)) == [("commit_1y", 1, 2.0, None)]


def test_of_the_terms_those_asked_for_are_tried() -> None:
    ways = ("on_demand", "commit_1y", "commit_3y")
    best = {(way, terms) for way, terms, *_ in _tried(30, ways)}
    assert best == {("commit_1y", 1), ("commit_3y", 1), ("on_demand", 0)}
    assert {way for way, *_ in _tried(30, ways, term="commit_3y")} == {"commit_3y", "on_demand"}
