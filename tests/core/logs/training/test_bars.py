"""Progress bars of a program that trains."""

from __future__ import annotations

import pytest

from core.logs.training.bars import LossBars, clock_s


def _bar(total: int) -> str:
    return f" 50%|#####     | 5/{total} [00:10<00:10,  2.00s/it]"


def test_bars_of_many_totals_are_kept_up_to_a_limit() -> None:
    for n_before, is_kept in ((49, True), (50, False)):
        bars = LossBars()
        for number, total in enumerate(range(100, 101 + n_before)):
            assert bars.take(number, _bar(total))
        bars.vote()
        assert bool(bars.rows()) is is_kept


@pytest.mark.parametrize(("text", "seconds"), [("1:42:42", 6162.0), ("00:10", 10.0), ("7", 7.0)])
def test_a_clock_is_read_in_seconds(text: str, seconds: float) -> None:
    assert clock_s(text) == seconds
