"""What the verdict strip says."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from core.comparison.result import AdviceRule, ResultSet
from core.ranges import Evidence, Range
from core.units import DASH, THIN, Money, money_in
from core.workload.jobs.kinds import BatchInference
from gui.frame.verdict_text import Verdict, verdict
from tests.gui.sample_results import empty_results, sample_results

TODAY = date(2026, 11, 21)


def shown(total: Range) -> Verdict:
    results = sample_results()
    first = results.results[0]
    cheaper = replace(first, cost=replace(first.cost, total=total))
    return verdict(replace(results, results=(cheaper, *results.results[1:])), TODAY)


@pytest.mark.parametrize(
    ("total", "value", "note"),
    [
        (Range(1.34e6, 1.48e6, 1.68e6), f"$1.48{THIN}M", "1.34–1.68"),
        (Range(355e3, 511e3, 839e3), f"$511{THIN}k", "355–839"),
        (Range(9.1e6, 12e6, 15.2e6), f"$12{THIN}M", "9.1–15.2"),
        (Range(900e3, 999e3, 1.2e6), f"$999{THIN}k", "900–1\u202f200"),
    ],
)
def test_a_range_is_in_the_scale_of_its_value(total: Range, value: str, note: str) -> None:
    kpi = shown(total).kpis[0]
    assert kpi.value == value
    assert kpi.note == f"{note}, 80{THIN}% range"


def test_training_ends_on_a_day_and_has_days_to_spare() -> None:
    finish = verdict(sample_results(), TODAY).kpis[1]
    assert finish.title == "Finish"
    assert finish.value == "6 Jan 2027"
    assert finish.spare == ", 24 days spare"


def test_serving_has_a_bill_a_month_and_a_speed() -> None:
    titles = [kpi.title for kpi in verdict(sample_results(serving=True), TODAY).kpis]
    assert titles == ["Cost per month", "Speed", "Keeps limits", "Best", "If wrong"]


def test_a_batch_is_told_by_its_hours_and_its_window() -> None:
    results = sample_results(serving=True)
    batch = results.profile.model_copy(update={"job": BatchInference(requests_per_batch=1e6, window_h=6.0)})
    pick = results.results[0]
    slow = replace(pick, run_h=Range(1.24, 2.0, 4.91), throughput=replace(pick.throughput, unit="samples"))
    kpi = verdict(replace(results, profile=batch, results=(slow, *results.results[1:])), TODAY).kpis[1]
    assert (kpi.title, kpi.value) == ("A batch takes", f"2{THIN}h")
    assert (kpi.note, kpi.spare) == (f"1.2{DASH}4.9{THIN}h", f", window 6{THIN}h")


def test_too_little_known_shows_no_figures() -> None:
    found = verdict(empty_results(), TODAY)
    assert found.kpis == ()
    assert found.headline.startswith("Fill in ")


def test_nothing_fits_is_said_without_figures() -> None:
    results = sample_results()
    advice = replace(results.recommendation, choice=None, headline="No option meets every limit. Nearest: 288 chips.")
    found = verdict(replace(results, recommendation=advice), TODAY)
    assert found.headline == "No option meets every limit. Nearest: 288 chips."
    assert found.kpis == ()


def test_advice_is_told_in_the_words_of_the_rules_and_as_divided_where_it_is() -> None:
    rule = AdviceRule("R01", "Framework runs", "gpu", "So", True, "Framework fit")
    against = replace(rule, rule="R03", title="Recipe is frozen", favours="tpu", agrees=False)
    agreed = verdict(replace(sample_results(), advice=(rule, against), advice_conflicts=()), TODAY)
    assert ("Common advice agrees on 1 of 2 rules", "") in agreed.facts
    assert agreed.advice_tip == "Agree: Framework runs\nDisagree: Recipe is frozen"
    words = "Framework fit says GPU; workload maturity says TPU"
    divided = verdict(replace(sample_results(), advice=(rule, against), advice_conflicts=(words,)), TODAY)
    assert ("Common advice divided, 1 of 2 rules agree", "") in divided.facts
    assert divided.advice_tip.startswith(f"{words}.\n")


def _dated(as_of: str) -> ResultSet:
    """Results whose pick has a price of that date; the others were read on 1 Nov 2026."""
    results = sample_results()
    first = results.results[0]
    offer = first.candidate.offer.model_copy(update={"as_of": as_of})
    changed = replace(first, candidate=replace(first.candidate, offer=offer))
    return replace(results, results=(changed, *results.results[1:]))


def test_the_oldest_price_is_told_and_flagged_by_the_days_of_the_plan() -> None:
    old, fresh = verdict(_dated("2026-08-22"), TODAY), verdict(_dated("2026-08-23"), TODAY)
    assert (old.price, old.price_is_old) == ("Oldest price 22 Aug 2026", True)
    assert (fresh.price, fresh.price_is_old) == ("Oldest price 23 Aug 2026", False)
    assert verdict(_dated("2026-08-23"), TODAY, old_price_days=30).price_is_old
    assert not verdict(_dated("2025-12-01"), TODAY, old_price_days=365).price_is_old
    assert "over 90 days old" in old.price_tip


def test_an_undated_price_is_counted_and_not_taken_for_fresh() -> None:
    found = verdict(_dated("undated v8"), TODAY)
    assert found.price == "Oldest price 1 Nov 2026, 1 undated"
    assert found.price_is_old


def test_a_range_of_money_follows_the_currency() -> None:
    with money_in(Money("EUR", 0.5)):
        kpi = shown(Range(1.34e6, 1.48e6, 1.68e6)).kpis[0]
    assert kpi.value == f"€740{THIN}k"
    assert kpi.note == f"670–840, 80{THIN}% range"


@pytest.mark.parametrize(("spare", "words"), [(1.0, ", 1 day spare"), (2.0, ", 2 days spare"), (0.2, ", 0 days spare")])
def test_days_to_spare_agree_with_their_number(spare: float, words: str) -> None:
    results = sample_results()
    deadline = results.profile.limits.deadline_days
    first = results.results[0]
    first = replace(first, days_to_finish=Range(deadline - spare, deadline - spare, deadline - spare))
    told = verdict(replace(results, results=(first, *results.results[1:])), TODAY)
    assert told.kpis[1].spare == words


def test_a_finish_in_the_year_4447_is_over_a_century() -> None:
    results = sample_results()
    first = replace(results.results[0], days_to_finish=Range(8e5, 884_000.0, 1e12))
    told = verdict(replace(results, results=(first, *results.results[1:])), TODAY)
    assert (told.kpis[1].value, told.kpis[1].note) == ("over a century", "")


def test_the_date_of_the_oldest_price_says_what_it_is_also_in_few_words() -> None:
    assert Verdict("", price="Oldest price 25 Sep 2026").price_brief == "Price 25 Sep 2026"
    assert (
        Verdict("", price="Oldest price H1 2026, pick: second-hand").price_brief == "Price H1 2026, pick: second-hand"
    )
    assert Verdict("", price="No price is dated").price_brief == "No price is dated"


@pytest.mark.parametrize(
    ("status", "price", "evidence", "first"),
    [
        ("attested", "first-hand", Evidence.MODELLED, "Best: "),
        ("plausible", "first-hand", Evidence.VENDOR, "Best if its speed holds: "),
        ("attested", "one source", Evidence.MODELLED, "Best if its price holds: "),
        ("attested", "estimate", Evidence.ESTIMATE, "Best if its price and speed hold: "),
        ("on paper", "first-hand", Evidence.MODELLED, "Nearest, on paper: "),
    ],
)
def test_the_few_words_name_the_doubt_too(status: str, price: str, evidence: Evidence, first: str) -> None:
    """Where the strip has no room for the headline it told a pick whose speed nobody has measured as the best."""
    results = sample_results()
    results = replace(results, recommendation=replace(results.recommendation, too_close=False))
    pick = results.results[0]
    had = replace(pick.obtainable, status=status, price=price)
    pick = replace(pick, obtainable=had, throughput=replace(pick.throughput, evidence=evidence))
    told = verdict(replace(results, results=(pick, *results.results[1:])), TODAY)
    assert told.brief.startswith(f"{first}{pick.candidate.name}, ")
