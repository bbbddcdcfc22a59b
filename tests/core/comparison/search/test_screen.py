"""How many offers a reason stands for, told and taken back."""

from __future__ import annotations

from core.amounts import USD, Amount, Sentence
from core.comparison.search.screen import counted, of_one
from core.throughput.types import Reason

SPOT = Reason("purchase", "Paid as spot, which is not allowed", "Allow spot")
LATE = Reason("deadline", "3 days past the deadline.", "")


def test_the_first_reason_says_for_how_many_offers_it_stands() -> None:
    first, second = counted((SPOT, LATE), 30)
    assert str(first.text) == "Paid as spot, which is not allowed (30 offers)." and second is LATE
    assert counted((SPOT, LATE), 1) == (SPOT, LATE)


def test_of_one_option_it_is_told_without_them() -> None:
    first, second = map(of_one, counted((SPOT, LATE), 30))
    assert str(first.text) == "Paid as spot, which is not allowed." and first.nearest_change == "Allow spot"
    assert second is LATE and of_one(SPOT) is SPOT
    over = Reason("budget", Sentence("{} over budget.", Amount(4130.0, USD)), "")
    assert of_one(over) is over
    (told,) = map(of_one, counted((over,), 2))
    assert str(told.text) == str(over.text)
