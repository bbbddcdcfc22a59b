"""Computations breathe where they can be held or ended, often enough that nobody waits for them."""

from __future__ import annotations

import threading

import pytest

from core.breath import breathe, breathing
from core.catalogue.catalogue import Catalogue
from core.catalogue.loading import load_catalogue
from core.comparison.evaluate import Cancelled, evaluate
from core.workload.library import load_profiles

PROFILES = ("llama3-8b-pretraining", "chat-serving-8b", "resnet50-training")
LEAST_BREATHS = 100


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    return load_catalogue()


def test_nobody_is_asked_where_nobody_listens() -> None:
    breathe()


def test_a_breath_is_heard_inside_and_not_afterwards() -> None:
    heard: list[str] = []
    with breathing(lambda: heard.append("outer")):
        with breathing(lambda: heard.append("inner")):
            breathe()
        breathe()
    breathe()
    assert heard == ["inner", "outer"]


def test_other_threads_breathe_for_themselves() -> None:
    heard: list[str] = []
    other = threading.Thread(target=breathe)
    with breathing(lambda: heard.append("mine")):
        other.start()
        other.join()
    assert heard == []


def test_what_ends_a_computation_passes_and_leaves_nothing_behind() -> None:
    def end() -> None:
        raise Cancelled

    with pytest.raises(Cancelled), breathing(end):
        breathe()
    breathe()


@pytest.mark.parametrize("name", PROFILES)
def test_an_evaluation_breathes_often(catalogue: Catalogue, name: str) -> None:
    breaths: list[None] = []
    evaluate(load_profiles()[name], catalogue, cancelled=lambda: bool(breaths.append(None)))
    assert len(breaths) > LEAST_BREATHS


@pytest.mark.parametrize("name", PROFILES)
@pytest.mark.parametrize("last", [1, 5, 50, LEAST_BREATHS])
def test_it_ends_at_whatever_breath_and_answers_the_same_afterwards(catalogue: Catalogue, name: str, last: int) -> None:
    profile, breaths = load_profiles()[name], list[None]()

    def is_over() -> bool:
        breaths.append(None)
        return len(breaths) == last

    before = evaluate(profile, catalogue).recommendation
    with pytest.raises(Cancelled):
        evaluate(profile, catalogue, cancelled=is_over)
    assert len(breaths) == last
    assert evaluate(profile, catalogue).recommendation == before
