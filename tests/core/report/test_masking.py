"""Nothing that leaves the house of a plan that masks its prices is worked out from one."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace
from typing import Any

import pytest

from core.catalogue.catalogue import Catalogue
from core.catalogue.entries import STAND_IN
from core.catalogue.loading import load_catalogue
from core.catalogue.own.layers import layered
from core.catalogue.own.stand_ins import LEAST_SPREAD, NOTE, StandIns
from core.comparison.evaluate import evaluate
from core.comparison.recommendation.arguments import best_of_each
from core.comparison.result import CandidateResult, ResultSet
from core.plan.plan import Choice, Plan, Scenario
from core.ranges import Range
from core.report import masking
from core.report.blocks import Document, Paragraph
from core.report.document import PRESETS, build
from core.report.masking import MARK, HandedOut, handed_out, private_results, renewed, with_note
from core.report.public_plan import LEFT_OUT
from core.workload.freedom import ScoreOverride
from core.workload.phases import Phase
from core.workload.portfolio import Member, Portfolio
from core.workload.profile import Profile
from tests.core.report.attacker import from_bill, from_totals, texts_of
from tests.core.report.masked_cases import (
    CASES,
    LETTER,
    SECRETS,
    SELLER,
    SHIPPED,
    TODAY,
    TRAIN,
    WORDS,
    Case,
    bills,
    masked,
    paper,
    tables,
)
from tests.text_fields import NO_WORDS, filled, text_fields

BY_NAME = {case.name: case for case in CASES}
TRAINING, SERVICE = CASES[0], CASES[1]
GUESS = 2.0
"""USD per chip hour that the attacker begins with."""


@dataclass(frozen=True)
class Leaving:
    """A plan at a private price: with its own prices, as it leaves, and all words of that."""

    true: HandedOut
    out: HandedOut
    words: Mapping[str, str]


@cache
def leaving(name: str, price: float) -> Leaving:
    true = BY_NAME[name].open(price)
    out = masked(true)
    with TemporaryDirectory() as folder:
        words = {"paper": "\n".join(texts_of(paper(out))), **tables(out, Path(folder))}
    return Leaving(true, out, words)


def picked(results: Mapping[str, ResultSet]) -> list[tuple[str, str]]:
    offers = [one.choice.candidate.offer for one in results.values() if one.choice]
    return [(offer.accelerator_id, offer.purchase_model) for offer in offers]


cases = pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])


@cases
def test_plans_that_differ_in_a_private_price_alone_leave_the_same_papers(case: Case) -> None:
    """Whoever tries prices until the program prints the paper that he holds is left with the whole band."""
    one, other = leaving(case.name, case.price), leaving(case.name, case.other)
    assert picked(one.true.results) == picked(other.true.results), "the case is badly chosen: the picks differ"
    assert one.words.keys() == other.words.keys()
    assert [name for name, text in one.words.items() if text != other.words[name]] == []
    true = [
        {name: result.cost.total.likely for name, result in results.by_id.items()}
        for results in (*one.true.results.values(), *other.true.results.values())
    ]
    assert true[: len(true) // 2] != true[len(true) // 2 :], "the price has no part in the plan"


@cases
def test_the_band_is_as_wide_as_public_prices_are_apart(case: Case) -> None:
    """Of +-20 % at least, or as far as the middle half of public prices of such a chip is."""
    true = leaving(case.name, case.price).true
    whole = StandIns(true.catalogue, SHIPPED)
    private = [offer for offer in true.catalogue.offers if offer.layer != "catalogue"]
    left = [(1 - off / 100) if case.name == "a discount" else off for off in (case.price, case.other)]
    assert private
    assert max(left) / min(left) >= 1.5
    assert all(whole.spread(whole.group(offer)) >= 1.5 for offer in private)


@cases
def test_no_secret_is_left_in_any_word(case: Case) -> None:
    told = leaving(case.name, case.price)
    open_paper = "\n".join(texts_of(build(told.true.plan, told.true.results, told.true.catalogue, TODAY)))
    for secret in SECRETS:
        holders = [name for name, text in told.words.items() if secret.lower() in text.lower()]
        assert holders == [], secret
    hidden = (*SECRETS, f"less {case.price:g} %")
    assert any(secret.lower() in open_paper.lower() for secret in hidden), "the case hides nothing"
    assert f"less {case.price:g} %" not in "".join(told.words.values())


@cases
def test_what_leaves_says_so(case: Case) -> None:
    told = leaving(case.name, case.price)
    assert told.out.is_masked
    assert all(NOTE in text for name, text in told.words.items() if name.endswith((" text", " xlsx", "paper")))
    assert all(
        '"private_prices"' in text for name, text in told.words.items() if name.endswith(" json") and " " in name[:-5]
    )
    assert all(STAND_IN in text for name, text in told.words.items() if name.endswith(" csv"))
    for preset in PRESETS.values():
        document = build(told.out.plan, told.out.results, told.out.catalogue, TODAY, preset)
        assert MARK in document.header[0]
        assert NOTE in list(texts_of(document.sections[0]))


def _with_choice(case: Case, is_private: bool) -> tuple[HandedOut, CandidateResult]:
    """The plan with an option taken in the place of the pick, which is not the cheapest of its kind."""
    true = leaving(case.name, case.price).true
    (profile,) = true.plan.profiles
    results = true.results[profile.id]
    told = (one for one in results.trusted if results.choice and one.id != results.choice.id)
    other = next(one for one in told if (one.candidate.offer.layer != "catalogue") == is_private)
    choice = Choice(profile_id=profile.id, candidate_id=other.id, reason=WORDS)
    dear = Scenario(id="s1", name="Dear people", overrides={"profiles.0.team.engineer_usd_per_week": 7777.0})
    plan = true.plan.model_copy(update={"choices": (choice,), "scenarios": (*true.plan.scenarios, dear)})
    return replace(true, plan=plan), other


def _left(true: HandedOut) -> dict[str, str]:
    out = masked(true)
    with TemporaryDirectory() as folder:
        return {"paper": "\n".join(texts_of(paper(out))), **tables(out, Path(folder))}


def test_a_choice_of_a_public_option_is_told_without_its_reason() -> None:
    """A reason may name a seller, and what a scenario changes may be a rate."""
    true, other = _with_choice(TRAINING, is_private=False)
    openly = "\n".join(texts_of(build(true.plan, true.results, true.catalogue, TODAY)))
    assert WORDS in openly and "777" in openly
    words = _left(true)
    assert WORDS not in "".join(words.values()) and "777" not in words["paper"]
    name = f"{other.candidate.name}, {other.candidate.place}"
    assert f"Choose {other.candidate.name}" in words["paper"] and "Chosen against the pick" in words["paper"]
    assert f"{name}. The reason is {LEFT_OUT}" in words["paper"] and f"{name}. The reason is" in words["plan xlsx"]
    told = {"choice": other.id, "reason": None, "left_out": LEFT_OUT}
    assert json.loads(words["plan json"])["workloads"][0]["chosen_by_hand"] == told


def test_a_choice_of_a_private_option_is_told_of_and_left_out() -> None:
    true, other = _with_choice(TRAINING, is_private=True)
    words = _left(true)
    assert f"What was chosen by hand is {LEFT_OUT}." in words["paper"]
    assert f"Chosen for Pre-training 70B: an option that is {LEFT_OUT}." in words["paper"]
    assert LEFT_OUT in words["plan xlsx"] and WORDS not in "".join(words.values())
    told = {"choice": None, "reason": None, "left_out": LEFT_OUT}
    assert json.loads(words["plan json"])["workloads"][0]["chosen_by_hand"] == told


@pytest.mark.parametrize("is_private", [False, True])
def test_a_choice_tells_no_price(is_private: bool) -> None:
    """Two plans with one choice whose private prices differ leave the same words."""
    one, other = _with_choice(TRAINING, is_private)
    (profile,) = one.plan.profiles
    dearer = leaving(TRAINING.name, TRAINING.other).true
    again = replace(dearer, plan=dearer.plan.model_copy(update={"choices": one.plan.choices}))
    assert dearer.results[profile.id].by_id[other.id].cost.total != other.cost.total or not is_private
    without_dear = replace(one, plan=one.plan.model_copy(update={"scenarios": again.plan.scenarios}))
    assert _left(without_dear) == _left(again)


def test_no_text_field_tells_a_private_seller() -> None:
    """Names of models and phases, reasons of scores by hand, comments: whatever field it was typed into."""
    true = leaving(SERVICE.name, SERVICE.price).true
    (profile,) = true.plan.profiles
    pick = true.results[profile.id].choice
    assert pick is not None
    told = f"{SELLER}, {WORDS}"
    by_hand = ScoreOverride(accelerator_id=pick.candidate.accelerator.id, criterion_id="F1", points=50, note="why")
    update = {"freedom": profile.freedom.model_copy(update={"overrides": (by_hand,)})}
    plan = true.plan.model_copy(
        update={
            "profiles": (profile.model_copy(update=update),),
            "phases": (Phase(id="a", stage="serve", candidate=pick.id),),
            "choices": (Choice(profile_id=profile.id, candidate_id=pick.id, reason="because"),),
        }
    )
    names = {"Plan.name", "Profile.name", "Scenario.name", "Phase.name", "TransformerModel.name"}
    free = text_fields(Plan) - NO_WORDS.keys()
    assert names < free
    full = filled(filled(plan, lambda _: told, free - names), lambda _: f"With {SELLER}", names)
    asked = full.model_copy(update={"own": plan.own})
    results = {profile.id: evaluate(asked.profiles[0], true.catalogue)}
    words = _left(replace(true, plan=asked, results=results))
    assert {secret for secret in SECRETS for text in words.values() if secret.lower() in text.lower()} == set()
    phases = json.loads(words["plan json"])["phases"]["ways"][0]["phases"]
    assert phases[0]["name"] == "With Private seller 1" and phases[0]["choice"] == pick.id.replace(
        "harbour-racks", "private-seller-1"
    )


def _guessed(case: Case, true: HandedOut) -> tuple[CandidateResult, ResultSet]:
    """The pick as the attacker works it out himself, at a price of his own guess."""
    pick = next(iter(true.results.values())).choice
    assert pick is not None
    results = next(iter(case.open(GUESS).results.values()))
    return results.by_id[pick.id], results


@pytest.mark.parametrize("case", [TRAINING, SERVICE], ids=["training", "service"])
def test_neither_public_parts_of_the_bill_nor_public_totals_give_the_price_back(case: Case) -> None:
    """Both found it to a fortieth while papers were written in shares; with the true paper they still do."""
    told = leaving(case.name, case.price)
    own, guessed = _guessed(case, told.true)
    public = {one.candidate.name: one for one in best_of_each(list(guessed.results[: guessed.n_feasible]))}
    hit = [usd for usd in from_bill(bills(told.true), own) if abs(usd / case.price - 1) < 0.025]
    assert hit, "the attack does not work at all"
    masked_paper = bills(told.out)
    tried = from_bill(masked_paper, own) + (from_totals(masked_paper, own, public) if case is TRAINING else [])
    echoes = 0.02  # a part that follows the price gives back the attacker's own guess
    worked_out = [usd for usd in tried if abs(usd / GUESS - 1) > echoes]
    assert worked_out
    assert [usd for usd in worked_out if abs(usd / case.price - 1) < 0.2] == []


def test_the_picks_are_the_true_ones_and_a_private_seller_has_another_name() -> None:
    told = leaving(SERVICE.name, SERVICE.price)
    [true], [out] = ([results.choice for results in one.results.values()] for one in (told.true, told.out))
    assert true is not None and out is not None
    assert (true.candidate.name, true.candidate.offer.provider) == (out.candidate.name, SELLER.lower()) or (
        true.candidate.offer.provider == SELLER
    )
    assert out.candidate.offer.provider == "Private seller 1"
    assert out.candidate.offer.instance == "Private machine 1"
    assert out.candidate.offer.usd_per_chip_hour > SERVICE.price
    assert "Private seller 1" in told.out.plan.name


def test_the_author_alone_is_told_how_far_the_paper_is_off() -> None:
    told = leaving(SERVICE.name, SERVICE.price)
    [line] = told.out.told
    assert "with your prices" in line and "masked" in line
    assert line not in "\n".join(told.words.values())


def test_a_portfolio_is_handed_out_without_its_private_seller() -> None:
    told = leaving("the pick of a service", BY_NAME["the pick of a service"].price)
    true, private = told.true, next(one for one in told.true.catalogue.offers if one.layer != "catalogue")
    members = (Member(workload=true.plan.profiles[0].id, pool=f"Racks of {SELLER}"),)
    settings = Portfolio(provider=private.provider, region=private.region, members=members)
    out = renewed(told.out, true.plan.model_copy(update={"portfolio": settings}), true.catalogue, SHIPPED)
    left = out.plan.portfolio
    assert left is not None and left.provider != private.provider and left.region == ""
    assert [secret for secret in SECRETS if secret.lower() in left.model_dump_json().lower()] == []
    open_seller = Portfolio(provider="gcp", region="us-central1")
    kept = renewed(told.out, true.plan.model_copy(update={"portfolio": open_seller}), true.catalogue, SHIPPED)
    assert kept.plan.portfolio == open_seller


def test_without_the_wish_or_without_private_prices_all_stays_as_it_is() -> None:
    true = leaving(SERVICE.name, SERVICE.price).true
    shipped = SHIPPED
    openly = true.plan.model_copy(update={"masks_private_prices": False})
    out = handed_out(openly, true.results, true.catalogue, shipped)
    assert (out.plan, out.results, out.told, out.is_masked) == (openly, true.results, (), False)
    assert SELLER in "\n".join(texts_of(paper(out)))
    public = handed_out(true.plan, true.results, shipped, shipped)
    assert (public.plan, public.is_masked) == (true.plan, False)
    assert MARK not in paper(public).header[0]


def test_the_fingerprint_tells_no_price() -> None:
    """A hash over a price is as good as the price: whoever tries all cents finds the one that fits."""
    one, other = leaving(SERVICE.name, SERVICE.price), leaving(SERVICE.name, SERVICE.other)
    assert paper(one.out).footer == paper(other.out).footer
    assert paper(one.true).footer != paper(other.true).footer


def test_a_pick_that_no_public_price_brings_is_told_to_the_author_and_the_paper_is_public() -> None:
    """Were it kept, the paper would tell that the price lies within what brings it."""
    true = leaving(SERVICE.name, SERVICE.price).true
    [(name, results)] = true.results.items()
    rejected = results.results[-1]
    odd = replace(results, recommendation=replace(results.recommendation, choice=rejected.id))
    out = handed_out(true.plan, {name: odd}, true.catalogue, SHIPPED)
    [line] = out.told
    assert rejected.candidate.name in line
    at_public = evaluate(out.plan.profiles[0], StandIns(true.catalogue, SHIPPED).laid({}))
    assert out.results[name].recommendation == at_public.recommendation


def test_private_results_are_those_of_own_prices() -> None:
    true = leaving(SERVICE.name, SERVICE.price).true
    private = private_results(true.results)
    assert {one.candidate.offer.layer for one in private} == {"plan"}
    assert {one.candidate.offer.source for one in private} == {LETTER}
    assert {one.candidate.offer.note for one in private} == {WORDS}


class Engine:
    """Stands for the engine: workload number n takes the private offer up to the n-th price, else a public one."""

    def __init__(self, limits_usd: tuple[float, ...]) -> None:
        whole = load_catalogue()
        shipped = replace(whole, offers=tuple(one for one in whole.offers if one.accelerator_id == "b200-sxm"))
        own, _ = SERVICE.layers(1.0)
        self.shipped, self.catalogue = shipped, layered(shipped, own)
        self.profiles = tuple(TRAIN.model_copy(update={"id": f"w{n}"}) for n in range(len(limits_usd)))
        self.limits_usd = {profile.id: usd for profile, usd in zip(self.profiles, limits_usd, strict=True)}

    def __call__(self, profile: Profile, catalogue: Catalogue, *_: object) -> Any:
        [private] = [offer for offer in catalogue.offers if offer.layer != "catalogue"]
        taken = private.usd_per_chip_hour <= self.limits_usd[profile.id]
        candidate = SimpleNamespace(
            offer=private if taken else catalogue.offers[0], n_chips=8, name="8 chips", place=""
        )
        pick = SimpleNamespace(candidate=candidate, cost=SimpleNamespace(total=Range(1.0, 1.0, 1.0)))
        return SimpleNamespace(choice=pick, profile=profile, basis=None)

    def paper_at(self, usd: float) -> tuple[float, tuple[str, ...]]:
        """The stand-in on the paper of a private price, and its picks."""
        offers = tuple(
            offer if offer.layer == "catalogue" else offer.model_copy(update={"usd_per_chip_hour": usd})
            for offer in self.catalogue.offers
        )
        catalogue = replace(self.catalogue, offers=offers)
        plan = Plan(id="p", profiles=self.profiles, masks_private_prices=True)
        out = handed_out(plan, {one.id: self(one, catalogue) for one in self.profiles}, catalogue, self.shipped)
        [private] = [offer for offer in out.catalogue.offers if offer.layer != "catalogue"]
        return private.usd_per_chip_hour, tuple(one.choice.candidate.offer.id for one in out.results.values())


APART = 1.15
FINE = [0.05 * APART**step for step in range(58)]
"""USD per chip hour from 0.05 to 144: the public price of the chip is 6."""


@pytest.mark.parametrize(
    "limits_usd",
    [(3.0,), (30.0,), (5.0, 3.0), (7.0, 5.5), (3.0, 2.5, 12.0), (9.0, 3.0, 0.7)],
)
def test_no_paper_is_that_of_a_narrow_band_of_prices(
    limits_usd: tuple[float, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Several workloads that ask for one offer, some of which take it, close it in from both sides."""
    engine = Engine(limits_usd)
    monkeypatch.setattr(masking, "evaluate", engine)
    monkeypatch.setattr(masking, "cost_words", lambda *_: "1")
    prices_of: dict[object, list[float]] = {}
    for usd in FINE:
        prices_of.setdefault(engine.paper_at(usd), []).append(usd)
    for usds in prices_of.values():
        is_open = usds[0] == FINE[0] or usds[-1] == FINE[-1]
        assert is_open or APART * usds[-1] / usds[0] >= LEAST_SPREAD, usds
    if len(limits_usd) == 1:
        assert len(prices_of) == 2, "taken or not is told"


def test_a_note_stands_below_the_first_block_of_the_first_page(document: Document) -> None:
    noted = with_note(document, "What its reader must know.")
    first, before = noted.sections[0].blocks, document.sections[0].blocks
    assert len(before) > 2
    assert (first[0], first[1], first[2:]) == (before[0], Paragraph("What its reader must know.", "note"), before[1:])
    assert noted.sections[1:] == document.sections[1:]
