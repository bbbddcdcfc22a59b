"""Rates under a stack by hand: every coefficient at rest but the one looked at."""

from dataclasses import replace

import numpy as np
import pytest

from core.throughput.parameters import Parameters, shipped_parameters
from core.throughput.training.rates import (
    PRECISIONS,
    REFERENCE_YEAR,
    STACKS,
    ChipFacts,
    Rates,
    StackOfRun,
    architectures,
    rates_of,
)  # fmt: skip

FACTS = {
    "is_joined": 1.0,
    "peak_flops": 1e15,
    "fraction": 0.8,
    "memory_bytes_per_s": 2e12,
    "is_tpu": 0.0,
    "tile": 256.0,
}


def _known(**values: float) -> Parameters:
    """Logarithms 0, everything else 1."""
    rows = shipped_parameters("training").rows
    usual = ((row, 0.0 if row.name.startswith("ln_") else 1.0) for row in rows)
    return Parameters(tuple(replace(row, value=values.get(row.name, value)) for row, value in usual))


def _rates(
    stack: str = "vendor", year: float = REFERENCE_YEAR, precision: str = "bf16", kind: str = "hopper",
    facts: dict[str, float] | None = None, **known: float,
) -> Rates:  # fmt: skip
    figures = {name: np.array([value]) for name, value in (FACTS | (facts or {})).items()}
    is_tpu = np.array([float(kind.startswith("tpu"))])
    one = ChipFacts(
        architecture=np.array([architectures().index(kind)]),
        precision=np.array([PRECISIONS.index(precision)]),
        **figures | {"is_tpu": is_tpu},
    )
    return rates_of(one, StackOfRun([stack], np.array([year])), _known(**known))


def _of(name: str, *args: object, **words: object) -> float:
    return float(getattr(_rates(*args, **words), name)[0])  # type: ignore[arg-type]


def test_products_run_at_peak_times_fraction_times_factors() -> None:
    """0.8 of 1 PFLOP/s; factors are natural logarithms that add up."""
    assert _of("gemm_flops") == pytest.approx(8e14)
    known = {"ln_gemm_hopper": -0.1, "ln_bf16_gpu": 0.2, "ln_stack_vendor": -0.3, "ln_gemm_ada": 9.0}
    assert _of("gemm_flops", **known) == pytest.approx(8e14 * np.exp(-0.2))
    tpu = {"ln_gemm_tpu-v5p": 0.1, "ln_bf16_tpu": 0.2, "ln_stack_tpu": 0.4, "ln_stack_vendor": 9.0}
    assert _of("gemm_flops", kind="tpu-v5p", **tpu) == pytest.approx(8e14 * np.exp(0.7))


@pytest.mark.parametrize(
    ("stack", "kind", "year", "ln"),
    [
        ("vendor", "hopper", 2023.0, -0.2), ("vendor", "hopper", 2026.0, 0.03), ("vendor", "hopper", 2029.0, 0.06),
        ("fsdp_eager", "hopper", 2023.0, -0.1), ("fsdp_eager", "hopper", 2026.0, 0.03),
        ("fsdp_eager", "tpu-v4", 2024.0, -0.05), ("unknown", "tpu-v4", 2027.0, 0.14),
    ],
)  # fmt: skip
def test_speed_moves_with_the_years(stack: str, kind: str, year: float, ln: float) -> None:
    """Before the reference year other code half as much as tuned code and TPUs; afterwards all, for two years."""
    known = {
        "ln_per_year_before_gpu": 0.1, "ln_per_year_after_gpu": 0.03, "ln_per_year_before_tpu": 0.05,
        "ln_per_year_after_tpu": 0.07, "untuned_progress": 0.5,
    }  # fmt: skip
    assert _of("gemm_flops", stack, year, kind=kind, **known) == pytest.approx(8e14 * np.exp(ln))


@pytest.mark.parametrize(
    ("year", "factor"), [(2020.0, 0.2), (2024.0, 0.1), (2025.0, 0.0), (2026.0, -0.1), (2030.0, -0.2)]
)
@pytest.mark.parametrize("kind", ["hopper", "tpu-v5p"])
def test_expert_kernels_move_more_in_older_software_and_reach_less(kind: str, year: float, factor: float) -> None:
    """``exp(-0.1 x years)`` from two years before to two after: moved values and fixed time grow, the share falls."""
    end = "tpu" if kind.startswith("tpu") else "gpu"
    known = {
        f"ln_expert_per_year_{end}": 0.1, f"permute_values_{end}": 6.0, f"grouped_share_{end}": 0.5,
        f"expert_layer_us_{end}": 300.0,
    }  # fmt: skip
    cost = np.exp(factor)
    assert _of("permute_values", year=year, kind=kind, **known) == pytest.approx(6.0 * cost)
    assert _of("grouped_share", year=year, kind=kind, **known) == pytest.approx(0.5 / cost)
    assert _of("expert_layer_s", year=year, kind=kind, **known) == pytest.approx(300e-6 * cost)


@pytest.mark.parametrize(
    ("stack", "year", "values"),
    [
        ("vendor", 2025.0, 2.0), ("vendor", 2023.0, 2.0), ("vendor", 2027.0, 2.0),
        ("fsdp_eager", 2020.0, 3.0), ("unknown", 2023.0, 5.0), ("unknown", 2020.0, 5.0), ("unknown", 2024.0, 4.0),
        ("unknown", 2025.0, 3.0), ("unknown", 2027.0, 3.0),
    ],
)  # fmt: skip
def test_traffic_beside_products(stack: str, year: float, values: float) -> None:
    """Untuned code comes to what eager code moves from 2023 to 2025; tuned code has moved no less since."""
    known = {
        "elementwise_vendor": 2.0,
        "elementwise_fsdp_eager": 3.0,
        "elementwise_unknown": 5.0,
    }
    assert _of("elementwise", stack, year, **known) == pytest.approx(values)


def test_traffic_of_a_tpu_is_its_own_whatever_the_stack() -> None:
    known = {"elementwise_tpu": 7.0, "elementwise_fsdp_eager": 3.0}
    assert _of("elementwise", "unknown", 2030.0, kind="tpu-v4", **known) == pytest.approx(7.0)


@pytest.mark.parametrize("stack", STACKS)
@pytest.mark.parametrize(
    ("name", "field", "unit"), [("layer_us", "layer_s", 1e-6), ("tensor_exposed", "tensor_exposed", 1.0)]
)
def test_each_class_of_stack_has_its_own(stack: str, name: str, field: str, unit: float) -> None:
    known = {f"{name}_{one}": float(number) for number, one in enumerate((*STACKS, "tpu"), start=2)}
    assert _of(field, stack, **known) == pytest.approx(known[f"{name}_{stack}"] * unit)
    assert _of(field, stack, kind="tpu-v4", **known) == pytest.approx(known[f"{name}_tpu"] * unit)


@pytest.mark.parametrize(
    ("name", "field", "per_unit"),
    [
        ("hbm_share", "memory_bytes_per_s", 2e12), ("kernel_us", "kernel_s", 1e-6), ("step_ms", "step_s", 1e-3),
        ("recomputed", "recomputed", 1.0), ("gather_slowdown", "gather_slowdown", 1.0),
        ("straggling_per_doubling", "straggling_per_doubling", 1.0),
    ],
)  # fmt: skip
def test_gpu_and_tpu_have_their_own(name: str, field: str, per_unit: float) -> None:
    known = {f"{name}_gpu": 3.0, f"{name}_tpu": 5.0}
    assert _of(field, **known) == pytest.approx(3.0 * per_unit)
    assert _of(field, kind="tpu-v4", **known) == pytest.approx(5.0 * per_unit)


def test_what_all_share() -> None:
    for name in ("imbalance_per_doubling", "scan_values", "expert_exposed"):
        assert _of(name, **{name: 3.5}) == pytest.approx(3.5)


@pytest.mark.parametrize(
    ("precision", "values"), [("bf16", 0.0), ("fp8", 4.0), ("fp4", 4.0), ("tf32", 0.0), ("int8", 4.0)]
)
def test_only_narrow_products_cast_their_inputs(precision: str, values: float) -> None:
    assert _of("cast_values", precision=precision, cast_values=4.0) == pytest.approx(values)


def test_processors_of_a_chip_by_the_root_of_its_peak_up_to_an_a100_s() -> None:
    """A quarter of 312 TFLOP/s: half a wave; eight bits double the peak but no processor; a TPU has none."""
    wave = 4 * 2**20
    assert _of("wave", wave_mi=4.0) == pytest.approx(wave)
    assert _of("wave", facts={"peak_flops": 78e12}, wave_mi=4.0) == pytest.approx(wave / 2)
    assert _of("wave", precision="fp8", facts={"peak_flops": 156e12}, wave_mi=4.0) == pytest.approx(wave / 2)
    assert _of("wave", kind="tpu-v4", wave_mi=4.0) == 0.0
    assert (_of("tile"), _of("tile", kind="tpu-v4")) == (64.0, 256.0)


@pytest.mark.parametrize(
    ("stack", "kind", "share"),
    [
        ("vendor", "hopper", 0.5), ("fsdp_eager", "hopper", 0.2), ("fsdp_compiled", "hopper", 0.2),
        ("fsdp_eager", "ampere", 0.6), ("megatron_2021", "hopper", 0.3), ("vendor", "volta", 0.3),
        ("vendor", "tpu-v4", 0.7),
    ],
)  # fmt: skip
def test_attention_over_products(stack: str, kind: str, share: float) -> None:
    """Plain kernels cost on Hopper only; where scores pass through memory all kinds are alike."""
    known = {
        "attention_hopper": 0.5, "attention_ampere": 0.6, "attention_tpu-v4": 0.7, "attention_volta": 0.9,
        "attention_plain_kernel": 0.4, "attention_unfused": 0.3,
    }  # fmt: skip
    assert _of("attention_flops", stack, kind=kind, **known) == pytest.approx(8e14 * share)


def test_attention_stays_in_sixteen_bits_whatever_the_factor_of_the_precision() -> None:
    known = {"ln_fp8_gpu": 0.3, "attention_hopper": 0.5}
    assert _of("attention_flops", precision="fp8", **known) == pytest.approx(8e14 / 2 * 0.5)


@pytest.mark.parametrize(
    ("stack", "year", "kind", "unfused"),
    [
        ("vendor", 2021.9, "hopper", 1), ("vendor", 2022.0, "hopper", 0), ("unknown", 2023.9, "hopper", 1),
        ("unknown", 2024.0, "hopper", 0), ("fsdp_eager", 2023.0, "hopper", 0), ("megatron_2021", 2026.0, "hopper", 1),
        ("vendor", 2026.0, "volta", 1), ("vendor", 2020.0, "tpu-v3", 0), ("unknown", 2020.0, "tpu-v3", 0),
    ],
)  # fmt: skip
def test_when_scores_pass_through_memory(stack: str, year: float, kind: str, unfused: int) -> None:
    assert _of("unfused", stack, year, kind=kind) == unfused
