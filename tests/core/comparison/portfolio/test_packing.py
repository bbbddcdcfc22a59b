"""Small models on chips: nothing is exceeded, nothing is lost, and what is put by hand stays or is told."""

from __future__ import annotations

from dataclasses import replace
from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.comparison.portfolio.first_fit import first_fit, refused_on, with_one_more
from core.comparison.portfolio.packing import Box, Item, Packing, answers_under_way, at_work, chip_with, turn_s, why_not
from core.throughput.serving.served import busy_models

BOX = Box(capacity_gib=80.0, kept_gib=8.0, load_limit=0.7)
SMALL = Item(
    "a", "A", weights_gib=8.0, adapters_gib=0.0, cache_gib=0.1, process_gib=1.5, rate=2.0, carries=20.0, first_s=0.05,
    step_s=0.01, tokens=100.0, most_answers=128.0, limit_first_s=1.0, limit_step_s=0.06, base="own a",
)  # fmt: skip


@st.composite
def _items(draw: st.DrawFn) -> list[Item]:
    sizes = st.tuples(
        st.floats(0.5, 70.0), st.floats(0.0, 5.0), st.floats(0.01, 1.0), st.floats(0.05, 30.0), st.floats(0.002, 0.05)
    )
    told = draw(st.lists(sizes, min_size=1, max_size=9))
    return [
        replace(
            SMALL, workload=f"w{n}", name=f"W{n}", weights_gib=weights, adapters_gib=adapters, cache_gib=cache,
            rate=rate, step_s=step, base=draw(st.sampled_from([f"own w{n}", "shared"])),
        )
        for n, (weights, adapters, cache, rate, step) in enumerate(told)
    ]  # fmt: skip


@given(_items(), st.integers(1, 3), st.data())
def test_no_chip_holds_more_than_it_can_and_nothing_is_lost(
    items: list[Item], copies: int, data: st.DataObject
) -> None:
    pins = {one.workload: data.draw(st.integers(1, 12)) for one in items[: data.draw(st.integers(0, 3))]}
    fit = first_fit(items, BOX, copies, pins)
    by_name = {one.workload: replace(one, rate=one.rate / copies) for one in items}
    for chip in fit.chips:
        assert chip.memory_gib <= BOX.capacity_gib + 1e-6
        assert chip.load <= BOX.load_limit + 1e-6
        assert why_not([by_name[one.workload] for one in chip.items], BOX) == ""
        names = [one.workload for one in chip.items]
        assert len(set(names)) == len(names)
    placed = [one.workload for chip in fit.chips for one in chip.items]
    alone = {one.workload for one, _ in fit.alone}
    assert sorted(placed) == sorted(one.workload for one in items for _ in range(copies) if one.workload not in alone)
    assert len(fit.chips) <= len(placed)
    assert [chip.number for chip in fit.chips] == list(range(1, len(fit.chips) + 1))


@given(st.integers(1, 60), st.floats(0.0, 400.0))
def test_models_wanted_alike_are_at_work_as_the_engine_has_it(n_models: int, answers: float) -> None:
    mine = n_models * at_work(answers, 1.0 / n_models)
    assert mine == pytest.approx(float(busy_models(float(n_models), answers)))


def test_a_model_alone_takes_no_turns() -> None:
    assert turn_s([SMALL], [3.0]) == (SMALL.step_s,)


def test_a_token_takes_longer_beside_others_and_never_longer_than_all_steps() -> None:
    others = [replace(SMALL, workload=f"w{n}", base=f"own w{n}", step_s=0.02) for n in range(3)]
    few, many = (turn_s([SMALL, *others], [n] * 4)[0] for n in (0.1, 50.0))
    assert SMALL.step_s < few < many <= SMALL.step_s + 3 * 0.02 + 1e-12


def test_answers_under_way_follow_littles_law() -> None:
    told = answers_under_way([SMALL])
    assert told is not None
    assert told[0] == pytest.approx(SMALL.rate * (SMALL.first_s + SMALL.tokens * SMALL.step_s))


def test_adapters_on_one_base_share_its_weights() -> None:
    both = [replace(SMALL, workload=name, base="llama", adapters_gib=1.0) for name in ("a", "b")]
    shared, apart = chip_with(1, both, BOX), chip_with(1, [both[0], replace(both[1], base="own b")], BOX)
    assert [one.weights_gib for one in shared.items] == [8.0, 0.0]
    assert [one.adapters_gib for one in shared.items] == [1.0, 1.0]
    assert apart.memory_gib - shared.memory_gib >= 8.0 + SMALL.process_gib - 1e-9


def test_each_limit_keeps_a_model_off_a_chip() -> None:
    def beside(**changes: object) -> str:
        return why_not([SMALL, replace(SMALL, workload="b", base="own b", **changes)], BOX)  # type: ignore[arg-type]

    assert beside() == ""
    assert beside(rate=13.0) == "load"
    assert beside(weights_gib=70.0) == "memory"
    assert beside(step_s=0.5, limit_step_s=inf, carries=1e3) == "time"
    assert beside(limit_step_s=0.001) == "time"
    assert beside(limit_first_s=0.001) == "time"


def test_what_is_put_by_hand_stays_where_it_fits_and_is_told_where_it_does_not() -> None:
    large = replace(SMALL, workload="b", name="B", base="own b", weights_gib=60.0)
    huge = replace(SMALL, workload="c", name="C", base="own c", weights_gib=61.0)
    apart = first_fit([SMALL, large], BOX, pins={"a": 1, "b": 2})
    assert [[one.workload for one in chip.items] for chip in apart.chips] == [["a"], ["b"]]
    assert apart.chips[0].items[0].is_pinned and apart.refused == ()
    both = first_fit([large, huge], BOX, pins={"b": 1, "c": 1})
    assert [(item.workload, chip) for item, chip, _ in both.refused] == [("b", 1)]
    assert [[one.workload for one in chip.items] for chip in both.chips] == [["c"], ["b"]]


def test_copies_lie_on_chips_of_their_own_with_half_of_the_load_each() -> None:
    fit = first_fit([SMALL], BOX, copies=2)
    assert [[(one.workload, one.copy) for one in chip.items] for chip in fit.chips] == [[("a", 1)], [("a", 2)]]
    assert [chip.load for chip in fit.chips] == [pytest.approx(0.05)] * 2


def test_what_is_told_of_one_more_model_is_what_putting_it_there_comes_to() -> None:
    """The door that is asked while a model is carried, against the pin that lets it go."""
    large = replace(SMALL, workload="b", name="B", weights_gib=60.0, base="own b")
    busy = replace(SMALL, workload="c", name="C", rate=13.0, base="own c")
    items = [SMALL, large, busy]
    fit = first_fit(items, BOX, 1, {"a": 1, "b": 2, "c": 3})
    packing = Packing(fit.chips, (), (), BOX.load_limit, 3, 1, fit.items, BOX)
    for item, number in ((SMALL, 2), (SMALL, 3), (large, 1), (large, 3), (busy, 1), (busy, 4)):
        others = {
            one.workload: chip.number for chip in fit.chips for one in chip.items if one.workload != item.workload
        }
        put = first_fit(items, BOX, 1, others | {item.workload: number})
        why = refused_on(packing, item.workload, number)
        assert bool(why) == bool(put.refused), (item.name, number, why)
        held = with_one_more(packing, item.workload, number)
        assert why != "memory" or held.memory_gib > held.capacity_gib
        assert why != "load" or held.load > BOX.load_limit
    assert refused_on(packing, "a", 1) == "copy"
