"""Values as they are told: the nearest one, and the next one further away from now."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.comparison.what_if.checked import _digit, _printed_beyond, as_printed
from core.comparison.what_if.inputs import _FIELDS, Input

ONE = Input("job.n_tokens", "Tokens", "", 100.0, 80.0, 125.0, 0.0, 1e9)
WHOLE = replace(ONE, is_whole=True)
WISH = replace(ONE, id="weights.cost", least=0.0, most=100.0)


@pytest.mark.parametrize(
    ("one", "value", "apart"),
    [(ONE, 0.0512, 0.0001), (ONE, 5.0, 0.01), (ONE, 12.3, 0.1), (ONE, 1234.0, 10.0), (ONE, 0.0, 0.01),
     (WHOLE, 5.0, 1.0), (WHOLE, 12345.0, 100.0)],
)  # fmt: skip
def test_values_are_told_to_three_digits(one: Input, value: float, apart: float) -> None:
    assert _digit(one, value) == pytest.approx(apart)


@pytest.mark.parametrize(
    ("value", "near", "beyond"),
    [(123.4, 123.0, 124.0), (123.6, 124.0, 124.0), (56.74, 56.7, 56.7), (56.77, 56.8, 56.7)],
)
def test_the_next_value_lies_away_from_now(value: float, near: float, beyond: float) -> None:
    """Now is 100: above it values are rounded up, below it down."""
    assert (as_printed(ONE, value), _printed_beyond(ONE, value)) == (pytest.approx(near), pytest.approx(beyond))


@pytest.mark.parametrize(("value", "near"), [(33.4, 33.0), (33.6, 34.0), (0.4, 0.0)])
def test_a_wish_is_told_in_whole_points(value: float, near: float) -> None:
    assert as_printed(WISH, value) == near


ASKED_APART = {
    "job.n_runs": (0.2, 10.0), "job.months": (0.1, 5.0), "limits.max_chips": (0.01, 8.0),
    "owning.life_years": (0.4, 2.0), "owning.pue": (0.7, 1.6),
}  # fmt: skip
"""What is not asked about as far down as up."""
NEVER_LESS = ("job.n_runs", "job.min_replicas")


@pytest.mark.parametrize("path", _FIELDS)
def test_a_usual_range_holds_the_value_and_lies_within_what_is_asked(path: str) -> None:
    usual = _FIELDS[path]
    assert 0.0 < usual.least < usual.low <= 1.0 < usual.high <= 2.0 and usual.high < usual.most
    if path in ASKED_APART:
        assert (usual.least, usual.most) == ASKED_APART[path]
    else:
        assert usual.least * usual.most == pytest.approx(1.0)
    if path in NEVER_LESS:
        assert (usual.low, usual.high) == (1.0, 2.0)
    else:
        assert 0.75 <= usual.low * usual.high <= 1.13
