"""What a system offers to fixed-shape work."""

from __future__ import annotations

from dataclasses import replace

from core.catalogue.loading import load_catalogue
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
