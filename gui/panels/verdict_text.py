"""What the verdict strip says, as plain texts made from results."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta

from core.catalogue.prices import OLD_PRICE_DAYS, parse_as_of
from core.comparison.result import CandidateResult, ResultSet
from core.ranges import Range
from core.units import DASH, THIN, grouped, plain, rounded, span
from core.units import usd as usd_words
from core.workload.job import BatchInference, OnlineServing
from core.workload.profile import Profile
from gui.charts.shown import empty_sentence

EMPTY = "Fill in tokens and deadline to see a ranking"
DRAWS = 1000
SCALES = (1e12, 1e9, 1e6, 1e3)
MOST_DAYS = 36_500


@dataclass(frozen=True, slots=True)
class Kpi:
    """One figure of the strip: what it is, its likely value, its range, and words for which there may be no room."""

    id: str
    title: str
    value: str
    note: str
    spare: str = ""


@dataclass(frozen=True, slots=True)
class Verdict:
    """The whole strip. ``facts`` are (plain words, words set in semibold) pairs."""

    headline: str
    facts: tuple[tuple[str, str], ...] = ()
    kpis: tuple[Kpi, ...] = ()
    price_is_old: bool = False


def verdict(results: ResultSet | None, today: date) -> Verdict:
    """The strip for these results; one sentence and no figures while there is no ranking."""
    if results is None:
        return Verdict("")
    if not results.results:
        return Verdict(empty_sentence(results) or EMPTY)
    pick = results.choice
    if pick is None:
        return Verdict(results.recommendation.headline or EMPTY, _facts(results))
    short, _, _ = results.recommendation.headline.partition(": ")
    return Verdict(short, _facts(results), _kpis(results, pick), _is_old(results, today))


def _facts(results: ResultSet) -> tuple[tuple[str, str], ...]:
    advice = [rule for rule in results.advice if rule.agrees is not None]
    agreeing = sum(rule.agrees is True for rule in advice)
    facts = [("Confidence", results.recommendation.confidence)] if results.recommendation.confidence else []
    if advice:
        facts.append((f"Common advice agrees on {agreeing} of {len(advice)} rules", ""))
    if results.oldest_price:
        facts.append((f"Oldest price {_day_words(results.oldest_price)}", ""))
    return tuple(facts)


def _kpis(results: ResultSet, pick: CandidateResult) -> tuple[Kpi, ...]:
    job = results.profile.job
    first = (
        (_monthly(pick, job.months), _speed(pick))
        if isinstance(job, OnlineServing | BatchInference)
        else (_total(pick), _finish(results.profile, pick))
    )
    return *first, _flexibility(pick), _stays_first(results)


def _total(pick: CandidateResult) -> Kpi:
    return Kpi("cost", "Cost", usd_words(pick.cost.total.likely, 2), f"{_money_span(pick.cost.total)}, 80{THIN}% range")


def _monthly(pick: CandidateResult, months: float) -> Kpi:
    monthly = pick.cost.total.scaled(1.0 / months)
    return Kpi("cost", "Cost per month", usd_words(monthly.likely, 2), f"{_money_span(monthly)}, 80{THIN}% range")


def _money_span(amount: Range) -> str:
    """Both ends in the scale of the likely value, which names it: ``$1.5 M`` has ``1.3–1.7``."""
    divisor = next((one for one in SCALES if rounded(amount.likely, 2) >= one), 1.0)
    decimals = 1 if amount.likely < 9.95 * divisor else 0
    return span(*(grouped(usd / divisor, decimals) for usd in (amount.low, amount.high)))


def _finish(profile: Profile, pick: CandidateResult) -> Kpi:
    days = pick.days_to_finish
    if days is None:
        return Kpi("finish", "Finish", "unknown", "")
    ends = [
        profile.limits.start_date + timedelta(days=int(min(n, MOST_DAYS))) for n in (days.low, days.likely, days.high)
    ]
    deadline = profile.limits.deadline_days
    spare = f", {grouped(deadline - days.likely)} days spare" if deadline and deadline >= days.likely else ""
    return Kpi("finish", "Finish", _long_day(ends[1]), _day_span(ends[0], ends[2]), spare)


def _speed(pick: CandidateResult) -> Kpi:
    speed, latency, unit = pick.throughput.tokens_per_s, pick.throughput.latency, pick.throughput.unit
    if latency is not None and unit == "samples":
        late = f"an answer, 99 % within {plain(latency.ttft_p99_ms, 2)}{THIN}ms"
        return Kpi("finish", "Speed", f"{plain(latency.ttft_p50_ms, 2)}{THIN}ms", late)
    if latency is not None:
        value = f"{plain(latency.tpot_p50_ms, 2)}{THIN}ms"
        return Kpi("finish", "Speed", value, f"a token, first in {plain(latency.ttft_p50_ms, 2)}{THIN}ms")
    words = span(plain(speed.low, 2), plain(speed.high, 2))
    return Kpi("finish", "Speed", plain(speed.likely, 2), f"{words} {unit}/s")


def _flexibility(pick: CandidateResult) -> Kpi:
    score = pick.flexibility.score
    words = span(grouped(score.low), grouped(score.high))
    return Kpi("flexibility", "Flexibility", grouped(score.likely), f"{words} of 100")


def _stays_first(results: ResultSet) -> Kpi:
    share = f"{grouped(results.recommendation.stays_first_pct)}{THIN}%"
    return Kpi("stays-first", "Stays first", share, f"of {grouped(DRAWS)} draws")


def _is_old(results: ResultSet, today: date) -> bool:
    read = parse_as_of(results.oldest_price)
    return read is not None and (today - read).days > OLD_PRICE_DAYS


def _day_words(text: str) -> str:
    """A whole day in words; what a list says otherwise (a quarter, a year) stays as it stands."""
    try:
        return _long_day(date.fromisoformat(text))
    except ValueError:
        return text


def _long_day(day: date) -> str:
    return f"{day.day} {day:%b %Y}"


def _day_span(first: date, last: date) -> str:
    """``2–12 Jan``, ``28 Dec–3 Jan``; with the year where it is another one, one day when they are the same."""
    if first == last:
        return f"{last.day} {last:%b}"
    start = f"{first.day}" if (first.year, first.month) == (last.year, last.month) else f"{first.day} {first:%b}"
    return f"{start}{DASH}{last.day} {last:%b}"
