"""Power of chips and of the hosts around them."""

from __future__ import annotations

from core.catalogue.chip_families import family_of
from core.catalogue.entries import Accelerator
from core.throughput.measured import AS_TAKEN, Measured

HOST_SHARE = (0.25, 0.45, 0.82)
"""Power of hosts and network on top of the chips: low, likely, high. High is the rating of an 8-GPU node of 10.2 kW
with 5.6 kW of chips; the others are our estimates."""

IDLE_SHARE = 0.3
"""Power of a held but idle chip over its full power (our estimate)."""


def watts(chip: Accelerator, measured: Measured = AS_TAKEN) -> tuple[float, float, float]:
    """Low, likely and high power of a busy chip in W: 60 to 105 % of the thermal design power, likely 85 %.

    Where the vendor publishes none, that of the table of chip families (our estimate). What logs of the chip measured
    takes its place.
    """
    if measured.power_spread is not None:
        likely = watts(chip)[1] * measured.power
        return likely * (1.0 - measured.power_spread), likely, likely * (1.0 + measured.power_spread)
    if chip.tdp_w is None:
        return family_of(chip).unpublished_w
    return 0.6 * chip.tdp_w, 0.85 * chip.tdp_w, 1.05 * chip.tdp_w
