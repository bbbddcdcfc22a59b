"""What differs between the own entries of two plans."""

from core.catalogue.loading import load_catalogue
from core.catalogue.own.layers import OwnEntries
from core.plan.difference import CORRECTED, MOST_LINES, NOTHING, PRESENT, differences, own_differences
from core.plan.plan import Plan
from tests.core.own_samples import faster, own_host, own_offer, own_region, own_server

HOST = own_host()


def test_added_changed_and_removed_entries_are_told() -> None:
    old = OwnEntries(hosts=(HOST,), offers=(own_offer(HOST),), servers=(own_server(),))
    new = OwnEntries(hosts=(HOST,), offers=(own_offer(HOST, usd_per_host_hour=18.0),), regions=(own_region(),))
    assert own_differences(old, new) == [
        (
            "Own offer 8x-h100-hk at Dedicated in user-hk, on demand",
            "16 USD per host and hour",
            "18 USD per host and hour",
        ),
        ("Own server my-4x-l40s", "35\u202f000 USD", NOTHING),
        ("Own region basement of Dedicated", NOTHING, PRESENT),
    ]


def test_a_chip_corrected_again_is_told() -> None:
    old, new = (OwnEntries(accelerators=(faster(load_catalogue(), times=times),)) for times in (2.0, 3.0))
    assert own_differences(old, new) == [("Own chip h100-sxm", PRESENT, CORRECTED)]
    assert own_differences(old, old) == []


def test_many_prices_are_counted() -> None:
    many = tuple(own_offer(HOST, id=f"offer-{n}") for n in range(MOST_LINES + 1))
    assert own_differences(OwnEntries(), OwnEntries(offers=many)) == [("Own offers, 13 of them different", "0", "13")]


def test_plans_with_equal_counts_but_other_prices_differ() -> None:
    plans = [
        Plan(id="p", own=OwnEntries(hosts=(HOST,), offers=(own_offer(HOST, usd_per_host_hour=u),))) for u in (8, 9)
    ]
    [found] = differences(*plans)
    assert (found.path, found.before, found.after) == ("own", "8 USD per host and hour", "9 USD per host and hour")
