"""Figures of cash over time, spot risk and chips, without a window, on real results."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from core.catalogue.loading import load_catalogue
from core.comparison.evaluate import evaluate
from core.comparison.questions.cash import cash_plan
from core.comparison.questions.number_of_chips import count_curve
from core.comparison.questions.spot import expected_here_h, spot_risk
from core.comparison.result import CandidateResult, ResultSet
from core.units import Money, money_in
from core.workload.jobs.kinds import OnlineServing, PreTraining
from core.workload.models.transformer import TransformerModel
from core.workload.profile import Limits, Outlook, Profile
from gui.charts.figure.figure import LETTER_PX, Figure
from gui.charts.kinds.count_bars import count_bars
from gui.charts.kinds.cumulative_cash import SOLD, cumulative_cash
from gui.charts.kinds.save_interval import interval_figure
from gui.charts.kinds.spot_risk import spot_figure
from gui.charts.kinds.unit_cost import UseLine, cheapest_crossings, nearest_crossing
from tests.gui.charts.paint.shapes import assert_drawn, whole
from tests.gui.sample_results import empty_results, sample_results

MODEL = TransformerModel(name="70B", n_layers=80, d_model=8192, n_heads=64, n_kv_heads=8, d_ff=28672)


@cache
def trained() -> ResultSet:
    limits = Limits(deadline_days=60, max_chips=2048)
    job = PreTraining(n_tokens=1e12, checkpoint_interval_h=1.0)
    outlook = Outlook(horizon_months=36, use_pct=100.0)
    return evaluate(Profile(job=job, model=MODEL, limits=limits, outlook=outlook), load_catalogue())


@cache
def served() -> ResultSet:
    return evaluate(Profile(job=OnlineServing(peak_requests_per_s=20), model=MODEL), load_catalogue())


def of_chip(results: ResultSet, chip: str) -> CandidateResult:
    """The one of a chip that can be had and waits least beside its run."""
    fitting = [r for r in results.results if r.candidate.accelerator.id == chip and r.throughput.fits]
    of_chip = [r for r in fitting if r.is_firm] or fitting
    return max(of_chip, key=lambda r: r.time_terms_days["run"] / (r.time_terms_days["waiting"] + 1e-9))


def same_length(figure: Figure) -> bool:
    return all(len(c.xs) == len(c.ys) and len(c.low) in (0, len(c.xs)) for c in figure.curves)


def test_cash_lines_are_those_of_the_plan_and_settle_at_the_horizon() -> None:
    h100 = of_chip(trained(), "h100-sxm")
    figure, plan = cumulative_cash(trained(), h100.id), cash_plan(trained(), h100)
    assert plan is not None and plan.buy is not None
    buy = next(curve for curve in figure.curves if curve.id == "owned")
    assert same_length(figure)
    assert buy.xs[-2:] == (36.0, 36.0) and buy.ys[-1] < buy.ys[-2]
    assert buy.ys[0] == pytest.approx(plan.buy.flow.upfront_usd)
    assert all(low <= likely <= high for low, likely, high in zip(buy.low, buy.ys, buy.high, strict=True))


def test_renting_is_dashed_and_ways_that_are_not_allowed_say_so() -> None:
    figure = cumulative_cash(trained(), of_chip(trained(), "h100-sxm").id)
    lines = {curve.id: curve for curve in figure.curves}
    assert lines["on_demand"].dashed and not lines["owned"].dashed
    assert "not allowed" in lines["owned"].labels[1] and "not allowed" not in " ".join(lines["on_demand"].labels)
    assert "NPV" in lines["owned"].labels[-1]


def test_marks_of_a_way_stand_below_its_name_so_that_neither_is_cut() -> None:
    """``3-year, CoreWeave, estimate (not allow`` was cut by the edge."""
    figure = cumulative_cash(trained(), of_chip(trained(), "h100-sxm").id)
    named = [curve for curve in figure.curves if curve.labels]
    for curve in named:
        assert "estimate" not in curve.labels[0] and "not allowed" not in curve.labels[0]
        assert all(len(text) * LETTER_PX <= figure.right_px for text in curve.labels), curve.labels
    assert any("estimate" in curve.labels[1] for curve in named)


def test_break_even_is_marked_where_lines_meet() -> None:
    h100 = of_chip(trained(), "h100-sxm")
    figure, plan = cumulative_cash(trained(), h100.id), cash_plan(trained(), h100)
    assert plan is not None
    marked = {note.text.split(",")[0]: note for note in figure.notes if note.dot}
    sold = next(curve for curve in figure.curves if curve.id == SOLD)
    rent = next(curve for curve in figure.curves if curve.id == "on_demand")
    note = marked["Even if sold then"]
    assert note.x == pytest.approx(plan.break_even_month(sold=True))
    assert note.y == pytest.approx(float(np.interp(note.x, sold.xs, sold.ys)), rel=1e-6)
    assert note.y == pytest.approx(float(np.interp(note.x, rent.xs[:-1], rent.ys[:-1])), rel=1e-6)
    by_cash = plan.break_even_month(sold=False)
    assert {words: marked[words].x for words in marked if "by cash" in words} == (
        {} if by_cash is None else {"Even by cash": by_cash}
    )


def test_the_horizon_can_be_dragged_and_the_end_of_the_plan_not() -> None:
    figure = cumulative_cash(trained(), of_chip(trained(), "h100-sxm").id)
    grips = {limit.id: limit.draggable for limit in figure.limits}
    assert grips == {"horizon": True, "plan": False}
    assert "This plan ends" in [note.text for note in figure.notes]


def test_what_cannot_be_bought_is_said() -> None:
    tpu = of_chip(trained(), "tpu-v6e")
    figure = cumulative_cash(trained(), tpu.id)
    assert "owned" not in [curve.id for curve in figure.curves]
    assert "cannot be bought" in figure.summary


def test_cash_of_a_service_and_of_nothing() -> None:
    assert same_length(cumulative_cash(served(), None))
    assert cumulative_cash(sample_results(), None).empty
    assert "Fill in" in cumulative_cash(empty_results(), None).empty


def test_spot_lines_cross_on_demand_at_the_mark() -> None:
    h100 = of_chip(trained(), "h100-sxm")
    figure, risk = spot_figure(trained(), h100.id), spot_risk(trained(), h100)
    assert risk is not None and risk.even_rate_per_h is not None
    lines = {curve.id: curve for curve in figure.curves}
    note = next(note for note in figure.notes if note.dot)
    assert 10**note.x == pytest.approx(risk.even_rate_per_h)
    saved = lines["saved"]
    assert note.y == pytest.approx(float(np.interp(note.x, saved.xs, saved.ys)), abs=0.01)
    assert note.y == pytest.approx(lines["rented"].ys[0])
    assert lines["unsaved"].dashed and lines["unsaved"].ys[0] > saved.ys[0]


@pytest.mark.parametrize(("chip", "part"), [("h100-sxm", "host"), ("tpu-v5e", "slice")])
def test_spot_says_what_is_taken(chip: str, part: str) -> None:
    figure = spot_figure(trained(), of_chip(trained(), chip).id)
    assert figure.subtitle.endswith(f"stops when one {part} is taken")


def test_spot_marks_the_rate_of_the_catalogue_and_ticks_tell_money_and_days() -> None:
    h100 = of_chip(trained(), "h100-sxm")
    figure, risk = spot_figure(trained(), h100.id), spot_risk(trained(), h100)
    assert risk is not None
    (rate,) = figure.limits
    assert 10**rate.at == pytest.approx(risk.rate_per_h) and rate.draggable
    assert figure.x.names == tuple(zip((-4, -3, -2, -1, 0), ("0.0001", "0.001", "0.01", "0.1", "1"), strict=True))
    for at, text in figure.y.names:
        money, days = text.split(", ")
        assert money.startswith("$") and days.endswith("d")
        assert figure.y.low <= at <= figure.y.high


def test_ticks_of_spot_are_round_in_the_currency_shown() -> None:
    h100 = of_chip(trained(), "h100-sxm")
    with money_in(Money("JPY", 156.0)):
        names = spot_figure(trained(), h100.id).y.names
    assert len(names) > 2
    for at, text in names:
        yen = 156.0 * 10**at
        assert float(f"{yen:.0e}") == pytest.approx(yen) and text.startswith("¥")


def test_the_best_interval_is_the_lowest_point_of_its_curve() -> None:
    h100 = of_chip(trained(), "h100-sxm")
    figure, risk = interval_figure(trained(), h100.id), spot_risk(trained(), h100)
    assert risk is not None
    (curve,), (note,), (limit,) = figure.curves, figure.notes, figure.limits
    assert 10**note.x == pytest.approx(risk.best_interval_h)
    assert note.y == pytest.approx(min(curve.ys), rel=1e-3)
    assert limit.id == "interval" and limit.draggable and 10**limit.at == pytest.approx(1.0)
    assert limit.solid and not limit.past


@pytest.mark.parametrize("chip", ["h100-sxm", "b200-sxm"])
def test_no_line_strikes_the_name_of_another_through(chip: str) -> None:
    """The name of the run without saved states stood on the line of the rate, and that of the crossing on a curve."""
    figure = spot_figure(trained(), of_chip(trained(), chip).id)
    name, rate = next(one for one in figure.notes if one.text), figure.limits[0].at
    assert name.text == "nothing saved" and [one.text for one in figure.notes if one.dot] in ([], [""])
    wide = 1.1 if name.align == "left" else -1.1
    assert not min(name.x, name.x + wide) < rate < max(name.x, name.x + wide)


def test_a_run_that_never_ends_without_saved_states_has_no_line_for_it() -> None:
    """2 048 chips for weeks: the line left the chart at its first point, with its name over that of the rate, and
    stretched the axis to "$10 B, 36 500+ d"."""
    job = PreTraining(n_tokens=1e14, checkpoint_interval_h=0.1)
    results = evaluate(Profile(job=job, model=MODEL), load_catalogue())
    h100 = of_chip(results, "h100-sxm")
    figure = spot_figure(results, h100.id)
    assert [curve.id for curve in figure.curves] == ["saved", "rented"]
    assert not any(note.text for note in figure.notes)
    drawn = [y for curve in figure.curves for y in curve.ys]
    assert figure.y.high <= max(drawn) + 0.2, "the axis ends with what is drawn"
    assert "Without saved states" in figure.summary


def test_a_run_that_saves_nothing_can_still_be_dragged() -> None:
    job = PreTraining(n_tokens=1e10, checkpoint_interval_h=0)
    results = evaluate(Profile(job=job, model=MODEL), load_catalogue())
    figure = interval_figure(results, of_chip(results, "h100-sxm").id)
    assert "nothing saved" in figure.limits[0].label and figure.limits[0].draggable


def test_spot_says_why_there_is_nothing_to_show() -> None:
    assert "spare replicas" in spot_figure(served(), None).empty
    assert interval_figure(served(), None).empty
    assert "Fill in" in spot_figure(empty_results(), None).empty


def test_every_number_of_chips_is_a_row_and_the_best_are_named() -> None:
    h100 = of_chip(trained(), "h100-sxm")
    figure, curve = count_bars(trained(), h100.id), count_curve(trained(), h100)
    assert curve is not None and curve.cheapest is not None and curve.fewest is not None
    assert len(figure.rows) == len(figure.bars) == len(curve.points) == len(figure.table) - 1
    notes = {row.id: row.note.lower() for row in figure.rows}
    assert "cheapest" in notes[curve.cheapest.id] and "fewest in time" in notes[curve.fewest.id]
    assert all("deadline" in notes[p.id] for p in curve.points if not p.feasible)


def test_counts_of_a_service_tell_replicas_and_no_days() -> None:
    figure = count_bars(served(), of_chip(served(), "h100-sxm").id)
    assert figure.rows and all("replica" in row.right[0][0] and len(row.right) == 3 for row in figure.rows)
    assert "fewest at peak" in " ".join(row.note.lower() for row in figure.rows)


def test_counts_need_results_of_an_evaluation() -> None:
    assert count_bars(replace(trained(), basis=None), None).empty


def test_every_crossing_of_the_cheapest_unit_cost_is_marked_once() -> None:
    """That with a line which another undercuts there says nothing: "Below 28 % use 12 × TPU7x costs less"."""
    use = np.linspace(0.1, 1.0, 91)
    line = UseLine(trained().results[0], True, 1.0, use, 2.0 / use)
    flat = [replace(line, unit_usd=np.full_like(use, usd)) for usd in (4.1, 8.1)]
    found = cheapest_crossings([line, *flat])
    assert [round(c.use, 2) for c in found] == [0.49]
    assert nearest_crossing([line, *flat], 0.2) == found[0]
    assert [round(c.use, 2) for c in cheapest_crossings([line, flat[1]])] == [0.25]


@pytest.mark.usefixtures("qapp")
def test_figures_of_money_over_time_and_of_counts_are_drawn_as_ever() -> None:
    told = {}
    for chip in ("h100-sxm", "tpu-v6e"):
        chosen = of_chip(trained(), chip).id
        for draw in (cumulative_cash, spot_figure, interval_figure, count_bars):
            told[f"{draw.__name__} {chip}"] = whole(draw(trained(), chosen), (620, 360))
    for draw in (cumulative_cash, count_bars):
        told[f"{draw.__name__} of a service"] = whole(draw(served(), None), (620, 360))
    assert_drawn("money", told)


def test_the_axis_of_days_reaches_a_little_above_the_interval_of_the_plan() -> None:
    """A run that saves once in a month takes longer than the 1.6 times of the best up to which the axis goes."""
    job = PreTraining(n_tokens=1e11, checkpoint_interval_h=720)
    results = evaluate(Profile(job=job, model=MODEL), load_catalogue())
    shown = of_chip(results, "h100-sxm")
    figure, risk = interval_figure(results, shown.id), spot_risk(results, shown)
    assert risk is not None and risk.interval_h
    best, now = (expected_here_h(risk, hours) / 24 for hours in (risk.best_interval_h, risk.interval_h))
    assert figure.y.high == pytest.approx(max(1.6 * best, min(1.15 * now, 4 * best)))
    assert figure.y.high > 1.6 * best
