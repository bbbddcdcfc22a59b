"""Numbers as they are typed and shown in a form."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pytestqt.qtbot import QtBot

from core.plan.edit import set_value
from core.plan.fields import FieldInfo, fields
from core.workload.jobs.kinds import FineTuning
from core.workload.profile import Profile
from gui.forms.number_text import example, shown_number, typed_number
from gui.forms.typed_editors import NumberEditor

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
        ("2,625", 1e12, 2.625e12),
        ("2,625 million", 1.0, 2.625e6),
        ("2,625", 1.0, 2625.0),
    ],
)
def test_typed_numbers(text: str, scale: float, value: float) -> None:
    assert typed_number(TOKENS, text, scale) == pytest.approx(value)


@pytest.mark.parametrize("text", ["", "abc", "12 x", "--3"])
def test_text_that_is_no_number_is_refused_in_words(text: str) -> None:
    with pytest.raises(ValueError, match=r"number"):
        typed_number(TOKENS, text, 1.0)


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("job.n_tokens", "such as 1 trillion tokens"),
        ("limits.deadline_days", "is not a number above 0 up to 3\u202f650, such as 60 days"),
        ("weights.cost", "is not a number from 0 to 100, such as 50"),
        ("stack.matrix_pct", "such as 50 %"),
        ("stack.software_month", "is not a whole number from 1 to 12, such as 6"),
        ("limits.budget_usd", "such as 120\u202f000 $"),
    ],
)
def test_the_example_fits_the_field(path: str, words: str) -> None:
    """Every field said "such as 8192, 1.2 trillion or 15T"."""
    with pytest.raises(ValueError, match=re.escape("'12 x' is not a ")) as refused:
        typed_number(INFOS[path], "12 x", 1.0)
    assert str(refused.value).endswith(words)


@pytest.mark.parametrize("path", [path for path, info in INFOS.items() if info.type in ("number", "whole")])
def test_every_example_can_be_typed(path: str) -> None:
    info = INFOS[path]
    value = typed_number(info, example(info), 1.0)
    assert value is not None and value > 0
    set_value(Profile(), path, value)


@pytest.mark.parametrize(
    ("path", "text", "value"),
    [
        ("limits.deadline_days", "60 days", 60),
        ("limits.deadline_days", "1 Day", 1),
        ("stack.matrix_pct", "50%", 50),
        ("stack.matrix_pct", "50 %", 50),
        ("limits.budget_usd", "3 M$", 3e6),
        ("limits.budget_usd", "$3M", 3e6),
        ("job.n_tokens", "15T tokens", 15e12),
        ("job.storage_gb_per_s", "3.5 GB/s", 3.5),
    ],
)
def test_the_unit_of_the_field_may_be_typed(path: str, text: str, value: float) -> None:
    assert typed_number(INFOS[path], text, 1.0) == value


def test_a_number_with_its_unit_is_taken_as_it_stands() -> None:
    assert typed_number(TOKENS, "1.5 tokens", 1e12) == 1.5


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


def test_what_a_doubtful_comma_is_read_as_stands_beside_it(qtbot: QtBot) -> None:
    editor = NumberEditor(LENGTH)
    qtbot.addWidget(editor)
    editor.show_value(4096)
    editor.line.clear()
    qtbot.keyClicks(editor.line, "2,74")
    assert editor.line.suffix == "tokens"
    qtbot.keyClicks(editor.line, "9")
    assert editor.line.suffix == "= 2\u202f749 tokens"
    qtbot.keyClicks(editor.line, "6")
    assert editor.line.suffix == "tokens"


@pytest.mark.parametrize(("typed", "stored"), [("30", 0.3), ("7 %", 0.07), ("0", 0.0), ("12.5%", 0.125), ("29", 0.29)])
def test_padding_is_typed_and_shown_in_percent(typed: str, stored: float) -> None:
    padding = {info.path: info for info in fields(Profile(job=FineTuning()))}["job.padding_share"]
    assert typed_number(padding, typed, 1.0) == stored
    shown = shown_number(padding, stored)
    assert (shown.text, shown.suffix) == (typed.removesuffix("%").strip(), "%")
    assert example(padding) == "50 %"
