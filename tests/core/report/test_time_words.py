"""How long, or how fast, a table says it: days where the work ends, else tokens per second."""

from dataclasses import replace

import pytest

from core.ranges import Range
from core.report.time_words import time_words, with_days
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


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("read 2026-09-25, again", "read 25 Sep 2026, again"),
        ("(2026-02-10..2026-07-21)", "(10 Feb 2026–21 Jul 2026)"),
        ("data/2026/2026-10-10.csv@ab49c8081 (2026-10-10)", "data/2026/2026-10-10.csv@ab49c8081 (10 Oct 2026)"),
        ("2026-13-40 and a-2026-01-01", "2026-13-40 and a-2026-01-01"),
    ],
)  # fmt: skip
def test_days_are_told_in_words_and_addresses_stay(text: str, told: str) -> None:
    assert with_days(text) == told
