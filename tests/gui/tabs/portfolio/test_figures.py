"""The pictures and the cash of a portfolio as plain data: what is drawn adds up, and agrees with what is printed."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from core.comparison.portfolio.result import Month, PortfolioAnswer, Scheme
from core.units import grouped
from gui.charts.figure.figure import Figure
from gui.tabs.portfolio.cash import cash_figure, cash_sheet, cash_words, other_scheme
from gui.tabs.portfolio.drawing import BEST, drawing_of
from gui.tabs.portfolio.figures import BASE, _peaks, commit_figure, cost_at, demand_figures


def _scheme(answer: PortfolioAnswer, scheme_id: str) -> Scheme:
    return next(one for one in answer.schemes if one.id == scheme_id)


@pytest.fixture(scope="module")
def pool(answer: PortfolioAnswer) -> Figure:
    (figure,) = demand_figures(answer, _scheme(answer, "base"), True)
    return figure


def test_layers_of_each_week_stand_on_each_other_up_to_the_need(answer: PortfolioAnswer, pool: Figure) -> None:
    *layers, idle = pool.areas
    base = answer.one_pool.account.base_chips
    assert base > 0 and idle.id == "idle"
    for week in range(len(answer.weeks)):
        below = 0.0
        for area in layers:
            assert area.steps[week].low == below
            below = area.steps[week].high
        assert below == sum(band.chips[week] for band in answer.bands)
        assert (idle.steps[week].low, idle.steps[week].high) == (below, max(base, below))
    top = max(area.steps[week].high for area in layers for week in range(len(answer.weeks)))
    assert top == answer.one_pool.chips.max()


def test_the_peak_has_every_service_whose_hours_nobody_knows_in_its_busiest_one(answer: PortfolioAnswer) -> None:
    one = answer.one_pool
    at_once = sum((np.maximum(use.at_work, use.most_pooled) for use in one.uses if not use.is_packed), np.zeros(1))
    packed = 0 if one.packed is None else one.packed
    assert one.peak_chips == (at_once + packed).max() > one.chips.max()


def test_weeks_follow_each_other_and_say_what_they_are(answer: PortfolioAnswer, pool: Figure) -> None:
    steps = pool.areas[0].steps
    assert [one.end for one in steps[:-1]] == [one.start for one in steps[1:]] and steps[
        -1
    ].end == answer.calendar.n_days
    assert steps[1].tip.startswith(f"{answer.bands[0].name}, week of ") and steps[1].tip.endswith(" chips")
    shades = [area.shade for area in pool.areas[:-1]]
    assert shades == sorted(shades, reverse=True) and len(set(shades)) == len(shades)
    rows = pool.table
    assert len(rows) == 1 + len(answer.weeks) and rows[0][0] == "week" and rows[0][-1] == "committed"


def test_only_what_never_rests_is_called_the_same_all_day(answer: PortfolioAnswer, pool: Figure) -> None:
    told = {area.labels[0]: area.labels[1] for area in pool.areas if len(area.labels) == 2}
    assert told["Small models, packed"].endswith(", same all day")
    assert not any("all day" in told[name] for name in ("Retrain 7B", "Nightly batch", "Embeddings"))


def test_the_base_is_a_line_that_goes_by_hosts_and_only_where_there_is_one_to_set(
    answer: PortfolioAnswer, pool: Figure
) -> None:
    (line,) = pool.limits
    assert (line.id, line.axis, line.at) == (BASE, "y", answer.one_pool.account.base_chips)
    assert line.draggable and line.step == answer.one_pool.site.chips_per_host
    assert not demand_figures(answer, _scheme(answer, "base"), False)[0].limits[0].draggable
    assert not demand_figures(answer, _scheme(answer, "peak"), True)[0].limits[0].draggable


def test_chips_of_different_kinds_stand_in_pictures_of_their_own(answer: PortfolioAnswer) -> None:
    own = _scheme(answer, "own")
    figures = demand_figures(answer, own, True)
    kinds = {pool.site.chip.short_name for pool in own.pools}
    assert len(figures) == len(kinds) > 1
    assert {figure.title.removeprefix("Chips needed, ") for figure in figures} == kinds
    needs = [max(step.high for area in figure.areas for step in area.steps) for figure in figures]
    assert sum(len(figure.areas) - 1 for figure in figures) == len(own.pools) and needs[0] == max(needs)


def test_what_is_bought_above_the_base_is_told_at_peaks_in_whole_hosts(answer: PortfolioAnswer, pool: Figure) -> None:
    per_host, base = answer.one_pool.site.chips_per_host, answer.one_pool.account.base_chips
    assert pool.notes
    for note in pool.notes:
        bought = int(note.text.removesuffix(" above"))
        assert bought % per_host == 0 and 0 <= bought - (note.y - base) < per_host
    assert list(_peaks(np.array([5, 5, 9, 9, 7, 8]))) == [(9, 2, 3), (8, 5, 5)]
    assert list(_peaks(np.array([4, 4]))) == [(4, 0, 1)]


def test_the_curve_has_its_least_and_the_base_as_a_line(answer: PortfolioAnswer) -> None:
    figure, curve = commit_figure(answer, True), answer.curve
    (least,), (line,) = figure.marks, figure.limits
    assert (least.x, least.y) == (curve.base_chips[curve.least], curve.likely_usd[curve.least])
    assert line.axis == "x" and line.at == answer.one_pool.account.base_chips and least.hollow == (least.x != line.at)
    first, second = float(curve.base_chips[0]), float(curve.base_chips[1])
    assert cost_at(curve, first) == curve.likely_usd[0] and cost_at(curve, 1e6) is None
    between = cost_at(curve, (first + second) / 2)
    assert between is not None and min(curve.likely_usd[:2]) <= between <= max(curve.likely_usd[:2])


def test_cash_adds_up_down_and_across_and_to_the_total_told(answer: PortfolioAnswer) -> None:
    for drawn in answer.schemes:
        sheet = cash_sheet(answer, drawn)
        rows = {title: [float(cell.likely.replace("\u202f", "")) for cell in cells] for title, cells in sheet.rows}
        own = rows[drawn.title]
        parts = [cells for title, cells in rows.items() if title not in {one.title for one in answer.schemes}]
        assert len(parts) == 4 and [sum(column) for column in zip(*parts, strict=True)] == pytest.approx(own)
        for cells in rows.values():
            assert sum(cells[:-1]) == pytest.approx(cells[-1])
        assert len(sheet.heads) == len(own) and sheet.heads[-1] == "Total"
        assert own[-1] * 1000 == pytest.approx(drawn.total.likely, rel=0.005)


def test_bars_are_the_cash_of_two_ways_side_by_side(answer: PortfolioAnswer) -> None:
    drawn = _scheme(answer, "base")
    other = other_scheme(answer, drawn)
    assert other is not None and other is not drawn
    figure = cash_figure(answer, drawn)
    for scheme in (drawn, other):
        bars = [area for area in figure.areas if area.id.startswith(f"{scheme.id} ")]
        for number, quarter in enumerate(scheme.quarters):
            assert bars[-1].steps[number].high == pytest.approx(quarter.total_usd)
            assert all(
                low.steps[number].high == high.steps[number].low for low, high in zip(bars, bars[1:], strict=False)
            )
    left, right = (next(a for a in figure.areas if a.id.startswith(f"{one.id} ")) for one in (drawn, other))
    assert left.steps[0].end < right.steps[0].start
    assert (
        drawn.title.lower() in cash_words(answer, drawn).lower()
        and other.title.lower() in cash_words(answer, drawn).lower()
    )
    table = {cells[0].likely for title, cells in cash_sheet(answer, drawn).rows if title == drawn.title}
    assert not figure.notes or figure.notes[0].text in table


def test_what_comes_back_hangs_below_and_names_of_many_quarters_stay_apart(answer: PortfolioAnswer) -> None:
    """Hardware is worth something when three years are over."""
    drawn = _scheme(answer, "own")
    later = tuple(Month(2028 + number // 4, 1 + 3 * (number % 4), 0.0, 0.0, 0.0, 900.0) for number in range(9))
    sold = Month(2031, 1, 0.0, 0.0, 100.0, -5_000.0)
    longer = replace(drawn, months=(*drawn.months, *later, sold))
    figure = cash_figure(replace(answer, schemes=(longer, *answer.schemes[1:])), longer)
    assert [name[:2] for _, name in figure.x.names] == [figure.x.names[0][1][:2]] * len(figure.x.names), "once a year"
    assert len(figure.x.names) <= 5 and figure.y.low == pytest.approx(1.14 * -5_000.0)
    ends = {area.id: area.steps[-1] for area in figure.areas if area.id.startswith(longer.id)}
    other, burst = ends[f"{longer.id} other_usd"], ends[f"{longer.id} burst_usd"]
    assert (other.low, other.high) == (-5_000.0, 0.0) and (burst.low, burst.high) == (0.0, 100.0)


def test_the_best_way_is_marked_and_others_say_how_far_they_are(answer: PortfolioAnswer) -> None:
    drawing = drawing_of(answer, "split", True)
    assert drawing.scheme.id == "split" and drawing.ways.drawn == [one.id for one in answer.schemes].index("split")
    title, cells = drawing.ways.rows[0]
    assert title == "Against the best" and cells[drawing.ways.marked].likely == BEST
    assert answer.schemes[drawing.ways.marked] is answer.best
    assert [one.likely.startswith(("+", "\u2212")) for one in cells].count(True) == len(cells) - 1
    assert drawing_of(answer, "no such way", True).scheme is answer.chosen


def test_a_picture_of_a_mean_day_says_so_and_names_the_peaks(answer: PortfolioAnswer, pool: Figure) -> None:
    told = [band for band in answer.bands if band.at_busiest > max(band.chips)]
    assert told and "busiest hour of a mean day, by weeks" in pool.subtitle
    own = demand_figures(answer, _scheme(answer, "own"), False)
    for name, n_chips in ((one.name, one.peak_chips) for one in _scheme(answer, "own").pools):
        words = next(figure.summary for figure in own if f"{name}: " in figure.summary)
        assert f"{name}: {grouped(n_chips)}" in words


def test_months_of_a_year_are_few_enough_to_be_read(pool: Figure) -> None:
    """Thirteen of them overlapped in a narrow window: "DecJan 2027Feb"."""
    assert 2 <= len(pool.x.names) <= 9
