"""What a system offers to fixed-shape work."""

from __future__ import annotations

from dataclasses import replace

from core.catalogue.entries import Accelerator
from core.catalogue.loading import load_catalogue
from core.throughput.chips.best_product import short_sums_gain
from core.throughput.measured import Measured
from core.throughput.samples.quantities import chips_of
from core.throughput.types import System


def test_links_are_those_that_logs_measured() -> None:
    chip = load_catalogue().accelerator_by_id["h100-sxm"]
    taken = System(chip, 16, 8, 3200.0, False)
    measured = replace(taken, measured=Measured(inner_link=0.5, network=0.25))
    both = chips_of([taken, measured], ["bf16", "bf16"])
    assert both.inner_bytes_per_s[1] == 0.5 * both.inner_bytes_per_s[0] > 0
    assert both.outer_bytes_per_s[1] == 0.25 * both.outer_bytes_per_s[0] > 0


def test_sums_in_sixteen_bits_are_faster_on_geforce_cards_in_fp16() -> None:
    chips = load_catalogue().accelerator_by_id
    systems = [System(chips[name], 1, 1, 0.0, False) for name in ("rtx4090", "rtx4090", "l40s", "v100-sxm2-16")]
    gains = chips_of(systems, ["fp16", "bf16", "fp16", "fp16"]).short_sums
    assert list(gains.round(1)) == [2.0, 1.0, 1.0, 1.0]


def test_either_sixteen_bit_format_tells_the_gain_of_short_sums_and_the_power_of_products() -> None:
    """A card whose list names one of them alone is as fast as one that names both."""
    card = load_catalogue().accelerator_by_id["rtx4090"]
    cards = [card, replace_in(card, bf16_tflops=None), replace_in(card, fp16_tflops=None)]
    assert [short_sums_gain(one) for one in cards] == [short_sums_gain(card)] * 3
    assert short_sums_gain(replace_in(card, bf16_tflops=None, fp16_tflops=None)) == 1.0
    assert short_sums_gain(replace_in(card, int8_tops=None)) == 1.0
    assert short_sums_gain(replace_in(card, int8_tops=6.0 * (card.bf16_tflops or 0.0))) == 3.0


def replace_in(chip: Accelerator, **figures: float | None) -> Accelerator:
    return chip.model_copy(update=figures)
