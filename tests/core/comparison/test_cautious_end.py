"""What nobody tells takes the cautious end: an option never becomes better by a fact that is taken out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random

import pytest

from core.catalogue.catalogue import Catalogue
from core.catalogue.entries import Host, Offer
from core.catalogue.loading import load_catalogue
from core.comparison.evaluate import evaluate
from core.comparison.result import CandidateResult
from core.comparison.search.options import Option, options
from core.cost.bill.tiers import SUPPORT, tiers
from core.throughput.input_pipeline import hosts_of
from core.throughput.types import System
from core.workload.jobs.kinds import PreTraining
from core.workload.library import load_profiles
from core.workload.profile import Profile

SEED = 20261122
TINY = 1e-9


def asking(name: str, **places: object) -> Profile:
    """A shipped workload that buys support and whose users and data are somewhere."""
    base = load_profiles()[name]
    somewhere = base.places.model_copy(update={"user_places": ("tokyo", "frankfurt"), **places})
    team = base.team.model_copy(update={"support_plan": "business"})
    limits = base.limits.model_copy(update={"budget_usd": None, "deadline_days": None})
    return base.model_copy(update={"places": somewhere, "team": team, "limits": limits})


def found_by(profile: Profile, catalogue: Catalogue) -> dict[tuple[str, int, int], CandidateResult]:
    """Results by offer, chips and size of the machine."""
    return {
        (one.candidate.offer.id, one.candidate.n_chips, one.throughput.system.chips_per_host): one
        for one in evaluate(profile, catalogue).results
    }


def check_never_better(
    profile: Profile, catalogue: Catalogue, poorer: Catalogue, offers: set[str], least_pairs: int
) -> None:
    """Compares candidates of some offers with and without a fact."""
    before, after = found_by(profile, catalogue), found_by(profile, poorer)
    pairs = [(one, after[key]) for key, one in before.items() if key[0] in offers and key in after]
    assert len(pairs) >= least_pairs
    for known, unknown in pairs:
        assert unknown.cost.total.high >= known.cost.total.high * (1 - TINY), known.id
        assert unknown.throughput.tokens_per_s.low <= known.throughput.tokens_per_s.low * (1 + TINY), known.id
        if known.route is not None:
            assert unknown.route is not None
            for percentile in ("p50", "p99"):
                assert unknown.route.ms(percentile).high >= known.route.ms(percentile).high - TINY, known.id
                assert unknown.route.ms(percentile).likely >= known.route.ms(percentile).likely - TINY, known.id


def with_offers(catalogue: Catalogue, ids: set[str], change: Callable[[Offer], Offer]) -> Catalogue:
    return replace(catalogue, offers=tuple(change(one) if one.id in ids else one for one in catalogue.offers))


@pytest.mark.parametrize("name", ["chat-serving-8b", "sdxl-serving"])
@pytest.mark.parametrize("region", ["any", "global", ""])
def test_an_offer_that_no_longer_says_where_it_runs(name: str, region: str) -> None:
    catalogue, profile = load_catalogue(), asking(name, data_provider="gcp", data_region="us-central1")
    named = sorted({one.candidate.offer.id for one in evaluate(profile, catalogue).results
                    if one.feasible and one.candidate.offer.region != "any"})  # fmt: skip
    sampled = set(Random(SEED).sample(named, min(6, len(named))))
    poorer = with_offers(catalogue, sampled, lambda one: one.model_copy(update={"region": region}))
    check_never_better(profile, catalogue, poorer, sampled, 3)


def described(catalogue: Catalogue) -> list[Host]:
    """Servers with a network that somebody lets today."""
    sold = {(offer.provider, offer.instance) for offer in catalogue.offers}
    return [h for h in catalogue.rented_hosts if h.network_gbit_per_s and (h.provider, h.instance) in sold]


def without_network(catalogue: Catalogue, host: Host) -> Catalogue:
    poorer = host.model_copy(update={"network_gbit_per_s": None})
    return replace(catalogue, hosts=tuple(poorer if one is host else one for one in catalogue.hosts))


def options_of(catalogue: Catalogue, host: Host) -> list[Option]:
    return [one for one in options(catalogue) if one.host is not None
            and (one.host.provider, one.host.instance) == (host.provider, host.instance)]  # fmt: skip


def rate_per_chip(host: Host) -> float:
    return (host.network_gbit_per_s or 0.0) / host.n_chips


def hosts_like(catalogue: Catalogue, host: Host) -> list[Host]:
    """The other servers of its chip whose network is told."""
    return [one for one in catalogue.rented_hosts
            if one is not host and one.accelerator_id == host.accelerator_id and one.network_gbit_per_s]  # fmt: skip


def test_a_server_whose_network_nobody_tells_is_on_none_that_is_faster() -> None:
    catalogue = load_catalogue()
    hosts = Random(SEED).sample(described(catalogue), 30)
    for host in hosts:
        before = {(one.offer.id, one.id_tail): one for one in options_of(catalogue, host)}
        after = options_of(without_network(catalogue, host), host)
        assert after and all(one.network_estimate for one in after)
        others = [rate_per_chip(one) for one in hosts_like(catalogue, host)]
        if not others or rate_per_chip(host) < min(others):
            continue  # the slowest of all that are described: nothing slower is known to put in its place
        for one in after:
            known = before[one.offer.id, one.id_tail]
            assert one.network_gbit_per_s <= known.network_gbit_per_s + TINY, host.instance


@pytest.mark.parametrize(
    ("provider", "instance"), [("gcp", "a3-highgpu-8g"), ("aws", "p5.48xlarge"), ("gcp", "a3-megagpu-8g")]
)
def test_a_run_on_servers_whose_network_nobody_tells_is_never_faster_or_cheaper(provider: str, instance: str) -> None:
    catalogue, profile = load_catalogue(), asking("llama3-8b-pretraining")
    host = catalogue.host_by_instance[provider, instance]
    offers = {one.offer.id for one in options_of(catalogue, host)}
    check_never_better(profile, catalogue, without_network(catalogue, host), offers, 1)


def test_a_server_of_a_chip_of_which_none_is_described_is_on_the_least_network() -> None:
    catalogue = load_catalogue()
    rates = [one.network_gbit_per_s / one.chips_per_host for one in options(catalogue) if one.grows]
    bare = replace(catalogue, hosts=tuple(one.model_copy(update={"network_gbit_per_s": None})
                                          for one in catalogue.hosts), sellers=())  # fmt: skip
    assert {one.network_gbit_per_s / one.chips_per_host for one in options(bare)} == {12.5}
    assert max(rates) > 100


def test_a_server_whose_processors_nobody_tells_never_reads_faster() -> None:
    catalogue, job = load_catalogue(), PreTraining(data_kind="images")
    told = [one for one in options(catalogue) if one.host and one.host.n_vcpu and one.host.provider != "own"]
    for one in {option.host.instance: option for option in told if option.host}.values():
        assert one.host is not None
        system = System(one.accelerator, one.host.n_chips, one.host.n_chips, 100.0, False, None, one.host)
        bare = replace(system, host=one.host.model_copy(update={"n_vcpu": None}))
        known, unknown = (float(hosts_of([each], job).vcpus[0]) for each in (system, bare))
        assert unknown <= known * (1 + TINY), one.host.instance


def test_image_training_on_servers_whose_processors_nobody_tells_is_never_faster_or_cheaper() -> None:
    catalogue, profile = load_catalogue(), asking("resnet50-training")
    hosts = {(one.provider, one.instance) for one in Random(SEED).sample(described(catalogue), 12)}
    poorer = replace(catalogue, hosts=tuple(
        one.model_copy(update={"n_vcpu": None}) if (one.provider, one.instance) in hosts else one
        for one in catalogue.hosts))  # fmt: skip
    offers = {one.id for one in catalogue.offers if (one.provider, one.instance) in hosts}
    check_never_better(profile, catalogue, poorer, offers, 3)


@pytest.mark.parametrize("provider", ["gcp", "lambda"])
def test_support_whose_price_nobody_tells_is_as_dear_as_any(provider: str) -> None:
    """Of AWS steps are known that fall with the bill; a seller without a row pays the dearest of them."""
    catalogue, profile = load_catalogue(), asking("chat-serving-8b")
    rows = tuple(one for one in catalogue.cost_inputs if (one.name, one.scope) != ("support_plan", provider))
    results = evaluate(profile, catalogue).results
    offers = {one.candidate.offer.id for one in results if one.candidate.offer.provider == provider}
    check_never_better(profile, catalogue, replace(catalogue, cost_inputs=rows), offers, 3)


def test_the_general_row_of_support_is_the_dear_end_of_all_that_are_known() -> None:
    catalogue = load_catalogue()
    rows = {one.scope: one for one in catalogue.cost_inputs_by_name["support_plan"]}
    steps = max(max(one.rates) for one in tiers(SUPPORT).values())
    dearest = max(*(one.high or 0.0 for one in rows.values()), steps)
    assert rows["any"].typical == rows["any"].high == dearest
