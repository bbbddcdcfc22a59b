"""Reasons for and against the pick, each a real difference to another option."""

from __future__ import annotations

from collections.abc import Sequence

from core.amounts import USD, Amount, Counted, Sentence, Text, days, distinct
from core.catalogue.prices.quality import is_second_hand, quality_of
from core.catalogue.providers import provider_name
from core.comparison.cost_words import over_term
from core.comparison.rank.board import time_value
from core.comparison.result import CandidateResult
from core.ranges import Evidence
from core.units import hundredth, in_hundred, whole_days
from core.workload.profile import Profile

N_REASONS = 3
_NOTABLE_SHARE = 0.03
_NOTABLE_POINTS = 3.0
_NOTABLE_DAYS = 1.0


def reasons_for(profile: Profile, ranked: Sequence[CandidateResult]) -> tuple[Text, ...]:
    """Up to three things that speak for the first option, strongest first."""
    pick, others = ranked[0], rivals(ranked)
    reasons = [
        *_spare_time(profile, pick),
        *(line for rival in others if (line := _surer(pick, rival))),
        *(line for rival in others for line in (_cheaper(profile, pick, rival), _sooner(profile, pick, rival)) if line),
        *_no_porting(pick, others),
        *(line for rival in others if (line := _freer(pick, rival))),
        *_spare_budget(profile, pick),
        *_measured(pick),
    ]
    return distinct(reasons)[:N_REASONS]


def reasons_against(profile: Profile, ranked: Sequence[CandidateResult]) -> tuple[Text, ...]:
    """Up to three things that speak against the first option."""
    pick, others = ranked[0], rivals(ranked)
    reasons = [
        *(
            line
            for rival in others
            for line in (_cheaper(profile, rival, pick, against=True), _sooner(profile, rival, pick, against=True))
            if line
        ),
        *(line for rival in others if (line := _surer(rival, pick, against=True))),
        *_range_past_limits(profile, pick),
        *_unused(pick),
        *_shaky_price(pick),
        *_porting(pick),
        *(line for rival in others if (line := _freer(rival, pick, against=True))),
        *_few_suppliers(pick),
        *_not_measured(pick),
    ]
    return distinct(reasons)[:N_REASONS]


def rivals(ranked: Sequence[CandidateResult]) -> list[CandidateResult]:
    """The options worth naming: the best on another chip, the best of another kind, the cheapest, each once."""
    pick = ranked[0]
    by_chip = next((r for r in ranked if r.candidate.accelerator.id != pick.candidate.accelerator.id), None)
    by_kind = next((r for r in ranked if r.candidate.accelerator.kind != pick.candidate.accelerator.kind), None)
    cheapest = min(ranked, key=lambda r: r.cost.total.likely)
    by_id = {r.id: r for r in (by_chip, by_kind, cheapest) if r is not None and r.id != pick.id}
    return list(by_id.values())


def best_of_each(results: Sequence[CandidateResult]) -> list[CandidateResult]:
    """The first result of every accelerator, the most trusted first; see :attr:`ResultSet.best_per_accelerator`."""
    best: dict[str, CandidateResult] = {}
    for result in sorted(results, key=_doubt):
        best.setdefault(result.candidate.accelerator.id, result)
    return list(best.values())


def _doubt(result: CandidateResult) -> tuple[int, bool]:
    having = result.obtainable
    is_apart = result.chance is None or result.chance.best is None
    return 0 if result.is_firm else 1 if having.status != "on paper" else 2, is_apart


def option_name(result: CandidateResult, beside: CandidateResult) -> str:
    """Name of an option when told beside another one: the place is added when the chips are the same."""
    name = result.candidate.name
    return f"{name} at {result.candidate.place}" if name == beside.candidate.name else name


def _spare_time(profile: Profile, pick: CandidateResult) -> list[Text]:
    limit = profile.limits.deadline_days
    if limit is None or pick.days_to_finish is None or pick.days_to_finish.high > limit:
        return []
    spare = Counted(int(limit) - whole_days(pick.days_to_finish.high), "day", digits=3)
    return [Sentence("{} spare before the deadline at the late end of the range", spare)]


def _spare_budget(profile: Profile, pick: CandidateResult) -> list[Text]:
    budget = profile.limits.budget_usd
    if budget is None or pick.cost.total.high > budget:
        return []
    spare = Amount(budget - pick.cost.total.high, USD)
    return [Sentence("{} below the budget at the dear end of the range", spare)]


def _cheaper(profile: Profile, better: CandidateResult, worse: CandidateResult, against: bool = False) -> Text:
    saved = worse.cost.total.likely - better.cost.total.likely
    if saved <= _NOTABLE_SHARE * worse.cost.total.likely:
        return ""
    if against:
        return Sentence("{} more than {}{}", Amount(saved, USD), option_name(better, worse), over_term(profile))
    return Sentence("{} below {}{}", Amount(saved, USD), option_name(worse, better), over_term(profile))


def _sooner(profile: Profile, better: CandidateResult, worse: CandidateResult, against: bool = False) -> Text:
    fast, slow = time_value(profile, better), time_value(profile, worse)
    if slow - fast <= _NOTABLE_SHARE * slow:
        return ""
    other = option_name(better, worse) if against else option_name(worse, better)
    if better.days_to_finish is not None:
        if slow - fast < _NOTABLE_DAYS:
            return ""
        return Sentence("{} {} than {}", days(slow - fast), "later" if against else "sooner", other)
    what = profile.job.words.speed
    if slow > 2 * fast:
        how = "{} times slower {} than {}" if against else "{} times as fast {} as {}"
        return Sentence(how, Amount(slow / fast, digits=2), what, other)
    share = Amount((slow / fast - 1) * 100, "%", 2)
    return Sentence("{} {} {} than {}", share, "slower" if against else "faster", what, other)


def _surer(better: CandidateResult, cheaper: CandidateResult, against: bool = False) -> Text:
    """What costs more and keeps the limits more often."""
    one, other = better.chance, cheaper.chance
    costs_more = better.cost.total.likely > cheaper.cost.total.likely
    if one is None or other is None or not costs_more or one.in_limits - other.in_limits < _NOTABLE_SHARE:
        return ""
    name = option_name(better, cheaper) if against else option_name(cheaper, better)
    own, theirs = (other, one) if against else (one, other)
    return Sentence(
        "Keeps its limits in {} draws, {} in {}", in_hundred(own.in_limits), name, hundredth(theirs.in_limits)
    )


def _no_porting(pick: CandidateResult, others: Sequence[CandidateResult]) -> list[Text]:
    ported = next((r for r in others if r.cost.part("porting") > 0), None)
    if pick.cost.part("porting") > 0 or ported is None:
        return []
    effort = Amount(ported.cost.part("porting"), USD)
    return [Sentence("No porting: {} needs {} of it", option_name(ported, pick), effort)]


def _porting(pick: CandidateResult) -> list[Text]:
    effort = Amount(pick.cost.part("porting"), USD)
    porting = days(pick.time_terms_days.get("porting", 0.0))
    return [Sentence("Porting comes first: {} and {}", effort, porting)] if effort.value > 0 else []


def _freer(better: CandidateResult, worse: CandidateResult, against: bool = False) -> Text:
    points = better.flexibility.score.likely - worse.flexibility.score.likely
    if points < _NOTABLE_POINTS:
        return ""
    other = option_name(better, worse) if against else option_name(worse, better)
    return Sentence("{} {} flexible than {}", Counted(points, "point", digits=2), "less" if against else "more", other)


def _unused(pick: CandidateResult) -> list[Text]:
    waste = pick.cost.part("commitment_waste")
    if waste <= _NOTABLE_SHARE * pick.cost.total.likely:
        return []
    return [Sentence("{} of the commitment stays unused", Amount(waste, USD))]


def _shaky_price(pick: CandidateResult) -> list[Text]:
    offer = pick.candidate.offer
    if offer.estimate:
        return ["The price is an estimate; no list shows it"]
    return [f"{quality_of(offer).warning}; ask for an offer"] if is_second_hand(offer) else []


def _range_past_limits(profile: Profile, pick: CandidateResult) -> list[Text]:
    limit, budget = profile.limits.deadline_days, profile.limits.budget_usd
    reasons: list[Text] = []
    if limit is not None and pick.days_to_finish is not None and pick.days_to_finish.high > limit:
        late = days(pick.days_to_finish.high - limit)
        reasons.append(Sentence("The range reaches {} past the deadline", late))
    if budget is not None and pick.cost.total.high > budget:
        reasons.append(Sentence("The range reaches {} past the budget", Amount(pick.cost.total.high - budget, USD)))
    return reasons


def _few_suppliers(pick: CandidateResult) -> list[Text]:
    suppliers = next((c for c in pick.flexibility.criteria if c.id == "F1"), None)
    if suppliers is None or suppliers.value.likely > 1 / 3:
        return []
    return [f"Few sellers in the allowed places: the price is {provider_name(pick.candidate.offer.provider)}'s to set"]


def _measured(pick: CandidateResult) -> list[Text]:
    return ["Speed measured on your own runs"] if pick.evidence is Evidence.MEASURED_HERE else []


def _not_measured(pick: CandidateResult) -> list[Text]:
    words = "a vendor figure" if pick.evidence is Evidence.VENDOR else pick.evidence.value
    return [] if pick.evidence is Evidence.MEASURED_HERE else [f"Speed is {words}, not measured on your own runs"]
