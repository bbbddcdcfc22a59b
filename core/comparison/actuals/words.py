"""Actuals in plain words: the sentence that answers, figures beside those of the plan, and what to do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from core.amounts import SCALED, USD, Amount, Counted, Sentence, Text, UsdSpan, whole
from core.comparison.actuals.by_phase import PhaseSpend, by_phase
from core.comparison.actuals.commitments import due_usd, last_day
from core.comparison.actuals.options import SURE, Option, is_over, is_quiet, nothing_helps
from core.comparison.actuals.standing import Standing, planned_end
from core.months import DAYS_PER_MONTH
from core.units import DASH, date_text, span

DONE, SPEND = "actuals-done", "actuals-spend"
CHARTS = {DONE: "Work done", SPEND: "Spend"}
"""The two pictures by their ids."""

NOTHING_HELPS = "Nothing that keeps the date and the work helps: neither more of these chips nor others hold."
HOLD_FIRST = "Ways on, those that hold first; costs are those of the whole work."
OVER = "Nothing is left to choose: it is all done."
ONLY_ON = "No other way on was found."
NO_ENTRIES = "No entries yet: type what was done and spent, or take it from a log."
_HARDWARE = "Cost in the end is what was paid and what is still to be paid, less what the hardware is worth then."
_OPEN_DAYS = "Days since the last spend that was entered count at the plan's cost of a day."
_AS_PLANNED = "No entry says what was paid: the plan's payments to date stand in. Hours of chips {} are no money."


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure with its range, beside that of the plan; ``tone`` is ``err`` where it is worse by more than the plan's
    own range."""

    title: str
    now: Text
    planned: Text
    tone: str = ""
    range: Text = ""


def headline(one: Standing) -> Text:
    """``11 days late at this rate: 9 Mar 2027 instead of 26 Feb 2027, 80 %: 1–20 Mar 2027; $12 k over budget.`` What
    keeps a deadline says also when the plan had it done, which may be sooner."""
    if not one.points:
        return NO_ENTRIES
    words = _date_words(one) if one.baseline.ends else _service_words(one)
    return Sentence("{}{}.", words, _money_words(one))


def as_of_words(one: Standing) -> str:
    """``as of 12 Mar 2027``; empty before any entry."""
    return f"as of {date_text(one.as_of)}" if one.points else ""


def figures(one: Standing, phases: Mapping[str, str] | None = None) -> tuple[Figure, ...]:
    """Share done, spend, rate, end, cost and chances, each beside the plan; of it what each of the plan's ``phases``,
    names by id, has cost so far, where entries tell theirs."""
    base, forecast = one.baseline, one.forecast
    rows = [
        Figure("Work done", _percent(one.done_share), _percent(one.planned_share)),
        Figure("Spent", _usd(one.spend_usd), _usd(one.planned_usd), _worse(one.spend_usd, one.planned_usd)),
        *(_of_phase(one, part) for part in by_phase(one, phases or {})),
        _rate(one),
        *((_end(one),) if base.ends else ()),
        _cost(one),
        *((_worth(one),) if base.hardware.bought_usd else ()),
        *((_owed_after(one),) if base.commitment else ()),
    ]
    if base.ends:
        rows.append(_chance(f"Chance to keep {_day(one.target)}", forecast.chance_by(one.target)))
    if base.budget_usd is not None:
        rows.append(
            _chance("Chance to keep the budget", forecast.chance_within(base.budget_usd), _usd(base.budget_usd))
        )
    return tuple(rows)


def options_line(one: Standing, ranked: tuple[Option, ...]) -> Text:
    """What is above the list of ways on."""
    if not one.points:
        return ""
    if is_over(one):
        return OVER
    if not ranked:
        return _nothing_to_do(one)
    if len(ranked) == 1:
        return ONLY_ON
    if not one.baseline.ends:
        return "Ways on, cheapest first, then going on as it is; costs are those of all its months."
    return NOTHING_HELPS if nothing_helps(ranked) else HOLD_FIRST


def _nothing_to_do(one: Standing) -> Text:
    """Which limits are kept; where a figure is worse than planned, that it is comes first."""
    has_budget = one.baseline.budget_usd is not None
    limits = {(True, True): "date and budget are", (True, False): "the date is", (False, True): "the budget is"}
    named = limits.get((one.baseline.ends, has_budget))
    kept = Sentence("{} kept with a chance of {} or more", named, _percent(SURE)) if named else ""
    worse = [row.title.lower() for row in figures(one) if row.tone]
    if worse:
        return Sentence("Worse than planned: {}{}.", " and ".join(worse), _after(kept))
    if is_quiet(one):
        return Sentence("Less comes than planned, and fewer of these chips would save nothing{}.", _after(kept))
    return Sentence("Nothing to do: {}.", kept or "no more comes than these chips were planned for")


def _after(words: Text) -> Text:
    return Sentence("; {}", words) if words else ""


def option_figures(option: Option) -> tuple[tuple[Text, Text], ...]:
    """Cost, date and chance of a way on, each with what stands below it."""
    more, forecast = option.more_usd, option.forecast
    gap: Text = Sentence("{} {}", _usd(abs(more)), "more" if more > 0 else "less") if abs(more) >= 1.0 else ""
    chances = [(option.chance_date, "in time"), (option.chance_budget, "in budget")]
    told: list[Text] = [Sentence("{} {}", _likely(share), words) for share, words in _smaller_first(chances)]
    first, second = (*told, "", "")[:2]  # the smaller one decides
    cost = (_usd(forecast.cost.likely), gap)
    days = forecast.end_range
    beside = days_words(*days) if days[0] < days[1] else ""
    return cost, (_day(forecast.end), beside), (first or "no limit", second)


def _smaller_first(chances: list[tuple[float | None, str]]) -> list[tuple[float, str]]:
    return sorted((share, words) for share, words in chances if share is not None)


def days_words(low: date, high: date) -> str:
    """``1–20 Mar 2027``; both years where they differ."""
    first, last = date_text(low), date_text(high)
    if low == high:
        return last
    if (low.year, low.month) == (high.year, high.month):
        return span(str(low.day), last)
    return span(first.removesuffix(last[-5:]), last)


def notes(one: Standing, drifted: Text) -> tuple[Text, ...]:
    """What the figures rest on: when the plan was frozen, unknown spend, and today's answer where it differs."""
    base = one.baseline
    told: list[Text] = [
        Sentence("Against the plan of {}: {}, {}.", _day(base.frozen_on), base.name, base.place),
        *([drifted] if drifted else []),
    ]
    told += [_HARDWARE] if base.hardware.bought_usd and one.points else []
    if one.owed_until and one.begun_until:
        told.append(_owed(one, one.owed_until, one.begun_until))
    if one.points and not one.is_spend_known:
        kind = "that are paid by the term" if base.commitment else "of your own"
        told.append(_OPEN_DAYS if base.bills_hours or one.has_bills else _AS_PLANNED.format(kind))
    if one.points and one.due_share > 0:
        due = Amount(one.due_share * base.hardware.bought_usd, USD)
        told.append(
            Sentence(
                "No bill holds {} of the hardware, planned at {}: still to be paid.",
                due,
                _usd(base.hardware.bought_usd),
            )
        )
    return tuple(told)


def _owed(one: Standing, until: date, begun: date) -> Text:
    """Until when chips are owed, and what of that is still to be paid; which term is owed in any case where the work
    touches more, and that one begins which was not planned."""
    owed, held = one.forecast.owed_usd, one.baseline.commitment
    planned = last_day(one.baseline, held.n_terms if held else 0)
    another = Sentence("; going on past {} begins another term", _day(planned)) if until > planned else ""
    paid = Sentence("{} of rent is still to be paid", _usd(owed)) if owed > 0 else "all of it is paid"
    if until == begun:
        return Sentence("The chips are owed to {}, whatever the work does: {}{}.", _day(until), paid, another)
    told = "The work takes terms of the chips to {}, and the one that has begun is owed to {} in any case: {}{}."
    return Sentence(told, _day(until), _day(begun), paid, another)


def _date_words(one: Standing) -> Text:
    forecast, target = one.forecast, one.target
    if one.left <= 0:
        return Sentence("All the work is done, {}", _gap((one.as_of - target).days))
    late = (forecast.end - target).days
    planned = planned_end(one.baseline)
    is_spare = one.baseline.deadline is not None and late < 0
    beside, other = ("planned", planned) if is_spare else ("instead of", target)
    return Sentence(
        "{} at this rate: {}{}, 80 %: {}",
        Sentence("{} before the deadline", Counted(-late, "day")) if is_spare else _gap(late, is_first=True),
        _day(forecast.end),
        "" if other == forecast.end else f"{', ' if is_spare else ' '}{beside} {_day(other)}",
        days_words(*forecast.end_range),
    )


def _gap(late: int, is_first: bool = False) -> Text:
    if late == 0:
        return "On the day" if is_first else "on the day"
    return Sentence("{} {}", Counted(abs(late), "day"), "late" if late > 0 else "early")


def _service_words(one: Standing) -> Text:
    """What came; how much is believed to come stands in the table."""
    rate = one.rate_of_entries or one.baseline.rate
    so_far = " so far" if one.rate_of_entries else ""
    return Sentence(
        f"{{}} {{}} a month{so_far} where {{}} were planned",
        Amount(rate * DAYS_PER_MONTH, SCALED),
        one.baseline.unit,
        Amount(one.baseline.rate * DAYS_PER_MONTH, SCALED),
    )


def _money_words(one: Standing) -> Text:
    likely, budget = one.forecast.cost.likely, one.baseline.budget_usd
    limit, words = (one.baseline.cost_usd, "plan") if budget is None else (budget, "budget")
    if abs(likely - limit) < 0.01 * limit:
        return f"; cost as in the {words}"
    over = likely - limit
    return Sentence("; {} {} {}", _usd(abs(over)), "over" if over > 0 else "under", words)


def _of_phase(one: Standing, part: PhaseSpend) -> Figure:
    work = Sentence("{} {}", Amount(part.done, SCALED), one.baseline.unit) if part.done > 0 else ""
    title = f"Spent in {part.name}" if part.phase else "Spent outside phases"
    return Figure(title, _usd(part.spend_usd), "", "", work)


def _rate(one: Standing) -> Figure:
    base, scale, per = one.baseline, 1.0, "a day"
    if not base.ends:
        scale, per = DAYS_PER_MONTH, "a month"
    now, likely = one.rate.range.scaled(scale), Amount(one.rate.middle * scale, SCALED)
    told = Sentence("{}{}{}", Amount(now.low, SCALED), DASH, Amount(now.high, SCALED))
    tone = "err" if base.ends and one.rate.middle < base.rate_low else ""
    return Figure(f"{base.unit.capitalize()} {per}", likely, Amount(base.rate * scale, SCALED), tone, told)


def _end(one: Standing) -> Figure:
    forecast = one.forecast
    tone = "err" if forecast.end > one.target else ""
    planned = _day(planned_end(one.baseline))
    return Figure("Done on", _day(forecast.end), planned, tone, days_words(*forecast.end_range))


def _worth(one: Standing) -> Figure:
    return Figure("Worth of the hardware then", _usd(one.worth_usd), _usd(one.baseline.hardware.worth_usd))


def _owed_after(one: Standing) -> Figure:
    base = one.baseline
    planned = base.committed_usd - due_usd(base, planned_end(base))
    return Figure("Of it rent after the work", _usd(one.owed_after_usd), _usd(max(planned, 0.0)))


def _cost(one: Standing) -> Figure:
    cost, planned = one.forecast.cost, one.baseline.cost_usd
    tone = _worse(cost.likely, planned)
    return Figure("Cost in the end", _usd(cost.likely), _usd(planned), tone, UsdSpan(cost.low, cost.high))


def _chance(title: str, share: float | None, planned: Text = "") -> Figure:
    return Figure(title, DASH if share is None else _likely(share), planned, "err" if (share or 0.0) < 0.5 else "")


def _worse(now: float, planned: float) -> str:
    return "err" if now > 1.1 * planned else ""


def _percent(share: float) -> Amount:
    """Never 0 or 100 for what may or may not happen."""
    value = round(100 * share)
    return whole(max(1, value) if share > 0 and value < 1 else min(99, value) if share < 1 else value, "%")


def _likely(chance: float) -> Amount:
    """A chance that a belief gives is never certain."""
    return _percent(min(max(chance, 0.01), 0.99))


def _day(day: date) -> str:
    return date_text(day)


def _usd(value: float) -> Amount:
    return Amount(value, USD)
