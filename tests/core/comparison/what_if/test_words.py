"""Inputs and their values as they are read."""

from __future__ import annotations

import pytest

from core.comparison.what_if.flips import Flip, FlipEnd
from core.comparison.what_if.inputs import Input
from core.comparison.what_if.study import Verdict
from core.comparison.what_if.words import flip_words, now_words, range_text, title_of
from core.units import DASH, MINUS, THIN


def _limit(now_ms: float) -> Input:
    ends = (0.7 * now_ms, 1.5 * now_ms, 0.2 * now_ms, 5 * now_ms)
    return Input("job.ttft_limit_ms", "Answer within", "ms", now_ms, *ends, path="job.ttft_limit_ms")


@pytest.mark.parametrize(
    ("now_ms", "title", "now", "reach"),
    [
        (300.0, "Answer within, ms", "300", f"210{DASH}450"),
        (30_000.0, "Answer within", f"30{THIN}s", f"21{DASH}45{THIN}s"),
        (240_000.0, "Answer within", f"4{THIN}min", f"2{THIN}min 48{THIN}s{DASH}6{THIN}min"),
        (200_000.0, "Answer within", f"3{THIN}min 20{THIN}s", f"2{THIN}min 20{THIN}s{DASH}5{THIN}min"),
        (190_000.0, "Answer within", f"3{THIN}min 10{THIN}s", f"2{THIN}min 13{THIN}s{DASH}4{THIN}min 45{THIN}s"),
    ],
)
def test_long_times_are_read_in_seconds_and_minutes(now_ms: float, title: str, now: str, reach: str) -> None:
    one = _limit(now_ms)
    assert (title_of(one), str(now_words(one)), range_text(one)) == (title, now, reach)


def test_a_flip_of_a_long_time_says_how_far_it_is() -> None:
    flip = Flip(_limit(240_000.0), FlipEnd(204_000.0, 205_000.0, Verdict("b")), None)
    assert str(flip_words(flip.input, flip)) == f"3{THIN}min 24{THIN}s, {MINUS}15{THIN}%"
