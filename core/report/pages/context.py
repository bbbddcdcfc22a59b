"""What every page of the comparison plan is made from, and small words they share."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import assert_never
from unicodedata import east_asian_width

from core.catalogue.catalogue import Catalogue
from core.comparison.missing import missing_facts
from core.comparison.obtain.obtainable import Status
from core.comparison.result import CandidateResult, ResultSet
from core.comparison.together.plan_answer import PlanAnswer, answer_of
from core.plan.plan import Choice, Plan
from core.ranges import Range
from core.report.blocks import Cell
from core.report.ledger import Ledger, ledger_of
from core.units import OVER_A_CENTURY, THIN, date_text, day_after, grouped, plain, usd_span
from core.workload.jobs.kinds import BatchInference, OnlineServing, TrainingJob
from core.workload.profile import Profile

MOST_OF_A_NAME = 34
"""Letters of a workload's name on the page to sign."""


@dataclass(frozen=True)
class PageContext:
    """One workload of the plan with its results, on one day."""

    plan: Plan
    results: ResultSet
    catalogue: Catalogue
    today: date
    scenario_name: str
    recommended: str | None = None
    """The engine's own pick where the plan's author chose another option, which then stands in its place."""

    @property
    def profile(self) -> Profile:
        """The workload."""
        return self.results.profile

    @property
    def pick(self) -> CandidateResult | None:
        """The recommended candidate."""
        return self.results.choice

    @property
    def passed_over(self) -> CandidateResult | None:
        """The engine's pick, in whose place the author chose another; None where the pick is taken."""
        return self.results.by_id.get(self.recommended or "")

    @property
    def choice(self) -> Choice | None:
        """What the author chose for this workload, and why; None without."""
        return next((one for one in self.plan.choices if one.profile_id == self.profile.id), None)

    @property
    def is_serving(self) -> bool:
        """True when the workload answers requests rather than trains."""
        return not self.profile.job.trains


@dataclass(frozen=True)
class PlanContext:
    """The whole plan on one day: its workloads that have results, and what their picks come to together."""

    plan: Plan
    workloads: tuple[PageContext, ...]
    original: Mapping[str, ResultSet]
    """Results by workload as the engine gave them, whatever the author chose."""
    catalogue: Catalogue
    today: date
    scenario_id: str
    scenario_name: str
    wanted: tuple[str, ...]
    """Pages that are asked for."""
    leaves_out_actuals: bool = False
    """As that of :class:`core.report.masking.HandedOut`."""

    @cached_property
    def picked(self) -> list[PageContext]:
        """Workloads with a pick."""
        return [one for one in self.workloads if one.pick]

    @cached_property
    def answer(self) -> PlanAnswer | None:
        """The picks together; None where no workload has one."""
        return answer_of([one.results for one in self.workloads])

    @cached_property
    def ledger(self) -> Ledger | None:
        """Their cash; None likewise."""
        return ledger_of(self.answer) if self.answer else None

    @property
    def is_shared(self) -> bool:
        """True where several workloads share the paper, so that each page says whose it is."""
        return len(self.workloads) > 1


MISSES = "!"
MARK_SIGNS: dict[Status, str] = {"attested": "", "plausible": "/", "on paper": "~"}
"""What stands before a mark: it is hollow, filled, half filled, or has a broken outline."""


def mark_of(result: CandidateResult) -> str:
    """The mark of a candidate as table cells carry it."""
    chip = result.candidate.accelerator
    return f"{sign_of(result)}{chip.kind}:{chip.vendor}"


def sign_of(result: CandidateResult) -> str:
    """What stands before its mark."""
    return MARK_SIGNS[result.obtainable.status] if result.feasible else MISSES


def name_cell(result: CandidateResult) -> Cell:
    """A candidate's name with its place below and its mark before."""
    tone = "strong" if result.feasible else "muted"
    return Cell(result.candidate.name, result.candidate.place, below=True, mark=mark_of(result), tone=tone)


def evidence_cell(result: CandidateResult) -> Cell:
    """The evidence meter with its word."""
    words = result.evidence.value
    return Cell(words[:1].upper() + words[1:], meter=result.evidence.strength)


def usd_range(value: Range) -> str:
    """``$1.3–1.7 M``."""
    return usd_span(value.low, value.high)


def brief(name: str) -> str:
    """A name as the page to sign has room for; the other pages have it whole. Letters as wide as two count as two."""
    room = MOST_OF_A_NAME
    for place, letter in enumerate(name):
        room -= 2 if east_asian_width(letter) in "WF" else 1
        if room < 0:
            return f"{name[:place].rstrip()}…"
    return name


def day_text(profile: Profile, days: float, year: bool = True) -> str:
    """A number of days from the start as a date; ``over a century`` where it is not worth telling to the day."""
    day = day_after(profile.limits.start_date, days)
    if day is None:
        return OVER_A_CENTURY
    return date_text(day) if year else f"{day.day} {day:%b}"


def asked_text(profile: Profile) -> str:
    """The workload in a question: its name alone while what runs, or how much of it, was never said."""
    return profile.name if missing_facts(profile) else job_text(profile)


def job_text(profile: Profile) -> str:
    """The workload in words: ``pre-training of Llama 3 70B on 1.2 T tokens``."""
    job, model = profile.job, profile.model.name
    kind = job.words.kind.lower()
    asked = "samples" if profile.is_in_samples else "requests"
    match job:
        case TrainingJob():
            return f"{kind} of {model} on {tokens_text(job.n_tokens)} {profile.unit_word}"
        case BatchInference():
            return f"{kind} with {model}, {grouped(job.requests_per_batch)} {asked} a batch"
        case OnlineServing():
            return f"{kind} of {model} at {plain(job.peak_requests_per_s)} {asked} a second"
        case _:
            assert_never(job)


def tokens_text(count: float) -> str:
    """A count of tokens in words: ``1.2 trillion``."""
    for factor, word in ((1e12, "trillion"), (1e9, "billion"), (1e6, "million")):
        if count >= factor:
            return f"{plain(count / factor)} {word}"
    return grouped(count)


def percent(share: float) -> str:
    """A share of 1 as a percentage."""
    return f"{plain(100 * share, 2)}{THIN}%"
