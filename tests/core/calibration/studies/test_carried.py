"""How often a log of one model brings others closer, by rows made up."""

import pytest

from core.calibration.studies.carried import Missed, carried

ONE, OTHER = ("lab", "h100-sxm", "vllm"), ("firm", "h100-sxm", "vllm")


def test_only_other_models_of_the_publisher_follow() -> None:
    rows = [Missed(ONE, "a", 0.4), Missed(ONE, "a", 0.3), Missed(ONE, "b", 0.2), Missed(OTHER, "c", -0.5)]
    medians = carried(rows, 0.5)
    assert medians.shape == (3, 2), "the firm measured one model alone"
    assert medians[0] == pytest.approx([0.2, 0.0])
    assert medians[2] == pytest.approx([0.35, 0.25])


def test_a_miss_of_the_other_sign_takes_them_further_off() -> None:
    (first, second) = carried([Missed(ONE, "a", 0.4), Missed(ONE, "b", -0.2)], 0.5)
    assert first == pytest.approx([0.2, 0.4]) and second == pytest.approx([0.4, 0.5])
