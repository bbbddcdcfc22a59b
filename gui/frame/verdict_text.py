"""What the verdict strip says, as plain texts made from results."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from core.catalogue.prices.age import n_undated, price_age, price_badge
from core.catalogue.prices.dates import OLD_PRICE_DAYS, oldest
from core.catalogue.providers import provider_name
from core.comparison.advice.rules import agreement_lines
from core.comparison.cost_words import REGRET_DIGITS, cost_told, over_term
from core.comparison.recommendation.confidence import condition
from core.comparison.result import CandidateResult, ResultSet
from core.comparison.together.plan_answer import PlanAnswer
from core.report.plan_words import ready_words
from core.units import (
    DASH,
    LONGEST_DAYS,
    OVER_A_CENTURY,
    THIN,
    counted,
    day_after,
    in_hundred,
    ms_words,
    noun,
    plain,
    span,
    whole_days,
)
from core.units import usd as usd_words
from core.workload.profile import Profile
from gui.charts.figure.shown import empty_sentence
from gui.charts.figure.texts import money_scale

EMPTY = "Fill in tokens and deadline to see a ranking"
OLDEST = "Oldest price "
PICKS = "pick: "
"""Before the badge of the pick's price, where it is of one's own."""
ADVICE = "Common advice "


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
    """The whole strip. ``facts`` are (plain words, words set in semibold) pairs; ``price`` tells the oldest price that
    counts, marked when it or its like should be confirmed. ``advice_tip`` tells which rules of common advice agree, and
    which take different sides. ``brief`` says the headline with the least words."""

    headline: str
    facts: tuple[tuple[str, str], ...] = ()
    kpis: tuple[Kpi, ...] = ()
    price: str = ""
    price_is_old: bool = False
    price_tip: str = ""
    advice_tip: str = ""
    brief: str = ""

    @property
    def price_brief(self) -> str:
        """The date of the oldest price in few words, with the badge of the pick's."""
        day, *rest = self.price.replace(OLDEST, "Price ").split(", ")
        return ", ".join([day, *(words for words in rest if words.startswith(PICKS))])


def verdict(results: ResultSet | None, today: date, old_price_days: int = OLD_PRICE_DAYS) -> Verdict:
    """The strip for these results; one sentence and no figures while there is no ranking.

    Prices count as old after so many days.
    """
    if results is None:
        return Verdict("")
    if not results.results:
        return Verdict(empty_sentence(results) or EMPTY)
    pick = results.choice
    price = _price_words(results, today, old_price_days)
    if pick is None:
        headline = str(results.recommendation.headline) or EMPTY
        return Verdict(headline, _facts(results), (), *price, _advice_tip(results))
    short, _, _ = str(results.recommendation.headline).partition(": ")
    rival = results.runner_up
    brief = f"{_best_words(pick)}: {pick.candidate.name}, {pick.candidate.place}"
    if results.recommendation.too_close and rival is not None:
        brief = f"Too close to call: {pick.candidate.name} or {rival.candidate.name}"
    return Verdict(short, _facts(results), _kpis(results, pick), *price, _advice_tip(results), brief)


def _best_words(pick: CandidateResult) -> str:
    """``Best``, with what it rests on: ``Best if its speed holds``; ``Nearest, on paper`` of what cannot be had."""
    if pick.obtainable.status == "on paper":
        return "Nearest, on paper"
    if_so = condition(pick)
    return f"Best if {if_so}" if if_so else "Best"


def workload_words(profiles: Sequence[Profile], shown: Profile | None) -> str:
    """Which workload of several the answer is for: ``1 of 2: Chat``; empty where there is no other it could be."""
    number = next((n for n, profile in enumerate(profiles, start=1) if shown and profile.id == shown.id), 0)
    return f"{number} of {len(profiles)}: {profiles[number - 1].name}" if number and len(profiles) > 1 else ""


def whole_words(answer: PlanAnswer | None, is_working: bool) -> str:
    """``Whole plan $2.61 M, all ready by 1 Feb 2027``, with dots while it is worked out anew; empty without."""
    if answer is None:
        return ""
    words = f"Whole plan {usd_words(answer.printed_usd)}, {ready_words(answer)}"
    return f"{words}\u2026" if is_working else words


def _facts(results: ResultSet) -> tuple[tuple[str, str], ...]:
    advice = [rule for rule in results.advice if rule.agrees is not None]
    agreeing = sum(rule.agrees is True for rule in advice)
    facts = [("Confidence", results.recommendation.confidence)] if results.recommendation.confidence else []
    if advice:
        rules = counted(len(advice), "rule")
        words = (
            f"divided, {agreeing} of {rules} agree" if results.advice_conflicts else f"agrees on {agreeing} of {rules}"
        )
        facts.append((f"{ADVICE}{words}", ""))
    return tuple(facts)


def _advice_tip(results: ResultSet) -> str:
    """Which rules agree, and where rules take different sides which ones and what decided; a line each."""
    divided = (f"{text}." for text in results.advice_conflicts)
    return "\n".join((*divided, *agreement_lines(results.advice)))


def _kpis(results: ResultSet, pick: CandidateResult) -> tuple[Kpi, ...]:
    ends = results.profile.job.months_in_service is None
    second = _finish(results.profile, pick) if ends else _batch(results.profile, pick) or _speed(pick)
    return (
        _cost(results.profile, pick, "Cost" if ends else "Cost per month"),
        second,
        *_of_the_draws(results.profile, pick),
    )


def _cost(profile: Profile, pick: CandidateResult, title: str) -> Kpi:
    """The range in the scale of the likely value, which names it: ``$1.48 M`` has ``1.34–1.68``."""
    cost = cost_told(profile, pick.cost)
    ends = money_scale(cost.likely).range_text(cost)
    return Kpi("cost", title, usd_words(cost.likely), f"{ends}, 80{THIN}% range")


def _finish(profile: Profile, pick: CandidateResult) -> Kpi:
    days = pick.days_to_finish
    if days is None:
        return Kpi("finish", "Finish", "unknown", "")
    start = profile.limits.start_date
    low, likely = (day_after(start, one) for one in (days.low, days.likely))
    if low is None or likely is None:
        return Kpi("finish", "Finish", OVER_A_CENTURY, "")
    high = day_after(start, min(days.high, LONGEST_DAYS)) or date.max
    deadline = profile.limits.deadline_days
    spare_days = int(deadline) - whole_days(days.likely) if deadline and deadline >= days.likely else -1
    spare = f", {counted(spare_days, 'day')} spare" if spare_days >= 0 else ""
    return Kpi("finish", "Finish", _long_day(likely), _day_span(low, high), spare)


def _batch(profile: Profile, pick: CandidateResult) -> Kpi | None:
    """How long a batch takes beside its window: nobody waits for a single answer. None where there are no batches."""
    window_h, hours = profile.job.round_limit_h, pick.run_h
    if window_h is None:
        return None
    words = f"{span(plain(hours.low, 2), plain(hours.high, 2))}{THIN}h"
    return Kpi(
        "finish", "A batch takes", f"{plain(hours.likely, 2)}{THIN}h", words, f", window {plain(window_h)}{THIN}h"
    )


def _speed(pick: CandidateResult) -> Kpi:
    speed, latency, unit = pick.throughput.tokens_per_s, pick.throughput.latency, pick.throughput.unit
    if latency is not None and unit == "samples":
        late = f"an answer, 99{THIN}% within {ms_words(latency.ttft_p99_ms, 2)}"
        return Kpi("finish", "Speed", ms_words(latency.ttft_p50_ms, 2), late)
    if latency is not None:
        value = ms_words(latency.tpot_p50_ms, 2)
        route = f" + {plain(pick.route.mean_ms.likely, 2)} on the way" if pick.route else ""
        return Kpi("finish", "Speed", value, f"a token, first in {ms_words(latency.ttft_p50_ms, 2)}", route)
    words = span(plain(speed.low, 2), plain(speed.high, 2))
    return Kpi("finish", "Speed", plain(speed.likely, 2), f"{words} {unit}/s")


def _of_the_draws(profile: Profile, pick: CandidateResult) -> tuple[Kpi, ...]:
    """How often the pick keeps the limits that are set, how often it is the best, and what being wrong would cost: over
    the whole term of a service, which is named beside a cost a month."""
    chance = pick.chance
    if chance is None or chance.best is None or chance.regret_usd is None:
        return ()
    kept = (_share("in-limits", "Keeps limits", chance.in_limits),) if chance.has_limits else ()
    term = over_term(profile).removeprefix(" over ")
    note = f"mean, {term}" if term else "regret, mean"
    regret = Kpi("regret", "If wrong", usd_words(chance.regret_usd, REGRET_DIGITS), note)
    return *kept, _share("chance-best", "Best", chance.best), regret


def _share(name: str, title: str, share: float) -> Kpi:
    value, _, rest = in_hundred(share).partition(" of ")
    return Kpi(name, title, value, f"of {rest} draws")


def _price_words(results: ResultSet, today: date, old_price_days: int) -> tuple[str, bool, str]:
    """The oldest price among the best options that can be had, whether one should be confirmed, and which that is."""
    offers = [result.candidate.offer for result in results.best_trusted]
    first, undated = oldest(offers), n_undated(offers)
    if not offers:
        return "", False, ""
    age = price_age(first, today, old_price_days) if first else None
    words = f"{OLDEST}{age.day_words}" if age else "No price is dated"
    flag = f", {age.flag}" if age and age.flag else ""
    loose = f", {undated} undated" if age and undated else ""
    told = f"{provider_name(first.provider)}, read {age.day_words}{flag}" if first and age else "None of the prices"
    carry = noun(str(undated), "carries", "carry")
    told += f"; {undated} of {len(offers)} prices that count {carry} no date" if undated else ""
    told += f". Old after {counted(old_price_days, 'day')}: click to change."
    badge = price_badge(results.choice.candidate.offer) if results.choice else ""
    own = f", {PICKS}{badge}" if badge else ""
    return f"{words}{loose}{own}", bool(flag or undated), told


def _long_day(day: date) -> str:
    return f"{day.day} {day:%b %Y}"


def _day_span(first: date, last: date) -> str:
    """``2–12 Jan``, ``28 Dec–3 Jan``; with the year where it is another one, one day when they are the same."""
    if first == last:
        return f"{last.day} {last:%b}"
    start = f"{first.day}" if (first.year, first.month) == (last.year, last.month) else f"{first.day} {first:%b}"
    return f"{start}{DASH}{last.day} {last:%b}"
