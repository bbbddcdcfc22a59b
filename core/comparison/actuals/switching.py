"""Other chips for the rest of the work: days until it runs there, what moving takes, and what is owed for old and new
ones."""

from __future__ import annotations

from dataclasses import replace

from core.catalogue.chip_families import software_family_of
from core.comparison.actuals.baseline import work_days
from core.comparison.actuals.belief import Belief
from core.comparison.actuals.commitments import commitment_of
from core.comparison.actuals.standing import Forecast, Standing
from core.comparison.actuals.terms import CALENDAR_DAYS, Terms
from core.comparison.questions.leaving import exit_parts
from core.comparison.result import CandidateResult, ResultSet
from core.cost.parts.hardware import hardware_split
from core.months import DAYS_PER_MONTH, n_terms_of
from core.workload.profile import Profile


def is_ported(result: CandidateResult, own: CandidateResult | None) -> bool:
    """True where the software that runs now runs there too: it was ported once, if at all."""
    chips = [one.candidate.accelerator for one in (result, own) if one is not None]
    return len(chips) > 1 and software_family_of(chips[0]).id == software_family_of(chips[1]).id


def egress_usd(profile: Profile, result: CandidateResult, own: CandidateResult | None) -> float:
    """What the seller of now asks for the data that moves; 0 within one seller."""
    if own is None or result.candidate.offer.provider == own.candidate.offer.provider:
        return 0.0
    return exit_parts(profile, own)["egress"]


def usd_per_day(results: ResultSet, result: CandidateResult) -> float:
    """Likely cost of a day without what is paid once, porting and installing hardware, and without whole terms."""
    held = commitment_of(results.profile, result)
    return (
        max(_whole_usd(result) - (held.planned_usd if held else 0.0), 0.0) / work_days(results.profile, result).likely
    )


def is_told_by_day(one: Standing, results: ResultSet, own: CandidateResult) -> bool:
    """True of a plan that was frozen when terms still counted as spent over days of work: a day of it holds them."""
    return one.baseline.commitment is None and commitment_of(results.profile, own) is not None


def dearer(results: ResultSet, result: CandidateResult, own: CandidateResult) -> float:
    """How many times as much a day costs there, terms spread over all days."""
    days, own_days = (work_days(results.profile, one).likely for one in (result, own))
    return _whole_usd(result) / days / max(_whole_usd(own) / own_days, 1e-9)


def day_there(one: Standing, results: ResultSet, result: CandidateResult, own: CandidateResult) -> Belief:
    """Cost of a day there: as much dearer or cheaper as the engine says than on the chips of now, as bills tell these.
    Beside a term a day costs so little that the difference counts, not the ratio."""
    if is_told_by_day(one, results, own):
        return one.usd_per_day.scaled(dearer(results, result, own))
    there, here = usd_per_day(results, result), usd_per_day(results, own)
    if one.baseline.commitment is None:
        return one.usd_per_day.scaled(there / max(here, 1e-9))
    return replace(one.usd_per_day, middle=max(one.usd_per_day.middle + there - here, 0.0))


def terms_there(
    one: Standing, results: ResultSet, result: CandidateResult, own: CandidateResult | None, waited: float
) -> tuple[Terms, ...]:
    """Terms of old and new chips. More of one offer come beside those of now, whose terms go on; from another offer all
    chips are new, and those of now are owed to the end of the term that has begun when they are given back."""
    is_same = own is not None and result.candidate.offer.id == own.candidate.offer.id
    if own is not None and is_same and is_told_by_day(one, results, own):
        return ()
    total, n_chips, n_kept = result.cost.total, result.candidate.n_chips, one.baseline.n_chips
    is_beside, is_known = is_same and n_chips > n_kept, is_same and bool(one.terms)
    spread = one.terms[0].spread if is_known else Belief.of_range(total.low, total.likely, total.high).spread
    kept = one.terms if is_beside else tuple(held.until(waited) for held in one.terms)
    new = commitment_of(results.profile, result)
    if new is None:
        return kept
    usd = new.term_usd * ((n_chips - n_kept) / n_chips if is_beside else 1.0)
    n_fixed = None if one.baseline.ends else _n_of_service(one, waited, new.months)
    return (*kept, Terms(new.months, usd, -waited, spread=spread, n_fixed=n_fixed))


def _n_of_service(one: Standing, waited: float, months: int) -> int:
    """Terms that the rest of a service takes once the new chips are there."""
    return n_terms_of((one.forecast.days_left.middle - waited - CALENDAR_DAYS) / DAYS_PER_MONTH, months)


def switched(
    one: Standing, waited: float, rate: Belief, usd: Belief, moved_usd: float, terms: tuple[Terms, ...]
) -> Forecast | None:
    """The old chips until the new ones are there, then these: None where all is done before."""
    left = one.left - one.rate.middle * waited
    if left <= 0:
        return None
    days = Belief(left, 0.0).over(rate)
    spent = one.forecast.fixed_usd + one.usd_per_day.middle * waited + moved_usd
    return Forecast(one.as_of, waited, days, spent, days.times(usd).plus(one.lost_usd), terms)


def _whole_usd(result: CandidateResult) -> float:
    """Likely cost without porting, and without what installing hardware takes once."""
    once = result.cost.part("porting") + hardware_split(result.cost.parts).installing_usd
    return max(result.cost.total.likely - once, 0.0)
