"""The bill asked in the ways people ask: per run, month, year, million tokens, epoch, experiment."""

from __future__ import annotations

from dataclasses import dataclass, replace

from core.comparison.cost_words import over_term
from core.comparison.result import CandidateResult
from core.cost.bill.types import Cost
from core.ranges import Range
from core.units import usd
from core.workload.profile import Profile


@dataclass(frozen=True, slots=True)
class Answer:
    """One figure with its range; ``amount`` is None where the question has no answer, and ``why_not`` says why."""

    key: str
    title: str
    amount: Range | None
    why_not: str = ""

    @property
    def text(self) -> str:
        """The likely value as read."""
        return usd(self.amount.likely) if self.amount else "n/a"


def answers(profile: Profile, result: CandidateResult) -> tuple[Answer, ...]:
    """Every way to ask for the cost of one candidate, in a fixed order.

    Ranges are that of the whole bill, scaled: what the plan is divided by is certain. A candidate that does not hold
    the model answers nothing: its bill is that of preparing only.
    """
    of_bill = _answers(profile, result)
    if result.throughput.fits:
        return of_bill
    return tuple(replace(answer, amount=None, why_not="Does not hold the model") for answer in of_bill)


def _answers(profile: Profile, result: CandidateResult) -> tuple[Answer, ...]:
    cost, unit = result.cost, result.cost.unit
    return (
        Answer("total", over_term(profile).strip().capitalize() or "In all", cost.total),
        _run(profile, cost),
        _answer("month", "Per month", cost.per_month_usd, cost),
        _answer("year", "Per year", cost.per_year_usd, cost),
        _answer("unit", f"Per {_short(unit)}", cost.unit_usd, cost, "Nothing is counted in this job"),
        _answer("epoch", "Per epoch", cost.per_epoch_usd, cost, _NO_EPOCH),
        _answer("experiment", "Per experiment", cost.per_experiment_usd, cost, _NO_EXPERIMENT),
    )


_NO_EPOCH = "No epochs: only training has them"
_NO_EXPERIMENT = "None planned"


def _answer(key: str, title: str, likely_usd: float | None, cost: Cost, why_not: str = "") -> Answer:
    if likely_usd is None or likely_usd <= 0 or cost.total.likely <= 0:
        return Answer(key, title, None, why_not or "There is no bill yet")
    return Answer(key, title, cost.total.scaled(likely_usd / cost.total.likely))


def _run(profile: Profile, cost: Cost) -> Answer:
    title = profile.job.words.per_round
    if title is None:
        return Answer("run", "Per run", None, "None in a service")
    return _answer("run", title, cost.per_run_usd, cost)


def _short(unit: str) -> str:
    """Output tokens as told where room is scarce."""
    return unit.replace("output tokens", "tokens out")
