"""A way to pay at a site is firm where the chips can be had and the price is proved."""

from __future__ import annotations

from typing import get_args

import pytest

from core.catalogue.loading import load_catalogue
from core.comparison.obtain.obtainable import Status
from core.comparison.obtain.price_proof import PROVED, PriceProof
from core.comparison.portfolio.result import Rate
from core.ranges import Range


@pytest.mark.parametrize("status", get_args(Status))
@pytest.mark.parametrize("proof", get_args(PriceProof))
def test_a_rate_is_firm_where_chips_and_price_are_proved(status: Status, proof: PriceProof) -> None:
    rate = Rate(load_catalogue().offers[0], Range(1, 1, 1), status, "", proof)
    assert rate.is_firm is (status in ("attested", "plausible") and proof in PROVED)
    assert rate.way == load_catalogue().offers[0].purchase_model
