"""Cost and days of one offer over every number of chips in which it can be had, and what that says in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from core.catalogue.catalogue import Catalogue
from core.comparison.cost_words import over_term
from core.comparison.judge.assemble import assemble
from core.comparison.judge.calendar import calendar_days, porting_efforts
from core.comparison.judge.candidates import candidate_of, shortlisted_of
from core.comparison.judge.durations import read_clock
from core.comparison.judge.room import with_room
from core.comparison.result import Basis, CandidateResult, ResultSet
from core.comparison.search.counts import nearest_count
from core.comparison.search.options import Option, options
from core.comparison.search.pool import build_pool, kinds_of
from core.comparison.search.screen import Screened
from core.throughput.predict import predict
from core.units import THIN, counted, days_text, in_hundred, noun, usd
from core.workload.profile import Profile


@dataclass(frozen=True)
class CountCurve:
    """An offer at every count that holds the job, fewest chips first, each judged as in the comparison.

    ``cheapest`` costs least of those that meet every limit (of all, where none does); ``fewest`` is the smallest
    count that meets them, None when none does. Serving, a count is a size of replicas times as many as carry the peak.
    """

    points: tuple[CandidateResult, ...]
    cheapest: CandidateResult | None
    fewest: CandidateResult | None

    @property
    def soonest(self) -> CandidateResult | None:
        """The count that is done first, or, where nothing ends, the one with most speed; None without a point."""
        if not self.points:
            return None
        return min(self.points, key=lambda r: (_days(r), -r.throughput.tokens_per_s.likely))


def count_curve(results: ResultSet, result: CandidateResult) -> CountCurve:
    """The curve of a result's offer, worked out by the engine.

    Without points where the results carry no basis or the offer is no longer for sale.
    """
    basis = results.basis
    option = option_of(basis.catalogue, result) if basis else None
    if basis is None or option is None:
        return curve_of(())
    return _curve(results.profile, basis, option)


def curve_of(points: Sequence[CandidateResult]) -> CountCurve:
    """The curve through some counts of one offer, of each count the cheapest that keeps the limits, if any does."""
    best: dict[int, CandidateResult] = {}
    for point in sorted(points, key=lambda r: (r.candidate.n_chips, not r.feasible, r.cost.total.likely)):
        if point.throughput.fits:
            best.setdefault(point.candidate.n_chips, point)
    running = tuple(best.values())
    fitting = [point for point in running if point.feasible]
    cheapest = min(fitting or running, key=lambda r: (r.cost.total.likely, r.candidate.n_chips), default=None)
    return CountCurve(running, cheapest, fitting[0] if fitting else None)


def _curve(profile: Profile, basis: Basis, option: Option) -> CountCurve:
    """The same steps as in an evaluation, for one option and every count of it; an exact number asked for is one of
    them."""
    exact = profile.limits.exact_chips
    profile = profile.model_copy(update={"limits": profile.limits.model_copy(update={"exact_chips": None})})
    efforts = porting_efforts(profile, basis.catalogue, {option.accelerator.id})
    porting = {chip: calendar_days(weeks, profile.team.engineers) for chip, weeks in efforts.items()}
    kinds = kinds_of(profile, basis.catalogue, (option,))
    if exact is not None and profile.job.trains:
        counts = {*kinds.counts[0](None), nearest_count(option, basis.catalogue, exact)}
        kinds = replace(kinds, counts=(lambda _: tuple(sorted(counts)),))
    pool = build_pool(basis.catalogue, kinds, (None,))
    throughputs = predict(profile, pool.systems, basis.corrections)
    pool = with_room(profile, pool, throughputs)
    clock = read_clock(profile, basis.catalogue, pool, throughputs, porting)
    shortlisted = shortlisted_of(pool, throughputs, clock, range(pool.n_pairs), profile.job.busiest_requests_per_s)
    return curve_of(assemble(profile, basis.catalogue, Screened((option,), ((),)), shortlisted, efforts))


def option_of(catalogue: Catalogue, result: CandidateResult) -> Option | None:
    """The option that a candidate is made of; None where it is no longer for sale."""
    taken = result.candidate
    of_offer = (option for option in options(catalogue) if option.offer.id == taken.offer.id)
    own = next((one for one in of_offer if candidate_of(one, taken.n_chips).id == taken.id), None)
    return own and replace(own, regions=taken.regions)


def _days(result: CandidateResult) -> float:
    return result.days_to_finish.likely if result.days_to_finish else 0.0


def curve_sentences(results: ResultSet, curve: CountCurve) -> tuple[str, ...]:
    """The pick's number of chips, where it is of this offer, the cheapest, the fewest in time, and the soonest.

    None if none holds the model.
    """
    if curve.cheapest is None:
        return ()
    profile = results.profile
    told = (_pick(results, curve), _cheapest(profile, curve), _fewest(results, curve), _soonest(curve))
    return tuple(text for text in told if text)


def _pick(results: ResultSet, curve: CountCurve) -> str:
    """The number that is advised; nothing beside another offer, or where the cheapest is the pick."""
    point = next((one for one in curve.points if one.id == results.recommendation.choice), None)
    if point is None or point is curve.cheapest:
        return ""
    amount = f"{usd(point.cost.total.likely)}{over_term(results.profile)}"
    when = f" and {_days_text(point)}" if point.days_to_finish else ""
    told = f"{chips_text(point)} {_verb(point, 'is', 'are')} the pick, for all that counts together: {amount}{when}"
    return f"{told}{_how_often(results, point)}."


def _cheapest(profile: Profile, curve: CountCurve) -> str:
    point = curve.cheapest
    if point is None:
        return ""
    when = f" and {_days_text(point)}" if point.days_to_finish else ""
    limits = "" if point.feasible else ", though none meets every limit"
    amount = f"{usd(point.cost.total.likely)}{over_term(profile)}"
    return f"{chips_text(point)} {_verb(point, 'costs', 'cost')} least: {amount}{when}{limits}."


def kept_in(results: ResultSet, point: CandidateResult) -> str:
    """``68 of 100``: draws in which a number of chips keeps all limits; empty where there are none, or of a number that
    is not compared."""
    known = results.by_id.get(point.id)
    chance = known.chance if known else None
    return in_hundred(chance.in_limits) if chance and chance.has_limits else ""


def _how_often(results: ResultSet, point: CandidateResult) -> str:
    often = kept_in(results, point)
    return f", all limits kept in {often} draws" if often else ""


def _fewest(results: ResultSet, curve: CountCurve) -> str:
    profile, point = results.profile, curve.fewest
    if point is None:
        return "No number of chips meets every limit."
    are = _verb(point, "is", "are")
    same = f"The same {are}" if point is curve.cheapest else f"{chips_text(point)} {are}"
    cost = "" if point is curve.cheapest else f", at {usd(point.cost.total.likely)}{over_term(profile)}"
    often = _how_often(results, point) or ", by the likely speed"
    return f"{same} the fewest that {profile.job.words.fewest_do}{cost}{often}."


def _soonest(curve: CountCurve) -> str:
    point = curve.soonest
    if point is None or point.days_to_finish is None or point is curve.cheapest:
        return ""
    are = _verb(point, "is", "are")
    return f"{chips_text(point)} {are} done soonest, in {_days_text(point)}, at {usd(point.cost.total.likely)}."


def fewest_words(profile: Profile) -> str:
    """What the fewest chips that meet the limits are good for: ``Fewest in time``."""
    return profile.job.words.fewest


def chips_text(result: CandidateResult) -> str:
    """``256 chips``, ``1 chip``."""
    return counted(result.candidate.n_chips, "chip")


def _verb(result: CandidateResult, one: str, many: str) -> str:
    return noun(str(result.candidate.n_chips), one, many)


def _days_text(result: CandidateResult) -> str:
    if result.days_to_finish is None:
        return ""
    number = days_text(result.days_to_finish.likely)
    return f"{number}{THIN}{noun(number, 'day')}"
