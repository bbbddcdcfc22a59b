"""C5, unit cost and use: what a unit of work costs as the chips are busier, and where committing starts to pay."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.catalogue.entries import Accelerator, Offer
from core.catalogue.providers import provider_name
from core.comparison.cost_words import paid_words
from core.comparison.questions.cost_by_use import EXPLAINS, LEAST_USE, plan_use_of
from core.comparison.result import CandidateResult, ResultSet
from core.cost.utilisation import Floats, crossings, is_committed, unit_cost_at
from core.units import THIN, shown_money, usd
from gui.charts.figure.figure import Axis, Curve, Figure, Limit, Mark, Note
from gui.charts.figure.kind import ChartKind, Drag, Stand
from gui.charts.figure.shown import colour_key, empty_sentence

TITLE = "Unit cost and use"
SUBTITLE = "Committed chips cost the same idle or busy, others are given back; bands show the 80\u202f% range"


@dataclass(frozen=True)
class UseLine:
    """Unit cost of one candidate over the use of its chips."""

    result: CandidateResult
    committed: bool
    plan_use: float
    use: Floats
    unit_usd: Floats


def use_line(result: CandidateResult, plan_use: float, use: Floats) -> UseLine:
    """The curve of one candidate; ``plan_use`` is the share at which its bill was worked out."""
    committed = is_committed(result.candidate.offer.purchase_model)
    return UseLine(result, committed, plan_use, use, unit_cost_at(result.cost, committed, plan_use, use))


def compared(results: ResultSet, selected_id: str | None) -> list[CandidateResult]:
    """The selected one, then the best, then the best of the other ways to pay and kinds of chip, of those
    that can be had where there are any: few and different."""
    wished = (results.by_id.get(selected_id or ""), *results.results[: min(results.n_feasible, 1)])
    picks = [r for r in wished if r is not None and r.throughput.fits and r.cost.unit_usd > 0]
    for differs in (_by_payment, _by_kind):
        seen = {differs(r.candidate.accelerator, r.candidate.offer) for r in picks}
        others = [r for r in results.first_of(differs, trusted_first=True) if r.cost.unit_usd > 0]
        picks += [r for r in others if differs(r.candidate.accelerator, r.candidate.offer) not in seen][:1]
    return list({r.id: r for r in picks}.values())


def _by_payment(_: Accelerator, offer: Offer) -> bool:
    return is_committed(offer.purchase_model)


def _by_kind(chip: Accelerator, _: Offer) -> str:
    return chip.kind


def unit_cost(results: ResultSet, selected_id: str | None = None) -> Figure:
    """The curves as a figure."""
    picks = compared(results, selected_id)
    if not picks:
        return Figure(TITLE, empty=empty_sentence(results) or "No option fits, so there is no unit cost to show")
    use = np.linspace(LEAST_USE, 1.0, 91)
    lines = [use_line(r, plan_use_of(results, r), use) for r in picks]
    here = lines[0].plan_use
    meet = nearest_crossing(lines, here)
    top = _top(lines, here)
    curves = tuple(_curve(line, _name(line, lines)) for line in lines)
    unit = picks[0].cost.unit
    marker = Limit(
        "use", "x", 100 * here, f"This plan, {100 * here:.0f}{THIN}%", _is_load(results), solid=True, past=False
    )
    return Figure(
        TITLE,
        _summary(lines, meet, here),
        SUBTITLE,
        x=Axis("Use of the chips, %", 100 * LEAST_USE, 100.0),
        y=Axis(f"{shown_money().unit} per {unit}", 0.0, top, scale=1.0 / shown_money().per_usd),
        curves=curves,
        limits=(marker,),
        marks=_others(lines, meet),
        notes=_crossing_notes(meet),
        table=_table(lines),
        right_px=190,
    )


def _is_load(results: ResultSet) -> bool:
    return results.profile.job.answers_users


def _top(lines: Sequence[UseLine], here: float) -> float:
    dearest = max(float(line.unit_usd[np.searchsorted(line.use, min(here, 0.999))]) for line in lines)
    highest = max(float(line.unit_usd.max()) for line in lines)
    spread = max(line.result.cost.total.high / max(line.result.cost.total.likely, 1e-9) for line in lines)
    return min(highest * spread * 1.08, dearest * max(4.0, spread * 1.2))


def _name(line: UseLine, lines: Sequence[UseLine]) -> str:
    """The option, with its seller where another line has the same name and way to pay."""
    own = _told_by(line)
    seller = provider_name(line.result.candidate.offer.provider)
    return f"{own[0]}, {seller}" if sum(_told_by(one) == own for one in lines) > 1 else own[0]


def _told_by(line: UseLine) -> tuple[str, str]:
    return line.result.candidate.name, paid_words(line.result.candidate.offer)


def _curve(line: UseLine, name: str) -> Curve:
    total, result = line.result.cost.total, line.result
    low, high = (total.low / total.likely, total.high / total.likely) if total.likely > 0 else (1.0, 1.0)
    words = paid_words(result.candidate.offer)
    detail = f"{words}, {usd(result.cost.unit_usd)} at {100 * line.plan_use:.0f}{THIN}%"
    return Curve(
        _floats(100 * line.use),
        _floats(line.unit_usd),
        colour_key(result.candidate.accelerator),
        result.id,
        not line.committed,
        _floats(line.unit_usd * low),
        _floats(line.unit_usd * high),
        (name, detail),
        explains=EXPLAINS.key("cost"),
    )


def _floats(values: Floats) -> tuple[float, ...]:
    return tuple(float(value) for value in values)


@dataclass(frozen=True, slots=True)
class Crossing:
    """Where paying per use and committing cost the same: share of use, unit cost, who is cheaper below and above."""

    use: float
    unit_usd: float
    below: str
    above: str


NEAR = 1.01
"""A crossing within so much of the cheapest line is on it: lines are straight between points of use."""


def cheapest_crossings(lines: Sequence[UseLine]) -> list[Crossing]:
    """Where the line that costs least gives way to another, by rising use; who is cheaper of two that a third beats is
    no answer to anybody."""
    least = np.min([line.unit_usd for line in lines], axis=0)
    meetings = _crossings(lines)
    return [one for one in meetings if one.unit_usd <= NEAR * float(np.interp(one.use, lines[0].use, least))]


def _crossings(lines: Sequence[UseLine]) -> list[Crossing]:
    """Where any two of the lines cost the same, by rising use."""
    meetings = []
    for number, first in enumerate(lines):
        for second in lines[number + 1 :]:
            for at in crossings(first.use, first.unit_usd, second.unit_usd):
                below = first if first.unit_usd[0] < second.unit_usd[0] else second
                above = second if below is first else first
                cost = float(np.interp(at, first.use, first.unit_usd))
                meetings.append(Crossing(at, cost, _told_from(below, above), _told_from(above, below)))
    return sorted(meetings, key=lambda c: c.use)


def _told_from(line: UseLine, other: UseLine) -> str:
    """The name of an option, with how it is paid where the other has the same name."""
    one, beside = line.result.candidate, other.result.candidate
    return one.name if one.name != beside.name else f"{one.name} {paid_words(one.offer)}"


def nearest_crossing(lines: Sequence[UseLine], here: float) -> Crossing | None:
    """The crossing of the cheapest line that is nearest to the plan's use."""
    return min(cheapest_crossings(lines), key=lambda c: abs(c.use - here), default=None)


def _others(lines: Sequence[UseLine], told: Crossing | None) -> tuple[Mark, ...]:
    """The other crossings as small rings that say on hovering who is cheaper; they select nothing."""
    return tuple(
        Mark(
            "", 100 * c.use, c.unit_usd, None, None, 3.0, "circle", "ink3", True, "", "", _crossing_words(c),
            show_name=False,
        )
        for c in cheapest_crossings(lines)
        if c != told
    )  # fmt: skip


def _crossing_words(c: Crossing) -> str:
    return f"Below {100 * c.use:.0f}{THIN}% use {c.below} costs less, above it {c.above}"


def _crossing_notes(meet: Crossing | None) -> tuple[Note, ...]:
    if meet is None:
        return ()
    text = f"Below {100 * meet.use:.0f}{THIN}% use {meet.below} costs less than {meet.above}"
    at = (100 * meet.use, meet.unit_usd, text, "ink")
    if meet.use > 0.6:
        return (Note(*at, align="right", dx_px=10.0, dy_px=-24.0, strong=True, dot=True),)
    return (Note(*at, dx_px=-10.0, dy_px=-24.0, strong=True, dot=True),)


def _summary(lines: Sequence[UseLine], meet: Crossing | None, here: float) -> str:
    parts = [
        f"{line.result.candidate.name}: {usd(line.result.cost.unit_usd)} per {line.result.cost.unit}." for line in lines
    ]
    if meet:
        parts.append(f"Below {100 * meet.use:.0f} % use {meet.below} costs less, above it {meet.above}.")
    return f"This plan uses {100 * here:.0f} % of the chips. " + " ".join(parts)


def _table(lines: Sequence[UseLine]) -> tuple[tuple[str, ...], ...]:
    header = ("use_pct", *(f"{line.result.candidate.name}, usd" for line in lines))
    steps = range(0, len(lines[0].use), 5)
    rows = [(f"{100 * lines[0].use[i]:.0f}", *(f"{line.unit_usd[i]:.4g}" for line in lines)) for i in steps]
    return (header, *rows)


def _whole_percent(value: float) -> float:
    return float(min(max(round(value), 1), 100))


CHART = ChartKind(
    "unit-cost",
    TITLE,
    unit_cost,
    (Stand("cost", "Use", 20),),
    drags=(Drag("use", "job.mean_load_pct", "Drag mean load", _whole_percent),),
)
