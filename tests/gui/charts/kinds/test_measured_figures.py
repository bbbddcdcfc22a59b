"""Measured beside predicted, a log over time, memory of a chip: what is drawn is what was measured or computed."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.calibration.accepted import Check
from core.calibration.own_logs.bands import Band
from core.units import THIN, gib_text, plain
from gui.charts.figure.figure import Figure, log10_of
from gui.charts.kinds.check_errors import check_errors
from gui.charts.kinds.log_timeline import time_scale, timeline_rows
from gui.charts.kinds.memory_stack import memory_stack
from gui.charts.kinds.predicted_measured import Pair, predicted_measured_figure
from tests.core.calibration.own_logs.made import machine
from tests.gui.sample_results import sample_results

PAIR = Pair("a", "H100", "nvidia_gpu", "circle", 1000.0, 800.0, 990.0)


def _values(figure: Figure) -> tuple[float, float]:
    return 10**figure.x.low, 10**figure.x.high


def test_pairs_stand_at_their_logarithms_hollow_before_and_filled_after() -> None:
    figure = predicted_measured_figure([PAIR, replace(PAIR, id="b", name="A100", measured=500.0)])
    before, after, *others = figure.marks
    assert (before.x, before.y) == pytest.approx((3.0, math.log10(800)))
    assert (after.x, after.y) == pytest.approx((3.0, math.log10(990)))
    assert (before.hollow, after.hollow, before.show_name, after.show_name) == (True, False, False, True)
    assert [mark.id for mark in (before, after, *others)] == ["a-before", "a", "b-before", "b"]
    assert "before: 800 predicted" in before.tip and "after: 990 predicted" in after.tip
    _, joining, _ = figure.curves
    assert (joining.xs, joining.ys) == ((before.x, after.x), (before.y, after.y))


def test_the_band_lies_a_fifth_around_the_diagonal() -> None:
    diagonal = predicted_measured_figure([PAIR]).curves[0]
    assert diagonal.xs == diagonal.ys
    for value, low, high in zip(diagonal.xs, diagonal.low, diagonal.high, strict=True):
        assert (10**low, 10**high) == pytest.approx((0.8 * 10**value, 1.2 * 10**value))


def test_the_band_is_named_under_the_right_end_of_its_lower_edge() -> None:
    figure = predicted_measured_figure([PAIR])
    (note,), band = figure.notes, figure.curves[0]
    assert (note.x, note.y) == pytest.approx((band.xs[-1], band.low[-1]))
    assert (note.text, note.align) == ("±20 %", "right") and note.dy_px > 0 > note.dx_px
    assert {mark.radius_px for mark in figure.marks} == {5}


@given(st.floats(1e-2, 1e7), st.floats(1.0, 30.0), st.floats(1.0, 30.0))
def test_axes_are_equal_end_on_round_values_and_hold_every_pair_with_some_air(
    measured: float, slower: float, faster: float
) -> None:
    pair = replace(PAIR, measured=measured, before=measured / slower, after=measured * faster)
    figure = predicted_measured_figure([pair])
    assert (figure.x.low, figure.x.high) == (figure.y.low, figure.y.high)
    low, high = _values(figure)
    assert low <= pair.before / 1.3 * 1.00001 and high >= pair.after * 1.3 * 0.99999
    assert low >= pair.before / 1.3 / 1.67 and high <= pair.after * 1.3 * 1.67
    for end in (low, high):
        lead = end / 10 ** math.floor(math.log10(end * 1.0001))
        assert min(abs(lead - step) for step in (1.0, 1.5, 2.0, 3.0, 5.0, 7.0, 10.0)) < 1e-3


def test_no_pairs_ask_for_a_log() -> None:
    assert predicted_measured_figure([]).empty


@pytest.mark.parametrize(
    ("duration_s", "seconds", "word"),
    [(0.0, 1, "Seconds"), (300.0, 1, "Seconds"), (301.0, 60, "Minutes"), (18_000.0, 60, "Minutes"),
     (18_001.0, 3600, "Hours")],
)  # fmt: skip
def test_time_is_told_in_the_unit_of_its_length(duration_s: float, seconds: float, word: str) -> None:
    scale = time_scale(duration_s)
    assert scale.seconds == seconds and scale.title.startswith(word)


def test_a_row_is_the_median_of_chips_up_to_the_highest_that_counts() -> None:
    power = np.array([[900.0, 900.0, 900.0], [400.0, 420.0, 300.0], [500.0, 520.0, np.nan], [600.0, 620.0, 580.0]])
    record = machine(np.full((4, 3), 90.0), power_w=power, power_limit_w=np.full((4, 3), 700.0))
    use, watts = timeline_rows(record, ((1.0, 3.0),))
    assert [use.title, watts.title] == ["Utilisation, %", "Power, W"]
    assert watts.band.median.tolist() == [900.0, 400.0, 510.0, 600.0]
    assert (watts.band.low[1], watts.band.high[1]) == (300.0, 420.0)
    assert 620 <= watts.top < 900
    assert watts.lines == ("mean 442", "limit 700")
    assert use.lines == ("mean 90", "chip 0 lowest, 90")
    assert "mean 442" in watts.summary


def test_throughput_is_the_last_row_and_memory_tells_its_peak() -> None:
    record = machine([90.0] * 9, tokens_per_s_per_chip=[10.0] * 9, memory_used_gib=[5.0] * 9, power_w=[1.0] * 9)
    rows = timeline_rows(record, ((0.0, 8.0),))
    assert [row.name for row in rows] == ["utilization_pct", "memory_used_gib", "power_w", "tokens_per_s_per_chip"]
    assert rows[1].lines[0] == "peak 5" and rows[3].lines == ("mean 10", "90 %: 10–10")


def test_a_window_without_readings_says_so_and_keeps_the_highest_of_all() -> None:
    (row,) = timeline_rows(machine([90.0, 80.0]), ((10.0, 11.0),))
    assert row.lines == ("no reading in the window",) and row.top >= 90.0


def test_kept_bands_take_the_place_of_those_of_a_thinned_log() -> None:
    band = Band(np.array([1.0, 2.0]), np.array([3.0, 4.0]), np.array([5.0, 96.0]))
    (row,) = timeline_rows(machine([90.0, 80.0]), ((0.0, 1.0),), {"utilization_pct": band})
    assert row.band is band and row.top >= 5.0


def test_errors_stand_in_rows_hollow_before_and_filled_after() -> None:
    figure = check_errors([Check(name="Tokens/s", before_pct=15.2, after_pct=2.0),
                           Check(name="Power", before_pct=-38.0, after_pct=-38.0)])  # fmt: skip
    assert [(mark.x, mark.y, mark.hollow) for mark in figure.marks] == [
        (15.2, 0.0, True), (2.0, 0.0, False), (-38.0, -1.0, True), (-38.0, -1.0, False),
    ]  # fmt: skip
    assert figure.x.low <= -38.0 and figure.x.high >= 15.2
    assert -1.5 > figure.y.low > -2.0 and 0.5 < figure.y.high < 1.0
    assert [note.text for note in figure.notes] == ["+15", "+2", "−38", "−38"]
    assert "Tokens/s: predicted +15 % off before, +2 % after" in figure.summary
    assert check_errors([]).empty


def test_memory_of_the_first_five_is_told_in_words() -> None:
    figure = memory_stack(sample_results())
    named = [row.name for row in figure.rows]
    assert len(named) > 5
    told = figure.summary.removesuffix(".").split(". ")
    assert [one.split(":")[0] for one in told] == named[:5] and all(" of " in one for one in told)


def test_stacked_memory_adds_up_and_ticks_what_the_chip_holds() -> None:
    results = sample_results()
    figure = memory_stack(results)
    shown = {r.candidate.name: r for r in results.results if r.throughput.memory_gib}
    for number, row in enumerate(figure.rows):
        result = shown[row.name]
        bars = [bar for bar in figure.bars if bar.row == number]
        used = sum(result.throughput.memory_gib.values())
        assert bars[0].start == 0.0 and bars[-1].end == pytest.approx(used)
        assert all(one.end == pytest.approx(two.start) for one, two in zip(bars, bars[1:], strict=False))
        assert {bar.part: bar.end - bar.start for bar in bars} == pytest.approx(
            {part: gib for part, gib in result.throughput.memory_gib.items() if gib > 0}
        )
        capacity = result.throughput.memory_capacity_gib
        assert row.ticks == (capacity,)
        assert row.right[0] == (gib_text(used), "ink" if used <= capacity else "err")
    assert figure.x.high == pytest.approx(
        1.03 * max(max(bar.end for bar in figure.bars), *(r.ticks[0] for r in figure.rows))
    )


def test_a_need_far_beyond_all_chips_does_not_squash_the_other_bars() -> None:
    results = sample_results()
    first = results.results[0]
    needs = replace(first.throughput, memory_gib={"weights": 1204.0}, memory_capacity_gib=80.0)
    figure = memory_stack(replace(results, results=(replace(first, throughput=needs), *results.results[1:])))
    largest = max(row.ticks[0] for row in figure.rows)
    assert figure.x.high == pytest.approx(1.03 * 1.5 * largest)
    assert figure.rows[0].right[0] == (gib_text(1204.0), "err")


def test_memory_beyond_the_chip_is_an_error_and_a_full_chip_is_none() -> None:
    results = sample_results()
    for used, tone in ((80.0, "ink"), (80.1, "err")):
        first = results.results[0]
        speed = replace(first.throughput, memory_gib={"weights": used, "capacity": 80.0}, memory_capacity_gib=80.0)
        one = replace(results, results=(replace(first, throughput=speed),))
        figure = memory_stack(one)
        assert figure.rows[0].right[0][1] == tone
        assert [(bar.start, bar.end, bar.part) for bar in figure.bars] == [(0.0, used, "weights")]
        assert figure.table == (
            ("candidate", "weights_gib", "capacity_gib"), (first.candidate.name, f"{used:.4g}", "80"),
        )  # fmt: skip
        assert THIN not in figure.summary and plain(80.0) in figure.summary


def test_logarithms_of_nothing_stay_finite() -> None:
    assert log10_of(1000.0) == pytest.approx(3.0)
    assert math.isfinite(log10_of(0.0))
