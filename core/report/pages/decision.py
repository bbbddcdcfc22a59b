"""Page 1: the question, the answer in its title, key figures, reasons, and what would change it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from core.catalogue.prices.age import n_undated, price_age, price_marks
from core.catalogue.prices.dates import oldest
from core.catalogue.providers import provider_name
from core.comparison.advice.rules import agreement
from core.comparison.cost_words import cost_told, cost_words, is_reserved, over_term
from core.comparison.questions.whom_to_ask import asked_of
from core.comparison.recommendation.arguments import option_name
from core.comparison.result import AdviceRule, CandidateResult, ResultSet
from core.comparison.together.plan_answer import PlanAnswer, answer_of
from core.plan.plan import Plan
from core.ranges import Range
from core.report.blocks import (
    Block,
    Decide,
    ForAgainst,
    Kpi,
    KpiTable,
    OptionKpis,
    Paragraph,
    Section,
)
from core.report.having_words import chance_line, having_line, rival_line
from core.report.pages.context import PageContext, asked_text, day_text, sign_of, usd_range
from core.report.pages.flip_rows import flip_table
from core.report.pages.key_figures import key_figures
from core.report.pages.leads import leads_table
from core.report.plan_reasons import plan_against, plan_for
from core.report.public_plan import LEFT_OUT
from core.report.time_words import time_words
from core.units import DASH, OVER_A_CENTURY, THIN, counted, date_text, in_hundred, noun, plain, span, usd, whole_days

MOST_NAMED = 6
MOST_OF_A_REASON = 120
"""Letters of a written reason that stand on the first page."""
_PAID = {
    "on_demand": "on demand at",
    "spot": "on spot capacity at",
    "flex_start": "with flex start at",
    "capacity_block": "in a capacity block at",
    "commit_1y": "on a one-year commitment at",
    "commit_3y": "on a three-year commitment at",
    "dedicated_monthly": "rented by the month at",
    "owned": "owned,",
}
_KINDS = {"gpu": "GPU", "tpu": "TPU", "other": "other chip"}


def decision_page(context: PageContext) -> Section:
    """The page that answers; without a pick it says what is missing or what stands in the way."""
    question = Paragraph(f"Where should we run {asked_text(context.profile)}, on GPU or on TPU?", "question")
    pick = context.pick
    if pick is None:
        blocks: tuple[Block, ...] = (question, *nearest(context))
        return Section("decision", str(context.results.recommendation.headline).rstrip("."), blocks)
    answer = answer_of([context.results])
    assert answer is not None
    blocks = (
        question,
        Paragraph(_lead(context, pick), "lead"),
        *key_figures(answer),
        _key_figures(context, pick),
        Paragraph(having_line(pick), "note"),
        *(Paragraph(line, "note") for line in (choice_words(context), *_comments(context), _draws(context)) if line),
        Paragraph(_evidence(context, pick), "note"),
        _reasons(context, answer),
        *_flips(context),
        *leads_table([context]),
        decide(answer),
    )
    return Section("decision", title_sentence(context.results, pick), blocks)


def _reasons(context: PageContext, answer: PlanAnswer) -> ForAgainst:
    """Those of the pick; of an option that the author chose, what the plan as a whole says of it."""
    told = context.results.recommendation
    if context.passed_over is None:
        return ForAgainst(tuple(map(str, told.reasons_for)), tuple(map(str, told.reasons_against)))
    return ForAgainst(tuple(map(str, plan_for(answer))), tuple(map(str, plan_against(answer))))


def choice_words(context: PageContext) -> str:
    """``Chosen against the pick 512 × B200, Lambda, on demand, $1.35 M: we have a contract with them.``; empty where
    the pick is taken. A long reason goes on in the annex; what may tell a private price is left out, and said so."""
    passed = context.passed_over
    if passed is None:
        is_left_out = context.catalogue.is_masked and context.choice is not None and not context.choice.candidate_id
        return f"What was chosen by hand is {LEFT_OUT}." if is_left_out else ""
    name = f"{passed.candidate.name}, {passed.candidate.place}, {usd(passed.cost.total.likely)}"
    reason = _beginning(context.choice.reason if context.choice else "")
    told = f"the reason is {reason}" if reason == LEFT_OUT else reason or "no reason is written down"
    return f"Chosen against the pick {name}: {told}."


def plan_comment(plan: Plan) -> str:
    """What the author wrote of the plan, in a line that goes on in the annex where it is long; empty without."""
    return f"Comment: {_beginning(plan.note)}" if plan.note.strip() else ""


def _comments(context: PageContext) -> tuple[str, ...]:
    """That of the workload, and of the plan where this is its only page."""
    of_plan = plan_comment(context.plan) if len(context.plan.profiles) == 1 else ""
    note = context.profile.note
    return of_plan, f"Comment on {context.profile.name}: {_beginning(note)}" if note.strip() else ""


def _beginning(text: str) -> str:
    line = " ".join(text.split())
    if len(line) <= MOST_OF_A_REASON:
        return line
    return f"{line[:MOST_OF_A_REASON].rsplit(' ', 1)[0]} … (whole in the annex)"


def decide(answer: PlanAnswer) -> Decide:
    """All dates count from the first start: each day later moves them by a day."""
    first = min(one.profile.limits.start_date for one in answer.picks)
    return Decide("Decide by", date_text(first), "Each day later moves all dates by one.")


def title_sentence(results: ResultSet, pick: CandidateResult) -> str:
    """``Choose 256 × B200, on a one-year commitment at CoreWeave``; both where they are too close to call."""
    rival = results.runner_up
    if results.recommendation.too_close and rival is not None:
        return f"Too close to call: {pick.candidate.name} or {option_name(rival, pick)}"
    offer = pick.candidate.offer
    if pick.obtainable.is_firm and not pick.is_firm:
        return f"Nothing can be signed yet: measure how fast {pick.candidate.name} runs this"
    if not pick.is_firm:
        return f"Nothing can be signed yet: ask {asked_of(pick)} for {pick.candidate.name}"
    paid = "reserved at" if is_reserved(offer) else _PAID[offer.purchase_model]
    return f"Choose {pick.candidate.name}, {paid} {provider_name(offer.provider)}"


def _lead(context: PageContext, pick: CandidateResult) -> str:
    limits, total = context.profile.limits, pick.cost.total.likely
    it = pick.candidate.name if context.results.recommendation.too_close else "It"
    budget = f" of the {usd(limits.budget_usd)} budget" if limits.budget_usd else ""
    money = f"{usd(total)}{budget}"
    if pick.days_to_finish is None:
        first = f"{it} costs {cost_words(context.profile, pick.cost)}, {money}{over_term(context.profile)}."
    else:
        days, deadline = whole_days(pick.days_to_finish.likely), limits.deadline_days
        spare = "" if deadline is None else _spare(int(deadline) - days)
        late = "" if deadline is None else _late(int(deadline) - whole_days(pick.days_to_finish.high))
        day = day_text(context.profile, pick.days_to_finish.likely)
        first = f"{it} finishes {'in' if day == OVER_A_CENTURY else 'on'} {day},{spare} for {money}.{late}"
    _, _, rest = str(context.results.recommendation.headline).partition(". ")
    return f"{first} {rest}".strip()


def _draws(context: PageContext) -> str:
    """What the draws say of the pick, and of its runner-up where the two are too close to call."""
    close = rival_line(context.results) if context.results.recommendation.too_close else ""
    return " ".join(line for line in (chance_line(context.results), close) if line)


def _spare(days: int) -> str:
    return f" {counted(days, 'day')} before the deadline," if days >= 1 else ""


def _late(days: int) -> str:
    """What the late end of the range leaves of the time, or by how much it misses the deadline."""
    if days >= 0:
        return f" At the late end of its range {counted(days, 'day')} {noun(str(days), 'is', 'are')} left."
    return f" At the late end of its range it is {counted(-days, 'day')} late."


def _key_figures(context: PageContext, pick: CandidateResult) -> KpiTable:
    """The pick and its runner-up, with the best of another kind in a sentence below."""
    first, second = ("Pick", "Runner-up") if context.passed_over is None else ("Chosen", "The pick")
    cost = "Total cost" if context.profile.job.months_in_service is None else "Cost per month"
    time = "Finish" if pick.days_to_finish else f"{context.profile.unit_word.capitalize()} per second"
    titles = (f"{cost}, 80{THIN}% range", time, "Flexibility", "Chance best")
    runner_up, other = _beside(context, pick)
    rows = [_option(context, first, pick), *([_option(context, second, runner_up)] if runner_up else [])]
    rows[-1] = replace(rows[-1], note=_other_words(context, other) if other else "")
    return KpiTable(titles, tuple(rows))


def _other_words(context: PageContext, other: CandidateResult) -> str:
    """``Best TPU 8 × TPU7x, GCP, on demand: $13.8 k, $8.5–23.4 k, 8 Dec 2026, best in 2 of 100 draws.``"""
    one = _option(context, "", other)
    cost, time, _, chance = one.kpis
    best = f"best in {chance.value} {chance.range_text}" if chance.value != DASH else chance.range_text
    when = time.value if other.days_to_finish else f"{time.value} {context.profile.unit_word} a second"
    kind = _KINDS[other.candidate.accelerator.kind]
    return f"Best {kind} {one.name}, {one.place}: {cost.value}, {cost.range_text}; {when}; {best}."


def _beside(context: PageContext, pick: CandidateResult) -> tuple[CandidateResult | None, CandidateResult | None]:
    """The runner-up, and the best of another kind, trusted as far as the pick where there is one."""
    results = context.results
    runner_up = results.runner_up
    firsts = results.first_of(lambda chip, _: chip.kind, trusted_first=True)
    others = (one for one in firsts if one.candidate.accelerator.kind != pick.candidate.accelerator.kind)
    other = next((one for one in others if one.id != context.recommended), None)
    return runner_up, None if other is None or (runner_up and other.id == runner_up.id) else other


def _option(context: PageContext, role: str, result: CandidateResult) -> OptionKpis:
    candidate = result.candidate
    score, cost = result.flexibility.score, cost_told(context.profile, result.cost)
    kpis = (
        Kpi(
            usd(cost.likely),
            usd_range(cost),
            *_triple(cost),
        ),
        _time_kpi(context, result),
        Kpi(plain(score.likely, 2), f"{span(plain(score.low, 2), plain(score.high, 2))} of 100", *_triple(score)),
        _chance_kpi(result),
    )
    chip = candidate.accelerator
    sign = sign_of(result)
    return OptionKpis(role, candidate.name, candidate.place, chip.kind, chip.vendor, kpis, sign=sign)


def _chance_kpi(result: CandidateResult) -> Kpi:
    """An option that lacks proof, or of a chip that is better had elsewhere, takes no part in the draws."""
    chance = result.chance
    if chance is None or chance.best is None:
        return Kpi(DASH, "another seller is better" if result.is_firm else "lacks proof")
    share, _, rest = in_hundred(chance.best).partition(" of ")
    return Kpi(share, f"of {rest} draws")


def _time_kpi(context: PageContext, result: CandidateResult) -> Kpi:
    days = result.days_to_finish
    if days is None:
        return Kpi(*time_words(result), *_triple(result.throughput.tokens_per_s))
    ends = [day_text(context.profile, end, year=False) for end in (days.low, days.high)]
    note = OVER_A_CENTURY if ends[0] == OVER_A_CENTURY else span(*ends)
    return Kpi(day_text(context.profile, days.likely), note, *_triple(days))


def _triple(value: Range) -> tuple[float, float, float]:
    return value.low, value.likely, value.high


def _flips(context: PageContext) -> tuple[Block, ...]:
    """Nothing where there is no second option, or another than the pick was chosen."""
    told = [(context, point) for point in context.results.recommendation.would_change_it]
    return (flip_table(told, of_several=False),) if told else ()


def _evidence(context: PageContext, pick: CandidateResult) -> str:
    """``Confidence medium: why. Common advice: 4 of 8 rules agree (which). Price of the pick of 25 Sep 2026 ...``."""
    told, (agree, sides) = context.results.recommendation, agreement(context.results.advice)
    names = f" ({agreeing(context.results.advice)})" if agree else ""
    advice = f"{agree} of {counted(sides, 'rule')} {noun(str(agree), 'agrees', 'agree')}{names}"
    offer = pick.candidate.offer
    age = price_age(offer, context.today, context.plan.old_price_days)
    marks = "".join(f", {mark}" for mark in price_marks(offer, age) if mark != age.day_words)
    price = f"Price of the pick of {age.day_words}{marks}; confirm before signing"
    parts = [
        f"Confidence {told.confidence}: {_first(str(told.confidence_why))}",
        *([f"Common advice: {advice}"] if sides else []),
    ]
    return ". ".join([*parts, price, f"{_oldest(context)}."])


def _first(why: str) -> str:
    """The reason itself, without the chances that are told above."""
    return why.partition(";")[0].rstrip(".")


def agreeing(rules: Sequence[AdviceRule]) -> str:
    """Which rules of common advice agree, by what they are about, each once: ``Custom ops and kernels, data types``."""
    names = list(dict.fromkeys(rule.name or rule.title for rule in rules if rule.agrees))
    more = [f"{len(names) - MOST_NAMED} more"] if len(names) > MOST_NAMED else []
    return ", ".join([*names[:1], *(lower(name) for name in names[1:MOST_NAMED]), *more])


def lower(name: str) -> str:
    """With a small first letter, but for a word in capitals."""
    return name if name[:2].isupper() else f"{name[:1].lower()}{name[1:]}"


def _oldest(context: PageContext) -> str:
    """``Oldest price used: 1 Jan 2025, over 90 days old; 3 undated``."""
    offers = [result.candidate.offer for result in context.results.best_trusted]
    first = oldest(offers)
    age = price_age(first, context.today, context.plan.old_price_days) if first else None
    dated = f"Oldest price used: {', '.join(w for w in (age.day_words, age.flag) if w)}" if age else "No price is dated"
    return f"{dated}; {n_undated(offers)} undated" if n_undated(offers) else dated


def nearest(context: PageContext, most: int = 5) -> tuple[Block, ...]:
    """What is still needed, or the options that come nearest, each with the limit that it misses."""
    if context.results.missing:
        return (Paragraph(f"Still needed: {', '.join(context.results.missing)}.", "lead"),)
    lines = [
        f"{result.candidate.name}, {result.candidate.place}: {reason.words}"
        for result in context.results.best_per_accelerator[:most]
        for reason in result.reasons[:1]
    ]
    return (
        Paragraph("The nearest options and the limit that each misses:", "lead"),
        *(Paragraph(line) for line in lines),
    )
