"""Costs of phases as printed: they add up, and read the same with three digits."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from core.comparison.over_time.answer import OverTime
from core.comparison.over_time.printed import cost_words, printed_costs, printed_step
from core.ranges import Range
from core.units import Money, money_in, usd


def _way(*likely_usd: float) -> Any:
    total = sum(likely_usd)
    runs = [SimpleNamespace(cost=Range(one, one, one)) for one in likely_usd]
    return SimpleNamespace(total=Range(total, total, total), runs=runs)


@pytest.mark.parametrize(
    ("likely", "words"),
    [
        ((471_468.5, 38_174.6), ["$471.4\u202fk", "$38.2\u202fk", "$509.6\u202fk"]),
        ((298_058.6, -89_766.7), ["$298.1\u202fk", "\u2212$89.8\u202fk", "$208.3\u202fk"]),
        ((150.4, 150.4), ["$151", "$150", "$301"]),
        ((12.345, 12.345), ["$12.35", "$12.34", "$24.69"]),
        ((0.0,), ["$0", "$0"]),
    ],
)
def test_parts_are_printed_so_that_they_add_up(likely: tuple[float, ...], words: list[str]) -> None:
    printed = printed_costs(_way(*likely))
    assert [cost_words(one) for one in printed] == words
    assert sum(printed[:-1]) == pytest.approx(printed[-1])


def test_a_phase_reads_as_elsewhere(mixed: OverTime) -> None:
    for way in mixed.ways:
        *parts, total = printed_costs(way)
        assert sum(parts) == pytest.approx(total) and abs(total - way.total.likely) <= printed_step(way) / 2
        assert all(abs(one - run.cost.likely) < printed_step(way) for one, run in zip(parts, way.runs, strict=True))
        largest = max(zip(parts, way.runs, strict=True), key=lambda one: one[0])
        assert usd(largest[0]) == usd(largest[1].cost.likely)


def test_steps_are_those_of_the_currency_shown() -> None:
    with money_in(Money("EUR", 0.5)):
        printed = printed_costs(_way(471_468.5, 38_174.6))
        assert [cost_words(one) for one in printed] == ["\u20ac235.7\u202fk", "\u20ac19.1\u202fk", "\u20ac254.8\u202fk"]
