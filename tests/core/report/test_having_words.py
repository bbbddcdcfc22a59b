"""What a seller is asked: short questions beside a lead, and a letter that can be sent as it is."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from core.catalogue.loading import load_catalogue
from core.comparison.evaluate import evaluate
from core.comparison.result import CandidateResult, Lead, ResultSet
from core.report.having_words import (
    _limits_words,
    ask_words,
    caution_words,
    having_line,
    lead_lines,
    letter_words,
    risk_words,
    rival_line,
    saving_words,
    sources_line,
)
from core.units import hundredth, in_hundred
from core.workload.library import more_profiles

LEAD = Lead("a", 1e5, None, ("size", "price", "speed"), 2.0)


@pytest.fixture
def pick(results: dict[str, ResultSet]) -> CandidateResult:
    found = results["train"].choice
    assert found is not None
    return found


def _of(pick: CandidateResult, n_chips: int) -> CandidateResult:
    return replace(pick, candidate=replace(pick.candidate, n_chips=n_chips))


@pytest.mark.parametrize(
    ("n_chips", "asks", "has"), [(1, "Is 1 free", "Can it be had?"), (64, "Are 64 free", "64 at once?")]
)
def test_a_seller_is_asked_for_one_or_for_many(pick: CandidateResult, n_chips: int, asks: str, has: str) -> None:
    letter = letter_words(_of(pick, n_chips), LEAD, date(2027, 1, 4))
    assert letter.startswith(f"We need {n_chips} × {pick.candidate.accelerator.short_name}")
    assert "from 4 Jan 2027, paid " in letter and f" {asks} at once, and from which day? At what price" in letter
    assert letter.endswith("with this kind of model?")
    assert ask_words(_of(pick, n_chips), LEAD) == f"{has} At what price? A measured speed?"


def test_one_network_is_asked_for_where_the_chips_are_joined(pick: CandidateResult) -> None:
    for is_joined in (False, True):
        told = letter_words(
            replace(pick, obtainable=replace(pick.obtainable, is_joined=is_joined)), LEAD, date(2027, 1, 4)
        )
        assert (" on one network from " in told) == is_joined


def test_what_is_from_memory_is_marked_unless_it_is_attested(pick: CandidateResult) -> None:
    for status, estimate, marked in (("attested", True, False), ("plausible", True, True), ("plausible", False, False)):
        having = replace(pick.obtainable, status=status, estimate=estimate)
        assert ("(from memory)" in having_line(replace(pick, obtainable=having))) == marked
    assert sources_line(replace(pick, obtainable=replace(pick.obtainable, source="A+B"))) == "Sources: A, B"
    assert sources_line(replace(pick, obtainable=replace(pick.obtainable, source=""))) == ""


def test_each_lead_is_a_sentence(results: dict[str, ResultSet]) -> None:
    known = results["train"]
    assert len(lead_lines(known)) == len(known.recommendation.leads) > 0
    risky = [lead for lead in known.recommendation.leads if risk_words(known, lead)]
    told = [line for line in lead_lines(known) if "the limits in" in line]
    assert len(told) == len(risky) > 0
    assert all(line.endswith(f", the pick in {hundredth(known.choice.chance.in_limits)}.") for line in told)
    gone = replace(known.recommendation, leads=(replace(known.recommendation.leads[0], id="gone"),))
    assert lead_lines(replace(known, recommendation=gone)) == ()


@pytest.mark.parametrize(
    ("worst_pct", "words"),
    [
        (100.0, "the mean of all outcomes"), (33.4, "the worst third of outcomes"),
        (50.0, "the worse half of outcomes"), (20.0, "the worst 20\u202f% of outcomes"),
    ],
)  # fmt: skip
def test_outcomes_are_told_by_their_share(worst_pct: float, words: str) -> None:
    assert caution_words(worst_pct) == words


def test_limits_that_are_set_stand_in_one_list(pick: CandidateResult) -> None:
    assert pick.chance is not None
    for shares, words in (
        ({}, ""), ({"budget": 0.5}, "the budget"), ({"deadline": 0.0, "budget": 0.5}, "the deadline and the budget"),
        ({"deadline": 0.9, "latency": 0.5, "window": 0.1}, "the deadline, the latency limits and the window"),
        ({"latency": 0.9, "peak": 0.5}, "the latency limits and the peak load"),
    ):  # fmt: skip
        none = dict.fromkeys(("deadline", "budget", "latency", "peak", "window"))
        assert _limits_words(replace(pick.chance, **none | shares)) == words


@pytest.mark.parametrize(
    ("usd", "days", "words"),
    [
        (3e5, None, "saves $300\u202fk"), (-3e5, 4.0, "costs $300\u202fk more, 4 days sooner"),
        (3e5, -1.0, "saves $300\u202fk, 1 day later"), (3e5, 0.9, "saves $300\u202fk"),
        (3e5, 1.0, "saves $300\u202fk, 1 day sooner"),
    ],
)  # fmt: skip
def test_savings_are_told_with_what_they_do_to_the_date(usd: float, days: float | None, words: str) -> None:
    assert saving_words(replace(LEAD, saving_usd=usd, saving_days=days)) == words


@pytest.mark.parametrize(
    ("usd", "faster", "words"),
    [
        (-493.0, 0.12, "costs $493 more over 12 months, 12\u202f% faster"),
        (3e5, -0.2, "saves $300\u202fk over 12 months, 25\u202f% slower"),
        (3e5, 0.02, "saves $300\u202fk over 12 months"),
    ],
)
def test_savings_of_a_service_are_told_with_the_term_and_what_they_do_to_the_speed(
    usd: float, faster: float, words: str
) -> None:
    assert saving_words(replace(LEAD, saving_usd=usd, faster_share=faster), " over 12 months") == words


def test_a_runner_up_that_wins_more_often_but_misses_its_limits_says_so() -> None:
    """The pick for pairs is better in 45 of 100 draws only; why it is the pick, the line did not tell."""
    results = evaluate(more_profiles()["preference-pairs"], load_catalogue())
    rival, pick = results.by_id[results.recommendation.runner_up or ""], results.choice
    assert pick is not None and pick.chance is not None and rival.chance is not None
    told = f"; it keeps the limits in {in_hundred(rival.chance.in_limits)}; the pick is better in"
    assert rival.chance.in_limits < pick.chance.in_limits - 0.1 and told in rival_line(results)
