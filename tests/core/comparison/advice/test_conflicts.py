"""Rules that take different sides: which two are named, and what decides."""

from __future__ import annotations

from dataclasses import replace

from core.comparison.advice.conflicts import conflicts
from core.comparison.result import AdviceRule
from core.throughput.types import Reason
from core.units import THIN


def _rule(rule: str, favours: str, name: str) -> AdviceRule:
    return AdviceRule(rule, f"{name} title", favours, "so", None, name)


FRAMEWORK, MATURITY = _rule("R01", "tpu", "Framework fit"), _rule("R03", "gpu", "Workload maturity")


def _told(*args: object) -> list[str]:
    return [str(text).replace(THIN, " ") for text in conflicts(*args)]  # type: ignore[arg-type]


def test_the_numbers_decide_by_how_much_the_other_costs(make_result) -> None:
    gpu, tpu = make_result("h100-sxm", 1000.0), make_result("tpu-v6e", 3000.0)
    assert _told([FRAMEWORK, MATURITY], [gpu, tpu]) == [
        "Framework fit says TPU; workload maturity says GPU; the numbers decide for GPU: "
        "64 × Trillium v6e costs $2 k more"
    ]
    assert _told([FRAMEWORK, MATURITY], [tpu, gpu]) == [
        "Framework fit says TPU; workload maturity says GPU; the numbers decide for TPU: "
        "64 × H100 SXM costs $2 k less, and is behind on time, risk or freedom"
    ]


def test_a_limit_decides_where_the_other_kind_fails_one(make_result) -> None:
    gpu = make_result("h100-sxm")
    asked = make_result("tpu-v5e", reasons=(Reason("purchase", "Paid as spot."),))
    late = make_result("tpu-v6e", reasons=(Reason("deadline", "9 d past the deadline."),))
    told = _told([FRAMEWORK, MATURITY], [gpu], [asked, late])
    assert told[0].endswith("; a limit decides for GPU. 64 × Trillium v6e: 9 d past the deadline")
    assert _told([FRAMEWORK, MATURITY], [gpu], [asked])[0].endswith("64 × TPU v5e: Paid as spot")
    assert _told([FRAMEWORK, MATURITY], [gpu])[0].endswith("; no TPU can be had for it")


def test_before_there_are_numbers_the_two_are_named_alone(make_result, catalogue) -> None:
    assert _told([FRAMEWORK, MATURITY], []) == ["Framework fit says TPU; workload maturity says GPU"]
    pick = make_result()
    aside = replace(pick.candidate, accelerator=catalogue.accelerator_by_id["trn2"], n_chips=64)
    other = _told([FRAMEWORK, MATURITY], [replace(pick, candidate=aside)])
    assert other[0].endswith("; neither is picked but 64 × Trainium2")


def test_without_two_sides_there_is_no_conflict() -> None:
    neither = _rule("R22", "depends", "Duty cycle and idle time")
    assert _told([FRAMEWORK, neither], []) == _told([MATURITY, neither], []) == _told([], []) == []


def test_a_rule_on_both_sides_is_in_no_known_pair() -> None:
    """Framework fit says both here, so that only the first of each side remains to be named."""
    both = _rule("R01", "gpu", "Framework fit")
    assert _told([FRAMEWORK, both, MATURITY], []) == ["Framework fit says TPU; framework fit says GPU"]


def test_known_pairs_come_in_the_order_of_their_weight() -> None:
    volume, latency = _rule("R10", "tpu", "Sustained volume"), _rule("R09", "gpu", "Latency")
    told = _told([latency, volume, FRAMEWORK, MATURITY], [])
    assert told == [
        "Framework fit says TPU; workload maturity says GPU",
        "Sustained volume says TPU; latency says GPU",
    ]


def test_pairs_nobody_has_listed_are_named_by_the_first_of_each_side() -> None:
    shapes, skills = _rule("R05", "tpu", "Shapes and control flow"), _rule("R18", "gpu", "Team skills")
    assert _told([shapes, skills], []) == ["Shapes and control flow says TPU; team skills says GPU"]
