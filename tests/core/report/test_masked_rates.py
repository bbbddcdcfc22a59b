"""Rates typed into a workload leave a house that masks no more than prices do: what a week of an engineer, power, room
and money cost."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache

import pytest

from core.catalogue.own.layers import layered
from core.comparison.as_json import to_json
from core.comparison.evaluate import evaluate
from core.comparison.result import CandidateResult
from core.cost.registry import title_of
from core.plan.fields import fields
from core.plan.plan import Plan
from core.report.masking import HandedOut, keeps_secrets
from core.report.pages.inputs import STANDING_IN
from core.report.public_plan import RATES
from core.report.text import comparison_text
from core.workload.profile import Profile
from tests.core.report.attacker import rates_from_bill, texts_of
from tests.core.report.masked_cases import SERVE, SHIPPED, TODAY, TRAIN, bills, masked, paper, server_of_ones_own

USUAL_USD = 4500.0
"""A week of an engineer where nobody says: what every masked paper counts with."""
GUESS_USD = 6000.0
SECRET_NOTE = "Agreed with Harbour Racks at 1.37"


def team(usd_per_week: float) -> Plan:
    """A run of people who cost so much, without any private price."""
    rates = TRAIN.team.model_copy(update={"engineer_usd_per_week": usd_per_week, "delay_usd_per_day": usd_per_week / 9})
    profile = TRAIN.model_copy(update={"team": rates, "note": SECRET_NOTE})
    return Plan(id="p", name="Plan", profiles=(profile,), masks_private_prices=True)


def house(usd_per_kw_month: float) -> Plan:
    """A service on a server of one's own, in a room that costs so much."""
    rates = {
        "colocation_usd_per_kw_month": usd_per_kw_month, "electricity_usd_per_kwh": usd_per_kw_month / 500,
        "capital_pct_per_year": usd_per_kw_month / 20, "maintenance_pct_per_year": usd_per_kw_month / 30,
    }  # fmt: skip
    patient = SERVE.job.model_copy(update={"ttft_limit_ms": None, "tpot_limit_ms": None})
    profile = SERVE.model_copy(update={"job": patient, "owning": SERVE.owning.model_copy(update=rates)})
    own, _ = server_of_ones_own(1_000.0)
    return Plan(id="p", name="Plan", profiles=(profile,), own=own, masks_private_prices=True)


PLANS = {"team": (team, 7777.0, 2345.0), "house": (house, 123.0, 77.0)}


@cache
def opened(name: str, rate: float) -> HandedOut:
    plan = PLANS[name][0](rate)
    catalogue = layered(SHIPPED, plan.own)
    [profile] = plan.profiles
    return HandedOut(plan, {profile.id: evaluate(profile, catalogue)}, catalogue)


@cache
def leaving(name: str, rate: float) -> HandedOut:
    return masked(opened(name, rate))


def words_of(out: HandedOut) -> Mapping[str, str]:
    [results] = out.results.values()
    told = {"text": comparison_text(results, 20, TODAY), "json": json.dumps(to_json(results, 20, today=TODAY))}
    return {"paper": "\n".join(texts_of(paper(out))), **told}


def pick_of(out: HandedOut) -> CandidateResult:
    [results] = out.results.values()
    assert results.choice is not None
    return results.choice


@pytest.mark.parametrize("name", PLANS)
def test_plans_that_differ_in_rates_alone_leave_the_same_papers(name: str) -> None:
    _, rate, other = PLANS[name]
    one, two = opened(name, rate), opened(name, other)
    assert pick_of(one).candidate.name == pick_of(two).candidate.name, "the case is badly chosen: the picks differ"
    assert pick_of(one).cost.total != pick_of(two).cost.total, "the rate has no part in the plan"
    assert words_of(leaving(name, rate)) == words_of(leaving(name, other))


@pytest.mark.parametrize("name", PLANS)
def test_what_leaves_says_so_and_holds_no_note(name: str) -> None:
    out = leaving(name, PLANS[name][1])
    assert out.is_masked
    told = words_of(out)
    assert all("Private prices and rates are not counted here" in text for text in told.values())
    assert STANDING_IN in told["paper"]
    assert SECRET_NOTE not in told["paper"]


def test_hours_of_people_in_the_bill_do_not_give_their_rate_back() -> None:
    """Weeks and hours are public: divided by them, the open bill tells the rate to a percent."""
    true, out = opened("team", 7777.0), leaving("team", 7777.0)
    [guessed] = opened("team", GUESS_USD).results.values()
    own = guessed.by_id[pick_of(true).id]
    people = {title_of(part) for part in ("porting", "operations", "setting_up", "pipeline")}
    by_part = rates_from_bill(bills(true), own, GUESS_USD)
    hit = [usd for part, usd in by_part.items() if part in people and abs(usd / 7777.0 - 1) < 0.02]
    assert hit, "the attack does not work at all"
    tried = [usd for part, usd in rates_from_bill(bills(out), own, GUESS_USD).items() if part in people]
    assert tried == pytest.approx([USUAL_USD] * len(tried), rel=0.02)


def test_room_and_power_in_the_bill_do_not_give_their_prices_back() -> None:
    true, out = opened("house", 123.0), leaving("house", 123.0)
    [guessed] = opened("house", 50.0).results.values()
    own = guessed.by_id[pick_of(true).id]
    for part in (title_of("colocation"), title_of("energy")):
        assert rates_from_bill(bills(true), own, 50.0)[part] == pytest.approx(123.0, rel=0.02)
        assert rates_from_bill(bills(out), own, 50.0).get(part, 0.0) != pytest.approx(123.0, rel=0.2)


def test_all_that_a_workload_pays_is_a_rate_or_a_limit() -> None:
    """A new field in money is private too, until somebody says that it is not."""
    paid = {info.path for info in fields(Profile()) if "USD" in info.unit}
    rates = {f"{part}.{name}" for part, names in RATES.items() for name in names}
    assert paid - rates == {"limits.budget_usd"}
    assert rates <= {info.path for info in fields(Profile())}


def test_usual_rates_are_no_secret() -> None:
    plan = Plan(id="p", profiles=(TRAIN.model_copy(update={"team": Profile().team}),), masks_private_prices=True)
    assert not keeps_secrets(plan, SHIPPED, SHIPPED)
    assert keeps_secrets(team(7777.0), SHIPPED, SHIPPED)
    assert not keeps_secrets(team(7777.0).model_copy(update={"masks_private_prices": False}), SHIPPED, SHIPPED)
