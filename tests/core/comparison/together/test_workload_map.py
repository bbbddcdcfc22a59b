"""Workshop and factory: places from layers and fields, leans of the guides, winners from draws."""

from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from core.catalogue.catalogue import Catalogue
from core.comparison.evaluate import evaluate
from core.comparison.together.part import part_of
from core.comparison.together.workload_map import (
    STABILITY,
    Gap,
    Placed,
    lean_at,
    leans_at,
    matrix_share_pct,
    moved,
    placed,
    stability,
    winner_of,
    worst_disagreement,
)
from core.ranges import Range
from core.workload.library import load_profiles
from core.workload.models.network import NetworkModel
from core.workload.models.transformer import TransformerModel
from core.workload.profile import Profile, Stack

BIG = TransformerModel(n_layers=80, d_model=8192, n_heads=64, n_kv_heads=8, d_ff=28672)


@dataclass
class Part:
    """What the map asks of a workload's part."""

    of_kind: dict[str, Any] = field(default_factory=dict)
    why_not: str = ""


def taken(usd: float, draws: list[float]) -> Any:
    cost = SimpleNamespace(total=Range(usd, usd, usd))
    result = SimpleNamespace(cost=cost, candidate=SimpleNamespace(name=f"{usd:g}"))
    return SimpleNamespace(result=result, drawn=SimpleNamespace(cost_usd=np.array(draws, dtype=np.float32)))


def test_the_lean_moves_from_gpu_to_tpu_with_stability_and_with_tensor_heaviness() -> None:
    ranks = {"gpu": 0, "depends": 1, "tpu": 2}
    up = [ranks[lean_at(90, y)] for y in range(101)]
    across = [ranks[lean_at(x, 50)] for x in range(40, 101)]
    assert up == sorted(up) and across == sorted(across)
    assert (up[0], up[-1], across[0], across[-1]) == (0, 2, 0, 2)


def test_large_layers_spend_more_of_their_time_in_products_than_small_ones() -> None:
    small = TransformerModel(n_layers=12, d_model=768, n_heads=12, n_kv_heads=12, d_head=64, d_ff=3072)
    large_pct, small_pct = (matrix_share_pct(Profile(model=one)) for one in (BIG, small))
    assert large_pct is not None and small_pct is not None
    assert 90 < large_pct.likely < 99 and small_pct.likely < large_pct.likely
    assert large_pct.low < large_pct.likely < large_pct.high


def test_time_in_custom_ops_is_no_time_in_products() -> None:
    plain, own = (
        matrix_share_pct(Profile(model=BIG, stack=Stack(custom_kernels=3, custom_op_pct=pct))) for pct in (None, 20)
    )
    assert plain is not None and own is not None and own.likely == pytest.approx(0.8 * plain.likely)


def test_what_layers_do_not_tell_is_typed_or_unknown() -> None:
    graph = NetworkModel(family="graph")
    assert matrix_share_pct(Profile(model=graph)) is None
    assert matrix_share_pct(Profile(model=graph, stack=Stack(matrix_pct=55))) == Range(55, 55, 55)
    assert matrix_share_pct(Profile()) is None
    unknown = placed(Profile(model=graph), None)
    assert unknown.lean is None and not unknown.is_locked and unknown.call == "no answer"


def test_stability_goes_by_changes_and_else_by_maturity() -> None:
    by_maturity = [stability(Profile(stack=Stack(maturity=one))).likely for one in ("exploring", "stable", "frozen")]
    assert by_maturity == sorted(by_maturity)
    assert stability(Profile(stack=Stack(changes_per_month=0))) == Range(100, 100, 100)
    assert stability(Profile(stack=Stack(changes_per_month=52 / 12))).likely == pytest.approx(0)
    assert stability(Profile(stack=Stack(changes_per_month=50))).likely == 0


@pytest.mark.parametrize(
    ("tpu", "winner"), [([70, 80, 90], "tpu"), ([110, 120, 150], "gpu"), ([80, 101, 130], "close")]
)
def test_the_cheaper_one_wins_unless_the_range_holds_0(tpu: list[float], winner: str) -> None:
    part: Any = Part({"gpu": taken(100, [100, 100, 100]), "tpu": taken(tpu[1], tpu)})
    called, gap = winner_of(part)
    assert called == winner and gap is not None
    assert gap.pct.likely == pytest.approx(tpu[1] - 100) and gap.pct.low <= gap.pct.likely <= gap.pct.high


def test_draws_of_both_are_compared_draw_by_draw() -> None:
    part: Any = Part({"gpu": taken(100, [50, 100, 200]), "tpu": taken(90, [45, 90, 180])})
    called, gap = winner_of(part)
    assert called == "tpu" and gap is not None and gap.pct.high == pytest.approx(-10, abs=1e-3)


def test_a_kind_that_does_not_fit_leaves_no_gap() -> None:
    part: Any = Part({"gpu": taken(100, [100])})
    assert winner_of(part) == ("gpu", None)
    nothing: Any = Part()
    assert winner_of(nothing) == ("none", None)


def test_dragging_goes_there_and_back() -> None:
    here = placed(Profile(model=BIG), None)
    fields = moved(here, 50, 78)
    assert fields["stack.maturity"] == "stable" and "stack.matrix_pct" not in fields
    there = Profile(model=BIG, stack=Stack(changes_per_month=fields["stack.changes_per_month"]))
    assert stability(there).likely == pytest.approx(78, abs=1)
    assert moved(here, 50, 120) == {"stack.changes_per_month": 0.0, "stack.maturity": "frozen"}
    unknown = placed(Profile(model=NetworkModel(family="graph")), None)
    assert moved(unknown, 61.4, 10)["stack.matrix_pct"] == 61.0


def test_the_worst_disagreement_is_the_widest_gap_against_the_lean() -> None:
    def at(name: str, x: float, y: float, pct: float) -> Placed:
        winner = "tpu" if pct < 0 else "gpu"
        gap = Gap(Range(pct, pct, pct), "GPU", "TPU")
        return Placed(Profile(name=name), Range(x, x, x), True, Range(y, y, y), winner, gap)

    rows = [at("agrees", 95, 95, -60), at("mild", 45, 20, -5), at("worst", 45, 20, -20), at("between", 60, 70, 90)]
    assert [one.call for one in rows] == ["agree", "disagree", "disagree", "no advice"]
    worst = worst_disagreement(rows)
    assert worst is not None and worst.profile.name == "worst"
    assert worst_disagreement(rows[:1]) is None


def test_shipped_workloads_have_a_place_or_say_that_it_is_unknown() -> None:
    for profile in load_profiles().values():
        one = placed(profile, None)
        assert one.matrix_pct is None or 0 <= one.matrix_pct.low <= one.matrix_pct.high <= 100


def test_maturities_share_the_axis_without_gaps() -> None:
    exploring, stable, frozen = STABILITY["exploring"], STABILITY["stable"], STABILITY["frozen"]
    assert (exploring.low, exploring.high, stable.high, frozen.high) == (0.0, stable.low, frozen.low, 100.0)
    assert (stable.low, frozen.low) == (33.0, 85.0)
    assert all(one.low < one.likely < one.high for one in STABILITY.values())


@pytest.mark.parametrize("matrix_pct", [0.0, 40.0, 59.0, 75.0, 95.0, 100.0])
def test_stretches_follow_each_other_and_none_is_empty(matrix_pct: float) -> None:
    told = leans_at(matrix_pct)
    assert (told[0].low, told[-1].high) == (0.0, 100.0)
    assert [one.high for one in told[:-1]] == [one.low for one in told[1:]]
    for one in told:
        assert one.low < one.high
        assert lean_at(matrix_pct, (one.low + one.high) / 2) == one.lean


@pytest.mark.parametrize("name", ["chat-serving-70b", "nightly-batch-scoring"])
def test_the_best_of_a_kind_is_the_one_that_the_comparison_picks(catalogue: Catalogue, name: str) -> None:
    """Not the fewest chips that carry the load by the likely speed, which the comparison would not pick."""
    results = evaluate(load_profiles()[name], catalogue)
    pick = results.choice
    _, gap = winner_of(part_of(results))
    assert pick is not None and pick.candidate.accelerator.kind == "gpu" and gap is not None
    assert gap.gpu_name == pick.candidate.name
