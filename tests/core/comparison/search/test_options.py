"""Offers as options: hosts, networks, ids."""

from __future__ import annotations

from itertools import pairwise
from statistics import median

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.catalogue.sellers.waits import holds_for
from core.comparison.judge.candidates import candidate_of
from core.comparison.search.option_set import numbered
from core.comparison.search.options import ALONE, options, slug


def test_every_offer_that_differs_becomes_an_option(catalogue) -> None:
    found = options(catalogue)
    keys = {(o.provider, o.instance, o.region, o.purchase_model, o.accelerator_id) for o in catalogue.offers}
    single = [option for option in found if option.id_tail.endswith(ALONE)]
    assert len(found) - len(single) == len(keys)
    assert len(single) == sum(option.borrowed for option in found) > 20


def test_a_price_per_card_is_also_cards_one_by_one(catalogue) -> None:
    """A server that the seller does not tell is borrowed; the same cards one by one are his own, and do not grow."""
    by_tail = {option.id_tail: option for option in options(catalogue) if option.accelerator.id == "mi300x"}
    server, card = by_tail["tensorwave-any-on_demand"], by_tail["tensorwave-any-on_demand-single"]
    assert (server.borrowed, server.grows, server.chips_per_host) == (True, True, 8)
    assert (card.borrowed, card.grows, card.chips_per_host) == (False, False, 1)
    assert card.offer is server.offer and (card.host is None or card.host.provider == "tensorwave")


def test_candidate_ids_are_unique_and_readable(catalogue) -> None:
    ids = [candidate_of(option, option.chips_per_host).id for option in options(catalogue) if option.grows]
    assert len(set(ids)) == len(ids)
    assert all(name == slug(name) or "_" in name for name in ids)


def test_id_names_chip_count_place_and_purchase_model(catalogue) -> None:
    option = next(
        o
        for o in options(catalogue)
        if (o.offer.provider, o.offer.region, o.offer.purchase_model, o.offer.instance)
        == ("gcp", "us-central1", "commit_1y", "a3-highgpu-8g")
    )
    found = candidate_of(option, 64)
    assert found.id.startswith("h100-sxm-64x-gcp-us-central1-commit_1y")
    assert found.n_hosts == 8


def test_average_prices_mean_chips_in_the_usual_server(catalogue) -> None:
    average = [one for one in options(catalogue) if one.offer.quality == "average" and one.borrowed]
    assert average
    assert all(option.grows and option.network_estimate for option in average)
    assert {option.chips_per_host for option in average if option.accelerator.id == "h100-sxm"} == {8}


def test_parts_of_a_server_do_not_grow_where_whole_ones_are_sold(catalogue) -> None:
    part = next(o for o in options(catalogue) if o.offer.instance == "a3-highgpu-1g")
    whole = next(o for o in options(catalogue) if o.offer.instance == "a3-highgpu-8g")
    assert not part.grows and whole.grows


def test_community_chips_never_join_into_clusters(catalogue) -> None:
    community = [option for option in options(catalogue) if "community" in option.offer.instance]
    assert community and not any(option.grows for option in community)


def test_an_unknown_network_is_marked_as_an_estimate(catalogue) -> None:
    for option in options(catalogue):
        host = option.host
        assert option.network_gbit_per_s > 0
        if host is None or not host.network_gbit_per_s:
            assert option.network_estimate


def test_a_network_is_that_of_the_host_else_the_least_of_the_chip_else_of_100_gbit_for_eight(catalogue) -> None:
    """Own servers take the usual rate; sellers who describe no server of the chip that of their clusters, up to it."""
    rates, describers = _described(catalogue)
    unknown = {option.accelerator.id for option in options(catalogue)} - set(rates)
    assert unknown
    for before, option in pairwise(options(catalogue)):
        if option.id_tail.endswith(ALONE):  # cards rented one by one have their share of the server before them
            assert option.network_gbit_per_s == pytest.approx(before.network_gbit_per_s / before.chips_per_host)
            continue
        known, described = option.host and option.host.network_gbit_per_s, rates.get(option.accelerator.id, [100 / 8])
        least = min(described) if len(described) > 1 else 100 / 8
        per_chip = (known or option.network_gbit_per_s) / option.chips_per_host
        if known:
            assert option.network_gbit_per_s == known
        elif option.offer.provider == "own":
            assert per_chip == pytest.approx(median(described))
        elif (option.offer.provider, option.accelerator.id) in describers:
            assert per_chip == pytest.approx(least)
        else:
            seller, chips = catalogue.seller_by_provider[option.offer.provider], option.offer.chips_per_host
            is_joined = chips >= 8 and holds_for(seller.cluster_chips or ("any",), option.accelerator.id)
            most = (seller.fabric_gbit_per_host or 0.0) / chips if is_joined else 0.0
            assert per_chip == pytest.approx(max(least, min(median(described), most)))
        assert option.network_estimate or known


def _described(catalogue) -> tuple[dict[str, list[float]], set[tuple[str, str]]]:
    """Rates per chip of the servers described, by chip, and who describes which chip."""
    rates: dict[str, list[float]] = {}
    told = [host for host in catalogue.rented_hosts if host.network_gbit_per_s]
    for host in told:
        rates.setdefault(host.accelerator_id, []).append(host.network_gbit_per_s / host.n_chips)
    return rates, {(host.provider, host.accelerator_id) for host in told}


@given(st.lists(st.one_of(st.integers(0, 5), st.tuples(st.integers(0, 2), st.text("ab", max_size=1)))))
def test_numbers_count_up_as_new_keys_come(keys) -> None:
    numbers, firsts = numbered(iter(keys))
    once = list(dict.fromkeys(keys))
    assert numbers.tolist() == [once.index(key) for key in keys]
    assert firsts == [keys.index(key) for key in once]
