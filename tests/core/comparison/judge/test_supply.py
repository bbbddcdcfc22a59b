"""The longest wait and the fewest sellers, as limits of candidates."""

from __future__ import annotations

import numpy as np
import pytest

from core.catalogue.loading import load_catalogue
from core.comparison.evaluate import evaluate
from core.comparison.judge.limits import LIMITS, SELLERS
from core.comparison.judge.supply import Supply, independent_sellers, supply_limits
from core.comparison.result import ResultSet
from core.workload.library import load_profiles
from core.workload.profile import Limits, Places, Profile


def asked(max_wait_days: float | None = None, min_sellers: int = 1) -> Profile:
    return Profile(places=Places(min_sellers=min_sellers), limits=Limits(max_wait_days=max_wait_days))


def evaluated(name: str, **changes: object) -> ResultSet:
    base = load_profiles()[name]
    parts = {part: getattr(base, part).model_copy(update=value) for part, value in changes.items()}
    return evaluate(base.model_copy(update=parts), load_catalogue())


SUPPLY = Supply(30.0, "a page, 2026", "H100 SXM", ("Lambda", "Nebius"))


def test_the_wait_is_told_with_its_source_and_the_change_that_admits_it() -> None:
    assert supply_limits(asked(), SUPPLY, 64) == supply_limits(asked(max_wait_days=30), SUPPLY, 64) == ()
    (reason,) = supply_limits(asked(max_wait_days=14), SUPPLY, 64)
    assert reason.code == "max_wait"
    assert "64 chips" in str(reason.text) and "a page, 2026" in str(reason.text)
    assert "30" in str(reason.nearest_change)


def test_too_few_sellers_are_named() -> None:
    assert supply_limits(asked(min_sellers=2), SUPPLY, 8) == ()
    (reason,) = supply_limits(asked(min_sellers=3), SUPPLY, 8)
    assert reason.code == "min_sellers"
    assert "Lambda, Nebius" in str(reason.text)
    assert str(reason.nearest_change) == "Fits with 2 asked"


def test_brokers_and_own_hardware_are_nobody_of_their_own() -> None:
    catalogue = load_catalogue()
    offer = catalogue.offers[0]
    sellers = ("lambda", "lambda", "fluidstack", "own", "gcp", "aws")
    offers = [offer.model_copy(update={"provider": one}) for one in sellers]
    can_sell = np.array([True, True, True, True, True, False])
    counted = independent_sellers(catalogue, ["a", "a", "a", "a", "b", "a"], offers, can_sell)
    assert counted == {"a": {"lambda"}, "b": {"gcp"}}


def test_codes_stand_after_those_of_the_machine_and_before_the_deadline() -> None:
    assert LIMITS[SELLERS] == "min_sellers"
    assert LIMITS.index("max_chips") < LIMITS.index("max_wait") < SELLERS < LIMITS.index("deadline")


@pytest.mark.parametrize("days", [2.0, 10.0])
def test_no_option_that_fits_waits_longer_than_allowed(days: float) -> None:
    results = evaluated("llama3-8b-pretraining", limits={"max_wait_days": days})
    feasible = results.results[: results.n_feasible]
    assert all(one.time_terms_days["waiting"] <= days for one in feasible)
    late = [one for one in results.results if "max_wait" in [reason.code for reason in one.reasons]]
    assert late and all(one.time_terms_days["waiting"] > days for one in late)


def test_a_chip_of_the_pick_has_as_many_sellers_as_asked() -> None:
    alone, four = (evaluated("mistral-7b-lora", places={"min_sellers": n}) for n in (1, 4))
    feasible = four.results[: four.n_feasible]
    assert feasible
    sellers: dict[str, set[str]] = {}
    for one in feasible:
        if one.obtainable.is_firm:
            sellers.setdefault(one.candidate.accelerator.id, set()).add(one.candidate.offer.provider)
    assert all(len(sellers[one.candidate.accelerator.id]) >= 4 for one in feasible)
    fewer = {one.candidate.accelerator.id for one in alone.results[: alone.n_feasible]} - set(sellers)
    assert "tpu-v6e" in fewer
    told = [r for one in four.results for r in one.reasons if r.code == "min_sellers"]
    assert told and all(str(reason.nearest_change) for reason in told)
    codes = {code for codes in four.columns.codes for code in codes}
    assert "min_sellers" in codes
