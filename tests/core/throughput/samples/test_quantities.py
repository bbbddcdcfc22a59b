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
