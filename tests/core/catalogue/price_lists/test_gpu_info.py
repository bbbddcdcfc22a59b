"""What a cell that describes the chips says of their memory."""

from __future__ import annotations

import pytest

from core.catalogue.price_lists.gpu_info import GpuInfo


@pytest.mark.parametrize(("memory_gb", "per_chip"), [(300.0, 300.0), (300.5, 150.25)])
def test_more_memory_than_any_chip_has_is_that_of_all(memory_gb: float, per_chip: float) -> None:
    assert GpuInfo("B300", memory_gb, 2.0).per_chip_gb(is_of_all=False) == per_chip
    assert GpuInfo("B300", memory_gb, 2.0).per_chip_gb(is_of_all=True) == memory_gb / 2
