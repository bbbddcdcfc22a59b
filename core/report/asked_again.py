"""What the paper must ask the engine once more: spot where the plan leaves it out, and the plan's other scenarios.

Only what is told is kept, of the last few questions, so that a paper that is written again is not worked out again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.catalogue.catalogue import Catalogue
from core.catalogue.per_catalogue import per_catalogue
from core.comparison.evaluate import evaluate
from core.comparison.result import Basis, CandidateResult, ResultSet
from core.comparison.together.part import settled
from core.comparison.together.plan_answer import PlanAnswer, answer_of
from core.plan.plan import Plan, Scenario
from core.plan.scenario import BASE, resolved
from core.ranges import Range
from core.workload.profile import Profile

HALF = 0.5
"""Spot that costs no more than this share of the pick is always told."""
MOST_LATE = 2.0
"""Spot that misses the deadline is told up to so many times the time that is left."""
MOST_SCENARIOS = 8
_MOST_KEPT = 64


@dataclass(frozen=True, slots=True)
class SpotLead:
    """The cheapest option on spot that meets every limit, or, where none does, that misses the deadline alone;
    ``on_time`` is the share of draws that keep the deadline, None without one, ``late`` by how much it is missed,
    ``is_allowed`` whether the plan takes spot at all."""

    option: CandidateResult
    on_time: float | None
    is_allowed: bool
    late: str = ""


@dataclass(frozen=True, slots=True)
class ScenarioTold:
    """A scenario beside the base: by the id of a workload what is picked for it and what that comes to, no entry where
    nothing fits, and what all of them come to, None without any.

    ``apart_usd`` is what running apart adds to the bills: moves and further software.
    """

    name: str
    picks: Mapping[str, tuple[str, Range]]
    total_usd: Range | None
    apart_usd: float
    on_time: float | None
    in_budget: float | None


def spot_lead(results: ResultSet) -> SpotLead | None:
    """Spot that halves the pick's bill; None where none does, or where the pick is on spot itself."""
    pick = results.choice
    if pick is None or results.basis is None or _is_spot(pick):
        return None
    allowed = results.profile.places.purchase_models
    lead = _best_spot(results) if "spot" in allowed else _asked(results.basis, results.profile)
    if lead is None or lead.option.cost.total.likely > HALF * pick.cost.total.likely:
        return None
    return lead


def scenarios_told(plan: Plan, results: Mapping[str, ResultSet], shown: str) -> tuple[ScenarioTold, ...]:
    """The plan's other scenarios, each evaluated where it differs; none where another one than the base is shown,
    whose answers are no base for them, and none of those without changes."""
    bases = [one.basis for one in results.values() if one.basis]
    if shown != BASE or len(bases) < len(results):
        return ()
    return tuple(_scenario(one.name, resolved(plan, one.id).plan.profiles, results) for one in other_scenarios(plan))


def other_scenarios(plan: Plan) -> list[Scenario]:
    """Those that differ from the base, as many as are told."""
    return [one for one in plan.scenarios if one.id != BASE and one.overrides][:MOST_SCENARIOS]


def _scenario(name: str, profiles: Sequence[Profile], results: Mapping[str, ResultSet]) -> ScenarioTold:
    first = next(iter(results.values())).basis
    assert first is not None
    known = _kept(first.catalogue)
    key = name, tuple(profile.model_dump_json() for profile in profiles), repr(first.corrections)
    told = known.get(key)
    if not isinstance(told, ScenarioTold):
        told = _evaluated(name, [profile for profile in profiles if profile.id in results], results)
        _keep(known, key, told)
    return told


def _evaluated(name: str, profiles: Sequence[Profile], base: Mapping[str, ResultSet]) -> ScenarioTold:
    whole = answer_of([_answer(base[profile.id], profile) for profile in profiles])
    return ScenarioTold(name, {}, None, 0.0, None, None) if whole is None else told_of(name, whole)


def told_of(name: str, answer: PlanAnswer) -> ScenarioTold:
    """A plan's answer under the name of a scenario."""
    return ScenarioTold(
        name,
        {one.profile.id: (one.pick.candidate.name, one.pick.cost.total) for one in answer.picks},
        answer.total_usd,
        answer.way.apart.likely_usd,
        answer.way.chance_of("deadline"),
        answer.way.chance_of("budget"),
    )


def _answer(base: ResultSet, profile: Profile) -> ResultSet:
    """The base's own where the scenario leaves the workload as it is."""
    if profile == base.profile or base.basis is None:
        return base
    return evaluate(profile, base.basis.catalogue, base.basis.corrections)


def _asked(basis: Basis, profile: Profile) -> SpotLead | None:
    known = _kept(basis.catalogue)
    key = "spot", (profile.model_dump_json(),), repr(basis.corrections)
    if key not in known:
        models = (*profile.places.purchase_models, "spot")
        places = profile.places.model_copy(update={"purchase_models": models})
        results = evaluate(profile.model_copy(update={"places": places}), basis.catalogue, basis.corrections)
        _keep(known, key, _best_spot(results, is_allowed=False))
    told = known[key]
    return told if isinstance(told, SpotLead) else None


def _best_spot(results: ResultSet, is_allowed: bool = True) -> SpotLead | None:
    """The cheapest of the rows that are paid on spot and meet every limit; else of those that miss the deadline alone
    and would be done in no more than twice the time that is left."""
    rows, cost_usd = _spot_rows(results), results.columns.cost_usd
    if not rows:
        return None
    option = settled(results.results[min(rows, key=lambda row: float(cost_usd[row]))])
    if option.feasible:
        return SpotLead(option, option.chance.deadline if option.chance else None, is_allowed)
    days, deadline = option.days_to_finish, results.profile.limits.deadline_days
    if days is None or deadline is None or days.likely > MOST_LATE * deadline:
        return None
    return SpotLead(option, None, is_allowed, str(option.reasons[0].text).partition(" (")[0].rstrip("."))


def _spot_rows(results: ResultSet) -> list[int]:
    """Of those that can be had where there are any."""
    columns = results.columns
    rows = [row for row in range(columns.n) if columns.offers[row].purchase_model == "spot"]
    fitting = [row for row in rows if row < results.n_feasible]
    late = [row for row in rows if columns.codes[row] == ("deadline",) and columns.trust[row]]
    return [row for row in fitting if columns.trust[row]] or fitting or late


def _is_spot(result: CandidateResult) -> bool:
    return result.candidate.offer.purchase_model == "spot"


_Key = tuple[str, tuple[str, ...], str]
_Kept = dict[_Key, SpotLead | ScenarioTold | None]


@per_catalogue
def _kept(_: Catalogue) -> _Kept:
    return {}


def _keep(known: _Kept, key: _Key, told: SpotLead | ScenarioTold | None) -> None:
    for old in list(known)[: max(0, len(known) - _MOST_KEPT + 1)]:
        known.pop(old, None)
    known[key] = told
