"""Thousands of offers: the order they come in, offers that are alike, and what is worked out once for many."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from itertools import islice
from random import Random

import numpy as np
import pytest

from core.amounts import PRICE, Amount
from core.catalogue.catalogue import Catalogue
from core.comparison import evaluate as evaluating
from core.comparison.columns import columns_of
from core.comparison.evaluate import evaluate
from core.comparison.rank.board import Board
from core.comparison.rank.standings import Standings
from core.comparison.result import CandidateResult, ResultSet
from core.comparison.search.option_set import Index
from core.workload.library import load_profiles
from core.workload.profile import Profile
from tests.bench.many_offers import many_offers

PROFILES = load_profiles()
Answered = Callable[[Profile], ResultSet]
KINDS = ("llama3-8b-pretraining", "resnet50-training", "chat-serving-70b", "nightly-batch-scoring")


@pytest.fixture(scope="module")
def many(catalogue: Catalogue) -> Catalogue:
    return many_offers(catalogue, 900)


def with_users(profile: Profile) -> Profile:
    """The profile with users far apart, whose way to each region counts."""
    places = profile.places.model_copy(update={"user_places": ("tokyo", "london")})
    return profile.model_copy(update={"places": places})


@pytest.fixture(scope="module")
def answered(many: Catalogue) -> Answered:
    """The answer for a profile among all of them, worked out once."""
    return cache(lambda profile: evaluate(profile, many))


def told(results: ResultSet) -> list[tuple[object, ...]]:
    """What a reader sees of each result."""
    return [
        (r.id, r.rank, r.candidate.offer.id, r.cost.total, r.days_to_finish, r.flexibility.score, r.reasons)
        for r in results.results
    ]


@pytest.mark.parametrize("name", KINDS)
def test_the_order_of_the_offers_changes_nothing(many: Catalogue, answered: Answered, name: str) -> None:
    shuffled = list(many.offers)
    Random(7).shuffle(shuffled)
    one, two = answered(PROFILES[name]), evaluate(PROFILES[name], replace(many, offers=tuple(shuffled)))
    assert told(one) == told(two)
    assert one.recommendation == two.recommendation
    assert one.oldest_price == two.oldest_price


@pytest.mark.parametrize("name", KINDS)
def test_the_same_offers_at_another_seller_change_no_cost(catalogue: Catalogue, name: str) -> None:
    """A double of every host and offer of some sellers, under another name: the best costs as much as before."""
    sellers = ("lambda", "nebius", "crusoe")
    hosts = tuple(
        h.model_copy(update={"provider": f"{h.provider}-2"}) for h in catalogue.hosts if h.provider in sellers
    )
    offers = tuple(
        o.model_copy(update={"provider": f"{o.provider}-2", "id": f"{o.id}-2"})
        for o in catalogue.offers
        if o.provider in sellers
    )
    few = replace(catalogue, offers=tuple(o for o in catalogue.offers if o.provider in sellers))
    told = tuple(
        one.model_copy(update={"provider": f"{one.provider}-2"}) for one in catalogue.sellers if one.provider in sellers
    )
    doubled = replace(few, offers=few.offers + offers, hosts=catalogue.hosts + hosts, sellers=catalogue.sellers + told)
    one, two = evaluate(PROFILES[name], few), evaluate(PROFILES[name], doubled)
    alike = {r.id.replace("-2-", "-"): r for r in two.results if r.candidate.offer.provider.endswith("-2")}
    pairs = [(r, alike[r.id]) for r in one.results if r.id in alike]
    assert len(pairs) > 5
    assert all(a.cost.part("compute") == b.cost.part("compute") for a, b in pairs)
    cheapest = [min(r.cost.part("compute") for r in found.results if r.feasible) for found in (one, two)]
    assert cheapest[0] == cheapest[1]


@pytest.mark.parametrize("name", KINDS)
def test_each_candidate_is_billed_at_the_price_of_its_own_offer(answered: Answered, name: str) -> None:
    for result in answered(PROFILES[name]).results:
        if result.candidate.offer.purchase_model == "owned":
            continue  # paid for as hardware, not by the hour
        held = dict(result.cost.parts[0].inputs)
        assert held["Price per chip hour"] == Amount(pytest.approx(result.candidate.usd_per_chip_hour), PRICE, 4)


@pytest.mark.parametrize("name", KINDS)
def test_an_offer_is_judged_as_if_it_were_alone_among_its_seller_s(
    many: Catalogue, answered: Answered, name: str
) -> None:
    """Worked out once for many alike, or for one offer of each place only: time and cost are the same.

    Parts of a server are left out: without the servers of other places they would count as sold alone.
    """
    profile = with_users(PROFILES[name])
    all_at_once = answered(profile)
    largest: dict[tuple[str, str], int] = {}
    for offer in many.offers:
        key = offer.provider, offer.accelerator_id
        largest[key] = max(largest.get(key, 0), offer.chips_per_host)
    whole = [
        r for r in all_at_once.results if r.feasible and r.candidate.offer.chips_per_host
        == largest[r.candidate.offer.provider, r.candidate.offer.accelerator_id]
    ]  # fmt: skip
    picked = whole[:: max(1, len(whole) // 2)]
    assert picked
    for result in picked:
        offer = result.candidate.offer
        others = (o for o in many.offers if (o.accelerator_id, o.provider) != (offer.accelerator_id, offer.provider))
        peers = (o for o in many.offers if o.provider == offer.provider and o.region == offer.region)
        same_place = tuple({o.id: o for o in (*peers, *islice(others, None, None, 8))}.values())
        alone = evaluate(profile, replace(many, offers=same_place)).by_id.get(result.id)
        assert alone is not None
        assert (alone.run_h, alone.cost.total) == (result.run_h, result.cost.total)
        assert (alone.throughput.layout, alone.route) == (result.throughput.layout, result.route)


@pytest.mark.parametrize("name", KINDS)
def test_columns_say_what_the_results_say(answered: Answered, name: str) -> None:
    results = answered(with_users(PROFILES[name]))
    listed, made = results.columns, columns_of(list(results.results))
    for field in ("n_chips", "feasible", "cost_usd", "per_month_usd", "unit_usd", "days", "run_h", "score"):
        assert np.array_equal(getattr(listed, field), getattr(made, field)), field
    assert list(listed.codes) == list(made.codes)
    assert list(listed.ids) == list(made.ids)
    assert list(listed.offers) == list(made.offers)
    for one, two in zip(listed.throughputs, made.throughputs, strict=True):
        assert one == replace(two, system=replace(two.system, host=one.system.host))


def test_each_candidate_stands_on_its_own_seller_s_server(many: Catalogue, answered: Answered) -> None:
    for result in answered(PROFILES["llama3-8b-pretraining"]).results:
        offer, host = result.candidate.offer, result.throughput.system.host
        own = many.host_by_instance.get((offer.provider, offer.instance))
        if host is not None and own is not None and own.n_chips == host.n_chips and offer.quality != "average":
            assert (host.provider, host.instance) == (own.provider, own.instance) or offer.chips_per_host == 1


@pytest.mark.parametrize("name", KINDS)
def test_the_few_that_decide_say_what_all_would_say(
    many: Catalogue, answered: Answered, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    few = answered(PROFILES[name])
    monkeypatch.setattr(evaluating, "could_win", _every_row)
    monkeypatch.setattr(evaluating, "decisive", _everyone)
    assert few.recommendation == evaluate(PROFILES[name], many).recommendation


def _every_row(board: Board) -> Index:
    return np.arange(len(board.chip_ids))


def _everyone(_: Profile, ranking: Standings, trusted: Index) -> tuple[list[CandidateResult], list[CandidateResult]]:
    return [ranking.results[row] for row in trusted.tolist()], list(ranking.results[ranking.n_ranked :])


def test_ranks_and_reasons_stand_in_their_order(answered: Answered) -> None:
    results = answered(PROFILES["chat-serving-70b"])
    ranks = [r.rank for r in results.results if r.feasible]
    assert ranks == list(range(1, results.n_feasible + 1))
    assert all(r.reasons and not r.rank for r in results.results[results.n_feasible :])
    assert [results.row_of[r.id] for r in results.results] == list(range(len(results.results)))
