"""The plan's answer in words: the same in the window, in a terminal and on paper."""

from __future__ import annotations

from core.amounts import USD, Amount, Text, UsdSpan
from core.comparison.chance.errors import N_DRAWS
from core.comparison.result import CandidateResult
from core.comparison.together.moving import Moving, Upkeep
from core.comparison.together.plan_answer import PlanAnswer, added_up, as_printed, last_digit
from core.comparison.together.ways import KIND_WORDS, Beside
from core.months import quarter_name, quarter_of
from core.ranges import Range
from core.report.ledger import ledger_of
from core.units import THIN, counted, date_text, grouped, in_hundred, plain, shown_money, usd

NOBODY = "No workload of this plan has a pick."


def plan_line(answer: PlanAnswer) -> str:
    """``Whole plan: $2.61 M, all ready by 1 Feb 2027, all limits kept in 91 of 100 draws; 2 of 3 answered``."""
    told = [f"Whole plan: {usd(answer.printed_usd)}", ready_words(answer)]
    if answer.per_month_usd:
        told.insert(1, f"of it {usd(answer.per_month_usd)} a month in service")
    if answer.chance_in_limits is not None:
        told.append(f"all limits kept in {in_hundred(answer.chance_in_limits)} draws")
    rest = f"; {answered_words(answer)}" if answer.unanswered else ""
    return f"{', '.join(told)}{rest}"


def ready_words(answer: PlanAnswer) -> str:
    """``done by 6 Jan 2027``; ``all ready by`` where there are services, which never end."""
    return f"{'done' if answer.all_end else 'all ready'} by {date_text(answer.done)}"


def answered_words(answer: PlanAnswer) -> str:
    """``2 of 3 workloads answered``."""
    return f"{len(answer.picks)} of {counted(answer.n_workloads, 'workload')} answered"


def plan_lines(answer: PlanAnswer | None) -> tuple[str, ...]:
    """The line, its range and what the draws say, which way is best, cash by quarter, moves, other ways."""
    if answer is None:
        return (NOBODY,)
    quarters = ", ".join(f"{name} {usd(amount)}" for name, amount in quarters_of(answer))
    told = [
        plan_line(answer),
        f"{draws_words(answer)}.",
        verdict_words(answer),
        f"Cash by quarter: {quarters}.{f' {capital_words(answer)}' if answer.capital_usd else ''}",
        *apart_lines(answer),
        *(f"{way_line(answer, one)}." for one in answer.others),
        *lacking_lines(answer),
    ]
    return ("\n".join(line for line in told if line),)


def quarters_of(answer: PlanAnswer) -> tuple[tuple[str, float], ...]:
    """Names of quarters and the USD due in each: the ledger's, as on paper. With the cost of capital, which is due to
    nobody, they add up to the total as printed."""
    ledger, total = ledger_of(answer), as_printed(answer.printed_usd)
    unit_usd, step = ledger.scale / shown_money().per_usd, last_digit(total)
    capital_usd = round((ledger.total - ledger.total_due) * unit_usd / step) * step
    usd_due = [ledger.due(months) * unit_usd for months in ledger.quarters]
    names = (quarter_name(quarter_of(months[0])) for months in ledger.quarters)
    return tuple(zip(names, added_up(usd_due, total - capital_usd, step), strict=True))


def capital_words(answer: PlanAnswer) -> str:
    """``Cost of capital, $48 k, counts in the total and is due to nobody.``"""
    return f"Cost of capital, {usd(answer.capital_usd)}, counts in the total and is due to nobody."


DRAWS = f"{grouped(N_DRAWS)} draws, in which errors of one chip, seller or kind of work move together"


def draws_words(answer: PlanAnswer) -> str:
    """``80 % range $2.4–2.89 M, from 10,000 draws, in which errors of one chip ... move together``."""
    return f"80{THIN}% range {UsdSpan(answer.total_usd.low, answer.total_usd.high)}, from {DRAWS}"


def verdict_words(answer: PlanAnswer) -> str:
    """Which way to run the whole plan is best, by how much, or that it is too close to call; empty without another."""
    if answer.rivals:
        one = answer.rivals[0]
        words = f"which costs {more_words(one.more_usd)} and is better in {in_hundred(one.better)} draws"
        if one.call == "close":
            return f"Too close to call: the picks, or {_title(one)}, {words}."
        return f"Better as a whole than the picks: {_title(one)}, {words}."
    proved = [one for one in answer.others if one.way.is_proved]
    if not proved:
        return ""
    one = max(proved, key=lambda other: other.better)
    better = in_hundred(one.better)
    return f"The picks are best as a whole: {_title(one)} costs {more_words(one.more_usd)}, better in {better} draws."


def _title(one: Beside) -> str:
    title = one.way.title
    return f"{title[:1].lower()}{title[1:]}"


def more_words(more: Range) -> str:
    """``$190 k more (80 % range $100–300 k more)``, ``$5 k less (80 % range from $90 k less to $80 k more)``."""
    word = "more" if more.likely >= 0 else "less"
    return f"{Amount(abs(more.likely), USD)} {word} (80{THIN}% range {_more_span(more)})"


def _more_span(more: Range) -> str:
    if more.low >= 0:
        return f"{UsdSpan(more.low, more.high)} more"
    if more.high <= 0:
        return f"{UsdSpan(-more.high, -more.low)} less"
    return f"from {Amount(-more.low, USD)} less to {Amount(more.high, USD)} more"


LEAST_TOLD_USD = 0.5
"""Moving that costs less is told as free."""


def apart_lines(answer: PlanAnswer) -> tuple[str, ...]:
    """What running apart adds to the bill: moves and further software."""
    return (*map(moving_line, answer.moving), *map(upkeep_line, answer.upkeep))


def moving_line(move: Moving) -> str:
    """``Moving the weights of Llama 3 70B, 141 GB, from AWS to Google Cloud: $12.70, an estimate.``"""
    size = f"{plain(move.gb)}{THIN}GB"
    cost = usd(move.usd) if move.usd >= LEAST_TOLD_USD else "free of egress fees"
    way = f"from {move.seller} to {move.buyer}" if move.seller != move.buyer else f"within {move.buyer}"
    work = ", converted and checked for other software" if move.conversion_usd.likely else ""
    return f"Moving the weights of {move.model}, {size}, {way}{work}: {cost}, an estimate."


def upkeep_line(one: Upkeep) -> str:
    """``Software of Google TPU kept up beside that of NVIDIA GPU, 365 days: $18 k, an estimate.``"""
    days = counted(max(round(one.days), 1), "day")
    return f"Software of {one.software} kept up beside that of {one.beside}, {days}: {usd(one.usd)}, an estimate."


def way_line(answer: PlanAnswer, one: Beside) -> str:
    """``All on GPU (4 × B200, Lambda, on demand for Chat): $2.8 M, $190 k more (80 % range ...); ready by ...``."""
    kept = one.way.chance_in_limits
    told = [f"{usd(one.way.likely_usd)}, {more_words(one.more_usd)}", f"ready by {date_text(one.way.ready)}"]
    told += [f"all limits kept in {in_hundred(kept)} draws"] if kept is not None else []
    told += [] if one.way.is_proved else ["lacks proof"]
    return f"{one.way.title} ({others_words(answer, one)}): {'; '.join(told)}"


MOST_NAMED = 3


def others_words(answer: PlanAnswer, one: Beside) -> str:
    """The candidates of a way that are not the picks: ``4 × B200, Lambda, on demand for Chat``."""
    pairs = zip(one.way.picks, answer.picks, strict=True)
    others = [f"{option_words(own.pick)} for {own.name}" for own, pick in pairs if own.pick.id != pick.pick.id]
    rest = f" and {counted(len(others) - MOST_NAMED, 'other')}" if len(others) > MOST_NAMED else ""
    return f"{'; '.join(others[:MOST_NAMED])}{rest}"


def option_words(pick: CandidateResult) -> str:
    """``64 × B200, Lambda, on demand``."""
    return f"{pick.candidate.name}, {pick.candidate.place}"


def lacking_lines(answer: PlanAnswer) -> tuple[str, ...]:
    """Workloads without a pick, and kinds of chip that cannot do one of those with a pick."""
    left_out = [f"Not in it: {name}, which has no pick ({why})." for name, why in answer.unanswered]
    kinds = [f"No {KIND_WORDS[kind]} option meets the limits of {name}." for kind, name in answer.without_kind]
    return (*left_out, *kinds)


def chance_fact(answer: PlanAnswer) -> tuple[str, str]:
    """Figure and note of the chance that all limits hold: ``91``, ``of 100 draws, all limits of all workloads``."""
    if answer.chance_in_limits is None:
        return "none set", "no workload sets a limit"
    chance, _, rest = in_hundred(answer.chance_in_limits).partition(" of ")
    return chance, f"of {rest} draws, all limits together"


def cost_note(answer: PlanAnswer) -> Text:
    """The range of the total, as it stands below it."""
    return f"{UsdSpan(answer.total_usd.low, answer.total_usd.high)}, 80{THIN}% range"
