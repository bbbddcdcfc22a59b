"""Power of a busy chip: a share of what the vendor rates, or what logs measured with its range."""

from __future__ import annotations

import pytest

from core.catalogue.loading import load_catalogue
from core.cost.bill.power import watts
from core.throughput.measured import Measured

CHIP = load_catalogue().accelerator_by_id["h100-sxm"].model_copy(update={"tdp_w": 1000.0})


def test_a_busy_chip_draws_60_to_105_percent_of_its_rating() -> None:
    assert watts(CHIP) == pytest.approx((600.0, 850.0, 1050.0))


def test_what_logs_measured_takes_its_place_with_its_range() -> None:
    """0.8 of 850 W is 680 W, a quarter up and down."""
    assert watts(CHIP, Measured(power=0.8, power_spread=0.25)) == pytest.approx((510.0, 680.0, 850.0))
    assert watts(CHIP, Measured(power=0.8)) == watts(CHIP)
