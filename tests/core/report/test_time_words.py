"""How long, or how fast, a table says it: days where the work ends, else tokens per second."""

from dataclasses import replace

import pytest

from core.ranges import Range
from core.report.time_words import time_words
from core.units import THIN, days_span, days_text, span


def test_work_that_ends_tells_its_days(results) -> None:
    first = results["train"].results[0]
    days = first.days_to_finish
    assert days is not None
    assert time_words(first) == (days_text(days.likely), days_span(days.low, days.high))


@pytest.mark.parametrize(
    ("value", "words"), [(9.95, "10"), (9.94, "9.9"), (1234.0, f"1{THIN}234"), (0.5, "0.5"), (10.0, "10")]
)
def test_a_speed_is_whole_from_ten_on(results, value: float, words: str) -> None:
    serving = results["serve"].results[0]
    speed = replace(serving.throughput, tokens_per_s=Range(0.5, value, 2e6))
    told = time_words(replace(serving, throughput=speed))
    assert told == (words, span("0.5", f"2{THIN}000{THIN}000"))
