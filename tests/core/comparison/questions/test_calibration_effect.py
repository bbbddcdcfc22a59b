"""What accepting a calibration would change, in words."""

from dataclasses import replace

from core.comparison.questions.calibration_effect import effect_words
from core.ranges import Range
from tests.gui.sample_results import sample_results


def test_the_effect_tells_range_days_and_pick() -> None:
    before = sample_results()
    first = next(one for one in before.results if one.throughput.fits and one.days_to_finish is not None)
    speed, days_left = first.throughput.tokens_per_s, first.days_to_finish
    assert days_left is not None
    narrow = replace(first.throughput, tokens_per_s=Range(0.95 * speed.likely, speed.likely, 1.05 * speed.likely))
    later = replace(first, throughput=narrow, days_to_finish=days_left.shifted(4.0))
    after = replace(before, results=tuple(later if one is first else one for one in before.results))
    words = effect_words(before, after, first.candidate.accelerator.id)
    assert words.startswith(f"The {first.candidate.accelerator.short_name} range shrinks from ±")
    assert f"to ±5\u202f%; {first.candidate.name} then ends 4 days later, and the pick stays " in words
