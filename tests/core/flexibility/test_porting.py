"""Engineer-weeks of porting."""

import pytest

from core.catalogue.catalogue import Catalogue
from core.catalogue.cost_inputs import cost_input
from core.flexibility.porting import porting_estimate, porting_weeks
from core.ranges import Range
from core.workload.profile import Profile, Stack, Team


def weeks(catalogue: Catalogue, chip: str, stack: Stack | None = None, team: Team | None = None) -> Range:
    profile = Profile(stack=stack or Stack(), team=team or Team())
    return porting_weeks(profile, catalogue, catalogue.accelerator_by_id[chip])


def test_nothing_is_ported_to_the_gpu_that_the_code_is_written_for(catalogue: Catalogue) -> None:
    stack = Stack(custom_kernels=5, dynamic_shapes="many", libraries=("flash-attention", "deepspeed"))
    assert weeks(catalogue, "h100-sxm", stack) == Range(0.0, 0.0, 0.0)


def test_pytorch_on_tpu_takes_half_a_model_port(catalogue: Catalogue) -> None:
    model = cost_input(catalogue, "porting_effort", "model")
    found = weeks(catalogue, "tpu-v6e")
    assert found.likely == pytest.approx(0.5 * (model.typical or 0))
    assert weeks(catalogue, "tpu-v6e", Stack(framework="jax")).high == 0


def test_each_kernel_is_rewritten_for_tpu_and_translated_for_amd(catalogue: Catalogue) -> None:
    kernel = cost_input(catalogue, "porting_effort", "kernel").typical or 0.0
    jax = {count: Stack(framework="jax", custom_kernels=count) for count in (0, 2)}
    assert weeks(catalogue, "tpu-v6e", jax[2]).likely == pytest.approx(2 * kernel)
    assert weeks(catalogue, "mi300x", jax[2]).likely == pytest.approx(2 * 0.25 * kernel)


def test_shapes_and_control_flow_cost_weeks_on_compiled_platforms_only(catalogue: Catalogue) -> None:
    loose = Stack(framework="jax", dynamic_shapes="many", control_flow="heavy")
    assert weeks(catalogue, "tpu-v6e", loose) == Range(3.5, 7.0, 14.0)
    assert weeks(catalogue, "mi300x", loose).high == 0


def test_a_library_without_a_path_is_replaced_for_half_a_kernel(catalogue: Catalogue) -> None:
    kernel = cost_input(catalogue, "porting_effort", "kernel").typical or 0.0
    found = weeks(catalogue, "tpu-v6e", Stack(framework="jax", libraries=("deepspeed",)))
    assert found.likely == pytest.approx(0.5 * kernel)


def test_experience_shortens_a_port(catalogue: Catalogue) -> None:
    likely = [weeks(catalogue, "tpu-v6e", team=Team(xla_experience=x)).likely for x in ("expert", "some", "none")]
    assert likely == sorted(likely) and likely[0] < likely[2]


def test_support_that_nobody_documented_spans_from_nothing_to_a_rewrite(catalogue: Catalogue) -> None:
    model = cost_input(catalogue, "porting_effort", "model")
    found = weeks(catalogue, "gaudi3", Stack(framework="pytorch/xla"))
    assert found.low == 0 and found.high >= (model.high or 0)


def test_the_reasons_name_what_the_weeks_are_for(catalogue: Catalogue) -> None:
    profile = Profile(stack=Stack(custom_kernels=1, libraries=("deepspeed",)))
    found = porting_estimate(profile, catalogue, catalogue.accelerator_by_id["tpu-v6e"])
    assert found.estimate
    assert any("PyTorch runs through" in why for why in found.why)
    assert "1 kernel rewritten" in found.why
    assert any(why.startswith("DeepSpeed replaced") for why in found.why)
