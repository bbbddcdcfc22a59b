"""Ranges fitted on made-up misses of known size hold what they promise on sources they have not seen."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.calibration.studies.spreads import (
    ASSUMED_WIDENING,
    FEW_SOURCES,
    Residuals,
    _ends,
    coverage_factor,
    coverage_factors,
    falls_with_speed,
    fit_spread,
    joined_residuals,
    key_of,
    nested_ends,
    residuals_of,
    source_weights,
    weighted_quantile,
    write_spread,
)
from core.throughput.uncertainty import SpreadKey, SpreadTable, is_calibrated, ranged, read_spread, shipped_spread

CHIPS = {"training": frozenset({"a"}), "serving": frozenset({"a"}), "samples": frozenset({"a"})}


def _residuals(seed: int, sigma: float, families: tuple[str, ...] = ("dense", "moe"), n_sources: int = 8) -> Residuals:
    """Misses with a share that all rows of a source have in common and one of their own."""
    chance = np.random.default_rng(seed)
    keys, residual, groups = [], [], []
    for number in range(n_sources):
        shared = 0.5 * sigma * chance.standard_normal()
        for _ in range(25):
            keys.append(SpreadKey("training", families[number % len(families)], n_chips=64))
            residual.append(shared + sigma * chance.standard_normal())
            groups.append(f"s{number}")
    return Residuals(tuple(keys), np.array(residual), tuple(groups))


@pytest.mark.parametrize("seed", range(4))
def test_ranges_hold_four_in_five_rows_of_unseen_sources(seed: int) -> None:
    rows = _residuals(seed, 0.2)
    table = fit_spread(rows, _residuals(seed + 100, 0.3), CHIPS)
    low, high = nested_ends(rows, table)
    factor = coverage_factors(rows, table)["training"]
    held = np.mean((rows.ln_residual >= factor * low) & (rows.ln_residual <= factor * high))
    assert 0.72 < held < 0.92


def test_larger_misses_make_wider_ranges_and_unknown_chips_wider_ones() -> None:
    calm, wild = (fit_spread(_residuals(1, sigma), _residuals(2, 2 * sigma), CHIPS) for sigma in (0.1, 0.4))
    key = SpreadKey("training", "dense")
    assert _width(wild, key) > 2.0 * _width(calm, key)
    assert _width(calm, replace(key, is_chip_known=False)) > _width(calm, key)


def _width(table: SpreadTable, key: SpreadKey) -> float:
    low, high = table.factors(key)
    return math.log(high / low)


def test_a_class_without_rows_takes_the_wider_one() -> None:
    table = fit_spread(_residuals(3, 0.2), _residuals(4, 0.2), CHIPS)
    kind = table.classes["training"]
    assert table.factors(SpreadKey("training", "never seen")) == pytest.approx((math.exp(kind[0]), math.exp(kind[1])))


def test_beyond_the_largest_run_seen_ranges_widen_with_every_factor_of_ten() -> None:
    table = fit_spread(_residuals(3, 0.2), _residuals(4, 0.2), CHIPS)
    widths = [_width(table, SpreadKey("training", "dense", n_chips=n)) for n in (64, 640, 6400)]
    assert widths[1] - widths[0] == pytest.approx(2 * table.widening["per_decade"])
    assert widths[2] - widths[1] == pytest.approx(2 * table.widening["per_decade"])


@pytest.mark.parametrize(("n_rows", "has_class"), [(11, False), (12, True), (13, True)])
def test_a_family_of_twelve_rows_has_a_class_of_its_own_and_a_smaller_one_the_kinds(
    n_rows: int, has_class: bool
) -> None:
    dense, others = _residuals(3, 0.2, ("dense",)), _residuals(7, 0.4, ("moe",), 1)
    rows = joined_residuals([dense, others.take(np.arange(n_rows))])
    table = fit_spread(rows, _residuals(4, 0.2), CHIPS)
    assert set(table.classes) == {"training", "training/dense"} | ({"training/moe"} if has_class else set())


def test_a_kind_of_few_rows_has_a_class_all_the_same() -> None:
    table = fit_spread(_residuals(3, 0.2).take(np.arange(5)), _residuals(4, 0.2), CHIPS)
    assert set(table.classes) == {"training"}


def test_a_class_lies_between_its_own_rows_and_the_wider_class() -> None:
    """One source counts a third, 1 / (1 + 2), and the kind two thirds; then each is scaled, few sources being wider."""
    rows = joined_residuals([_residuals(3, 0.2, ("dense",)), _residuals(7, 0.8, ("moe",), 1)])
    table = fit_spread(rows, _residuals(4, 0.2), CHIPS)
    moe = np.array([key.family == "moe" for key in rows.keys])
    factors = coverage_factors(rows, table)
    scaled = factors["training/moe"] / factors["training"]
    for end, share in enumerate((0.1, 0.9)):
        own = weighted_quantile(rows.ln_residual[moe], np.ones(25), share)
        kind = weighted_quantile(rows.ln_residual, source_weights(np.array(rows.groups)), share)
        expected = (own / (3 * kind) + 2 / 3) * (1 + FEW_SOURCES) * scaled
        assert table.classes["training/moe"][end] / table.classes["training"][end] == pytest.approx(expected)


@pytest.mark.parametrize(("n_rows", "own_share"), [(3, 0.2), (6, 1 / 3), (12, 1 / 3)])
def test_few_rows_of_a_source_count_less_than_a_source(n_rows: int, own_share: float) -> None:
    """Six rows count like a source: three of them half of one, 0.5 / (0.5 + 2)."""
    ends = _ends(np.linspace(-1.0, 1.0, n_rows), np.array(["a"] * n_rows), (-0.1, 0.3))
    low, high = (weighted_quantile(np.linspace(-1.0, 1.0, n_rows), np.ones(n_rows), share) for share in (0.1, 0.9))
    drawn = (own_share * low - (1 - own_share) * 0.1, own_share * high + (1 - own_share) * 0.3)
    assert ends == pytest.approx([(1 + FEW_SOURCES) * end for end in drawn])


def test_the_more_sources_a_class_has_the_less_it_is_widened() -> None:
    rows, parent = np.tile(np.linspace(-1.0, 1.0, 20), 8), (-0.8, 0.8)
    widths = [_ends(rows, np.array([str(n % m) for n in range(160)]), parent)[1] for m in (1, 2, 8)]
    assert widths == sorted(widths, reverse=True)


def test_every_family_is_scaled_by_what_its_own_rows_need() -> None:
    """Of two families the one whose sources differ needs the larger factor, and narrow ones keep theirs."""
    alike = _residuals(6, 0.2, ("dense",))
    apart = joined_residuals([_residuals(2, 0.1, ("moe",)), _residuals(3, 0.9, ("moe",), 7)])
    rows = joined_residuals([alike, apart])
    factors = coverage_factors(rows, fit_spread(rows, _residuals(4, 0.2), CHIPS))
    assert factors["training/moe"] > factors["training/dense"]


@pytest.mark.parametrize(("n_sources", "is_narrowed"), [(2, False), (6, True)])
def test_few_sources_never_narrow_a_family(n_sources: int, is_narrowed: bool) -> None:
    """Two publishers of reinforcement learning held each other, and a run was told with high confidence."""
    wide, narrow = _residuals(2, 0.9, ("moe",)), _residuals(3, 0.02, ("dense",), n_sources)
    rows = joined_residuals([wide, replace(narrow, groups=tuple(f"own {group}" for group in narrow.groups))])
    factor = coverage_factors(rows, fit_spread(rows, _residuals(4, 0.2), CHIPS))["training/dense"]
    assert (factor < 1.0) == is_narrowed


def test_rows_of_unknown_chips_or_software_are_narrowed_before_they_count() -> None:
    known = _residuals(3, 0.2)
    unknown = replace(known, keys=tuple(replace(key, is_chip_known=False, is_stack_known=False) for key in known.keys))
    plain, narrowed = (fit_spread(rows, _residuals(4, 0.6), CHIPS) for rows in (known, unknown))
    assert narrowed.classes["training"][1] < plain.classes["training"][1]


@given(st.lists(st.floats(-5, 5), min_size=1, max_size=40))
def test_quantiles_stay_among_the_values_and_ascend(values: list[float]) -> None:
    found = [weighted_quantile(np.array(values), np.ones(len(values)), share) for share in (0.1, 0.5, 0.9)]
    assert min(values) <= found[0] <= found[1] <= found[2] <= max(values)


def test_a_source_weighs_as_the_root_of_its_rows() -> None:
    weights = source_weights(np.array(["a"] * 100 + ["b"] * 4))
    assert weights[:100].sum() / weights[100:].sum() == pytest.approx(5.0)


def test_a_stored_table_reads_back(tmp_path: Path) -> None:
    rows = _residuals(5, 0.2)
    table = fit_spread(rows, _residuals(6, 0.2), CHIPS)
    write_spread(tmp_path / "spread.json", table, rows)
    back = read_spread(tmp_path / "spread.json")
    assert back.chips == table.chips
    key = SpreadKey("training", "moe", is_chip_known=False, n_chips=4096)
    assert back.factors(key) == pytest.approx(table.factors(key), rel=2e-3)


@pytest.mark.parametrize("kind", ["training", "throughput", "tpot", "ttft", "samples"])
@pytest.mark.parametrize("family", ["dense", "moe", "tpu", "encoder", "vision", "unheard of"])
def test_every_shipped_class_gives_a_range_around_the_likely_value(kind: str, family: str) -> None:
    found = ranged(100.0, SpreadKey(kind, family, concurrency=16.0))
    assert found.low < found.likely == 100.0 < found.high
    assert found.high / found.low < 100.0


def test_chips_with_rows_are_calibrated_and_others_are_not() -> None:
    assert is_calibrated("training", "h100-sxm")
    assert not is_calibrated("training", "never made")
    assert set(shipped_spread().chips) == {"training", "serving", "samples", "reinforcement", "finetune"}


def test_a_source_alone_in_its_kind_cannot_be_judged() -> None:
    """Without it the kind has no class: nothing is said of its rows, which is a range of no width."""
    lone = _residuals(7, 0.4, n_sources=1)
    lone = replace(lone, keys=tuple(replace(key, kind="ttft") for key in lone.keys), groups=("alone",) * 25)
    rows = joined_residuals([_residuals(3, 0.2), lone])
    low, high = nested_ends(rows, fit_spread(rows, _residuals(4, 0.2), CHIPS))
    assert low[-25:].tolist() == high[-25:].tolist() == [0.0] * 25
    assert (low[:-25] < 0).all() and (high[:-25] > 0).all()


@pytest.mark.parametrize(
    ("piece", "metric", "kind", "is_time"),
    [
        ("training", "tokens_per_s_per_chip", "training", False),
        ("training", "step_time_s", "training", True),  # a time in a class of speeds
        ("serving", "output_tokens_per_s_total", "throughput", False),
        ("serving", "ttft_ms", "ttft", False),  # a time in a class of times
        ("serving", "tpot_ms", "tpot", False),
        ("samples", "samples_per_s", "samples", False),
        ("samples", "ttft_ms", "samples", True),
        ("samples", "step_time_s", "samples", True),
    ],
)
def test_a_time_in_a_class_of_speeds_is_turned_over(piece: str, metric: str, kind: str, is_time: bool) -> None:
    row = SimpleNamespace(metric=metric, family="dense", is_stack_known=False, n_chips=64, concurrency=8.0)
    assert falls_with_speed(piece, row) is is_time
    assert key_of(piece, row, True) == SpreadKey(kind, "dense", True, False, 64, 8.0)


def _out_of_fold(metric: str, ln_residual: list[float], predicted: list[float]) -> Any:
    rows = tuple(
        SimpleNamespace(
            metric=metric, family="dense", is_stack_known=True, n_chips=8, concurrency=0.0, hardware=f"chip-{n % 2}"
        )
        for n in range(len(ln_residual))
    )
    groups = tuple(f"s{n}" for n in range(len(rows)))
    return SimpleNamespace(rows=rows, groups=groups, predicted=np.array(predicted), ln_residual=np.array(ln_residual))


def test_rows_that_could_not_be_predicted_say_nothing_about_ranges() -> None:
    """A chip is known where three rows of other groups have it."""
    predicted = [1.0, np.nan, 0.0, 2.0, 3.0, 4.0, 5.0, 1.0]
    told = residuals_of("training", _out_of_fold("step_time_s", [0.1 * n for n in range(8)], predicted))
    assert told.ln_residual == pytest.approx([-0.0, -0.3, -0.4, -0.5, -0.6, -0.7])
    assert told.groups == ("s0", "s3", "s4", "s5", "s6", "s7")
    assert all(key.is_chip_known for key in told.keys)
    few = residuals_of("training", _out_of_fold("step_time_s", [0.1] * 6, [1.0] * 6))
    assert not any(key.is_chip_known for key in few.keys)


def test_unstated_software_of_one_source_says_nothing_of_how_stacks_differ() -> None:
    """Its rows share one stack and one kind of work: however well they are met, an unknown stack is less sure."""
    stated, calm = _residuals(3, 0.2), _residuals(5, 0.05, n_sources=4)
    unstated = replace(calm, keys=tuple(replace(key, is_stack_known=False) for key in calm.keys))

    def widening(unstated: Residuals) -> float:
        rows = joined_residuals([stated, unstated])
        return fit_spread(rows, _residuals(4, 0.2), CHIPS).widening["stack_unknown"]

    assert widening(replace(unstated, groups=("one",) * len(unstated.groups))) == ASSUMED_WIDENING
    assert widening(unstated) == 1.0


def test_half_of_the_weight_of_held_rows_is_that_of_their_sources() -> None:
    """Three rows of one source and one of another: 1/3 of 1.73 and 1 of 2.73 (root of the rows), and 1/4 each.

    A row on the end of its range is held. Of the whole, the lone row weighs ``1 / 2.73 + 1/4 = 0.62`` of 2.
    """
    key = SpreadKey("training", "dense")
    ends = -np.ones(4), np.ones(4)
    tried = np.array([1.0, 2.0, 3.0])
    for residual, factor in (([1.0, 1.0, -1.0, -1.0], 1.0), ([0.5, 0.5, 0.5, 2.0], 2.0), ([3.0, 0.5, 0.5, 0.5], 3.0),
                             ([9.0, 0.0, 0.0, 9.0], 3.0)):  # fmt: skip
        rows = Residuals((key,) * 4, np.array(residual), ("a", "a", "a", "b"))
        assert coverage_factor(rows, ends, tried) == factor
    many = Residuals((key,) * 10, np.array([9.0] + [0.0] * 9), ("b", *("a",) * 9))
    """``1 / (1 + 3) + 1/10 = 0.35`` of 2 lies outside: 82.5 % is held."""
    assert coverage_factor(many, (-np.ones(10), np.ones(10)), tried) == 1.0
    seven = Residuals((key,) * 7, np.array([9.0] + [0.0] * 6), ("b", *("a",) * 6))
    """``1 / (1 + 2.45) + 1/7 = 0.43`` of 2 lies outside: 78 % is held, and no factor that is tried holds more."""
    assert coverage_factor(seven, (-np.ones(7), np.ones(7)), tried) == 3.0
