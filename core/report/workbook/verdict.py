"""The first sheet: what to take for each workload, what it costs, and what speaks for and against it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date

from core.catalogue.own.stand_ins import NOTE
from core.comparison.result import ResultSet
from core.comparison.together.plan_answer import PlanAnswer
from core.plan.plan import Plan
from core.report.choice_words import chosen_words
from core.report.currency import currency_words
from core.report.plan_hash import plan_hash
from core.report.plan_words import apart_lines, plan_line, verdict_words
from core.report.workbook.bills import Bills
from core.report.workbook.sheet import COUNT, DAY, NUMBER, SHARE, USD, Formula, Head, Sheet, Shown, sum_of
from core.units import day_after
from core.version import VERSION

TITLE = "Verdict"
TOTAL = 3
_HEADS = (
    Head("Workload"), Head("Pick"), Head("Where and how it is paid"), Head("Total", "USD", USD),
    Head("Low, 80 % range, as evaluated", "USD", USD), Head("High, 80 % range, as evaluated", "USD", USD),
    Head("Time to finish", "days", NUMBER), Head("Done on", "", DAY), Head("Chance to be the best", "share", SHARE),
    Head("Chance to keep all limits", "share", SHARE), Head("Chips", "", COUNT),
    Head("Price today", "USD per chip hour", "#,##0.0000##"),
)  # fmt: skip
_HOW = "Totals are formulas over the sheet Cost parts, which follows Bill inputs; ranges and picks are as evaluated."


def verdict_sheet(
    plan: Plan,
    result_sets: Sequence[ResultSet],
    answer: PlanAnswer | None,
    bills: Bills,
    today: date,
    lacking: str = "",
) -> Sheet:
    """A row a workload, what running apart costs, the whole plan as their sum, and the reasons below.

    ``lacking`` says which figures lack what.
    """
    rows: list[Sequence[Shown]] = [_row(results, bills) for results in result_sets]
    rows += [("All workloads", what, text, usd) for what, text, usd in _apart(answer)]
    texts: list[tuple[str, ...]] = [(plan.name, "Comment", plan.note)] if plan.note.strip() else []
    texts += [line for results in result_sets for line in _texts(plan, results)]
    above = _above(plan, result_sets, answer, today)
    sheet = Sheet(TITLE, _HEADS, rows, above=(*above[:1], *([lacking] if lacking else []), *above[1:]), below=texts)
    first = sheet.head_row + 1
    spread = (answer.total_usd.low, answer.total_usd.high) if answer else (None, None)
    total = Formula(f"SUM(D{first}:D{first + len(rows) - 1})", sum_of(row[TOTAL] for row in rows if len(row) > TOTAL))
    sheet.total = ("Whole plan", "", "", total, *spread)
    return sheet


def _apart(answer: PlanAnswer | None) -> list[tuple[str, str, float]]:
    """What running apart costs, each with what it is and in words."""
    if answer is None:
        return []
    kinds = ["Moving weights"] * len(answer.moving) + ["Further software"] * len(answer.upkeep)
    told = zip(kinds, apart_lines(answer), answer.way.apart.each_usd, strict=True)
    return [(kind, text, round(usd, 2)) for kind, text, usd in told]


def _above(plan: Plan, result_sets: Sequence[ResultSet], answer: PlanAnswer | None, today: date) -> tuple[str, ...]:
    words = [plan_line(answer), verdict_words(answer)] if answer else []
    masked = [f"Private prices: {NOTE}"] if any(results.is_masked for results in result_sets) else []
    dates = "; ".join(dict.fromkeys(results.catalogue_date for results in result_sets))
    kept = plan.currency.money
    money = "" if kept.is_usd else f"Sentences tell money in {currency_words(kept)}, columns in USD."
    made = f"Roofplan {VERSION}, {today.isoformat()}, catalogue {dates}, plan {plan_hash(plan)}"
    return tuple(line for line in (plan.name, *masked, *words, money, _HOW, made) if line)


def _row(results: ResultSet, bills: Bills) -> tuple[Shown, ...]:
    profile, pick = results.profile, results.choice
    if pick is None:
        return profile.name, "no pick", str(results.recommendation.headline)
    total, days, chance = pick.cost.total, pick.days_to_finish, pick.chance
    chances = (chance.best if chance else None, chance.in_limits if chance else None)
    done = day_after(profile.limits.start_date, days.likely) if days else None
    time = (round(days.likely, 2) if days else None, done)
    money = (bills.total(profile.id, pick), round(total.low, 2), round(total.high, 2))
    price = pick.candidate.n_chips, pick.candidate.usd_per_chip_hour
    return profile.name, pick.candidate.name, pick.candidate.place, *money, *time, *chances, *price


def _texts(plan: Plan, results: ResultSet) -> Iterator[tuple[str, ...]]:
    """Verdict, reasons, flip points and advice of a workload, each on a line of its own."""
    recommendation, name = results.recommendation, results.profile.name
    yield name, "Verdict", str(recommendation.headline)
    yield name, "Confidence", f"{recommendation.confidence}: {recommendation.confidence_why}"
    yield from ((name, "For", str(text)) for text in recommendation.reasons_for)
    yield from ((name, "Against", str(text)) for text in recommendation.reasons_against)
    for point in recommendation.would_change_it:
        flips = f"changes the pick: {point.flips_at}" if point.flips_at else "no value changes the pick"
        yield name, f"{point.input_name}, now {point.now}", flips
    yield from ((name, f"Advice {rule.rule}", f"{rule.title}: {rule.fired_because}") for rule in results.advice)
    yield from ((name, "Advice divided", str(text)) for text in results.advice_conflicts)
    for choice in plan.choices:
        if choice.profile_id == results.profile.id:
            yield name, "Chosen by hand", chosen_words(choice, results)
    if results.profile.note.strip():
        yield name, "Comment", results.profile.note
    yield name, "Oldest price", results.oldest_price
    yield name, "Calibration", results.calibration
