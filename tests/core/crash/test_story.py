"""How an error came about, as it is written down."""

from __future__ import annotations

import pytest

from core.crash.story import MOST_FRAMES, story_of


def _fall(depth: int) -> None:
    if depth:
        _fall(depth - 1)
    raise ValueError("at the bottom")


def _calls(depth: int) -> tuple[int, str]:
    """How many calls the story of a fall tells, and what it says before them."""
    with pytest.raises(ValueError, match="bottom") as fallen:
        _fall(depth)
    first, *lines = story_of(fallen.value).splitlines()
    return sum(" in _fall" in line for line in (first, *lines)), first


def test_a_story_tells_the_last_calls_and_counts_those_before() -> None:
    within, beyond = _calls(MOST_FRAMES - 2), _calls(MOST_FRAMES + 3)  # and the call of _calls itself
    assert within[0] == MOST_FRAMES - 1 and "calls before" not in within[1]
    assert beyond == (60, "  … 5 calls before")
