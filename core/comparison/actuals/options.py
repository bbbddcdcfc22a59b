"""What to do where it slips: each way worked out with the engine's own answers for chips, waits and bills."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any, Literal

from core.amounts import SCALED, USD, Amount, Sentence, Text, whole
from core.breath import breathe
from core.catalogue.entries import OWN
from core.catalogue.sellers.waits import wait_of
from core.comparison.actuals.baseline import amount_of, work_days
from core.comparison.actuals.belief import Belief
from core.comparison.actuals.commitments import term_days
from core.comparison.actuals.standing import Forecast, Standing, forecast_from, planned_end
from core.comparison.actuals.switching import (
    day_there,
    dearer,
    egress_usd,
    is_ported,
    switched,
    terms_there,
    usd_per_day,
)
from core.comparison.actuals.terms import Terms
from core.comparison.evaluate import evaluate
from core.comparison.questions.number_of_chips import count_curve
from core.comparison.result import CandidateResult, ResultSet
from core.comparison.together.due import given_back
from core.comparison.together.ways import picked
from core.cost.parts.hardware import bought_and_worth_usd, hardware_split
from core.units import date_text
from core.workload.places import VENDOR_WORDS

Kind = Literal["more", "other", "longer", "smaller", "resize", "accept"]
SURE, EVEN = 0.8, 0.5
"""Dates are moved to where the chance is 0.8; an option holds where it is at least even."""
MOST_SELLERS, MOST_CHIPS_OTHER = 3, 6
LEAST_WORK = 1e-6


@dataclass(frozen=True)
class Option:
    """A way on. ``chance_date`` and ``chance_budget`` are None where there is no such limit; ``changes`` are fields of
    the workload that bring it into the plan, by their paths within it. ``is_less`` gives up date or work."""

    kind: Kind
    title: Text
    detail: Text
    forecast: Forecast
    target: date
    chance_date: float | None
    chance_budget: float | None
    more_usd: float = 0.0
    is_less: bool = False
    changes: Mapping[str, Any] = field(default_factory=dict)

    @property
    def chance(self) -> float:
        """The smaller of its chances."""
        return min((one for one in (self.chance_date, self.chance_budget) if one is not None), default=1.0)

    @property
    def holds(self) -> bool:
        """True where it is more likely than not to keep what it must."""
        return self.chance >= EVEN


def slips(one: Standing) -> bool:
    """True where date or budget are less than sure (chance below 0.8), or a service serves more than was planned."""
    chances = (one.forecast.chance_by(one.target) if one.baseline.ends else None, _budget(one, one.forecast))
    is_busier = not one.baseline.ends and one.rate.middle > one.baseline.rate_high
    return any(chance is not None and chance < SURE for chance in chances) or is_busier


def is_quiet(one: Standing) -> bool:
    """True of a service that gets less than the plan's own range of traffic."""
    return not one.baseline.ends and one.rate.middle < one.baseline.rate_low


def is_over(one: Standing) -> bool:
    """True where all the work is done, or all months of a service have passed."""
    if one.baseline.ends:
        return one.left <= LEAST_WORK * one.baseline.amount
    return one.as_of >= planned_end(one.baseline)


def options(one: Standing, results: ResultSet) -> tuple[Option, ...]:
    """All ways on, ranked: those that hold first, of them those that give nothing up, then by likely cost; of the
    others the likeliest first. None where nothing slips and no fewer chips would do, or nothing is left to do."""
    if is_over(one) or not (slips(one) or is_quiet(one)):
        return ()
    told = [_accept(one), *(_of_run(one, results) if one.baseline.ends else _of_service(one, results))]
    if len(told) == 1 and not slips(one):
        return ()
    usual = told[0].forecast.cost.likely
    priced = [replace(option, more_usd=option.forecast.cost.likely - usual) for option in told]
    return tuple(sorted(priced, key=_order))


def nothing_helps(ranked: tuple[Option, ...]) -> bool:
    """True where no way that gives nothing up holds."""
    return bool(ranked) and not any(one.holds and not one.is_less and one.kind != "accept" for one in ranked)


def _order(option: Option) -> tuple[bool, float, float]:
    gives_up = option.is_less or option.kind == "accept"
    return not option.holds, gives_up if option.holds else -option.chance, option.forecast.cost.likely


def _of_run(one: Standing, results: ResultSet) -> Iterator[Option]:
    yield from _more_chips(one, results)
    yield from _other_chips(one, results)
    yield from _longer(one, results)
    yield from _smaller(one, results)


def _accept(one: Standing) -> Option:
    title = "Accept it" if one.baseline.ends else "Go on as it is"
    return _option(one, "accept", title, "Nothing changes.", one.forecast)


def _longer(one: Standing, results: ResultSet) -> Iterator[Option]:
    """The deadline moved to where the chance is 0.8; work and cost stay. None where that is no later."""
    days = one.forecast.waited + one.forecast.days_left.at(SURE)
    day = one.forecast.day_at(days)
    if day <= one.target:
        return
    started = (day - results.profile.limits.start_date).days
    made = _option(
        one,
        "longer",
        Sentence("Give it until {}", date_text(day)),
        Sentence("{} days more; the same work on the same chips.", whole((day - one.target).days)),
        one.forecast,
        day,
        {"limits.deadline_days": float(max(started, 1))},
    )
    yield replace(made, is_less=True)


def _smaller(one: Standing, results: ResultSet) -> Iterator[Option]:
    """As much work as is done by the date with a chance of 0.8: ``done + days x the rate that is exceeded so often``,
    and no more than the budget pays for at the likely cost of a day, what is owed in any case taken off."""
    base, days = one.baseline, max(float((one.target - one.as_of).days), 0.0)
    if base.budget_usd is not None:
        days = min(days, _affordable_days(one, base.budget_usd - one.forecast.fixed_usd - one.lost_usd.middle))
    left = days * one.rate.at(1.0 - SURE)
    amount = one.done + left
    if left <= 0 or amount >= base.amount:
        return
    made = _option(
        one,
        "smaller",
        Sentence("Stop at {} {}", Amount(amount, SCALED), base.unit),
        Sentence("{} % of the work; the same chips.", whole(100 * amount / base.amount)),
        forecast_from(one, left),
        changes=_less_work(results, amount / base.amount),
    )
    yield replace(made, is_less=True)


def _affordable_days(one: Standing, room_usd: float) -> float:
    """Days that so much money pays for. A further term must be paid whole before any day of it."""
    usd, longest = max(one.usd_per_day.at(SURE), 1e-9), 0.0
    for held, until in _term_ends(one):
        affordable = (room_usd - held.owed_usd(until)) / usd
        longest = max(longest, min(affordable, until))
        if affordable <= until:
            return longest
    return longest if one.terms else max(room_usd, 0.0) / usd


def _term_ends(one: Standing) -> Iterator[tuple[Terms, float]]:
    """Days to the end of each term that the rest of the work, as it is, may touch."""
    for held in one.terms:
        for n in range(held.n_after(0.0), held.n_after(one.forecast.days_left.at(SURE)) + 1):
            yield held, n * term_days(held.months) - held.elapsed


def _less_work(results: ResultSet, share: float) -> dict[str, Any]:
    name = results.profile.job.quantity_field
    return {f"job.{name}": getattr(results.profile.job, name) * share}


def _more_chips(one: Standing, results: ResultSet) -> Iterator[Option]:
    """More of the same chip: at the seller of the plan and at the best of others, each in the number that holds and
    costs least. How far the run is behind its plan now stays so on more of them."""
    own = results.by_id.get(one.baseline.candidate)
    if own is None:
        return
    for offered in (own, *_elsewhere(results, own)):
        breathe()
        points = [p for p in count_curve(results, offered).points if p.candidate.n_chips > one.baseline.n_chips]
        made = [option for point in points if (option := _on_more(one, results, own, point)) is not None]
        if made:
            yield min(made, key=_order)


def _elsewhere(results: ResultSet, own: CandidateResult) -> list[CandidateResult]:
    """The same chip at other sellers, the best of each by rank."""
    chip, seller = own.candidate.accelerator.id, own.candidate.offer.provider
    firsts = results.first_of(lambda accelerator, offer: (accelerator.id, offer.provider))
    others = [
        r for r in firsts if r.candidate.accelerator.id == chip and r.candidate.offer.provider not in (seller, OWN)
    ]
    return others[:MOST_SELLERS]


def _on_more(one: Standing, results: ResultSet, own: CandidateResult, point: CandidateResult) -> Option | None:
    if results.basis is None:
        return None
    candidate = point.candidate
    waited = wait_of(results.basis.catalogue, candidate.offer, candidate.n_chips).days.likely
    faster = work_days(results.profile, own).likely / work_days(results.profile, point).likely
    moved = egress_usd(results.profile, point, own)
    bought, once = _bought_more(point, own)
    usd, terms = day_there(one, results, point, own), terms_there(one, results, point, own, waited)
    forecast = switched(one, waited, one.rate.scaled(faster), usd, moved + once, terms)
    if forecast is None or faster <= 1.0:
        return None
    title, detail = _instead(point, one), _from(one, candidate.place, waited, moved, bought)
    return _option(one, "more", title, detail, forecast, changes=_placed(point))


def _bought_more(result: CandidateResult, own: CandidateResult) -> tuple[float, float]:
    """What hardware of one's own beyond that of the plan takes when it comes, and what of that no sale brings back."""
    pairs = [
        (bought_and_worth_usd(one.cost.parts)[0], hardware_split(one.cost.parts).installing_usd)
        for one in (result, own)
    ]
    (bought, installing), (had, installed) = pairs
    return max(bought - had, 0.0), max(installing - installed, 0.0)


def _instead(result: CandidateResult, one: Standing) -> Sentence:
    return Sentence("{} instead of {}", result.candidate.name, one.baseline.name)


def _other_chips(one: Standing, results: ResultSet) -> Iterator[Option]:
    """The rest of the work on another chip: the old ones go on until it is ported and there. Its rate and its cost of a
    day are those predicted, with their own ranges; moving is porting, where the chip runs other software, and what the
    seller asks for the data, where it goes to another one."""
    own = results.by_id.get(one.baseline.candidate)
    name = one.baseline.name.rpartition(" \u00d7 ")[2]
    others = [r for r in results.best_feasible if r.candidate.accelerator.short_name != name]
    for result in others[:MOST_CHIPS_OTHER]:
        breathe()
        option = _on_other(one, results, own, result)
        if option is not None:
            yield option


def _on_other(one: Standing, results: ResultSet, own: CandidateResult | None, result: CandidateResult) -> Option | None:
    profile, days, place = results.profile, work_days(results.profile, result), result.candidate.place
    rate = Belief.of_range(*(amount_of(profile) / one for one in (days.high, days.likely, days.low)))
    total, porting, waits = result.cost.total, result.cost.part("porting"), dict(result.time_terms_days)
    usd = Belief.of_range(*(max(end - porting, 1.0) / days.likely for end in (total.low, total.likely, total.high)))
    usd = replace(usd, middle=usd_per_day(results, result))  # what is paid once, and terms, are of no day
    if is_ported(result, own):
        porting, waits["porting"] = 0.0, 0.0
    waited = waits.get("porting", 0.0) + waits.get("waiting", 0.0)
    moved = porting + egress_usd(profile, result, own)
    once, bought = hardware_split(result.cost.parts).installing_usd, bought_and_worth_usd(result.cost.parts)[0]
    forecast = switched(one, waited, rate, usd, moved + once, terms_there(one, results, result, own, waited))
    if forecast is None:
        return None
    title, detail = Sentence("The rest on {}", result.candidate.name), _from(one, place, waited, moved, bought)
    return _option(one, "other", title, detail, forecast, changes=_placed(result))


def _of_service(one: Standing, results: ResultSet) -> Iterator[Option]:
    """The chips that the traffic as it comes takes: the same offer as the comparison ranks it at the requests that are
    believed, with the room for a slow outcome that it has there."""
    own = results.by_id.get(one.baseline.candidate)
    job, name = results.profile.job, results.profile.job.quantity_field
    wanted = getattr(job, name) * one.rate.middle / one.baseline.rate
    if own is None or results.basis is None:
        return
    asked = results.profile.model_copy(update={"job": job.model_copy(update={name: wanted})})
    answer = evaluate(asked, results.basis.catalogue, results.basis.corrections)
    offers, offer_id = answer.columns.offers, own.candidate.offer.id
    row = next((row for row in range(answer.n_feasible) if offers[row].id == offer_id), None)
    point = None if row is None else answer.results[row]
    n_chips = one.baseline.n_chips
    if point is None or point.candidate.n_chips == n_chips:
        return
    made = _larger(one, results, own, point) if point.candidate.n_chips > n_chips else _fewer(one, results, own, point)
    if made is not None:
        yield replace(made, changes={f"job.{name}": wanted})


def _larger(one: Standing, results: ResultSet, own: CandidateResult, point: CandidateResult) -> Option | None:
    """More chips from when they are there."""
    if results.basis is None:
        return None
    waited = wait_of(results.basis.catalogue, point.candidate.offer, point.candidate.n_chips).days.likely
    bought, once = _bought_more(point, own)
    detail = _from(one, point.candidate.place, waited, 0.0, bought)
    terms = terms_there(one, results, point, own, waited)
    return _resized(one, point, waited, day_there(one, results, point, own), once, terms, detail)


def _fewer(one: Standing, results: ResultSet, own: CandidateResult, point: CandidateResult) -> Option | None:
    """The chips that are no longer wanted are given back; None where they are owed to the end, as one's own are, or
    nothing is saved: what bills of an autoscaled service fell by with its traffic is no saving."""
    held = replace(picked(results.profile, own), begins=one.baseline.work_begins, ends=planned_end(one.baseline))
    waited = float((given_back(held, one.as_of) - one.as_of).days)
    if waited >= one.forecast.days_left.middle or dearer(results, point, own) >= 1.0:
        return None
    usd = day_there(one, results, point, own)
    if not one.terms:  # bills of an autoscaled service may have fallen already
        usd = replace(usd, middle=max(usd.middle, usd_per_day(results, point)))
    day, till = date_text(one.forecast.day_at(waited)), "; all are owed till then" if waited > 0 else ""
    detail = Sentence(f"{{}}, from {{}} on{till}.", point.candidate.place, day)
    made = _resized(one, point, waited, usd, 0.0, terms_there(one, results, point, own, waited), detail)
    return made if made.forecast.cost.likely < one.forecast.cost.likely else None


def _resized(
    one: Standing,
    point: CandidateResult,
    waited: float,
    usd: Belief,
    once_usd: float,
    terms: tuple[Terms, ...],
    detail: Text,
) -> Option:
    """A service in another size from some days on, where a day of it costs so much beside its terms."""
    left = Belief(max(one.forecast.days_left.middle - waited, 0.0), 0.0)
    spent = one.forecast.fixed_usd + one.usd_per_day.middle * waited + once_usd
    forecast = Forecast(one.as_of, waited, left, spent, left.times(usd).plus(one.lost_usd), terms)
    return _option(one, "resize", _instead(point, one), detail, forecast)


def _from(one: Standing, place: str, waited: float, moved_usd: float, bought_usd: float = 0.0) -> Text:
    told: list[Text] = [Sentence("{}, from {} on", place, date_text(one.forecast.day_at(waited)))]
    told += [Sentence("moving {}", Amount(moved_usd, USD))] if moved_usd > 0 else []
    told += [Sentence("hardware {}", Amount(bought_usd, USD))] if bought_usd > 0 else []
    return Sentence(f"{'; '.join(['{}'] * len(told))}.", *told)


def _placed(result: CandidateResult) -> dict[str, Any]:
    """Fields that lead the comparison to an option: its number of chips, its seller and its maker."""
    candidate = result.candidate
    sellers = () if candidate.offer.provider == OWN else (candidate.offer.provider,)
    makers = tuple(name for name in VENDOR_WORDS if name.lower() == candidate.accelerator.vendor.lower())
    return {"limits.exact_chips": candidate.n_chips, "places.providers": sellers, "places.vendors": makers}


def _option(
    one: Standing,
    kind: Kind,
    title: Text,
    detail: Text,
    forecast: Forecast,
    day: date | None = None,
    changes: Mapping[str, Any] | None = None,
) -> Option:
    target = day or one.target
    in_time = forecast.chance_by(target) if one.baseline.ends else None
    return Option(kind, title, detail, forecast, target, in_time, _budget(one, forecast), changes=changes or {})


def _budget(one: Standing, forecast: Forecast) -> float | None:
    return forecast.chance_within(one.baseline.budget_usd)
