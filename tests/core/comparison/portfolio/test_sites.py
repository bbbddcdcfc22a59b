"""Where models may run together: what a number of chips is there, machine by machine."""

from __future__ import annotations

import pytest

from core.catalogue.loading import load_catalogue
from core.comparison.obtain.obtainable import obtainable
from core.comparison.portfolio.sites import rate_of
from core.comparison.search.options import options

CATALOGUE = load_catalogue()


@pytest.mark.parametrize(("n_chips", "machines"), [(1, 1), (4, 4), (64, 64)])
def test_machines_of_a_pool_need_not_be_joined(n_chips: int, machines: int) -> None:
    """Single cards at Vast.ai join nothing, and four of them serve side by side all the same."""
    card = next(one for one in options(CATALOGUE) if one.offer.instance == "1x rtx5090" and not one.borrowed)
    rate = rate_of(card, CATALOGUE, n_chips)
    assert rate.status == obtainable(card, CATALOGUE, n_chips, machines).status == "plausible"
    assert rate.usd_per_chip_hour == card.price.of(card.offer)


@pytest.mark.parametrize(("n_chips", "machines"), [(8, 1), (12, 2), (16, 2), (17, 3)])
def test_a_machine_that_is_begun_is_a_whole_one(n_chips: int, machines: int) -> None:
    host = next(one for one in options(CATALOGUE) if one.offer.instance == "gpu_8x_h100_sxm5")
    rate, apart = rate_of(host, CATALOGUE, n_chips), obtainable(host, CATALOGUE, n_chips, machines)
    assert (rate.status, rate.why, rate.proof) == (apart.status, apart.why, apart.price)
    assert not apart.is_joined
