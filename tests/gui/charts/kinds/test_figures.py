"""What each chart makes of results, without a window."""

import math
from dataclasses import replace

import numpy as np
import pytest

from core.catalogue.formats import peak_of
from core.comparison.questions.cost_by_use import LEAST_USE
from core.comparison.what_if.rival import rival_of
from core.cost.registry import part_ids
from core.ranges import Range
from core.units import THIN
from gui.charts.figure.figure import Figure
from gui.charts.figure.shown import MOST_SHOWN, rival, shown_results
from gui.charts.figure.texts import money_scale
from gui.charts.kinds import roofline as roofline_module
from gui.charts.kinds.cost_bars import cost_bars
from gui.charts.kinds.decision_map import decision_map, lower_left, mark_radius
from gui.charts.kinds.flexibility_bars import flexibility_bars
from gui.charts.kinds.memory_stack import memory_stack
from gui.charts.kinds.roofline import compared_chips, roof_flop_per_s, roofline
from gui.charts.kinds.step_time import step_time
from gui.charts.kinds.unit_cost import nearest_crossing, unit_cost, use_line
from gui.charts.registry import charts
from tests.gui.sample_results import chip, empty_results, sample_results

ONLY_ONLINE = ("latency-load",)
"""Charts of online serving."""

ON_BASIS = ("budget-reach", "cumulative-cash", "chips-days-cost", "spot-risk", "save-interval", "places")
"""Charts that ask more of what the results were worked out from; see test_cost_figures."""


@pytest.mark.parametrize("chart", charts())
def test_every_chart_says_what_is_missing_in_place_of_axes(chart: str) -> None:
    figure = charts()[chart].draw(empty_results(), None)
    assert figure.empty == "Fill in tokens and deadline to see a ranking"
    assert not figure.marks and not figure.rows and not figure.curves


@pytest.mark.parametrize("chart", [chart for chart in charts() if chart not in ON_BASIS])
@pytest.mark.parametrize("serving", [False, True])
def test_every_chart_has_words_and_a_table(chart: str, serving: bool) -> None:
    figure = charts()[chart].draw(sample_results(serving or chart in ONLY_ONLINE), None)
    assert figure.title and figure.summary and not figure.empty
    assert len({len(row) for row in figure.table}) == 1 and len(figure.table) > 1


def test_map_puts_cost_on_a_log_axis_and_rejected_ones_hollow() -> None:
    results = sample_results()
    figure = decision_map(results)
    first = results.results[0]
    mark = next(mark for mark in figure.marks if mark.id == first.id)
    assert mark.x == pytest.approx(math.log10(first.cost.total.likely))
    assert first.days_to_finish is not None and mark.y == first.days_to_finish.likely
    assert {mark.id for mark in figure.marks if mark.hollow} == {r.id for r in results.results if not r.feasible}
    assert {mark.shape for mark in figure.marks if mark.colour == "google_tpu"} == {"square"}


def test_map_limits_are_the_plans_own_and_can_be_dragged() -> None:
    limits = {limit.id: limit for limit in decision_map(sample_results()).limits}
    assert limits["budget"].at == pytest.approx(math.log10(3e6)) and limits["budget"].draggable
    assert limits["time"].at == 60 and "30 Jan" in limits["time"].label


def test_serving_map_shows_latency_and_cost_a_month() -> None:
    figure = decision_map(sample_results(serving=True))
    assert "a month" in figure.x.title and figure.y.title == "Time per output token, ms"
    assert next(limit.at for limit in figure.limits if limit.id == "time") == 50


def test_map_names_four_with_values_and_the_selected_one() -> None:
    results = sample_results()
    last = [r for r in results.results if r.feasible][-1]
    shown = [mark.id for mark in decision_map(results, last.id).marks if mark.show_value]
    assert len(shown) == 5 and last.id in shown


def test_pareto_points_are_beaten_by_none() -> None:
    assert lower_left([(1, 5), (2, 6), (2, 3), (3, 3), (4, 1)]) == [(1, 5), (2, 3), (4, 1)]


def test_mark_grows_with_flexibility_within_bounds() -> None:
    assert mark_radius(0) == 4 and mark_radius(100) == 8.5 and mark_radius(60) == pytest.approx(6.25)


def test_few_are_shown_but_the_selected_always() -> None:
    results = sample_results()
    clones = tuple(
        replace(r, candidate=replace(r.candidate, id=f"{r.id}-{n}", accelerator=chip(f"X{n}{i}", "nvidia", "gpu")))
        for n in range(4)
        for i, r in enumerate(results.results)
    )
    many = replace(results, results=clones)
    assert len(shown_results(many)) == MOST_SHOWN
    assert clones[-1].id in {r.id for r in shown_results(many, clones[-1].id)}


def test_cost_bars_sum_to_the_total_in_the_fixed_order() -> None:
    results = sample_results()
    figure = cost_bars(results)
    for number, row in enumerate(figure.rows):
        bars = [bar for bar in figure.bars if bar.row == number]
        assert bars[-1].end == pytest.approx(results.by_id[row.id].cost.total.likely)
        assert [bar.part for bar in bars] == [part for part in part_ids() if part in {bar.part for bar in bars}]
        assert {bar.part for bar in bars if bar.hatched} == {"commitment_waste", "idle"}


def test_cost_bars_put_the_cheapest_first_and_rejected_ones_last() -> None:
    results = sample_results()
    order = [results.by_id[row.id] for row in cost_bars(results).rows]
    assert [r.feasible for r in order] == sorted((r.feasible for r in order), reverse=True)
    fits = [r.cost.total.likely for r in order if r.feasible]
    assert fits == sorted(fits)


def test_step_bars_sum_to_the_step() -> None:
    results = sample_results()
    figure = step_time(results)
    ends = [max(bar.end for bar in figure.bars if bar.row == n) for n in range(len(figure.rows))]
    assert ends == pytest.approx([results.by_id[row.id].throughput.step_time_s for row in figure.rows])


def test_memory_rows_tick_the_capacity() -> None:
    results = sample_results()
    figure = memory_stack(results)
    assert figure.rows[0].ticks == (74.5,)
    assert max(bar.end for bar in figure.bars if bar.row == 0) == pytest.approx(63.0)


def test_roof_is_bandwidth_times_intensity_below_the_balance_and_the_peak_above() -> None:
    one = chip("H100", "nvidia", "gpu")
    assert roof_flop_per_s(one, "bf16", 10) == pytest.approx(3350e9 * 10)
    assert roof_flop_per_s(one, "bf16", 1e5) == pytest.approx(989e12)
    assert peak_of(one, "int8") == pytest.approx(1979e12)
    assert roof_flop_per_s(one, "fp4", 1e6) == 0.0  # a roof that the chip does not have is not drawn as another


def test_roofline_compares_a_gpu_with_a_tpu_on_log_axes() -> None:
    figure = roofline(sample_results())
    assert {curve.colour for curve in figure.curves} == {"nvidia_gpu", "google_tpu"}
    assert figure.x.log and figure.y.log and max(figure.curves[0].ys) == pytest.approx(math.log10(989e12))


def test_roofline_shows_the_chosen_one_its_rival_of_what_if_and_the_pick() -> None:
    results = sample_results()
    for chosen in results.best_per_accelerator:
        if not chosen.throughput.roofline:
            continue
        named = [result.id for result in compared_chips(results, chosen.id)]
        others = [rival_of(results, chosen), rival(results, chosen)]
        chips = {r.candidate.accelerator.id for r in [chosen, *others] if r and r.throughput.roofline}
        assert named[0] == chosen.id
        assert {results.by_id[one].candidate.accelerator.id for one in named} == chips and len(named) == len(chips)


def test_the_words_at_a_bend_stand_on_the_side_where_there_is_room() -> None:
    results = sample_results()
    note = roofline(results).notes[0]
    middle = sum((roofline(results).x.low, roofline(results).x.high)) / 2
    assert (note.align == "right") == (note.x > middle)
    lone = replace(results.results[0].throughput, roofline=(("Steps", 1e-2, 1e10),))
    far = roofline(replace(results, results=(replace(results.results[0], throughput=lone),)))
    near = replace(lone, roofline=(("Steps", 1e5, 4e14),))
    assert far.notes[0].align == "right"
    assert roofline(replace(results, results=(replace(results.results[0], throughput=near),))).notes[0].align == "left"


@pytest.mark.parametrize(
    ("peak_tflops", "gb_per_s", "is_above"),
    [(900.0, 1e6, False), (1100.0, 1e6, True), (2500.0, 1e6, False), (2500.0, 1e4, True)],
    ids=["below", "close above", "far above", "across"],
)
def test_the_words_at_a_bend_stand_above_another_roof_that_would_run_through_them(
    peak_tflops: float, gb_per_s: float, is_above: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = sample_results().results[0]
    facts = {"bf16_tflops": peak_tflops, "memory_bandwidth_gbps": gb_per_s}
    other = first.candidate.accelerator.model_copy(update=facts)
    twin = replace(first, candidate=replace(first.candidate, accelerator=other))
    monkeypatch.setattr(roofline_module, "compared_chips", lambda *_: [first, twin])
    note = roofline(sample_results()).notes[0]
    assert note.align == "right", "before the bend, where a steeper roof may cross"
    assert note.y == pytest.approx(math.log10((peak_tflops if is_above else 989.0) * 1e12))


def test_flexibility_hatches_estimates_and_ticks_the_runner_up() -> None:
    results = sample_results()
    figure = flexibility_bars(results)
    assert [bar.hatched for bar in figure.bars] == [False, False, False, True]
    assert figure.rows[0].ticks == pytest.approx((80.0,))


def test_unit_cost_annotates_the_crossing_nearest_to_the_plan() -> None:
    results = sample_results()
    use = np.linspace(0.1, 1.0, 91)
    committed = results.results[0]
    offer = committed.candidate.offer.model_copy(update={"purchase_model": "on_demand"})
    flexible = replace(
        committed, candidate=replace(committed.candidate, offer=offer), cost=replace(committed.cost, unit_usd=1.6)
    )
    meet = nearest_crossing([use_line(committed, 0.9, use), use_line(flexible, 0.9, use)], 0.9)
    assert meet is not None and 0.3 < meet.use < 0.9
    assert unit_cost(results).limits[0].id == "use"


@pytest.mark.parametrize(("flexible_usd", "is_right"), [(1.6, False), (1.05, True)])
def test_unit_cost_tells_where_two_ways_cost_the_same(flexible_usd: float, is_right: bool) -> None:
    """One of them committed, the other paid as it is used: the note stands where their lines meet."""
    made = sample_results()
    committed = made.results[0]
    candidate = committed.candidate
    flexible = replace(
        committed,
        candidate=replace(
            candidate, id="flexible", offer=candidate.offer.model_copy(update={"purchase_model": "on_demand"}),
            accelerator=candidate.accelerator.model_copy(update={"short_name": "B999"}),
        ),
        cost=replace(committed.cost, unit_usd=flexible_usd),
    )  # fmt: skip
    committed = replace(committed, cost=replace(committed.cost, unit_usd=1.0))
    results = replace(made, results=(committed, flexible))
    figure = unit_cost(results)
    (note,), (marker,) = figure.notes, figure.limits
    here = marker.at / 100
    use = np.linspace(LEAST_USE, 1.0, 91)
    lines = [use_line(result, here, use) for result in (committed, flexible)]
    place = nearest_crossing(lines, here)
    assert place is not None
    meet = place.use
    assert (note.x, note.y) == pytest.approx((100 * meet, place.unit_usd))
    assert note.text == f"Below {100 * meet:.0f}{THIN}% use {flexible.candidate.name} costs less than {candidate.name}"
    assert note.dot and note.strong and (note.align == "right") is is_right is (meet > 0.6)
    assert f"This plan uses {100 * here:.0f} % of the chips. {candidate.name}: $1.00 per " in figure.summary
    words = f"Below {100 * meet:.0f} % use {flexible.candidate.name} costs less, above it {candidate.name}."
    assert figure.summary.endswith(words)
    assert figure.marks == (), "the nearest crossing is noted, not ringed"
    assert [curve.dashed for curve in figure.curves] == [False, True]
    for number, line in enumerate(lines, start=1):
        assert [float(row[number]) for row in figure.table[1:]] == pytest.approx(line.unit_usd[::5], rel=1e-3)
    assert [float(row[0]) for row in figure.table[1:]] == pytest.approx(100 * use[::5], abs=0.51)
    alike = replace(flexible, candidate=replace(flexible.candidate, accelerator=candidate.accelerator))
    [told] = unit_cost(replace(made, results=(committed, alike))).notes
    both = f"{candidate.name} on demand costs less than {candidate.name} 1-year"
    assert told.text.endswith(both), "two of one name are told by how they are paid"


def test_money_scale_and_days_read_well() -> None:
    assert money_scale(3e6).words == "million $" and money_scale(9e5).words == "thousand $"
    assert money_scale(3e6).range_text(Range(1.34e6, 1.5e6, 1.68e6)) == "1.34–1.68"


def test_latency_rises_with_the_load_and_the_tail_lies_above_the_half() -> None:
    figure = charts()["latency-load"].draw(sample_results(serving=True), None)
    tail, half = figure.curves
    assert list(tail.ys) == sorted(tail.ys) and list(half.ys) == sorted(half.ys)
    assert all(above > below for above, below in zip(tail.ys, half.ys, strict=True))
    assert half.xs[-1] < 4 * 5.0, "four replicas saturate at 20 requests/s"
    assert {limit.id for limit in figure.limits} >= {"peak"}


def test_a_budget_below_all_bars_is_named_in_the_legend_where_no_bar_strikes_it_through() -> None:
    made = sample_results()

    def figure(budget_usd: float) -> Figure:
        limits = made.profile.limits.model_copy(update={"budget_usd": budget_usd})
        return cost_bars(replace(made, profile=made.profile.model_copy(update={"limits": limits})))

    roomy, tiny = figure(3e6), figure(5.0)
    assert [limit.label for limit in roomy.limits] == ["Budget"] and "Budget" not in [e.text for e in roomy.legend]
    assert [limit.label for limit in tiny.limits] == [""] and [e.text for e in tiny.legend][-1] == "Budget"
    assert tiny.limits[0].draggable
