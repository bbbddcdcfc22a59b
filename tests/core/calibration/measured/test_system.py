"""The system of a measured row: the smallest host that holds it, and whether its network is known."""

import pytest

from core.calibration.measured.system import (
    DEFAULT_CHIPS_PER_HOST,
    DEFAULT_NETWORK_GBIT_PER_S,
    LEAST_WHOLE_HOST,
    measured_system,
)
from core.catalogue.loading import load_catalogue
from core.errors import InputError

CATALOGUE = load_catalogue()


@pytest.mark.parametrize("n_chips", [1, 4, 8, 64])
def test_a_host_that_holds_the_chips_else_the_usual_one_with_its_network_if_it_has_one(n_chips: int) -> None:
    for chip in CATALOGUE.accelerators:
        made = measured_system(CATALOGUE, chip.id, n_chips)
        sizes = [host.n_chips for host in CATALOGUE.rented_hosts if host.accelerator_id == chip.id]
        whole = [size for size in sizes if size >= LEAST_WHOLE_HOST] or sizes or [DEFAULT_CHIPS_PER_HOST]
        usual = max(whole, key=lambda size: (whole.count(size), size))
        wanted = min((size for size in sizes if size >= n_chips), default=usual)
        assert made.chips_per_host == min(wanted, n_chips)
        rate = made.host.network_gbit_per_s if made.host else None
        of_kin = 1600.0 if chip.id == "gb300" and wanted == 4 else DEFAULT_NETWORK_GBIT_PER_S
        assert made.network_gbit_per_s == (rate or of_kin), chip.id
        assert made.network_estimate is (rate is None or (made.host is not None and made.host.estimate))


def test_both_kinds_of_network_are_met_and_an_unknown_chip_is_told() -> None:
    known, unknown = (measured_system(CATALOGUE, chip, 8) for chip in ("h100-sxm", "mi325x"))
    assert (known.network_estimate, unknown.network_estimate) == (False, True)
    with pytest.raises(InputError, match="'abacus'"):
        measured_system(CATALOGUE, "abacus", 8)
