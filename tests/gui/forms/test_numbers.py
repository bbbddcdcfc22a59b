"""Numbers as they are typed and shown in a form."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.plan.fields import FieldInfo, fields
from core.workload.profile import Profile
from gui.forms.number_text import shown_number, typed_number

INFOS = {info.path: info for info in fields(Profile())}
TOKENS = INFOS["job.n_tokens"]
LENGTH = INFOS["job.sequence_length"]
BUDGET = INFOS["limits.budget_usd"]


def test_large_numbers_carry_their_scale_in_the_suffix() -> None:
    shown = shown_number(TOKENS, 1.2e12)
    assert (shown.text, shown.suffix, shown.scale) == ("1.2", "trillion tokens", 1e12)
    assert shown_number(BUDGET, 3e6).suffix == "million $"
    assert shown_number(LENGTH, 8192).text == "8\u202f192"
    assert shown_number(BUDGET, None).text == ""


@pytest.mark.parametrize(
    ("text", "scale", "value"),
    [
        ("1.5", 1e12, 1.5e12),
        ("15T", 1e12, 1.5e13),
        ("1.2 trillion", 1.0, 1.2e12),
        ("300 billion", 1e12, 3e11),
        ("2e12", 1e12, 2e12),
        ("1500000000", 1e12, 1.5e9),
        ("8 192", 1.0, 8192.0),
        ("1,5", 1e12, 1.5e12),
    ],
)
def test_typed_numbers(text: str, scale: float, value: float) -> None:
    assert typed_number(TOKENS, text, scale) == pytest.approx(value)


@pytest.mark.parametrize("text", ["", "abc", "12 x", "--3"])
def test_text_that_is_no_number_is_refused_in_words(text: str) -> None:
    with pytest.raises(ValueError, match=r"number"):
        typed_number(TOKENS, text, 1.0)


def test_whole_fields_refuse_fractions() -> None:
    with pytest.raises(ValueError, match="whole number"):
        typed_number(LENGTH, "12.5", 1.0)
    assert typed_number(LENGTH, "8k", 1.0) == 8000


def test_an_empty_limit_is_no_limit() -> None:
    assert typed_number(BUDGET, "  ", 1e6) is None


@pytest.mark.parametrize("info", [TOKENS, LENGTH, BUDGET])
@given(value=st.integers(min_value=1, max_value=10**15))
def test_what_is_shown_reads_back_as_the_same_value(info: FieldInfo, value: int) -> None:
    shown = shown_number(info, value)
    assert typed_number(info, shown.text, shown.scale) == pytest.approx(value, rel=1e-11, abs=0.5)
