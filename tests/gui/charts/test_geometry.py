"""Ticks, mappings and label places: the pure geometry of charts."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gui.charts.figure.figure import Mapping, step_line
from gui.charts.figure.label_layout import Box, LabelWish, place_labels
from gui.charts.figure.ticks import linear_ticks, log_ticks, tick_text

VIEW = Mapping(50, 20, 400, 200, (0.0, 10.0), (0.0, 5.0))


@given(st.floats(0, 10), st.floats(0, 5))
def test_a_pixel_leads_back_to_its_point(x: float, y: float) -> None:
    assert VIEW.x_at(VIEW.px(x)) == pytest.approx(x)
    assert VIEW.y_at(VIEW.py(y)) == pytest.approx(y)


def test_y_grows_upwards() -> None:
    assert VIEW.py(5.0) == 20 and VIEW.py(0.0) == 220


@given(st.floats(-1e6, 1e6), st.floats(1e-3, 1e6), st.integers(2, 12))
def test_linear_ticks_are_inside_and_not_too_many(low: float, width: float, wanted: int) -> None:
    ticks = linear_ticks(low, low + width, wanted)
    assert all(low - 1e-6 * width <= tick <= low + width * (1 + 1e-6) for tick in ticks)
    assert len(ticks) <= wanted + 1


def test_linear_ticks_are_round() -> None:
    assert linear_ticks(0, 3.1, 6) == pytest.approx([0, 1, 2, 3])
    assert linear_ticks(13, 74, 6) == [20, 30, 40, 50, 60, 70] or linear_ticks(13, 74, 6) == [20, 40, 60]


def test_log_ticks_stand_at_round_values_at_their_log_places() -> None:
    ticks = log_ticks(math.log10(0.9), math.log10(5.5), 7)
    assert [round(10**tick, 6) for tick in ticks] == [1, 1.5, 2, 3, 4, 5]


def test_log_ticks_thin_out_over_many_decades() -> None:
    ticks = log_ticks(0, 12, 6)
    assert len(ticks) <= 9 and all(abs(tick - round(tick)) < 1e-9 for tick in ticks)


@pytest.mark.parametrize(
    ("value", "step", "text"),
    [
        (0, 0, "0"),
        (1.5, 0.5, "1.5"),
        (1000, 0, "1\u202f000"),
        (2_000_000, 0, "2\u202fM"),
        (0.25, 0.25, "0.25"),
        (30, 10, "30"),
        (0.00099, 0, "0.00099"),
        (9.999e-5, 0, "1e\u22124"),
        (100_100, 100, "100.1\u202fk"),
    ],
)
def test_tick_texts_are_short(value: float, step: float, text: str) -> None:
    assert tick_text(value, step) == text


SCALES = {"k": 1e3, "M": 1e6, "B": 1e9, "T": 1e12}


def value_of(text: str) -> float:
    """A tick's text read back."""
    number, _, letter = text.replace("\u2212", "-").rpartition("\u202f")
    if letter in SCALES:
        return float(number.replace("\u202f", "")) * SCALES[letter]
    return float((number + letter).replace("\u202f", ""))


@given(st.floats(-12, 20), st.sampled_from([1, -1]), st.sampled_from([0.0, 1.0, 0.1, 0.01]))
def test_tick_texts_say_their_value(power: float, sign: int, step_share: float) -> None:
    value = sign * 10**power
    text = tick_text(value, abs(value) * step_share)
    assert value_of(text) == pytest.approx(value, rel=0.01)
    assert "e" not in text or not 1e-4 <= abs(value) < 1e7
    assert len(text) <= 14


@given(st.floats(-1e7, 1e7), st.floats(1, 7), st.integers(2, 10))
def test_neighbouring_ticks_have_texts_of_their_own(low: float, width_power: float, wanted: int) -> None:
    ticks = linear_ticks(low, low + 10**width_power, wanted)
    texts = [tick_text(tick, ticks[1] - ticks[0] if len(ticks) > 1 else 0.0) for tick in ticks]
    assert len(set(texts)) == len(texts)


def test_step_line_goes_level_then_down() -> None:
    xs, ys = step_line([(1, 5), (2, 3)], 4)
    assert list(zip(xs, ys, strict=True)) == [(1, 5), (2, 5), (2, 3), (4, 3)]


@given(st.lists(st.tuples(st.floats(0, 600), st.floats(0, 300)), min_size=1, max_size=12))
def test_labels_never_overlap_each_other_or_a_mark(points: list[tuple[float, float]]) -> None:
    wishes = [LabelWish(x, y, 6, (80, 30), (60, 15)) for x, y in points]
    bounds = Box(0, 0, 600, 300)
    placed = [place.box for place in place_labels(wishes, [], [], bounds) if place]
    marks = [Box(w.x - 6, w.y - 6, 12, 12) for w in wishes]
    for number, box in enumerate(placed):
        assert bounds.holds(box)
        assert not any(box.meets(other) for other in placed[number + 1 :])
        assert not any(box.meets(mark) for mark in marks)


def test_the_value_is_dropped_before_the_name() -> None:
    wish = LabelWish(50, 10, 4, (80, 30), (30, 15))
    (placed,) = place_labels([wish], [], [], Box(0, 0, 100, 20))
    assert placed is not None and not placed.full


def test_a_label_keeps_off_a_whisker_when_it_can() -> None:
    whisker = Box(0, 99, 300, 2)
    (placed,) = place_labels([LabelWish(150, 100, 5, None, (60, 15))], [whisker], [], Box(0, 0, 300, 200))
    assert placed is not None and not placed.box.meets(whisker)
