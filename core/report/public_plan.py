"""A plan as it may leave where it masks its private prices: without all that its author alone may know."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TypeVar

from pydantic import BaseModel

from core.catalogue.own.layers import OwnEntries
from core.catalogue.own.stand_ins import StandIns
from core.catalogue.providers import provider_name
from core.comparison.result import ResultSet
from core.comparison.search.options import slug
from core.flexibility.taken_range import ID as WORKLOAD_RANGE
from core.plan.plan import Choice, Plan, Scenario
from core.workload.freedom import Freedom
from core.workload.phases import Phase
from core.workload.portfolio import Portfolio
from core.workload.profile import Profile

M = TypeVar("M", bound=BaseModel)
LEFT_OUT = "left out, as it may tell a private price"
"""In the place of words that a person wrote."""

RATES = {
    "team": ("engineer_usd_per_week", "delay_usd_per_day"),
    "owning": (
        "server_price_pct", "resale_pct", "install_pct", "capital_pct_per_year", "maintenance_pct_per_year",
        "colocation_usd_per_kw_month", "electricity_usd_per_kwh",
    ),
    "freedom": ("ten_points_usd_per_month",),
}  # fmt: skip
"""What a workload pays people, landlords and banks, where its author typed it: as private as a price of a seller."""


def public_plan(plan: Plan, whole: StandIns) -> Plan:
    """The plan without prices, rates, notes, choices, logs, actuals and names of private sellers: its fingerprint is
    taken of it. :func:`with_told_choices` adds what may be told of the choices."""
    return plan.model_copy(
        update={
            "name": _renamed(plan.name, whole),
            "note": "",
            "own": OwnEntries(),
            "profiles": tuple(_public_profile(profile, whole) for profile in plan.profiles),
            "scenarios": tuple(Scenario(id=one.id, name=_renamed(one.name, whole)) for one in plan.scenarios),
            "logs": (),
            "choices": (),
            "actuals": (),
            "phases": tuple(_public_phase(phase, whole) for phase in plan.phases),
            "portfolio": plan.portfolio and _public_portfolio(plan.portfolio, whole),
        }
    )


def _public_portfolio(portfolio: Portfolio, whole: StandIns) -> Portfolio:
    """The settings with what stands in for a private seller, and names of pools without them."""
    members = (one.model_copy(update={"pool": _renamed(one.pool, whole)}) for one in portfolio.members)
    provider = whole.seller(portfolio.provider)
    region = portfolio.region if provider == portfolio.provider else ""
    return portfolio.model_copy(update={"provider": provider, "region": region, "members": tuple(members)})


def with_told_choices(public: Plan, plan: Plan, results: Mapping[str, ResultSet]) -> Plan:
    """The public plan with a choice for each that the plan has: which option only where its price is public, and of a
    reason, which may name a seller or a price, only that there is one.

    ``results`` are the masked ones, so that nothing told here follows from a private price.
    """
    return public.model_copy(update={"choices": tuple(_told_choice(one, results) for one in plan.choices)})


def _told_choice(choice: Choice, results: Mapping[str, ResultSet]) -> Choice:
    known = results.get(choice.profile_id)
    option = known.by_id.get(choice.candidate_id) if known else None
    is_public = option is not None and option.candidate.offer.layer == "catalogue"
    return Choice(
        profile_id=choice.profile_id,
        candidate_id=choice.candidate_id if is_public else "",
        reason=LEFT_OUT if choice.reason else "",
    )


def _public_phase(phase: Phase, whole: StandIns) -> Phase:
    """Without names of private sellers and machines, in the id of its option too."""
    option = phase.candidate
    for own, new in _new_names(whole):
        option = option.replace(slug(own), slug(new)) if slug(own) else option
    return phase.model_copy(update={"name": _renamed(phase.name, whole), "candidate": option})


def has_rates(profile: Profile) -> bool:
    """True where a rate of its people, landlord or bank was typed."""
    return any(getattr(profile, part) != rates for part, rates in _usual_rates(profile).items())


def _usual_rates(profile: Profile) -> dict[str, BaseModel]:
    """The parts of a workload with rates, these at what is usual."""
    return {part: _at_defaults(getattr(profile, part), names) for part, names in RATES.items()}


def _at_defaults(part: M, names: Sequence[str]) -> M:
    return part.model_copy(update={name: type(part).model_fields[name].default for name in names})


def _public_profile(profile: Profile, whole: StandIns) -> Profile:
    places = profile.places
    update = {
        "providers": tuple(map(whole.seller, places.providers)),
        "data_provider": whole.seller(places.data_provider),
        "confirmed_sellers": tuple(map(whole.seller, places.confirmed_sellers)),
    }
    return profile.model_copy(
        update={
            "name": _renamed(profile.name, whole),
            "note": "",
            "model": profile.model.model_copy(update={"name": _renamed(profile.model.name, whole)}),
            "places": places.model_copy(update=update),
            **_usual_rates(profile),
            "freedom": _without_notes(_at_defaults(profile.freedom, RATES["freedom"])),
        }
    )


def _without_notes(freedom: Freedom) -> Freedom:
    """Scores by hand without the words that say why, and without workload ranges, which follow from prices."""
    kept = freedom.without_criterion(WORKLOAD_RANGE)
    overrides = (one.model_copy(update={"note": f"reason {LEFT_OUT}"}) for one in kept)
    return freedom.model_copy(update={"overrides": tuple(overrides)})


def _renamed(text: str, whole: StandIns) -> str:
    """A name that somebody typed, without those of private sellers and machines."""
    for own, new in _new_names(whole):
        for written in {own, provider_name(own)}:
            text = re.sub(re.escape(written), new, text, flags=re.IGNORECASE)
    return text


def _new_names(whole: StandIns) -> Iterator[tuple[str, str]]:
    """Each private name of a seller or machine with what it is called instead."""
    return (pair for names in whole.names.values() for pair in names.items())
