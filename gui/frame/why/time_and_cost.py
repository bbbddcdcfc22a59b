"""The chains behind a candidate's time and cost: lines that add up, each with its operator and its formula."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import assert_never

from core.catalogue.details.source_names import cited
from core.comparison.cost_words import cost_told, cost_words, over_term
from core.comparison.questions.bill_parts import ordered
from core.comparison.result import CandidateResult
from core.constants import SECONDS_PER_DAY, SECONDS_PER_HOUR
from core.cost.bill.types import CostPart
from core.cost.registry import component_by_part, title_of
from core.ranges import marked
from core.report.run_words import losses_sentences
from core.units import (
    DASH,
    LONGEST_DAYS,
    MINUS,
    OVER_A_CENTURY,
    THIN,
    TIMES,
    counted,
    date_text,
    day_after,
    days_span,
    days_text,
    factor_text,
    grouped,
    noun,
    plain,
    rate_as_read,
    rate_usd,
    scaled,
    span,
    usd,
)
from core.workload.jobs.kinds import BatchInference, OnlineServing, TrainingJob
from core.workload.profile import Profile
from gui.charts.figure.texts import money_scale
from gui.frame.why.breakdown import EQUALS, OVER, PLUS, Chain, ChainLine, speed_line, speed_per_s
from gui.frame.why.serving import serving_chain

SMALL_SHARE = 0.08


def time_chain(profile: Profile, result: CandidateResult) -> Chain:
    """How the time comes about: a run from start to finish, a batch, or the load at peak."""
    match job := profile.job:
        case TrainingJob():
            return _training_chain(profile, job, result)
        case BatchInference():
            return _batch_chain(job, result)
        case OnlineServing():
            return serving_chain(profile, job, result)
        case _:
            assert_never(job)


def _days(value: float) -> str:
    return f"{days_text(value)}{THIN}d"


def _exact_days(value: float) -> str:
    return f"{grouped(value, 1) if value <= LONGEST_DAYS else days_text(value)}{THIN}d"


def _training_chain(profile: Profile, job: TrainingJob, result: CandidateResult) -> Chain:
    speed, terms, n_tokens = result.throughput, result.time_terms_days, job.paid_tokens
    run, units = terms.get("run", 0.0), speed.unit.capitalize()
    pure = n_tokens / speed.tokens_per_s.likely / SECONDS_PER_DAY if speed.tokens_per_s.likely > 0 else 0.0
    goodput = pure / run if run > 0 else 0.0
    lines = [
        ChainLine("tokens", "", f"{units} to train", scaled(n_tokens), n_tokens, scaled, f"{units} × runs, as entered"),
        speed_line(result),
        ChainLine(
            "pure", EQUALS, "Pure run", _exact_days(pure), pure, _exact_days, f"{units} ÷ {speed.unit} per second"
        ),
        ChainLine(
            "goodput",
            OVER,
            f"Goodput, {100 * goodput:.1f}{THIN}%",
            _exact_days(run),
            run,
            _exact_days,
            "\n".join([_GOODPUT, *losses_sentences(result)]),
        ),
    ]
    for key, words in (("waiting", "Waiting for capacity (estimate)"), ("porting", "Porting (estimate)")):
        if terms.get(key, 0.0) > 0:
            value = terms[key]
            lines.append(ChainLine(key, PLUS, words, _days(value), value, _days, _TERM_FORMULAS[key]))
    lines.append(_done_line(profile, result))
    return Chain("Time", _days_note(result), tuple(lines))


_GOODPUT = (
    "Useful over paid run time: failures, interruptions, checkpoints, evaluation and steps done again lengthen the run"
)
_TERM_FORMULAS = {
    "waiting": "Usual days until capacity is there, by purchase model",
    "porting": "Weeks to port and tune the code on this chip, over the engineers who can work on it",
}


def _done_line(profile: Profile, result: CandidateResult) -> ChainLine:
    total = result.days_to_finish.likely if result.days_to_finish else 0.0
    day = day_after(profile.limits.start_date, total)
    formula = f"Start {date_text(profile.limits.start_date)} and the days above"
    when = f"Done {date_text(day)}" if day else f"Done in {OVER_A_CENTURY}"
    return ChainLine("done", EQUALS, when, _days(total), total, _days, formula, is_total=True)


def _days_note(result: CandidateResult) -> str:
    days = result.days_to_finish
    if days is None:
        return ""
    likely = days_text(days.likely)
    return f"{likely} {noun(likely, 'day')}, {days_span(days.low, days.high)}"


def _batch_chain(job: BatchInference, result: CandidateResult) -> Chain:
    work, hours = job.requests_per_batch * job.output_tokens, result.run_h
    speed = work / hours.likely / SECONDS_PER_HOUR if hours.likely > 0 else 0.0
    words = f"{counted(result.candidate.n_chips, 'chip')} together"
    in_samples = result.throughput.unit == "samples"
    answers = counted(job.output_tokens, "output token")
    of_text = f"{scaled(job.requests_per_batch)} requests × {answers}"
    formula, title = ("As entered", "Samples of a batch") if in_samples else (of_text, "Output tokens of a batch")
    lines = (
        ChainLine("tokens", "", title, scaled(work), work, scaled, formula),
        ChainLine("speed", OVER, words, speed_per_s(speed), speed, speed_per_s, speed_line(result).formula),
        ChainLine(
            "done", EQUALS, f"A batch, of {plain(job.window_h)} h", _hours(hours.likely), hours.likely, _hours, "", True
        ),
    )
    return Chain("Time", f"{_hours(hours.likely)}, {span(plain(hours.low, 2), plain(hours.high, 2))}", lines)


def _hours(value: float) -> str:
    return f"{plain(value, 2)}{THIN}h"


def cost_chain(profile: Profile, result: CandidateResult, sources: Mapping[str, str] | None = None) -> Chain:
    """The bill: large parts one a line, small ones together, then the total; ``sources`` tells where ids stand for."""
    cost = result.cost
    parts = ordered(cost.parts)
    large = [part for part in parts if part.usd >= SMALL_SHARE * cost.total.likely]
    small = [part for part in parts if part not in large]
    lines = [_part_line(part, result, sources or {}) for part in large]
    if len(small) == 1:
        lines.append(_part_line(small[0], result, sources or {}))
    elif small:
        lines.append(_small_line(small))
    first = [ChainLine(*_fields(line, "" if number == 0 else PLUS)) for number, line in enumerate(lines)]
    likely, told = cost.total.likely, cost_told(profile, cost)
    words = f"Total{over_term(profile)}"
    total = ChainLine("total", EQUALS, words, usd(likely), likely, usd, "Sum of the parts", True)
    note = f"{cost_words(profile, cost)}, {money_scale(told.likely).range_text(told)}"
    return Chain("Cost", note, (*first, total))


def _fields(line: ChainLine, operator: str) -> tuple[str, str, str, str, float, Callable[[float], str], str]:
    return line.key, operator, line.words, line.text, line.number, line.write, line.formula


def _part_line(part: CostPart, result: CandidateResult, sources: Mapping[str, str]) -> ChainLine:
    words = title_of(part.id)
    if part.id == "compute":
        words = _compute_words(part.usd, result) or words
    formula = part_formula(part, sources)
    return ChainLine(part.id, PLUS, marked(words, part.estimate), usd(part.usd), part.usd, usd, formula)


def _compute_words(amount: float, result: CandidateResult) -> str:
    """Chips × hours × price, where the chips are paid by the hour."""
    price, n_chips = result.candidate.usd_per_chip_hour, result.candidate.n_chips
    if price <= 0 or n_chips <= 0:
        return ""
    hours, others = amount / price / n_chips, n_chips * rate_as_read(price)
    told = factor_text(hours, others, usd(amount), usd, digits=max(3, len(f"{hours:.0f}")))
    return f"{grouped(n_chips)} {TIMES} {told} h {TIMES} {rate_usd(price)}"


def part_formula(part: CostPart, sources: Mapping[str, str]) -> str:
    """A part's formula with its live inputs and source."""
    inputs = [f"{name}: {text}" for name, text in part.inputs]
    kind = " (an estimate)" if part.estimate else ""
    return "\n".join([part.formula, *inputs, f"Source: {cited(part.source, sources)}{kind}"])


def _small_line(parts: list[CostPart]) -> ChainLine:
    names = [marked(title_of(part.id).lower(), part.estimate) for part in parts]
    words = ", ".join(names)
    total = sum(part.usd for part in parts)
    formula = "\n".join(f"{title_of(part.id)} {usd(part.usd)}: {part.formula}" for part in parts)
    return ChainLine("small", PLUS, words[:1].upper() + words[1:], usd(total), total, usd, formula)


@dataclass(frozen=True, slots=True)
class PairLine:
    """A line of two chains beside each other, with the difference B less A."""

    words: str
    first: str
    second: str
    difference: str
    is_total: bool


def paired(first: Chain, second: Chain) -> list[PairLine]:
    """Lines that both chains have, and those of either alone, in the order of the first."""
    a, b = ({line.key: line for line in chain.lines} for chain in (first, second))
    lines = []
    for key in dict.fromkeys([*a, *b]):
        one, two = a.get(key), b.get(key)
        known = one or two
        if known is None:
            continue
        gap = (two.number if two else 0.0) - (one.number if one else 0.0)
        words = title_of(key) if key in component_by_part() else _PLAIN_WORDS.get(key, known.words)
        lines.append(
            PairLine(
                words, one.text if one else DASH, two.text if two else DASH, signed(gap, known.write), known.is_total
            )
        )
    return lines


_PLAIN_WORDS = {"speed": "Speed", "goodput": "Run with goodput", "done": "Done", "small": "Other parts"}


def signed(value: float, write: Callable[[float], str]) -> str:
    """A difference with its sign; a dash when there is none."""
    if abs(value) < 1e-9:
        return DASH
    return f"{'+' if value > 0 else MINUS}{write(abs(value))}"
