"""Which coefficient a row takes: by chip architecture, engine, precision and year."""

from dataclasses import replace

import numpy as np
import pytest

from core.catalogue.chip_families import chip_families
from core.catalogue.loading import load_catalogue
from core.throughput.parameters import shipped_parameters
from core.throughput.serving.rates import ENGINES, clocks_a_byte, is_roomy, own_kernels_gain, rate_keys, rates_of

KNOWN = shipped_parameters("serving")
CHIPS = load_catalogue().accelerator_by_id


def test_each_row_takes_its_own() -> None:
    chips = [CHIPS[name] for name in ("h100-sxm", "a100-sxm-80", "tpu-v6e")]
    rates = rates_of(KNOWN, rate_keys(chips, ["vllm", "sglang", "jetstream"], ["bf16"] * 3, [2025.0] * 3))
    assert list(rates.hbm_share) == [KNOWN[f"hbm_share_{name}"] for name in ("hopper", "ampere", "tpu")]
    assert list(rates.sequence_us) == [KNOWN[f"sequence_us_{name}"] for name in ("vllm", "sglang", "jetstream")]
    assert float(rates.layer_us[1]) == pytest.approx(KNOWN["layer_us_sglang"] * KNOWN["host_ampere"])


def test_overheads_shrink_from_year_to_year_until_the_last_known() -> None:
    years = [2019.0, 2021.0, 2023.0, 2025.0, 2026.0, 2030.0]
    rates = rates_of(KNOWN, rate_keys([CHIPS["h100-sxm"]] * 6, ["vllm"] * 6, ["bf16"] * 6, years))
    assert list(rates.layer_us) == sorted(rates.layer_us, reverse=True)
    assert rates.layer_us[0] == rates.layer_us[1]
    assert rates.layer_us[4] == rates.layer_us[5]
    assert list(rates.prefill_share) == sorted(rates.prefill_share)


def test_engines_that_no_python_launches_never_age() -> None:
    engines = ["llama.cpp", "compiled", "vllm"]
    old, new = (
        rates_of(KNOWN, rate_keys([CHIPS["h100-sxm"]] * 3, engines, ["bf16"] * 3, [year] * 3)).layer_us
        for year in (2023.0, 2025.0)
    )
    assert list(old[:2]) == list(new[:2])
    assert old[2] == pytest.approx(new[2] * KNOWN["overhead_growth_per_year"] ** 2)


@pytest.mark.parametrize(
    ("chip", "gain"), [("rtx4090", 2.0), ("rtx3090", 2.0), ("l40s", 1.0), ("a100-pcie-80", 1.0), ("h100-pcie", 0.63)]
)
def test_sums_in_16_bits_double_cards_for_games_and_old_kernels_slow_new_chips(chip: str, gain: float) -> None:
    """GeForce sheets count sums in 32 bits; products within a warp reach 63 % of Hopper's peak (arXiv 2402.13499)."""
    assert own_kernels_gain(CHIPS[chip], "llama.cpp") == pytest.approx(gain, rel=0.02)
    assert own_kernels_gain(CHIPS[chip], "vllm") == 1.0
    keys = rate_keys([CHIPS[chip]], ["llama.cpp"], ["fp16"], [2025.0])
    plain = replace(keys, own_kernels=np.ones(1))
    assert rates_of(KNOWN, keys).prefill_share == pytest.approx(rates_of(KNOWN, plain).prefill_share * gain, rel=0.02)


@pytest.mark.parametrize(
    ("chip", "clocks"),
    [("a100-sxm-80", 108 * 1.41 / 2039), ("h100-pcie", 114 * 1.755 / 2000), ("rtx4090", 128 * 2.52 / 1010)],
)
def test_what_loads_into_registers_has_the_clocks_of_its_multiprocessors(chip: str, clocks: float) -> None:
    """Multiprocessors x GHz over GB/s of the data sheets; 64 lanes in fp32 on A100, 128 on the others."""
    assert clocks_a_byte(CHIPS[chip], "llama.cpp") == pytest.approx(clocks, rel=0.02)
    assert clocks_a_byte(CHIPS[chip], "vllm") == np.inf


def test_old_kernels_leave_stacked_memory_waiting() -> None:
    """27B in four bits, 16.8 GB and 64 layers: 46 tokens/s on A100, 47 on RTX 4090 of half its bandwidth, 76 on H200.

    Measured with llama.cpp by pavlokhmel.com, June 2026.
    """
    chips = [CHIPS[name] for name in ("a100-sxm-80", "rtx4090", "h200-sxm")]
    old, new = (
        rates_of(KNOWN, rate_keys(chips, [engine] * 3, ["int4"] * 3, [2026.0] * 3)) for engine in ("llama.cpp", "vllm")
    )
    assert old.hbm_share[1] == new.hbm_share[1]
    assert (old.hbm_share[[0, 2]] < new.hbm_share[[0, 2]]).all()
    bandwidths = np.array([chip.memory_bandwidth_gbps for chip in chips])
    step_s = 16.8 / (old.hbm_share * bandwidths) + 64 * old.layer_us * 1e-6
    assert list(1.0 / step_s) == pytest.approx([46, 47, 76], rel=0.1)


def test_a_host_that_records_no_step_launches_beside_its_chip() -> None:
    engines = ["deepspeed-mii", "eager", "vllm"]
    rates = rates_of(KNOWN, rate_keys([CHIPS["a100-sxm-40"]] * 3, engines, ["fp16"] * 3, [2024.75] * 3))
    assert list(rates.launch_overlap) == [1.0, 1.0, 0.0]
    assert list(rates.cache_copies) == [1.0, KNOWN["cache_copies_of_eager"], 0.0]


def test_engines_that_time_their_kernels_need_no_campaign() -> None:
    engines = ["tensorrt-llm", "compiled", "vllm", "sglang"]
    keys = rate_keys([CHIPS["h100-sxm"]] * 4, engines, ["fp16"] * 4, [2025.0] * 4, [False] * 4)
    assert list(keys.is_tuned) == [1.0, 1.0, 0.0, 0.0]


def test_llama_cpp_unpacks_its_weights_too() -> None:
    keys = rate_keys([CHIPS["rtx4090"]] * 2, ["llama.cpp"] * 2, ["fp16", "int4"], [2025.0] * 2)
    share = rates_of(KNOWN, keys).prefill_share
    assert share[1] / share[0] == pytest.approx(KNOWN["products_of_unpacked"])


def test_narrow_products_reach_less_of_their_peak() -> None:
    kinds = ["bf16", "fp8", "fp4", "mxfp4", "int4"]
    rates = rates_of(KNOWN, rate_keys([CHIPS["b200-sxm"]] * 5, ["vllm"] * 5, kinds, [2025.0] * 5))
    assert rates.prefill_share[0] > rates.prefill_share[1] > rates.prefill_share[2] == rates.prefill_share[3]
    assert rates.hbm_share[4] < rates.hbm_share[0] == rates.hbm_share[1]


def test_cards_without_a_fast_link_reduce_later() -> None:
    chips = [CHIPS["h100-sxm"], CHIPS["l40s"]]
    rates = rates_of(KNOWN, rate_keys(chips, ["vllm"] * 2, ["bf16"] * 2, [2025.0] * 2))
    assert rates.link_latency_us[1] > rates.link_latency_us[0]


@pytest.mark.parametrize(
    ("chip", "year", "expected"),
    [("h200-sxm", 2025.5, True), ("h100-sxm", 2024.9, False), ("a100-sxm-80", 2026.0, False), ("l40s", 2026.0, False)],
)
def test_vllm_takes_more_at_once_on_roomy_chips(chip: str, year: float, expected: bool) -> None:
    assert is_roomy(CHIPS[chip], year) is expected


def test_experts_as_released_are_slower_in_prompts_as_in_answers() -> None:
    keys = rate_keys([CHIPS["h200-sxm"]] * 2, ["vllm"] * 2, ["fp8"] * 2, [2026.0] * 2, [True, False])
    rates = rates_of(KNOWN, keys)
    assert rates.moe_prefill_share[0] / rates.moe_prefill_share[1] == pytest.approx(KNOWN["moe_as_released"])


def test_an_unknown_engine_is_refused() -> None:
    with pytest.raises(ValueError, match="abacus"):
        rate_keys([CHIPS["h100-sxm"]], ["abacus"], ["bf16"], [2025.0])


def test_every_architecture_and_engine_has_its_coefficients_within_bounds() -> None:
    for kind in ("hbm_share", "prefill_share", "host"):
        assert all(f"{kind}_{name}" in KNOWN for name in chip_families().coefficients["serving"])
    for kind in ("layer_us", "step_us", "sequence_us", "first_token_ms", "chunk_tokens"):
        assert all(f"{kind}_{name}" in KNOWN for name in ENGINES)
    assert all(row.low <= row.value <= row.high for row in KNOWN.rows)
    assert all(row.source for row in KNOWN.rows)
