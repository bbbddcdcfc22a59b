"""Where flips are looked for, on answers that are made up."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

import pytest

from core.comparison.what_if.flips import DEPTH, N_HALVINGS, FlipEnd, flip_towards, flips, nearest_of
from core.comparison.what_if.inputs import Input
from core.comparison.what_if.study import Study, Verdict

ONE = Input("one", "One", "", 50.0, 40.0, 60.0, 0.0, 100.0, path="weights.cost")


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


def test_what_leads_all_the_way_is_asked_at_the_ends_alone() -> None:
    made_up = MadeUp(lambda _: Verdict("a-1", "a", "A", 10.0))
    assert flip_of(made_up, 100.0) is None
    assert made_up.asked == {50.0, 60.0, 100.0}


def test_a_pick_that_is_cautious_rather_than_ahead_is_as_clear_where_it_is_no_further_behind() -> None:
    made_up = MadeUp(lambda _: Verdict("a-1", "a", "A", -10.0))
    assert flip_of(made_up, 100.0) is None
    assert made_up.asked == {50.0, 60.0, 100.0}
    further = MadeUp(lambda value: Verdict("a-1", "a", "A", -10.0 if value < 55 else -16.0))
    assert flip_of(further, 100.0) is None
    assert len(further.asked) > 3


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
def test_an_island_between_two_values_of_one_chip_is_found(is_seen_by: str) -> None:
    def pick(value: float) -> Verdict:
        if 20 < value < 33:
            return Verdict("b-1", "b", "B", 5.0)
        if is_seen_by == "a small lead":
            return Verdict("a-1", "a", "A", 2.0 if value != 50.0 else 27.0)
        return Verdict("a-1" if value > 33 else "a-8", "a", "A", 27.0)

    end = flip_of(MadeUp(pick), 0.0)
    assert end is not None
    assert 20 < end.value < 33 <= end.before
    assert end.new.chip == "b"


def test_a_flip_is_held_against_nothing_until_all_options_were_asked() -> None:
    made_up = MadeUp(lambda value: Verdict("a-1" if value < 77 else "b-1", "a" if value < 77 else "b", "A", 20.0))
    (told,) = flips(cast(Study, made_up), [ONE])
    assert told.down is None and told.nearest is told.up is not None
    assert not told.is_checked


def test_looking_between_ends() -> None:
    made_up = MadeUp(lambda value: Verdict(f"a-{value}", "a", "A", 1.0))
    assert flip_of(made_up, 100.0) is None
    assert len(made_up.asked) <= 1 + 2 * 2**DEPTH


def test_where_nothing_fits_is_a_flip_and_whole_numbers_lie_side_by_side() -> None:
    chips = Input("chips", "Chips", "", 50.0, 40.0, 60.0, 1.0, 100.0, path="limits.max_chips", is_whole=True)
    made_up = MadeUp(lambda value: Verdict("a-1", "a", "A", None) if value >= 13 else Verdict(None))
    end = flip_of(made_up, 1.0, chips)
    assert end is not None
    assert (end.value, end.before, end.new.pick) == (12.0, 13.0, None)


def test_a_closer_look_finds_what_lies_between_two_values_of_a_firm_lead() -> None:
    def pick(value: float) -> Verdict:
        return Verdict("b-1", "b", "B", 5.0) if 70 < value < 85 else Verdict("a-1", "a", "A", 27.0)

    made_up = MadeUp(pick)
    (told,) = flips(cast(Study, made_up), [ONE])
    assert told.nearest is None
    closer = nearest_of(cast(Study, made_up), told)
    assert closer.down is None and closer.up is not None
    assert closer.up.before <= 70 < closer.up.value < 85


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
    assert made_up.asked == {50.0, *map(float, range(2, 9))}
