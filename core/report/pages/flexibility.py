"""Flexibility: criteria with weights and evidence, and the bill for leaving."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from core.comparison.questions.freedom_order import N_WEIGHTS, freedom_order, worth
from core.comparison.questions.leaving import LAST_DAY
from core.comparison.result import CandidateResult
from core.flexibility.types import CriterionScore
from core.report.blocks import Block, Cell, Column, Paragraph, Section, Table
from core.report.pages.context import PageContext, name_cell
from core.report.pages.finance.early_end import EARLY_END
from core.units import THIN, counted, grouped, plain, span, usd
from core.workload.freedom import PRESET_WORDS

_MOST = 5


def flexibility_page(context: PageContext, tells_early_end: bool = False) -> Section | None:
    """The criteria of the pick, the exit bill of each, and the chart. ``tells_early_end``: another page of the paper
    says what an early end loses."""
    best = context.results.shown_feasible(_MOST)
    if not best:
        return None
    pick = context.pick or best[0]
    blocks = (
        Paragraph(
            "Score = 100 × sum of weight × value over the sum of weights. Formulas and weights are our proposal.",
            "note",
            once=True,
        ),
        Paragraph(f"Criteria of {pick.candidate.name}", "heading"),
        _criteria(pick),
        Paragraph(" ".join(_weight_words(context, pick, best)), "note"),
        *_by_hand(context),
        Paragraph("What leaving would cost", "heading"),
        _exits(best),
        Paragraph(f"{LAST_DAY}{f', see “{EARLY_END}”' if tells_early_end else ''}.", "note"),
    )
    return Section("flexibility", "Flexibility", blocks)


def _criteria(pick: CandidateResult) -> Table:
    columns = (
        Column("Criterion", weight=1.8),
        Column("Value", "right", 0.9),
        Column("Weight", "right", 0.8),
        Column("Formula", weight=3.2),
        Column("Evidence", weight=3.4),
    )
    rows = tuple(
        (
            Cell(f"{c.id} {c.title}"),
            _value(c),
            Cell(plain(c.weight)),
            Cell(c.formula),
            Cell(f"{c.evidence}{_mark(c)}", tone="warn" if c.estimate or c.note else ""),
        )
        for c in pick.flexibility.criteria
    )
    return Table(columns, rows, is_small=True)


def _value(criterion: CriterionScore) -> Cell:
    """Points of 100, with their range where there is one."""
    low, likely, high = (
        plain(100 * one, 2) for one in (criterion.value.low, criterion.value.likely, criterion.value.high)
    )
    return Cell(likely, "" if low == likely == high else span(low, high), below=True)


def _mark(criterion: CriterionScore) -> str:
    return " (set by hand)" if criterion.note else " (estimate)" if criterion.estimate else ""


def _weight_words(context: PageContext, pick: CandidateResult, best: Sequence[CandidateResult]) -> Iterator[str]:
    """Which weights count, how far the order rests on them, and what points are worth to the user."""
    free, order = context.profile.freedom, freedom_order(context.results, pick)
    typed = [f"{c.title} {plain(c.weight)}" for c in pick.flexibility.criteria if free.weight_of(c.id) is not None]
    by_hand = f"; by hand: {', '.join(typed)}" if typed else ""
    yield f"Set of weights: {PRESET_WORDS[free.preset].lower()}{by_hand}. The score enters neither cost nor time."
    share = plain(100 * order.first_share, 2)
    of_all = f"{share}{THIN}% of {grouped(N_WEIGHTS)} random weights"
    yield f"{pick.candidate.name} scores highest of {order.n_options} in {of_all}."
    other = next((one for one in best if one.id != pick.id), None)
    if other and (told := worth(free, pick, other)):
        yield str(told)


def _by_hand(context: PageContext) -> tuple[Block, ...]:
    """Scores that the user set, of all chips, each with its note; nothing without any."""
    overrides = context.profile.freedom.overrides
    if not overrides:
        return ()
    chips = context.catalogue.accelerator_by_id
    columns = (Column("Chip", weight=2), Column("Criterion"), Column("Points", "right"), Column("Note", weight=4))
    rows = tuple(
        (
            Cell(chips[one.accelerator_id].name if one.accelerator_id in chips else one.accelerator_id),
            Cell(one.criterion_id),
            Cell(plain(one.points)),
            Cell(one.note),
        )
        for one in overrides
    )
    return Paragraph("Scores set by hand", "heading"), Table(columns, rows)


def _exits(best: Sequence[CandidateResult]) -> Table:
    columns = (
        Column("Candidate", weight=3),
        Column("Score", "right"),
        Column("Exit bill", "right"),
        Column("Exit weeks", "right"),
    )
    rows = tuple(
        (
            name_cell(r),
            Cell(plain(r.flexibility.score.likely, 2)),
            Cell(usd(r.flexibility.exit_usd)),
            Cell(counted(r.flexibility.exit_weeks, "week", digits=2).replace(" ", THIN)),
        )
        for r in best
    )
    return Table(columns, rows)
