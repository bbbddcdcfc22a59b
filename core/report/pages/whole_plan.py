"""The first page of a plan with several workloads: what their picks come to together, and when the cash is due."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from core.catalogue.prices.age import price_age
from core.catalogue.prices.dates import oldest
from core.catalogue.providers import provider_name
from core.comparison.advice.rules import agreement
from core.comparison.recommendation.leads import is_riskier
from core.comparison.result import CandidateResult, ResultSet
from core.comparison.together.plan_answer import PlanAnswer, as_printed
from core.comparison.together.ways import Beside, Picked
from core.ranges import Range
from core.report.blocks import (
    Block,
    Cell,
    Column,
    ForAgainst,
    Kpi,
    KpiTable,
    OptionKpis,
    Paragraph,
    Section,
    Table,
)
from core.report.pages.context import (
    PageContext,
    PlanContext,
    asked_text,
    brief,
    day_text,
    mark_of,
    sign_of,
    usd_range,
)
from core.report.pages.decision import agreeing, choice_words, decide, decision_page, nearest, plan_comment
from core.report.pages.flip_rows import flip_table
from core.report.pages.key_figures import key_figures
from core.report.pages.leads import leads_table
from core.report.plan_reasons import plan_against, plan_for
from core.report.plan_words import (
    LEAST_TOLD_USD,
    apart_lines,
    draws_words,
    lacking_lines,
    more_words,
    others_words,
    verdict_words,
)
from core.units import DASH, NO_BREAK, THIN, counted, date_text, hundredth, in_hundred, noun, plain, span, usd

FEWEST = 2
"""A plan of so many workloads has this page."""

MOST_IN_FULL = 3
"""So many picks are named in title and lead."""
MOST_WITH_BARS = 2
"""So many are shown with their ranges and runners-up; more of them as a plain table."""
N_FLIPS, N_WAYS, N_NEAREST = 3, 4, 2


def plan_page(context: PlanContext) -> list[Section]:
    """The one page to sign: of all workloads together, of the only one, or what stands in the way of any answer."""
    if len(context.workloads) < FEWEST:
        return [decision_page(one) for one in context.workloads]
    if context.answer is None:
        return [_unanswered(context.workloads)]
    return [Section("plan", title_of_plan(context.answer), _page_to_sign(context.workloads, context.answer))]


def ways_page(context: PlanContext) -> list[Section]:
    """Other ways for all workloads; none for a single one, and where none has a pick."""
    if not context.is_shared or context.answer is None:
        return []
    return [Section("ways", "Other ways for all workloads", _ways(context.answer))]


def _unanswered(contexts: Sequence[PageContext]) -> Section:
    """What each workload lacks, or the options nearest to an answer."""
    blocks: list[Block] = [Paragraph(_question(contexts), "question")]
    for context in contexts:
        title = str(context.results.recommendation.headline).rstrip(".")
        blocks += [Paragraph(context.profile.name, "heading"), Paragraph(f"{title}."), *nearest(context, N_NEAREST)]
    return Section("plan", "No workload has an answer yet", tuple(blocks))


def _page_to_sign(contexts: Sequence[PageContext], answer: PlanAnswer) -> tuple[Block, ...]:
    picked = [context for context in contexts if context.pick]
    return (
        Paragraph(_question(contexts), "question"),
        Paragraph(_lead(answer), "lead"),
        *([Paragraph(verdict_words(answer), "lead")] if answer.rivals else []),
        *key_figures(answer),
        *_picks(picked, answer),
        *(Paragraph(f"{one.profile.name}: {told}", "note") for one in picked if (told := choice_words(one))),
        *(Paragraph(line, "note") for line in [plan_comment(contexts[0].plan)] if line),
        Paragraph(_evidence(picked), "note"),
        ForAgainst(tuple(map(str, plan_for(answer))), tuple(map(str, plan_against(answer)))),
        *_changes(picked),
        *leads_table(picked),
        decide(answer),
    )


def _question(contexts: Sequence[PageContext]) -> str:
    if len(contexts) > MOST_IN_FULL:
        return f"Where do we run these {len(contexts)} workloads, on GPU or on TPU?"
    return f"Where do we run {_listed([asked_text(context.profile) for context in contexts])}?"


def title_of_plan(answer: PlanAnswer) -> str:
    """``Train on 256 × B200 at CoreWeave, serve on 64 × Trillium v6e at Google Cloud``; of many workloads the cost."""
    if len(answer.picks) > MOST_IN_FULL:
        ready = f"{'done' if answer.all_end else 'all ready'} by {date_text(answer.done).replace(' ', NO_BREAK)}"
        return f"{len(answer.picks)} workloads for {usd(answer.printed_usd)}, {ready}"
    sellers = list(dict.fromkeys(provider_name(one.pick.candidate.offer.provider) for one in answer.picks))
    if len(sellers) == 1 and len(answer.picks) > 1:
        all_of = "both" if len(answer.picks) == 2 else "all"
        listed = _listed([f"{_does(one)}{_proof(one.pick)}" for one in answer.picks])
        words = f"{listed}, {all_of} at {sellers[0]}"
    else:
        words = ", ".join(f"{_does(one)}{_where(one.pick)}" for one in answer.picks)
    return f"{words[:1].upper()}{words[1:]}"


def _does(picked: Picked) -> str:
    """``train on 256 × B200``."""
    return f"{picked.profile.job.words.deed} on {picked.pick.candidate.name.replace(' ', NO_BREAK)}"


def _where(pick: CandidateResult) -> str:
    return f" at {provider_name(pick.candidate.offer.provider)}{_proof(pick)}"


def _proof(pick: CandidateResult) -> str:
    """An option that lacks proof is named as what is to be confirmed first."""
    return "" if pick.is_firm else ", to be confirmed"


def _lead(answer: PlanAnswer) -> str:
    """What is added up, as printed, and what is not in it."""
    parts = [f"{usd(one.pick.cost.total.likely)} for {brief(one.name)}" for one in answer.picks]
    parts = parts if len(parts) <= MOST_IN_FULL else [f"{len(parts)} picks, listed below"]
    parts += [f"{usd(amount)} for {name}" for name, amount in _apart(answer)]
    month = f" A month in service costs {usd(answer.per_month_usd)}." if answer.per_month_usd else ""
    names = [name for name, _ in answer.unanswered]
    left_out = f" Not in it: {_listed(names)}, without a pick." if names else ""
    return f"Together they cost {usd(answer.printed_usd)}: {_listed(parts)}.{month}{left_out}"


def _apart(answer: PlanAnswer) -> list[tuple[str, float]]:
    """What running apart adds to the bills, as it is printed."""
    costs = (("moving weights", answer.moving), ("further software", answer.upkeep))
    sums = [(name, sum(as_printed(one.usd) for one in listed)) for name, listed in costs if listed]
    return [(name, amount) for name, amount in sums if amount >= LEAST_TOLD_USD]


def _picks(contexts: Sequence[PageContext], answer: PlanAnswer) -> tuple[Block, ...]:
    """The picks with their ranges on common scales, or, of many workloads, as a table that adds up."""
    titles = (f"Cost, 80{THIN}% range", "Ready", "Flexibility", "Chance best")
    if len(answer.picks) <= MOST_WITH_BARS:
        pairs = zip(contexts, answer.picks, strict=True)
        rows = tuple(_row(one, _runner_up(context)) for context, one in pairs)
        return (KpiTable(titles, rows, "Pick per workload"),)
    columns = (
        Column("Workload", weight=2.4),
        Column("Pick", weight=3),
        Column("Cost", "right"),
        Column("Ready", "right", 1.3),
        Column("Flexibility", "right"),
        Column("Chance best", "right", 1.1),
    )
    amounts = [*_apart(answer), ("in all", answer.printed_usd)]
    sums = [(Cell(name.capitalize()), Cell(""), Cell(usd(amount), tone="strong")) for name, amount in amounts]
    rest = (Cell(""),) * 3
    return (Table(columns, (*map(_plain_row, answer.picks), *((*row, *rest) for row in sums))),)


def _row(picked: Picked, note: str) -> OptionKpis:
    pick, candidate = picked.pick, picked.pick.candidate
    score, chip, total = pick.flexibility.score, candidate.accelerator, pick.cost.total
    best = in_hundred(pick.chance.best) if pick.chance and pick.chance.best is not None else ""
    share, _, rest = best.partition(" of ")
    kpis = (
        Kpi(usd(total.likely), usd_range(total), *_triple(total)),
        _ready(picked),
        Kpi(plain(score.likely, 2), f"{span(plain(score.low, 2), plain(score.high, 2))} of 100", *_triple(score)),
        Kpi(share or DASH, f"of {rest} draws" if rest else "lacks proof"),
    )
    return OptionKpis(
        brief(picked.name), candidate.name, candidate.place, chip.kind, chip.vendor, kpis, note, sign_of(pick)
    )


def _plain_row(picked: Picked) -> tuple[Cell, ...]:
    pick, chance = picked.pick, picked.pick.chance
    best = in_hundred(chance.best) if chance and chance.best is not None else DASH
    return (
        Cell(brief(picked.name)),
        Cell(pick.candidate.name, pick.candidate.place, below=True, mark=mark_of(pick), tone="strong"),
        Cell(usd(pick.cost.total.likely)),
        Cell(date_text(picked.ready)),
        Cell(plain(pick.flexibility.score.likely, 2)),
        Cell(best.partition(" of ")[0]),
    )


def _runner_up(context: PageContext) -> str:
    """``Runner-up 512 × H200 SXM, AWS us-east-2, 1-year: $1.53 M, best in 18 of 100.``, and how often it keeps its
    limits where that is clearly seldomer; empty without."""
    rival, pick = context.results.runner_up, context.results.choice
    if rival is None or rival.chance is None or rival.chance.best is None:
        return ""
    first = "Too close to call with" if context.results.recommendation.too_close else "Runner-up"
    best = in_hundred(rival.chance.best)
    seldomer = pick is not None and is_riskier(rival, pick)
    risk = f", keeps its limits in {hundredth(rival.chance.in_limits)}" if seldomer else ""
    told = f"{first} {rival.candidate.name}, {rival.candidate.place}: {usd(rival.cost.total.likely)}"
    return f"{told}, best in {best}{risk}."


def _ready(picked: Picked) -> Kpi:
    days = picked.pick.days_to_finish
    if days is None:
        return Kpi(date_text(picked.ready), "when it can start")
    ends = [day_text(picked.profile, end, year=False) for end in (days.low, days.high)]
    return Kpi(date_text(picked.ready), span(*ends))


def _triple(value: Range) -> tuple[float, float, float]:
    return value.low, value.likely, value.high


def _evidence(contexts: Sequence[PageContext]) -> str:
    """``Can be had: 1 attested, 1 plausible. Confidence: medium. Oldest price of a pick: 14 Oct 2026.``"""
    results = [context.results for context in contexts]
    picks = [one.choice for one in results if one.choice]
    having = _shares([pick.obtainable.status for pick in picks])
    sure = _shares([one.recommendation.confidence for one in results])
    first, today = oldest(pick.candidate.offer for pick in picks), contexts[0].today
    age = price_age(first, today, contexts[0].plan.old_price_days) if first else None
    price = f"Oldest price of a pick: {', '.join(w for w in (age.day_words, age.flag) if w)}" if age else "No date"
    return f"Can be had: {having}. Confidence: {sure}. {price}. {_advice(results)}".strip()


def _advice(results: Sequence[ResultSet]) -> str:
    """``Common advice: 9 of 18 rules agree (Data types, pods in general).``; empty without a rule."""
    rules = [rule for one in results for rule in one.advice]
    agree, sides = agreement(rules)
    names = f" ({agreeing(rules)})" if agree else ""
    return (
        f"Common advice: {agree} of {counted(sides, 'rule')} {noun(str(agree), 'agrees', 'agree')}{names}."
        if sides
        else ""
    )


def _shares(words: Sequence[str]) -> str:
    """``all plausible``, ``1 attested, 1 plausible``."""
    counts = Counter(words)
    if len(counts) == 1:
        return f"all {words[0]}"
    return ", ".join(f"{count} {word}" for word, count in counts.most_common())


def _ways(answer: PlanAnswer) -> tuple[Block, ...]:
    """Other ways to run all of it, held against the picks, and what the total rests on."""
    verdict = verdict_words(answer) or "No other way for all workloads meets their limits."
    notes = (*apart_lines(answer), *lacking_lines(answer), f"{draws_words(answer)}.")
    table = (_ways_table(answer),) if answer.others else ()
    return Paragraph(verdict), *table, *(Paragraph(line, "note") for line in notes)


def _ways_table(answer: PlanAnswer) -> Table:
    columns = (
        Column("Way", weight=3.8),
        Column("Cost", "right", 0.9),
        Column("Against the picks", weight=2.6),
        Column("Limits kept", "right", 1),
        Column("Ready", "right", 1.2),
    )
    rows = tuple(_way_row(answer, one) for one in answer.others[:N_WAYS])
    return Table(columns, rows)


def _way_row(answer: PlanAnswer, one: Beside) -> tuple[Cell, ...]:
    kept = one.way.chance_in_limits
    proof = "" if one.way.is_proved else ", lacks proof"
    more, _, reach = more_words(one.more_usd).partition(" (")
    return (
        Cell(f"{one.way.title}{proof}", others_words(answer, one), below=True),
        Cell(usd(one.way.likely_usd)),
        Cell(more, reach.removesuffix(")"), below=True),
        Cell(DASH if kept is None else in_hundred(kept).partition(" of ")[0]),
        Cell(date_text(one.way.ready)),
    )


def _changes(contexts: Sequence[PageContext]) -> tuple[Block, ...]:
    """The inputs whose change moves a pick, of each workload in turn; what never does comes last."""
    points = [
        (place, number, context, point)
        for number, context in enumerate(contexts)
        for place, point in enumerate(context.results.recommendation.would_change_it)
    ]
    told = sorted(points, key=lambda one: (one[3].flips_at is None, one[0], one[1]))[:N_FLIPS]
    return (flip_table([(context, point) for _, _, context, point in told], of_several=True),) if told else ()


def _listed(words: Sequence[str]) -> str:
    *most, last = words
    return f"{', '.join(most)} and {last}" if most else last
