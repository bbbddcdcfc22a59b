"""Why a system cannot run the work, in words that agree with their numbers."""

from __future__ import annotations

import pytest

from core.catalogue.loading import load_catalogue
from core.throughput.refusals import batch_too_small, memory_reason
from core.throughput.types import System
from core.units import THIN


@pytest.mark.parametrize(
    ("needed", "wanted", "change"),
    [
        (147.0, f"Needs 147{THIN}GiB a chip, 78.4 are there", "Use chips with {} or more"),
        (
            28.3e9,
            f"Needs 26.4{THIN}EiB a chip, 78.4{THIN}GiB are there",
            "No chip holds {}: take a smaller model or smaller inputs",
        ),
    ],
)
def test_memory_is_told_in_units_that_can_be_read(needed: float, wanted: str, change: str) -> None:
    reason = memory_reason(needed, 78.4, 8, splits=False)
    assert str(reason.text) == wanted
    assert str(reason.nearest_change) == change.format(f"{wanted.split()[1]}{THIN}{wanted.split()[2]}")


def test_a_batch_of_one_is_one_sample() -> None:
    system = System(load_catalogue().accelerator_by_id["h100-sxm"], 8, 8, 3200.0, False)
    assert str(batch_too_small(1, "sample", system).text) == "A batch of 1 sample cannot fill 8 chips"
    assert str(batch_too_small(3, "sample", system).text) == "A batch of 3 samples cannot fill 8 chips"
