"""Sentences of the report on waits, losses and the day of a service."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from core.comparison.result import CandidateResult
from core.report.run_words import _stops, losses_sentences, replica_words, run_sentences
from core.throughput.types import Layout
from core.units import THIN
from tests.core.report.attacker import texts_of


def test_a_training_pick_tells_its_goodput_and_best_interval(plan, results) -> None:
    pick = results["train"].choice
    (told,) = run_sentences(plan.profiles[0], pick)
    assert told.startswith("Goodput 9") and "loses least" in told


@pytest.mark.parametrize(
    ("goodput", "stops_per_day", "words"),
    [(0.98765, 2.345, "Goodput 98.8|%: 2.3 stops a day with 12|h"), (0.5, 1.0, "Goodput 50|%: 1 stop a day with 12|h"),
     (0.01, 99.9, "Goodput 1|%: 100 stops a day with 12|h"), (0.01, 100.0, "Goodput 1|%: constant stops with 12|h")],
)  # fmt: skip
def test_losses_are_told_to_three_digits(results, goodput: float, stops_per_day: float, words: str) -> None:
    pick = results["train"].choice
    losses = dataclasses.replace(
        pick.losses, goodput=goodput, stops_per_day=stops_per_day, restart_h=12.0, save_s=1.234, best_interval_h=0.5
    )
    (told,) = losses_sentences(dataclasses.replace(pick, losses=losses))
    assert told.startswith(words.replace("|", THIN) + " to train again, ")
    assert f" 1.2{THIN}s of standing still" in told and f"a state every 30{THIN}min loses least" in told
    assert losses_sentences(dataclasses.replace(pick, losses=None)) == ()


@pytest.mark.parametrize(
    ("per_day", "words"),
    [(0.0, "0 stops a day"), (0.25, "one stop in 4|d"), (1.0, "1 stop a day"), (2.5, "2.5 stops a day")],
)
def test_stops_are_told_by_the_day_or_in_so_many_days(per_day: float, words: str) -> None:
    assert _stops(per_day) == words.replace("|", THIN)


def test_waits_come_first(plan, results) -> None:
    pick = results["train"].choice
    speed = dataclasses.replace(pick.throughput, notes=("Waits for storage: 5 come", "FP8 is not there"))
    told = run_sentences(plan.profiles[0], dataclasses.replace(pick, throughput=speed))
    assert told[0] == "Waits for storage: 5 come." and len(told) == 2


def test_a_service_tells_what_it_carries_and_holds(plan, results) -> None:
    pick = results["serve"].choice
    (told,) = run_sentences(plan.profiles[1], pick)
    assert f"holds {pick.throughput.load.replicas} replicas" in told and "chip hours" in told


def test_one_replica_is_told_in_the_singular(plan, results, monkeypatch) -> None:
    pick, profile = results["serve"].choice, plan.profiles[1]
    day = dataclasses.replace(pick.day(profile.job), replicas=np.ones(24))
    monkeypatch.setattr(CandidateResult, "day", lambda *_: day)
    (told,) = run_sentences(profile, pick)
    assert "holds 1 replica over a mean day" in told


def test_the_page_shows_the_sentences_and_whom_the_limits_hold_for(document) -> None:
    text = "\n".join(texts_of(document))
    assert "Goodput 9" in text and "for half of the requests in the busiest hour" in text


def test_chips_that_share_an_answer_are_told() -> None:
    assert replica_words(Layout(replicas=8)) == "8 replicas"
    assert replica_words(Layout(replicas=8, shared=4)) == "8 replicas, one answer on 4 chips"
