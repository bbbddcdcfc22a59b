"""Shapes of mixtures by their names, and a usual one for a size."""

import pytest

from core.calibration.measured.mixtures import usual_mixture
from core.calibration.measured.shapes import published_model
from core.workload.models.known import presets


@pytest.mark.parametrize(
    ("name", "size_b", "active_b"),
    [
        ("glm-5.2", 744, 40), ("minimax-m2.5", 229, 10.5), ("llama-4-maverick", 400, 17), ("qwen3-coder-480b", 480, 35),
        ("qwen3-next-80b-a3b", 80, 3), ("deepseek-v4-pro", 1600, 49), ("step-3.5-flash", 196, 11), ("glm-4.6", 355, 32),
        ("deepseek-v3.2", 671, 37), ("kimi-linear-48b-a3b", 48, 3), ("deepseek-v4-flash", 284, 13),
    ],
)  # fmt: skip
def test_a_shape_has_the_weights_that_its_maker_states(name: str, size_b: float, active_b: float) -> None:
    model = published_model(name)
    assert model is not None
    assert model.n_params / 1e9 == pytest.approx(size_b, rel=0.03)
    assert model.n_active_params / 1e9 == pytest.approx(active_b, rel=0.12)


def test_later_releases_share_a_shape_and_the_longest_beginning_counts() -> None:
    assert published_model("DeepSeek-R1-0528") == presets()["DeepSeek-V3"].model
    assert published_model("kimi-k2.6") == presets()["Kimi K2"].model
    assert published_model("glm-4.5-air") == presets()["GLM-4.5-Air"].model
    flash, plain = published_model("glm-4.7-flash"), published_model("glm-4.7")
    assert flash is not None and plain is not None and flash.n_params < plain.n_params / 5


@pytest.mark.parametrize(("size_b", "active_b"), [(671.0, 37.0), (106.0, 12.0), (30.0, 3.0), (1600.0, 49.0)])
def test_a_usual_mixture_has_the_weights_it_is_asked_for(size_b: float, active_b: float) -> None:
    model = usual_mixture("new", size_b, active_b)
    assert model is not None and model.n_heads % model.n_kv_heads == 0
    assert model.n_params / 1e9 == pytest.approx(size_b, rel=0.05)
    assert model.n_active_params / 1e9 == pytest.approx(active_b, rel=0.1)


def test_without_active_weights_nothing_is_guessed() -> None:
    assert usual_mixture("kimi-k3", 2800.0, 0.0) is None
    assert usual_mixture("dense", 70.0, 70.0) is None
    stated = usual_mixture("minimax-m3", 428.0, 0.0)
    assert stated is not None and stated.n_active_params / 1e9 == pytest.approx(23.0, rel=0.05)
