"""C12, flexibility: the selected option criterion by criterion, with the runner-up as a tick on each bar."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from core.comparison.result import CandidateResult, ResultSet
from core.flexibility.types import CriterionScore
from core.ranges import Range
from core.units import span
from gui.charts.figure.figure import LETTER_PX, Axis, Bar, Figure, LegendEntry, Row, left_room, right_room
from gui.charts.figure.kind import ChartKind, Stand
from gui.charts.figure.shown import colour_key, empty_sentence, rival, shape_of, subject

TITLE = "Flexibility by criterion"
EVIDENCE_LETTERS, LEAST_EVIDENCE_LETTERS = 60, 12
"""Letters of the evidence beside a bar at most, and those that a narrow picture leaves."""
BY_HAND = "*"
"""Behind the name of a criterion that the user set."""


CriteriaOf = Callable[[CandidateResult], Sequence[CriterionScore]]


def own_criteria(result: CandidateResult) -> Sequence[CriterionScore]:
    """Those that a candidate's results tell by themselves."""
    return result.flexibility.criteria


def flexibility_bars(
    results: ResultSet, selected_id: str | None = None, criteria_of: CriteriaOf = own_criteria
) -> Figure:
    """The bars as a figure; hatched where a criterion rests on estimates only."""
    shown = subject(results, selected_id)
    criteria = criteria_of(shown) if shown else ()
    if shown is None or not criteria:
        return Figure(TITLE, empty=empty_sentence(results) or "Nothing is known about the flexibility of this option")
    other = rival(results, shown)
    against = {c.id: c for c in criteria_of(other)} if other else {}
    rows = tuple(_row(c, against.get(c.id)) for c in criteria)
    key = colour_key(shown.candidate.accelerator)
    bars = tuple(_bar(c, number, key) for number, c in enumerate(criteria))
    return Figure(
        TITLE,
        _summary(shown, criteria),
        x=Axis("Points of 100", 0.0, 100.0),
        rows=rows,
        bars=bars,
        legend=_legend(shown, other, criteria),
        table=_table(shown, other, criteria, against),
        left_px=left_room(rows),
        right_px=right_room(rows),
        gives_px=max(_longest(rows) - LEAST_EVIDENCE_LETTERS, 0) * LETTER_PX,
        row_px=32,
    )


def _longest(rows: Sequence[Row]) -> int:
    return max(len(row.right[-1][0]) for row in rows)


def _row(criterion: CriterionScore, against: CriterionScore | None) -> Row:
    value = criterion.value
    ticks = (100 * against.value.likely,) if against else ()
    texts = (
        (f"{100 * value.likely:.0f}", "ink"),
        (_span(value), "ink3"),
        (f"weight {criterion.weight:.0f}", "ink3"),
        (_short(criterion.evidence), "ink2"),
    )
    inputs = "\n".join(f"{name}: {text}" for name, text in criterion.inputs)
    tip = (
        f"{criterion.title} = {criterion.formula}\n{inputs}\nEvidence: {criterion.evidence}\nSource: {criterion.source}"
    )
    return Row(
        criterion.id,
        f"{criterion.title} {BY_HAND}" if criterion.note else criterion.title,
        right=texts,
        range=(100 * value.low, 100 * value.high),
        ticks=ticks,
        tip=tip,
    )


def _span(value: Range) -> str:
    low, high = f"{100 * value.low:.0f}", f"{100 * value.high:.0f}"
    return span(low, high) if low != high else ""


def _short(words: str) -> str:
    """Evidence cut to a length that any screen may have room for, where one thing ends if that is so; the tip has all
    of it."""
    if len(words) <= EVIDENCE_LETTERS:
        return words
    first = words.partition("; ")[0]
    return f"{first if len(first) < EVIDENCE_LETTERS else words[: EVIDENCE_LETTERS - 1].rstrip()}…"


def _bar(criterion: CriterionScore, number: int, colour: str) -> Bar:
    return Bar(number, 0.0, 100 * criterion.value.likely, colour, _row(criterion, None).tip, criterion.estimate)


def _legend(
    shown: CandidateResult, other: CandidateResult | None, criteria: Sequence[CriterionScore]
) -> tuple[LegendEntry, ...]:
    chip = shown.candidate.accelerator
    entries = [LegendEntry(shown.candidate.name, colour_key(chip), shape_of(chip))]
    if other:
        entries.append(LegendEntry(other.candidate.name, "ink", "tick"))
    if any(criterion.estimate for criterion in criteria):
        entries.append(LegendEntry("estimates only", colour_key(chip), "hatch"))
    if any(criterion.note for criterion in criteria):
        entries.append(LegendEntry(f"{BY_HAND} set by hand"))
    return tuple(entries)


def _summary(shown: CandidateResult, criteria: Sequence[CriterionScore]) -> str:
    parts = [f"{c.title} {100 * c.value.likely:.0f}" for c in criteria]
    return f"{shown.candidate.name} scores {shown.flexibility.score.likely:.0f} of 100: " + ", ".join(parts) + "."


def _table(
    shown: CandidateResult,
    other: CandidateResult | None,
    criteria: Sequence[CriterionScore],
    against: Mapping[str, CriterionScore],
) -> tuple[tuple[str, ...], ...]:
    other_name = other.candidate.name if other else "no runner-up"
    header = ("criterion", shown.candidate.name, "low", "high", other_name, "weight", "evidence", "source")
    rows: list[tuple[str, ...]] = [header]
    for c in criteria:
        points = [f"{100 * value:.1f}" for value in (c.value.likely, c.value.low, c.value.high)]
        beside = f"{100 * against[c.id].value.likely:.1f}" if c.id in against else ""
        rows.append((c.title, *points, beside, f"{c.weight:g}", c.evidence, c.source))
    return tuple(rows)


CHART = ChartKind("flexibility", TITLE, flexibility_bars, (Stand("flexibility", turn=10),), has_rows=True)
