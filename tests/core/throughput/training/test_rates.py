"""Facts of chips and rates under a stack: measured products, power limits, four bits, years."""

import numpy as np
import pytest

from core.catalogue.chip_families import architecture_of
from core.catalogue.entries import Accelerator
from core.throughput.chips.best_product import (
    gemm_fraction,
)
from core.throughput.parameters import shipped_parameters
from core.throughput.training.rates import EXPERT_JUMP, STACKS, Rates, StackOfRun, facts_of, rates_of
from tests.core.throughput.fleet_samples import system


def _chip(chip: str, **changes: float | None) -> Accelerator:
    return system(chip, 1).accelerator.model_copy(update=changes)


def _rates(chip: str, precision: str = "bf16", stack: str = "vendor", year: float = 2025.0, **changes: float) -> Rates:
    known = shipped_parameters("training")
    facts = facts_of([system(chip, 8, **changes).accelerator], [precision], known)
    return rates_of(facts, StackOfRun([stack], np.array([year])), known)


def test_a_measured_product_is_taken_as_it_is() -> None:
    assert gemm_fraction(_chip("h100-sxm"), "bf16", 0.5) == pytest.approx(794.5 / 989)
    assert gemm_fraction(_chip("h100-sxm"), "fp8", 0.5) == pytest.approx(1402.6 / 1979)


def test_an_unmeasured_chip_takes_its_kins_less_for_a_tighter_power_limit() -> None:
    loose = _chip("h100-sxm", measured_bf16_tflops=None, bf16_tflops=1000.0, tdp_w=1000.0)
    tight = _chip("h100-sxm", measured_bf16_tflops=None, bf16_tflops=1000.0, tdp_w=355.0)
    assert gemm_fraction(loose, "bf16", 0.5) == pytest.approx(0.80)
    assert gemm_fraction(tight, "bf16", 0.5) == pytest.approx(0.80 * (0.355 / 0.71) ** 0.5)


def test_architectures() -> None:
    names = {"v100-sxm2-32": "volta", "gb200": "blackwell", "tpu-v5e": "tpu-v5e", "tpu8i": "tpu", "gaudi3": "other"}
    assert {chip: architecture_of(_chip(chip)).training for chip in names} == names


def test_four_bits_run_a_part_of_the_products_only() -> None:
    known = shipped_parameters("training")
    found = facts_of([system("b200-sxm", 8).accelerator], ["fp4"], known).peak_flops[0]
    assert found == pytest.approx(1e12 / (0.7 / 9000 + 0.3 / 4500))


def test_all_software_gets_faster_and_tuned_software_more() -> None:
    gains = {}
    for stack in (*STACKS, "team"):
        old, new = (_rates("h100-sxm", stack=stack, year=year).gemm_flops[0] for year in (2023.0, 2025.0))
        gains[stack] = new / old
    assert min(gains.values()) > 1.0
    assert gains["team"] == pytest.approx(gains["vendor"])
    assert all(gain == pytest.approx(gains["vendor"] ** 0.5) for name, gain in gains.items() if name in STACKS[1:])


def test_a_team_s_own_set_up_multiplies_and_moves_less_than_the_vendor_s_recipe() -> None:
    team, vendor = _rates("h100-sxm", stack="team"), _rates("h100-sxm")
    share = np.exp(shipped_parameters("training")["ln_team"])
    assert team.gemm_flops[0] == pytest.approx(share * vendor.gemm_flops[0])
    assert team.memory_bytes_per_s[0] == pytest.approx(share * vendor.memory_bytes_per_s[0])
    assert team.layer_s[0] == vendor.layer_s[0]
    tpu = _rates("tpu-v5p", stack="team").gemm_flops[0] / _rates("tpu-v5p").gemm_flops[0]
    assert tpu == pytest.approx(share)


@pytest.mark.parametrize("stack", ["fsdp_compiled", "fsdp_eager", "megatron_2021", "unknown"])
def test_of_a_tpu_a_class_of_gpu_code_says_what_a_team_reaches(stack: str) -> None:
    """Naming a stack for GPUs, or none, made every TPU a third faster, and the pick of a national model a TPU."""
    assert _rates("tpu-v5p", stack=stack).gemm_flops[0] == _rates("tpu-v5p", stack="team").gemm_flops[0]


def test_the_processor_of_a_host_of_its_own_starts_the_kernels_of_experts() -> None:
    apart, joined = _rates("b200-sxm").expert_layer_s[0], _rates("gb200").expert_layer_s[0]
    known = shipped_parameters("training")
    assert apart - joined == pytest.approx(1e-6 * known["expert_host_us"])
    assert _rates("tpu-v5p").expert_layer_s[0] == pytest.approx(1e-6 * known["expert_layer_us_tpu"])


def test_one_release_made_the_expert_kernels_of_tuned_stacks_faster_in_narrow_formats() -> None:
    def cost(chip: str, year: float, stack: str = "vendor", precision: str = "fp8") -> float:
        return float(_rates(chip, precision, stack=stack, year=year).fused_experts[0])

    share = np.exp(-shipped_parameters("training")["ln_expert_jump"])
    assert cost("gb200", EXPERT_JUMP) == pytest.approx(share)
    assert cost("gb200", EXPERT_JUMP - 1e-6) == 1.0
    for chip, stack, precision in (
        ("mi355x", "vendor", "fp8"), ("gb200", "fsdp_eager", "fp8"), ("a100-sxm-80", "vendor", "bf16"),
        ("gb200", "vendor", "bf16"),
    ):  # fmt: skip
        assert cost(chip, EXPERT_JUMP, stack, precision) == 1.0


def test_attention_stays_in_sixteen_bits() -> None:
    wide, narrow = _rates("h100-sxm"), _rates("h100-sxm", "fp8")
    assert narrow.attention_flops[0] == pytest.approx(wide.attention_flops[0], rel=0.15)
    assert narrow.gemm_flops[0] > 1.4 * wide.gemm_flops[0]
    assert narrow.cast_values[0] > 0 == wide.cast_values[0]


def test_scores_pass_through_memory_before_fused_attention() -> None:
    assert _rates("a100-sxm-80", stack="megatron_2021").unfused[0] == 1
    assert _rates("a100-sxm-80", stack="unknown", year=2023.0).unfused[0] == 1
    assert _rates("v100-sxm2-32").unfused[0] == 1
    assert _rates("a100-sxm-80").unfused[0] == _rates("tpu-v3", year=2020.0).unfused[0] == 0


@pytest.mark.parametrize("chip", ["h100-sxm", "tpu-v5p", "mi300x"])
def test_more_bandwidth_or_peak_raises_the_rates(chip: str) -> None:
    plain = _rates(chip)
    assert _rates(chip, memory_bandwidth_gbps=1e4).memory_bytes_per_s[0] > plain.memory_bytes_per_s[0]
    assert _rates(chip, bf16_tflops=1e4).gemm_flops[0] >= plain.gemm_flops[0]
