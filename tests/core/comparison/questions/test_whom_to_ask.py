"""Whom to ask for chips: their seller, or of one's own hardware who sells or runs such servers."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.catalogue.catalogue import Catalogue
from core.comparison.evaluate import evaluate
from core.comparison.questions.whom_to_ask import asked_of, is_own, is_there
from core.comparison.result import CandidateResult
from core.workload.library import load_profiles, more_profiles


def _pick(catalogue: Catalogue, name: str) -> CandidateResult:
    pick = evaluate({**load_profiles(), **more_profiles()}[name], catalogue).choice
    assert pick is not None
    return pick


@pytest.fixture(scope="module")
def bought(catalogue: Catalogue) -> CandidateResult:
    return _pick(catalogue, "bank-on-premises")


def test_servers_to_buy_are_asked_of_those_who_sell_them(bought: CandidateResult) -> None:
    chip = bought.candidate.accelerator.short_name
    assert is_own(bought) and not is_there(bought) and asked_of(bought) == f"a seller of {chip} servers"


def test_servers_that_nobody_delivers_are_asked_of_those_who_run_them(bought: CandidateResult) -> None:
    wait = replace(bought.obtainable.wait, source="")
    there = replace(bought, obtainable=replace(bought.obtainable, wait=wait))
    assert is_there(there) and asked_of(there).startswith("those who run your")


def test_a_seller_who_rents_out_goes_by_its_name(catalogue: Catalogue) -> None:
    pick = _pick(catalogue, "chat-serving-8b")
    assert not is_own(pick) and not is_there(pick)
    assert pick.candidate.place.startswith(asked_of(pick))
