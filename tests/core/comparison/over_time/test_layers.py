"""Which chips phases share, by hand."""

from __future__ import annotations

from core.comparison.over_time.layers import layers


def test_what_two_phases_need_lies_in_both_and_the_rest_in_one() -> None:
    assert list(layers([("a", 4), ("a", 10), ("a", 4)])) == [(4, [0, 1, 2]), (6, [1])]


def test_other_offers_share_nothing() -> None:
    assert list(layers([("a", 4), ("b", 4), ("a", 6)])) == [(4, [0, 2]), (2, [2]), (4, [1])]


def test_nothing_is_needed_without_phases() -> None:
    assert list(layers([])) == []
