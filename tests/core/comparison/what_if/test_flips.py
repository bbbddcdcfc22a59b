"""Where flips are looked for, on answers that are made up."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

import pytest

from core.comparison.what_if.flips import DEPTH, N_BETWEEN, N_HALVINGS, Flip, FlipEnd, flip_towards, flips, nearest_of
from core.comparison.what_if.inputs import Input
from core.comparison.what_if.study import Study, Verdict

ONE = Input("one", "One", "", 50.0, 40.0, 60.0, 0.0, 100.0, path="weights.cost")
NOTHING = Flip(ONE, None, None)


class MadeUp:
    """A study whose picks follow from one value, and that counts how often it is asked."""

    def __init__(self, pick: Callable[[float], Verdict]) -> None:
        self.pick, self.asked = pick, set[float]()

    def verdict(self, *moves: tuple[Input, float]) -> Verdict:
        value = moves[0][1] if moves else 50.0
        self.asked.add(value)
        return self.pick(value)


def flip_of(made_up: MadeUp, end: float, one: Input = ONE) -> FlipEnd | None:
    return flip_towards(cast(Study, made_up), one, end)


def closer(made_up: MadeUp, told: Flip = NOTHING) -> Flip:
    """What a closer look finds."""
    return nearest_of(cast(Study, made_up), told)


def test_a_first_look_asks_at_the_ends_alone() -> None:
    made_up = MadeUp(lambda value: Verdict("a-1", "a", "A", 10.0 if value < 55 else -16.0))
    assert flip_of(made_up, 100.0) is None
    assert made_up.asked == {50.0, 60.0, 100.0}


@pytest.mark.parametrize("lead_usd", [10.0, -10.0])
def test_a_closer_look_at_what_leads_all_the_way_asks_at_few_values(lead_usd: float) -> None:
    """A pick that is cautious rather than ahead is as clear where it is no further behind."""
    made_up = MadeUp(lambda _: Verdict("a-1", "a", "A", lead_usd))
    assert closer(made_up) == NOTHING
    assert made_up.asked == {50.0, *(50.0 + share for share in (-40, -30, -20, -10, 10, 20, 30, 40))}
    further = MadeUp(lambda value: Verdict("a-1", "a", "A", lead_usd if value < 55 else lead_usd - 6.0))
    assert closer(further) == NOTHING
    assert made_up.asked < further.asked


def test_a_flip_lies_between_the_values_told() -> None:
    made_up = MadeUp(
        lambda value: Verdict("a-1", "a", "A", 77.0 - value) if value < 77 else Verdict("b-1", "b", "B", 1.0)
    )
    end = flip_of(made_up, 100.0)
    assert end is not None
    assert end.before < 77.0 <= end.value
    assert end.value - end.before <= 40.0 / 2**N_HALVINGS
    assert end.new.pick == "b-1"


@pytest.mark.parametrize("is_seen_by", ["another number of chips", "a small lead"])
def test_a_small_island_between_two_values_of_one_chip_is_found(is_seen_by: str) -> None:
    def pick(value: float) -> Verdict:
        if 21 < value < 26:
            return Verdict("b-1", "b", "B", 5.0)
        if is_seen_by == "a small lead":
            return Verdict("a-1", "a", "A", 2.0 if value != 50.0 else 27.0)
        return Verdict("a-1" if value > 26 else "a-8", "a", "A", 27.0)

    end = closer(MadeUp(pick)).down
    assert end is not None
    assert 21 < end.value < 26 <= end.before
    assert end.new.chip == "b"


def test_a_flip_is_held_against_nothing_until_all_options_were_asked() -> None:
    made_up = MadeUp(lambda value: Verdict("a-1" if value < 77 else "b-1", "a" if value < 77 else "b", "A", 20.0))
    (told,) = flips(cast(Study, made_up), [ONE])
    assert told.down is None and told.nearest is told.up is not None
    assert not told.is_checked


def test_looking_between_ends() -> None:
    made_up = MadeUp(lambda value: Verdict(f"a-{value}", "a", "A", 1.0))
    assert closer(made_up) == NOTHING
    assert len(made_up.asked) == 1 + 2 * N_BETWEEN * 2**DEPTH


def test_where_nothing_fits_is_a_flip_and_whole_numbers_lie_side_by_side() -> None:
    chips = Input("chips", "Chips", "", 50.0, 40.0, 60.0, 1.0, 100.0, path="limits.max_chips", is_whole=True)
    made_up = MadeUp(lambda value: Verdict("a-1", "a", "A", None) if value >= 13 else Verdict(None))
    end = flip_of(made_up, 1.0, chips)
    assert end is not None
    assert end.value < 13.0 <= end.before and end.before - end.value <= 39.0 / 2**N_HALVINGS and end.new.pick is None
    assert end.value.is_integer() and end.before.is_integer()


def test_a_closer_look_finds_what_lies_between_two_values_of_a_firm_lead() -> None:
    def pick(value: float) -> Verdict:
        return Verdict("b-1", "b", "B", 5.0) if 70 < value < 85 else Verdict("a-1", "a", "A", 27.0)

    made_up = MadeUp(pick)
    (told,) = flips(cast(Study, made_up), [ONE])
    assert told.nearest is None
    near = closer(made_up, told)
    assert near.down is None and near.up is not None
    assert near.up.before <= 70 < near.up.value < 85


@pytest.mark.parametrize(
    ("end", "asked"), [(60.0, {50.0, 60.0}), (59.0, {50.0, 59.0, 60.0}), (100.0, {50.0, 60.0, 100.0})]
)
def test_a_value_that_is_no_whole_number_is_asked_at_the_range_and_the_end(end: float, asked: set[float]) -> None:
    made_up = MadeUp(lambda _: Verdict("a-1", "a", "A", 10.0))
    assert flip_of(made_up, end) is None
    assert made_up.asked == asked


def test_every_whole_number_near_now_is_asked() -> None:
    """One of them alone may pick something else, and no firm lead beside it rules that out."""
    chips = Input("chips", "Chips", "", 5.0, 4.0, 6.0, 1.0, 100.0, path="limits.max_chips", is_whole=True)
    made_up = MadeUp(lambda _: Verdict("a-1", "a", "A", 50.0))
    assert flip_of(made_up, 8.0, chips) is None and flip_of(made_up, 2.0, chips) is None
    assert made_up.asked == {50.0, 2.0, 3.0, 4.0, 6.0, 7.0, 8.0}
