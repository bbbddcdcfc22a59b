"""The first page of a plan with several workloads: what their picks come to together, and when the cash is due."""

from __future__ import annotations

from collections.abc import Sequence

from core.catalogue.providers import provider_name
from core.comparison.recommendation.confidence import in_hundred
from core.comparison.result import CandidateResult
from core.comparison.together.plan_answer import PlanAnswer, answer_of
from core.comparison.together.ways import Picked
from core.ranges import Range
from core.report.blocks import Block, Cell, Column, Fact, Facts, Kpi, KpiTable, OptionKpis, Paragraph, Section, Table
from core.report.pages.context import PageContext, day_text, job_text, usd_range
from core.report.plan_words import (
    LEAST_TOLD_USD,
    apart_lines,
    chance_fact,
    cost_note,
    quarters_of,
    verdict_words,
    way_line,
)
from core.units import DASH, THIN, date_text, plain, span, usd
from core.workload.profile import Profile

FEWEST = 2
"""A plan of so many workloads has this page."""

NO_BREAK = "\u00a0"
MOST_COLUMNS = 9
"""So many quarters, with their sum, stand side by side."""


def whole_plan_page(contexts: Sequence[PageContext]) -> Section | None:
    """The page; None for a single workload, and where no workload has a pick."""
    answer = answer_of([context.results for context in contexts]) if len(contexts) >= FEWEST else None
    if answer is None:
        return None
    blocks: tuple[Block, ...] = (
        Paragraph(f"Where do we run {_listed([job_text(context.profile) for context in contexts])}?", "question"),
        Paragraph(_lead(answer), "lead"),
        _facts(answer),
        Paragraph("Pick per workload", "heading"),
        KpiTable(("Cost of the whole term", "Ready", "Flexibility", "Chance best"), tuple(map(_row, answer.picks))),
        *(Paragraph(line) for line in apart_lines(answer)),
        Paragraph(verdict_words(answer)),
        *(Paragraph(way_line(answer, one)) for one in answer.others),
        Paragraph("When the cash is due", "heading"),
        _cash(answer),
    )
    return Section("plan", title_of_plan(answer), blocks)


def title_of_plan(answer: PlanAnswer) -> str:
    """``Train on 256 × B200 at CoreWeave, serve on 64 × Trillium v6e at Google Cloud``."""
    words = ", ".join(f"{_verb(one.profile)} on {_where(one.pick)}" for one in answer.picks)
    return f"{words[:1].upper()}{words[1:]}"


def _verb(profile: Profile) -> str:
    return "train" if profile.job.trains else "serve" if profile.job.answers_users else "run"


def _where(pick: CandidateResult) -> str:
    name = pick.candidate.name.replace(" ", NO_BREAK)
    return f"{name} at {provider_name(pick.candidate.offer.provider)}"


def _lead(answer: PlanAnswer) -> str:
    """What is added up, as printed, and what is not in it."""
    parts = [f"{usd(one.pick.cost.total.likely)} for {one.name}" for one in answer.picks]
    parts += [f"{usd(one.usd)} for moving weights" for one in answer.moving if one.usd >= LEAST_TOLD_USD]
    parts += [f"{usd(one.usd)} for further software" for one in answer.upkeep if one.usd >= LEAST_TOLD_USD]
    names = [name for name, _ in answer.unanswered]
    left_out = f" Not in it: {_listed(names)}, without a pick." if names else ""
    return f"Together they cost {usd(answer.printed_usd)}: {_listed(parts)}.{left_out}"


def _facts(answer: PlanAnswer) -> Facts:
    last = max(answer.picks, key=lambda one: one.ready)
    return Facts(
        (
            Fact("Total cost", usd(answer.printed_usd), str(cost_note(answer))),
            Fact("All ready", date_text(answer.done), f"{last.name} comes last"),
            Fact("All limits kept", *chance_fact(answer)),
        )
    )


def _row(picked: Picked) -> OptionKpis:
    pick, candidate = picked.pick, picked.pick.candidate
    score, chip, total = pick.flexibility.score, candidate.accelerator, pick.cost.total
    best = in_hundred(pick.chance.best) if pick.chance and pick.chance.best is not None else ""
    share, _, rest = best.partition(" of ")
    kpis = (
        Kpi(usd(total.likely), f"{usd_range(total)}, 80{THIN}% range", *_triple(total)),
        _ready(picked),
        Kpi(plain(score.likely, 2), f"{span(plain(score.low, 2), plain(score.high, 2))} of 100", *_triple(score)),
        Kpi(share or DASH, f"of {rest} draws" if rest else "lacks proof"),
    )
    return OptionKpis(picked.name, candidate.name, candidate.place, chip.kind, chip.vendor, kpis)


def _ready(picked: Picked) -> Kpi:
    days = picked.pick.days_to_finish
    if days is None:
        return Kpi(date_text(picked.ready), "when it can start")
    ends = [day_text(picked.profile, end, year=False) for end in (days.low, days.high)]
    return Kpi(date_text(picked.ready), span(*ends))


def _triple(value: Range) -> tuple[float, float, float]:
    return value.low, value.likely, value.high


def _cash(answer: PlanAnswer) -> Table:
    """A column a quarter, or a row a quarter where there are many; they add up to the total as printed."""
    due = [*((name, Cell(usd(amount))) for name, amount in quarters_of(answer)), ("In all", _total(answer))]
    note = "What is done once falls due at the start, the rest evenly while chips are held."
    if len(due) <= MOST_COLUMNS:
        return Table(tuple(Column(name, "right") for name, _ in due), (tuple(cell for _, cell in due),), note)
    return Table((Column("Quarter"), Column("Due", "right")), tuple((Cell(name), cell) for name, cell in due), note)


def _total(answer: PlanAnswer) -> Cell:
    return Cell(usd(answer.printed_usd), tone="strong")


def _listed(words: Sequence[str]) -> str:
    *most, last = words
    return f"{', '.join(most)} and {last}" if most else last
