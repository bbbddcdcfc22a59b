"""Short texts of charts: money on one scale, days, reasons; and which candidates a chart shows."""

from dataclasses import replace

import pytest

from core.ranges import Range
from core.throughput.types import Reason
from core.units import THIN, Money, days_text, money_in
from gui.charts.figure.shown import WAITING, empty_sentence, shown_results, subject
from gui.charts.figure.texts import money_scale, reason_text
from tests.gui.sample_results import sample_results


@pytest.mark.parametrize(
    ("largest_usd", "divisor", "short", "text"),
    [
        (9.995e8, 1e9, "$B", "1.00"),
        (9.99e8, 1e6, "$M", "999"),
        (1e6, 1e6, "$M", "1.00"),
        (12.3e6, 1e6, "$M", "12.3"),
        (9.99e6, 1e6, "$M", "9.99"),
        (516e3, 1e3, "$k", "516"),
        (999.6, 1e3, "$k", "1.00"),
        (516.0, 1.0, "$", "516"),
        (99.4, 1.0, "$", "99.40"),
        (0.0, 1.0, "$", "0.00"),
    ],
)
def test_money_is_told_in_the_largest_unit_that_sentences_use_too(
    largest_usd: float, divisor: float, short: str, text: str
) -> None:
    scale = money_scale(largest_usd)
    assert (scale.divisor, scale.short, scale.text(largest_usd)) == (divisor, short, text)


def test_money_is_scaled_by_what_it_comes_to_in_the_currency_shown() -> None:
    """At 8 to the dollar 70,000 USD are 560,000: 560 thousand, as in a sentence."""
    with money_in(Money("HKD", 8.0)):
        scale = money_scale(70_000.0)
        assert (scale.divisor, scale.text(70_000.0)) == (125.0, "560")


def test_a_range_of_money_has_both_its_ends() -> None:
    assert money_scale(2e6).range_text(Range(1.34e6, 1.5e6, 1.68e6)) == "1.34–1.68"


@pytest.mark.parametrize(
    ("days", "text"), [(1234.0, f"1{THIN}234"), (9.95, "10"), (9.94, "9.9"), (0.05, "0.1"), (0.04, "0.04"), (0.0, "0")]
)
def test_days_have_a_decimal_below_ten(days: float, text: str) -> None:
    assert days_text(days) == text


@pytest.mark.parametrize(
    ("text", "change", "words"),
    [
        ("Too late.", "Fits with 8", "Too late. Fits with 8."),
        ("Too late", "", "Too late."),
        ("Why?", "Ask!", "Why? Ask!"),
    ],
)
def test_the_first_reason_is_told_with_its_change_in_sentences(text: str, change: str, words: str) -> None:
    result = replace(sample_results().results[0], reasons=(Reason("a", text, change), Reason("b", "Other.")))
    assert reason_text(result) == words
    assert reason_text(replace(result, reasons=())) == ""


def test_nine_that_fit_are_shown_and_twelve_in_all_with_whoever_is_asked_for() -> None:
    """The same chip again, dearer, is not among the best of each."""
    made = sample_results()
    last = made.results[-1]
    again = [replace(last, candidate=replace(last.candidate, id=f"again-{n}")) for n in range(2)]
    results = replace(made, results=(*made.results, *again))
    shown = shown_results(results)
    feasible = [result for result in shown if result.feasible]
    assert len(feasible) == min(9, sum(result.feasible for result in results.best_per_accelerator))
    assert len(shown) <= 12 and shown == [*feasible, *(result for result in shown if not result.feasible)]
    assert len({result.id for result in shown}) == len(shown)
    asked = shown_results(results, "again-1", ("again-0", shown[0].id, "nobody", "again-1"))
    assert [result.id for result in asked] == [*(result.id for result in shown), "again-1", "again-0"]


def test_the_selected_is_the_subject_then_the_pick_then_the_first() -> None:
    results = sample_results()
    second = results.results[1]
    assert subject(results, second.id) == second
    assert subject(results, "nobody") == subject(results, None) == results.choice
    nobody = replace(results, recommendation=replace(results.recommendation, choice=None))
    assert subject(nobody, None) == results.results[0]
    near = replace(nobody, recommendation=replace(nobody.recommendation, nearest=second.id))
    assert subject(near, None) == near.nearest == second
    assert subject(replace(nobody, results=()), None) is None


@pytest.mark.parametrize(
    ("missing", "words"),
    [
        (("Tokens",), "Fill in tokens to see a ranking"),
        (("Tokens", "Model"), "Fill in tokens and model to see a ranking"),
        (("Tokens", "Model", "Job"), "Fill in tokens, model and job to see a ranking"),
    ],
)
def test_what_is_missing_is_listed(missing: tuple[str, ...], words: str) -> None:
    results = sample_results()
    assert empty_sentence(results) == ""
    empty = replace(results, results=(), missing=missing)
    assert empty_sentence(empty) == words
    silent = replace(empty, missing=(), recommendation=replace(results.recommendation, headline=""))
    assert empty_sentence(silent) == WAITING
