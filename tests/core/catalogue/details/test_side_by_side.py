"""Where chips side by side can be had, counted from the offers."""

from __future__ import annotations

import pytest

from core.catalogue.details.related import places_of
from core.catalogue.details.side_by_side import _intensity, _measured_pct, _over, _peaks, _supply
from core.catalogue.loading import load_catalogue

CHIPS = ("h100-sxm", "mi300x", "tpu-v6e")


@pytest.mark.parametrize("name", CHIPS)
def test_sellers_regions_and_prices_are_those_of_the_offers(name: str) -> None:
    catalogue = load_catalogue()
    chip = catalogue.accelerator_by_id[name]
    offers = [one for one in catalogue.offers if one.accelerator_id == name and one.purchase_model != "owned"]
    sellers, regions, prices = _supply([chip], catalogue)
    assert sellers.cells[0].text == str(len({one.provider for one in offers}))
    assert regions.cells[0].text == str(sum(map(len, places_of(catalogue, name).values())))
    assert prices.cells[0].text == str(len(offers))


def test_ratios_of_a_chip_by_hand() -> None:
    """800 of 1,000 TFLOP/s measured; 1,000 TFLOP/s over 2,000 GB/s are 500 FLOP a byte."""
    chip = (
        load_catalogue()
        .accelerator_by_id["h100-sxm"]
        .model_copy(update={"bf16_tflops": 1000.0, "measured_bf16_tflops": 800.0, "memory_bandwidth_gbps": 2000.0})
    )
    assert _measured_pct(chip)[0] == pytest.approx(80.0) and _intensity(chip)[0] == pytest.approx(500.0)


def test_peaks_of_whole_numbers_are_operations() -> None:
    units = {row.title: row.unit for row in _peaks([load_catalogue().accelerator_by_id["h100-sxm"]])}
    assert units["INT8, dense"] == "TOP/s"
    assert {unit for title, unit in units.items() if title != "INT8, dense"} == {"TFLOP/s", "%"}


def test_a_ratio_without_one_of_its_figures_is_none_and_no_estimate() -> None:
    assert _over((None, True), (2.0, True)) == _over((1.0, True), (None, True)) == (None, False)
    assert _over((1.0, False), (2.0, True)) == (0.5, True)
