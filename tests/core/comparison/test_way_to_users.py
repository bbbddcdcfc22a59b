"""Serving users somewhere: their way counts in the limit of the first token and is told with each result."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.catalogue.loading import load_catalogue
from core.catalogue.own.layers import OwnEntries, layered
from core.catalogue.places.distance import route_to_users
from core.catalogue.places.sale_places import is_within
from core.comparison.evaluate import evaluate
from core.comparison.questions.distance_to_users import felt_text, ms_text, route_line, route_sentence
from core.comparison.recommendation.warnings import warnings_of
from core.comparison.result import CandidateResult
from core.comparison.search.pool import WAY_STEPS
from core.errors import InputError
from core.throughput.predict import predict
from core.workload.library import load_profiles
from core.workload.profile import Profile


def serving(ttft_limit_ms: float, *users: str, percentile: str = "p50") -> Profile:
    """The chat service under a limit, with users in some places."""
    base = load_profiles()["chat-serving-8b"]
    job = base.job.model_copy(update={"ttft_limit_ms": ttft_limit_ms, "latency_percentile": percentile})
    return base.model_copy(update={"job": job, "places": base.places.model_copy(update={"user_places": users})})


def test_nothing_changes_while_nobody_says_where_users_are() -> None:
    results = evaluate(serving(1000.0), load_catalogue())
    assert all(result.route is None and result.throughput.system.route_ms == 0 for result in results.results)


def test_each_result_knows_its_way_and_those_without_a_place_are_as_far_as_can_be() -> None:
    catalogue = load_catalogue()
    results = evaluate(serving(1000.0, "hong-kong", "tokyo"), catalogue)
    assert all(result.round_trip_ms is not None for result in results.results)
    unknown = [result for result in results.results if result.route and result.route.assumed]
    assert any(result.candidate.offer.region == "any" for result in unknown)
    assert all(result.route and result.route.mean_ms.high > 100 for result in unknown)
    rented = [result for result in results.results if result.candidate.offer.provider != "own"]
    assert len({result.candidate.offer.region for result in rented}) > 5
    for result in rented:
        offer = result.candidate.offer
        route = route_to_users(catalogue, offer.provider, offer.region, ("hong-kong", "tokyo"))
        assert result.route == route
        assert route is not None
        counted = result.throughput.system.route_ms
        assert route.mean_ms.likely <= counted <= route.mean_ms.likely + 1000.0 / WAY_STEPS


@pytest.mark.parametrize("percentile", ["p50", "p99"])
def test_what_fits_keeps_the_limit_with_the_way(percentile: str) -> None:
    results = evaluate(serving(600.0, "sydney", percentile=percentile), load_catalogue())
    feasible = [result for result in results.results if result.feasible and result.route]
    assert feasible
    for result in feasible:
        assert result.throughput.latency is not None
        assert result.route is not None
        felt_ms = result.throughput.latency.ttft_ms(percentile) + result.route.ms(percentile).likely
        assert felt_ms <= 600.0


def test_a_longer_way_leaves_less_load_to_the_same_chips() -> None:
    """Where the first token binds, every millisecond on the way is one less for waiting in line."""
    profile = serving(350.0, percentile="p99")
    profile = profile.model_copy(update={"job": profile.job.model_copy(update={"tpot_limit_ms": None})})
    pick = evaluate(profile, load_catalogue()).choice
    assert pick is not None
    ways_ms = (0.0, 50.0, 100.0, 150.0)
    found = predict(profile, [replace(pick.throughput.system, route_ms=route_ms) for route_ms in ways_ms])
    carried = [one.load.max_requests_per_s if one.load else 0.0 for one in found]
    assert carried == sorted(carried, reverse=True)
    assert carried[0] > 1.05 * carried[-1] > 0


def test_a_way_longer_than_the_limit_admits_nobody_from_there() -> None:
    results = evaluate(serving(150.0, "sao-paulo"), load_catalogue())
    far = [result for result in results.results if result.route and result.route.mean_ms.likely > 150]
    assert far
    assert not any(result.feasible for result in far)
    told = [str(reason.text) for result in far for reason in result.reasons]
    assert any("limit 150" in text or "over the limit" in text for text in told)


def test_an_offer_without_a_place_is_warned_about_where_places_matter() -> None:
    users = evaluate(serving(1000.0, "tokyo"), load_catalogue())
    unplaced = next(r for r in users.results if r.candidate.offer.region == "any")
    placed = next(r for r in users.results if r.route and not r.route.assumed)
    assert "way_unknown" in [reason.code for reason in warnings_of(users, unplaced)]
    assert "way_unknown" not in [reason.code for reason in warnings_of(users, placed)]
    base = serving(1000.0)
    allowed = base.model_copy(update={"places": base.places.model_copy(update={"region_places": ("asia",)})})
    regional = evaluate(allowed, load_catalogue())
    unplaced = next(r for r in regional.results if r.candidate.offer.region == "any")
    assert not unplaced.feasible
    assert "place_unknown" in [reason.code for reason in warnings_of(regional, unplaced)]
    assert all(not r.feasible or is_within(load_catalogue(), *_where(r), ("asia",)) for r in regional.results)


def _where(result: CandidateResult) -> tuple[str, str]:
    return result.candidate.offer.provider, result.candidate.offer.region


def test_the_first_token_is_told_as_users_feel_it() -> None:
    results = evaluate(serving(1000.0, "hong-kong", "london"), load_catalogue())
    pick = next(r for r in results.results if r.route and r.feasible)
    assert pick.route is not None
    latency = pick.throughput.latency
    assert latency is not None
    own, route = ms_text(latency.ttft_p50_ms), ms_text(pick.route.mean_ms.likely)
    assert felt_text(results.profile, pick) == f"{own} + about {route} on the way"
    assert "estimate" in route_line(pick.route)
    assert pick.route.farthest in route_line(pick.route)
    unplaced = next(r for r in results.results if r.feasible and r.candidate.offer.region == "any")
    assert "as the offer does not say where it runs" in route_sentence(results.profile, unplaced)
    assert "on the way" in felt_text(results.profile, unplaced)


def test_an_own_server_at_an_anchor_serves_its_users_from_next_door() -> None:
    """Hong Kong, Tokyo and Los Angeles are entered as offers of one's own: no cloud sells what the work needs there."""
    shipped = load_catalogue()
    model = next(o for o in shipped.offers if o.accelerator_id == "h100-sxm" and o.chips_per_host == 8)
    for anchor, city in (("user-hk", "hong-kong"), ("user-tyo", "tokyo"), ("user-lax", "los-angeles")):
        offer = model.model_copy(update={"id": f"mine-{anchor}", "region": anchor, "usd_per_chip_hour": 2.0,
                                         "usd_per_host_hour": 16.0, "purchase_model": "dedicated_monthly"})  # fmt: skip
        catalogue = layered(shipped, OwnEntries(offers=(offer,)))
        results = evaluate(serving(1000.0, city), catalogue)
        own = [result for result in results.results if result.candidate.offer.id == offer.id]
        assert own, anchor
        assert own[0].round_trip_ms is not None
        assert own[0].round_trip_ms.likely < 4.0


def test_users_in_a_place_that_is_not_known_are_refused_with_the_name() -> None:
    with pytest.raises(InputError, match="atlantis"):
        evaluate(serving(1000.0, "atlantis"), load_catalogue())
