"""The pictures of a portfolio as plain data: chips over the weeks, and what each base would cost."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby, pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.catalogue.entries import Accelerator
from core.comparison.portfolio.calendar import Calendar
from core.comparison.portfolio.result import Band, Curve, Pool, PortfolioAnswer, Scheme
from core.constants import DAYS_PER_WEEK
from core.units import counted, date_text, grouped, noun, span, usd
from gui.charts.figure.figure import Area, Axis, Figure, LegendEntry, Limit, Mark, Note, Step
from gui.charts.figure.figure import Curve as Line
from gui.charts.figure.shown import colour_key
from gui.charts.figure.texts import money_scale
from gui.charts.figure.ticks import count_ticks, month_ticks

Whole = NDArray[np.int64]
DEMAND_TITLE, OUTSIDE_TITLE, COMMIT_TITLE = "Chips needed", "Outside the pool", "How much to commit"
BASE = "base"
"""Id of the line of the committed base in both pictures."""
SHARED = ("peak", "base", "shared")
"""Schemes whose first pool is the one that all share."""
LABELS_PX, COMMIT_RIGHT_PX = 172, 16
LEAST_SHADE, MOST_TWO_LINES = 0.3, 5
AIR = 1.14
QUIET = "in quiet hours"
"""Of what needs no chip when most are needed."""
NEAR_SHARE = 0.11
"""Words over peaks nearer to each other than this share of the picture give way to the higher one."""


@dataclass(frozen=True, slots=True)
class Layer:
    """Chips of a workload or of a pool in each week."""

    id: str
    name: str
    chips: tuple[int, ...]
    is_flat: bool = False
    at_busiest: int = 0


def demand_figures(answer: PortfolioAnswer, scheme: Scheme, can_edit: bool) -> tuple[Figure, ...]:
    """The shared pool, then a picture a kind of chip, those of the largest need first: kinds do not add up."""
    shared = [one for one in scheme.pools[:1] if scheme.id in SHARED]
    kinds: dict[str, list[Pool]] = {}
    for pool in scheme.pools[len(shared) :]:
        kinds.setdefault(pool.site.chip.id, []).append(pool)
    groups = sorted(kinds.values(), key=lambda pools: -sum(pool.peak_chips for pool in pools))
    title, bands = OUTSIDE_TITLE if shared else DEMAND_TITLE, list(map(_of_band, answer.bands))
    figures = [_demand(answer, title, pools, list(map(partial(_whole, answer), pools)), False) for pools in groups]
    is_set = can_edit and scheme.id == "base"
    return (*(_demand(answer, DEMAND_TITLE, [one], bands, is_set) for one in shared), *figures)


def _demand(
    answer: PortfolioAnswer, title: str, pools: Sequence[Pool], layers: Sequence[Layer], is_draggable: bool
) -> Figure:
    chip, base = pools[0].site.chip, sum(pool.account.base_chips for pool in pools)
    tops: Whole = np.array([layer.chips for layer in layers], dtype=np.int64).sum(axis=0)
    peak, days = int(tops.max(initial=0)), float(answer.calendar.n_days)
    top = AIR * max(peak, base, 1)
    return Figure(
        f"{title}, {chip.short_name}",
        demand_words(chip, peak, base, layers),
        subtitle=_subtitle(pools, layers),
        x=Axis("", 0.0, days, names=tuple(month_ticks(answer.calendar.first_day, days))),
        y=Axis("Chips", 0.0, top, names=count_ticks(top)),
        areas=(*_stack(answer.calendar, layers, tops, colour_key(chip)), _idle(answer.calendar, tops, base)),
        limits=_base_line(base, pools[0].site.chips_per_host, is_draggable) if base or is_draggable else (),
        notes=tuple(_bursts(answer, pools[0], tops, base)),
        legend=_legend(base),
        table=_table(answer.weeks, layers, base),
        left_px=52,
        right_px=LABELS_PX,
    )


def _whole(answer: PortfolioAnswer, pool: Pool) -> Layer:
    """All of a pool that is not looked into; one of a workload alone has its id."""
    own = pool.uses[0].profile.id if len(pool.uses) == 1 else pool.name
    return Layer(own, pool.name, _weekly(answer.calendar, pool), at_busiest=pool.peak_chips)


def _of_band(band: Band) -> Layer:
    return Layer(band.key, band.name, band.chips, band.is_flat, band.at_busiest)


def _weekly(calendar: Calendar, pool: Pool) -> tuple[int, ...]:
    """Most chips of each week."""
    most = np.zeros(-(-calendar.n_days // DAYS_PER_WEEK), dtype=np.int64)
    np.maximum.at(most, calendar.week_of[: len(pool.chips)], pool.chips.max(axis=1))
    return tuple(int(one) for one in most)


def _stack(calendar: Calendar, layers: Sequence[Layer], tops: Whole, colour: str) -> Iterator[Area]:
    below = np.zeros(len(tops), dtype=np.int64)
    fade = (1.0 - LEAST_SHADE) / max(len(layers) - 1, 1)
    for number, layer in enumerate(layers):
        above = below + np.array(layer.chips)
        steps = tuple(
            Step(*week, float(low), float(high), _tip(layer.name, int(high - low), int(top), calendar, week[0]))
            for week, low, high, top in zip(_week_edges(calendar), below, above, tops, strict=True)
        )
        yield Area(layer.id, steps, colour, 1.0 - fade * number, labels=_labels(layer, len(layers)))
        below = above


def _tip(name: str, n_chips: int, of: int, calendar: Calendar, day: float) -> str:
    week = date_text(calendar.first_day + np.timedelta64(int(day), "D").astype(object))
    return f"{name}, week of {week}: {grouped(n_chips)} of {counted(of, 'chip')}"


def _week_edges(calendar: Calendar) -> list[tuple[float, float]]:
    edges = [*range(0, calendar.n_days, DAYS_PER_WEEK), calendar.n_days]
    return [(float(first), float(last)) for first, last in pairwise(edges)]


def _labels(layer: Layer, n_layers: int) -> tuple[str, ...]:
    """Its name, and the chips that it needs from week to week."""
    low, high = min(layer.chips, default=0), max(layer.chips, default=0)
    needs = QUIET if not high else grouped(high) if low == high else span(grouped(low), grouped(high))
    told = f"{needs}, same all day" if layer.is_flat and high else needs
    if _peaks_beyond(layer):
        told = f"{needs}, at its peak {grouped(layer.at_busiest)}"
    return (layer.name, told) if n_layers <= MOST_TWO_LINES else (f"{layer.name}, {needs}",)


def _idle(calendar: Calendar, tops: Whole, base: int) -> Area:
    steps = tuple(
        Step(*week, float(top), float(max(base, top)), f"{counted(base - int(top), 'chip')} of the base idle all week")
        for week, top in zip(_week_edges(calendar), tops, strict=True)
    )
    return Area("idle", steps, "ink3", stripes="thin")


def _base_line(base: int, step: int, is_draggable: bool) -> tuple[Limit, ...]:
    words = f"Committed {grouped(base)}"
    return (Limit(BASE, "y", float(base), words, is_draggable, solid=True, past=False, side="left", step=float(step)),)


def _bursts(answer: PortfolioAnswer, pool: Pool, tops: Whole, base: int) -> Iterator[Note]:
    """What is bought above the base at each peak, in whole hosts; the higher of two that stand close."""
    if not base or pool.burst is None:
        return
    edges, per_host = _week_edges(answer.calendar), pool.site.chips_per_host
    taken: list[float] = []
    for top, first, last in sorted(_peaks(tops), key=lambda one: -one[0]):
        middle = (edges[first][0] + edges[last][1]) / 2
        if top > base and all(abs(middle - other) > NEAR_SHARE * answer.calendar.n_days for other in taken):
            taken.append(middle)
            bought = -(-(top - base) // per_host) * per_host
            yield Note(middle, float(top), f"{grouped(bought)} above", align="centre", dy_px=-9)


def _peaks(tops: Whole) -> Iterator[tuple[int, int, int]]:
    """Weeks in a row of one height with less before and after: the height, the first week and the last one."""
    first = 0
    levels = [(int(top), len(list(weeks))) for top, weeks in groupby(tops.tolist())]
    for at, (top, n_weeks) in enumerate(levels):
        beside = [level for level, _ in (*levels[max(at - 1, 0) : at], *levels[at + 1 : at + 2])]
        if all(top > level for level in beside):
            yield top, first, first + n_weeks - 1
        first += n_weeks


def _legend(base: int) -> tuple[LegendEntry, ...]:
    if not base:
        return ()
    return (
        LegendEntry("idle all week, paid for", "ink3", "hatch"),
        LegendEntry("committed base", "ink2", "line"),
    )


def _subtitle(pools: Sequence[Pool], layers: Sequence[Layer]) -> str:
    """What each week shows: of a service whose busiest hour may be any, that of a mean day."""
    places = list(dict.fromkeys(pool.site.place for pool in pools))
    told = "busiest hour of a mean day, by weeks" if any(map(_peaks_beyond, layers)) else "busiest hour of each week"
    return f"{places[0]}, {told}" if len(places) == 1 else told


def _peaks_beyond(layer: Layer) -> bool:
    """True where more is needed at times that nobody knows than any week shows."""
    return layer.at_busiest > max(layer.chips, default=0)


def demand_words(chip: Accelerator, peak: int, base: int, layers: Sequence[Layer]) -> str:
    """The picture in words."""
    told = f"At most {grouped(peak)} {chip.short_name} {noun(str(peak), 'chip')} in a week, {grouped(base)} committed"
    most = ((one.name, grouped(max(*one.chips, one.at_busiest, 0))) for one in layers)
    return f"{told}. {', '.join(map(': '.join, most))} at most"


def _table(weeks: Sequence[object], layers: Sequence[Layer], base: int) -> tuple[tuple[str, ...], ...]:
    heads = ("week", *(layer.name for layer in layers), "committed")
    rows = [(str(week), *(str(layer.chips[n]) for layer in layers), str(base)) for n, week in enumerate(weeks)]
    return (heads, *rows)


def commit_figure(answer: PortfolioAnswer, can_edit: bool) -> Figure:
    """Cost over the committed base, with its 80 % range, the least, and where the base stands."""
    curve, pool = answer.curve, answer.one_pool
    known = np.isfinite(curve.likely_usd)
    if not known.any():
        return Figure(COMMIT_TITLE, empty="No base can be paid for here")
    chips, likely = curve.base_chips[known], curve.likely_usd[known]
    low, high = curve.low_usd[known], curve.high_usd[known]
    scale = money_scale(float(likely.max()))
    colour, base = colour_key(pool.site.chip), pool.account.base_chips
    last = float(max(int(chips[-1]), base, 1))
    bottom, top = float(low.min()), float(high.max())
    air = 0.08 * max(top - bottom, 0.02 * top)
    step = float(pool.site.chips_per_host)
    here = Limit(BASE, "x", float(base), f"Base {grouped(base)}", can_edit, solid=True, past=False, step=step)
    return Figure(
        COMMIT_TITLE,
        commit_words(curve, base),
        x=Axis("Committed chips", -0.03 * last, 1.04 * last, names=count_ticks(last)),
        y=Axis(
            f"Cost of the pool, {scale.words}", max(bottom - air, 0.0), top + 2 * air, scale=scale.divisor, money=True
        ),
        marks=_least(curve, colour, base, scale.text(float(curve.likely_usd[curve.least]))),
        curves=(Line(_floats(chips), _floats(likely), colour, low=_floats(low), high=_floats(high), tip="Cost"),),
        limits=(here,),
        table=_commit_table(curve),
        left_px=52,
        right_px=COMMIT_RIGHT_PX,
    )


def _least(curve: Curve, colour: str, base: int, cost: str) -> tuple[Mark, ...]:
    chips, least = int(curve.base_chips[curve.least]), float(curve.likely_usd[curve.least])
    words = f"Least at {grouped(chips)}: {cost}"
    tip = f"{counted(chips, 'chip')} committed cost least: {usd(least)}"
    return (Mark("least", float(chips), least, None, None, 5.0, "circle", colour, chips != base, words, "", tip),)


def commit_words(curve: Curve, base: int) -> str:
    """The picture in words."""
    few, many = curve.within
    chips, least = int(curve.base_chips[curve.least]), float(curve.likely_usd[curve.least])
    return (
        f"{counted(chips, 'chip')} cost least, {usd(least)}; {span(grouped(few), grouped(many))} are within 3 %; "
        f"{grouped(base)} are committed"
    )


def cost_at(curve: Curve, base: float) -> float | None:
    """Likely cost of a base that a hand holds the line at, between those that were worked out; None beyond them."""
    known = np.isfinite(curve.likely_usd)
    chips, costs = curve.base_chips[known], curve.likely_usd[known]
    is_within = len(chips) and chips[0] <= base <= chips[-1]
    return float(np.interp(base, chips, costs)) if is_within else None


def _commit_table(curve: Curve) -> tuple[tuple[str, ...], ...]:
    columns = (curve.base_chips, curve.likely_usd, curve.low_usd, curve.high_usd, curve.idle_share)
    rows = [(f"{c:.0f}", *(f"{v:.2f}" for v in vs), f"{s:.4f}") for c, *vs, s in zip(*columns, strict=True)]
    return (("base_chips", "likely_usd", "low_usd", "high_usd", "idle_share"), *rows)


def _floats(values: NDArray[Any]) -> tuple[float, ...]:
    return tuple(float(one) for one in values)
