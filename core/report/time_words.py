"""How long a candidate takes, or how fast it is, as a table says it on paper and in a terminal."""

from __future__ import annotations

from core.comparison.result import CandidateResult
from core.units import days_span, days_text, grouped, plain, span


def time_words(result: CandidateResult) -> tuple[str, str]:
    """Likely value and range of the days to finish where the work ends, else of tokens or samples per second."""
    if days := result.days_to_finish:
        return days_text(days.likely), days_span(days.low, days.high)
    speed = result.throughput.tokens_per_s
    return _short(speed.likely), span(_short(speed.low), _short(speed.high))


def _short(value: float) -> str:
    """Whole from 10 on, two digits below."""
    return grouped(value) if value >= 9.95 else plain(value, 2)
