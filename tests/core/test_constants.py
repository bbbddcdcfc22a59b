"""Constants agree with each other, and those that differ do so by what their words say."""

import re

import pytest

from core import constants as c


@pytest.mark.parametrize(
    ("name", "bits", "scale_bits", "block"), [("fp4", 4, 8, 16), ("mxfp4", 4, 8, 32), ("fp8", 8, 0, 1)]
)
def test_a_stored_value_carries_its_share_of_the_scale_of_its_block(
    name: str, bits: int, scale_bits: int, block: int
) -> None:
    assert c.BYTES_PER_VALUE[name] == (bits + scale_bits / block) / 8
    assert c.BYTES_PER_VALUE_WITHOUT_SCALES[name] == bits / 8


@pytest.mark.parametrize("name", list(c.BYTES_PER_VALUE_WITHOUT_SCALES))
def test_a_value_alone_takes_the_bits_of_its_name_and_tf32_is_stored_in_32(name: str) -> None:
    assert c.BYTES_PER_VALUE_WITHOUT_SCALES[name] == float(re.sub(r"\D", "", name.removeprefix("mx"))) / 8


def test_tables_of_bytes_name_the_same_formats_and_none_is_below_the_value_alone() -> None:
    assert c.BYTES_PER_VALUE.keys() == c.BYTES_PER_VALUE_WITHOUT_SCALES.keys()
    for name, alone in c.BYTES_PER_VALUE_WITHOUT_SCALES.items():
        assert alone <= c.BYTES_PER_VALUE[name] <= c.BYTES_PER_PUBLISHED_WEIGHT.get(name, 4.0) + 0.01


def test_bytes_of_training_add_up() -> None:
    assert c.SAVED_STATE_BYTES_PER_PARAM == 14
    assert c.ADAM_TRAFFIC_BYTES_PER_PARAM == 4 + 12 + 12 + 2
    held = c.BYTES_PER_NARROW_VALUE + c.NETWORK_GRADIENT_BYTES_PER_PARAM + c.ADAM_BYTES_PER_PARAM
    assert held == 16 > c.LEAST_TRAINING_BYTES_PER_PARAM


def test_the_calendar_adds_up() -> None:
    assert c.SECONDS_PER_DAY == c.HOURS_PER_DAY * c.SECONDS_PER_HOUR
    assert c.MONTHS_PER_YEAR * c.HOURS_PER_MONTH == 365 * c.HOURS_PER_DAY
