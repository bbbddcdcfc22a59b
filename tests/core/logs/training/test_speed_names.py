"""Names of speeds that programs and users choose."""

import pytest

from core.logs.training.speed_names import quantity_of, speeds_of


@pytest.mark.parametrize(
    ("name", "quantity", "is_inverse"),
    [
        ("train_step_timing in s", "step_time_s", False),
        ("perf/step_time_seconds", "step_time_s", False),
        ("timing/steps_per_second", "step_time_s", True),
        ("perf/per_device_tokens_per_sec", "tokens_per_s_per_chip", False),
        ("tokens_per_second_per_gpu", "tokens_per_s_per_chip", False),
        ("throughput/device/tokens_per_sec", "tokens_per_s_per_chip", False),
        ("train|tokens_per_sec", "tokens_per_s", False),
        ("timing/seqs_per_second_per_core", "samples_per_s_per_chip", False),
        ("samples_per_sec", "samples_per_s", False),
        ("TFLOPS_per_GPU", "tflops_per_chip", False),
        ("tflops_per_sec_per_gpu", "tflops_per_chip", False),
        ("reduced_train_loss", "loss", False),
    ],
)
def test_a_name_says_what_is_measured(name: str, quantity: str, is_inverse: bool) -> None:
    assert quantity_of(name) == (quantity, is_inverse)


@pytest.mark.parametrize("name", ["throughput", "val_loss", "train_backward_timing in s", "time", "x" * 500])
def test_other_names_say_nothing(name: str) -> None:
    assert quantity_of(name) is None


def test_what_is_no_number_is_left_out() -> None:
    values = {"steps_per_sec": 4.0, "loss": "nan.0", "step_time": True, "tokens_per_sec": None, "samples_per_sec": -1}
    assert {name: value for name, value in speeds_of(values).items() if value == value} == {"step_time_s": 0.25}
