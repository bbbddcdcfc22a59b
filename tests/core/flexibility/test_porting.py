"""Engineer-weeks of porting."""

import pytest

from core.catalogue.catalogue import Catalogue
from core.catalogue.cost_inputs import cost_input
from core.flexibility.porting import leaving_weeks, porting_estimate, porting_weeks
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


def test_taking_a_layer_out_takes_as_long_as_putting_it_in(catalogue: Catalogue) -> None:
    there, back = (weeks(catalogue, chip, Stack(framework=framework)) for framework, chip in
                   (("pytorch", "tpu-v6e"), ("pytorch/xla", "h100-sxm")))  # fmt: skip
    assert there == back and there.likely > 0
    profile = Profile(stack=Stack(framework="pytorch/xla"))
    told = porting_estimate(profile, catalogue, catalogue.accelerator_by_id["h100-sxm"])
    assert told.why == ("PyTorch/XLA is converted to PyTorch on CUDA",)


@pytest.mark.parametrize(
    ("stack", "source", "target", "expected"),
    [
        (Stack(), "tpu-v6e", "h100-sxm", 1.5),
        (Stack(), "tpu-v6e", "tpu-v5p", 0.0),
        (Stack(framework="jax"), "tpu-v6e", "h100-sxm", 0.0),
        (Stack(framework="tensorflow"), "tpu-v6e", "h100-sxm", 0.0),
        (Stack(framework="pytorch/xla"), "tpu-v6e", "h100-sxm", 1.5),
        (Stack(custom_kernels=10), "tpu-v6e", "h100-sxm", 21.5),
        (Stack(custom_kernels=10), "tpu-v6e", "mi300x", 26.5),
        (Stack(libraries=("deepspeed",)), "tpu-v6e", "h100-sxm", 2.5),
        (Stack(dynamic_shapes="many", control_flow="heavy"), "tpu-v6e", "h100-sxm", 1.5),
        (Stack(), "tpu-v6e", "trn2", 3.0),
        (Stack(tpu_port_weeks="5"), "tpu-v6e", "h100-sxm", 5.0),
        (Stack(tpu_port_weeks="5"), "h100-sxm", "tpu-v6e", 5.0),
        (Stack(custom_kernels=2), "mi300x", "h100-sxm", 0.0),
    ],
)  # fmt: skip
def test_leaving_is_the_port_onto_the_target_and_the_way_back(
    catalogue: Catalogue, stack: Stack, source: str, target: str, expected: float
) -> None:
    """A model takes 3 weeks, half of it through a layer, a kernel 2, a library half a kernel."""
    chips = catalogue.accelerator_by_id
    assert leaving_weeks(Profile(stack=stack), catalogue, chips[source], chips[target]) == pytest.approx(expected)


def test_a_team_on_a_compiled_platform_is_no_newcomer_to_leave_it(catalogue: Catalogue) -> None:
    """Coming takes novices longer; leaving does not, nor is the next compiled platform new to them."""
    chips = catalogue.accelerator_by_id
    away = {
        (experience, target): leaving_weeks(Profile(team=Team(xla_experience=experience)), catalogue, chips["tpu-v6e"],
                                            chips[target])
        for experience in ("none", "some", "expert") for target in ("h100-sxm", "trn2")
    }  # fmt: skip
    assert {away[one, "h100-sxm"] for one in ("none", "some", "expert")} == {1.5}
    assert [away[one, "trn2"] for one in ("none", "some", "expert")] == pytest.approx([3.0, 3.0, 1.5 + 0.9])
    onto = leaving_weeks(Profile(team=Team(xla_experience="none")), catalogue, chips["h100-sxm"], chips["tpu-v6e"])
    assert onto == pytest.approx(1.5 * 1.4)


def test_the_reasons_name_what_the_weeks_are_for(catalogue: Catalogue) -> None:
    profile = Profile(stack=Stack(custom_kernels=1, libraries=("deepspeed",)))
    found = porting_estimate(profile, catalogue, catalogue.accelerator_by_id["tpu-v6e"])
    assert found.estimate
    assert any("PyTorch runs through" in why for why in found.why)
    assert "1 kernel rewritten" in found.why
    assert any(why.startswith("DeepSpeed replaced") for why in found.why)
